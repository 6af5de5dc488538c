"""The equilibrium nearest to a strategy: on the known family of Kuhn poker, and as a projection in every small game."""

from fractions import Fraction

import numpy as np
import pytest

import cardwin
from cardwin.core.arrays import Floats
from cardwin.solvers import plans
from cardwin.solvers.equilibria import game_value, nearest_equilibrium
from cardwin.solvers.policy import behaviour_from_genes
from cardwin.solvers.tree import tree_of

KUHN = tree_of(cardwin.game("kuhn"))
GAMES = ("kuhn", "kuhn-breadth", "kuhn-depth", "kuhn-full", "kuhn-13", "onecard")


def member(rate: Fraction) -> Floats:
    """The first seat's equilibrium strategy that bluffs with the jack at this rate, as behaviour (sequences,)."""
    genes = [rate, Fraction(0), 3 * rate, Fraction(0), rate + Fraction(1, 3), Fraction(1)]
    return np.array([float(chance) for chance in behaviour_from_genes(KUHN.sequences[0], genes)])


def plan_of(behaviour: Floats) -> Floats:
    plan: Floats = plans.plans(KUHN.sequences[0], behaviour[None])[0]
    return plan


def exploitable_by(game: str, seat: int, plan: Floats) -> float:
    tree = tree_of(cardwin.game(game))
    value = float(game_value(tree.game)) * (1 if seat == 0 else -1)
    return value + plans.best_response_value(tree, 1 - seat, plan)


def drawn(game: str, seat: int, seed: int) -> Floats:
    """A behaviour (sequences,) by random genes."""
    seqs = tree_of(cardwin.game(game)).sequences[seat]
    behaviour: Floats = plans.behaviours(seqs, np.random.default_rng(seed).random((1, seqs.genes)))[0]
    return behaviour


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1, 12), Fraction(1, 7), Fraction(1, 4), Fraction(1, 3)])
def test_nearest_to_a_member_of_the_family_is_the_member(rate: Fraction) -> None:
    behaviour = member(rate)
    found = nearest_equilibrium(KUHN, 0, behaviour)
    assert found.distance < 1e-9
    assert found.plan == pytest.approx(plan_of(behaviour), abs=1e-9)
    assert found.behaviour == pytest.approx(behaviour, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_in_kuhn_poker_no_other_bluffing_rate_is_nearer(seed: int) -> None:
    behaviour = drawn("kuhn", 0, seed)
    plan, found = plan_of(behaviour), nearest_equilibrium(KUHN, 0, behaviour)
    rates = np.linspace(0, 1 / 3, 2001)
    distances = [float(np.linalg.norm(plan - plan_of(member(Fraction(rate))))) for rate in rates]
    assert found.distance <= min(distances) + 1e-12
    rate = found.behaviour[2]  # the jack's bet
    assert rate == pytest.approx(rates[int(np.argmin(distances))], abs=1e-3)
    assert found.plan == pytest.approx(plan_of(member(Fraction(float(rate)))), abs=1e-9)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_it_gives_nothing_away_and_is_a_projection(game: str, seat: int) -> None:
    tree = tree_of(cardwin.game(game))
    behaviour = drawn(game, seat, 7)
    plan: Floats = plans.plans(tree.sequences[seat], behaviour[None])[0]
    found = nearest_equilibrium(tree, seat, behaviour)
    assert abs(exploitable_by(game, seat, found.plan)) < 1e-9
    assert found.distance == pytest.approx(np.linalg.norm(plan - found.plan), abs=1e-9)
    again = nearest_equilibrium(tree, seat, found.behaviour)
    assert again.distance < 1e-9
    assert again.behaviour == pytest.approx(found.behaviour, abs=1e-9)
    # Of a convex set, nothing lies further towards the plan than its nearest point.
    for other in (cardwin.solve(tree.game).policy.plan(seat), *(_other(game, seat, seed) for seed in range(3))):
        assert (other - found.plan) @ (plan - found.plan) < 1e-9


def _other(game: str, seat: int, seed: int) -> Floats:
    """Some equilibrium strategy."""
    return nearest_equilibrium(tree_of(cardwin.game(game)), seat, drawn(game, seat, seed)).plan


def test_where_the_equilibrium_never_comes_it_does_the_same() -> None:
    behaviour = member(Fraction(1, 3))  # always bets the king, and so never faces a bet with it
    layout = KUHN.sequences[0].layout.tolist()
    (where,) = (first for parent, first, _ in layout if plan_of(behaviour)[parent] == 0)
    behaviour[where : where + 2] = 0.25, 0.75
    found = nearest_equilibrium(KUHN, 0, behaviour)
    assert found.behaviour == pytest.approx(behaviour, abs=1e-9)
    assert abs(exploitable_by("kuhn", 0, found.plan)) < 1e-9
