"""A classifier system learns limit hold'em, one hand a trial: the reward is in chips, at the end.

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
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem.hooks import Players
from cardwin.games.holdem.rules import RAISE, min_raise_to, read_betting, write_betting
from cardwin.games.holdem.table import Tables
from cardwin.games.holdem.view import VIEW_SIZE, HoldemView, write_view
from cardwin.players.robots.static import named_action
from cardwin.players.xcs.encoding import Coded, begin_hand, legal_bits, look, note_own, write_situation
from cardwin.players.xcs.learning.episode import LEARNING, PREDICTING, step
from cardwin.players.xcs.learning.system import System


class Learning(NamedTuple):
    """The learners: the system, its encoding, its seats (learners,), and each one's memory (learners, MEMORY)."""

    system: System
    coded: Coded
    seats: Ints
    memory: Ints


class Hands(NamedTuple):
    """Hands to play and their results: explored (hands,), chips (hands,) of the first learner.

    Hand i uses child i of the key, and its button is the first one's moved on by i seats.
    """

    key: int
    button: int
    explored: Ints
    chips: Ints


@kernel
def look_ahead(kept: EHSTable, tables: Tables, seats: Ints, key: int, seen: Floats) -> None:
    """Deal all hands, and write the learners' strength and potential on each street: seen (hands, learners, 4, 2)."""
    t, scratch = tables[0], new_scratch(0)
    for hand in range(len(seen)):
        deal(t, prf(child(key, hand), CARDS), scratch)
        for learner in range(len(seats)):
            a, b = t.hole[2 * seats[learner]], t.hole[2 * seats[learner] + 1]
            for street in range(4):
                found = strength_and_potential(kept, a, b, scratch.deck[: t.board_size[street]])
                seen[hand, learner, street, 0] = found[0]
                seen[hand, learner, street, 1] = found[1]


@kernel
def play_hands(learning: Learning, tables: Tables, stack: int, players: Players, hands: Hands, seen: Floats) -> None:
    """Play and learn, all opponents compiled. tables (1,): the variant, and scratch."""
    system, coded = learning.system, learning.coded
    t, scratch, stream = tables[0], new_scratch(len(players.states)), system.stream
    who, learner_of = np.arange(t.seats), np.full(t.seats, -1)
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
        begin(t, who, players, prf(hand_key, CARDS), hand_key, scratch)
        informed, over, reward, legal, strength = 0, False, 0.0, 0, 0.0
        while True:
            if not over:
                advance(t, who, players, scratch)
            learner = informed
            if t.actor == NOBODY:
                if informed == len(learning.seats):
                    break
                over, informed = True, informed + 1
                seat = learning.seats[learner]
                reward = float(t.stack[seat] - t.start[seat])
            else:
                learner = learner_of[t.actor]
                memory = learning.memory[learner]
                write_view(t, t.actor, row)
                look(memory, row)
                strength = seen[hand, learner, t.street, 0]
                write_situation(coded, row, strength, seen[hand, learner, t.street, 1], memory, situation)
                legal = legal_bits(row)
            action = step(system, learner, situation, legal, reward, over, explore, LEARNING if explore else PREDICTING)
            if not over:
                memory = learning.memory[learner]
                note_own(memory, action, strength, coded.bluff_below, system.sets.register[learner])
                amount = min_raise_to(t) if action == RAISE else 0
                write_betting(t, apply_decision(t, read_betting(t), who, players, action, amount, scratch))
        first = learning.seats[0]
        hands.chips[hand] = t.stack[first] - t.start[first]


@kernel
def decide_and_learn(learning: Learning, learner: int, row: Ints, seen: Floats, explore: bool) -> int:
    """A learner's decision at a live table, from its view's row; seen (2,): strength and potential."""
    system, coded, memory = learning.system, learning.coded, learning.memory[learner]
    situation = np.zeros(len(coded.layout.full), np.int64)
    look(memory, row)
    write_situation(coded, row, seen[0], seen[1], memory, situation)
    mode = LEARNING if explore else PREDICTING
    action = step(system, learner, situation, legal_bits(row), 0.0, False, explore, mode)
    note_own(memory, action, seen[0], coded.bluff_below, system.sets.register[learner])
    return action


@kernel
def learn_outcome(learning: Learning, learner: int, reward: float, explore: bool) -> None:
    """Learn from a finished hand at a live table."""
    nothing = np.zeros(len(learning.coded.layout.full), np.int64)
    mode = LEARNING if explore else PREDICTING
    step(learning.system, learner, nothing, 0, reward, True, explore, mode)


def play_live(learning: Learning, table: LiveTable, stack: int, hands: Hands, seen: Floats) -> None:
    """The same hands at a live table, whose seats without players are the learners'."""
    system, seats = learning.system, learning.seats.tolist()
    for hand in range(len(hands.explored)):
        hands.explored[hand] = int(draw_uniform(system.stream) < system.settings.p_explr)
        explore = bool(hands.explored[hand])
        for memory in learning.memory:
            begin_hand(memory)
        table.begin([stack] * table.seats, (hands.button + hand) % table.seats, child(hands.key, hand),
                    logged=bool(table.watchers))  # fmt: skip
        while table.actor != NOBODY:
            view = table.turn
            learner = seats.index(view.actor)
            row = np.array(view.row, np.int64)
            action = decide_and_learn(learning, learner, row, seen[hand, learner, view.street], explore)
            table.take(_named(view, action))
        won = table.won
        for learner, seat in enumerate(seats):
            learn_outcome(learning, learner, float(won[seat]), explore)
        hands.chips[hand] = won[seats[0]]


def _named(view: HoldemView, action: int) -> Action:
    return named_action(view, action, view.min_raise_to if action == RAISE else 0)
