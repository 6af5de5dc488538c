"""A seat's view as arrays for learning programs: an observation of planes, a mask of legal actions, numbered actions.

An observation is float32 of SHAPE (7, 4, 13), all entries from 0 to 1:

- `hole`, `flop`, `turn`, `river`: cards, row by suit (c, d, h, s), column by rank (2 to A);
- `bets`: column by seat, counted from the observer to the left; rows: the bet on this street, all chips put in during
  the hand, whether the seat is still in the hand, whether it is all-in;
- `stacks`: the same columns; rows: chips behind, chips before the hand, whether the seat has the turn, the button;
- `table`: row 0 is the pot, the chips to call, the minimum and the maximum total of a raise, the big blind and the dead
  chips; row 1 the street; row 2 the number of seats (column seats - 1); row 3 the number of bets and raises on this
  street (twelve and more in the last column).

Chips are divided by the largest stack before the hand, pot and dead chips by the sum of those stacks; once the hand is
over, a winner's larger stack counts as 1.

No-limit actions are fold, check or call, the minimum bet or raise, shares of the pot, and all-in. A share's amount is
the current bet plus that share of the pot after a call. A size that does not exceed the previous one, or reaches the
whole stack, is not legal: its neighbour is the same bet. If the minimum raise is the whole stack, only all-in is legal.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cardwin.core.errors import InputError, InvalidActionError, shorten
from cardwin.core.kernel import kernel
from cardwin.games.base import CALL, CHECK, FOLD, NOBODY, Action
from cardwin.games.holdem import view as rows
from cardwin.games.holdem.table import ACTIVE, BOARD
from cardwin.games.holdem.view import HoldemView

Planes = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]
Row = npt.NDArray[np.int64]
Sizes = npt.NDArray[np.float64]

PLANES = ("hole", "flop", "turn", "river", "bets", "stacks", "table")
SHAPE = (len(PLANES), 4, 13)
POT_SHARES = (0.5, 1.0, 2.0)
_BETS, _STACKS, _TABLE = 4, 5, 6
_FOLD, _CALL, _MINIMUM, _FIRST_SHARE = 0, 1, 2, 3


@kernel
def write_planes(row: Row, planes: Planes) -> None:
    """Write the observation (7, 4, 13) of a view's row (VIEW_SIZE,)."""
    planes[:] = 0.0
    for index in range(2):
        if row[rows.HOLE + index] >= 0:
            planes[0, row[rows.HOLE + index] % 4, row[rows.HOLE + index] // 4] = 1.0
    for index in range(BOARD):
        card = row[rows.BOARD_AT + index]
        if card >= 0:
            planes[max(index - 1, 1), card % 4, card // 4] = 1.0
    seats, largest, total, pot = row[rows.SEAT_COUNT], 1, 0, row[rows.DEAD]
    for seat in range(seats):
        largest = max(largest, row[rows.STARTS + seat])
        total += row[rows.STARTS + seat]
        pot += row[rows.CONTRIBUTED + seat]
    for column in range(seats):
        seat = (row[rows.SEAT] + column) % seats
        active = row[rows.STATUSES + seat] == ACTIVE
        planes[_BETS, 0, column] = row[rows.BETS + seat] / largest
        planes[_BETS, 1, column] = row[rows.CONTRIBUTED + seat] / largest
        planes[_BETS, 2, column] = 1.0 if active else 0.0
        planes[_BETS, 3, column] = 1.0 if active and row[rows.STACKS + seat] == 0 else 0.0
        planes[_STACKS, 0, column] = min(row[rows.STACKS + seat] / largest, 1.0)
        planes[_STACKS, 1, column] = row[rows.STARTS + seat] / largest
        planes[_STACKS, 2, column] = 1.0 if seat == row[rows.ACTOR] else 0.0
        planes[_STACKS, 3, column] = 1.0 if seat == row[rows.BUTTON] else 0.0
    planes[_TABLE, 0, 0] = pot / total
    planes[_TABLE, 0, 1] = row[rows.TO_CALL] / largest
    planes[_TABLE, 0, 2] = row[rows.MIN_RAISE_TO] / largest
    planes[_TABLE, 0, 3] = row[rows.MAX_RAISE_TO] / largest
    planes[_TABLE, 0, 4] = min(row[rows.BIG_BLIND] / largest, 1.0)
    planes[_TABLE, 0, 5] = row[rows.DEAD] / total
    planes[_TABLE, 1, row[rows.STREET]] = 1.0
    planes[_TABLE, 2, seats - 1] = 1.0
    planes[_TABLE, 3, min(row[rows.RAISES], SHAPE[2] - 1)] = 1.0


@kernel
def amount_of(row: Row, sizes: Sizes, number: int) -> int:
    """Return the total of a numbered bet or raise at a view's row, or 0 if it is not legal."""
    minimum, maximum = row[rows.MIN_RAISE_TO], row[rows.MAX_RAISE_TO]
    if minimum == 0 or number < _MINIMUM:
        return 0
    if row[rows.LIMIT]:
        return int(minimum) if number == _MINIMUM else 0
    if number == _MINIMUM:
        return int(minimum) if minimum < maximum else 0
    if number == _FIRST_SHARE + len(sizes):
        return int(maximum)
    if number > _FIRST_SHARE + len(sizes):
        return 0
    after_call = row[rows.DEAD] + row[rows.TO_CALL]
    for seat in range(row[rows.SEAT_COUNT]):
        after_call += row[rows.CONTRIBUTED + seat]
    before = minimum
    if number > _FIRST_SHARE:
        before = max(before, row[rows.CURRENT_BET] + np.int64(sizes[number - _FIRST_SHARE - 1] * after_call))
    amount = row[rows.CURRENT_BET] + np.int64(sizes[number - _FIRST_SHARE] * after_call)
    return int(amount) if before < amount < maximum else 0


@kernel
def write_mask(row: Row, sizes: Sizes, mask: Mask) -> None:
    """Write 1 for every numbered action that is legal at a view's row; all 0 if the seat does not have the turn."""
    mask[:] = 0
    if row[rows.ACTOR] != row[rows.SEAT] or row[rows.ACTOR] == NOBODY:
        return
    mask[_FOLD] = 1 if row[rows.TO_CALL] > 0 else 0
    mask[_CALL] = 1
    for number in range(_MINIMUM, len(mask)):
        mask[number] = 1 if amount_of(row, sizes, number) > 0 else 0


def observation_of(view: HoldemView) -> Planes:
    """Return the observation of a view, float32 of SHAPE."""
    planes = np.empty(SHAPE, np.float32)
    write_planes(np.array(view.row, np.int64), planes)
    return planes


@dataclass(frozen=True)
class Actions:
    """The numbered actions of limit or no-limit hold'em; `shares` are the no-limit bets in pots, rising."""

    limit: bool
    shares: tuple[float, ...] = POT_SHARES

    def __post_init__(self) -> None:
        rising = all(0 < a < b for a, b in zip(self.shares, self.shares[1:], strict=False))
        if not rising or (self.shares and not 0 < self.shares[0] <= self.shares[-1] <= 1000):
            raise InputError(f"expected rising shares of the pot above 0, at most 1000, got {self.shares}")

    @property
    def names(self) -> tuple[str, ...]:
        """The meanings of the numbers, in order."""
        if self.limit:
            return ("fold", "check or call", "bet or raise")
        shares = tuple(f"bet {share:g} pot" for share in self.shares)
        return ("fold", "check or call", "minimum bet or raise", *shares, "all-in")

    @property
    def sizes(self) -> Sizes:
        """The shares as an array, for kernels."""
        return np.array(() if self.limit else self.shares, np.float64)

    def mask(self, view: HoldemView) -> Mask:
        """Return 1 for every legal action of the seat, else 0, int8 (actions,)."""
        mask = np.empty(len(self.names), np.int8)
        write_mask(np.array(view.row, np.int64), self.sizes, mask)
        return mask

    def action(self, view: HoldemView, number: int) -> Action:
        """Return the action of a number.

        Raises:
            InvalidActionError: If the number is unknown or its action is not legal at the view.

        """
        if not isinstance(number, int | np.integer) or not 0 <= number < len(self.names):
            raise InvalidActionError(f"invalid action: expected 0 to {len(self.names) - 1}, got {shorten(number)}")
        mask = self.mask(view)
        if not mask[number]:
            legal = ", ".join(f"{index} ({name})" for index, name in enumerate(self.names) if mask[index])
            raise InvalidActionError(f"invalid action {number} ({self.names[number]}): expected one of {legal}")
        if number <= _CALL:
            return FOLD if number == _FOLD else CALL if view.to_call else CHECK
        amount = amount_of(np.array(view.row, np.int64), self.sizes, int(number))
        return Action("raise" if view.current_bet else "bet", int(amount))

    def number(self, view: HoldemView, action: Action) -> int:
        """Return the number of the legal action nearest to an action; bets and raises are compared by amount."""
        if action.name in ("fold", "check", "call"):
            return _FOLD if action.name == "fold" and view.to_call else _CALL
        mask, row = self.mask(view), np.array(view.row, np.int64)
        raises = {number: amount_of(row, self.sizes, number) for number in range(_MINIMUM, len(mask)) if mask[number]}
        return min(raises, key=lambda number: abs(raises[number] - action.amount), default=_CALL)
