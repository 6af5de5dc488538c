"""What adapters have in common: the record of the hand that is being played, made from events.

An adapter is a player (`players.base`). It is notified of its cards too (`sees_cards`). If its process is started
again in the middle of a hand, it is notified of the whole hand first (`whole_hands`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.events import (
    Acted,
    BoardDealt,
    Dealt,
    Event,
    HandBegan,
    HandEnded,
    Posted,
    Shown,
)
from cardwin.games.holdem.view import HoldemView


class ProgramError(Exception):
    """The program ended, or broke its protocol so that no further question makes sense."""


@dataclass
class Hand:
    """A hand as one seat knows it. Seats count from 0; `moves` are all actions, in order."""

    number: int
    seat: int
    button: int
    stacks: tuple[int, ...]
    big_blind: int
    players: tuple[int, ...]
    hole: tuple[int, ...] = ()
    posted: list[Posted] = field(default_factory=list)
    moves: list[Acted] = field(default_factory=list)
    board: list[int] = field(default_factory=list)
    street: int = 0
    shown: dict[int, tuple[int, ...]] = field(default_factory=dict)
    won: tuple[int, ...] = ()

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return len(self.stacks)

    @property
    def small_blind(self) -> int:
        """The smaller of the blinds that were posted; half the big blind if only one was."""
        blinds = sorted(one.chips for one in self.posted if one.kind == "blind")
        return blinds[0] if len(blinds) > 1 else self.big_blind // 2

    @property
    def ante(self) -> int:
        """The largest ante that was posted."""
        return max((one.chips for one in self.posted if one.kind == "ante"), default=0)

    @property
    def folded(self) -> set[int]:
        """The seats that have folded, or were not dealt in."""
        gone = {seat for seat, stack in enumerate(self.stacks) if stack == 0}
        return gone | {move.seat for move in self.moves if move.action.name == "fold"}

    def paid(self, seat: int, street: int | None = None) -> int:
        """The chips that a seat has put in, in the hand or on one street; antes count for the hand only."""
        posted = [one for one in self.posted if one.seat == seat and (street is None or one.kind == "blind")]
        before = sum(one.chips for one in posted) if street in (None, 0) else 0
        return before + sum(one.chips for one in self.moves if one.seat == seat and street in (None, one.street))

    def position(self, seat: int) -> int:
        """The place of a seat, counted from the first left of the button."""
        return (seat - self.button - 1) % self.seats


class Adapter:
    """Keeps the record of the hand; an adapter of a protocol defines what it does with it."""

    sees_cards = True
    whole_hands = True

    def __init__(self) -> None:
        self.hand: Hand | None = None
        self.hands = 0
        self._answer = ""

    def begin_hand(self, hand: Hand) -> None:
        """A hand began; the cards are known."""

    def happened(self, hand: Hand, event: Event) -> None:
        """A public event of the hand, which is in its record already."""

    def end_hand(self, hand: Hand) -> None:
        """The hand is over."""

    def ask(self, hand: Hand, view: HoldemView, rng: Stream) -> Action:
        """The program's decision."""
        raise NotImplementedError

    def watch(self, event: Event | Dealt) -> None:
        """Record an event and pass it on."""
        match event:
            case HandBegan():
                self.hands += 1
                known = event.players or tuple(range(len(event.stacks)))
                self.hand = Hand(self.hands, event.you, event.button, event.stacks, event.big_blind, known)
                return
            case Dealt() if self.hand is not None:
                self.hand.hole = event.cards
                self.begin_hand(self.hand)
                return
        if self.hand is None or isinstance(event, Dealt):
            return
        record(self.hand, event)
        if isinstance(event, HandEnded):
            self.end_hand(self.hand)
            self.hand = None
        else:
            self.happened(self.hand, event)

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """The program's decision."""
        if self.hand is None or self.hand.seat != view.seat or self.hand.hole != view.hole:
            raise ProgramError("the adapter has not seen this hand from its start")
        return self.ask(self.hand, view, rng)

    def close(self) -> None:
        """End the program, or its connection."""

    def answered(self, text: object) -> None:
        """Keep the program's answer for `explain`."""
        self._answer = str(text)[:200]

    def explain(self) -> dict[str, Any]:
        """What the program answered; programs give no reasons."""
        return {"answer": self._answer} if self._answer else {}


def record(hand: Hand, event: Event) -> None:
    """Write a public event into the record of the hand."""
    match event:
        case Posted():
            hand.posted.append(event)
        case Acted():
            hand.moves.append(event)
        case BoardDealt():
            hand.board += event.cards
            hand.street = event.street
        case Shown():
            hand.shown[event.seat] = event.cards
        case HandEnded():
            hand.won = event.won


def illegal(answer: object) -> Action:
    """An answer that is no action, as the referee shows it: a fault, after which the program plays on."""
    return Action(f"{str(answer)[:60]!s} as an answer")


def seated_from(first: int, items: Sequence[Any]) -> list[Any]:
    """Items by seat, in the order that begins with a seat."""
    return [*items[first:], *items[:first]]
