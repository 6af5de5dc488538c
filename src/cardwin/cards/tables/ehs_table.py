"""Hand strength and potential against any two cards (Papp 1998), cached by board.

Under suit symmetry there are 1,755 flops and 16,432 turn boards. On the first query of a board all its holdings
are computed at once by the kernels that Loki's opponent model uses (`all_combos`) and stored in steps of 1/250: three
milliseconds a board, and a look-up afterwards. Rivers are not stored, because strength is a single count there.
`save_ehs_table` writes the boards computed so far into the user's cache, atomically, for later processes.

- Before the flop, strength is the share of holdings with a lower income rate against one opponent, ties counting half.
  This is a percentile, like strength against any two cards on later streets.
- Potential looks one card ahead; it is 0 before the flop and on the river.
"""

import os
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.cards.all_combos import potentials, rank_holdings, strengths
from cardwin.cards.boards import BOARD_COUNTS, SUIT_MAPS, Ints, Words, board_bits, board_index, board_row, canonical
from cardwin.cards.hand_strength import hand_strength
from cardwin.cards.holdings import HOLDINGS, Weights
from cardwin.cards.income import holding_incomes
from cardwin.core.cache import cache_folder
from cardwin.core.kernel import kernel

Bytes = npt.NDArray[np.uint8]
STEPS = 250  # so that thresholds such as .2 and .36 are exact
_TURNS = BOARD_COUNTS[3]  # the row at which turn boards begin, after the flops
_RANK_BITS = 13


class EHSTable(NamedTuple):
    """The table. numbers: of boards, for `board_row`. before (1326,): strengths before the flop.

    later (boards, 1327, 2): strength and potential in steps; the last entry of a board is 1 once it is
    computed. any_two (1326,): the uniform weights of all combos.
    """

    numbers: Words
    before: Weights
    later: Bytes
    any_two: Weights


@cache
def ehs_table() -> EHSTable:
    """The table of this process; memory pages of boards that are never queried are not touched."""
    rates = holding_incomes(2)
    order = np.sort(rates)
    below, not_above = np.searchsorted(order, rates, "left"), np.searchsorted(order, rates, "right")
    return EHSTable(board_index(), (below + not_above) / (2 * HOLDINGS), _saved(), np.ones(HOLDINGS))


def _file() -> Path:
    return cache_folder() / "strengths-1.npy"


def _saved() -> Bytes:
    """The boards that an earlier process saved, or an empty table."""
    shape = (BOARD_COUNTS[3] + BOARD_COUNTS[4], HOLDINGS + 1, 2)
    try:
        found: Bytes = np.asarray(np.load(_file(), mmap_mode="c", allow_pickle=False))  # copy on write
    except (OSError, ValueError, EOFError):
        return np.zeros(shape, np.uint8)
    return found if found.shape == shape and found.dtype == np.uint8 else np.zeros(shape, np.uint8)


def save_ehs_table(least: int = 500) -> None:
    """Save the computed boards for later processes, if they are at least `least` more than the file has."""
    later = ehs_table().later
    if int(later[:, HOLDINGS, 0].sum()) < int(_saved()[:, HOLDINGS, 0].sum()) + least:
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
def work_out(kept: EHSTable, row: int, key: int, shown: int) -> None:
    """Compute all holdings of a canonical board."""
    board, found = np.empty(shown, np.int64), 0
    for card in range(4 * _RANK_BITS):
        if (key >> (_RANK_BITS * (3 - card % 4) + card // 4)) & 1:
            board[found] = card
            found += 1
    ranks, order = np.zeros(HOLDINGS, np.int16), np.zeros(HOLDINGS, np.int16)
    count = rank_holdings(board, False, ranks, order)
    now = strengths(ranks, order, count, kept.any_two)
    later = potentials(board, False, kept.any_two, 1)
    for holding in range(HOLDINGS):
        kept.later[row, holding, 0] = int(now[holding] * STEPS + 0.5)
        kept.later[row, holding, 1] = int(later[0, holding] * STEPS + 0.5)
    kept.later[row, HOLDINGS, 0] = 1


@kernel
def strength_and_potential(kept: EHSTable, a: int, b: int, board: Ints) -> tuple[float, float]:
    """Strength and potential of cards a and b on a board (0 or 3..5,)."""
    shown, high, low = len(board), max(a, b), min(a, b)
    holding = high * (high - 1) // 2 + low
    if shown == 0:
        return float(kept.before[holding]), 0.0
    if shown == 5:
        return hand_strength(a, b, board, kept.any_two), 0.0
    key, exchange = canonical(board_bits(board))
    row = board_row(kept.numbers, key) + (_TURNS if shown == 4 else 0)
    if kept.later[row, HOLDINGS, 0] == 0:
        work_out(kept, row, key, shown)
    place = SUIT_MAPS[exchange, holding]
    return kept.later[row, place, 0] / STEPS, kept.later[row, place, 1] / STEPS
