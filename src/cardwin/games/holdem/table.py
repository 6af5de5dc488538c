"""One record per table: the complete state of a hold'em hand, in whole numbers.

Every field is int64, so that compiled and uncompiled code agree. The first fields are the variant (no-limit, limit and
simple hold'em differ in nothing else), the others are the current hand.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cardwin.core.kernel import COMPILED

SEATS, STREETS, BOARD = 10, 4, 5
EMPTY, FOLDED, ACTIVE = 0, 1, 2
UNBOUNDED = 1_000_000
UNKNOWN = -1  # a card that a history does not record; only the known cards count
MUCKED = -2  # a card mucked unseen: it cannot win
MAX_CHIPS = 10**10  # sums stay far below the int64 limit
LINE = 32  # actions of a hand that are recorded, a power of 2; later ones overwrite the first

TABLE = np.dtype(
    [
        ("seats", np.int64),
        ("limit", np.int64),  # 1: bets and raises have one size
        ("suitless", np.int64),  # 1: flushes do not count
        ("dead_antes", np.int64),  # 1: whole antes belong to the main pot, 0: they are layered like bets
        ("streets", np.int64),
        ("board_size", np.int64, (STREETS,)),  # cards on the board, by street
        ("bet_size", np.int64, (STREETS,)),  # the minimum bet and raise, by street
        ("cap", np.int64, (STREETS,)),  # bets and raises allowed, by street; a blind is not counted
        ("small_blind", np.int64),
        ("big_blind", np.int64),  # also the unit of bet sizes
        ("antes_only", np.int64),  # 1: blinds are not posted, and the big blind is only the unit
        ("ante", np.int64),
        ("button", np.int64),
        ("dead_button", np.int64),  # 1: the next fields name the blinds' seats; the button may be at an empty seat
        ("small_seat", np.int64),
        ("small_dead", np.int64),  # 1: nobody posts the small blind
        ("big_seat", np.int64),
        ("street", np.int64),
        ("actor", np.int64),
        ("live", np.int64),  # the number of seats that have not folded
        ("can_act", np.int64),  # the seats that have not folded and have chips, as bits
        ("to_act", np.int64),  # the seats that still have to act on this street, as bits
        ("current_bet", np.int64),  # the bet to match on this street
        ("min_raise", np.int64),  # the last full bet or raise
        ("raises", np.int64),  # bets and raises on this street
        ("decided", np.int64),  # the street of the last decision: cards dealt after it are chance alone
        ("dead", np.int64),  # chips in the main pot that belong to no bet
        ("status", np.int64, (SEATS,)),
        ("start", np.int64, (SEATS,)),  # stacks before the hand
        ("stack", np.int64, (SEATS,)),
        ("bet", np.int64, (SEATS,)),  # chips put in on this street
        ("dead_paid", np.int64, (SEATS,)),  # the seat's part of the dead chips
        ("contributed", np.int64, (SEATS,)),  # chips put in during the hand, without dead ones; set when pots are paid
        ("faced", np.int64, (SEATS,)),  # the bet to match when the seat last acted on this street, -1 before
        ("strength", np.int64, (SEATS,)),  # of the hands shown down, larger is better
        ("board", np.int64, (BOARD,)),  # all five cards, shown or not
        ("hole", np.int64, (2 * SEATS,)),
        ("actions", np.int64),  # in this hand so far
        ("line", np.int64, (LINE,)),  # each action of the hand, as 4 x the total bet of a raise (or 0) + the action
    ]
)

Tables: TypeAlias = npt.NDArray[np.void]
# A row of Tables: numba's record when compiled, np.record when not; no static type covers both.
Table: TypeAlias = Any


def new_tables(count: int) -> Tables:
    """Return blank tables, shape (count,). Kernels take these arrays; uncompiled, fields are attributes as well."""
    tables = np.zeros(count, TABLE)
    return tables if COMPILED else tables.view(np.recarray)
