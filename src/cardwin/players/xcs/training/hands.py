"""A classifier system learns limit hold'em, one hand per trial: the reward is in chips, at the end.

Whole hands are played by kernels if all opponents are compiled, otherwise at a live table that calls them in Python;
the same key deals the same hands either way. Several seats can learn at once, with one set of rules (self-play).
"""

from typing import NamedTuple

import numpy as np

from cardwin.arena.engine import CARDS, advance, apply_decision, deal, new_scratch
from cardwin.arena.engine import begin_hand as begin
from cardwin.arena.live_table import LiveTable
from cardwin.cards.ehs import EHSTable, strength_and_potential
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import child, draw_uniform, prf
from cardwin.games.base import NOBODY
from cardwin.games.holdem.hooks import Players
from cardwin.games.holdem.rules import RAISE, min_raise_to, read_betting, write_betting
from cardwin.games.holdem.table import Tables
from cardwin.games.holdem.view import VIEW_SIZE, write_view
from cardwin.players.robots.static import named_action
from cardwin.players.xcs.encoding import Coded, begin_hand, legal_bits, record_action, update_memory, write_situation
from cardwin.players.xcs.learning.episode import LEARNING, PREDICTING, step
from cardwin.players.xcs.learning.system import System


class Learning(NamedTuple):
    """The learners: the system, its encoding, its seats (learners,), and the memory of each (learners, MEMORY)."""

    system: System
    coded: Coded
    seats: Ints
    memory: Ints


class Hands(NamedTuple):
    """Hands to play and their results.

    Attributes:
        key: hand i uses child i of this key.
        button: the button of the first hand; it moves by one seat per hand.
        explored: (hands,), whether a hand explored.
        chips: (hands,), the chips that the first learner won.

    """

    key: int
    button: int
    explored: Ints
    chips: Ints


@kernel
def write_strengths(table: EHSTable, tables: Tables, seats: Ints, key: int, strengths: Floats) -> None:
    """Deal all hands; write the learners' strength and potential on each street, strengths (hands, learners, 4, 2)."""
    t, scratch = tables[0], new_scratch(0)
    for hand in range(len(strengths)):
        deal(t, prf(child(key, hand), CARDS), scratch)
        for learner in range(len(seats)):
            a, b = t.hole[2 * seats[learner]], t.hole[2 * seats[learner] + 1]
            for street in range(4):
                strength, potential = strength_and_potential(table, a, b, scratch.deck[: t.board_size[street]])
                strengths[hand, learner, street, 0] = strength
                strengths[hand, learner, street, 1] = potential


@kernel
def play_hands(
    learning: Learning, tables: Tables, stack: int, players: Players, hands: Hands, strengths: Floats
) -> None:
    """Play and learn against compiled opponents; tables (1,) is the variant, strengths are from `write_strengths`."""
    system, coded = learning.system, learning.coded
    t, scratch, stream = tables[0], new_scratch(len(players.states)), system.stream
    player_ids, learner_of = np.arange(t.seats), np.full(t.seats, -1)
    row, situation = np.empty(VIEW_SIZE, np.int64), np.zeros(len(coded.layout.full), np.int64)
    for learner in range(len(learning.seats)):
        learner_of[learning.seats[learner]] = learner
    for hand in range(len(hands.explored)):
        hands.explored[hand] = int(draw_uniform(stream) < system.settings.p_explr)
        explore = hands.explored[hand] == 1
        t.button = (hands.button + hand) % t.seats
        for seat in range(t.seats):
            t.stack[seat] = stack
        for learner in range(len(learning.seats)):
            begin_hand(learning.memory[learner])
        hand_key = child(hands.key, hand)
        begin(t, player_ids, players, prf(hand_key, CARDS), hand_key, scratch)
        count_informed, over, reward, legal, strength = 0, False, 0.0, 0, 0.0
        while True:
            if not over:
                advance(t, player_ids, players, scratch)
            learner = count_informed
            if t.actor == NOBODY:
                if count_informed == len(learning.seats):
                    break
                over, count_informed = True, count_informed + 1
                seat = learning.seats[learner]
                reward = float(t.stack[seat] - t.start[seat])
            else:
                learner = learner_of[t.actor]
                memory = learning.memory[learner]
                write_view(t, t.actor, row)
                update_memory(memory, row)
                strength = strengths[hand, learner, t.street, 0]
                write_situation(coded, row, strength, strengths[hand, learner, t.street, 1], memory, situation)
                legal = legal_bits(row)
            action = step(system, learner, situation, legal, reward, over, explore, LEARNING if explore else PREDICTING)
            if not over:
                memory = learning.memory[learner]
                record_action(memory, action, strength, coded.bluff_below, system.sets.register[learner])
                amount = min_raise_to(t) if action == RAISE else 0
                write_betting(t, apply_decision(t, read_betting(t), player_ids, players, action, amount, scratch))
        first = learning.seats[0]
        hands.chips[hand] = t.stack[first] - t.start[first]


@kernel
def decide_and_learn(learning: Learning, learner: int, row: Ints, strengths: Floats, explore: bool) -> int:
    """Decide as a learner at a live table, from its view's row; strengths (2,): strength and potential."""
    system, coded, memory = learning.system, learning.coded, learning.memory[learner]
    situation = np.zeros(len(coded.layout.full), np.int64)
    update_memory(memory, row)
    write_situation(coded, row, strengths[0], strengths[1], memory, situation)
    mode = LEARNING if explore else PREDICTING
    action = step(system, learner, situation, legal_bits(row), 0.0, False, explore, mode)
    record_action(memory, action, strengths[0], coded.bluff_below, system.sets.register[learner])
    return action


@kernel
def learn_outcome(learning: Learning, learner: int, reward: float, explore: bool) -> None:
    """Learn from a finished hand at a live table."""
    nothing = np.zeros(len(learning.coded.layout.full), np.int64)
    mode = LEARNING if explore else PREDICTING
    step(learning.system, learner, nothing, 0, reward, True, explore, mode)


def play_live(learning: Learning, table: LiveTable, stack: int, hands: Hands, strengths: Floats) -> None:
    """Play the same hands at a live table, whose seats without players are the learners'."""
    system, seats = learning.system, learning.seats.tolist()
    for hand in range(len(hands.explored)):
        hands.explored[hand] = int(draw_uniform(system.stream) < system.settings.p_explr)
        explore = bool(hands.explored[hand])
        for memory in learning.memory:
            begin_hand(memory)
        table.begin(
            [stack] * table.seats,
            (hands.button + hand) % table.seats,
            child(hands.key, hand),
            logged=bool(table.watchers),
        )
        while table.actor != NOBODY:
            view = table.turn
            learner = seats.index(view.actor)
            row = np.array(view.row, np.int64)
            action = decide_and_learn(learning, learner, row, strengths[hand, learner, view.street], explore)
            table.take(named_action(view, action, view.min_raise_to if action == RAISE else 0))
        won = table.won
        for learner, seat in enumerate(seats):
            learn_outcome(learning, learner, float(won[seat]), explore)
        hands.chips[hand] = won[seats[0]]
