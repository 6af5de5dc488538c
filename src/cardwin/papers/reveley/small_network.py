"""A baseline for XCS: a small network on the same inputs, evolved against one opponent.

It has 8 inputs (the state variables as numbers, scaled to about 1), 6 hidden nodes and 3 outputs; the action is the
largest legal output. CMA-ES (Hansen 2016) evolves 16 networks per generation, all on the same hands. In total it plays
a multiple of the hands of XCS, ten times by default, because it learns from results of whole hands, not of decisions.
"""

from collections.abc import Callable

import numpy as np
from cmaes import CMA

from cardwin.arena.engine import CARDS, advance, apply_decision, new_scratch
from cardwin.arena.engine import begin_hand as begin
from cardwin.cards.ehs import ehs_table
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, child, key_of, prf
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem.events import HandBegan
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.hooks import Players, nearest_legal
from cardwin.games.holdem.rules import CALL, RAISE, min_raise_to, read_betting, write_betting
from cardwin.games.holdem.table import Tables
from cardwin.games.holdem.view import VIEW_SIZE, HoldemView, write_view
from cardwin.players.compiled import compiled_players
from cardwin.players.nearest_neighbour.player import VARIABLES, Encoder, situation_row
from cardwin.players.registry import player
from cardwin.players.robots.static import named_action
from cardwin.players.xcs.encoding import MEMORY, begin_hand, legal_bits, record_action, update_memory
from cardwin.players.xcs.training.hands import write_strengths

HIDDEN, POPULATION, HANDS, SHARE = 6, 16, 500, 10
WEIGHTS = (VARIABLES + 1) * HIDDEN + (HIDDEN + 1) * 3
SCALES = np.array([1.0, 0.2, 3.0, 2.0, 3.0, 2.0, 3.0, 3.0])  # of hs, ppot, log pot, to_call, round, position, ...


@kernel
def choose(weights: Floats, inputs: Floats, legal: int) -> int:
    """Return the legal action of the largest output, from weights (75,) and inputs (8,)."""
    hidden, offset = np.zeros(HIDDEN), 0
    for node in range(HIDDEN):
        total = weights[offset]
        for variable in range(VARIABLES):
            total += weights[offset + 1 + variable] * inputs[variable] / SCALES[variable]
        hidden[node] = np.tanh(total)
        offset += VARIABLES + 1
    best, highest = CALL, -np.inf
    for action in range(3):
        total = weights[offset]
        for node in range(HIDDEN):
            total += weights[offset + 1 + node] * hidden[node]
        offset += HIDDEN + 1
        if (legal >> action) & 1 and total > highest:
            best, highest = action, total
    return best


@kernel
def play_network(weights: Floats, tables: Tables, stack: int, players: Players, key: int, strengths: Floats) -> float:
    """Return chips per hand of a network in seat 0 against compiled players; strengths (hands, 1, 4, 2)."""
    t, scratch, player_ids = tables[0], new_scratch(len(players.states)), np.arange(tables[0].seats)
    row, memory, inputs = np.empty(VIEW_SIZE, np.int64), np.zeros(MEMORY, np.int64), np.zeros(VARIABLES)
    chips = 0
    for hand in range(len(strengths)):
        t.button = hand % t.seats
        for seat in range(t.seats):
            t.stack[seat] = stack
        begin_hand(memory)
        hand_key = child(key, hand)
        begin(t, player_ids, players, prf(hand_key, CARDS), hand_key, scratch)
        while True:
            advance(t, player_ids, players, scratch)
            if t.actor == NOBODY:
                break
            write_view(t, t.actor, row)
            update_memory(memory, row)
            strength = strengths[hand, 0, t.street, 0]
            situation_row(row, strength, strengths[hand, 0, t.street, 1], memory, inputs)
            action = choose(weights, inputs, legal_bits(row))
            record_action(memory, action, strength, 0.0, 0)
            amount = min_raise_to(t) if action == RAISE else 0
            write_betting(t, apply_decision(t, read_betting(t), player_ids, players, action, amount, scratch))
        chips += t.stack[0] - t.start[0]
    return chips / len(strengths)


class NetworkOnXcsInputs:
    """A player that plays by the network."""

    def __init__(self, weights: Floats) -> None:
        self.weights, self.encoder = weights, Encoder()

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """Return the legal action of the largest output."""
        row: Ints = np.array(view.row, np.int64)
        action = choose(self.weights, self.encoder.encode(view), legal_bits(row))
        self.encoder.record(action)
        wish = (action, view.min_raise_to, view.to_call > 0, view.min_raise_to, view.max_raise_to)
        return named_action(view, *nearest_legal(*wish))

    def watch(self, event: object) -> None:
        """Reset at a new hand."""
        if isinstance(event, HandBegan):
            self.encoder.begin_hand()


def evolved_network(
    game: HoldemGame, opponent: str, hands: int, seed: int, share: int = SHARE
) -> Callable[[], NetworkOnXcsInputs]:
    """Evolve a network against an opponent.

    Args:
        game: The game.
        opponent: The opponent's specification.
        hands: The hands that XCS plays.
        seed: The seed.
        share: How many times as many hands the network plays.

    Returns:
        The network's factory.

    """
    search = CMA(mean=np.zeros(WEIGHTS), sigma=0.5, population_size=POPULATION, seed=seed % 2**31)
    players = compiled_players([None, player(opponent)])
    tables, ehs, key = game.tables(2), ehs_table(), key_of(seed, "network")
    for generation in range(max(share * hands // (POPULATION * HANDS), 2)):
        deals, strengths = child(key, generation), np.zeros((HANDS, 1, 4, 2))
        write_strengths(ehs, tables, np.zeros(1, np.int64), deals, strengths)
        networks = [search.ask() for _ in range(search.population_size)]
        chips = [play_network(weights, tables, game.stack, players.arrays, deals, strengths) for weights in networks]
        search.tell([(weights, -won) for weights, won in zip(networks, chips, strict=True)])
    best: Floats = search.mean.copy()  # the mean, not the best of noisy samples
    return lambda: NetworkOnXcsInputs(best)
