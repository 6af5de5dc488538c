"""Networks at compiled tables: whole populations decide from the array that evolution breeds.

1. The 35 inputs are written (inputs.py); the aggressiveness of all players is updated as hands are played.
2. The forward pass gives probabilities of fold, call and raise (decision.py), and one of them is drawn.
3. A raise is small, medium or large by its probability, and its size is drawn (decision.py).
4. An illegal action becomes the nearest legal one: a network never folds where checking is free.
"""

# ruff: noqa: ARG001  hooks have fixed signatures
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from cardwin.cards.tables import win_odds_store
from cardwin.cards.win_odds import NO_TABLE
from cardwin.core.arrays import Floats, Ints, Singles, Words
from cardwin.core.intrinsics import CACHE_LINE, prefetch, structure_at
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, draw_uniform
from cardwin.games.holdem.hooks import (
    RAISE_TO,
    on_action,
    on_decision,
    on_hand,
    on_match,
    on_prefetch,
    on_probabilities,
)
from cardwin.games.holdem.rules import CALL, FINE, FOLD, RAISE, max_raise_to, min_raise_to, why_no_raise
from cardwin.games.holdem.table import EMPTY, Table
from cardwin.players.compiled import CompiledForm, CompiledKind, CompiledPlayers, Functions, population
from cardwin.players.network.decision import MEDIUM, SMALL, TABLE_3, BetSizes, Shape, draw_share, forward, size_of
from cardwin.players.network.inputs import (
    LONG,
    MEMORY,
    NO_ODDS,
    POWER_ODDS,
    SHORT,
    OddsScratch,
    aggressiveness,
    begin_hand,
    odds_scratch,
    prefetch_flop,
    prefetch_hand,
    prefetch_odds,
    prefetch_street,
    record_aggression,
    reset_memory,
    write_inputs,
)


class Networks(NamedTuple):
    """Networks of one shape.

    Attributes:
        weights: (networks x weights,), row after row.
        length: the number of weights of each.
        activation: an index of `forward.ACTIVATIONS`.
        odds: scratch of the win odds.
        aggression: whether aggressiveness is known; otherwise all players count as callers.
        sizes: the bet sizes.
        memory: (players, inputs.MEMORY) of all players at the tables, empty if no network plays.
        inputs: (36,), scratch.
        hidden: (hidden nodes,), scratch.
        out: (3,), the probabilities of fold, call and raise.

    """

    weights: Singles
    length: int
    activation: int
    odds: OddsScratch
    aggression: bool
    sizes: BetSizes
    memory: Floats
    inputs: Singles
    hidden: Singles
    out: Singles


@kernel(refcount=False)
def compute_outputs(networks: Networks, number: int, ids: Ints, t: Table) -> None:
    """Write the actor's inputs, and the outputs of the network in that row, into the scratch."""
    write_inputs(t, t.actor, ids, networks.memory, networks.odds, networks.inputs)
    start = number * networks.length
    forward(networks.weights, start, networks.activation, networks.inputs, networks.hidden, networks.out)


@kernel(refcount=False)
def prefetch_weights(networks: Networks, number: int) -> None:
    """Prefetch the weights of the network in that row; they arrive while its inputs are written."""
    at, step = number * networks.length, CACHE_LINE // networks.weights.itemsize
    for line in range(at, at + networks.length, step):
        prefetch(networks.weights, line)


@kernel(refcount=False)
def draw_action(out: Singles, rng: Stream) -> int:
    """Draw fold, call or raise by their probabilities (3,)."""
    point = draw_uniform(rng)
    if point < out[FOLD]:
        return FOLD
    return CALL if point < out[FOLD] + out[CALL] else RAISE


@kernel(refcount=False)
def draw_bet(sizes: BetSizes, raising: float, bet: int, stack: int, rng: Stream) -> int:
    """Draw the total bet to raise to, legal or not, of an actor with this bet on this street and this stack left."""
    return int(bet + int(draw_share(sizes, size_of(sizes, raising), rng) * stack + 0.5))


@kernel(refcount=False)
def typical_raise_to(sizes: BetSizes, raising: float, t: Table) -> int:
    """Return the total bet at the middle of the sizes that a network draws from, by its probability of a raise."""
    size = size_of(sizes, raising)
    if size == SMALL:
        share = sizes.lo_upper / 2
    elif size == MEDIUM:
        share = (sizes.med_lower + sizes.med_upper) / 2
    else:
        share = sizes.hi_all_in + (1 - sizes.hi_all_in) * sizes.hi_point
    return int(min(max(t.bet[t.actor] + int(share * t.stack[t.actor]), min_raise_to(t)), max_raise_to(t)))


def no_networks() -> Networks:
    """Return the state without networks."""
    single = np.zeros(0, np.float32)
    return Networks(
        single, 0, 0, odds_scratch(NO_ODDS, NO_TABLE), False, TABLE_3, np.zeros((0, MEMORY)), single, single, single
    )


networks_at = structure_at(no_networks)


@on_decision
def decide(state: int, row: int, ids: Ints, t: Table, streams: Ints) -> tuple[int, int]:
    """Decide as the network in that row."""
    networks, seat = networks_at(state), t.actor
    rng = streams[seat]
    compute_outputs(networks, row, ids, t)
    action = draw_action(networks.out, rng)
    if action == FOLD and t.bet[seat] < t.current_bet:
        return FOLD, 0
    if action != RAISE or why_no_raise(t) != FINE:
        return CALL, 0
    amount = draw_bet(networks.sizes, networks.out[RAISE], t.bet[seat], t.stack[seat], rng)
    return RAISE, min(max(amount, min_raise_to(t)), max_raise_to(t))


@on_probabilities
def probabilities(state: int, row: int, ids: Ints, t: Table, streams: Ints, out: Floats) -> None:
    """Write the network's outputs, and the typical size of its raise."""
    networks = networks_at(state)
    compute_outputs(networks, row, ids, t)
    for action in range(3):
        out[action] = networks.out[action]
    out[RAISE_TO] = typical_raise_to(networks.sizes, out[RAISE], t)


@on_prefetch
def prefetch_decision(state: int, row: int, seat: int, t: Table) -> None:
    """Prefetch the weights and odds of a network's next decision, or the table's index when cards are dealt."""
    networks = networks_at(state)
    if row < 0:
        prefetch_hand(t, networks.odds)
        return
    prefetch_weights(networks, row)
    prefetch_odds(t, seat, networks.odds)


@on_hand
def deal_in(state: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Drop the oldest of the last ten hands of every player who is dealt in."""
    networks = networks_at(state)
    for seat in range(t.seats):
        if t.status[seat] != EMPTY and ids[seat] >= 0:
            begin_hand(networks.memory, ids[seat])
    prefetch_flop(t, networks.odds)


@on_hand
def locate_street(state: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Locate the board of a street in the table of win odds."""
    prefetch_street(t, networks_at(state).odds)


@on_action
def note_aggression(
    state: int, ids: Ints, rows: Ints, t: Table, actor: int, price: int, bet: int, action: int, amount: int
) -> None:
    """Record the aggressiveness of any player's decision."""
    networks = networks_at(state)
    if networks.aggression:
        record_aggression(networks.memory, ids[actor], aggressiveness(action, bet, amount, t.big_blind))


@on_match
def start_again(state: int) -> None:
    """Reset the memory of all players."""
    memory = networks_at(state).memory
    for player in range(len(memory)):
        reset_memory(memory, player)


@dataclass(frozen=True, eq=False)
class NetworkForm:
    """One network.

    Attributes:
        weights: (weights,).
        shape: their layout.
        odds: the win odds that it receives, an index of `inputs.ODDS`.
        sizes: its bet sizes.
        aggression: whether it receives the aggressiveness of players; otherwise those inputs are constant.

    """

    weights: Singles
    shape: Shape = field(default_factory=Shape)
    odds: int = POWER_ODDS
    sizes: BetSizes = TABLE_3
    aggression: bool = True

    @property
    def layout(self) -> tuple[Shape, int, BetSizes, bool]:
        """The settings that networks of one state share."""
        return self.shape, self.odds, self.sizes, self.aggression

    @property
    def compiled(self) -> CompiledForm:
        """The network for kernels."""
        return CompiledForm(NETWORK, self, self.layout)


def networks_of(forms: Sequence[NetworkForm], players: int) -> Networks:
    """Return the state of a few networks of one layout, at tables with this number of players."""
    return population_networks(np.stack([form.weights for form in forms]), forms[0], players)


def population_networks(weights: Singles, like: NetworkForm, players: int, table: Words | None = None) -> Networks:
    """Return the state of a whole population; its weights are not copied.

    Args:
        weights: (networks, weights).
        like: a network with the layout of all.
        players: the number of players at the tables.
        table: the win odds. By default they are loaded, and built if they are missing: without them kernels take a
            thousand times as long.

    """
    if table is None:
        table = NO_TABLE if like.odds == NO_ODDS else win_odds_store.load_or_build()
    memory = np.zeros((players, MEMORY))
    memory[:, [LONG, SHORT]] = 0.5  # as `reset_memory` does
    shape = like.shape
    return Networks(
        weights.reshape(-1),
        shape.weights,
        shape.code,
        odds_scratch(like.odds, table),
        like.aggression,
        like.sizes,
        memory,
        *_scratch(shape.inputs + 1, shape.hidden, shape.outputs),
    )


def _scratch(count_inputs: int, count_hidden: int, count_outputs: int) -> tuple[Singles, Singles, Singles]:
    inputs, hidden, out = (np.zeros(count, np.float32) for count in (count_inputs, count_hidden, count_outputs))
    inputs[-1] = 1.0  # the input of the biases
    return inputs, hidden, out


def with_new_scratch(networks: Networks) -> Networks:
    """Return the same networks and memory with new scratch, for another thread."""
    inputs, hidden, out = _scratch(len(networks.inputs), len(networks.hidden), len(networks.out))
    odds = odds_scratch(networks.odds.which, networks.odds.table)
    return networks._replace(odds=odds, inputs=inputs, hidden=hidden, out=out)


def with_copied_memory(networks: Networks) -> Networks:
    """Return the same networks with new scratch and a copy of the memory."""
    return with_new_scratch(networks)._replace(memory=networks.memory.copy())


NETWORK = CompiledKind(
    "network",
    Functions(
        decide,
        probabilities,
        prefetch_decision,
        hand_began=deal_in,
        street_began=locate_street,
        after_action=note_aggression,
        match_began=start_again,
    ),
    no_networks,
    networks_of,
    draws=True,
    knows=True,
    remembers=True,
    copy_memory=with_copied_memory,
    copy_scratch=with_new_scratch,
    memory=lambda networks: {"aggression": networks.memory},
)


def network_population(weights: Singles, like: NetworkForm, players: int | None = None) -> CompiledPlayers:
    """Return a population as players.

    Args:
        weights: (networks, weights).
        like: a network with the layout of all.
        players: the number of players at the tables, if others sit there too.

    """
    state = population_networks(weights, like, len(weights) if players is None else players)
    return population(NETWORK, state, len(weights))
