"""Builds `rank_tables.npz`, the small tables behind `ranks`, by `python -m cardwin.cards.tables.rank_tables`.

1. List the 7,462 classes of five-card hands, best first: 6,175 multisets of ranks and 1,287 flushes.
2. The value of six or seven ranks is the best value of their subsets with one rank fewer.
3. Every rank has a key such that no two multisets of up to seven ranks have the same sum. The keys are the smallest
   such numbers, found one after the other (the search takes a minute; each build checks that they work).
4. The sums reach 7.8 million but only 49,205 of them occur. Cut into 4,096 rows (the low bits) that are slid over
   each other until no two entries collide (first fit, fullest row first; Tarjan and Yao 1979), they fill 63,100 places.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import numpy as np
import numpy.typing as npt

from cardwin.cards.tables import write_shipped

RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
ROW_BITS = 12
ROWS = 1 << ROW_BITS
CATEGORIES = (
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "three of a kind",
    "two pair",
    "pair",
    "high card",
)
# The category of a five-card hand by its sorted rank counts, apart from straights and flushes.
_CATEGORY_OF_COUNTS = {(4, 1): 1, (3, 2): 2, (3, 1, 1): 5, (2, 2, 1): 6, (2, 1, 1, 1): 7, (1, 1, 1, 1, 1): 8}
_STRAIGHT, _FLUSH, _STRAIGHT_FLUSH, _HIGH_CARD = 4, 3, 0, 8
_WHEEL = (12, 3, 2, 1, 0)

Ranks = tuple[int, ...]  # thirteen counts, or ranks from high to low


def _grown(multisets: Iterable[Ranks]) -> set[Ranks]:
    """All multisets, as ranks from high to low, with one rank more and at most four of each."""
    return {
        tuple(sorted((*ranks, rank), reverse=True))
        for ranks in multisets
        for rank in range(13)
        if ranks.count(rank) < 4
    }


def by_weight(ranks: Ranks) -> Ranks:
    """Five ranks in the order in which they decide: the most frequent first, then the highest; a wheel's ace last."""
    if tuple(sorted(ranks, reverse=True)) == _WHEEL:
        return (3, 2, 1, 0, 12)
    counts = Counter(ranks)
    return tuple(sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True))


def _category(ranks: Ranks, suited: bool) -> int:
    """The category, an index into CATEGORIES, of five ranks from high to low."""
    category = _CATEGORY_OF_COUNTS[tuple(sorted(Counter(ranks).values(), reverse=True))]
    if category != _HIGH_CARD:
        return category
    if ranks == _WHEEL or ranks[0] - ranks[4] == 4:
        return _STRAIGHT_FLUSH if suited else _STRAIGHT
    return _FLUSH if suited else _HIGH_CARD


def hand_classes() -> list[tuple[int, Ranks, bool]]:
    """All five-card classes, best first: category, ranks by weight, and whether they are of one suit."""
    fives: set[Ranks] = {()}
    for _ in range(5):
        fives = _grown(fives)
    classes = [(_category(ranks, False), by_weight(ranks), False) for ranks in fives]
    suited = combinations(range(12, -1, -1), 5)
    classes += [(_category(ranks, True), by_weight(ranks), True) for ranks in suited]
    return sorted(classes, key=lambda entry: (entry[0], *(-rank for rank in entry[1])))


def _best_parts(smaller: dict[Ranks, int], larger: Iterable[Ranks]) -> dict[Ranks, int]:
    """The best value over the subsets with one rank left out."""
    return {ranks: min(smaller[ranks[:i] + ranks[i + 1 :]] for i in range(len(ranks))) for ranks in larger}


def _slide_rows(sums: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """A place for each sum without collisions: the shift of each row (rows,), and the places (sums,)."""
    rows, columns = sums & (ROWS - 1), sums >> ROW_BITS
    width = int(columns.max()) + 1
    shifts = np.zeros(ROWS, dtype=np.int32)
    places = np.zeros_like(sums)
    taken = np.zeros(len(sums) * 2 + width, dtype=bool)
    window = len(taken) - width
    for row in np.argsort(-np.bincount(rows), kind="stable"):
        members = np.flatnonzero(rows == row)
        collides = np.zeros(window, dtype=bool)
        for column in columns[members]:
            collides |= taken[column : column + window]
        shifts[row] = np.argmin(collides)
        places[members] = columns[members] + shifts[row]
        taken[places[members]] = True
    if taken.sum() != len(sums):
        raise ValueError("the rows do not fit into a table of twice their size")
    return shifts, places


def build() -> dict[str, npt.NDArray[np.int16] | npt.NDArray[np.int32]]:
    """All tables by name. For n = 5, 6, 7: `shifts_n` and `ranks_n`; `flush_ranks` by 13-bit mask; `simple_values`.

    `simple_values` gives the suitless 24-bit value of `holdem-simple` for each unsuited class.
    """
    classes = hand_classes()
    unsuited = {tuple(sorted(r, reverse=True)): n for n, (_, r, suited) in enumerate(classes, 1) if not suited}
    flushes = {tuple(sorted(r, reverse=True)): n for n, (_, r, suited) in enumerate(classes, 1) if suited}
    tables: dict[str, npt.NDArray[np.int16] | npt.NDArray[np.int32]] = {}
    flush_ranks = np.zeros(1 << 13, dtype=np.int16)
    keys = np.array(RANK_KEYS, dtype=np.int64)
    for n in (5, 6, 7):
        if n > 5:
            unsuited = _best_parts(unsuited, _grown(unsuited))
            flushes = _best_parts(flushes, combinations(range(12, -1, -1), n))
        sums = np.array([keys[list(ranks)].sum() for ranks in sorted(unsuited)])
        if len(np.unique(sums)) != len(sums):
            raise ValueError("two multisets of ranks have the same sum of keys")
        shifts, places = _slide_rows(sums)
        ranks_by_place = np.zeros(places.max() + 1, dtype=np.int16)
        ranks_by_place[places] = [unsuited[ranks] for ranks in sorted(unsuited)]
        tables |= {f"shifts_{n}": shifts, f"ranks_{n}": ranks_by_place}
        for ranks, value in flushes.items():
            flush_ranks[sum(1 << rank for rank in ranks)] = value
    return tables | {"flush_ranks": flush_ranks, "simple_values": _simple_values(classes)}


def _simple_values(classes: list[tuple[int, Ranks, bool]]) -> npt.NDArray[np.int32]:
    """The 24-bit value, larger is better, of each unsuited class: a type 1..7, then five ranks by weight."""
    types = [category for category in range(8, -1, -1) if category not in (_FLUSH, _STRAIGHT_FLUSH)]
    values = np.zeros(len(classes) + 1, dtype=np.int32)
    for n, (category, ranks, suited) in enumerate(classes, 1):
        if not suited:
            nibbles = (types.index(category) + 1, *ranks)
            values[n] = sum(nibble << (20 - 4 * i) for i, nibble in enumerate(nibbles))
    return values


if __name__ == "__main__":
    write_shipped("rank_tables.npz", {**build()})
