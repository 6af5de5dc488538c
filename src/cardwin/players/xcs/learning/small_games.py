"""A classifier system at a seat of a small game, one hand per trial (kernels): the reward is in chips, at the end.

A game of several hands may count chips at every node: then a decision is rewarded by the chips won since.
The caller passes the game as arrays (`solvers.tree`).
"""

from typing import NamedTuple

from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, draw_uniform
from cardwin.games.base import CHANCE, NOBODY
from cardwin.players.xcs.learning.episode import LEARNING, PREDICTING, step
from cardwin.players.xcs.learning.system import System
from cardwin.players.xcs.rules import add_register, best_pair, matching, predict, updated_register


class GameWorld(NamedTuple):
    """A game's nodes (see `solvers.tree.Nodes`), the learner's seat, and the other seat's behaviour.

    Attributes:
        actor: (nodes,), as the next four, see `solvers.tree.Nodes`.
        first: (nodes,), the first child.
        children: (nodes,), the number of children.
        sequence: (nodes,), the actor's first sequence.
        chance: (nodes,), the probability of a node that chance leads to.
        chips: (nodes,), the chips of the first seat, 0 within a game of one hand.
        infoset: (nodes,), the information set of the learner's seat.
        situation: (infosets, words).
        legal: (infosets,), a bit for each action.
        choice: (infosets, actions), the child that an action leads to.
        behaviour: (sequences,), of the other seat.
        seat: the learner's seat.

    """

    actor: Ints
    first: Ints
    children: Ints
    sequence: Ints
    chance: Floats
    chips: Floats
    infoset: Ints
    situation: Ints
    legal: Ints
    choice: Ints
    behaviour: Floats
    seat: int


@kernel
def _draw_child(world: GameWorld, node: int, rng: Stream) -> int:
    """Draw the child of a node at which chance or the other seat moves."""
    point, child = draw_uniform(rng), 0
    while child < world.children[node] - 1:
        if world.actor[node] == CHANCE:
            point -= world.chance[world.first[node] + child]
        else:
            point -= world.behaviour[world.sequence[node] + child]
        if point < 0:
            break
        child += 1
    return int(world.first[node] + child)


@kernel
def game_trials(system: System, world: GameWorld, rng: Stream, explored: Ints, chips: Floats) -> None:
    """Play as many hands as the arrays have elements; chips (hands,) are the learner's."""
    for hand in range(len(explored)):
        explored[hand] = int(draw_uniform(rng) < system.settings.p_explr)
        mode = LEARNING if explored[hand] else PREDICTING
        node, reward, over, before = 0, 0.0, False, 0.0
        while True:
            while world.actor[node] != world.seat and world.actor[node] != NOBODY:
                node = _draw_child(world, node, rng)
            infoset = 0
            if world.actor[node] == NOBODY:
                over = True
            else:
                infoset = world.infoset[node]
            total = world.chips[node] if world.seat == 0 else -world.chips[node]
            reward, before = total - before, total
            situation, legal = world.situation[infoset], world.legal[infoset]
            action = step(system, 0, situation, legal, reward, over, explored[hand] == 1, mode)
            if over:
                break
            node = world.first[node] + world.choice[infoset, action]
        chips[hand] = before


@kernel
def greedy(system: System, world: GameWorld, parents: Ints, actions: Ints, registers: Ints) -> None:
    """Write the best action at every information set into actions (infosets,), -1 if no rule matches.

    parents (infosets,): the previous information set, or -1; parents come first. The register's contents depend on the
    path: registers (infosets,) are its contents after each information set.
    """
    sensed, members = system.sets.situation, system.sets.members
    row = len(system.sets.size) - 1
    for infoset in range(len(world.legal)):
        register = 0 if parents[infoset] < 0 else registers[parents[infoset]]
        for word in range(world.situation.shape[1]):
            sensed[row, word] = world.situation[infoset, word]
        add_register(sensed[row], system.layout, system.bits, register)
        count = matching(system.rules, sensed[row], members, row)
        predict(system.rules, members, row, count, system.internals, system.scratch.expected)
        best = best_pair(system.scratch.expected, system.internals, world.legal[infoset])
        actions[infoset] = best // system.internals if best >= 0 else -1
        registers[infoset] = register
        if best >= 0:
            registers[infoset] = updated_register(register, best % system.internals, system.bits)
