"""Local best response to players that are called in Python and say what they do with every holding: Loki, XCS.

The method is that of `local_best_response`, in Python with kernels for our chances to win. These players are
deterministic, so that a holding has one action in a situation. They remember (Loki's model of us, a classifier system's
counters): every hand begins a new match for them, so what is measured is the player **frozen** as it is before it has
learnt anything of its opponent.
"""

from typing import Protocol, Self

import numpy as np

from cardwin.analysis.local_best_response import BOARDS, Menu, Room, remove_known, win_chances
from cardwin.analysis.situations import MAX_ACTIONS, STREET
from cardwin.arena.engine import CARDS
from cardwin.cards.holdings import HOLDINGS, holding_index
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import child, prf, shuffle_first, stream_of
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem.events import Event, HandBegan, MatchBegan
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import BOARD, Tables
from cardwin.games.holdem.view import HoldemView
from cardwin.players.kind import HoldemPlayer
from cardwin.players.loki.player import Loki, LokiHoldings
from cardwin.players.registry import player
from cardwin.players.robots.static import named_action
from cardwin.players.xcs.all_holdings import XcsHoldings
from cardwin.players.xcs.player import XcsPlayer


class Holdings(Protocol):
    """A player with all its holdings at once."""

    def copy(self) -> Self:
        """Return a copy in the same state."""

    def watch(self, event: Event) -> None:
        """Follow a public event.

        Args:
            event: The event.

        """

    def raise_to(self, view: HoldemView) -> int:
        """Return the total bet of its raises.

        Args:
            view: The actor's view.

        Returns:
            The bet in chips, including those already put in on this street.

        """

    def act(self, view: HoldemView) -> Ints:
        """Return the action with each holding, and remember that it was taken.

        Args:
            view: The actor's view.

        Returns:
            Actions (1326,).

        """


def holdings_of(player: HoldemPlayer) -> Holdings | None:
    """Return the player with all its holdings at once, None if it cannot say what it does with them."""
    if isinstance(player, Loki):
        return LokiHoldings(player)
    return XcsHoldings(player) if isinstance(player, XcsPlayer) else None


@kernel
def win_chances_at(tables: Tables, seat: int, runouts: int, room: Room) -> None:
    """Compute `win_chances` at the first table."""
    win_chances(tables[0], seat, runouts, room)


@kernel
def remove_known_at(tables: Tables, seat: int, reach: Floats) -> None:
    """Apply `remove_known` at the first table."""
    remove_known(tables[0], seat, reach)


class Hand:
    """One hand of ours in a seat against the player in the other."""

    def __init__(self, state: HoldemState, seat: int, theirs: Holdings, menu: Menu, key: int) -> None:
        self.state, self.seat, self.theirs, self.menu = state, seat, theirs, menu
        self.reach, self.seen, self.notes = np.ones(HOLDINGS), 0, list[int]()
        stream = stream_of(child(key, BOARDS))
        self.room = Room(
            self.reach,
            np.empty(HOLDINGS),
            np.empty(HOLDINGS),
            np.empty((0, 3)),
            np.empty((0, 3)),
            np.zeros((2, 2), np.int64),
            stream,
            np.zeros((0, 0)),
        )
        view = state.view(1 - seat)
        theirs.watch(MatchBegan(2))
        theirs.watch(HandBegan(view.button, view.starting_stacks, view.big_blind, 1 - seat))
        self._send_events()

    def _send_events(self) -> None:
        for event in self.state.events[self.seen :]:
            self.theirs.watch(event)
        self.seen = len(self.state.events)

    def play(self) -> int:
        """Return the chips that we win."""
        street = 0
        while self.state.actor != NOBODY:
            view = self.state.view(self.state.actor)
            remove_known_at(self.state.tables, self.seat, self.reach)
            ours = self.state.actor == self.seat
            action, amount = self._respond(view) if ours else self._their_action(view)
            self.notes += [STREET] * (view.street - street)
            street = view.street
            code = 1 + action + (3 if action == CALL and view.to_call else 0)
            self.notes.append(-code if ours else code)
            self.state = self.state.apply(named_action(view, action, amount))
            self._send_events()
        return int(self.state.returns()[self.seat])

    def _their_action(self, view: HoldemView) -> tuple[int, int]:
        actions = self.theirs.act(view)
        action = int(actions[holding_index(*view.hole)])
        self.reach *= actions == action
        return action, self.theirs.raise_to(view) if action == RAISE else 0

    def _respond(self, view: HoldemView) -> tuple[int, int]:
        """Return our action, and the total bet if it is a raise."""
        if view.street < self.menu.first_street:
            return CALL, 0
        win_chances_at(self.state.tables, self.seat, self.menu.runouts, self.room)
        wins, total, pot, cost = self.room.wins, self.reach.sum(), view.pot, view.to_call
        win = float(self.reach @ wins / total) if total > 0 else 0.5
        action, amount, best = (FOLD if cost else CALL), 0, 0.0
        if (value := win * pot - (1 - win) * cost) > best:
            action, best = CALL, value
        for raise_to in self._raises(view):
            if (value := self._bet_value(view, raise_to, pot, cost)) > best:
                action, amount, best = RAISE, raise_to, value
        return action, amount

    def _raises(self, view: HoldemView) -> list[int]:
        if not view.max_raise_to:
            return []
        wanted = [
            view.max_raise_to if part < 0 else view.current_bet + int(part * (view.pot + view.to_call) + 0.5)
            for part in self.menu.bets.tolist()
        ]
        return sorted({min(max(total, view.min_raise_to), view.max_raise_to) for total in wanted})

    def _bet_value(self, view: HoldemView, raise_to: int, pot: int, cost: int) -> float:
        after = self.state.apply(Action("raise" if view.current_bet else "bet", raise_to))
        raised = raise_to - view.bets[self.seat] - cost
        stays = np.ones(HOLDINGS)
        if after.actor == 1 - self.seat:
            asked = self.theirs.copy()
            for event in after.events[self.seen :]:
                asked.watch(event)
            stays = (asked.act(after.view(after.actor)) != FOLD).astype(np.float64)
        total, left = float(self.reach.sum()), float(self.reach @ stays)
        if total <= 0:
            return 0.0
        win = float((self.reach * stays) @ self.room.wins) / left if left > 0 else 0.0
        stay = left / total
        return (1 - stay) * pot + stay * (win * (pot + raised) - (1 - win) * (cost + raised))


def job(game: HoldemGame, spec: str, menu: Menu, key: int, deals: Ints) -> tuple[Floats, Ints]:
    """Play deals by their numbers, each from both seats, as the job of a worker process.

    Returns what we won (deals, 2), and the actions (deals, 2, MAX_ACTIONS).
    """
    theirs = holdings_of(player(spec))
    if theirs is None:
        raise TypeError(f"{spec} does not say what it does with every holding")
    won, notes = np.zeros((len(deals), 2)), np.zeros((len(deals), 2, MAX_ACTIONS), np.int64)
    for row, number in enumerate(deals.tolist()):
        deck = np.arange(52)
        shuffle_first(stream_of(prf(child(key, number), CARDS)), deck, BOARD + 4)
        holes = [deck[BOARD + 2 * seat : BOARD + 2 * seat + 2].tolist() for seat in range(2)]
        for seat in range(2):
            start = game.start(holes, deck[:BOARD].tolist(), button=number % 2)
            hand = Hand(start, seat, theirs, menu, child(child(key, number), seat))
            won[row, seat] = hand.play()
            noted = hand.notes[:MAX_ACTIONS]
            notes[row, seat, : len(noted)] = noted
    return won, notes
