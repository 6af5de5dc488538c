"""Public events at a table: rows of a log, which kernels write; frozen records with names; and plain data for pages
and programs in other languages.

A log is int64 of shape (rows, 5). Its first row holds the number of rows written; a further row is a kind, a seat, an
amount (the chips moved, if any), a detail, and for bets and raises the total. A log of one row stays
empty: batch tables use it.

As plain data every event is a mapping with its name as `what`; cards are texts such as Ah, seats count from 0. The
small games use the same names, so one page can show both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cardwin.cards.card import CARD_NAMES
from cardwin.core.kernel import kernel
from cardwin.games.base import CALL, CHECK, FOLD, Action

Log = npt.NDArray[np.int64]

ANTE, BLIND, FOLDS, CHECKS, CALLS, BETS, RAISES, RETURNED, STREET, SHOWS, WINS, ENDS = range(12)
# One action writes at most this many rows: itself, a returned bet, four streets, ten hands shown, shares of ten pots,
# and what ten seats won.
ROWS_OF_ONE_ACTION = 160
LOG_COLUMNS = 5


def new_log(rows: int = 1) -> Log:
    """An empty log; with one row, a log that stays empty."""
    return np.zeros((rows, LOG_COLUMNS), np.int64)


@kernel
def has_room(log: Log) -> bool:
    """Whether the log has space for one more action."""
    return bool(log[0, 0] < len(log) - ROWS_OF_ONE_ACTION)


@kernel
def note(log: Log, what: int, seat: int, amount: int, detail: int, total: int) -> None:
    """Write one row, if the log has space; the caller first checks whether a log is kept."""
    row = log[0, 0] + 1
    if row < len(log):
        log[row, 0] = what
        log[row, 1] = seat
        log[row, 2] = amount
        log[row, 3] = detail
        log[row, 4] = total
        log[0, 0] = row


STREET_NAMES = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True, slots=True)
class MatchBegan:
    """A new match against new opponents: models of the previous opponents are no longer valid."""

    seats: int


@dataclass(frozen=True, slots=True)
class Joined:
    """A new player took a seat: models of the seat's previous player are no longer valid."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandBegan:
    """A new hand. `you` is the seat of the player who is notified.

    `players` are the numbers of the players by seat where seats are drawn for every deal, so that a model of an
    opponent survives a change of seats; they are drawn for the match. If empty, players keep their seats.
    """

    button: int
    stacks: tuple[int, ...]
    big_blind: int
    you: int = -1
    players: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Posted:
    """A seat put in an `ante` or a `blind`, or all its chips if it had fewer."""

    seat: int
    what: str
    chips: int


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat acted. `chips` is what it added; the action's amount is the total of its bet on this street."""

    seat: int
    action: Action
    chips: int
    street: int


@dataclass(frozen=True, slots=True)
class Returned:
    """The uncalled part of a bet was returned."""

    seat: int
    chips: int


@dataclass(frozen=True, slots=True)
class BoardDealt:
    """A street began; `cards` are the new cards."""

    street: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A seat showed its cards at the end."""

    seat: int
    cards: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Won:
    """A seat won a pot or its share of one; pot 0 is the main pot."""

    seat: int
    chips: int
    pot: int


@dataclass(frozen=True, slots=True)
class HandEnded:
    """The last event of every hand: `won` is each seat's net result."""

    won: tuple[int, ...]


Event: TypeAlias = MatchBegan | Joined | HandBegan | Posted | Acted | Returned | BoardDealt | Shown | Won | HandEnded

_PLAIN = {FOLDS: FOLD, CHECKS: CHECK, CALLS: CALL}
_AMOUNTS = {BETS: "bet", RAISES: "raise"}


def is_action(row: Sequence[int]) -> bool:
    """Whether a row of a log is a player's action."""
    return FOLDS <= row[0] <= RAISES


def action_of(what: int, total: int) -> Action:
    """The action of a row of a log, by its kind and total."""
    return _PLAIN[what] if what in _PLAIN else Action(_AMOUNTS[what], total)


def event_of(row: Sequence[int], board: Sequence[int]) -> Event:
    """The event of a row of a log; the board is needed for the cards dealt."""
    what, seat, amount, detail, total = row
    if is_action(row):
        return Acted(seat, action_of(what, total), amount, detail)
    if what == STREET:
        return BoardDealt(seat, tuple(board[amount:detail]))
    if what == SHOWS:
        return Shown(seat, (amount, detail))
    if what == WINS:
        return Won(seat, amount, detail)
    if what == RETURNED:
        return Returned(seat, amount)
    return Posted(seat, "ante" if what == ANTE else "blind", amount)


def events_of(log: Log, board: Sequence[int], first: int = 0) -> list[Event]:
    """The events of the rows of a log, from row `first` on."""
    rows = log[1 + first : 1 + int(log[0, 0])].tolist()
    events = [event_of(row, board) for row in rows if row[0] != ENDS and not _posted_nothing(row)]
    won = tuple(row[2] for row in rows if row[0] == ENDS)
    return [*events, HandEnded(won)] if won else events


def _posted_nothing(row: Sequence[int]) -> bool:
    """A blind of a seat whose ante took all its chips."""
    return row[0] in (ANTE, BLIND) and row[2] == 0


EventJson = dict[str, Any]


def card_names(cards: Sequence[int]) -> list[str]:
    """Cards as texts; an unknown card is ??."""
    return ["??" if card < 0 else CARD_NAMES[card] for card in cards]


def event_json(event: Event) -> EventJson | None:
    """An event of a hand as plain data, or None if it is not part of a hand."""
    match event:
        case HandBegan():
            return {
                "what": "hand",
                "button": event.button,
                "stacks": list(event.stacks),
                "big_blind": event.big_blind,
            }
        case Posted():
            return {"what": "posted", "seat": event.seat, "kind": event.what, "chips": event.chips}
        case Acted():
            return {
                "what": "acted",
                "seat": event.seat,
                "action": event.action.name,
                "amount": event.action.amount,
                "chips": event.chips,
                "street": event.street,
            }
        case BoardDealt():
            return {"what": "board", "street": event.street, "cards": card_names(event.cards)}
        case Returned():
            return {"what": "returned", "seat": event.seat, "chips": event.chips}
        case Shown():
            return {"what": "shown", "seat": event.seat, "cards": card_names(event.cards)}
        case Won():
            return {"what": "won", "seat": event.seat, "chips": event.chips, "pot": event.pot}
        case HandEnded():
            return {"what": "ended", "won": list(event.won)}
    return None


def events_json(events: Sequence[Event]) -> list[EventJson]:
    """Events as plain data, in order."""
    return [one for one in map(event_json, events) if one is not None]
