"""Hand strength and potential are the exact published ones."""

import numpy as np
import pytest

from cardwin.cards.card import parse_cards
from cardwin.cards.hand_strength import hand_potential, hand_strength, standing, transitions
from cardwin.cards.holdings import holding_index

EVEN = np.ones(1326)
Question = tuple[int, int, np.ndarray[tuple[int], np.dtype[np.int64]]]


def ask(hand: str, board: str) -> Question:
    a, b = parse_cards(hand)
    return a, b, np.array(parse_cards(board))


def test_strength_of_ace_queen() -> None:
    question = ask("AdQc", "3h4cJh")
    assert standing(*question, EVEN).tolist() == [628, 9, 444]
    assert hand_strength(*question, EVEN) == pytest.approx(0.585106, abs=5e-7)
    assert hand_strength(*question, EVEN) ** 5 == pytest.approx(0.068576, abs=5e-7)


def test_two_cards_ahead() -> None:
    expected = [[449005, 3211, 169504], [0, 8370, 540], [91981, 1036, 346543]]
    assert transitions(*ask("AdQc", "3h4cJh"), EVEN, 2).tolist() == expected


@pytest.mark.parametrize(
    ("hand", "board", "ahead", "positive", "negative"),
    [
        ("AdQc", "3h4cJh", 1, 0.108312, 0.145402),
        ("AdQc", "3h4cJh", 2, 0.208324, 0.273693),
        ("AhQh", "3h4sJh", 1, 0.301127, 0.099394),
        ("AhQh", "3h4sJh", 2, 0.504179, 0.145142),
    ],
)
def test_potential(hand: str, board: str, ahead: int, positive: float, negative: float) -> None:
    assert hand_potential(*ask(hand, board), EVEN, ahead) == pytest.approx((positive, negative), abs=5e-7)


def test_a_draw_is_weak_now_and_strong_later() -> None:
    question = ask("8d7d", "9d6c2d")
    assert hand_strength(*question, EVEN) == pytest.approx(0.115171, abs=5e-7)
    assert hand_potential(*question, EVEN, 2)[0] == pytest.approx(0.621491, abs=5e-7)


def test_weights_count() -> None:
    weights = np.zeros(1326)
    weights[holding_index(*parse_cards("KdKc"))] = 3.0
    weights[holding_index(*parse_cards("2d7c"))] = 1.0
    weights[holding_index(*parse_cards("AdKh"))] = 5.0  # holds a card of ours, so it cannot be
    assert standing(*ask("AdQc", "3h4cJh"), weights).tolist() == [1.0, 0.0, 3.0]
    assert hand_strength(*ask("AdQc", "3h4cJh"), weights) == 0.25


def test_no_card_to_come_has_no_potential() -> None:
    assert hand_potential(*ask("AdQc", "3h4cJh5s6d"), EVEN, 1) == (0.0, 0.0)
    assert hand_potential(*ask("AdQc", "3h4cJh5s"), EVEN, 2) == (0.0, 0.0)
    assert hand_strength(*ask("AdQc", "3h4cJh"), np.zeros(1326)) == 0.5
