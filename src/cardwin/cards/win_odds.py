"""Win odds of every holding on every board against one opponent, exact, and their shares against several.

On a river board a holding's odds are (2 wins + ties) / 1980 over the 990 holdings that the opponent may have. Earlier
streets are means over the cards to come: turn sums over 46 rivers, flop sums over 1,081 runouts, all as whole numbers.

**The power-mean approximation.** Let w and t be the chances to beat and to tie one opponent. Against n who are dealt
independently, the share of the pot is the mean of x to the n-th over x from w to w + t: who ties with k others gets one
part in k + 1. That is taken on the river, and its mean over the runouts before. It is only an approximation, because
opponents share a deck. We keep the shares for n in KEPT_POWERS; those of every other n up to nine are nearly a sum of
them (off by at most .0007, whatever the board). `power_odds` is that mean; `corrected_odds` puts weights on the kept
shares that were fitted to simulated deals instead.

In kernels: `win_odds(odds, bits, shown, a, b)`, where odds is what `odds_store.load()` gave, bits is
`board_bits(board)` or the union of `ranks.BITS` kept as cards come, and shown is how many those are; `power_odds` and
`corrected_odds` also take the number of opponents. From Python, `win_odds_of` answers many questions at once.

Rows are canonical boards (`boards`), columns holdings; a holding that touches the board has 0. The whole table is one
array of words, so that kernels can hand it on at no cost; with `NO_TABLE` in its place they compute what they need.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.cards.boards import BOARD_COUNTS, INDEX_SIZE, board_row, canonical
from cardwin.cards.deals import MOST_OPPONENTS
from cardwin.cards.equity import next_choice
from cardwin.cards.holdings import HOLDINGS
from cardwin.cards.ranks import BITS, CODES, START, rank_of_seven
from cardwin.cards.tables.shipped import load_shipped
from cardwin.core.kernel import borrowing, kernel

Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int16]
Words = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

RIVER_WAYS = 1980  # twice the opponent's 990 holdings
TURN_WAYS = 46 * RIVER_WAYS
FLOP_WAYS = 1081 * RIVER_WAYS
KEPT_POWERS = (1, 2, 3, 6, 9)
KEPT = len(KEPT_POWERS)
# A river number has 2 wins + ties in its lower bits, and the ties to the nearest multiple of 32 above.
WAYS_BITS = 11
WAYS = (1 << WAYS_BITS) - 1
TIES_STEP = 32
_BLOCK = 256
MEAN_ONE = 32767  # a mean of 1 in the tables of powers


def _power_weights() -> Floats:
    """Weights (3, 10, 6), the same for each street, that make the n-th power of a number in [0, 1] from the kept ones.

    By least squares; the sixth weight, that of a constant, is 0.
    """
    points = (1 - np.cos(np.linspace(0, np.pi, 2001))) / 2
    kept = np.stack([points**power for power in KEPT_POWERS], axis=1)
    wanted = np.stack([points**n for n in range(1, MOST_OPPONENTS + 1)], axis=1)
    weights = np.zeros((3, MOST_OPPONENTS + 1, KEPT + 1))
    weights[:, 1:, :KEPT] = np.linalg.lstsq(kept, wanted, rcond=None)[0].T
    return weights


POWER_WEIGHTS = _power_weights()
CORRECTIONS: Floats = load_shipped("win_odds_fit.npz")["weights"]  # (3, 10, 6), made by `win_odds_fit`
_KEPT = np.array(KEPT_POWERS)


class Section(NamedTuple):
    """A part of the table: a kind of number and a shape, from a word of the table on."""

    dtype: type[np.int16] | type[np.int32]
    shape: tuple[int, ...]
    start: int

    @property
    def words(self) -> int:
        """Its length in words of four bytes."""
        return int(np.prod(self.shape)) * np.dtype(self.dtype).itemsize // 4


def _sections() -> dict[str, Section]:
    sections: dict[str, Section] = {}
    flops, turns, rivers = BOARD_COUNTS.values()
    parts: tuple[tuple[str, type[np.int16] | type[np.int32], tuple[int, ...]], ...] = (
        ("index", np.int32, (INDEX_SIZE,)),  # `boards.board_index`
        ("river", np.int16, (rivers, HOLDINGS)),  # `river_code`
        ("turn", np.int32, (turns, HOLDINGS)),  # the sum over rivers
        ("turn_powers", np.int16, (turns, HOLDINGS, 4)),  # means of the higher kept shares
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
    """A part of the table in its own kind of number and shape."""
    part = SECTIONS[name]
    return odds[part.start : part.start + part.words].view(part.dtype).reshape(part.shape)


@kernel
def river_code(wins: int, ties: int) -> int:
    """What the table keeps of a holding's wins and ties, 16 bits: both in one, and the ties roughly."""
    return 2 * wins + ties + (((ties + TIES_STEP // 2) // TIES_STEP) << WAYS_BITS)


@borrowing
def river_shares(code: int, shares: Floats) -> None:
    """The shares of the pot (5,) against KEPT_POWERS opponents who are dealt independently."""
    ways = code & WAYS
    ties = min(TIES_STEP * (code >> WAYS_BITS), ways, RIVER_WAYS - ways)
    worst, best = (ways - ties) / RIVER_WAYS, (ways + ties) / RIVER_WAYS
    shares[0] = ways / RIVER_WAYS
    # The sum of best^i worst^(n-i) over i, which is n + 1 times the mean of the n-th power between them.
    total, power, kept = 1.0, 1.0, 0
    for n in range(1, MOST_OPPONENTS + 1):
        power *= worst
        total = best * total + power
        if n == _KEPT[kept]:
            if n > 1:
                shares[kept] = total / (n + 1)
            kept += 1


@kernel
def direct_powers(bits: int, shown: int, a: int, b: int) -> Floats:
    """The means of the kept shares (5,) without any table: all runouts against all holdings of the opponent."""
    board_sum, live = START, 0
    deck = np.empty(52, dtype=np.int64)
    for card in range(52):
        if bits & BITS[card]:
            board_sum += CODES[card]
        elif card not in (a, b):
            deck[live] = card
            live += 1
    powers, shares = np.zeros(KEPT), np.empty(KEPT)
    places = np.arange(5 - shown)
    runouts = 0
    while True:
        runout_sum, runout_bits = board_sum, bits
        for place in places:
            runout_sum, runout_bits = runout_sum + CODES[deck[place]], runout_bits | BITS[deck[place]]
        river_shares(_direct_river(deck[:live], runout_sum, runout_bits, a, b), shares)
        powers += shares
        runouts += 1
        if shown == 5 or not next_choice(places, 5 - shown, live):
            return powers / runouts


@kernel
def _direct_river(deck: Ints, board_sum: int, bits: int, a: int, b: int) -> int:
    """The river code against all holdings left in the deck once the board is taken out."""
    ours = rank_of_seven(board_sum + CODES[a] + CODES[b], bits | BITS[a] | BITS[b])
    wins, ties = 0, 0
    for i in range(len(deck)):
        if bits & BITS[deck[i]]:
            continue
        one_sum, one_bits = board_sum + CODES[deck[i]], bits | BITS[deck[i]]
        for j in range(i):
            if bits & BITS[deck[j]] == 0:
                theirs = rank_of_seven(one_sum + CODES[deck[j]], one_bits | BITS[deck[j]])
                wins += theirs > ours
                ties += theirs == ours
    return river_code(wins, ties)


@borrowing
def locate_board(odds: Words, bits: int) -> tuple[int, int]:
    """A board's row in its street's section, and the exchange of suits that leads there; the index opens the table."""
    key, exchange = canonical(bits)
    return board_row(odds, key), exchange


@borrowing
def number_of(row: int, exchange: int, a: int, b: int) -> int:
    """The number of a holding on a board that was located; its suits are exchanged here, which no cache can miss."""
    a = (a & ~3) | ((exchange >> (2 * (a & 3))) & 3)
    b = (b & ~3) | ((exchange >> (2 * (b & 3))) & 3)
    high, low = max(a, b), min(a, b)
    return int(row * HOLDINGS + high * (high - 1) // 2 + low)


@borrowing
def _locate(odds: Words, bits: int, a: int, b: int) -> int:
    """The number of a board and a holding in their street's section."""
    row, exchange = locate_board(odds, bits)
    return number_of(row, exchange, a, b)


@borrowing
def _short(odds: Words, start: int, number: int) -> int:
    """A half word of a section: two of them, never negative, stand in each word, the lower one first."""
    return int((odds[start + (number >> 1)] >> (16 * (number & 1))) & 0xFFFF)


@kernel
def _odds_at(odds: Words, shown: int, number: int) -> float:
    """The odds at a number that `_locate` found."""
    if shown == 5:
        return (_short(odds, _RIVER, number) & WAYS) / RIVER_WAYS
    if shown == 4:
        return float(odds[_TURN + number] / TURN_WAYS)
    return float(odds[_FLOP + number] / FLOP_WAYS)


@kernel
def win_odds(odds: Words, bits: int, shown: int, a: int, b: int) -> float:
    """The exact odds of cards a and b against one opponent, ties counting half, with 3, 4 or 5 cards shown."""
    if len(odds) == 0:
        return float(direct_powers(bits, shown, a, b)[0])
    return _odds_at(odds, shown, _locate(odds, bits, a, b))


@kernel
def kept_powers(odds: Words, bits: int, shown: int, a: int, b: int, powers: Floats) -> None:
    """Fill in the means of the kept shares on the river."""
    if len(odds) == 0:
        powers[:KEPT] = direct_powers(bits, shown, a, b)
        return
    powers_at(odds, shown, _locate(odds, bits, a, b), powers)


@borrowing
def powers_at(odds: Words, shown: int, number: int, powers: Floats) -> None:
    """Fill in the means of the kept shares (5,) at a number of the street's section."""
    if shown == 5:
        river_shares(_short(odds, _RIVER, number), powers)
        return
    powers[0] = odds[_TURN + number] / TURN_WAYS if shown == 4 else odds[_FLOP + number] / FLOP_WAYS
    start = _TURN_POWERS if shown == 4 else _FLOP_POWERS
    for k in range(KEPT - 1):
        powers[k + 1] = _short(odds, start, 4 * number + k) / MEAN_ONE


@borrowing
def weighed(powers: Floats, weights: Floats) -> float:
    """The sum of the kept shares (5,) with weights, the last of which (6,) is a constant, between 0 and 1."""
    value = float(weights[KEPT])
    for k in range(KEPT):
        value += weights[k] * powers[k]
    return min(max(value, 0.0), 1.0)


@kernel
def _weigh(odds: Words, bits: int, shown: int, a: int, b: int, weights: Floats) -> float:
    """The weighted sum of the kept shares and a constant (6,), between 0 and 1."""
    powers = np.empty(KEPT)
    kept_powers(odds, bits, shown, a, b, powers)
    return weighed(powers, weights)


@kernel
def power_odds(odds: Words, bits: int, shown: int, a: int, b: int, opponents: int) -> float:
    """The power-mean approximation of the odds against 1 to 9 opponents."""
    return _weigh(odds, bits, shown, a, b, POWER_WEIGHTS[shown - 3, opponents])


@kernel
def corrected_odds(odds: Words, bits: int, shown: int, a: int, b: int, opponents: int) -> float:
    """The power-mean approximation with the correction that was fitted to simulated deals (`win_odds_fit`)."""
    return _weigh(odds, bits, shown, a, b, CORRECTIONS[shown - 3, opponents])


@kernel
def win_odds_of(odds: Words, boards: Ints, holdings: Ints, out: Floats) -> None:
    """The exact odds (n,) of holdings (n, 2) on boards (n, 3..5), one opponent each.

    With a table, in two passes a block: the many waits for memory of the second one then overlap.
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
    """A plain view that cannot be written: kernels then see one kind of array, be it empty, memory or a file."""
    view = odds.view(np.ndarray)
    view.flags.writeable = False
    return view


# The table before it is built: look-ups compute instead, with the same answers.
NO_TABLE = read_only(np.empty(0, dtype=np.int32))
