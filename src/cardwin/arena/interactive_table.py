"""Interactive tables: hands dealt one after the other between people and players, each shown as one seat's view.

A table is dealt (`deal`), viewed (`look`) and played (`take`) by seat number. The result of `look` consists of
public events and the seat's own view only. `tables` opens tables, explains actions of finished hands, and takes hands
back.

`InteractiveTable` is the part that all games share; `HoldemTable` is that of hold'em, `small_table` that of small
games. Players have the same stack in every hand of hold'em, and the button moves on.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from cardwin.arena.hand_history import played_history
from cardwin.arena.live_table import LiveTable
from cardwin.arena.referee import Referee
from cardwin.arena.runouts import adjusted_chips
from cardwin.arena.stakes import chips_at_stake
from cardwin.arena.state_table import Table
from cardwin.core.display import number_duplicates
from cardwin.core.errors import InputError
from cardwin.core.rng import child, key_of, prf, stream_of
from cardwin.games.base import NOBODY, Action, Game
from cardwin.games.formats.phh import phh_text
from cardwin.games.holdem.events import Acted, Event, EventJson, HandBegan, MatchBegan, Shown, card_names, events_json
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.history import History
from cardwin.games.holdem.saved import seats_from
from cardwin.games.holdem.table import UNKNOWN
from cardwin.games.holdem.view import HoldemView, legal_choices
from cardwin.players.base import explanation_dict, explanation_of
from cardwin.players.coach import reason_for
from cardwin.players.compiled import players_of
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import PlayerBuilder, player
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
        """Return the cost as plain data.

        Returns:
            JSON by key.

        """


# Computes the cost of a seat's decisions, where this is possible, from a hand as the seat saw it.
Review = Callable[[History, int], Sequence[DecisionCost]]


def no_review(history: History, seat: int) -> Sequence[DecisionCost]:  # noqa: ARG001  the shape of a review
    """Return no costs: the default review."""
    return ()


@dataclass(frozen=True)
class FinishedHand:
    """A finished hand.

    Its events, what each seat won, the same with the all-in adjustment, the players' explanations by event index,
    people's EV losses by event index (in hold'em only if the odds determine them, with `odds` for the details), and the
    cards by seat.
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


class InteractiveTable(ABC):
    """A table at which people sit, with what all games share.

    Args:
        game: The game.
        specs: The players' specifications by seat, `person` for a person.
        seed: The seed of cards and decisions.
        open_cards: Whether all cards are shown after a hand.
        names: The names by which players are shown, by default their specifications.

    """

    unit: str
    table: Table

    def __init__(
        self, game: Game, specs: Sequence[str], seed: int, open_cards: bool = False, names: Sequence[str] | None = None
    ) -> None:
        self.game, self.open_cards, self.specs = game, open_cards, list(specs)
        self.names = number_duplicates(names or specs)
        self.hands: list[FinishedHand] = []
        self.number, self.key = 0, key_of(seed, "sitting")

    @property
    @abstractmethod
    def turn(self) -> int:
        """The seat to act, or NOBODY."""

    def deal(self) -> None:
        """Begin the next hand, up to the first decision of a person."""
        if self.turn != NOBODY:
            raise InputError(f"hand {self.number} is not over: finish it first")
        if self.number >= MOST_HANDS:
            raise InputError(f"{MOST_HANDS} hands were played here: open another table")
        self.number += 1
        self._begin()
        self._store_if_over()

    def take(self, seat: int, move: str) -> None:
        """Play the action of the person in a seat, and continue to the next person's turn or the end."""
        if self.turn != seat:
            raise InputError("the hand is over" if self.turn == NOBODY else f"it is {self.names[self.turn]}'s turn")
        self._take(seat, move)
        self._store_if_over()

    def _store_if_over(self) -> None:
        if self.turn == NOBODY:
            self.hands.append(self._finished_hand())

    def look(self, seat: int) -> dict[str, Any]:
        """Return everything that a seat may know now."""
        if self.number == 0:
            return {"hand": 0, "over": True, "events": [], "turn": None, "cards": {}, "actions": []}
        over = self.turn == NOBODY
        cards = known_cards(self, self.hands[-1], seat) if over else {str(seat): self._cards(seat)}
        position = {"hand": self.number, "over": over, "turn": None if over else self.turn, "cards": cards}
        return position | self._position(seat, over)

    def refuse_out_of_turn(self, seat: int) -> None:
        """Raise an error if the seat has nothing to decide now."""
        if self.turn != seat:
            raise InputError("a hint is for your turn: it is not your turn now")

    def score(self, seat: int) -> dict[str, Any]:
        """Return a seat's results so far: hands, chips, and means per hand with their intervals.

        The intervals are valid whenever the person stops, since that is not decided beforehand.
        """
        chips = sum(hand.won[seat] for hand in self.hands)
        score = {"hands": len(self.hands), "chips": chips, "unit": self.unit, "chips_per_unit": self._chips_per_unit}
        return score | self._means(seat) if self.hands else score

    @property
    def _chips_per_unit(self) -> float:
        return 1.0

    def _mean(self, chips: Sequence[float], bounds: tuple[float, float]) -> dict[str, Any]:
        """Return the mean of a seat's results in units per hand, with its interval."""
        values = np.array(chips, np.float64)
        return estimate_json(bounded_mean(values, bounds, self._chips_per_unit, any_stop=True))

    @abstractmethod
    def _begin(self) -> None:
        """Begin the hand of the present number."""

    @abstractmethod
    def _take(self, seat: int, move: str) -> None:
        """Play the action of the seat to act."""

    @abstractmethod
    def _finished_hand(self) -> FinishedHand:
        """Return the hand that has just ended."""

    @abstractmethod
    def _cards(self, seat: int) -> list[str]:
        """Return the cards of a seat."""

    @abstractmethod
    def _position(self, seat: int, over: bool) -> dict[str, Any]:
        """Return the events and the betting of the present hand as a seat knows them."""

    @abstractmethod
    def _means(self, seat: int) -> dict[str, Any]:
        """Return a seat's mean results and EV losses."""

    @abstractmethod
    def hint(self, seat: int, spec: str, name: str) -> dict[str, Any]:
        """Return advice for the person in a seat: exact, or the decision of the player of a specification."""

    @abstractmethod
    def replay(self, hand: FinishedHand, event: int, seat: int) -> "InteractiveTable":
        """Return a new table with a finished hand of this one, up to an event."""


def people_in(specs: Sequence[str]) -> list[int]:
    """Return the seats of people."""
    return [seat for seat, spec in enumerate(specs) if spec == PERSON]


def known_cards(table: InteractiveTable, hand: FinishedHand, seat: int) -> dict[str, list[str]]:
    """Return the cards of a finished hand that a seat may know, by seat."""
    seats = range(len(hand.cards))
    visible = seats if table.open_cards else [other for other in seats if other == seat or other in hand.shown]
    return {str(other): list(hand.cards[other]) for other in visible if hand.cards[other]}


def estimate_json(estimate: Estimate) -> dict[str, Any]:
    """Return an estimate as plain data."""
    return {name: getattr(estimate, name) for name in ("mean", "low", "high", "n", "method")}


class ExplainingTable(LiveTable):
    """A live table that stores the explanation of each action; all players but static ones are called in Python.

    If there are recorded actions in `repeated`, players first repeat them: each is called in Python as in the recorded
    hand, and its answer replaced.
    """

    def __init__(
        self,
        game: HoldemGame,
        players: Sequence[HoldemPlayer | None],
        referee: Referee,
        repeated: Sequence[Action] = (),
    ) -> None:
        self.explanations: dict[int, Any] = {}  # as the players returned them
        self.repeated = repeated
        forms = [None if repeated else getattr(player, "compiled", None) for player in players]
        static = [form if form and isinstance(form.kind, int) else None for form in forms]
        super().__init__(game, players, referee=referee, compiled=players_of(static))

    def _log_event(self, event: Event) -> None:
        super()._log_event(event)
        if isinstance(event, Acted) and self.players[event.seat] is not None:
            self.explanations[len(self.events) - 1] = copy(getattr(self.players[event.seat], "explain", dict)())

    def decide(self, player: HoldemPlayer, view: HoldemView) -> None:
        """Ask the player, and play the recorded action if there is one left."""
        if not self.repeated:
            super().decide(player, view)
            return
        stream = self.rng[view.actor].copy()
        player.act(view, stream)
        self.rng[view.actor, 1] = stream[1]
        self._do(view, self.next_repeated())

    def next_repeated(self) -> Action:
        """Take the next recorded action from the list."""
        action, self.repeated = self.repeated[0], self.repeated[1:]
        return action


class HoldemTable(InteractiveTable):
    """People and players at a table of hold'em; `review` computes the costs of people's decisions."""

    table: ExplainingTable

    def __init__(
        self,
        game: HoldemGame,
        specs: Sequence[str],
        seed: int,
        open_cards: bool = False,
        names: Sequence[str] | None = None,
        review: Review = no_review,
        repeated: Sequence[Action] = (),
    ) -> None:
        super().__init__(game, specs, seed, open_cards, names)
        self.rules, self.review, self.unit = game, review, game.unit
        seated = [None if spec == PERSON else PlayerBuilder(spec, IN_PROCESS)() for spec in specs]
        self.table = ExplainingTable(game, seated, Referee(specs), repeated)
        self.people = people_in(specs)
        self._events_json: tuple[int, list[EventJson]] = (-1, [])

    @property
    def turn(self) -> int:
        """The seat to act, or NOBODY."""
        return self.table.actor

    def _begin(self) -> None:
        seats = self.table.seats
        self.table.explanations = {}
        self.table.begin([self.rules.stack] * seats, (self.number - 1) % seats, child(self.key, self.number))

    def _take(self, seat: int, move: str) -> None:  # noqa: ARG002  it has the turn
        self.table.take(move)

    def replay(self, hand: FinishedHand, event: int, seat: int) -> "HoldemTable":  # noqa: ARG002  all are repeated
        """Return a new table with a finished hand of this one, up to an event."""
        acted = [played for played in hand.events[:event] if played["what"] == "acted"]
        repeated = [Action(played["action"], played["amount"]) for played in acted]
        analysis = HoldemTable(self.rules, self.specs, 0, self.open_cards, self.names, self.review, repeated)
        analysis.number, analysis.key = hand.number, self.key
        analysis._begin()
        while analysis.table.repeated and analysis.turn in analysis.people:
            analysis.table.take(analysis.table.next_repeated())
        analysis._store_if_over()
        return analysis

    def _finished_hand(self) -> FinishedHand:
        table, key = self.table, child(self.key, -self.number)
        events = list(table.events)
        history = played_history(table, events, self.names)
        shown = {event.seat for event in events if isinstance(event, Shown)}
        order = seats_from(int(table.tables["button"][0]), table.seats)

        def seen(seat: int) -> History:
            """Return the hand as the seat saw it."""
            known = (self.open_cards or other == seat or other in shown for other in order)
            hole = zip(known, history.hole, strict=True)
            return replace(history, hole=tuple(cards if known else (UNKNOWN, UNKNOWN) for known, cards in hole))

        actions = [index for index, event in enumerate(events) if isinstance(event, Acted)]
        costs = (cost for seat in self.people for cost in self.review(seen(seat), order.index(seat)))
        odds = {actions[cost.decision]: cost for cost in costs}
        return FinishedHand(
            self.number,
            tuple(events_json(events)),
            tuple(table.won),
            tuple(float(chips) for chips in adjusted_chips(table.tables, key)),
            {index: explanation_dict(explanation) for index, explanation in table.explanations.items()},
            {index: cost.ev_loss for index, cost in odds.items()},
            odds,
            tuple(tuple(card_names(table.hole(seat))) for seat in range(table.seats)),
            phh=lambda seat: phh_text(seen(seat)),
        )

    def _cards(self, seat: int) -> list[str]:
        return card_names(self.table.hole(seat))

    def _position(self, seat: int, over: bool) -> dict[str, Any]:
        view = self.table.view(seat)
        if self._events_json[0] != len(self.table.events):
            self._events_json = (len(self.table.events), events_json(self.table.events))
        return {
            "events": self._events_json[1],
            "actions": legal_choices(view),
            "to_call": view.to_call,
            "pot": view.pot,
            "big_blind": view.big_blind,
            **(costs_json(self.hands[-1], seat) if over else {}),
        }

    def hint(self, seat: int, spec: str, name: str) -> dict[str, Any]:
        """Return the decision of the player of a specification in the seat of the person who is to act.

        The player receives the public events of this hand and the seat's view: hidden cards are not in it. It knows
        nothing of earlier hands.
        """
        self.refuse_out_of_turn(seat)
        adviser, view = player(spec), self.table.view(seat)
        watch = getattr(adviser, "watch", None)
        if watch is not None:
            watch(MatchBegan(self.table.seats))
            for event in self.table.events:
                watch(replace(event, you=seat) if isinstance(event, HandBegan) else event)
        action = adviser.act(view, stream_of(prf(key_of(self.number, "hint"), len(self.table.events))))
        reason = reason_for(name, action.name, explanation_of(adviser), card_names(view.hole))
        text = f"{name} would {action}" + (f": {reason}." if reason else "; it does not say why.")
        return {"exact": False, "player": name, "move": str(action), "choices": [], "text": text}

    @property
    def _chips_per_unit(self) -> float:
        return self.rules.chips_per_unit

    def _means(self, seat: int) -> dict[str, Any]:
        """Return the mean results, without and with the all-in adjustment, and the EV loss if odds determine it."""
        stake, per_unit = chips_at_stake(self.rules, self.table.seats), self._chips_per_unit
        bounds = -stake, stake * (self.table.seats - 1)
        odds = [cost for hand in self.hands for cost in costs_of(hand, seat).values()]
        lost = sum(cost.ev_loss for cost in odds)
        return {
            "ev_loss": lost / per_unit / len(self.hands),
            "odds": {"count": len(odds), "chips": lost, "against": "any two cards"},
            "played": self._mean([hand.won[seat] for hand in self.hands], bounds),
            "adjusted": self._mean([hand.expected[seat] for hand in self.hands], bounds),
        }


def costs_of(hand: FinishedHand, seat: int) -> dict[int, DecisionCost]:
    """Return the seat's own decisions whose cost the odds determine, by event index; others' would reveal cards."""
    return {index: cost for index, cost in hand.odds.items() if hand.events[index]["seat"] == seat}


def costs_json(hand: FinishedHand, seat: int) -> dict[str, Any]:
    """Return the same as plain data: the EV loss of each decision, and its computation."""
    costs = costs_of(hand, seat)
    return {
        "ev_loss": {str(index): cost.ev_loss for index, cost in costs.items()},
        "odds": {str(index): cost.as_dict() for index, cost in costs.items()},
    }
