"""Morsomme (2019): drawn again bit for bit, the worked example to the last digit, bluffing, and what evolves."""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cardwin.papers import Context, Finding
from cardwin.papers.evolutions import evolve_all, preset_with
from cardwin.papers.morsomme import MATTERS, bluffs, hands, history, replay, script, speed
from cardwin.papers.morsomme.r_random import RStream, descending
from cardwin.papers.register import register
from cardwin.papers.sample import Sample, finding_of
from cardwin.papers.verdicts import Verdict
from cardwin.solvers import equilibria


def context(folder: Path) -> Context:
    return Context(folder, "seconds", 11, 1, "test")


def by_name(samples: Iterable[Sample]) -> dict[str, Finding]:
    return {one.name: finding_of(one, register("cardwin.papers.morsomme")) for one in samples}


def test_one_hand_as_five_matrices(tmp_path: Path) -> None:
    found = by_name(hands.hand(context(tmp_path)))
    assert [one.verdict for one in found.values()] == [Verdict.AGREES] * 3


def test_a_cell_that_differs_is_seen_and_one_that_cannot_be_read_is_left_out() -> None:
    name = "pot of the 16 hands"
    same, other = (hands.cells_alike(name, [1.0, 2.0, 3.0], [1.0, cell, np.nan]) for cell in (2.0, 3.0))
    assert by_name([same])[name].verdict == Verdict.AGREES
    assert by_name([same])[name].published == "2 cells"
    assert by_name([other])[name].verdict == Verdict.DIFFERS


def test_the_table_of_ten_against_ten(tmp_path: Path) -> None:
    found = by_name(hands.confrontation(context(tmp_path)))
    assert found["(8, 2, 2, 2) against B's first strategy"].measured == pytest.approx(-0.75)
    assert found["the table of ten against ten"].measured == "97 equal"
    assert found["fitness of B's ten"].verdict == Verdict.AGREES
    assert found["fitness of s5 in the text"].verdict == Verdict.AGREES
    assert found["fitness of s1 in the text"].verdict == Verdict.WRONG_SIGN
    assert found["the best of A, by the text"].verdict == Verdict.DIFFERS
    assert found["bets of s1 and s8 on the lowest card, by the text"].measured == "2 and 0"
    assert found["bet of s8 on the highest card, by the text"].verdict == Verdict.DIFFERS
    assert found["gain of a bet of 10 on the highest card over a bet of 0"].measured == pytest.approx(1.125)
    assert MATTERS[1] in found


def test_words_are_compared_in_order_where_some_are_missing() -> None:
    name = "B's first two, drawn again"
    same = by_name([hands.words_alike(name, ["CFCCCF", "FF"], ["CFCCF", "FF"])])[name]
    assert (same.verdict, same.published, same.measured) == (Verdict.AGREES, "7 cells", "7 equal")
    assert "7 of 8 cells" in same.reason
    assert by_name([hands.words_alike(name, ["CFCCCF"], ["CCCCC"])])[name].verdict == Verdict.DIFFERS
    assert hands.words_alike(name, ["CF"], ["FC"]).measured == "0 equal"


def test_the_hands_that_the_rule_calls_are_not_all_safe(tmp_path: Path) -> None:
    found = by_name(bluffs.bluffing(context(tmp_path)))
    assert found["hands that A wins where the rule calls: a bet of 0"].measured == 6
    assert found["hands that A wins where the rule calls: B's highest card"].verdict == Verdict.AGREES


def test_a_loop_over_the_hands_gives_the_same_gains_more_slowly(tmp_path: Path) -> None:
    (found,) = by_name(speed.speed(context(tmp_path))).values()
    assert (found.measured, found.verdict) == ("the same gains", Verdict.AGREES)


@pytest.mark.parametrize(
    ("rejection", "shuffled"),
    [(False, [3, 8, 4, 7, 6, 1, 10, 9, 2, 5]), (True, [3, 10, 2, 8, 6, 9, 1, 7, 5, 4])],
)
def test_r_random_numbers_are_those_that_everybody_knows(rejection: bool, shuffled: list[int]) -> None:
    """`set.seed(123); runif(3)` and `sample(1:10)`, before R 3.6 and since."""
    assert RStream(123).uniforms(3) == pytest.approx([0.2875775, 0.7883051, 0.4089769], abs=5e-8)
    assert RStream(42).uniforms(2) == pytest.approx([0.9148060, 0.9370754], abs=5e-8)
    stream, left, drawn = RStream(123, rejection), list(range(1, 11)), []
    while left:
        place = int(stream.indices(len(left), 1)[0])
        drawn.append(left[place])
        left[place] = left[-1]
        left.pop()
    assert drawn == shuffled


def test_weights_are_drawn_in_proportion_and_sorted_falling() -> None:
    weights = np.array([1.0, 3.0, 2.0, 4.0, 3.0])
    chances, places = descending(weights)
    assert chances.tolist() == [4, 3, 3, 2, 1]
    assert weights[places].tolist() == chances.tolist()
    shares = np.bincount(RStream(1).weighted(weights, 100_000), minlength=5) / 100_000
    assert shares == pytest.approx(weights / 13, abs=0.01)


def test_the_document_is_drawn_again_bit_for_bit(tmp_path: Path) -> None:
    found = by_name(replay.replay(context(tmp_path)))
    assert found["the second generation, ten of A's"].measured == "93 equal"
    assert found["the second generation, two of B's against a bet of 20"].measured == "20 equal"
    contradicted = found.pop("the first three elements of Child 1, by the text")
    assert (contradicted.verdict, contradicted.measured) == (Verdict.DIFFERS, "s4 s5 s4")
    assert {one.verdict for one in found.values()} == {Verdict.AGREES, None}
    legible = {"A's ten, drawn again": 37, "B's first two, drawn again and cleaned": 44, "the five crossed over": 18}
    assert {name: found[name].measured for name in legible} == {n: f"{cells} equal" for n, cells in legible.items()}
    newer = found["share of A's first generation that R since 3.6 draws alike"].measured
    assert newer == pytest.approx(1 / 11, abs=0.03)
    assert MATTERS[0] in found


def test_the_script_s_fitness_is_the_tree_s() -> None:
    game = hands.one_card_game("onecard")
    bets = np.array(hands.POPULATION_A, dtype=np.int64) // 2
    calls = np.array([[[letter == "C" for letter in row] for row in table.split()] for table in hands.POPULATION_B])
    table = script.fitness(game, script.Population(bets, calls.transpose(0, 2, 1)))
    legible = ~np.isnan(hands.FITNESS)
    assert int(legible.sum()) == 97
    assert np.allclose(table[legible], np.array(hands.FITNESS)[legible])


@pytest.mark.parametrize(
    ("name", "lowest", "value"),
    [("onecard", 0, "3/16"), ("onecard", 1, "1/12"), ("onecard-10", 0, "10919/16800"), ("onecard-10", 1, "2959/5600")],
)
def test_the_worth_of_bluffing(name: str, lowest: int, value: str) -> None:
    assert bluffs.value_without_bluffs(hands.one_card_game(name), lowest) == pytest.approx(float(Fraction(value)))


@pytest.mark.parametrize("name", ["onecard", "onecard-10"])
def test_the_equilibrium_shown_is_one_and_obeys_the_cleaning_rule(name: str) -> None:
    game = hands.one_card_game(name)
    kept = bluffs.value_without_bluffs(game, 0, cleaned=True)
    assert kept == pytest.approx(bluffs.value_without_bluffs(game, 0))
    settled, value = bluffs.cleaned_equilibrium(game), float(equilibria.game_value(game))
    assert settled.calls[-1].min() == settled.calls[:, 0].min() == 1
    assert settled.bets.sum(axis=1) == pytest.approx(np.ones(game.cards))
    assert bluffs.best_value_against(game, settled.calls) == pytest.approx(value)
    assert bluffs.guaranteed_value(game, settled.bets) == pytest.approx(value)


def test_the_populations_learn_what_is_easy() -> None:
    run = evolve_all([preset_with("morsomme-10", 3, {"generations": 60, "record_members": False})], 1)[0]
    shown = history.history_of(run)
    assert np.allclose(shown.bets.sum(axis=2), 1)
    assert shown.calls[:, -1, :].min() == 1  # cleaned: B calls with its highest card
    late = slice(30, None)
    bets, calls = shown.mean_bet[late].mean(axis=0), shown.calls[late].mean(axis=0)
    assert bets[-1] > 2 * bets[4]  # the best card is bet high, a middling one is not
    assert calls[8, 1:].mean() > calls[1, 1:].mean() + 0.3  # high cards call, low ones fold
