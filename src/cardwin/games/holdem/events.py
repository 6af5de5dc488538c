"""What everybody at a table sees happen, as frozen records with names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem import log as notes
from cardwin.games.holdem.log import Log

STREET_NAMES = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True, slots=True)
class MatchBegan:
    """A new match against new opponents: what was learnt about the old ones no longer holds."""

    seats: int


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody new sat down in a seat: what was learnt about whoever sat there before no longer holds."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandBegan:
    """A new hand. `you` is the seat of whoever is told."""

    button: int
    stacks: tuple[int, ...]
    big_blind: int
    you: int = -1


@dataclass(frozen=True, slots=True)
class Posted:
    """A seat put in an `ante` or a `blind`, as far as its chips reached."""

    seat: int
    what: str
    chips: int


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat acted. `chips` is what it put in by this; the action's amount is the total of its bet on this street."""

    seat: int
    action: Action
    chips: int
    street: int


@dataclass(frozen=True, slots=True)
class Returned:
    """The part of a bet that nobody matched went back."""

    seat: int
    chips: int


@dataclass(frozen=True, slots=True)
class BoardDealt:
    """A street began; `cards` are the new ones."""

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
    """The last event of every hand: `won` is what each seat won in it, less what it put in."""

    won: tuple[int, ...]


Event: TypeAlias = MatchBegan | Joined | HandBegan | Posted | Acted | Returned | BoardDealt | Shown | Won | HandEnded

_PLAIN = {notes.FOLDS: FOLD, notes.CHECKS: CHECK, notes.CALLS: CALL}
_AMOUNTS = {notes.BETS: "bet", notes.RAISES: "raise"}


def event_of(row: Sequence[int], board: Sequence[int]) -> Event:
    """The event that a row of a log tells of; the board is needed for the cards dealt."""
    what, seat, amount, detail, total = row
    if what in _PLAIN:
        return Acted(seat, _PLAIN[what], amount, detail)
    if what in _AMOUNTS:
        return Acted(seat, Action(_AMOUNTS[what], total), amount, detail)
    if what == notes.STREET:
        return BoardDealt(seat, tuple(board[amount:detail]))
    if what == notes.SHOWS:
        return Shown(seat, (amount, detail))
    if what == notes.WINS:
        return Won(seat, amount, detail)
    if what == notes.RETURNED:
        return Returned(seat, amount)
    return Posted(seat, "ante" if what == notes.ANTE else "blind", amount)


def events_of(log: Log, board: Sequence[int], first: int = 0) -> list[Event]:
    """The events that the rows of a log tell of, from its first-th row on."""
    rows = log[1 + first : 1 + int(log[0, 0])].tolist()
    events = [event_of(row, board) for row in rows if row[0] != notes.ENDS and not _posted_nothing(row)]
    won = tuple(row[2] for row in rows if row[0] == notes.ENDS)
    return [*events, HandEnded(won)] if won else events


def _posted_nothing(row: Sequence[int]) -> bool:
    """A blind that the ante left no chips for."""
    return row[0] in (notes.ANTE, notes.BLIND) and row[2] == 0
