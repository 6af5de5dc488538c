"""Morsomme (2019): the worked example to the last digit, the worth of bluffing, and what evolves."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cardwin.lab.papers import AGREES, WRONG_SIGN, Context
from cardwin.lab.papers.morsomme import bluffs, courses, hands
from cardwin.lab.papers.trials import preset_with, trials


def context(folder: Path) -> Context:
    return Context(folder, "seconds", 11, 1, "test")


def test_one_hand_as_five_matrices(tmp_path: Path) -> None:
    assert [finding.verdict for finding in hands.hand(context(tmp_path))] == [AGREES] * 3


def test_the_table_of_ten_against_ten(tmp_path: Path) -> None:
    findings = {finding.name: finding for finding in hands.confrontation(context(tmp_path))}
    assert findings["3.3.1: (8, 2, 2, 2) against B's first strategy"].measured == pytest.approx(-0.75)
    assert findings["3.3.2: the table of ten against ten"].measured == "100 equal"
    assert findings["3.3.2: fitness of B's ten"].verdict == AGREES
    assert findings["3.3.2: fitness of s1 in the text"].verdict == WRONG_SIGN


@pytest.mark.parametrize(
    ("name", "lowest", "worth"),
    [("onecard", 0, "3/16"), ("onecard", 1, "1/12"), ("onecard-10", 0, "10919/16800"), ("onecard-10", 1, "2959/5600")],
)
def test_the_worth_of_bluffing(name: str, lowest: int, worth: str) -> None:
    assert bluffs.value_without_bluffs(hands.the_game(name), lowest) == pytest.approx(float(Fraction(worth)))


@pytest.mark.parametrize("name", ["onecard", "onecard-10"])
def test_cleaning_risks_nothing(name: str) -> None:
    game = hands.the_game(name)
    kept = bluffs.value_without_bluffs(game, 0, cleaned=True)
    assert kept == pytest.approx(bluffs.value_without_bluffs(game, 0))


def test_the_populations_learn_what_is_easy() -> None:
    run = trials([preset_with("morsomme-10", 3, {"generations": 60, "record_members": False})], 1)[0]
    course = courses.course_of(run)
    assert np.allclose(course.bets.sum(axis=2), 1)
    assert course.calls[:, -1, :].min() == 1  # cleaned: B calls with its highest card
    late = slice(30, None)
    bets, calls = course.mean_bet[late].mean(axis=0), course.calls[late].mean(axis=0)
    assert bets[-1] > 2 * bets[4]  # the best card is bet high, a middling one is not
    assert calls[8, 1:].mean() > calls[1, 1:].mean() + 0.3  # high cards call, low ones fold
