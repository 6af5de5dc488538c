"""Win odds of every holding on every board against one opponent, exact, and their shares against several.

On a river board a holding's odds are (2 wins + ties) / 1980 over the 990 holdings of the opponent. Earlier
streets are means over the cards to come: turn sums over 46 rivers, flop sums over 1,081 runouts, all as whole numbers.

**The power-mean approximation.** Let w and t be the chances to beat and to tie one opponent. Against n who are dealt
independently, the share of the pot is the mean of x to the n-th over x from w to w + t: a tie with k others gives one
part in k + 1. Earlier streets average this over the runouts. It is only an approximation, because
opponents share a deck. The table stores the shares for n in STORED_POWERS; the others up to nine are nearly a
weighted sum of them (error at most .0007 on any board). `power_odds` is that mean; `corrected_odds` uses weights on the
stored shares that were fitted to simulated deals.

In kernels: `win_odds(odds, bits, shown, a, b)`, where odds is the result of `win_odds_store.load()`, bits is
`board_bits(board)` or the union of `ranks.BITS` updated as cards come, and shown is their number; `power_odds` and
`corrected_odds` also take the number of opponents. From Python, `win_odds_of` answers many questions at once.

Rows are canonical boards (`boards`), columns holdings; impossible holdings have 0. The whole table is one
array of words, which kernels receive at no cost; with `NO_TABLE` in its place they compute the odds directly.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.cards.boards import BOARD_COUNTS, INDEX_SIZE, board_row, canonical
from cardwin.cards.deals import MAX_OPPONENTS, first_combination, next_combination
from cardwin.cards.holdings import HOLDINGS
from cardwin.cards.ranks import BITS, CODES, START, rank_of_seven
from cardwin.cards.tables import load_shipped
from cardwin.core.arrays import Floats, Ints, Words
from cardwin.core.intrinsics import prefetch
from cardwin.core.kernel import kernel

RIVER_WAYS = 1980  # twice the opponent's 990 holdings
TURN_WAYS = 46 * RIVER_WAYS
FLOP_WAYS = 1081 * RIVER_WAYS
STORED_POWERS = (1, 2, 3, 6, 9)
STORED = len(STORED_POWERS)
# A river code has 2 wins + ties in its lower bits, and above them the ties rounded to a multiple of 32.
WAYS_BITS = 11
WAYS = (1 << WAYS_BITS) - 1
TIES_STEP = 32
_BLOCK = 256
MEAN_SCALE = 32767  # represents a mean of 1 in the tables of powers


def _power_weights() -> Floats:
    """Return the weights (3, 10, 6) of the stored powers of x in [0, 1] that approximate the n-th, by least squares.

    They are the same for each street. The sixth weight, that of a constant, is 0.
    """
    points = (1 - np.cos(np.linspace(0, np.pi, 2001))) / 2
    stored = np.stack([points**power for power in STORED_POWERS], axis=1)
    powers = np.stack([points**n for n in range(1, MAX_OPPONENTS + 1)], axis=1)
    weights = np.zeros((3, MAX_OPPONENTS + 1, STORED + 1))
    weights[:, 1:, :STORED] = np.linalg.lstsq(stored, powers, rcond=None)[0].T
    return weights


POWER_WEIGHTS = _power_weights()
CORRECTIONS: Floats = load_shipped("win_odds_fit.npz")["weights"]  # (3, 10, 6)
_STORED_POWERS = np.array(STORED_POWERS)


class Section(NamedTuple):
    """A part of the table: its data type, its shape and its first word."""

    dtype: type[np.int16] | type[np.int32]
    shape: tuple[int, ...]
    start: int

    @property
    def words(self) -> int:
        """The length in words of four bytes."""
        return int(np.prod(self.shape)) * np.dtype(self.dtype).itemsize // 4


def _sections() -> dict[str, Section]:
    sections: dict[str, Section] = {}
    flops, turns, rivers = BOARD_COUNTS.values()
    parts: tuple[tuple[str, type[np.int16] | type[np.int32], tuple[int, ...]], ...] = (
        ("index", np.int32, (INDEX_SIZE,)),  # `boards.board_index`
        ("river", np.int16, (rivers, HOLDINGS)),  # `river_code`
        ("turn", np.int32, (turns, HOLDINGS)),  # the sum over rivers
        ("turn_powers", np.int16, (turns, HOLDINGS, 4)),  # means of the higher stored shares
        ("flop", np.int32, (flops, HOLDINGS)),  # the sum over runouts
        ("flop_powers", np.int16, (flops, HOLDINGS, 4)),
    )
    start = 0
    for name, dtype, shape in parts:
        sections[name] = Section(dtype, shape, start)
        start += sections[name].words
    return sections


SECTIONS = _sections()
TABLE_WORDS = sum(section.words for section in SECTIONS.values())
_RIVER, _TURN, _FLOP = (SECTIONS[name].start for name in ("river", "turn", "flop"))
_TURN_POWERS, _FLOP_POWERS = SECTIONS["turn_powers"].start, SECTIONS["flop_powers"].start


def section(odds: Words, name: str) -> npt.NDArray[Any]:
    """Return a part of the table with its data type and shape."""
    part = SECTIONS[name]
    return odds[part.start : part.start + part.words].view(part.dtype).reshape(part.shape)


@kernel
def river_code(wins: int, ties: int) -> int:
    """Return a holding's wins and ties as the table stores them, in 16 bits: their sum, and the rounded ties."""
    return 2 * wins + ties + (((ties + TIES_STEP // 2) // TIES_STEP) << WAYS_BITS)


@kernel(refcount=False)
def river_shares(code: int, shares: Floats) -> None:
    """Fill in the shares of the pot (5,) against STORED_POWERS opponents who are dealt independently."""
    ways = code & WAYS
    ties = min(TIES_STEP * (code >> WAYS_BITS), ways, RIVER_WAYS - ways)
    worst, best = (ways - ties) / RIVER_WAYS, (ways + ties) / RIVER_WAYS
    shares[0] = ways / RIVER_WAYS
    # The sum of best^i worst^(n-i) over i, which is n + 1 times the mean of the n-th power between them.
    total, power, index = 1.0, 1.0, 0
    for n in range(1, MAX_OPPONENTS + 1):
        power *= worst
        total = best * total + power
        if n == _STORED_POWERS[index]:
            if n > 1:
                shares[index] = total / (n + 1)
            index += 1


@kernel
def direct_powers(bits: int, shown: int, a: int, b: int) -> Floats:
    """Return the means of the stored shares (5,) without any table: all runouts against all holdings of the opponent.

    They are rounded as in the table, the turn's first and then the flop's, so that both give the same numbers.
    """
    board_sum, live = START, 0
    deck = np.empty(52, dtype=np.int64)
    for card in range(52):
        if bits & BITS[card]:
            board_sum += CODES[card]
        elif card not in (a, b):
            deck[live] = card
            live += 1
    powers, shares, sums = np.empty(STORED), np.empty(STORED), np.zeros((live, STORED))
    combination = first_combination(5 - shown)
    ways, runouts = 0, 0
    while True:
        runout_sum, runout_bits = board_sum, bits
        for index in combination:
            runout_sum, runout_bits = runout_sum + CODES[deck[index]], runout_bits | BITS[deck[index]]
        code = _direct_river(deck[:live], runout_sum, runout_bits, a, b)
        river_shares(code, shares)
        if shown == 5:
            return shares
        ways += code & WAYS
        runouts += 1
        for index in combination:  # either card may come first
            for k in range(STORED):
                sums[index if shown == 3 else 0, k] += shares[k]
        if not next_combination(combination, 5 - shown, live):
            break
    powers[0] = ways / (runouts * RIVER_WAYS)
    turns = live if shown == 3 else 1
    for k in range(1, STORED):
        total = 0
        for turn in range(turns):
            total += int(sums[turn, k] / 46 * MEAN_SCALE + 0.5)
        powers[k] = int(total / turns + 0.5) / MEAN_SCALE
    return powers


@kernel
def _direct_river(deck: Ints, board_sum: int, bits: int, a: int, b: int) -> int:
    """Return the river code against all holdings left in the deck without the board."""
    ours = rank_of_seven(board_sum + CODES[a] + CODES[b], bits | BITS[a] | BITS[b])
    wins, ties = 0, 0
    for i in range(len(deck)):
        if bits & BITS[deck[i]]:
            continue
        partial_sum, partial_bits = board_sum + CODES[deck[i]], bits | BITS[deck[i]]
        for j in range(i):
            if bits & BITS[deck[j]] == 0:
                theirs = rank_of_seven(partial_sum + CODES[deck[j]], partial_bits | BITS[deck[j]])
                wins += theirs > ours
                ties += theirs == ours
    return river_code(wins, ties)


@kernel(refcount=False)
def locate_board(odds: Words, bits: int) -> tuple[int, int]:
    """Return a board's row in its street's section, and the suit permutation to it; the table starts with the index."""
    key, permutation = canonical(bits)
    return board_row(odds, key), permutation


@kernel(refcount=False)
def entry_index(row: int, permutation: int, a: int, b: int) -> int:
    """Return the index of a holding on a located board. The suits are permuted in registers, without a table."""
    a = (a & ~3) | ((permutation >> (2 * (a & 3))) & 3)
    b = (b & ~3) | ((permutation >> (2 * (b & 3))) & 3)
    high, low = max(a, b), min(a, b)
    return int(row * HOLDINGS + high * (high - 1) // 2 + low)


@kernel(refcount=False)
def _locate(odds: Words, bits: int, a: int, b: int) -> int:
    """Return the index of a board and a holding in their street's section."""
    row, permutation = locate_board(odds, bits)
    return entry_index(row, permutation, a, b)


@kernel(refcount=False)
def _short(odds: Words, start: int, number: int) -> int:
    """Return a half word of a section: each word holds two, both non-negative, the lower one first."""
    return int((odds[start + (number >> 1)] >> (16 * (number & 1))) & 0xFFFF)


@kernel
def _odds_at(odds: Words, shown: int, number: int) -> float:
    """Return the odds at an index of `_locate`."""
    if shown == 5:
        return (_short(odds, _RIVER, number) & WAYS) / RIVER_WAYS
    if shown == 4:
        return float(odds[_TURN + number] / TURN_WAYS)
    return float(odds[_FLOP + number] / FLOP_WAYS)


@kernel
def win_odds(odds: Words, bits: int, shown: int, a: int, b: int) -> float:
    """Return the exact odds of cards a and b against one opponent, ties counting half, with 3, 4 or 5 cards shown."""
    if len(odds) == 0:
        return float(direct_powers(bits, shown, a, b)[0])
    return _odds_at(odds, shown, _locate(odds, bits, a, b))


@kernel
def stored_powers(odds: Words, bits: int, shown: int, a: int, b: int, powers: Floats) -> None:
    """Fill in the means of the stored shares on the river."""
    if len(odds) == 0:
        computed = direct_powers(bits, shown, a, b)
        for k in range(STORED):  # numba takes seconds to compile an assignment to a slice
            powers[k] = computed[k]
        return
    powers_at(odds, shown, _locate(odds, bits, a, b), powers)


@kernel(refcount=False)
def powers_at(odds: Words, shown: int, number: int, powers: Floats) -> None:
    """Fill in the means of the stored shares (5,) at an index of the street's section."""
    if shown == 5:
        river_shares(_short(odds, _RIVER, number), powers)
        return
    powers[0] = odds[_TURN + number] / TURN_WAYS if shown == 4 else odds[_FLOP + number] / FLOP_WAYS
    start = _TURN_POWERS if shown == 4 else _FLOP_POWERS
    for k in range(STORED - 1):
        powers[k + 1] = _short(odds, start, 4 * number + k) / MEAN_SCALE


@kernel(refcount=False)
def prefetch_powers(odds: Words, shown: int, number: int) -> None:
    """Prefetch what `powers_at` reads."""
    if shown == 5:
        prefetch(odds, _RIVER + (number >> 1))
    else:
        prefetch(odds, (_TURN if shown == 4 else _FLOP) + number)
        prefetch(odds, (_TURN_POWERS if shown == 4 else _FLOP_POWERS) + 2 * number)


@kernel(refcount=False)
def weighted_sum(powers: Floats, weights: Floats) -> float:
    """Return the weighted sum of the stored shares (5,) and a constant (the last weight of 6), clipped to 0..1."""
    value = float(weights[STORED])
    for k in range(STORED):
        value += weights[k] * powers[k]
    return min(max(value, 0.0), 1.0)


@kernel
def _weighted_odds(odds: Words, bits: int, shown: int, a: int, b: int, weights: Floats) -> float:
    """Return the weighted sum of the stored shares and a constant (6,), clipped to 0..1."""
    powers = np.empty(STORED)
    stored_powers(odds, bits, shown, a, b, powers)
    return weighted_sum(powers, weights)


@kernel
def power_odds(odds: Words, bits: int, shown: int, a: int, b: int, opponents: int) -> float:
    """Return the power-mean approximation of the odds against 1 to 9 opponents."""
    return _weighted_odds(odds, bits, shown, a, b, POWER_WEIGHTS[shown - 3, opponents])


@kernel
def corrected_odds(odds: Words, bits: int, shown: int, a: int, b: int, opponents: int) -> float:
    """Return the power-mean approximation with the correction that was fitted to simulated deals."""
    return _weighted_odds(odds, bits, shown, a, b, CORRECTIONS[shown - 3, opponents])


@kernel
def win_odds_of(odds: Words, boards: Ints, holdings: Ints, out: Floats) -> None:
    """Fill in the exact odds (n,) of holdings (n, 2) on boards (n, 3..5), one opponent each.

    With a table, each block takes two passes, so that the memory accesses of the second one overlap.
    """
    shown = boards.shape[1]
    numbers = np.empty(_BLOCK, dtype=np.int64)
    for start in range(0, len(boards), _BLOCK):
        end = min(start + _BLOCK, len(boards))
        for i in range(start, end):
            bits = 0
            for j in range(shown):
                bits |= BITS[boards[i, j]]
            if len(odds) == 0:
                out[i] = win_odds(odds, bits, shown, holdings[i, 0], holdings[i, 1])
            else:
                numbers[i - start] = _locate(odds, bits, holdings[i, 0], holdings[i, 1])
        if len(odds):
            for i in range(start, end):
                out[i] = _odds_at(odds, shown, numbers[i - start])


def read_only(odds: Words) -> Words:
    """Return a plain read-only view, so that kernels see one array type, whether it is empty, in memory or a file."""
    view = odds.view(np.ndarray)
    view.flags.writeable = False
    return view


# The table before it is built: kernels compute directly, with the same results.
NO_TABLE = read_only(np.empty(0, dtype=np.int32))
