"""One table as a value: a window on its record. `apply` returns the next position and changes nothing."""

import json
from dataclasses import dataclass
from typing import Self

import numpy as np

from cardwin.cards.card import cards_text
from cardwin.errors import InputError
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem import rules
from cardwin.games.holdem.events import Event, events_of
from cardwin.games.holdem.log import ROWS_OF_ONE_ACTION, Log, new_log
from cardwin.games.holdem.rules import Chips
from cardwin.games.holdem.table import SEATS, TABLE, Table, Tables, new_tables
from cardwin.games.holdem.view import VIEW_SIZE, HoldemView, fill_view
from cardwin.kernel import kernel

SCHEMA = 2
_CODES = {"fold": rules.FOLD, "check": rules.CALL, "call": rules.CALL, "bet": rules.RAISE, "raise": rules.RAISE}


@kernel
def begin(tables: Tables, forced: Chips, log: Log) -> None:
    """`rules.begin_hand` for the first table of an array, which is what Python can pass cheaply."""
    rules.begin_hand(tables[0], forced, log)


@kernel
def try_act(tables: Tables, action: int, amount: int, log: Log) -> int:
    """Act at the first table if the rules allow it; returns FINE or the rule that forbids it, with nothing changed."""
    reason = rules.verify(tables[0], action, amount)
    if reason == rules.FINE:
        rules.act(tables[0], action, amount, log)
    return reason


def action_code(view: HoldemView, action: Action) -> int:
    """The rules' number of an action, whose name must fit the situation."""
    code = _CODES.get(action.name)
    if code is None:
        raise InputError(f"{action} is no action of hold'em: one of {', '.join(_CODES)}")
    facing, opened = view.to_call > 0, view.current_bet > 0
    if action.name == "check" and facing:
        raise InputError(f"no check facing a bet: {view.to_call} to call; {_choices(view)}")
    if action.name == "call" and not facing:
        raise InputError(f"nothing to call; {_choices(view)}")
    if (action.name == "bet" and opened) or (action.name == "raise" and not opened):
        raise InputError(
            f"no {action.name}: {'there is a bet already' if opened else 'nobody has bet'}; {_choices(view)}"
        )
    return code


def refusal(view: HoldemView, action: Action, reason: int) -> InputError:
    """The error that names the rule broken and what would be legal."""
    rule = {
        rules.NOBODY_TO_ACT: "the hand is over",
        rules.FOLD_IS_FREE: "no fold where checking is free",
        rules.RAISE_CAPPED: f"no more raises on this street after {view.raises}",
        rules.NOT_REOPENED: "an all-in for less than a full raise does not reopen the betting to those who have acted",
        rules.NOBODY_TO_RAISE: "nobody is left who could call more",
        rules.STACK_TOO_SMALL: f"the stack of {view.stacks[view.seat]} does not reach beyond a call",
        rules.RAISE_TOO_SMALL: f"the least amount is {view.min_raise_to}",
        rules.RAISE_TOO_LARGE: f"the largest amount is {view.max_raise_to}",
    }[reason]
    return InputError(f"no {action}: {rule}" + (f"; {_choices(view)}" if view.legal_actions else ""))


def _choices(view: HoldemView) -> str:
    texts = [f"{action} to {view.max_raise_to}" if action.amount else str(action) for action in view.legal_actions]
    return "legal: " + ", ".join(texts) if texts else "it is nobody's turn"


@dataclass(frozen=True, slots=True, eq=False)
class HoldemState:
    """A position of a hand. Tables has shape (1,); neither array is ever changed."""

    tables: Tables
    log: Log

    @property
    def table(self) -> Table:
        """The record itself, with the fields as attributes."""
        return self.tables.view(np.recarray)[0]

    @property
    def actor(self) -> int:
        """The seat to act, or NOBODY at the end."""
        return int(self.tables["actor"][0])

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return int(self.tables["seats"][0])

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat."""
        return tuple(self.tables["stack"][0, : self.seats].tolist())

    @property
    def board(self) -> tuple[int, ...]:
        """The cards on the board."""
        table = self.table
        return tuple(table.board[: table.board_size[table.street]].tolist())

    def hole(self, seat: int) -> tuple[int, ...]:
        """A seat's two cards: for the dealer, not for players, who get views."""
        return tuple(self.tables["hole"][0, 2 * seat : 2 * seat + 2].tolist())

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened so far."""
        return tuple(events_of(self.log, self.tables["board"][0].tolist()))

    def view(self, seat: int) -> HoldemView:
        """What a seat may know."""
        if not 0 <= seat < self.seats:
            raise InputError(f"no seat {seat}: this table's seats are 0 to {self.seats - 1}")
        row = np.empty(VIEW_SIZE, np.int64)
        fill_view(self.tables, seat, row)
        return HoldemView(tuple(row.tolist()))

    def legal_actions(self) -> tuple[Action, ...]:
        """What the actor may do, a bet or raise with its least amount; `view(actor).max_raise_to` is its largest."""
        return () if self.actor == NOBODY else self.view(self.actor).legal_actions

    def apply(self, action: Action) -> Self:
        """The position after an action, or an error that names the rule broken."""
        view = self.view(max(self.actor, 0))
        following = self._copy(ROWS_OF_ONE_ACTION)
        reason = rules.NOBODY_TO_ACT
        if self.actor != NOBODY:
            reason = try_act(following.tables, action_code(view, action), action.amount, following.log)
        if reason != rules.FINE:
            raise refusal(view, action, reason)
        return following

    def _copy(self, room: int) -> Self:
        log = new_log(1 + int(self.log[0, 0]) + room)
        log[: 1 + self.log[0, 0]] = self.log[: 1 + self.log[0, 0]]
        return type(self)(self.tables.copy(), log)

    def returns(self) -> tuple[int, ...]:
        """Chips won by each seat, at the end."""
        if self.actor != NOBODY:
            raise InputError("the hand is not over: nobody has won anything yet")
        table = self.table
        return tuple((table.stack - table.start)[: self.seats].tolist())

    def save(self) -> str:
        """The whole position as JSON, hidden cards included."""
        table = {name: self.tables[name][0].tolist() for name in TABLE.names or ()}
        return json.dumps({"schema": SCHEMA, "table": table, "log": self.log[: 1 + self.log[0, 0]].tolist()})

    @classmethod
    def load(cls, text: str) -> Self:
        """The position that was saved."""
        try:
            saved = json.loads(text)
            tables, log = new_tables(1), np.array(saved["log"], np.int64)
            for name in TABLE.names or ():
                tables[name][0] = saved["table"][name]
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"this is no saved hold'em state: {error}") from None
        return cls(tables, log)

    def __str__(self) -> str:
        """The table with all cards open."""
        hands = [f"seat {seat + 1} {cards_text(self.hole(seat))}" for seat in range(self.seats)]
        return f"{', '.join(hands)}, board {cards_text(self.board) or '-'}, stacks {self.stacks}"


def begin_state(tables: Tables, antes: list[int], blinds: list[int]) -> HoldemState:
    """The position after antes and blinds, given by seat; the tables (1,) hold variant, stacks, button and cards."""
    forced = np.zeros((2, SEATS), np.int64)
    forced[rules.ANTES, : len(antes)] = antes
    forced[rules.BLINDS, : len(blinds)] = blinds
    log = new_log(1 + 2 * SEATS + ROWS_OF_ONE_ACTION)
    begin(tables, forced, log)
    return HoldemState(tables, log)
