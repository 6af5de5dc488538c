"""A table of a small game, played by its `State`: one hand at a time.

1. `begin` starts a hand from streams of random numbers for the cards and for each seat.
2. Cards are drawn and the players in the seats act, until a seat without a player has the turn, or the hand is over.
3. `take` plays the action of that seat, and the hand continues.

Programs of other people watch: they receive the position of their seat before every decision and at the end, and
decide at such a position. `live_table` is the table of hold'em.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cardwin.arena.referee import Referee
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream, draw_below, draw_index, key_of, prf, stream_of
from cardwin.games.base import (
    CHANCE,
    CHECK,
    FOLD,
    NOBODY,
    Action,
    Game,
    SmallView,
    State,
    View,
    small_view,
    validate_move,
)
from cardwin.games.formats.small_states import SmallPosition, state_text
from cardwin.players.base import Player


class Table(Protocol):
    """A table of any game: it stops at every decision of a seat without a player, and at the end of a hand."""

    @property
    def actor(self) -> int:
        """The seat to act, or NOBODY if the hand is over."""

    @property
    def won(self) -> Sequence[int]:
        """The chips that each seat won, once the hand is over."""

    def view(self, seat: int) -> View:
        """Return what a seat may know.

        Args:
            seat: The seat, from 0.

        Returns:
            The seat's view.

        """

    def take(self, move: Action | str) -> None:
        """Play the action of the seat to act, and continue to the next stop.

        Args:
            move: A legal action or its text.

        """


Draw = Callable[[Stream, State], str]
Observer = Callable[[State, Action | str, State], None]


def sample_card(stream: Stream, state: State) -> str:
    """Return a chance outcome, sampled by its probability."""
    outcomes = state.chance_outcomes()
    return outcomes[draw_index(stream, [float(chance) for _, chance in outcomes])][0]


def sample_uniform_card(stream: Stream, state: State) -> str:
    """Return a chance outcome; all have equal chances."""
    outcomes = state.chance_outcomes()
    return outcomes[draw_below(stream, len(outcomes))][0]


def ignore_move(before: State, move: Action | str, after: State) -> None:
    """Do nothing: the default observer."""


class StateTable:
    """A table of two seats and their players, None for decisions from outside.

    Args:
        game: A small game.
        players: The players by seat.
        referee: Calls the players and records their faults, after which they check or fold; without a referee,
            errors are raised.
        draw: Draws a card from a stream.
        observer: Called after every card and action with the state before, the move, and the state after.

    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Player[Any] | None] = (None, None),
        referee: Referee | None = None,
        draw: Draw = sample_card,
        observer: Observer = ignore_move,
    ) -> None:
        self.game, self.referee, self._draw, self._observer = game, referee, draw, observer
        self.state: State = game.start()
        self.seat_players(players)

    def seat_players(self, players: Sequence[Player[Any] | None], player_ids: Sequence[int] = (0, 1)) -> None:
        """Set the players by seat, and the numbers by which the referee knows them."""
        self.players, self.player_ids = players, player_ids
        self._positions: dict[int, SmallPosition] = {}

    @property
    def actor(self) -> int:
        """The seat to act, or NOBODY if the hand is over."""
        return self.state.actor

    @property
    def won(self) -> Sequence[int]:
        """The chips that each seat won, once the hand is over."""
        return self.state.returns()

    def view(self, seat: int) -> SmallView:
        """Return what a seat may know."""
        return small_view(self.state, seat)

    def begin(self, cards: Stream, decisions: Sequence[Stream], number: int = 0) -> None:
        """Begin a hand, and continue to the first stop.

        Args:
            cards: The stream of the cards.
            decisions: The stream of each seat.
            number: The number of the hand for programs.

        """
        self.state = self.game.start()
        self._cards, self._decisions, self._number, self._positions = cards, decisions, number, {}
        self._continue()

    def take(self, move: Action | str) -> None:
        """Play the action of the seat to act, and continue to the next stop."""
        self._apply(validate_move(self.game.name, self.state, move))
        self._continue()

    def _apply(self, move: Action | str) -> None:
        before = self.state
        self.state = before.apply(move)
        self._observer(before, move, self.state)

    def _continue(self) -> None:
        while (seat := self.state.actor) != NOBODY:
            if seat == CHANCE:
                self._apply(self._draw(self._cards, self.state))
                continue
            player = self.players[seat]
            if player is None:
                return
            self._notify()
            view = self._positions.get(seat) or self.view(seat)
            if self.referee is None:
                self._apply(player.act(view, self._decisions[seat]))
            else:
                player_id, stream = self.player_ids[seat], self._decisions[seat]
                self._apply(legal_answer(self.referee, player_id, player, view, self.state, stream, self.game.name))
        self._notify()

    def _notify(self) -> None:
        """Send the players that watch what their seats know."""
        for seat, player in enumerate(self.players):
            watch = getattr(player, "watch", None)
            if watch is not None and self.referee is not None:
                line = state_text(self.state, self._number, seat)
                self._positions[seat] = SmallPosition(self.game.name, line, seat not in self._positions)
                self.referee.watcher(self.player_ids[seat], watch)(self._positions[seat])


def legal_answer(
    referee: Referee,
    player_id: int,
    player: Player[Any],
    view: View,
    state: State,
    stream: Stream,
    game: str,
) -> Action:
    """Return a player's action, called by a referee; a check or fold if it fails to name a legal one."""
    answer = referee.ask(player_id, player.act, view, stream)
    if answer is not None:
        try:
            validate_move(game, state, answer)
        except InputError as error:
            referee.record_fault(player_id, str(error))
        else:
            referee.accept(player_id)
            return answer
    return CHECK if CHECK in state.legal_actions() else FOLD


@dataclass(frozen=True)
class Move:
    """One decision: the seat, its information state and its action."""

    seat: int
    information_state: str
    action: Action


@dataclass(frozen=True)
class SmallRecord:
    """The record of one hand."""

    dealt: tuple[str, ...]
    moves: tuple[Move, ...]
    chips: tuple[int, ...]


def hand_streams(key: int) -> tuple[Stream, list[Stream]]:
    """Return the streams of a hand: that of the cards, and one for each seat. No stream reveals another."""
    cards, *decisions = (stream_of(prf(key, number)) for number in range(3))
    return cards, decisions


def play_hand(game: Game, players: Sequence[Player[SmallView]], key: int) -> SmallRecord:
    """Play one hand; the same key deals the same cards to any players."""
    dealt: list[str] = []
    moves: list[Move] = []

    def observe(before: State, move: Action | str, after: State) -> None:  # noqa: ARG001  the signature of observers
        if isinstance(move, str):
            dealt.append(move)
        else:
            moves.append(Move(before.actor, before.information_state(before.actor), move))

    table = StateTable(game, players, observer=observe)
    table.begin(*hand_streams(key))
    return SmallRecord(tuple(dealt), tuple(moves), tuple(table.won))


def play_alternating(
    game: Game,
    players: Sequence[Player[SmallView]],
    hands: int,
    seed: int,
    seat: int | None,
    begin: Callable[[int, int], None],
    end: Callable[[int, SmallRecord], None],
) -> None:
    """Play hands between two players, who alternate seats unless the first has a fixed seat.

    `begin` receives every hand's number and the seat of the first player, `end` that seat and the record.
    """
    for number in range(hands):
        first_seat = number % 2 if seat is None else seat
        begin(number, first_seat)
        end(first_seat, play_hand(game, players if first_seat == 0 else players[::-1], key_of(seed, "hand", number)))
