"""Robots for kernels: their parameters, and for those that learn the memory of a hand and the learning at its end.

After a hand that counted, each learnt parameter goes down a step if the hand was won and up a step if it was lost.
"""

# ruff: noqa: ARG001  hooks have fixed signatures
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats, Ints
from cardwin.core.intrinsics import structure_at
from cardwin.core.kernel import kernel
from cardwin.games.holdem import view as at
from cardwin.games.holdem.hooks import (
    RAISE_TO,
    nearest_legal,
    on_action,
    on_decision,
    on_hand,
    on_match,
    on_probabilities,
    on_row,
)
from cardwin.games.holdem.rules import CALL, FOLD, RAISE, min_raise_to
from cardwin.games.holdem.table import Table
from cardwin.games.holdem.view import VIEW_SIZE, write_view
from cardwin.players.compiled import CompiledKind, Functions
from cardwin.players.robots.kernels import Decision, blind, matrix, standard, v1

# Columns of a learner's memory: its actions in this hand as bits, hands that counted, and counted hands won.
DID, COUNTED, WON = 0, 1, 2
COLUMNS = 3
RAISED, PLAYED = 1, 3  # what makes a hand count: it raised, or it put in chips by choice (1 raised, 2 called)


class Rule(NamedTuple):
    """How a robot learns: steps (down, up, minimum, maximum) by parameter, which hands count, whether it forgets."""

    steps: tuple[tuple[float, float, float, float], ...]
    counts: int
    forgets: bool


class Robots(NamedTuple):
    """Robots by row. parameters (robots, any); seen (VIEW_SIZE,) is the actor's view, scratch.

    Of learners: start (robots, any), the initial parameters; steps (robots, any, 4): down, up, minimum and maximum of
    each; counts (robots,): what makes a hand count; forgets (robots,): 1 if it resets among new opponents; memory
    (robots, COLUMNS). All these are empty if the robots do not learn.
    """

    parameters: Floats
    seen: Ints
    start: Floats
    steps: Floats
    counts: Ints
    forgets: Ints
    memory: Floats


def robots_in(parameters: Floats) -> Robots:
    """Return robots that do not learn, with these parameters (robots, any)."""
    numbers, nothing = np.zeros(0, np.int64), np.zeros((0, 0))
    return Robots(parameters, np.zeros(VIEW_SIZE, np.int64), nothing, np.zeros((0, 0, 4)), numbers, numbers, nothing)


def _robots_of(values: Sequence[tuple[float, ...]], players: int) -> Robots:
    return robots_in(np.array(values))


def learners_of(data: Sequence[tuple[tuple[float, ...], Rule]], players: int = 0) -> Robots:
    """Return learning robots by their parameters and rules."""
    parameters = np.array([values for values, _ in data])
    steps = np.zeros((*parameters.shape, 4))
    for row, (_, rule) in zip(steps, data, strict=True):
        row[: len(rule.steps)] = rule.steps
    counts = np.array([rule.counts for _, rule in data], np.int64)
    forgets = np.array([rule.forgets for _, rule in data], np.int64)
    memory = np.zeros((len(data), COLUMNS))
    return robots_in(parameters)._replace(
        start=parameters.copy(), steps=steps, counts=counts, forgets=forgets, memory=memory
    )


def _no_robots() -> Robots:
    return robots_in(np.zeros((0, 0)))


robots_at = structure_at(_no_robots)


def _copy_scratch(robots: Robots) -> Robots:
    return robots._replace(seen=robots.seen.copy())


def _copy_memory(robots: Robots) -> Robots:
    return _copy_scratch(robots)._replace(parameters=robots.parameters.copy(), memory=robots.memory.copy())


def _memory(robots: Robots) -> Mapping[str, npt.NDArray[Any]]:
    return {"parameters": robots.parameters, "memory": robots.memory}


@kernel(refcount=False)
def legal(decision: Decision, row: Ints) -> tuple[int, int]:
    """Return the nearest legal action to a robot's decision in a view (VIEW_SIZE,)."""
    facing = row[at.TO_CALL] > 0
    return nearest_legal(decision[0], decision[1], facing, row[at.MIN_RAISE_TO], row[at.MAX_RAISE_TO])


@on_decision
def decide_standard(state: int, row: int, ids: Ints, t: Table, streams: Ints) -> tuple[int, int]:
    """Decide as Standard."""
    robots = robots_at(state)
    write_view(t, t.actor, robots.seen)
    return legal(standard(robots.parameters[row], robots.seen, streams[t.actor]), robots.seen)


@on_decision
def decide_v1(state: int, row: int, ids: Ints, t: Table, streams: Ints) -> tuple[int, int]:
    """Decide as V1."""
    robots = robots_at(state)
    write_view(t, t.actor, robots.seen)
    return legal(v1(robots.parameters[row], robots.seen, streams[t.actor]), robots.seen)


@on_decision
def decide_matrix(state: int, row: int, ids: Ints, t: Table, streams: Ints) -> tuple[int, int]:
    """Decide by a matrix."""
    robots = robots_at(state)
    write_view(t, t.actor, robots.seen)
    return legal(matrix(robots.parameters[row], robots.seen, streams[t.actor]), robots.seen)


@on_decision
def decide_blind(state: int, row: int, ids: Ints, t: Table, streams: Ints) -> tuple[int, int]:
    """Decide without cards."""
    robots = robots_at(state)
    write_view(t, t.actor, robots.seen)
    return legal(blind(robots.parameters[row], robots.seen, streams[t.actor]), robots.seen)


@on_probabilities
def blind_probabilities(state: int, row: int, ids: Ints, t: Table, streams: Ints, out: Floats) -> None:
    """Write the probabilities of a mixture."""
    parameters = robots_at(state).parameters
    out[CALL], out[RAISE] = parameters[row, 0], parameters[row, 1]
    out[FOLD], out[RAISE_TO] = max(1.0 - out[CALL] - out[RAISE], 0.0), min_raise_to(t)


@on_action
def note_action(
    state: int, ids: Ints, rows: Ints, t: Table, actor: int, price: int, bet: int, action: int, amount: int
) -> None:
    """Record that a learner raised, or called for a price."""
    if rows[actor] < 0:
        return
    memory, row = robots_at(state).memory, rows[actor]
    did = int(memory[row, DID])
    if action == RAISE:
        memory[row, DID] = did | RAISED
    elif action == CALL and price > 0:
        memory[row, DID] = did | (PLAYED ^ RAISED)


@on_hand
def learn_from_hand(state: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Let all learners at the table learn from a hand that is over."""
    robots = robots_at(state)
    for seat in range(t.seats):
        if rows[seat] >= 0:
            learn(robots, rows[seat], t.stack[seat] - t.start[seat])


@kernel(refcount=False)
def learn(robots: Robots, row: int, chips: int) -> None:
    """Learn from a hand that is over, in which the learner won `chips`."""
    memory = robots.memory
    did = int(memory[row, DID])
    memory[row, DID] = 0.0
    if did & robots.counts[row] == 0 or chips == 0:
        return
    memory[row, COUNTED] += 1.0
    memory[row, WON] += chips > 0
    for parameter in range(robots.steps.shape[1]):
        adjust(robots.parameters, robots.steps, row, parameter, chips > 0)


@kernel(refcount=False)
def adjust(parameters: Floats, steps: Floats, row: int, parameter: int, won: bool) -> None:
    """Move one parameter a step, within its bounds."""
    change = -steps[row, parameter, 0] if won else steps[row, parameter, 1]
    if change != 0:
        value = parameters[row, parameter] + change
        parameters[row, parameter] = min(max(value, steps[row, parameter, 2]), steps[row, parameter, 3])


@kernel(refcount=False)
def reset(robots: Robots, row: int) -> None:
    """Reset a learner to its initial parameters."""
    for parameter in range(robots.start.shape[1]):
        robots.parameters[row, parameter] = robots.start[row, parameter]


@on_row
def meet_others(state: int, row: int) -> None:
    """Reset a learner that forgets, which now sits among new opponents."""
    robots = robots_at(state)
    if robots.forgets[row] == 1:
        reset(robots, row)


@on_match
def start_again(state: int) -> None:
    """Reset all learners."""
    robots = robots_at(state)
    for row in range(len(robots.parameters)):
        reset(robots, row)
        for column in range(COLUMNS):
            robots.memory[row, column] = 0.0


def _kind(name: str, functions: Functions, draws: bool, knows: bool, ignores_cards: bool = False) -> CompiledKind:
    return CompiledKind(
        name,
        functions,
        _no_robots,
        _robots_of,
        draws,
        knows,
        copy_scratch=_copy_scratch,
        copy_memory=_copy_scratch,
        ignores_cards=ignores_cards,
    )


STANDARD = _kind("standard", Functions(decide_standard), draws=False, knows=True)
V1 = _kind("v1", Functions(decide_v1), draws=True, knows=False)
MATRIX = _kind("matrix", Functions(decide_matrix), draws=True, knows=False)
BLIND = _kind("blind", Functions(decide_blind, blind_probabilities), draws=True, knows=True, ignores_cards=True)


def _learning(kind: CompiledKind) -> CompiledKind:
    """Return the kind of robots that learn while they play."""
    functions = kind.functions._replace(
        after_action=note_action, hand_ended=learn_from_hand, opponents_changed=meet_others, match_began=start_again
    )
    return CompiledKind(
        f"{kind.name} that learns",
        functions,
        _no_robots,
        learners_of,
        kind.draws,
        remembers=True,
        copy_scratch=_copy_scratch,
        copy_memory=_copy_memory,
        memory=_memory,
    )


LEARNING = {kind: _learning(kind) for kind in (STANDARD, V1, MATRIX, BLIND)}
