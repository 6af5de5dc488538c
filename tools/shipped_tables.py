"""Builds the small tables that ship with the package (`cardwin/cards/tables/*.npz`).

    python tools/shipped_tables.py ranks         # rank_tables.npz, in some seconds
    python tools/shipped_tables.py preflop       # preflop.npz, in two to five minutes
    python tools/shipped_tables.py correction    # win_odds_fit.npz, in a few minutes once the win odds are built

Each prints a new checksum for `cardwin/cards/tables/__init__.py`.

**Ranks** (`cards.ranks`):

1. List the 7,462 classes of five-card hands, best first: 6,175 multisets of ranks and 1,287 flushes.
2. The value of six or seven ranks is the best value of their subsets with one rank fewer.
3. Every rank has a key such that no two multisets of up to seven ranks have the same sum. The keys are the smallest
   such numbers, found one after the other (the search takes a minute; each build checks that they work).
4. The sums reach 7.8 million but only 49,205 of them occur. Cut into 4,096 rows (the low bits) that are slid over
   each other until no two entries collide (first fit, fullest row first; Tarjan and Yao 1979), they fill 63,100 slots.

**Odds before the flop** (`cards.preflop`):

1. Against one opponent, exactly: all holdings on all river boards, each canonical board counted as often as it occurs.
2. Against more, by simulation: DEALS deals for each class, each counted for every number of opponents at once, which
   keeps all standard errors below .0005.

**Correction of the power-mean approximation** (`cards.win_odds`), and the remaining error:

1. On each street draw situations, a holding and a board, and simulate many deals of each with nine opponents; counting
   only the first n opponents estimates the true odds for every n at once.
2. Fit, for each street and n, weights on the stored shares and a constant by least squares.
3. On situations not used in the fit, measure for both the root mean square error (with the variance of the simulation
   subtracted), the bias, and the largest error, for which the worst candidates are dealt twenty times as often.
"""

import argparse
import hashlib
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.cards import tables
from cardwin.cards.boards import board_bits, canonical_boards
from cardwin.cards.deals import MAX_OPPONENTS, SHARES, SQUARES, deal_many
from cardwin.cards.holdings import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDINGS
from cardwin.cards.preflop import Preflop, simulate
from cardwin.cards.tables import RANK_KEYS, ROW_BITS, ROWS, win_odds_store
from cardwin.cards.tables.win_odds_fill import river_counts
from cardwin.cards.win_odds import POWER_WEIGHTS, STORED, stored_powers
from cardwin.core.arrays import Floats, Ints, Words
from cardwin.core.kernel import kernel
from cardwin.core.rng import child, key_of, shuffle_first

PREFLOP_DEALS = 2_000_000
SITUATIONS, UNSEEN = 4000, 1000
DEALS = 20_000
CANDIDATES = 10

# The category of a five-card hand by its sorted rank counts, apart from straights and flushes.
_CATEGORY_OF_COUNTS = {(4, 1): 1, (3, 2): 2, (3, 1, 1): 5, (2, 2, 1): 6, (2, 1, 1, 1): 7, (1, 1, 1, 1, 1): 8}
_STRAIGHT, _FLUSH, _STRAIGHT_FLUSH, _HIGH_CARD = 4, 3, 0, 8
_WHEEL = (12, 3, 2, 1, 0)

Ranks = tuple[int, ...]  # thirteen counts, or ranks from high to low


def _grown(multisets: Iterable[Ranks]) -> set[Ranks]:
    """Return all multisets, as ranks from high to low, with one rank more and at most four of each."""
    return {
        tuple(sorted((*ranks, rank), reverse=True))
        for ranks in multisets
        for rank in range(13)
        if ranks.count(rank) < 4
    }


def by_weight(ranks: Ranks) -> Ranks:
    """Return five ranks in the order in which they decide: most frequent first, then highest; a wheel's ace last."""
    if tuple(sorted(ranks, reverse=True)) == _WHEEL:
        return (3, 2, 1, 0, 12)
    counts = Counter(ranks)
    return tuple(sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True))


def _category(ranks: Ranks, suited: bool) -> int:
    """Return the category, an index into `ranks.CATEGORIES`, of five ranks from high to low."""
    category = _CATEGORY_OF_COUNTS[tuple(sorted(Counter(ranks).values(), reverse=True))]
    if category != _HIGH_CARD:
        return category
    if ranks == _WHEEL or ranks[0] - ranks[4] == 4:
        return _STRAIGHT_FLUSH if suited else _STRAIGHT
    return _FLUSH if suited else _HIGH_CARD


def hand_classes() -> list[tuple[int, Ranks, bool]]:
    """Return all five-card classes, best first: category, ranks by weight, and whether they are of one suit."""
    fives: set[Ranks] = {()}
    for _ in range(5):
        fives = _grown(fives)
    classes = [(_category(ranks, False), by_weight(ranks), False) for ranks in fives]
    suited = combinations(range(12, -1, -1), 5)
    classes += [(_category(ranks, True), by_weight(ranks), True) for ranks in suited]
    return sorted(classes, key=lambda entry: (entry[0], *(-rank for rank in entry[1])))


def _best_parts(smaller: dict[Ranks, int], larger: Iterable[Ranks]) -> dict[Ranks, int]:
    """Return the best value over the subsets with one rank left out."""
    return {ranks: min(smaller[ranks[:i] + ranks[i + 1 :]] for i in range(len(ranks))) for ranks in larger}


def _slide_rows(sums: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Find a slot for each sum without collisions: return the shift of each row (rows,), and the slots (sums,)."""
    rows, columns = sums & (ROWS - 1), sums >> ROW_BITS
    width = int(columns.max()) + 1
    shifts = np.zeros(ROWS, dtype=np.int32)
    slots = np.zeros_like(sums)
    taken = np.zeros(len(sums) * 2 + width, dtype=bool)
    window = len(taken) - width
    for row in np.argsort(-np.bincount(rows), kind="stable"):
        members = np.flatnonzero(rows == row)
        collides = np.zeros(window, dtype=bool)
        for column in columns[members]:
            collides |= taken[column : column + window]
        shifts[row] = np.argmin(collides)
        slots[members] = columns[members] + shifts[row]
        taken[slots[members]] = True
    if taken.sum() != len(sums):
        raise ValueError("the rows do not fit into a table of twice their size")
    return shifts, slots


def build_ranks() -> dict[str, npt.NDArray[np.int16] | npt.NDArray[np.int32]]:
    """Return all tables by name.

    These are `shifts_n` and `ranks_n` for n = 5, 6, 7, `flush_ranks` by 13-bit mask, and `simple_values`, which gives
    the suitless 24-bit value of `holdem-simple` for each unsuited class.
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
        shifts, slots = _slide_rows(sums)
        ranks_by_slot = np.zeros(slots.max() + 1, dtype=np.int16)
        ranks_by_slot[slots] = [unsuited[ranks] for ranks in sorted(unsuited)]
        tables |= {f"shifts_{n}": shifts, f"ranks_{n}": ranks_by_slot}
        for ranks, value in flushes.items():
            flush_ranks[sum(1 << rank for rank in ranks)] = value
    return tables | {"flush_ranks": flush_ranks, "simple_values": _simple_values(classes)}


def _simple_values(classes: list[tuple[int, Ranks, bool]]) -> npt.NDArray[np.int32]:
    """Return the 24-bit value, larger is better, of each unsuited class: a type 1..7, then five ranks by weight."""
    types = [category for category in range(8, -1, -1) if category not in (_FLUSH, _STRAIGHT_FLUSH)]
    values = np.zeros(len(classes) + 1, dtype=np.int32)
    for n, (category, ranks, suited) in enumerate(classes, 1):
        if not suited:
            nibbles = (types.index(category) + 1, *ranks)
            values[n] = sum(nibble << (20 - 4 * i) for i, nibble in enumerate(nibbles))
    return values


@kernel
def _count_all(boards: Ints, weights: Ints, wins: Ints, ties: Ints, ways: Ints) -> None:
    """Add up, by class, the wins and ties of all holdings against one opponent, and the number of ways."""
    won, tied = np.empty(HOLDINGS, dtype=np.int64), np.empty(HOLDINGS, dtype=np.int64)
    for row in range(len(boards)):
        river_counts(boards[row], won, tied)
        board = (boards[row, 0], boards[row, 1], boards[row, 2], boards[row, 3], boards[row, 4])
        for holding in range(HOLDINGS):
            if HOLDING_CARDS[holding, 0] not in board and HOLDING_CARDS[holding, 1] not in board:
                number = CLASS_OF_HOLDING[holding]
                wins[number] += weights[row] * won[holding]
                ties[number] += weights[row] * tied[holding]
                ways[number] += weights[row] * 990


def build_preflop() -> Preflop:
    """Return the odds before the flop."""
    result = Preflop(*(np.zeros((169, MAX_OPPONENTS)) for _ in range(4)))
    wins, ties, ways = (np.zeros(169, dtype=np.int64) for _ in range(3))
    _count_all(*canonical_boards(5), wins, ties, ways)
    for number in range(169):
        parts = simulate(number, PREFLOP_DEALS)
        for column, part in zip(result, parts, strict=True):
            column[number] = part
    result.win[:, 0], result.tie[:, 0] = wins / ways, ties / ways
    result.equity[:, 0], result.error[:, 0] = (2 * wins + ties) / (2 * ways), 0.0
    return result


@kernel
def draw_situations(
    odds: Words, key: int, shown: int, deals: int, powers: Floats, shares: Floats, noise: Floats
) -> None:
    """Fill in stored powers and a one (n, 6), simulated shares (n, 9) and their variances (n, 9) for n situations."""
    for i in range(len(powers)):
        stream = np.array([child(key, i), 0])
        cards = np.arange(52)
        shuffle_first(stream, cards, shown + 2)
        cards = cards[: shown + 2]
        stored_powers(odds, board_bits(cards[2:]), shown, cards[0], cards[1], powers[i])
        powers[i, STORED] = 1.0
        tallies = np.zeros((4, MAX_OPPONENTS))
        deal_many(stream, cards, deals, tallies)
        shares[i] = tallies[SHARES] / deals
        noise[i] = (tallies[SQUARES] / deals - shares[i] ** 2) / deals


def fit_correction() -> dict[str, Floats]:
    """Fit the weights (3, 10, 6) by street and opponents, and measure the errors (3, 10) that remain.

    `plain` and `corrected` are root mean square errors, with `_bias` and `_worst` the mean and the largest error.
    """
    weights = np.zeros_like(POWER_WEIGHTS)
    errors = {name + kind: np.zeros((3, 10)) for name in ("plain", "corrected") for kind in ("", "_bias", "_worst")}
    for street in range(3):
        shape = SITUATIONS + UNSEEN
        powers, shares, noise = np.empty((shape, STORED + 1)), np.empty((shape, 9)), np.empty((shape, 9))
        key = key_of(1, "odds fit", street)
        draw_situations(win_odds_store.load(), key, street + 3, DEALS, powers, shares, noise)
        seen, unseen = slice(0, SITUATIONS), slice(SITUATIONS, shape)
        for n in range(1, MAX_OPPONENTS + 1):
            weights[street, n] = np.linalg.lstsq(powers[seen], shares[seen, n - 1], rcond=None)[0]
            if n == 1:
                weights[street, n] = np.eye(STORED + 1)[0]  # already exact
            for name, row in (("plain", POWER_WEIGHTS), ("corrected", weights)):
                ours = np.clip(powers[unseen] @ row[street, n], 0, 1)
                off = ours - shares[unseen, n - 1]
                errors[name][street, n] = np.sqrt(max(np.mean(off**2 - noise[unseen, n - 1]), 0.0))
                errors[name + "_bias"][street, n] = off.mean()
                errors[name + "_worst"][street, n] = _worst(key, street + 3, n, ours, off)
    return {"weights": weights, **errors}


def _worst(key: int, shown: int, n: int, ours: Floats, off: Floats) -> float:
    """Return the largest error outside the fitted situations, with its sign. The worst candidates get more deals."""
    errors = []
    for index in np.argsort(-np.abs(off))[:CANDIDATES]:
        stream = np.array([child(key, SITUATIONS + int(index)), 0])
        cards = np.arange(52)
        shuffle_first(stream, cards, shown + 2)
        tallies = np.zeros((4, MAX_OPPONENTS))
        deal_many(stream, cards[: shown + 2], 20 * DEALS, tallies)
        errors.append(float(ours[index] - tallies[SHARES, n - 1] / (20 * DEALS)))
    return max(errors, key=abs)


def _write(name: str, arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Write a table, and print its checksum."""
    path = Path(tables.__file__).with_name(name)
    np.savez_compressed(path, allow_pickle=False, **arrays)
    print(f'wrote {path}: "{name}": "{hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()}"')


def main() -> None:
    """Build the named table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("ranks", "preflop", "correction"))
    table = parser.parse_args().table
    if table == "ranks":
        _write("rank_tables.npz", {**build_ranks()})
    elif table == "preflop":
        odds = build_preflop()
        _write("preflop.npz", odds._asdict())
        print(f"standard errors up to {odds.error.max():.6f}")
    else:
        result = fit_correction()
        _write("win_odds_fit.npz", {"weights": result["weights"]})
        for kind, word in (("", "rms"), ("_bias", "bias"), ("_worst", "worst")):
            for street, name in enumerate(("flop", "turn", "river")):
                for label in ("plain", "corrected"):
                    errors = (f"{error:+.4f}" for error in result[label + kind][street, 2:])
                    print(f"{name:<6}{label:<10}{word:<6}", *errors)


if __name__ == "__main__":
    main()
