"""Recorded hands, as one row of whole numbers per hand: enough to play them again and compare.

A row is: the tournament, the hand and the table, each from 0; the button; the number of seats; the player in each seat;
the stack of each seat; two cards for each seat; the board's five cards; the number of actions; and for each action its
seat, its kind in the log and the total bet. The rows of a block stand one after the other in a flat array.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from cardwin.core.arrays import Ints
from cardwin.core.errors import CorruptFileError, InputError
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.events import action_of, is_action
from cardwin.games.holdem.table import BOARD, SEATS
from cardwin.games.holdem.view import HoldemView
from cardwin.players.registry import Makers, PlayerBuilder
from cardwin.players.specs import is_untrusted

HandPlace: TypeAlias = tuple[int, int, int]  # tournament, hand, table


class RecordedHand(NamedTuple):
    """One hand; actions are (seat, kind, total)."""

    location: HandPlace
    button: int
    players: tuple[int, ...]
    stacks: tuple[int, ...]
    hole: tuple[int, ...]
    board: tuple[int, ...]
    actions: tuple[tuple[int, int, int], ...]

    @property
    def row(self) -> list[int]:
        """The hand as numbers."""
        return [
            *self.location,
            self.button,
            len(self.players),
            *self.players,
            *self.stacks,
            *self.hole,
            *self.board,
            len(self.actions),
            *(number for action in self.actions for number in action),
        ]

    def actions_of(self, player: int) -> list[Action]:
        """Return a player's actions in this hand."""
        seats = [seat for seat, player_id in enumerate(self.players) if player_id == player]
        return [action_of(kind, total) for seat, kind, total in self.actions if seat in seats]


@dataclass
class HandRecorder:
    """Collects the hands of a block, in any order."""

    hands: list[RecordedHand] = field(default_factory=list)

    def take(self) -> Ints:
        """Return the hands so far as one flat array, by tournament, hand and table, and clear them."""
        rows = [number for hand in sorted(self.hands) for number in hand.row]
        self.hands.clear()
        return np.array(rows, np.int64)


class RecordedPlayer:
    """Repeats a player's actions."""

    def __init__(self, actions: Iterable[Action]) -> None:
        self._actions = iter(actions)

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """Return the next recorded action."""
        for action in self._actions:
            return action
        raise InputError("the player has more decisions than were recorded")


def recorded_player(player: int, hands: Iterable[RecordedHand]) -> RecordedPlayer:
    """Return a player that repeats the actions of player number `player` in these hands, in the order of play."""
    return RecordedPlayer(action for hand in hands for action in hand.actions_of(player))


def recorded_makers(specs: Sequence[str], hands: Sequence[RecordedHand]) -> Makers:
    """Return a function for each specification that builds its player; untrusted ones repeat their recorded actions.

    All tables of a match share such a player: it repeats the hands in the order of play.
    """
    return [
        partial(_same_player, recorded_player(number, hands)) if is_untrusted(spec) else PlayerBuilder(spec)
        for number, spec in enumerate(specs)
    ]


def _same_player(player: RecordedPlayer) -> RecordedPlayer:
    return player


def recorded_hands(numbers: Ints) -> Iterator[RecordedHand]:
    """Yield the hands of a flat array."""
    rest = numbers.tolist()
    at = 0

    def take(count: int) -> tuple[int, ...]:
        nonlocal at
        if not 0 <= count <= len(rest) - at:
            raise CorruptFileError("the record of hands is damaged: a hand is cut short")
        at += count
        return tuple(rest[at - count : at])

    while at < len(rest):
        tournament, hand, table, button, seats = take(5)
        if not 2 <= seats <= SEATS:
            raise CorruptFileError(f"the record of hands is damaged: a hand has {seats} seats")
        players, stacks, hole, board = take(seats), take(seats), take(2 * seats), take(BOARD)
        flat = take(3 * take(1)[0])
        actions = tuple(zip(flat[::3], flat[1::3], flat[2::3], strict=True))
        if not all(is_action((kind,)) for _, kind, _ in actions):
            raise CorruptFileError("the record of hands is damaged: an action has an unknown kind")
        yield RecordedHand((tournament, hand, table), button, players, stacks, hole, board, actions)
