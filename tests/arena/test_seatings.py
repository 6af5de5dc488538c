"""Seatings: everybody in every seat, and everybody beside everybody, equally often."""

import numpy as np
import pytest

from cardwin.arena.seatings import draw_order, rotations, round_orders, seatings
from cardwin.rng import key_of, stream_of


@pytest.mark.parametrize("players", range(2, 11))
def test_everybody_follows_everybody_equally_often(players: int) -> None:
    orders = round_orders(players)
    follows = np.zeros((players, players), int)
    for order in orders:
        assert sorted(order) == list(range(players))
        np.add.at(follows, (order, np.roll(order, -1)), 1)
    assert len({tuple(np.roll(order, -int(order.argmin()))) for order in orders}) == len(orders)
    apart = follows[~np.eye(players, dtype=bool)]
    assert set(apart) == {len(orders) // (players - 1)}


@pytest.mark.parametrize("kind", ["balanced", "rotation"])
@pytest.mark.parametrize("players", range(2, 11))
def test_every_player_sits_in_every_seat_equally_often(players: int, kind: str) -> None:
    rows = seatings(players, kind, duplicate=True)
    for seat in range(players):
        assert set(np.bincount(rows[:, seat], minlength=players)) == {len(rows) // players}
    assert len({tuple(row) for row in rows}) == len(rows)


def test_rotation_keeps_the_order() -> None:
    assert rotations(3).tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    assert seatings(5, "rotation", duplicate=False).tolist() == [[0, 1, 2, 3, 4]]


def test_drawn_orders_are_all_equally_likely() -> None:
    counts: dict[tuple[int, ...], int] = {}
    order = np.zeros(4, np.int64)
    for deal in range(12_000):
        draw_order(stream_of(key_of(1, deal)), order)
        counts[tuple(order)] = counts.get(tuple(order), 0) + 1
    assert len(counts) == 24
    assert 400 < min(counts.values()) <= max(counts.values()) < 600
