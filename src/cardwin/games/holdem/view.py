"""The view of one seat, which holds only what the seat may know; and the parsing of its answer as an action.

`fill_view` copies the public fields and the seat's own cards into a row of numbers; a view gives names to that row, so
that nothing hidden can be in it. `read_move` takes an action or a text: `bet` and `raise` are accepted for each
other, and `all-in` is the bet, raise or call of the whole stack.
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
from cardwin.games.holdem.table import ACTIVE, BOARD, EMPTY, LINE, MOST_CHIPS, SEATS, Table, Tables

# Indices of a view's row, for kernels that decide from one; HoldemView has the same fields by name.
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
    """Write what the seat may know of a table into a row (VIEW_SIZE,), without the line, which few read."""
    row[0], row[1], row[2], row[3] = seat, t.seats, t.button, t.street
    row[4], row[5], row[6], row[7] = t.actor, t.current_bet, t.min_raise, t.raises
    row[8], row[9], row[10] = t.dead, t.big_blind, t.board_size[t.street]
    row[11], row[12], row[13] = to_call(t, seat), 0, 0
    row[14], row[15] = t.limit, t.suitless
    if t.actor == seat and why_no_raise(t) == FINE:
        row[12], row[13] = min_raise_to(t), max_raise_to(t)
    row[HOLE], row[HOLE + 1] = t.hole[2 * seat], t.hole[2 * seat + 1]
    for place in range(BOARD):
        row[BOARD_AT + place] = t.board[place] if place < row[10] else -1
    for other in range(SEATS):
        row[STACKS + other] = t.stack[other]
        row[BETS + other] = t.bet[other]
        row[CONTRIBUTED + other] = paid(t, other) if t.actor != NOBODY else t.contributed[other]
        row[STATUSES + other] = t.status[other]
        row[STARTS + other] = t.start[other]


@kernel
def write_line(t: Table, row: npt.NDArray[np.int64]) -> None:
    """Write the actions of the hand so far into a row, and the forced bets that they began with."""
    row[SMALL_BLIND], row[ANTE], row[ACTIONS] = t.small_blind, t.ante, t.actions
    for place in range(LINE):
        row[LINE_AT + place] = t.line[place] if place < t.actions else 0


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
        """How many seats the table has, empty ones included."""
        return self.row[1]

    @property
    def button(self) -> int:
        """The seat of the dealer's button."""
        return self.row[2]

    @property
    def street(self) -> int:
        """0 before the flop, then 1, 2, 3."""
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
        """Chips to add to stay in; never more than the stack."""
        return self.row[11]

    @property
    def min_raise_to(self) -> int:
        """The least total bet to bet or raise to, 0 where that is not allowed."""
        return self.row[12]

    @property
    def max_raise_to(self) -> int:
        """The largest total bet to bet or raise to, 0 where that is not allowed."""
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
        """Chips behind, by seat."""
        return self._of_seats(STACKS)

    @property
    def bets(self) -> tuple[int, ...]:
        """Chips put in on this street, by seat."""
        return self._of_seats(BETS)

    @property
    def contributed(self) -> tuple[int, ...]:
        """Chips put in during the hand, by seat, this street's included."""
        return self._of_seats(CONTRIBUTED)

    @property
    def starting_stacks(self) -> tuple[int, ...]:
        """Stacks before the hand, by seat."""
        return self._of_seats(STARTS)

    @property
    def line(self) -> tuple[tuple[int, int], ...]:
        """The actions of this hand so far, of all seats: fold, call or raise as the rules number them, and the total
        bet of a raise; at most the first 32.
        """
        count = min(self.row[ACTIONS], LINE)
        return tuple((one % 4, one // 4) for one in self.row[LINE_AT : LINE_AT + count])

    @property
    def active(self) -> tuple[bool, ...]:
        """By seat, whether it is in the hand and has not folded."""
        return tuple(status == ACTIVE for status in self._of_seats(STATUSES))

    @property
    def pot(self) -> int:
        """All chips put in so far."""
        return self.row[8] + sum(self._of_seats(CONTRIBUTED))

    @property
    def opponents(self) -> int:
        """How many others are still in the hand."""
        return sum(self.active) - self.active[self.seat]

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """What the actor may do; a bet or raise has its least amount, `max_raise_to` is its largest."""
        if self.row[4] != self.row[0]:
            return ()
        raising = (Action("raise" if self.current_bet else "bet", self.row[12]),) if self.row[12] else ()
        return ((FOLD, CALL) if self.row[11] else (CHECK,)) + raising

    def __str__(self) -> str:
        """The table as it is shown to a person at this seat."""
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
    who = f"you {cards_text(view.hole, signs=True)}" if seat == view.seat else ""
    return f"  seat {seat + 1}: {', '.join(marks)}{'  ' + who if who else ''}"


CODES = {"fold": rules.FOLD, "check": rules.CALL, "call": rules.CALL, "bet": rules.RAISE, "raise": rules.RAISE}
ALL_IN = Action("all-in")
_PLAIN = {action.name: action for action in (FOLD, CHECK, CALL)}
_TEXT = re.compile(r"(fold|check|call|bet|raise|all[- ]?in)(?: +(?:to +)?(\d{1,15}))?")
_EXAMPLES = "fold, check, call, bet 300, raise 300 (a total in whole chips) or all-in"


def read_move(view: HoldemView, move: Action | str) -> Action:
    """The action that the actor's move means; the rules check its amount."""
    if move is FOLD or (move is CALL and view.to_call) or (move is CHECK and not view.to_call):
        return move  # the most frequent answer, accepted at once
    action = _read_text(move) if isinstance(move, str) else move
    if not isinstance(action, Action) or not isinstance(action.name, str):
        raise InvalidActionError(f"a {type(move).__name__} is no action of hold'em: {_EXAMPLES}")
    amount = _whole(view, action)
    if action.name == ALL_IN.name:
        return _all_in(view, amount)
    if action.name in _PLAIN:
        return _plain(view, action.name, amount)
    if action.name not in CODES:
        raise InvalidActionError(f"{shorten(action.name)!r} is no action of hold'em: {_EXAMPLES}")
    # A text without an amount, and any raise in limit, means the only or least amount.
    if amount == 0 and view.min_raise_to == view.max_raise_to and (isinstance(move, str) or view.row[LIMIT]):
        amount = view.min_raise_to
    return Action("raise" if view.current_bet else "bet", amount)


def _read_text(text: str) -> Action:
    found = _TEXT.fullmatch(text.strip().lower())
    if not found:
        raise InvalidActionError(f"{shorten(text)!r} is no action of hold'em: {_EXAMPLES}")
    name = ALL_IN.name if found[1].startswith("all") else found[1]
    return Action(name, int(found[2] or 0))


def _whole(view: HoldemView, action: Action) -> int:
    amount = action.amount
    if type(amount) is not int and not isinstance(amount, np.integer):
        raise InvalidActionError(
            f"no {shorten(action.name)} of {shorten(amount)}: amounts are whole chips; {choices(view)}"
        )
    if not -MOST_CHIPS <= amount <= MOST_CHIPS:
        raise InvalidActionError(f"no {shorten(action.name)} beyond {MOST_CHIPS} chips; {choices(view)}")
    return int(amount)


def _plain(view: HoldemView, name: str, amount: int) -> Action:
    if name == "check" and view.to_call:
        raise InvalidActionError(f"no check facing a bet: {view.to_call} to call; {choices(view)}")
    if name == "call" and not view.to_call:
        raise InvalidActionError(f"nothing to call; {choices(view)}")
    if amount and not (name == "call" and amount == view.to_call):
        raise InvalidActionError(f"no {name} of {amount}: a {name} has no amount of its own; {choices(view)}")
    return _PLAIN[name]


def _all_in(view: HoldemView, amount: int) -> Action:
    stack = view.stacks[view.seat]
    if amount:
        raise InvalidActionError(f"no all-in of {amount}: an all-in has no amount of its own; {choices(view)}")
    if view.max_raise_to and view.max_raise_to == view.bets[view.seat] + stack:
        return Action("raise" if view.current_bet else "bet", view.max_raise_to)
    if view.to_call == stack:
        return CALL
    raise InvalidActionError(f"no all-in: the stack of {stack} cannot be bet here; {choices(view)}")


def refusal(view: HoldemView, action: Action, reason: int) -> InvalidActionError:
    """The error that names the rule broken and what would be legal."""
    rule = {
        rules.NOBODY_TO_ACT: "the hand is over",
        rules.FOLD_IS_FREE: "no fold where checking is free",
        rules.RAISE_CAPPED: f"no more raises on this street after {view.raises}",
        rules.NOT_REOPENED: "an all-in for less than a full raise does not reopen the betting to those who have acted",
        rules.NOBODY_TO_RAISE: "nobody is left who could call more",
        rules.STACK_TOO_SMALL: f"the stack of {view.stacks[view.seat]} does not reach beyond a call",
        rules.RAISE_TOO_SMALL: f"the least amount is {view.min_raise_to}",
        rules.RAISE_TOO_LARGE: f"the largest amount is {view.max_raise_to}",
    }[reason]
    return InvalidActionError(f"no {action}: {rule}" + (f"; {choices(view)}" if view.legal_actions else ""))


def choices(view: HoldemView) -> str:
    """The legal actions, as text."""
    texts = [f"{action} to {view.max_raise_to}" if action.amount else str(action) for action in view.legal_actions]
    return "legal: " + ", ".join(texts) if texts else "it is nobody's turn"


def choices_of(view: HoldemView) -> list[dict[str, Any]]:
    """The legal actions of the seat; a bet or raise with its least and largest amount."""
    return [
        {"name": action.name, "amount": action.amount, "most": view.max_raise_to}
        if action.amount
        else {"name": action.name, "amount": view.to_call if action.name == "call" else 0}
        for action in view.legal_actions
    ]
