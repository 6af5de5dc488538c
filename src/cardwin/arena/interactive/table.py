"""People at a table: hands dealt one after the other between people and players, each seen through one seat's eyes.

A sitting is dealt (`deal`), looked at (`look`) and played (`take`) by number of seat. What `look` returns is made of
public events and the seat's own view, and of nothing else. When a hand is over, `why` tells what a player thought at
one of its actions: where cards are turned up in the end (`open_cards`) of everybody, otherwise of those who showed.
Everyone has the same stack in every hand, and the button moves on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from cardwin.arena.hand_history import history_of, seats_from
from cardwin.arena.live_table import LiveTable
from cardwin.arena.referee import Referee
from cardwin.arena.runouts import adjusted_chips
from cardwin.arena.stakes import chips_at_stake
from cardwin.core.display import numbered
from cardwin.core.errors import InputError
from cardwin.core.rng import child, key_of
from cardwin.games.base import NOBODY
from cardwin.games.formats.phh import phh_text
from cardwin.games.holdem.events import Acted, Event, EventJson, Shown, card_names, events_json
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.history import History
from cardwin.games.holdem.table import UNKNOWN
from cardwin.games.holdem.view import choices_of
from cardwin.players.base import explanation_of
from cardwin.players.registry import HoldemPlayer, player
from cardwin.stats.intervals import Estimate, bounded_mean

PERSON = "person"
MOST_HANDS = 100_000


class DecisionCost(Protocol):
    """What one decision of a hand cost (see `analysis.ev_loss`); `decision` counts the hand's actions from 0."""

    @property
    def decision(self) -> int:
        """Which action of the hand."""

    @property
    def ev_loss(self) -> float:
        """Chips lost against the better choice."""

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""


# From a hand as one seat saw it and that seat, what its decisions cost as far as that can be told.
Review = Callable[[History, int], Sequence[DecisionCost]]


def no_review(history: History, seat: int) -> Sequence[DecisionCost]:  # noqa: ARG001  the shape of a review
    """Say nothing about decisions."""
    return ()


@dataclass(frozen=True)
class FinishedHand:
    """A hand that is over: its events, what each seat won, the same with the luck of the last cards taken out, what
    players thought at events by their places, what people gave away there (in hold'em only where the odds tell, with
    `odds` to say how), and the cards by seat.
    """

    number: int
    events: tuple[EventJson, ...]
    won: tuple[int, ...]
    expected: tuple[float, ...]
    explanation: dict[int, dict[str, Any]] = field(default_factory=dict)
    ev_loss: dict[int, float] = field(default_factory=dict)
    odds: dict[int, DecisionCost] = field(default_factory=dict)
    cards: tuple[tuple[str, ...], ...] = ()
    phh: Callable[[int], str] | None = None

    @property
    def shown(self) -> set[int]:
        """The seats whose cards everybody saw."""
        return {event["seat"] for event in self.events if event["what"] == "shown"}


class InteractiveTable(Protocol):
    """A table of any game at which people sit."""

    open_cards: bool
    names: list[str]
    unit: str
    hands: list[FinishedHand]

    @property
    def turn(self) -> int:
        """The seat that has to decide, or NOBODY."""

    def deal(self) -> None:
        """Begin the next hand."""

    def take(self, seat: int, move: str) -> None:
        """Do what the person in a seat decided."""

    def look(self, seat: int) -> dict[str, Any]:
        """All that a seat may know now."""

    def score(self, seat: int) -> dict[str, Any]:
        """What a seat has won so far, a hand, with its interval."""


def people_in(specs: Sequence[str]) -> list[int]:
    """The seats of people."""
    return [seat for seat, spec in enumerate(specs) if spec == PERSON]


def why(table: InteractiveTable, seat: int, number: int, place: int) -> dict[str, Any]:
    """What a player thought at an action of a finished hand, by the event's place, as far as the seat may know."""
    hand = next((one for one in table.hands if one.number == number), None)
    if hand is None:
        raise InputError(f"hand {number} is not over, or was never played: ask about one that is")
    if not 0 <= place < len(hand.events) or hand.events[place]["what"] != "acted":
        raise InputError(f"event {place} of hand {number} is no action: ask about one that is")
    actor = hand.events[place]["seat"]
    answer: dict[str, Any] = {"hand": number, "event": place, "seat": actor, "player": table.names[actor]}
    if place in hand.ev_loss and actor == seat:
        return answer | {"ev_loss": hand.ev_loss[place]}
    if place not in hand.explanation:
        return answer | {"explanation": {}}
    if not (table.open_cards or actor == seat or actor in hand.shown):
        raise InputError("its cards were not shown: a table where cards are turned up after the hand tells more")
    return answer | {"cards": list(hand.cards[actor]), "explanation": hand.explanation[place]}


def known_cards(table: InteractiveTable, hand: FinishedHand, seat: int) -> dict[str, list[str]]:
    """The cards of a finished hand that a seat may know, by seat."""
    everybody = range(len(hand.cards))
    seen = everybody if table.open_cards else [one for one in everybody if one == seat or one in hand.shown]
    return {str(one): list(hand.cards[one]) for one in seen if hand.cards[one]}


class ExplainingTable(LiveTable):
    """A live table that asks everybody in Python and keeps what each thought at each action."""

    def __init__(self, game: HoldemGame, players: Sequence[HoldemPlayer | None], referee: Referee) -> None:
        self.explanation: dict[int, dict[str, Any]] = {}
        super().__init__(game, players, in_python=True, referee=referee)

    def _tell(self, event: Event) -> None:
        super()._tell(event)
        if isinstance(event, Acted) and self.players[event.seat] is not None:
            self.explanation[len(self.events) - 1] = explanation_of(self.players[event.seat])


class HoldemTable:
    """People and players at a table of hold'em. `specs` name who sits where, `person` being a person."""

    def __init__(self, game: HoldemGame, specs: Sequence[str], seed: int, open_cards: bool = False,
                 names: Sequence[str] | None = None, review: Review = no_review) -> None:  # fmt: skip
        self.review = review
        self.game, self.open_cards, self.unit = game, open_cards, game.unit
        self.names = numbered(names or specs)
        self.hands: list[FinishedHand] = []
        self.number = 0
        self.key = key_of(seed, "sitting")
        seated = [None if spec == PERSON else player(spec) for spec in specs]
        self.table = ExplainingTable(game, seated, Referee(specs, None))
        self.people = people_in(specs)
        self._events_json: tuple[int, list[EventJson]] = (-1, [])

    @property
    def turn(self) -> int:
        """The seat that has to decide, or NOBODY."""
        return self.table.actor

    def deal(self) -> None:
        """Begin the next hand, up to the first decision of a person."""
        if self.turn != NOBODY:
            raise InputError(f"hand {self.number} is not over: it comes first")
        if self.number >= MOST_HANDS:
            raise InputError(f"{MOST_HANDS} hands were played here: open another table")
        seats = self.table.seats
        self.number += 1
        self.table.explanation = {}
        self.table.begin([self.game.stack] * seats, (self.number - 1) % seats, child(self.key, self.number))
        self._end_if_over()

    def take(self, seat: int, move: str) -> None:
        """Do what the person in a seat decided, and play on to the next person's turn or the end."""
        if self.turn != seat:
            raise InputError("the hand is over" if self.turn == NOBODY else f"it is {self.names[self.turn]}'s turn")
        self.table.take(move)
        self._end_if_over()

    def _end_if_over(self) -> None:
        if self.turn != NOBODY:
            return
        table, key = self.table, child(self.key, -self.number)
        events = list(table.events)
        history = history_of(table, events, self.names)
        shown = {event.seat for event in events if isinstance(event, Shown)}
        order = seats_from(int(table.tables["button"][0]), table.seats)

        def seen(seat: int) -> History:
            """The hand as the seat saw it."""
            known = (self.open_cards or place == seat or place in shown for place in order)
            hole = zip(known, history.hole, strict=True)
            return replace(history, hole=tuple(cards if known else (UNKNOWN, UNKNOWN) for known, cards in hole))

        acts = [place for place, event in enumerate(events) if isinstance(event, Acted)]
        odds = {acts[one.decision]: one for seat in self.people for one in self.review(seen(seat), order.index(seat))}
        hole = table.tables["hole"][0].tolist()
        self.hands.append(
            FinishedHand(
                self.number, tuple(events_json(events)), tuple(table.won),
                tuple(float(chips) for chips in adjusted_chips(table.tables, key)), table.explanation,
                {place: one.ev_loss for place, one in odds.items()}, odds,
                tuple(tuple(card_names(hole[2 * seat : 2 * seat + 2])) for seat in range(table.seats)),
                phh=lambda seat: phh_text(seen(seat)),
            )
        )  # fmt: skip

    def look(self, seat: int) -> dict[str, Any]:
        """All that a seat may know now."""
        if self.number == 0:
            return {"hand": 0, "over": True, "events": [], "turn": None, "cards": {}, "actions": []}
        view, over = self.table.view(seat), self.turn == NOBODY
        cards = known_cards(self, self.hands[-1], seat) if over else {str(seat): card_names(view.hole)}
        if self._events_json[0] != len(self.table.events):
            self._events_json = (len(self.table.events), events_json(self.table.events))
        return {
            "hand": self.number,
            "over": over,
            "events": self._events_json[1],
            "turn": None if over else self.turn,
            "cards": cards,
            "actions": choices_of(view),
            "to_call": view.to_call,
            "pot": view.pot,
            "big_blind": view.big_blind,
            **(costs_json(self.hands[-1], seat) if over else {}),
        }

    def score(self, seat: int) -> dict[str, Any]:
        """What a seat has won so far, in units a hand, plainly and with the luck of the last cards taken out, and what
        it gave away where the odds tell.

        The intervals hold whenever the person stops, since nobody decides that beforehand.
        """
        most, per_unit = chips_at_stake(self.game, self.table.seats), self.game.chips_per_unit
        bounds = -most, most * (self.table.seats - 1)
        kinds = {"played": [hand.won[seat] for hand in self.hands], "adjusted": [h.expected[seat] for h in self.hands]}
        found = score_of(self.hands, seat, self.unit)
        if not self.hands:
            return found
        odds = [one for hand in self.hands for one in costs_of(hand, seat).values()]
        given = sum(one.ev_loss for one in odds)
        found |= {"ev_loss": given / per_unit / len(self.hands)}
        found |= {"odds": {"count": len(odds), "chips": given, "against": "any two cards"}}
        return found | {
            name: as_data(bounded_mean(np.array(chips, np.float64), bounds, per_unit, any_stop=True))
            for name, chips in kinds.items()
        }


def costs_of(hand: FinishedHand, seat: int) -> dict[int, DecisionCost]:
    """The seat's own decisions of which the odds tell, by their places; another's would tell of its cards."""
    return {place: one for place, one in hand.odds.items() if hand.events[place]["seat"] == seat}


def costs_json(hand: FinishedHand, seat: int) -> dict[str, Any]:
    """The same as plain data: what each gave away, and how that is known."""
    own = costs_of(hand, seat)
    return {
        "ev_loss": {str(place): one.ev_loss for place, one in own.items()},
        "odds": {str(place): one.as_dict() for place, one in own.items()},
    }


def score_of(hands: Sequence[FinishedHand], seat: int, unit: str) -> dict[str, Any]:
    """Hands and chips so far."""
    return {"hands": len(hands), "chips": sum(hand.won[seat] for hand in hands), "unit": unit}


def as_data(found: Estimate) -> dict[str, Any]:
    """An estimate as plain data."""
    return {"mean": found.mean, "low": found.low, "high": found.high, "n": found.n, "method": found.method}
