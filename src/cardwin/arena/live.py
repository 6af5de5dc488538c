"""One hold'em table at which Python players sit, compiled ones or both, with the cards and results of batch tables.

Between two Python decisions everything happens in one kernel call. Where somebody watches or a record is wanted, the
kernels write a log, which becomes the public events.
"""

from collections.abc import Callable, Sequence

import numpy as np

from cardwin.arena.dealer import CARDS, advance, open_hand
from cardwin.arena.referee import Referee
from cardwin.arena.runouts import Ints
from cardwin.errors import InputError
from cardwin.games.base import CHECK, FOLD, NOBODY, Action
from cardwin.games.holdem.events import Event, HandBegan, Joined, MatchBegan, events_of
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.log import ROWS_OF_ONE_ACTION, Log, new_log
from cardwin.games.holdem.rules import FINE, act, verify
from cardwin.games.holdem.state import action_code, refusal
from cardwin.games.holdem.table import SEATS, Tables
from cardwin.games.holdem.view import VIEW_SIZE, HoldemView, fill_view
from cardwin.kernel import kernel
from cardwin.players.base import CompiledForm
from cardwin.players.compiled import PYTHON, Parameters
from cardwin.players.registry import HoldemPlayer
from cardwin.rng import child

_PASSIVE = (CHECK, FOLD)
LOG_ROWS = 8 * ROWS_OF_ONE_ACTION


@kernel
def open_live(
    tables: Tables, cards: int, decisions: int, kinds: Ints, parameters: Parameters, rng: Ints, deck: Ints,
    forced: Ints, log: Log, row: Ints,
) -> None:  # fmt: skip
    """Begin a hand and play on to the first Python decision, whose view goes into row (VIEW_SIZE,)."""
    open_hand(tables[0], cards, decisions, rng, deck, forced, log)
    play_on(tables, kinds, parameters, rng, log, row)


@kernel
def play_on(tables: Tables, kinds: Ints, parameters: Parameters, rng: Ints, log: Log, row: Ints) -> None:
    """Play to the next Python decision, and write its view."""
    advance(tables[0], kinds, parameters, rng, log)
    fill_view(tables, max(tables[0].actor, 0), row)


@kernel
def act_live(
    tables: Tables, action: int, amount: int, kinds: Ints, parameters: Parameters, rng: Ints, log: Log, row: Ints
) -> int:
    """Do what a Python player chose, if it is legal, and play to the next Python decision."""
    reason = verify(tables[0], action, amount)
    if reason == FINE:
        act(tables[0], action, amount, log)
        play_on(tables, kinds, parameters, rng, log, row)
    return reason


def forms_of(players: Sequence[HoldemPlayer], in_python: bool = False) -> tuple[Ints, Parameters]:
    """The kinds (seats,) and parameters (seats, longest row) of players; PYTHON for those without a compiled form.

    Where nobody has parameters they are None.
    """
    forms: list[CompiledForm | None] = [None if in_python else getattr(player, "compiled", None) for player in players]
    kinds = np.array([PYTHON if form is None else form.kind for form in forms], np.int64)
    rows = [() if form is None else form.parameters for form in forms]
    if not any(rows):
        return kinds, None
    parameters = np.zeros((len(rows), max(map(len, rows))))
    for row, values in zip(parameters, rows, strict=True):
        row[: len(values)] = values
    return kinds, parameters


class LiveTable:
    """A table with players in its seats. `in_python` asks even those in Python who have a compiled form.

    With a referee nothing that a player does stops the hand; `who` are the referee's numbers of the players. Without
    one, an illegal action is an error. `tables` is a record (1,) to play on, if it should not be one of its own.
    """

    def __init__(self, game: HoldemGame, players: Sequence[HoldemPlayer], *, in_python: bool = False,
                 referee: Referee | None = None, who: Sequence[int] | None = None,
                 tables: Tables | None = None) -> None:  # fmt: skip
        self.game = game
        self.players = list(players)
        self.tables = game.tables(len(players)) if tables is None else tables
        self.referee = referee
        self.who = list(range(len(players)) if who is None else who)
        self.watchers: dict[int, Callable[[Event], None]] = {}
        self._in_python = in_python
        self._kinds, self._parameters = forms_of(players, in_python)
        self._rng = np.zeros((SEATS + 1, 2), np.int64)
        self._deck = np.zeros(52, np.int64)
        self.forced = np.zeros((2, SEATS), np.int64)
        self._row = np.zeros(VIEW_SIZE, np.int64)
        for seat in range(len(players)):
            self._welcome(seat)

    def _welcome(self, seat: int) -> None:
        """Tell a player, if it listens, that it sits among new opponents, and let it watch."""
        player = self.players[seat]
        if hasattr(player, "watch"):
            guarded = player.watch if self.referee is None else self.referee.watcher(self.who[seat], player.watch)
            self.watchers[seat] = guarded
            guarded(MatchBegan(len(self.players)))

    def sit(self, seat: int, player: HoldemPlayer, who: int) -> None:
        """Put a new player into a seat, and tell the others."""
        self.leave(seat)
        for watch in self.watchers.values():
            watch(Joined(seat))
        self.players[seat], self.who[seat] = player, who
        self._kinds, self._parameters = forms_of(self.players, self._in_python)
        self._welcome(seat)

    def leave(self, seat: int) -> None:
        """Tell the player of a seat no more."""
        self.watchers.pop(seat, None)

    def play(self, stacks: Sequence[int], button: int, key: int, *, decisions: int | None = None,
             record: list[Event] | None = None) -> list[int]:  # fmt: skip
        """One hand from stacks and a button; returns the chips that each seat won.

        Cards and decisions come from the key, or decisions from their own. The events go to `record` if it is given.
        """
        tables, seats = self.tables, len(self.players)
        tables["stack"][0, :seats] = stacks
        tables["button"] = button
        log = new_log(LOG_ROWS if self.watchers or record is not None else 1)
        self._announce(HandBegan(button, tuple(stacks), int(tables["big_blind"][0])), record)
        open_live(
            tables, child(key, CARDS), key if decisions is None else decisions, self._kinds, self._parameters,
            self._rng, self._deck, self.forced, log, self._row,
        )  # fmt: skip
        while True:
            self._tell(log, record)
            view = HoldemView(tuple(self._row.tolist()))
            seat = view.actor
            if seat == NOBODY:
                won: list[int] = (tables["stack"][0, :seats] - stacks).tolist()
                return won
            if self._kinds[seat] != PYTHON:
                play_on(tables, self._kinds, self._parameters, self._rng, log, self._row)
                continue
            self._decide(view, log)

    def _decide(self, view: HoldemView, log: Log) -> None:
        """Ask the player and do what it answers; where that cannot be done, blame it and check or fold instead."""
        seat = view.actor
        stream = self._rng[seat].copy()  # its own, with no way back to the others'
        act = self.players[seat].act
        if self.referee is None:
            self._take(view, act(view, stream), log)
        else:
            who = self.who[seat]
            action = self.referee.ask(who, act, view, stream)
            try:
                self._take(view, _PASSIVE[view.to_call > 0] if action is None else action, log)
            except InputError as error:
                self.referee.blame(who, str(error))
                self._take(view, _PASSIVE[view.to_call > 0], log)
            else:
                if action is not None:
                    self.referee.accept(who)
        self._rng[seat, 1] = stream[1]

    def _take(self, view: HoldemView, action: Action, log: Log) -> None:
        reason = act_live(
            self.tables, action_code(view, action), action.amount, self._kinds, self._parameters, self._rng, log,
            self._row,
        )  # fmt: skip
        if reason != FINE:
            raise refusal(view, action, reason)

    def _tell(self, log: Log, record: list[Event] | None) -> None:
        if len(log) > 1:
            for event in events_of(log, self.tables["board"][0].tolist()):
                self._announce(event, record)
            log[0, 0] = 0

    def _announce(self, event: Event, record: list[Event] | None) -> None:
        if record is not None:
            record.append(event)
        for seat, watch in self.watchers.items():
            watch(
                HandBegan(event.button, event.stacks, event.big_blind, seat) if isinstance(event, HandBegan) else event
            )
