"""Seatings: everybody in every seat, and everybody beside everybody, equally often."""

from collections import Counter

import numpy as np
import pytest

from cardwin.arena.seating import KINDS, seat_hand, seating_of
from cardwin.core.arrays import Ints


def seated(players: int, kind: str, duplicate: bool, hands: int) -> tuple[Ints, list[int]]:
    """The orders (hands, seats) and buttons of a match's first hands."""
    seating = seating_of(players, kind, duplicate, key=5)
    orders = np.zeros((hands, players), np.int64)
    return orders, [seat_hand(seating, number, orders[number]) for number in range(hands)]


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("players", range(2, 11))
def test_in_duplicate_every_player_sits_in_every_seat_of_a_deal_equally_often(players: int, kind: str) -> None:
    per_deal = seating_of(players, kind, duplicate=True).per_deal
    orders, buttons = seated(players, kind, True, 3 * per_deal)
    for deal in range(3):
        rows = orders[deal * per_deal : (deal + 1) * per_deal]
        for seat in range(players):
            assert set(np.bincount(rows[:, seat], minlength=players)) == {per_deal // players}
        assert set(buttons[deal * per_deal : (deal + 1) * per_deal]) == {deal % players}


def test_rotation_keeps_the_order() -> None:
    assert seated(3, "rotation", True, 3)[0].tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    orders, buttons = seated(5, "rotation", False, 7)
    assert (orders == np.arange(5)).all()
    assert buttons == [0, 1, 2, 3, 4, 0, 1]


def test_drawn_orders_are_all_equally_likely() -> None:
    orders, _ = seated(4, "drawn", False, 12_000)
    counts = Counter(map(tuple, orders.tolist()))
    assert len(counts) == 24
    assert 400 < min(counts.values()) <= max(counts.values()) < 600
