"""A hold'em table that plays one hand at a time and stops at every decision that is not compiled.

1. `begin` starts a hand from stacks, a button and a key, and advances.
2. Compiled players play between two stops, in one kernel call; Python players in the seats are called here.
3. If a seat has no player (a person at a page, another protocol, a learning environment) the table stops: read
   `turn`, decide, `take` an action, and it continues.

`state_table` is the table of small games, and has the protocol of both.

With the same key, stacks, button and actions a hand is the same as in batch play.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwin.arena.engine import CARDS, CORRECTIONS, DealScratch, advance, apply_decision, begin_hand
from cardwin.arena.recorded_hands import HandPlace, HandRecorder, RecordedHand
from cardwin.arena.referee import DecisionPlace, Referee
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, prf
from cardwin.games.base import CHECK, FOLD, NOBODY, Action
from cardwin.games.holdem.events import (
    ROWS_OF_ONE_ACTION,
    Dealt,
    Event,
    HandBegan,
    Joined,
    MatchBegan,
    events_of,
    is_action,
    new_log,
)
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.hooks import PYTHON, Players
from cardwin.games.holdem.rules import FINE, read_betting, verify, write_betting
from cardwin.games.holdem.table import MAX_CHIPS, SEATS, Tables
from cardwin.games.holdem.view import (
    ACTOR,
    CODES,
    STACKS,
    STARTS,
    VIEW_SIZE,
    HoldemView,
    fill_view,
    invalid_action,
    read_move,
)
from cardwin.players.compiled import CompiledPlayers, Slot, compiled_players
from cardwin.players.kind import HoldemPlayer

if TYPE_CHECKING:
    from cardwin.arena.corrections import Corrections

SCHEMA = 1
LOG_ROWS = 8 * ROWS_OF_ONE_ACTION
BEGIN, CONTINUE = -2, -1  # arguments of `play_on` besides the rules' actions
_PASSIVE = (CHECK, FOLD)

# Structures as plain tuples: calls from Python then dispatch three times as fast.
Plain = tuple[Any, ...]


@kernel
def play_on(
    tables: Tables,
    action: int,
    amount: int,
    player_ids: Ints,
    players: Plain,
    scratch: Plain,
    cards: int,
    decisions: int,
    row: Ints,
) -> int:
    """Begin a hand, continue, or play the actor's action, and advance to the next stop.

    The actor's view is written into row (VIEW_SIZE,). Returns FINE, or the rule that forbids the action.
    """
    t, compiled, dealt = tables[0], Players(*players), DealScratch(*scratch)
    if action == BEGIN:
        begin_hand(t, player_ids, compiled, cards, decisions, dealt)
    elif action != CONTINUE:
        reason = verify(t, action, amount)
        if reason != FINE:
            return reason
        write_betting(t, apply_decision(t, read_betting(t), player_ids, compiled, action, amount, dealt))
    advance(t, player_ids, compiled, dealt)
    fill_view(tables, max(t.actor, 0), row)
    return FINE


def check_players(game: HoldemGame, players: Sequence[HoldemPlayer | None], seats: int) -> None:
    """Raise the InputError of a player that cannot play this game with this number of seats."""
    for player in players:
        check = getattr(player, "check_table", None)
        if check is not None:
            check(game, seats)


def announce_match(players: Sequence[HoldemPlayer | None], seats: int) -> None:
    """Announce a new match to watching players that kernels will play, since kernels send no events."""
    for player in players:
        watch = getattr(player, "watch", None)
        if watch is not None and hasattr(player, "compiled"):
            watch(MatchBegan(seats))


class LiveTable:
    """One table and its players by seat, None if decisions come from outside.

    `in_python` calls even players with a compiled form in Python. With a referee no fault of a player stops the
    hand; without one, an illegal action is an error.

    A tournament of several tables gives them one shared `compiled` structure of all players, and each its record
    `tables` (1,) and the row `numbers` of the players that sit there, by which the referee knows them.
    """

    def __init__(
        self,
        game: HoldemGame,
        players: Sequence[HoldemPlayer | None],
        *,
        in_python: bool = False,
        referee: Referee | None = None,
        tables: Tables | None = None,
        compiled: CompiledPlayers | None = None,
        numbers: Ints | None = None,
    ) -> None:
        self.game, self.players, self.referee = game, list(players), referee
        self.player_ids: list[int] = list(range(len(players))) if numbers is None else numbers[: len(players)].tolist()
        check_players(game, players, len(players))
        if compiled is None:
            if not in_python:
                announce_match(players, len(players))
            compiled = compiled_players(players, in_python, live=True)
        self.compiled = compiled
        self.tables = game.tables(len(players)) if tables is None else tables
        self.seats = int(self.tables["seats"][0])
        self.numbers = np.arange(self.seats) if numbers is None else numbers
        self.rng = np.zeros((SEATS + 1, 2), np.int64)  # streams by seat
        self.events: list[Event] = []  # of this hand, public, in order
        self.recorder: HandRecorder | None = None
        self.location: HandPlace = (0, 0, 0)  # of the hand, for the recorder
        self._actions: list[tuple[int, int, int]] = []
        self._is_logged = False
        self.public_ids: Sequence[int] = ()  # each player's number for the others, if seats are drawn
        self.watchers: dict[int, Callable[[Any], None]] = {}  # of events, and of cards where a player asks for them
        self._row = np.zeros(VIEW_SIZE, np.int64)
        self._row[ACTOR] = NOBODY
        self.forced = np.zeros((2, SEATS), np.int64)  # antes and blinds of this hand
        self._deck, self._next_bits = np.zeros(52, np.int64), np.zeros(SEATS, np.int64)
        self.corrections: Corrections | None = None
        self._players: Plain = tuple(compiled.arrays)
        self._rows = np.zeros((len(compiled.slots), SEATS), np.int64)
        self._keep_log(False)
        self._began: dict[str, Any] = {}
        for seat in range(len(players)):
            self._register_watch(seat)

    def correct(self, weights: Floats) -> None:
        """Correct the results of the next hands by the weights of a value function (see `corrections`)."""
        from cardwin.arena.corrections import CORRECTIONS as CORRECTIONS_KIND
        from cardwin.arena.corrections import new_corrections

        self.corrections = new_corrections(weights, self.compiled.arrays_with_probabilities, np.zeros(1, np.int64))
        compiled = self.compiled.observed_by(Slot(CORRECTIONS_KIND, self.corrections))
        self._players = tuple(compiled.arrays)
        self._rows = np.zeros((len(compiled.slots), SEATS), np.int64)
        self._keep_log(False)

    def _keep_log(self, wanted: bool) -> None:
        """Give kernels a log of this hand's events, or none."""
        self._log = new_log(LOG_ROWS if wanted else 1)
        self._scratch: Plain = (self.rng, self._next_bits, self._deck, self.forced, self._log, self._rows)

    def _play_on(self, action: int, amount: int = 0, cards: int = 0, decisions: int = 0) -> int:
        return play_on(
            self.tables, action, amount, self.numbers, self._players, self._scratch, cards, decisions, self._row
        )

    # --- views

    @property
    def actor(self) -> int:
        """The seat to act, or NOBODY if the hand is over."""
        return int(self._row[ACTOR])

    def view(self, seat: int) -> HoldemView:
        """Return what a seat may know."""
        if not 0 <= seat < self.seats:
            raise InputError(f"no seat {seat}: this table's seats are 0 to {self.seats - 1}")
        row = np.empty(VIEW_SIZE, np.int64)
        fill_view(self.tables, seat, row)
        return HoldemView(tuple(row.tolist()))

    def hole(self, seat: int) -> tuple[int, ...]:
        """Return a seat's two cards: for the dealer; players get views."""
        return tuple(self.tables["hole"][0, 2 * seat : 2 * seat + 2].tolist())

    @property
    def turn(self) -> HoldemView:
        """The view of the seat to act; its `actor` is NOBODY if the hand is over."""
        return HoldemView(tuple(self._row.tolist()))

    @property
    def won(self) -> list[int]:
        """The chips that each seat won, once the hand is over."""
        if self.actor != NOBODY:
            raise InputError("the hand is not over: results are known at the end")
        row = self._row.tolist()
        return [row[STACKS + seat] - row[STARTS + seat] for seat in range(self.seats)]

    # --- seats

    def _register_watch(self, seat: int) -> None:
        """Notify a watching Python player that it sits among new opponents, and register its `watch`."""
        watch = getattr(self.players[seat], "watch", None)
        if watch is not None and self.compiled.kinds[self.numbers[seat]] == PYTHON:
            guarded = watch if self.referee is None else self.referee.watcher(self.player_ids[seat], watch)
            self.watchers[seat] = guarded
            guarded(MatchBegan(len(self.players)))

    def reseat(self, order: Ints) -> None:
        """Move the players of a match to other seats: order (seats,) has their original numbers."""
        by_number = dict(zip(self.player_ids, self.players, strict=True))
        watching = {self.player_ids[seat]: watch for seat, watch in self.watchers.items() if seat >= 0}
        others = {seat: watch for seat, watch in self.watchers.items() if seat < 0}
        self.player_ids = order.tolist()
        self.players = [by_number[player] for player in self.player_ids]
        self.numbers[: len(order)] = order
        self.watchers = others | {
            seat: watching[player] for seat, player in enumerate(self.player_ids) if player in watching
        }

    def sit(self, seat: int, player: HoldemPlayer, player_id: int) -> None:
        """Put a new player into a seat, and notify the others."""
        self.leave(seat)
        for watch in self.watchers.values():
            watch(Joined(seat))
        self.players[seat], self.player_ids[seat] = player, player_id
        self._register_watch(seat)

    def leave(self, seat: int) -> None:
        """Stop notifying the player of a seat."""
        self.watchers.pop(seat, None)
        self.players[seat], self.player_ids[seat] = None, -1

    # --- begin and continue

    def play(
        self,
        stacks: Sequence[int],
        button: int,
        key: int,
        *,
        decisions: int | None = None,
        record: list[Event] | None = None,
    ) -> list[int]:
        """Play one hand from stacks and a button; return the chips that each seat won. Add its events to `record`."""
        self.begin(stacks, button, key, decisions=decisions, logged=bool(self.watchers) or record is not None)
        if self.actor != NOBODY:
            raise InputError(f"seat {self.actor} has no player: begin the hand, and take the seat's actions")
        if record is not None:
            record += self.events
        return self.end()

    def end(self) -> list[int]:
        """Return the chips that each seat won in a hand that is over; record the hand if there is a recorder."""
        if self.recorder is not None:
            self.recorder.hands.append(self._recorded())
        return self.won

    def _recorded(self) -> RecordedHand:
        """Return the hand that has ended."""
        hole, board = self.tables["hole"][0, : 2 * self.seats], self.tables["board"][0]
        return RecordedHand(
            self.location,
            self._began["button"],
            tuple(self.player_ids),
            tuple(self._began["stacks"]),
            tuple(hole.tolist()),
            tuple(board.tolist()),
            tuple(self._actions),
        )

    def begin(
        self,
        stacks: Sequence[int],
        button: int,
        key: int,
        *,
        decisions: int | None = None,
        logged: bool = True,
        ask: bool = True,
    ) -> None:
        """Begin a hand from stacks and a button, up to the turn of a seat without a player, or to its end.

        Cards and decisions come from the key, or decisions from their own key. Without `logged` there are no events.
        Without `ask` it stops at the first turn of any Python player, whose answer `put` plays.
        """
        if len(stacks) != self.seats or min(stacks) < 0 or max(stacks) > MAX_CHIPS or not 0 <= button < self.seats:
            raise InputError(
                f"expected {self.seats} stacks of 0 to {MAX_CHIPS} chips and a button seat below {self.seats}, "
                f"got stacks {list(stacks)} and button {button}"
            )
        decisions = key if decisions is None else decisions
        self._began = {"stacks": list(stacks), "button": button, "key": key, "decisions": decisions, "actions": []}
        if self.compiled.remember:
            self._began["memory"] = self.compiled.saved_memory()
        if self.corrections is not None:
            self.corrections.keys[0], self.corrections.hand[0] = prf(decisions, CORRECTIONS), 0
        self.tables["stack"][0, : self.seats] = stacks
        self.tables["button"] = button
        self.events, self._actions, self._is_logged = [], [], logged
        wanted = logged or self.recorder is not None
        if wanted or len(self._log) > 1:
            self._keep_log(wanted)
        if logged:
            known = tuple(self.public_ids[player] for player in self.player_ids) if self.public_ids else ()
            self._log_event(HandBegan(button, tuple(stacks), int(self.tables["big_blind"][0]), players=known))
        self._play_on(BEGIN, cards=prf(key, CARDS), decisions=decisions)
        if logged:
            self._send_cards()
        if len(self._log) > 1:
            self._catch_up()
        if ask:
            self._ask()

    def take(self, move: Action | str) -> None:
        """Play the action of the seat to act, and continue to the next seat without a player."""
        action = self._do(self.turn, move)
        self._began["actions"].append([action.name, action.amount])
        self._ask()

    def _do(self, view: HoldemView, move: Action | str) -> Action:
        action = read_move(view, move)
        if self.corrections is not None:
            chances = getattr(self.players[view.actor], "chances", None)
            self.corrections.chances[:3] = 0.0 if chances is None else chances(view)
        reason = self._play_on(CODES[action.name], action.amount)
        if reason != FINE:
            raise invalid_action(view, action, reason)
        if len(self._log) > 1:
            self._catch_up()
        return action

    def _catch_up(self) -> None:
        """Send events, and continue if only the log was full."""
        self._log_events()
        while (seat := int(self._row[ACTOR])) != NOBODY and self.compiled.kinds[self.numbers[seat]] != PYTHON:
            self._play_on(CONTINUE)
            self._log_events()

    def _log_events(self) -> None:
        """Record the actions and send the events in the kernels' log."""
        if self.recorder is not None:
            rows = self._log[1 : self._log[0, 0] + 1].tolist()
            self._actions += [(row[1], row[0], row[4]) for row in rows if is_action(row)]
        if self._is_logged:
            for event in events_of(self._log, self.tables["board"][0].tolist()):
                self._log_event(event)
        self._log[0, 0] = 0

    def _ask(self) -> None:
        while (view := self.turn).actor != NOBODY:
            player = self.players[view.actor]
            if player is None:
                return
            self.decide(player, view)

    def decide(self, player: HoldemPlayer, view: HoldemView) -> None:
        """Call the player and play its answer; if that is not possible, record a fault and check or fold instead."""
        stream = self.rng[view.actor].copy()  # a copy of its own, from which the others cannot be derived
        if self.referee is None:
            action = player.act(view, stream)
            self.rng[view.actor, 1] = stream[1]
            self._do(view, action)
            return
        self.put(self.referee.ask(self.player_ids[view.actor], player.act, view, stream), view, stream, self.referee)

    def put(
        self,
        answer: Action | None,
        view: HoldemView,
        stream: Stream,
        referee: Referee,
        location: DecisionPlace | None = None,
    ) -> None:
        """Play an answer that the referee has received, None if none came; `location` is for one question of many."""
        player_id = self.player_ids[view.actor]
        self.rng[view.actor, 1] = stream[1]
        try:
            self._do(view, _PASSIVE[view.to_call > 0] if answer is None else answer)
        except InputError as error:
            referee.record_fault(player_id, str(error), location)
            self._do(view, _PASSIVE[view.to_call > 0])
        else:
            if answer is not None:
                referee.accept(player_id)

    def _log_event(self, event: Event) -> None:
        """Store a public event and send it to those who watch."""
        self.events.append(event)
        for seat, watch in self.watchers.items():
            watch(replace(event, you=seat) if isinstance(event, HandBegan) else event)

    def _send_cards(self) -> None:
        """Notify the players that ask for it (`sees_cards`) of their own cards."""
        for seat, watch in self.watchers.items():
            if seat >= 0 and getattr(self.players[seat], "sees_cards", False):
                watch(Dealt(self.hole(seat)))

    # --- save and load

    def save(self) -> str:
        """Return the hand as JSON: its start and the decisions from outside. It contains the cards' key."""
        return json.dumps(
            {"schema": SCHEMA, "game": self.game.name, "seats": self.seats, **self._began}, default=np.ndarray.tolist
        )

    def load(self, text: str) -> None:
        """Restore a saved hand, at a table of the same game and players, by replaying it."""
        try:
            saved = json.loads(text)
            if (saved["schema"], saved["game"], saved["seats"]) != (SCHEMA, self.game.name, self.seats):
                raise InputError(f"this hand was not saved at a table of {self.game.name} with {self.seats} seats")
            stacks, button = [int(stack) for stack in saved["stacks"]], int(saved["button"])
            key, decisions = int(saved["key"]), int(saved["decisions"])
            actions = [Action(str(name), int(amount)) for name, amount in saved["actions"]]
            if self.compiled.remember:
                self.compiled.load_memory(saved["memory"])
        except InputError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"invalid saved hand: {error}") from None
        self.begin(stacks, button, key, decisions=decisions)
        for action in actions:
            self.take(action)
