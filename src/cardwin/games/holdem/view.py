"""The view of one seat, which contains only what the seat may know, and the parsing of its moves.

`fill_view` copies the public fields and the seat's own cards into a row of numbers. A view gives names to that row, so
that nothing hidden can be in it. `read_move` accepts an action or a text: `bet` and `raise` stand for each other, and
`all-in` is the bet, raise or call of the whole stack.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.cards.card import cards_text
from cardwin.core.errors import InvalidActionError, shorten
from cardwin.core.kernel import kernel
from cardwin.games.base import CALL, CHECK, FOLD, NOBODY, Action
from cardwin.games.holdem import rules
from cardwin.games.holdem.events import STREET_NAMES
from cardwin.games.holdem.rules import FINE, max_raise_to, min_raise_to, paid, to_call, why_no_raise
from cardwin.games.holdem.table import ACTIVE, BOARD, EMPTY, LINE, MAX_CHIPS, SEATS, Table, Tables

# Indices of a view's row, for kernels that decide from it. HoldemView has the same fields by name.
(
    SEAT,
    SEAT_COUNT,
    BUTTON,
    STREET,
    ACTOR,
    CURRENT_BET,
    MIN_RAISE,
    RAISES,
    DEAD,
    BIG_BLIND,
    BOARD_SIZE,
    TO_CALL,
    MIN_RAISE_TO,
    MAX_RAISE_TO,
    LIMIT,
    SUITLESS,
) = range(16)
_NUMBERS = 16  # scalars, before the fields with one number for each card or seat
HOLE, BOARD_AT = _NUMBERS, _NUMBERS + 2
STACKS = BOARD_AT + BOARD
BETS, CONTRIBUTED, STATUSES, STARTS = STACKS + SEATS, STACKS + 2 * SEATS, STACKS + 3 * SEATS, STACKS + 4 * SEATS
SMALL_BLIND, ANTE, ACTIONS, LINE_AT = range(STARTS + SEATS, STARTS + SEATS + 4)
VIEW_SIZE = LINE_AT + LINE


@kernel
def fill_view(tables: Tables, seat: int, row: npt.NDArray[np.int64]) -> None:
    """Write what the seat may know of the first table into a row, shape (VIEW_SIZE,)."""
    write_view(tables[0], seat, row)
    write_line(tables[0], row)


@kernel
def write_view(t: Table, seat: int, row: npt.NDArray[np.int64]) -> None:
    """Write what the seat may know of a table into a row (VIEW_SIZE,), without the rarely used line of actions."""
    row[0], row[1], row[2], row[3] = seat, t.seats, t.button, t.street
    row[4], row[5], row[6], row[7] = t.actor, t.current_bet, t.min_raise, t.raises
    row[8], row[9], row[10] = t.dead, t.big_blind, t.board_size[t.street]
    row[11], row[12], row[13] = to_call(t, seat), 0, 0
    row[14], row[15] = t.limit, t.suitless
    if t.actor == seat and why_no_raise(t) == FINE:
        row[12], row[13] = min_raise_to(t), max_raise_to(t)
    row[HOLE], row[HOLE + 1] = t.hole[2 * seat], t.hole[2 * seat + 1]
    for index in range(BOARD):
        row[BOARD_AT + index] = t.board[index] if index < row[10] else -1
    for other in range(SEATS):
        row[STACKS + other] = t.stack[other]
        row[BETS + other] = t.bet[other]
        row[CONTRIBUTED + other] = paid(t, other) if t.actor != NOBODY else t.contributed[other]
        row[STATUSES + other] = t.status[other]
        row[STARTS + other] = t.start[other]


@kernel
def write_line(t: Table, row: npt.NDArray[np.int64]) -> None:
    """Write the hand's actions so far and its forced bets into a row."""
    row[SMALL_BLIND], row[ANTE], row[ACTIONS] = t.small_blind, t.ante, t.actions
    for index in range(LINE):
        row[LINE_AT + index] = t.line[index] if index < t.actions else 0


@dataclass(frozen=True, slots=True)
class HoldemView:
    """A seat's view of a hand. Seats count from 0; amounts of bets are totals of this street."""

    row: tuple[int, ...]

    @property
    def seat(self) -> int:
        """The seat of this view."""
        return self.row[0]

    @property
    def seats(self) -> int:
        """The number of seats of the table, empty ones included."""
        return self.row[1]

    @property
    def button(self) -> int:
        """The seat of the dealer's button."""
        return self.row[2]

    @property
    def street(self) -> int:
        """The betting round: 0 before the flop, then 1, 2, 3."""
        return self.row[3]

    @property
    def actor(self) -> int:
        """The seat to act, or NOBODY."""
        return self.row[4]

    @property
    def current_bet(self) -> int:
        """The bet to match on this street."""
        return self.row[5]

    @property
    def raises(self) -> int:
        """Bets and raises so far on this street; a blind is not counted."""
        return self.row[7]

    @property
    def big_blind(self) -> int:
        """The big blind."""
        return self.row[9]

    @property
    def to_call(self) -> int:
        """The chips to add to stay in; at most the stack."""
        return self.row[11]

    @property
    def min_raise_to(self) -> int:
        """The minimum total of a bet or raise; 0 if none is legal."""
        return self.row[12]

    @property
    def max_raise_to(self) -> int:
        """The maximum total of a bet or raise; 0 if none is legal."""
        return self.row[13]

    @property
    def suitless(self) -> bool:
        """Whether flushes do not count."""
        return bool(self.row[15])

    @property
    def hole(self) -> tuple[int, ...]:
        """The seat's own two cards."""
        return self.row[HOLE : HOLE + 2]

    @property
    def board(self) -> tuple[int, ...]:
        """The cards on the board."""
        return self.row[BOARD_AT : BOARD_AT + self.row[10]]

    def _of_seats(self, first: int) -> tuple[int, ...]:
        return self.row[first : first + self.row[1]]

    @property
    def stacks(self) -> tuple[int, ...]:
        """The chips behind, by seat."""
        return self._of_seats(STACKS)

    @property
    def bets(self) -> tuple[int, ...]:
        """The chips put in on this street, by seat."""
        return self._of_seats(BETS)

    @property
    def contributed(self) -> tuple[int, ...]:
        """The chips put in during the hand, by seat, this street's included."""
        return self._of_seats(CONTRIBUTED)

    @property
    def starting_stacks(self) -> tuple[int, ...]:
        """The stacks before the hand, by seat."""
        return self._of_seats(STARTS)

    @property
    def line(self) -> tuple[tuple[int, int], ...]:
        """The actions of all seats in this hand, at most 32.

        Each is fold, call or raise (numbered as in `rules`) and the total bet of a raise.
        """
        count = min(self.row[ACTIONS], LINE)
        return tuple((code % 4, code // 4) for code in self.row[LINE_AT : LINE_AT + count])

    @property
    def active(self) -> tuple[bool, ...]:
        """For each seat, whether it is in the hand and has not folded."""
        return tuple(status == ACTIVE for status in self._of_seats(STATUSES))

    @property
    def pot(self) -> int:
        """All chips put in so far."""
        return self.row[8] + sum(self._of_seats(CONTRIBUTED))

    @property
    def opponents(self) -> int:
        """The number of opponents still in the hand."""
        return sum(self.active) - self.active[self.seat]

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The actor's legal actions; a bet or raise has its minimum amount, and `max_raise_to` is the maximum."""
        if self.row[4] != self.row[0]:
            return ()
        raising = (Action("raise" if self.current_bet else "bet", self.row[12]),) if self.row[12] else ()
        return ((FOLD, CALL) if self.row[11] else (CHECK,)) + raising

    def __str__(self) -> str:
        """Return the table as it is shown to a person at this seat."""
        board = f", board {cards_text(self.board, signs=True)}" if self.board else ""
        lines = [f"{_street_name(self)}{board}, pot {self.pot}"]
        lines += [_seat_line(self, seat) for seat in range(self.seats) if self.row[STATUSES + seat] != EMPTY]
        return "\n".join(lines)


def _street_name(view: HoldemView) -> str:
    # The simple game shows its last two cards at once.
    return "river" if len(view.board) == BOARD else STREET_NAMES[view.street]


def _seat_line(view: HoldemView, seat: int) -> str:
    marks = [f"stack {view.stacks[seat]}"]
    if view.bets[seat]:
        marks.append(f"bet {view.bets[seat]}")
    if not view.active[seat]:
        marks.append("folded")
    elif not view.stacks[seat] and view.actor != NOBODY:
        marks.append("all-in")
    if seat == view.button:
        marks.append("button")
    hole = f"  you {cards_text(view.hole, signs=True)}" if seat == view.seat else ""
    return f"  seat {seat + 1}: {', '.join(marks)}{hole}"


CODES = {"fold": rules.FOLD, "check": rules.CALL, "call": rules.CALL, "bet": rules.RAISE, "raise": rules.RAISE}
ALL_IN = Action("all-in")
_PLAIN = {action.name: action for action in (FOLD, CHECK, CALL)}
_TEXT = re.compile(r"(fold|check|call|bet|raise|all[- ]?in)(?: +(?:to +)?(\d{1,15}))?")
_EXAMPLES = "fold, check, call, bet 300, raise 300 (a total in whole chips) or all-in"


def read_move(view: HoldemView, move: Action | str) -> Action:
    """Return the action that the actor's move means. The rules check its amount afterwards.

    Args:
        view: The actor's view.
        move: An action, or a text such as `raise 300` or `all-in`.

    Returns:
        An action with a name that fits the view, and a total in whole chips.

    Raises:
        InvalidActionError: If the move is not an action of hold'em or does not fit the view.

    """
    if move is FOLD or (move is CALL and view.to_call) or (move is CHECK and not view.to_call):
        return move  # the most frequent answers
    action = _read_text(move) if isinstance(move, str) else move
    if not isinstance(action, Action) or not isinstance(action.name, str):
        raise InvalidActionError(f"invalid action: expected {_EXAMPLES}, got a {type(move).__name__}")
    amount = _read_amount(view, action)
    if action.name == ALL_IN.name:
        return _read_all_in(view, amount)
    if action.name in _PLAIN:
        return _read_plain(view, action.name, amount)
    if action.name not in CODES:
        raise InvalidActionError(f"invalid action {shorten(action.name)!r}: expected {_EXAMPLES}")
    # A text without an amount, and any raise in limit, means the only or minimum amount.
    if amount == 0 and view.min_raise_to == view.max_raise_to and (isinstance(move, str) or view.row[LIMIT]):
        amount = view.min_raise_to
    return Action("raise" if view.current_bet else "bet", amount)


def _read_text(text: str) -> Action:
    match = _TEXT.fullmatch(text.strip().lower())
    if not match:
        raise InvalidActionError(f"invalid action {shorten(text)!r}: expected {_EXAMPLES}")
    name = ALL_IN.name if match[1].startswith("all") else match[1]
    return Action(name, int(match[2] or 0))


def _read_amount(view: HoldemView, action: Action) -> int:
    amount = action.amount
    if type(amount) is not int and not isinstance(amount, np.integer):
        raise _invalid(f"{shorten(action.name)} of {shorten(amount)}", "expected whole chips", view)
    if not -MAX_CHIPS <= amount <= MAX_CHIPS:
        raise _invalid(shorten(action.name), f"expected at most {MAX_CHIPS} chips", view)
    return int(amount)


def _read_plain(view: HoldemView, name: str, amount: int) -> Action:
    if name == "check" and view.to_call:
        raise _invalid(name, f"{view.to_call} to call", view)
    if name == "call" and not view.to_call:
        raise _invalid(name, "nothing to call", view)
    if amount and not (name == "call" and amount == view.to_call):
        raise _invalid(f"{name} of {amount}", f"a {name} has no amount", view)
    return _PLAIN[name]


def _read_all_in(view: HoldemView, amount: int) -> Action:
    stack = view.stacks[view.seat]
    if amount:
        raise _invalid(f"all-in of {amount}", "an all-in has no amount", view)
    if view.max_raise_to and view.max_raise_to == view.bets[view.seat] + stack:
        return Action("raise" if view.current_bet else "bet", view.max_raise_to)
    if view.to_call == stack:
        return CALL
    raise _invalid("all-in", f"the stack of {stack} cannot be bet here", view)


def invalid_action(view: HoldemView, action: Action, reason: int) -> InvalidActionError:
    """Return the error for an action that a rule forbids, with the legal actions."""
    rule = {
        rules.NOBODY_TO_ACT: "the hand is over",
        rules.FOLD_IS_FREE: "checking is free",
        rules.RAISE_CAPPED: f"no more raises on this street after {view.raises}",
        rules.NOT_REOPENED: "an all-in for less than a full raise does not reopen the betting to those who have acted",
        rules.NOBODY_TO_RAISE: "no opponent could call more",
        rules.STACK_TOO_SMALL: f"the stack of {view.stacks[view.seat]} does not suffice for more than a call",
        rules.RAISE_TOO_SMALL: f"the minimum is {view.min_raise_to}",
        rules.RAISE_TOO_LARGE: f"the maximum is {view.max_raise_to}",
    }[reason]
    return _invalid(str(action), rule, view)


def _invalid(action: str, reason: str, view: HoldemView) -> InvalidActionError:
    return InvalidActionError(f"invalid {action}: {reason}" + (f"; {legal_text(view)}" if view.legal_actions else ""))


def legal_text(view: HoldemView) -> str:
    """Return the legal actions as text."""
    texts = [f"{action} to {view.max_raise_to}" if action.amount else str(action) for action in view.legal_actions]
    return "legal: " + ", ".join(texts) if texts else "no player has the turn"


def legal_choices(view: HoldemView) -> list[dict[str, Any]]:
    """Return the legal actions as JSON: a bet or raise with its minimum (`amount`) and its maximum (`most`)."""
    return [
        {"name": action.name, "amount": action.amount, "most": view.max_raise_to}
        if action.amount
        else {"name": action.name, "amount": view.to_call if action.name == "call" else 0}
        for action in view.legal_actions
    ]
