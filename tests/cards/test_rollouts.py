"""Rolled strengths against exact odds, their options, and the points of starting hands."""

import numpy as np
import pytest

from cardwin.cards.card import parse_cards
from cardwin.cards.equity import equity, single_holding
from cardwin.cards.holdings import parse_range
from cardwin.cards.rollouts import chen_formula, rollout_strength
from cardwin.core.rng import stream_of


def strength(
    hole: str, board: str = "", opponents: int = 1, *, suitless: bool = False, ties_lose: bool = False,
    dealt_once: bool = False, least_points: float = 0.0, rollouts: int = 40_000,
) -> float:  # fmt: skip
    return rollout_strength(
        np.array(parse_cards(hole)), np.array(parse_cards(board), np.int64), opponents, rollouts, suitless, ties_lose,
        dealt_once, least_points, stream_of(11),
    )  # fmt: skip


@pytest.mark.parametrize(("hole", "board"), [("AsAh", "KdQc2h"), ("7h6h", "5h4hKd2c"), ("JcTd", "9s8s2hKhKd")])
def test_strength_is_equity_against_one(hole: str, board: str) -> None:
    cards, shown = parse_cards(hole), parse_cards(board)
    exact = equity([single_holding(*cards), parse_range("random")], shown).equity
    assert strength(hole, board) == pytest.approx(exact, abs=0.012)  # five standard errors at most


def test_without_suits_a_flush_is_nothing() -> None:
    assert strength("AhKh", "QhJh2h") > 0.95
    assert strength("AhKh", "7h5h2h", suitless=True) < strength("AhKh", "7h5h2h") - 0.2


def test_suits_do_not_matter_where_they_are_ignored() -> None:
    assert strength("AhKh", suitless=True) == pytest.approx(strength("AhKd", suitless=True), abs=0.012)


def test_ties_are_shares_unless_they_lose() -> None:
    # The board plays for everybody: a straight flush to the ace on it.
    board = "AhKhQhJhTh"
    assert strength("2c3d", board, 3) == pytest.approx(1 / 4)
    assert strength("2c3d", board, 3, ties_lose=True) == 0


def test_opponents_dealt_once_keep_their_cards() -> None:
    once = {strength("9c9d", "KhQh2s4s5d", dealt_once=True, rollouts=50) for _ in range(1)}
    assert once <= {0.0, 0.5, 1.0}


def test_opponents_who_drop_weak_hands_are_easier_to_beat() -> None:
    assert strength("8c8d", opponents=5, least_points=8.0) > strength("8c8d", opponents=5) + 0.1


@pytest.mark.parametrize(
    ("hole", "points"), [("AsAh", 20), ("KdKc", 16), ("AhKd", 10), ("JhTd", 7), ("9h8d", 6), ("7h2d", -1), ("2h2d", 5)]
)
def test_points_of_starting_hands(hole: str, points: float) -> None:
    assert chen_formula(*parse_cards(hole)) == points
