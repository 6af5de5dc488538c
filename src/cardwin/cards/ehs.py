"""Effective hand strength (EHS): strength and potential of all holdings on a board (Papp 1998), cached by board.

Under suit symmetry there are 1,755 flops and 16,432 turn boards. There are two caches:

`ehs_table` is for kernels: strength and potential against any two cards. On the first query of a board all its holdings
are computed at once (`all_combos`) and stored: three milliseconds a board, and a look-up afterwards. Rivers are not
stored, because strength is a single count there. `save_ehs_table` writes the boards computed so far into the user's
cache, atomically, for later processes.

- Stored are three whole numbers a holding, twice the counts of which strength, PPot and NPot are quotients
  (`hand_strength`): Loki reads exact values from them, classifier systems values in steps of 1/250.
- Before the flop, strength is the share of holdings with a lower income rate against one opponent, ties counting half.
  This is a percentile, like strength against any two cards on later streets.
- Potential looks one card ahead; it is 0 before the flop and on the river.

`board_ehs` is for Python: the ranks of all holdings on recent boards.
"""

import os
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.cards.all_combos import measure_holdings, rank_holdings, strengths
from cardwin.cards.boards import BOARD_COUNTS, SUIT_MAPS, board_bits, board_index, board_row, canonical
from cardwin.cards.hand_strength import hand_strength
from cardwin.cards.holdings import HOLDINGS, Weights
from cardwin.cards.preflop import holding_incomes
from cardwin.core.arrays import Ints, Shorts, Words
from cardwin.core.files import cache_folder
from cardwin.core.kernel import kernel

Numbers = npt.NDArray[np.uint16]
STEPS = 250  # so that thresholds such as .2 and .36 are exact
_TURNS = BOARD_COUNTS[3]  # the row at which turn boards begin, after the flops
_RANK_BITS = 13


class EHSTable(NamedTuple):
    """The table of strengths and potentials.

    Attributes:
        numbers: the rows of boards, for `board_row`.
        before: strengths before the flop (1326,).
        later: (boards, 1327, 3) twice the holdings that a holding is ahead of (one for a tie), and twice the numerators
            of PPot and NPot. The last entry of a board is 1 once it is computed. The largest numerator is far below
            65,536, because no hand changes its standing with more than half of the cards to come.
        any_two: the uniform weights of all combos (1326,).

    """

    numbers: Words
    before: Weights
    later: Numbers
    any_two: Weights


@cache
def ehs_table() -> EHSTable:
    """Return the table of this process. Memory pages of boards that are never queried are not touched."""
    rates = holding_incomes(2)
    order = np.sort(rates)
    below, not_above = np.searchsorted(order, rates, "left"), np.searchsorted(order, rates, "right")
    return EHSTable(board_index(), (below + not_above) / (2 * HOLDINGS), _saved(), np.ones(HOLDINGS))


def _file() -> Path:
    return cache_folder() / "strengths-2.npy"


def _saved() -> Numbers:
    """Return the boards that an earlier process saved, or an empty table."""
    shape = (BOARD_COUNTS[3] + BOARD_COUNTS[4], HOLDINGS + 1, 3)
    try:
        saved: Numbers = np.asarray(np.load(_file(), mmap_mode="c", allow_pickle=False))  # copy on write
    except (OSError, ValueError, EOFError):
        return np.zeros(shape, np.uint16)
    return saved if saved.shape == shape and saved.dtype == np.uint16 else np.zeros(shape, np.uint16)


def save_ehs_table(min_new: int = 500) -> None:
    """Save the computed boards for later processes, if they are at least `min_new` more than the file has."""
    later = ehs_table().later
    if int(later[:, HOLDINGS, 0].sum()) < int(_saved()[:, HOLDINGS, 0].sum()) + min_new:
        return
    path = _file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
            np.save(part, later)
            part.flush()
            os.fsync(part.fileno())
        Path(part.name).replace(path)
    except OSError:
        return  # a cache that cannot be written is not an error


@kernel
def opposing_pairs(shown: int) -> int:
    """Return the number of holdings that an opponent may have, given the number of board cards."""
    return (50 - shown) * (49 - shown) // 2


@kernel
def next_cards(shown: int) -> int:
    """Return the number of next cards that neither of two holdings has."""
    return 48 - shown


@kernel
def strength_of(ahead: int, shown: int) -> float:
    """Return the strength from the stored number of a holding and the number of board cards."""
    return ahead / 2 / opposing_pairs(shown)


@kernel
def potential_from(numerator: int, from_twice: int, shown: int) -> float:
    """Return a potential from its stored numerator and twice the number of holdings of the standing it starts from."""
    return numerator / 2 / (next_cards(shown) * (from_twice / 2)) if from_twice > 0 else 0.0


@kernel(refcount=False)
def write_cards(key: int, cards: Ints) -> None:
    """Write the cards of a canonical board into cards (any,), from its key."""
    index = 0
    for card in range(4 * _RANK_BITS):
        if (key >> (_RANK_BITS * (3 - card % 4) + card // 4)) & 1:
            cards[index] = card
            index += 1


@kernel(refcount=False)
def store_board(table: EHSTable, row: int, shown: int, measured: Weights) -> None:
    """Store strength, PPot and NPot (3, 1326) of all holdings on a canonical board, 0 for impossible holdings."""
    twice, ways = 2 * opposing_pairs(shown), next_cards(shown)
    for holding in range(HOLDINGS):
        ahead = int(measured[0, holding] * twice + 0.5)
        table.later[row, holding, 0] = ahead
        table.later[row, holding, 1] = int(measured[1, holding] * ways * (twice - ahead) + 0.5)
        table.later[row, holding, 2] = int(measured[2, holding] * ways * ahead + 0.5)
    table.later[row, HOLDINGS, 0] = 1


@kernel(refcount=False)
def is_computed(table: EHSTable, row: int) -> bool:
    """Return whether a row of the table is filled in."""
    return bool(table.later[row, HOLDINGS, 0] != 0)


@kernel(refcount=False)
def locate_board(table: EHSTable, board: Ints) -> tuple[int, int, int]:
    """Return the row of a flop or a turn board (3..4,), its suit permutation, and the key of its canonical board."""
    key, permutation = canonical(board_bits(board))
    return board_row(table.numbers, key) + (_TURNS if len(board) == 4 else 0), permutation, key


@kernel
def find_board(table: EHSTable, board: Ints) -> tuple[int, int]:
    """Return the row of a flop or a turn board (3..4,), computed now if necessary, and its suit permutation."""
    row, permutation, key = locate_board(table, board)
    if not is_computed(table, row):
        cards, measured = np.empty(len(board), np.int64), np.empty((3, HOLDINGS))
        write_cards(key, cards)
        measure_holdings(cards, False, table.any_two, 1, measured)
        store_board(table, row, len(board), measured)
    return row, permutation


@kernel(refcount=False)
def evaluation_in_row(
    table: EHSTable, row: int, permutation: int, a: int, b: int, shown: int
) -> tuple[float, float, float]:
    """Return strength, PPot and NPot of cards a and b on the board of a row, one card ahead, exact."""
    high, low = max(a, b), min(a, b)
    moved = SUIT_MAPS[permutation, high * (high - 1) // 2 + low]
    ahead = int(table.later[row, moved, 0])
    gain, loss = int(table.later[row, moved, 1]), int(table.later[row, moved, 2])
    behind = 2 * opposing_pairs(shown) - ahead
    return strength_of(ahead, shown), potential_from(gain, behind, shown), potential_from(loss, ahead, shown)


@kernel
def exact_evaluation(table: EHSTable, a: int, b: int, board: Ints) -> tuple[float, float, float]:
    """Return strength, PPot and NPot of cards a and b on a flop or a turn board (3..4,), one card ahead, exact."""
    row, permutation = find_board(table, board)
    return evaluation_in_row(table, row, permutation, a, b, len(board))


@kernel(refcount=False)
def write_effective(table: EHSTable, row: int, permutation: int, shown: int, values: Weights) -> None:
    """Write EHS' = HS + (1 - HS) PPot of every holding on the board of a row into values (1326,)."""
    twice = 2 * opposing_pairs(shown)
    for holding in range(HOLDINGS):
        moved = SUIT_MAPS[permutation, holding]
        ahead = int(table.later[row, moved, 0])
        now = strength_of(ahead, shown)
        values[holding] = now + (1.0 - now) * potential_from(int(table.later[row, moved, 1]), twice - ahead, shown)


@kernel
def round_to_step(value: float) -> float:
    """Return a value rounded to steps of 1/250."""
    return int(value * STEPS + 0.5) / STEPS


@kernel
def strength_and_potential(table: EHSTable, a: int, b: int, board: Ints) -> tuple[float, float]:
    """Return strength and potential of cards a and b on a board (0 or 3..5,), in steps."""
    shown, high, low = len(board), max(a, b), min(a, b)
    if shown == 0:
        return float(table.before[high * (high - 1) // 2 + low]), 0.0
    if shown == 5:
        return hand_strength(a, b, board, table.any_two), 0.0
    strength, potential, _ = exact_evaluation(table, a, b, board)
    return round_to_step(strength), round_to_step(potential)


ANY_TWO = np.ones(HOLDINGS)  # read-only, like everything in this cache
_MAX_BOARDS = 64  # about 16 kB each


@dataclass(frozen=True, slots=True)
class BoardEHS:
    """The ranks (1326,) of all holdings on a board, the holdings (1326,) best first, and how many there are."""

    ranks: Shorts
    order: Shorts
    count: int

    def strengths(self, weights: Weights) -> Weights:
        """Return the hand strength of every holding (1326,) against a weighted range (1326,)."""
        return strengths(self.ranks, self.order, self.count, weights)


@lru_cache(maxsize=_MAX_BOARDS)
def board_ehs(board: tuple[int, ...], suitless: bool = False) -> BoardEHS:
    """Return the ranks on a board of three to five cards."""
    ranks, order = np.zeros(HOLDINGS, np.int16), np.zeros(HOLDINGS, np.int16)
    count = rank_holdings(np.array(board), suitless, ranks, order)
    return BoardEHS(ranks, order, int(count))
