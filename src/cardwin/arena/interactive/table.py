"""Interactive tables: hands dealt one after the other between people and players, each shown as one seat's view.

A table is dealt (`deal`), viewed (`look`) and played (`take`) by seat number. The result of `look` consists of
public events and the seat's own view only. When a hand is over, `why` explains a player's action: for all players
if cards are shown at the end (`open_cards`), otherwise for those who showed.
All players have the same stack in every hand, and the button moves on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from cardwin.arena.hand_history import played_history
from cardwin.arena.interactive.hints import holdem_hint
from cardwin.arena.live_table import LiveTable
from cardwin.arena.referee import Referee
from cardwin.arena.runouts import adjusted_chips
from cardwin.arena.stakes import chips_at_stake
from cardwin.core.display import number_duplicates
from cardwin.core.errors import InputError
from cardwin.core.rng import child, key_of
from cardwin.games.base import NOBODY
from cardwin.games.formats.phh import phh_text
from cardwin.games.holdem.events import Acted, Event, EventJson, Shown, card_names, events_json
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.history import History
from cardwin.games.holdem.saved import seats_from
from cardwin.games.holdem.table import UNKNOWN
from cardwin.games.holdem.view import legal_choices
from cardwin.players.base import explanation_of
from cardwin.players.coach import sentence
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import PlayerBuilder
from cardwin.players.specs import IN_PROCESS
from cardwin.stats.intervals import Estimate, bounded_mean

PERSON = "person"
MOST_HANDS = 100_000


class DecisionCost(Protocol):
    """The cost of one decision of a hand (see `analysis.ev_loss`); `decision` counts the hand's actions from 0."""

    @property
    def decision(self) -> int:
        """The index of the action in the hand."""

    @property
    def ev_loss(self) -> float:
        """Chips lost against the better choice."""

    def as_dict(self) -> dict[str, Any]:
        """The cost as plain data."""


# From a hand as one seat saw it and that seat, the cost of its decisions where it can be computed.
Review = Callable[[History, int], Sequence[DecisionCost]]


def no_review(history: History, seat: int) -> Sequence[DecisionCost]:  # noqa: ARG001  the shape of a review
    """The default review: none."""
    return ()


@dataclass(frozen=True)
class FinishedHand:
    """A finished hand: its events, what each seat won, the same with the all-in adjustment, the players' explanations
    by event index, people's EV losses by event index (in hold'em only where the odds determine them, with
    `odds` for the details), and the cards by seat.
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
        """The seats whose cards were shown to all."""
        return {event["seat"] for event in self.events if event["what"] == "shown"}


class InteractiveTable(Protocol):
    """A table of any game at which people sit."""

    open_cards: bool
    names: list[str]
    specs: list[str]
    unit: str
    hands: list[FinishedHand]

    @property
    def turn(self) -> int:
        """The seat to act, or NOBODY."""

    def deal(self) -> None:
        """Begin the next hand."""

    def take(self, seat: int, move: str) -> None:
        """Play the action of the person in a seat."""

    def look(self, seat: int) -> dict[str, Any]:
        """Everything that a seat may know now."""

    def hint(self, seat: int, spec: str, name: str) -> dict[str, Any]:
        """Advice for the person in a seat: exact, or what the player of a specification would do."""

    def score(self, seat: int) -> dict[str, Any]:
        """A seat's mean result per hand so far, with its interval."""


def people_in(specs: Sequence[str]) -> list[int]:
    """The seats of people."""
    return [seat for seat, spec in enumerate(specs) if spec == PERSON]


def why(table: InteractiveTable, seat: int, number: int, place: int) -> dict[str, Any]:
    """The explanation of an action of a finished hand, by the event's index, as far as the seat may know."""
    hand = next((one for one in table.hands if one.number == number), None)
    if hand is None:
        raise InputError(f"hand {number} is not over, or was never played: name a finished hand")
    if not 0 <= place < len(hand.events) or hand.events[place]["what"] != "acted":
        raise InputError(f"event {place} of hand {number} is no action: name an event that is one")
    actor = hand.events[place]["seat"]
    answer: dict[str, Any] = {"hand": number, "event": place, "seat": actor, "player": table.names[actor]}
    if place in hand.ev_loss and actor == seat:
        return answer | {"ev_loss": hand.ev_loss[place]}
    if place not in hand.explanation:
        return answer | {"explanation": {}}
    if not (table.open_cards or actor == seat or actor in hand.shown):
        raise InputError("its cards were not shown: open a table that shows all cards after a hand")
    event, held = hand.events[place], list(hand.cards[actor])
    said = sentence(table.names[actor], event["action"], event["amount"], hand.explanation[place], held)
    return answer | {"cards": held, "explanation": hand.explanation[place], "sentence": said}


def known_cards(table: InteractiveTable, hand: FinishedHand, seat: int) -> dict[str, list[str]]:
    """The cards of a finished hand that a seat may know, by seat."""
    everybody = range(len(hand.cards))
    seen = everybody if table.open_cards else [one for one in everybody if one == seat or one in hand.shown]
    return {str(one): list(hand.cards[one]) for one in seen if hand.cards[one]}


class ExplainingTable(LiveTable):
    """A live table that calls all players in Python and keeps the explanation of each action."""

    def __init__(self, game: HoldemGame, players: Sequence[HoldemPlayer | None], referee: Referee) -> None:
        self.explanation: dict[int, dict[str, Any]] = {}
        super().__init__(game, players, in_python=True, referee=referee)

    def _tell(self, event: Event) -> None:
        super()._tell(event)
        if isinstance(event, Acted) and self.players[event.seat] is not None:
            self.explanation[len(self.events) - 1] = explanation_of(self.players[event.seat])


class HoldemTable:
    """People and players at a table of hold'em. `specs` name the players by seat, `person` for a person."""

    def __init__(self, game: HoldemGame, specs: Sequence[str], seed: int, open_cards: bool = False,
                 names: Sequence[str] | None = None, review: Review = no_review) -> None:  # fmt: skip
        self.review, self.specs = review, list(specs)
        self.game, self.open_cards, self.unit = game, open_cards, game.unit
        self.names = number_duplicates(names or specs)
        self.hands: list[FinishedHand] = []
        self.number = 0
        self.key = key_of(seed, "sitting")
        seated = [None if spec == PERSON else PlayerBuilder(spec, IN_PROCESS)() for spec in specs]
        self.table = self._seat(seated)
        self.people = people_in(specs)
        self._events_json: tuple[int, list[EventJson]] = (-1, [])

    def _seat(self, seated: Sequence[HoldemPlayer | None]) -> ExplainingTable:
        return ExplainingTable(self.game, seated, Referee(self.specs))

    @property
    def turn(self) -> int:
        """The seat to act, or NOBODY."""
        return self.table.actor

    def deal(self) -> None:
        """Begin the next hand, up to the first decision of a person."""
        if self.turn != NOBODY:
            raise InputError(f"hand {self.number} is not over: finish it first")
        if self.number >= MOST_HANDS:
            raise InputError(f"{MOST_HANDS} hands were played here: open another table")
        seats = self.table.seats
        self.number += 1
        self.table.explanation = {}
        self.table.begin([self.game.stack] * seats, (self.number - 1) % seats, child(self.key, self.number))
        self._end_if_over()

    def take(self, seat: int, move: str) -> None:
        """Play the action of the person in a seat, and continue to the next person's turn or the end."""
        if self.turn != seat:
            raise InputError("the hand is over" if self.turn == NOBODY else f"it is {self.names[self.turn]}'s turn")
        self.table.take(move)
        self._end_if_over()

    def _end_if_over(self) -> None:
        if self.turn != NOBODY:
            return
        table, key = self.table, child(self.key, -self.number)
        events = list(table.events)
        history = played_history(table, events, self.names)
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
        """Everything that a seat may know now."""
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
            "actions": legal_choices(view),
            "to_call": view.to_call,
            "pot": view.pot,
            "big_blind": view.big_blind,
            **(costs_json(self.hands[-1], seat) if over else {}),
        }

    def hint(self, seat: int, spec: str, name: str) -> dict[str, Any]:
        """What the player of a specification would do in the seat of a person who is to act."""
        return holdem_hint(self.table, seat, self.number, spec, name)

    def score(self, seat: int) -> dict[str, Any]:
        """A seat's mean result in units per hand, without and with the all-in adjustment, and its EV loss
        where the odds determine it.

        The intervals are valid whenever the person stops, since that is not decided beforehand.
        """
        most, per_unit = chips_at_stake(self.game, self.table.seats), self.game.chips_per_unit
        bounds = -most, most * (self.table.seats - 1)
        kinds = {"played": [hand.won[seat] for hand in self.hands], "adjusted": [h.expected[seat] for h in self.hands]}
        found = score_of(self.hands, seat, self.unit) | {"chips_per_unit": per_unit}
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
    """The seat's own decisions whose cost the odds determine, by event index; those of others would reveal cards."""
    return {place: one for place, one in hand.odds.items() if hand.events[place]["seat"] == seat}


def costs_json(hand: FinishedHand, seat: int) -> dict[str, Any]:
    """The same as plain data: the EV loss of each, and how it was computed."""
    own = costs_of(hand, seat)
    return {
        "ev_loss": {str(place): one.ev_loss for place, one in own.items()},
        "odds": {str(place): one.as_dict() for place, one in own.items()},
    }


def score_of(hands: Sequence[FinishedHand], seat: int, unit: str) -> dict[str, Any]:
    """The number of hands and chips so far."""
    return {"hands": len(hands), "chips": sum(hand.won[seat] for hand in hands), "unit": unit}


def as_data(found: Estimate) -> dict[str, Any]:
    """An estimate as plain data."""
    return {"mean": found.mean, "low": found.low, "high": found.high, "n": found.n, "method": found.method}
