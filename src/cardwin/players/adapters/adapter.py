"""The base class of adapters: it keeps the record of the present hand, made from events.

An adapter is a player (`players.base`) that translates views and actions for another program. It also receives its own
cards (`sees_cards`). If its process is restarted in the middle of a hand, it first receives the events of the whole
hand (`whole_hands`). In small games its views are `SmallPosition`s, each of which contains the whole hand.
"""

from dataclasses import dataclass, field
from typing import Any

from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.formats.small_states import SmallPosition
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
        """The number of seats."""
        return len(self.stacks)

    @property
    def order(self) -> list[int]:
        """All seats by position."""
        return sorted(range(self.seats), key=self.position)

    @property
    def small_blind(self) -> int:
        """The smaller of the blinds that were posted; half the big blind if only one was."""
        blinds = sorted(post.chips for post in self.posted if post.kind == "blind")
        return blinds[0] if len(blinds) > 1 else self.big_blind // 2

    @property
    def ante(self) -> int:
        """The largest ante that was posted."""
        return max((post.chips for post in self.posted if post.kind == "ante"), default=0)

    @property
    def folded(self) -> set[int]:
        """The seats that have folded, or were not dealt in."""
        gone = {seat for seat, stack in enumerate(self.stacks) if stack == 0}
        return gone | {move.seat for move in self.moves if move.action.name == "fold"}

    def paid(self, seat: int, street: int | None = None) -> int:
        """Return the chips that a seat has put in, in the hand or on one street; antes count for the hand only."""
        posted = [post for post in self.posted if post.seat == seat and (street is None or post.kind == "blind")]
        before = sum(post.chips for post in posted) if street in (None, 0) else 0
        return before + sum(move.chips for move in self.moves if move.seat == seat and street in (None, move.street))

    def paid_before(self, street: int) -> int:
        """Return the chips that the seat has put in before a street."""
        return self.paid(self.seat) - self.paid(self.seat, street)

    def position(self, seat: int) -> int:
        """Return a seat's index, counted from the first left of the button."""
        return (seat - self.button - 1) % self.seats


class Adapter:
    """Keeps the record of the hand. The adapter of a protocol overrides the methods that it needs."""

    sees_cards = True
    whole_hands = True

    def __init__(self) -> None:
        self.hand: Hand | None = None
        self.hands = 0
        self._answer = ""

    def begin_hand(self, hand: Hand) -> None:
        """Handle the start of a hand; the cards are known."""

    def happened(self, hand: Hand, event: Event) -> None:
        """Handle a public event of the hand, which is in its record already."""

    def end_hand(self, hand: Hand) -> None:
        """Handle the end of a hand."""

    def ask(self, hand: Hand, view: HoldemView, rng: Stream) -> Action:
        """Return the program's decision in hold'em."""
        raise NotImplementedError

    def ask_small(self, position: SmallPosition, rng: Stream) -> Action:
        """Return the program's decision in a small game."""
        raise NotImplementedError

    def watch(self, event: Event | Dealt | SmallPosition) -> None:
        """Record an event and pass it on."""
        match event:
            case HandBegan():
                self.hands += 1
                players = event.players or tuple(range(len(event.stacks)))
                self.hand = Hand(self.hands, event.you, event.button, event.stacks, event.big_blind, players)
                return
            case Dealt() if self.hand is not None:
                self.hand.hole = event.cards
                self.begin_hand(self.hand)
                return
        if self.hand is None or isinstance(event, Dealt | SmallPosition):
            return
        record(self.hand, event)
        if isinstance(event, HandEnded):
            self.end_hand(self.hand)
            self.hand = None
        else:
            self.happened(self.hand, event)

    def act(self, view: HoldemView | SmallPosition, rng: Stream) -> Action:
        """Return the program's decision."""
        if isinstance(view, SmallPosition):
            return self.ask_small(view, rng)
        if self.hand is None or self.hand.seat != view.seat or self.hand.hole != view.hole:
            raise ProgramError("the adapter has not seen this hand from its start")
        return self.ask(self.hand, view, rng)

    def close(self) -> None:
        """End the program, or its connection."""

    def answered(self, text: object) -> None:
        """Store the program's answer for `explain`."""
        self._answer = str(text)[:200]

    def explain(self) -> dict[str, Any]:
        """Return the program's last answer; programs give no reasons."""
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
    """Return an action that no rules allow, with the answer in its name: a fault, after which the program continues."""
    return Action(f"{str(answer)[:60]!s} as an answer")
