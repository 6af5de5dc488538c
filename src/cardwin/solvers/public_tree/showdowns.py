"""Folds and showdowns of the public-tree solver: the opponent's reach turned into the traverser's values.

For all columns (points where the betting ends) at once: sums of the opponent's reach, in total and by card, in the
order of strength. Holdings that share a card are subtracted. A holding's own weight is subtracted twice with its two
cards, so it is added once; in a showdown that cancels.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.solvers.public_tree.boards import BLOCK

Reals: TypeAlias = npt.NDArray[Any]  # float32 or float64

DECK_SIZE = 52


class Level(NamedTuple):
    """A street's boards as kernels read them, see `boards.BoardLevel`."""

    first_block: Ints
    orbits: Ints
    size: Reals
    parent_orbit: npt.NDArray[np.int32]
    share: Reals
    class_a: npt.NDArray[np.int16]
    class_b: npt.NDArray[np.int16]
    part_a: Reals
    part_b: Reals
    strength: npt.NDArray[np.int32]


class Scratch(NamedTuple):
    """Arrays of one thread.

    reach (2, points, BLOCK), values (points, BLOCK), strategy (blocks, actions, BLOCK) of the traverser, total
    (BLOCK,); folds and shown (orbits, columns) with ahead (orbits, columns), sums (columns,) and by_card (52, columns).
    """

    reach: Reals
    values: Reals
    strategy: Reals
    total: Reals
    folds: Reals
    shown: Reals
    ahead: Reals
    fold_sums: Reals
    fold_by_card: Reals
    sums: Reals
    by_card: Reals


@kernel(refcount=False)
def settle_folds(level: Level, board: int, stakes: Reals, units: Reals, scratch: Scratch) -> None:
    """Turn the opponent's reach at folds into values; stakes (columns,) are the traverser's chips there."""
    folds, sums, by_card = scratch.folds, scratch.fold_sums, scratch.fold_by_card
    columns, start = folds.shape[1], level.first_block[board] * BLOCK
    for k in range(columns):
        sums[k] = units[0]
        for card in range(DECK_SIZE):
            by_card[card, k] = units[0]
    for orbit in range(level.orbits[board]):
        at = start + orbit
        a, b, size, part_a, part_b = (
            level.class_a[at],
            level.class_b[at],
            level.size[at],
            level.part_a[at],
            level.part_b[at],
        )
        for k in range(columns):
            weight = folds[orbit, k]
            sums[k] += size * weight
        for k in range(columns):
            by_card[a, k] += part_a * folds[orbit, k]
        for k in range(columns):
            by_card[b, k] += part_b * folds[orbit, k]
    for orbit in range(level.orbits[board]):
        a, b = level.class_a[start + orbit], level.class_b[start + orbit]
        for k in range(columns):
            folds[orbit, k] = (sums[k] - by_card[a, k] - by_card[b, k] + folds[orbit, k]) * stakes[k]
    for orbit in range(level.orbits[board], level.first_block[board + 1] * BLOCK - start):
        for k in range(columns):
            folds[orbit, k] = units[0]


@kernel(refcount=False)
def settle_showdowns(level: Level, board: int, stakes: Reals, units: Reals, scratch: Scratch) -> None:
    """Turn the opponent's reach at showdowns into values, in scratch.ahead; stakes (columns,) are what each put in."""
    shown, ahead, sums, by_card = scratch.shown, scratch.ahead, scratch.sums, scratch.by_card
    columns, start, count = shown.shape[1], level.first_block[board] * BLOCK, level.orbits[board]
    for k in range(columns):
        sums[k] = units[0]
        for card in range(DECK_SIZE):
            by_card[card, k] = units[0]
    first = 0
    while first < count:
        last = first
        while last < count and level.strength[start + last] == level.strength[start + first]:
            a, b = level.class_a[start + last], level.class_b[start + last]
            for k in range(columns):
                ahead[last, k] = sums[k] - by_card[a, k] - by_card[b, k]
            last += 1
        for orbit in range(first, last):
            at = start + orbit
            a, b = level.class_a[at], level.class_b[at]
            size, part_a, part_b = level.size[at], level.part_a[at], level.part_b[at]
            for k in range(columns):
                sums[k] += size * shown[orbit, k]
            for k in range(columns):
                by_card[a, k] += part_a * shown[orbit, k]
            for k in range(columns):
                by_card[b, k] += part_b * shown[orbit, k]
        for orbit in range(first, last):
            a, b = level.class_a[start + orbit], level.class_b[start + orbit]
            for k in range(columns):
                ahead[orbit, k] += sums[k] - by_card[a, k] - by_card[b, k]
        first = last
    for orbit in range(count):
        a, b = level.class_a[start + orbit], level.class_b[start + orbit]
        for k in range(columns):
            ahead[orbit, k] = (ahead[orbit, k] - (sums[k] - by_card[a, k] - by_card[b, k])) * stakes[k]
    for orbit in range(count, level.first_block[board + 1] * BLOCK - start):
        for k in range(columns):
            ahead[orbit, k] = units[0]
