"""One table as an immutable value. `apply` returns the next position and changes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Self

import numpy as np

from cardwin.cards.card import cards_text
from cardwin.core.errors import InputError, InvalidActionError, shorten
from cardwin.core.kernel import kernel
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem import rules
from cardwin.games.holdem.events import (
    ROWS_OF_ONE_ACTION,
    STREET_NAMES,
    Acted,
    BoardDealt,
    Event,
    Log,
    card_names,
    events_of,
    new_log,
)
from cardwin.games.holdem.rules import Chips
from cardwin.games.holdem.table import SEATS, Table, Tables
from cardwin.games.holdem.view import CODES, VIEW_SIZE, HoldemView, fill_view, invalid_action, legal_text, read_move

if TYPE_CHECKING:
    from cardwin.games.holdem.game import HoldemGame


@kernel
def begin(tables: Tables, forced: Chips, log: Log) -> None:
    """Begin the hand of the first table of an array, which Python passes faster than a record."""
    rules.begin_hand(tables[0], forced, log)


@kernel
def try_act(tables: Tables, action: int, amount: int, log: Log) -> int:
    """Act at the first table if the rules allow it; return FINE, or the rule that forbids it."""
    reason = rules.verify(tables[0], action, amount)
    if reason == rules.FINE:
        rules.act(tables[0], action, amount, log)
    return reason


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HoldemState:
    """A position of a hand, with its log. `tables` has shape (1,). Neither array is ever changed.

    States are equal if their games, cards, chips and actions so far are equal.
    """

    game: "HoldemGame"
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
        """The number of seats of the table."""
        return int(self.tables["seats"][0])

    @property
    def stacks(self) -> tuple[int, ...]:
        """The chips behind, by seat."""
        return tuple(self.tables["stack"][0, : self.seats].tolist())

    @property
    def board(self) -> tuple[int, ...]:
        """The cards on the board."""
        table = self.table
        return tuple(table.board[: table.board_size[table.street]].tolist())

    def hole(self, seat: int) -> tuple[int, ...]:
        """Return a seat's two cards. This is for the dealer; players receive views."""
        self._check_seat(seat)
        return tuple(self.tables["hole"][0, 2 * seat : 2 * seat + 2].tolist())

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the hand so far."""
        return tuple(events_of(self.log, self.tables["board"][0].tolist()))

    def view(self, seat: int) -> HoldemView:
        """Return what a seat may know."""
        self._check_seat(seat)
        row = np.empty(VIEW_SIZE, np.int64)
        fill_view(self.tables, seat, row)
        return HoldemView(tuple(row.tolist()))

    def _check_seat(self, seat: int) -> None:
        if not isinstance(seat, int | np.integer) or not 0 <= seat < self.seats:
            raise InputError(f"invalid seat {shorten(seat)}: expected 0 to {self.seats - 1}")

    def information_state(self, seat: int) -> str:
        """Return all that a seat knows, as text: stacks before the hand, its cards, actions and board so far."""
        stacks = "/".join(map(str, self.view(seat).starting_stacks))
        parts = [f"seat {seat}, button {self.table.button}, stacks {stacks}, {_cards(self.hole(seat))}"]
        for event in self.events:
            if isinstance(event, Acted):
                parts.append(str(event.action))
            elif isinstance(event, BoardDealt):
                parts.append(cards_text(event.cards))
        return ", ".join(parts)

    def gene_names(self) -> tuple[str, ...]:
        """Return no names: hold'em has no genes."""
        return ()

    def chance_outcomes(self) -> Sequence[tuple[str, Fraction]]:
        """Return no outcomes: the cards are an argument of the hand's start."""
        return ()

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the actor's legal actions; a bet or raise has its minimum amount."""
        return () if self.actor == NOBODY else self.view(self.actor).legal_actions

    def apply(self, move: Action | str) -> Self:
        """Return the position after an action or its text.

        Raises:
            InvalidActionError: If a rule forbids the action.

        """
        if self.actor == NOBODY:
            raise InvalidActionError(f"invalid {shorten(move)}: the hand is over")
        view = self.view(self.actor)
        action = read_move(view, move)
        following = self._copy(ROWS_OF_ONE_ACTION)
        reason = try_act(following.tables, CODES[action.name], action.amount, following.log)
        if reason != rules.FINE:
            raise invalid_action(view, action, reason)
        return following

    def _copy(self, room: int) -> Self:
        log = new_log(1 + int(self.log[0, 0]) + room)
        log[: 1 + self.log[0, 0]] = self.log[: 1 + self.log[0, 0]]
        return type(self)(self.game, self.tables.copy(), log)

    def stakes(self) -> tuple[int, ...]:
        """Return the chips that each seat has put in so far."""
        return self.view(0).contributed[: self.seats]

    def returns(self) -> tuple[int, ...]:
        """Return the chips that each seat won, once the hand is over."""
        if self.actor != NOBODY:
            raise InputError("the hand is not over: expected no seat to act before the returns are read")
        table = self.table
        return tuple((table.stack - table.start)[: self.seats].tolist())

    def phh(self, names: Sequence[str] = ()) -> str:
        """Return the hand in PHH, once it is over.

        Args:
            names: The players' names by seat; none by default.

        Raises:
            InputError: If the hand is not over.

        """
        from cardwin.games.formats.phh import phh_text
        from cardwin.games.holdem.saved import history_of

        return phh_text(history_of(self, names))

    def save(self) -> str:
        """Return the whole position as JSON, hidden cards included."""
        from cardwin.games.holdem.saved import save

        return save(self)

    @staticmethod
    def load(text: str) -> "HoldemState":
        """Return a saved position. Its hand is replayed, so that impossible positions are rejected.

        Raises:
            InputError: If the text is not a saved position of legal play.

        """
        from cardwin.games.holdem.saved import load

        return load(text)

    def _key(self) -> tuple["HoldemGame", bytes, bytes]:
        return self.game, self.tables.tobytes(), self.log[: 1 + self.log[0, 0]].tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HoldemState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        """Return the table with all cards shown."""
        hands = [f"seat {seat + 1} {_cards(self.hole(seat))}" for seat in range(self.seats)]
        return f"{', '.join(hands)}, board {cards_text(self.board) or '-'}, stacks {self.stacks}"

    def __repr__(self) -> str:
        """Return the table for programmers: all cards shown, seats from 0, and the legal actions."""
        view = self.view(max(self.actor, 0))
        board = f" {cards_text(self.board)}" if self.board else ""
        turn = "the hand is over" if self.actor == NOBODY else f"actor {self.actor}, {legal_text(view)}"
        lines = [f"{self.game.name}, {STREET_NAMES[view.street]}{board}, pot {view.pot}, {turn}"]
        for seat in range(self.seats):
            bet = f", bet {view.bets[seat]}" if view.bets[seat] else ""
            folded = "" if view.active[seat] else ", folded" if view.starting_stacks[seat] else ", empty"
            button = ", button" if seat == view.button else ""
            lines.append(f"  [{seat}] {_cards(self.hole(seat))}  stack {view.stacks[seat]}{bet}{folded}{button}")
        return "\n".join(lines)


def _cards(cards: Sequence[int]) -> str:
    return "".join(card_names(cards))


def begin_state(game: "HoldemGame", tables: Tables, antes: list[int], blinds: list[int]) -> HoldemState:
    """Return the position after antes and blinds by seat; tables (1,) contain variant, stacks, button and cards."""
    forced = np.zeros((2, SEATS), np.int64)
    forced[rules.ANTES, : len(antes)] = antes
    forced[rules.BLINDS, : len(blinds)] = blinds
    log = new_log(1 + 2 * SEATS + ROWS_OF_ONE_ACTION)
    begin(tables, forced, log)
    return HoldemState(game, tables, log)
