"""A table that stops wherever somebody outside has to decide: begin a hand, look, take an action, go on.

Whoever has a compiled form plays between two stops, in one kernel call. What a page, a dealer of another protocol, a
learning environment or a person needs is here: whose turn it is, what each seat may know, what everybody has seen.
With the same key, stacks, button and actions a hand is the same as at batch tables.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from cardwin.arena.engine import CARDS, DealScratch, Ints, play_hand, play_on
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.prf import prf
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem.events import Event, HandBegan, events_of
from cardwin.games.holdem.game import MOST_CHIPS, HoldemGame
from cardwin.games.holdem.log import ROWS_OF_ONE_ACTION, Log, new_log
from cardwin.games.holdem.moves import CODES, read_move, refusal
from cardwin.games.holdem.rules import FINE, move, to_call, verify
from cardwin.games.holdem.table import SEATS, Tables
from cardwin.games.holdem.view import ACTOR, STACKS, STARTS, VIEW_SIZE, HoldemView, fill_view
from cardwin.players.compiled import Players, observe
from cardwin.players.kinds import PYTHON
from cardwin.players.network.networks import note_aggression

SCHEMA = 1
LOG_ROWS = 8 * ROWS_OF_ONE_ACTION


# Structures as plain tuples, which a call from Python recognises three times as fast.
Plain = tuple[Any, ...]


@kernel
def open_paused(
    tables: Tables, who: Ints, players: Plain, cards: int, decisions: int, scratch: Plain, log: Log, row: Ints
) -> None:
    """Begin a hand and play on to the first stop; the view of whoever has the turn goes into row (VIEW_SIZE,)."""
    play_hand(tables[0], who, Players(*players), cards, decisions, DealScratch(*scratch), log)
    fill_view(tables, max(tables[0].actor, 0), row)


@kernel
def play_on_paused(tables: Tables, who: Ints, players: Plain, scratch: Plain, log: Log, row: Ints) -> None:
    """Play to the next stop, and write the view."""
    play_on(tables[0], who, Players(*players), DealScratch(*scratch), log)
    fill_view(tables, max(tables[0].actor, 0), row)


@kernel
def act_paused(
    tables: Tables, action: int, amount: int, who: Ints, players: Plain, scratch: Plain, log: Log, row: Ints
) -> int:
    """Do what was decided outside, if it is legal, and play to the next stop; FINE, or the rule that forbids it."""
    players = Players(*players)
    t = tables[0]
    reason = verify(t, action, amount)
    if reason == FINE:
        player, price, old_bet = who[t.actor], to_call(t, t.actor), t.current_bet
        move(t, action, amount, log)
        observe(players.learning, players.memory, player, action, price)
        note_aggression(players.networks, player, action, old_bet, amount, t.big_blind)
        play_on_paused(tables, who, players, scratch, log, row)
    return reason


class PausedTable:
    """One table. `players` are by number, and `numbers` (at least seats,) tell who sits in each seat; those of kind
    PYTHON are decided by `take`. `tables` is a record (1,) to play on, if it should not be one of its own.
    """

    def __init__(self, game: HoldemGame, players: Players, *, seats: int | None = None, numbers: Ints | None = None,
                 tables: Tables | None = None) -> None:  # fmt: skip
        self.game = game
        self.compiled = players
        self.tables = game.tables(len(players.kinds) if seats is None else seats) if tables is None else tables
        self.seats = int(self.tables["seats"][0])
        self.numbers = np.arange(self.seats) if numbers is None else numbers
        # As `new_desk` makes it, without waiting for the compiler.
        self.scratch = DealScratch(
            np.zeros((SEATS + 1, 2), np.int64), np.zeros(52, np.int64), np.zeros((2, SEATS), np.int64)
        )
        self._players, self._scratch = tuple(players), tuple(self.scratch)
        self.events: list[Event] = []  # of this hand, public, in order
        self._row = np.zeros(VIEW_SIZE, np.int64)
        self._row[ACTOR] = NOBODY
        self._log = new_log()
        self._began: dict[str, Any] = {}

    # --- look

    @property
    def actor(self) -> int:
        """The seat that has to decide, or NOBODY where the hand is over."""
        return int(self._row[ACTOR])

    def view(self, seat: int) -> HoldemView:
        """What a seat may know."""
        if not 0 <= seat < self.seats:
            raise InputError(f"no seat {seat}: this table's seats are 0 to {self.seats - 1}")
        row = np.empty(VIEW_SIZE, np.int64)
        fill_view(self.tables, seat, row)
        return HoldemView(tuple(row.tolist()))

    @property
    def turn(self) -> HoldemView:
        """What the seat that has to decide may know; its `actor` is NOBODY where the hand is over."""
        return HoldemView(tuple(self._row.tolist()))

    @property
    def won(self) -> list[int]:
        """The chips that each seat won, once the hand is over."""
        if self.actor != NOBODY:
            raise InputError("the hand is not over: nobody has won anything yet")
        row = self._row.tolist()
        return [row[STACKS + seat] - row[STARTS + seat] for seat in range(self.seats)]

    # --- begin and go on

    def begin(self, stacks: Sequence[int], button: int, key: int, *, decisions: int | None = None,
              logged: bool = True) -> None:  # fmt: skip
        """A new hand from stacks and a button, up to the first stop.

        Cards and decisions come from the key, or decisions from their own. Without `logged` there are no events.
        """
        if len(stacks) != self.seats or min(stacks) < 0 or max(stacks) > MOST_CHIPS or not 0 <= button < self.seats:
            raise InputError(
                f"stacks {list(stacks)}, button {button}: {self.seats} seats have chips, and one the button"
            )
        decisions = key if decisions is None else decisions
        self._began = {"stacks": list(stacks), "button": button, "key": key, "decisions": decisions, "actions": []}
        if self.compiled.memory is not None and self.compiled.parameters is not None:
            self._began["memory"] = self.compiled.memory.tolist()
            self._began["parameters"] = self.compiled.parameters.tolist()
        if self.compiled.networks is not None:
            self._began["networks"] = self.compiled.networks.memory.copy()
        self.tables["stack"][0, : self.seats] = stacks
        self.tables["button"] = button
        self.events = []
        self._log = new_log(LOG_ROWS if logged else 1)
        if logged:
            self._tell(HandBegan(button, tuple(stacks), int(self.tables["big_blind"][0])))
        open_paused(
            self.tables, self.numbers, self._players, prf(key, CARDS), decisions, self._scratch, self._log, self._row
        )
        if logged:
            self._catch_up()

    def take(self, move: Action | str) -> None:
        """Do what the seat that has the turn decided, and play on to the next stop; an illegal action is refused."""
        action = self._do(self.turn, move)
        self._began["actions"].append([action.name, action.amount])

    def _do(self, view: HoldemView, move: Action | str) -> Action:
        action = read_move(view, move)
        code, amount = CODES[action.name], action.amount
        reason = act_paused(self.tables, code, amount, self.numbers, self._players, self._scratch, self._log, self._row)
        if reason != FINE:
            raise refusal(view, action, reason)
        if len(self._log) > 1:
            self._catch_up()
        return action

    def _catch_up(self) -> None:
        """Tell what happened, and play on where only the log had no room left."""
        self._tell_log()
        while (seat := int(self._row[ACTOR])) != NOBODY and self.compiled.kinds[self.numbers[seat]] != PYTHON:
            play_on_paused(self.tables, self.numbers, self._players, self._scratch, self._log, self._row)
            self._tell_log()

    def _tell_log(self) -> None:
        for event in events_of(self._log, self.tables["board"][0].tolist()):
            self._tell(event)
        self._log[0, 0] = 0

    def _tell(self, event: Event) -> None:
        """Something happened that everybody sees."""
        self.events.append(event)

    # --- save and load

    def save(self) -> str:
        """The hand as JSON: how it began, and what was decided outside. Its cards follow from the key, so keep it."""
        return json.dumps(
            {"schema": SCHEMA, "game": self.game.name, "seats": self.seats, **self._began}, default=np.ndarray.tolist
        )

    def load(self, text: str) -> None:
        """Come to where a hand was saved, at a table of the same game and players, by playing it again."""
        try:
            saved = json.loads(text)
            if (saved["schema"], saved["game"], saved["seats"]) != (SCHEMA, self.game.name, self.seats):
                raise InputError(f"this hand was not saved at a table of {self.game.name} with {self.seats} seats")
            stacks, button = [int(stack) for stack in saved["stacks"]], int(saved["button"])
            key, decisions = int(saved["key"]), int(saved["decisions"])
            actions = [Action(str(name), int(amount)) for name, amount in saved["actions"]]
            if self.compiled.memory is not None and self.compiled.parameters is not None:
                self.compiled.memory[:], self.compiled.parameters[:] = saved["memory"], saved["parameters"]
            if self.compiled.networks is not None:
                self.compiled.networks.memory[:] = saved["networks"]
        except InputError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"this is no saved hand: {error}") from None
        self.begin(stacks, button, key, decisions=decisions)
        for action in actions:
            self.take(action)
