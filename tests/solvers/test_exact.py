"""Every value, best response and forced gene of the small games, in fractions."""

from fractions import Fraction

import numpy as np
import pytest

import cardwin
from cardwin.core.errors import InputError
from cardwin.solvers import exact
from cardwin.solvers.policy import sort_by_card
from cardwin.solvers.tree import tree_of
from solvers.truth import PAIRS, RESPONSES, VALUES


@pytest.mark.parametrize("game", VALUES)
def test_values_are_certified_fractions(game: str) -> None:
    solution = cardwin.solve(cardwin.game(game))
    assert solution.fraction == VALUES[game]
    assert solution.value == pytest.approx(float(Fraction(VALUES[game])), abs=1e-15)
    assert solution.exploitability == 0


def test_leduc_by_the_program() -> None:
    solution = cardwin.solve(cardwin.game("leduc"))
    assert solution.value == pytest.approx(-0.0856064240780, abs=1e-12)
    assert solution.fraction is None
    assert solution.exploitability < 1e-12


@pytest.mark.parametrize(("game", "model", "seat", "value", "marks"), RESPONSES)
def test_best_responses_and_forced_genes(game: str, model: str, seat: int, value: str, marks: str) -> None:
    found = cardwin.best_response(cardwin.game(game), model, seat)
    assert found.value == Fraction(value)
    assert [mark.replace("-", "~") for mark in found.forced] == marks.split()


@pytest.mark.parametrize(("game", "first", "second", "value"), PAIRS)
def test_values_between_models(game: str, first: str, second: str, value: str) -> None:
    assert cardwin.value(cardwin.game(game), first, second) == pytest.approx(float(Fraction(value)), abs=1e-12)


def test_a_best_response_earns_its_value() -> None:
    for game, model, seat, value, _ in RESPONSES[:20]:
        rules = cardwin.game(game)
        found = cardwin.best_response(rules, model, seat)
        reply = cardwin.policy(rules, "genes:" + ",".join(map(str, found.genes)))
        pair = (reply, cardwin.policy(rules, model)) if seat == 1 else (cardwin.policy(rules, model), reply)
        sign = 1 if seat == 1 else -1
        assert sign * exact.value(tree_of(rules), pair[0].exact(0), pair[1].exact(1)) == Fraction(value)


def test_never_reached_is_marked() -> None:
    assert cardwin.best_response(cardwin.game("kuhn"), "shy", 1).forced == ["1", "0", "~", "-", "-", "-"]


def test_equilibrium_of_onecard_bluffs() -> None:
    solution = cardwin.solve(cardwin.game("onecard"))
    chances = dict(
        zip(map(str, solution.policy.tree.sequences[0].actions[0]), solution.policy.exact(0)[1:7], strict=True)
    )
    assert chances["bet 4"] == Fraction(1, 2)


@pytest.mark.parametrize(
    ("genes", "seat", "loss"),
    [
        ("1/10,0,.43,.01,.56,1", 1, Fraction(407, 18000)),  # the dissertation's co-evolved first player
        (".00046,0,.063,0,.49,1", 1, Fraction(23431, 900000)),  # and its mixed one, which is worse
    ],
)
def test_exploitability_of_printed_chromosomes(genes: str, seat: int, loss: Fraction) -> None:
    found = cardwin.exploitability(cardwin.game("kuhn"), f"genes:{genes}", seat)
    assert found.exploitability == pytest.approx(float(loss), abs=1e-12)


def test_wider_kuhn_games_solve() -> None:
    for cards in (2, 4, 5, 7):
        solution = cardwin.solve(cardwin.game(f"kuhn:cards={cards}"))
        assert solution.fraction is not None
        assert cardwin.exploitability(cardwin.game(f"kuhn:cards={cards}"), solution.policy).exploitability == 0


def test_regret_of_an_action() -> None:
    from cardwin.games.base import CALL, FOLD
    from cardwin.solvers.equilibria import regret

    rules = cardwin.game("kuhn")
    found = cardwin.best_response(rules, "rational", 2)
    seqs = tree_of(rules).sequences[1]
    assert regret(found, seqs, "J after bet 1", FOLD) == 0
    assert regret(found, seqs, "J after bet 1", CALL) == pytest.approx(1)


def test_too_large_to_enumerate_says_how_large() -> None:
    with pytest.raises(InputError, match="35,984,001"):
        tree_of(cardwin.game("kuhn:cards=2000"))


def test_a_gene_divides_what_earlier_genes_leave() -> None:
    """The six bets of onecard: each gene of a half leaves half of the rest to the larger bets."""
    from cardwin.solvers import plans

    seqs = tree_of(cardwin.game("onecard")).sequences[0]
    behaviour = plans.behaviours(seqs, np.full((1, seqs.genes), 0.5))[0]
    assert behaviour[1:7].tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 32]


def test_average_of_plans_is_not_average_of_genes() -> None:
    from cardwin.solvers import plans

    seqs = tree_of(cardwin.game("kuhn-depth")).sequences[0]
    genes = np.array([[0.0] * seqs.genes, [1.0] * seqs.genes])
    mean_plan = plans.plans(seqs, plans.behaviours(seqs, genes)).mean(axis=0)
    back = plans.plans(seqs, plans.behaviour_of(seqs, mean_plan)[None])[0]
    assert back == pytest.approx(mean_plan)
    assert not np.allclose(plans.plans(seqs, plans.behaviours(seqs, genes.mean(axis=0)[None]))[0], mean_plan)


def test_a_table_of_a_policy_goes_through_the_cards_in_order() -> None:
    kuhn = cardwin.game("kuhn")
    rows = list(cardwin.policy(kuhn, "uniform").choices(1))
    assert [row[0][0] for row in rows] == list("QQKKJJ"), "the tree's order follows the first seat's card"
    assert [row[0] for row in sort_by_card(kuhn, rows, 6)] == [
        f"{card} after {did}" for card in "JQK" for did in ("check", "bet 1")
    ]
    assert sort_by_card(kuhn, rows, 5) == rows, "what is cut begins with the first decisions"
