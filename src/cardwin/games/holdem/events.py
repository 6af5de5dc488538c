"""Events at a table, in three forms: rows of a log that kernels write, frozen records, and JSON.

A log is int64 of shape (rows, 5). Its first row holds the number of rows written. Every further row is a kind, a seat,
an amount (the chips moved, if any), a detail, and for bets and raises the total. A log of one row stays empty: batch
tables use it.

As JSON every event is an object with its name under the key `what`. Cards are texts such as Ah, and seats count from 0.
The small games use the same names, so that one page can show both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
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
    """Return an empty log. A log of one row stays empty."""
    return np.zeros((rows, LOG_COLUMNS), np.int64)


@kernel
def has_room(log: Log) -> bool:
    """Return whether the log has space for one more action."""
    return bool(log[0, 0] < len(log) - ROWS_OF_ONE_ACTION)


@kernel
def log_event(log: Log, kind: int, seat: int, amount: int, detail: int, total: int) -> None:
    """Write one row if the log has space. The caller first checks that the log has more than one row."""
    row = log[0, 0] + 1
    if row < len(log):
        log[row, 0] = kind
        log[row, 1] = seat
        log[row, 2] = amount
        log[row, 3] = detail
        log[row, 4] = total
        log[0, 0] = row


STREET_NAMES = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True, slots=True)
class MatchBegan:
    """A match began against new opponents. Models of the previous opponents are no longer valid."""

    seats: int


@dataclass(frozen=True, slots=True)
class Joined:
    """A new player took a seat. Models of the seat's previous player are no longer valid."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandBegan:
    """A hand began. `you` is the seat of the player that is notified.

    `players` are the players' numbers by seat if seats are drawn for every deal, so that a model of an opponent
    survives a change of seats. The numbers are drawn for the match. If empty, players keep their seats.
    """

    button: int
    stacks: tuple[int, ...]
    big_blind: int
    you: int = -1
    players: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Posted:
    """A seat posted an `ante` or a `blind` (the `kind`), or all its chips if it had fewer."""

    seat: int
    kind: str
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


@dataclass(frozen=True, slots=True)
class Dealt:
    """The notified seat's own cards at the start of a hand, for players with `sees_cards`.

    This event is private. Public events never contain cards that are not shown, and a view comes only with a decision;
    programs of other tables expect their cards in every hand, even if they never act.
    """

    cards: tuple[int, ...]


Event: TypeAlias = MatchBegan | Joined | HandBegan | Posted | Acted | Returned | BoardDealt | Shown | Won | HandEnded

_PLAIN = {FOLDS: FOLD, CHECKS: CHECK, CALLS: CALL}
_AMOUNTS = {BETS: "bet", RAISES: "raise"}


def is_action(row: Sequence[int]) -> bool:
    """Return whether a row of a log is a player's action."""
    return FOLDS <= row[0] <= RAISES


def action_of(kind: int, total: int) -> Action:
    """Return the action of a row of a log, from its kind and total."""
    return _PLAIN[kind] if kind in _PLAIN else Action(_AMOUNTS[kind], total)


def event_of(row: Sequence[int], board: Sequence[int]) -> Event:
    """Return the event of a row of a log. The board supplies the cards of a street."""
    kind, seat, amount, detail, total = row
    if is_action(row):
        return Acted(seat, action_of(kind, total), amount, detail)
    if kind == STREET:
        return BoardDealt(seat, tuple(board[amount:detail]))
    if kind == SHOWS:
        return Shown(seat, (amount, detail))
    if kind == WINS:
        return Won(seat, amount, detail)
    if kind == RETURNED:
        return Returned(seat, amount)
    return Posted(seat, "ante" if kind == ANTE else "blind", amount)


def events_of(log: Log, board: Sequence[int], first: int = 0) -> list[Event]:
    """Return the events of a log's rows, from row `first` on.

    A blind of nothing, by a seat whose ante took all its chips, is not an event.
    """
    rows = log[1 + first : 1 + int(log[0, 0])].tolist()
    events = [event_of(row, board) for row in rows if row[0] != ENDS and (row[0] not in (ANTE, BLIND) or row[2] > 0)]
    won = tuple(row[2] for row in rows if row[0] == ENDS)
    return [*events, HandEnded(won)] if won else events


EventJson = dict[str, Any]
_JSON_NAMES: dict[type, str] = {
    HandBegan: "hand",
    Posted: "posted",
    Acted: "acted",
    BoardDealt: "board",
    Returned: "returned",
    Shown: "shown",
    Won: "won",
    HandEnded: "ended",
}


def card_names(cards: Sequence[int]) -> list[str]:
    """Return cards as texts. An unknown card is ??."""
    return ["??" if card < 0 else CARD_NAMES[card] for card in cards]


def event_json(event: Event) -> EventJson | None:
    """Return an event as JSON, or None if it is not part of a hand."""
    if type(event) not in _JSON_NAMES:
        return None
    content: EventJson = {"what": _JSON_NAMES[type(event)]}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name == "action":
            content |= {"action": value.name, "amount": value.amount}
        elif field.name == "cards":
            content["cards"] = card_names(value)
        elif field.name not in ("you", "players"):  # they depend on the player that is notified
            content[field.name] = list(value) if isinstance(value, tuple) else value
    return content


def events_json(events: Sequence[Event]) -> list[EventJson]:
    """Return events as JSON, in order, without those that are not part of a hand."""
    return [content for content in map(event_json, events) if content is not None]
