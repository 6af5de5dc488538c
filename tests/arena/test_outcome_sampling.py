"""Games whose ends are drawn: as lucky as games played move by move, no more and no less."""

import numpy as np
import pytest

from cardwin.arena.sampled_games import games_of, mean_chips, mean_of_draws, one_game_each, outcomes_of
from cardwin.core.arrays import Floats
from cardwin.games import game
from cardwin.players.small_games.policies import policy
from cardwin.solvers import plans
from cardwin.solvers.tree import Tree, tree_of


def some_plans(tree: Tree, seat: int, n: int, seed: int) -> tuple[Floats, Floats]:
    """Behaviours and plans (n, sequences) of random genes."""
    seqs = tree.sequences[seat]
    behaviours = plans.behaviours(seqs, np.random.default_rng(seed).random((n, seqs.genes)))
    return behaviours, plans.plans(seqs, behaviours)


@pytest.mark.parametrize("name", ["kuhn", "kuhn-full", "kuhn-13"])
def test_the_outcomes_of_any_two_plans_are_certain_to_be_one_of_them(name: str) -> None:
    tree = tree_of(game(name))
    outcomes = outcomes_of(tree)
    first, second = (some_plans(tree, seat, 3, seat)[1] for seat in (0, 1))
    odds = np.array([first @ (lead @ second.T) for lead in outcomes.leads])
    assert np.allclose(odds.sum(axis=0), 1)
    assert np.allclose(np.tensordot(outcomes.chips, odds, 1), plans.values(tree, first, second))


@pytest.mark.parametrize("seat", [0, 1])
def test_drawn_means_have_the_mean_and_the_spread_of_means_played_out(seat: int) -> None:
    tree = tree_of(game("kuhn"))
    behaviours, made = some_plans(tree, seat, 1, 5)
    rational, n, games = policy(tree.game, "rational"), 4000, 60
    played = np.empty(n)
    who = np.repeat(behaviours, n, axis=0), rational.behaviour(1 - seat)[None]
    mean_chips(tree.nodes, games_of(tree.nodes, seat, games, 11), *who, 0, n, played)
    drawn = mean_of_draws(outcomes_of(tree), seat, np.repeat(made, n, axis=0), rational.plan(1 - seat), games, 11)
    assert abs(drawn.mean() - played.mean()) < 4 * played.std() * (2 / n) ** 0.5
    assert drawn.std() == pytest.approx(played.std(), rel=0.06)


def test_everybody_meets_everybody_in_one_game_that_both_seats_see() -> None:
    tree = tree_of(game("kuhn"))
    first, second = (some_plans(tree, seat, 150, 7 + seat)[1] for seat in (0, 1))
    outcomes = outcomes_of(tree)
    won, lost = one_game_each(outcomes, first, second, 3)
    expected = plans.values(tree, first, second)
    assert won.sum() == pytest.approx(-lost.sum())
    assert abs(won.mean() - expected.mean()) < 4 * 1.5 / 150
    # A member's own worth shows through its luck.
    assert np.corrcoef(won, expected.mean(axis=1))[0, 1] > 0.6
    # The luck of a pair stays with the pair, whoever else is there.
    again = one_game_each(outcomes, first[:70], second, 3)[0]
    assert np.array_equal(again, won[:70])


def test_a_pair_that_knows_no_luck_but_the_deal_earns_what_it_must() -> None:
    tree = tree_of(game("kuhn"))
    folder, caller = policy(tree.game, "folder").plan(0), policy(tree.game, "caller").plan(1)
    won, lost = one_game_each(outcomes_of(tree), folder[None], np.repeat(caller[None], 40, axis=0), 1)
    assert won.tolist() == [-1.0]  # it checks, is bet at, and folds
    assert lost.tolist() == [1.0] * 40
