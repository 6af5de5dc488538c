"""The exact chances of fold, call and raise of a player with every holding, at its turns of a hand.

1. Static players and mixtures do not use their cards (`hooks`).
2. Standard has one action for each holding, a network computes its chances; they are asked holding by holding.
3. A blueprint's chances are read from its table, by one kernel for all holdings.
4. Loki and classifier systems have one action for each holding (`all_holdings`).

Before the flop suits do not matter, so one holding of each of the 169 classes is asked. Robots that simulate (V1, V2,
matrices) and players of recorded hands cannot say their chances: `exact_player` is None for them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from cardwin.analysis.holding_chances import FIRST_OF_CLASS, OF_CLASS
from cardwin.analysis.python_response import Holdings, holdings_of
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import stream_of
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.hooks import static_probabilities
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import Tables
from cardwin.games.holdem.view import HOLE, HoldemView
from cardwin.players.cfr.play import BLUEPRINT, Blueprints, blueprint_chances
from cardwin.players.compiled import compiled_players
from cardwin.players.kind import HoldemPlayer
from cardwin.players.network.networks import NETWORK
from cardwin.players.robots.compiled import BLIND, STANDARD

GROUPS = {"fold": FOLD, "check": CALL, "call": CALL, "bet": RAISE, "raise": RAISE}
_CARDS = HOLDING_CARDS.astype(np.int64)
_EVERY = np.arange(HOLDINGS)


class ExactPlayer(Protocol):
    """A player whose action probabilities are known for every holding."""

    def watch(self, event: Event) -> None:
        """Follow a public event.

        Args:
            event: The event.

        """

    def chances(self, state: HoldemState) -> Floats:
        """Return the actor's probability of each action with every holding.

        Args:
            state: The position.

        Returns:
            Probabilities (1326, 3) of fold, call and raise; rows of impossible holdings are undefined.

        """


def exact_player(player: HoldemPlayer) -> ExactPlayer | None:
    """Return the player with all its holdings, None if it cannot say its chances."""
    if (holdings := holdings_of(player)) is not None:
        return _OneAction(holdings)
    form = getattr(player, "compiled", None)
    if form is None:
        return None
    if form.kind is BLUEPRINT:
        return _Blueprint(compiled_players([player]).slots[0].state)
    if isinstance(form.kind, int):
        return _Asked(player, lambda view: _static(form.kind, view), False)
    if form.kind is BLIND:
        call, raises = form.data
        return _Asked(player, lambda _: (max(1.0 - call - raises, 0.0), call, raises), False)
    if form.kind is STANDARD:
        return _Asked(player, lambda view: _certain(player, view))
    return _Asked(player, player.chances) if form.kind is NETWORK and hasattr(player, "chances") else None


def legal(chances: Floats, view: HoldemView) -> Floats:
    """Return chances (any, 3) with a fold as a check if nothing is to call, and an illegal raise as a call."""
    if view.to_call == 0:
        chances[:, CALL] += chances[:, FOLD]
        chances[:, FOLD] = 0.0
    if view.max_raise_to == 0:
        chances[:, CALL] += chances[:, RAISE]
        chances[:, RAISE] = 0.0
    return chances


def _static(kind: int, view: HoldemView) -> Floats:
    out = np.zeros(3)
    static_probabilities(kind, view.to_call > 0, view.max_raise_to > 0, view.raises, out)
    return out


def _certain(player: HoldemPlayer, view: HoldemView) -> Floats:
    out = np.zeros(3)
    out[GROUPS[player.act(view, stream_of(0)).name]] = 1.0
    return out


@dataclass
class _Asked:
    """A player that is asked with one view after the other, or with one if it does not use its cards."""

    player: HoldemPlayer
    ask: Callable[[HoldemView], Sequence[float] | Floats]
    looks: bool = True

    def watch(self, event: Event) -> None:
        """Follow public events."""
        watch = getattr(self.player, "watch", None)
        if watch is not None:
            watch(event)

    def chances(self, state: HoldemState) -> Floats:
        """Return the chances (1326, 3)."""
        view = state.view(state.actor)
        if not self.looks:
            return legal(np.tile(np.array(self.ask(view), np.float64), (HOLDINGS, 1)), view)
        out = np.zeros((HOLDINGS, 3))
        board = set(view.board)
        for holding in (_EVERY if view.street else FIRST_OF_CLASS).tolist():
            a, b = _CARDS[holding].tolist()
            if not {a, b} & board:
                chances = np.clip(self.ask(HoldemView((*view.row[:HOLE], a, b, *view.row[HOLE + 2 :]))), 0.0, 1.0)
                out[holding] = chances / chances.sum()  # networks compute in single precision
        return legal(out if view.street else out[FIRST_OF_CLASS][OF_CLASS], view)


@dataclass
class _OneAction:
    """A player that has one action for each holding."""

    holdings: Holdings

    def watch(self, event: Event) -> None:
        """Follow public events."""
        self.holdings.watch(event)

    def chances(self, state: HoldemState) -> Floats:
        """Return the chances (1326, 3), each 0 or 1."""
        view = state.view(state.actor)
        return legal(np.eye(3)[np.clip(self.holdings.act(view), FOLD, RAISE)], view)


@dataclass
class _Blueprint:
    """A blueprint, which decides from its table alone."""

    blueprints: Blueprints

    def watch(self, event: Event) -> None:
        """Ignore events."""

    def chances(self, state: HoldemState) -> Floats:
        """Return the chances (1326, 3)."""
        view, out = state.view(state.actor), np.zeros((HOLDINGS, 3))
        blueprint_chances_of(self.blueprints, state.tables.copy(), _CARDS, np.array(view.board, np.int64), out)
        return legal(out, view)


@kernel
def blueprint_chances_of(blueprints: Blueprints, tables: Tables, cards: Ints, board: Ints, out: Floats) -> None:
    """Write the chances (1326, 3) of the first table's actor with each holding, cards (1326, 2), not on the board."""
    t = tables[0]
    for holding in range(len(cards)):
        a, b = cards[holding, 0], cards[holding, 1]
        free = True
        for card in board:
            free = free and card not in (a, b)
        if free:
            t.hole[2 * t.actor], t.hole[2 * t.actor + 1] = a, b
            blueprint_chances(blueprints, 0, t, out[holding])
