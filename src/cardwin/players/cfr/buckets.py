"""Buckets of holdings: percentiles of exact strength, each split by percentiles of potential.

Before the flop the buckets are the 169 classes. On the flop and the turn the strength is the mean of the exact win odds
on the river (against any two cards), and the potential is the standard deviation of these odds over the cards to come:
0 for a hand that is what it will be, large for a draw. On the river the strength is the win odds, and there is no
potential left. Both come from the win-odds table (`cards.win_odds`); the limits between buckets are computed once from
all boards and holdings and are a part of every blueprint.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.cards.boards import canonical_boards
from cardwin.cards.holdings import CLASS_OF_HOLDING, HOLDING_CARDS
from cardwin.cards.win_odds import (
    FLOP_WAYS,
    MEAN_SCALE,
    RIVER_WAYS,
    STORED,
    TURN_WAYS,
    WAYS,
    section,
    stored_powers,
    win_odds,
)
from cardwin.core.arrays import Floats, Ints, Words
from cardwin.core.kernel import kernel

CLASSES = 169
STREETS = 4
_CLASS_OF: npt.NDArray[np.int64] = CLASS_OF_HOLDING.astype(np.int64)
_FIRST_CARDS = 3  # on the board of the first street with limits
# By cards on the board: the table's section, the ways of a strength of 1, and which boards give the limits: all flops,
# and of the many others every few, whose percentiles are the same to four digits.
_SOURCES = {3: ("flop", FLOP_WAYS, 1), 4: ("turn", TURN_WAYS, 11), 5: ("river", RIVER_WAYS, 67)}


class Buckets(NamedTuple):
    """The limits of buckets after the flop, by street (3, ...).

    strengths (3, rows): the minimum strength of each row but the first, padded with infinity. spreads (3, rows,
    columns): the minimum potential of each column but the first, likewise. shape (3, 2): rows and columns.
    """

    strengths: Floats
    spreads: Floats
    shape: Ints

    def counts(self) -> tuple[int, ...]:
        """Return the number of buckets of each street."""
        return (CLASSES, *(int(rows * columns) for rows, columns in self.shape))


@kernel(refcount=False)
def _count_limits(limits: Floats, count: int, value: float) -> int:
    """Return how many of the first `count` ascending limits are not above the value."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if limits[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def strength_and_spread(odds: Words, bits: int, shown: int, a: int, b: int) -> tuple[float, float]:
    """Return the mean of the win odds on the river and their standard deviation, with 3 to 5 cards shown."""
    if shown == 5:
        return win_odds(odds, bits, shown, a, b), 0.0
    powers = np.empty(STORED)
    stored_powers(odds, bits, shown, a, b, powers)
    return powers[0], np.sqrt(max(powers[1] - powers[0] * powers[0], 0.0))


@kernel
def bucket_of(buckets: Buckets, odds: Words, bits: int, shown: int, a: int, b: int) -> int:
    """Return the bucket of cards a and b on a board as bits (`ranks.BITS`), with 0 or 3 to 5 cards shown."""
    if shown == 0:
        high, low = max(a, b), min(a, b)
        return int(_CLASS_OF[high * (high - 1) // 2 + low])
    strength, spread = strength_and_spread(odds, bits, shown, a, b)
    street = shown - _FIRST_CARDS
    rows, columns = buckets.shape[street, 0], buckets.shape[street, 1]
    row = _count_limits(buckets.strengths[street], rows - 1, strength)
    return int(row * columns + _count_limits(buckets.spreads[street, row], columns - 1, spread))


def make_buckets(odds: Words, shapes: tuple[tuple[int, int], ...]) -> Buckets:
    """Return limits by percentiles over all boards and holdings.

    Args:
        odds: the built win-odds table.
        shapes: rows and columns for flop, turn and river.

    """
    max_rows, max_columns = (max(shape[axis] for shape in shapes) for axis in (0, 1))
    strengths = np.full((3, max_rows), np.inf)
    spreads = np.full((3, max_rows, max_columns), np.inf)
    for street, (rows, columns) in enumerate(shapes):
        strength, spread, weights = _all_hands(odds, _FIRST_CARDS + street)
        limits = _distinct(strength, weights, rows)
        strengths[street, : len(limits)] = limits
        if columns > 1:
            row = np.searchsorted(limits, strength, "right")
            order = np.argsort(row, kind="stable")
            ends = np.searchsorted(row[order], np.arange(rows + 1))
            for number in range(rows):
                members = order[ends[number] : ends[number + 1]]
                if len(members):
                    spreads[street, number, : columns - 1] = _percentiles(spread[members], weights[members], columns)
    return Buckets(strengths, spreads, np.array(shapes, np.int64))


def _all_hands(odds: Words, shown: int) -> tuple[Floats, Floats, Floats]:
    """Return strength, potential and weight of every holding on every canonical board, or every few boards."""
    name, ways, step = _SOURCES[shown]
    boards, weights = (array[::step] for array in canonical_boards(shown))
    means = (section(odds, name)[::step] & WAYS if shown == 5 else section(odds, name)[::step]) / ways
    spreads = np.zeros_like(means)
    if shown < 5:
        squares = section(odds, f"{name}_powers")[::step, :, 0] / MEAN_SCALE
        spreads = np.sqrt(np.maximum(squares - means * means, 0.0))
    live = np.ones(means.shape, np.bool_)
    for index in range(shown):
        live &= (HOLDING_CARDS[None] != boards[:, index, None, None]).all(axis=2)
    shares = np.broadcast_to(weights[:, None], live.shape)[live].astype(np.float64)
    return means[live], spreads[live], shares


def _distinct(values: Floats, weights: Floats, parts: int) -> Floats:
    """Return at most parts - 1 different percentiles; of values that recur, finer percentiles are taken."""
    order = np.argsort(values)
    ascending, total = values[order], np.cumsum(weights[order])
    finer, limits = parts, np.unique(_limits(ascending, total, parts))
    while len(limits) < parts - 1 and finer < 4 * parts:
        finer += max(parts // 50, 1)
        more = np.unique(_limits(ascending, total, finer))
        if len(more) > parts - 1:
            break
        limits = more
    return limits


def _percentiles(values: Floats, weights: Floats, parts: int) -> Floats:
    """Return the values (parts - 1,) that divide the weight into equal parts."""
    order = np.argsort(values)
    return _limits(values[order], np.cumsum(weights[order]), parts)


def _limits(ascending: Floats, total: Floats, parts: int) -> Floats:
    """Return the values (parts - 1,) of an ascending array, with its running weight, that divide the weight equally."""
    targets = total[-1] * np.arange(1, parts) / parts
    limits: Floats = ascending[np.minimum(np.searchsorted(total, targets), len(total) - 1)]
    return limits
