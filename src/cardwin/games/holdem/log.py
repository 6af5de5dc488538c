"""What happened at a table, as rows of numbers that kernels can write.

A log is int64 of shape (rows, 5). Its first row holds the number of rows written; each further row is what, who, an
amount (chips that moved, wherever chips did), a detail, and for bets and raises the total. A log of one row stays
empty: batch tables use it.
"""

import numpy as np
import numpy.typing as npt

from cardwin.core.kernel import kernel

Log = npt.NDArray[np.int64]

ANTE, BLIND, FOLDS, CHECKS, CALLS, BETS, RAISES, RETURNED, STREET, SHOWS, WINS, ENDS = range(12)
# One action writes at most this many rows: itself, a returned bet, four streets, ten hands shown, shares of ten pots,
# and what ten seats won.
ROWS_OF_ONE_ACTION = 160
COLUMNS = 5


def new_log(rows: int = 1) -> Log:
    """An empty log; with one row, a log that stays empty."""
    return np.zeros((rows, COLUMNS), np.int64)


@kernel
def has_room(log: Log) -> bool:
    """Whether one more action can be written down, or nothing is."""
    return bool(len(log) == 1 or log[0, 0] < len(log) - ROWS_OF_ONE_ACTION)


@kernel
def note(log: Log, what: int, seat: int, amount: int, detail: int, total: int) -> None:
    """Write one row down, if there is room for any."""
    if len(log) == 1:
        return
    row = log[0, 0] + 1
    if row < len(log):
        log[row, 0] = what
        log[row, 1] = seat
        log[row, 2] = amount
        log[row, 3] = detail
        log[row, 4] = total
        log[0, 0] = row
