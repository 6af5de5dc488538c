"""Numbers that players compute from a view's row, in kernels."""

import numpy as np

from cardwin.cards.holdings import CLASS_OF_HOLDING
from cardwin.cards.preflop import preflop
from cardwin.cards.ranks import BITS
from cardwin.cards.win_odds import corrected_odds, win_odds
from cardwin.core.arrays import Ints, Words
from cardwin.core.kernel import kernel
from cardwin.games.holdem import view as at
from cardwin.games.holdem.table import ACTIVE, BOARD

_PREFLOP = np.ascontiguousarray(preflop().equity)


@kernel
def pot_of(row: Ints) -> int:
    """Return all chips put in so far."""
    pot = row[at.DEAD]
    for seat in range(row[at.SEAT_COUNT]):
        pot += row[at.CONTRIBUTED + seat]
    return int(pot)


@kernel
def opponents_of(row: Ints) -> int:
    """Return the number of opponents still in the hand."""
    others = -1
    for seat in range(row[at.SEAT_COUNT]):
        others += row[at.STATUSES + seat] == ACTIVE
    return others


@kernel
def legal_bet(row: Ints, total: float) -> int:
    """Return the nearest legal total bet of this street, in whole chips; 0 if the actor may not bet or raise."""
    return int(min(max(total, row[at.MIN_RAISE_TO]), row[at.MAX_RAISE_TO]))


@kernel
def equity(row: Ints, odds: Words) -> float:
    """Return the seat's expected share of the pot at a showdown against all opponents, with random cards each.

    Exact against one opponent; against several an approximation with an error below .01
    (`cards.win_odds`). Flushes count, so it is not for `holdem-simple`. Without the table of win odds (see
    `compiled_player`) it is computed directly, which takes milliseconds.
    """
    a, b, opponents, shown = row[at.HOLE], row[at.HOLE + 1], opponents_of(row), row[at.BOARD_SIZE]
    if shown == 0:
        high, low = max(a, b), min(a, b)
        return float(_PREFLOP[CLASS_OF_HOLDING[high * (high - 1) // 2 + low], opponents - 1])
    bits = 0
    for index in range(shown):
        bits |= BITS[row[at.BOARD_AT + index]]
    if opponents == 1:
        return float(win_odds(odds, bits, shown, a, b))
    return float(corrected_odds(odds, bits, shown, a, b, opponents))


def load_kernels(odds: Words) -> None:
    """Load these kernels for calls from Python."""
    row = np.zeros(at.VIEW_SIZE, np.int64)
    row[at.SEAT_COUNT], row[at.STATUSES : at.STATUSES + 2], row[at.BOARD_SIZE] = 2, ACTIVE, BOARD
    row[at.HOLE : at.HOLE + 2 + BOARD] = range(2 + BOARD)
    legal_bet(row, equity(row, odds) * pot_of(row))
