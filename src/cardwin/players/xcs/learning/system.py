"""A classifier system during learning: its arrays, and how rules enter and leave them (kernels).

Seats share the rules and each have a register and the previous action set, which awaits its target ([A]-1). Two
more sets follow the seats': the current action set [A], and the match set [M]. Rules are inserted with numerosity and
deleted by roulette; sets stay valid when columns move.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, draw_uniform, stream_of
from cardwin.players.xcs.fields import Fields, Layout
from cardwin.players.xcs.learning.parameters import Parameters, XcsSettings, settings_of
from cardwin.players.xcs.rules import (
    ACTION,
    EXPERIENCE,
    FITNESS,
    INTERNAL,
    MICRO,
    NUMEROSITY,
    SET_SIZE,
    SIZE,
    Rules,
    empty_rules,
    internal_actions,
    used_rules,
)


class Sets(NamedTuple):
    """Columns of rules by set, the situation of each set, and every seat's register."""

    members: Ints  # (seats + 2, capacity)
    size: Ints  # (seats + 2,)
    situation: Ints  # (seats + 2, words)
    register: Ints  # (seats,)


class Scratch(NamedTuple):
    """Temporary arrays."""

    expected: Floats  # (2, actions * internals): the prediction array and its weights
    votes: Floats  # (capacity,)
    target: Floats  # (2, kinds): the target of a set for each kind of outcome, and each kind's share


class System(NamedTuple):
    """Everything that the learning kernels need."""

    rules: Rules
    sets: Sets
    layout: Layout
    settings: XcsSettings
    stream: Stream
    scratch: Scratch
    actions: int
    internals: int
    bits: int  # of the register


def new_system(
    fields: Fields, actions: int, parameters: Parameters, key: int, two_predictions: bool = False, seats: int = 1
) -> System:
    """Return a system without rules.

    Args:
        fields: the fields of situations.
        actions: the number of external actions.
        parameters: the learning parameters.
        key: the key of its random stream.
        two_predictions: whether rules predict wins and losses separately.
        seats: the number of seats that learn.

    """
    words = len(fields.layout.full)
    rules = empty_rules(words, parameters.N, two_predictions)
    columns = rules.condition.shape[1]
    sets = Sets(
        np.zeros((seats + 2, columns), np.int64),
        np.zeros(seats + 2, np.int64),
        np.zeros((seats + 2, words), np.int64),
        np.zeros(seats, np.int64),
    )
    internals = internal_actions(fields)
    kinds = 2 if two_predictions else 1
    scratch = Scratch(np.zeros((2, actions * internals)), np.zeros(columns), np.zeros((2, kinds)))
    settings, stream = settings_of(parameters), stream_of(key)
    return System(rules, sets, fields.layout, settings, stream, scratch, actions, internals, fields.register)


def rules_state(system: System) -> dict[str, Any]:
    """Return copies of the current rules as arrays by name."""
    return used_rules(system.rules)._asdict()


def load_rules(system: System, arrays: Mapping[str, Any]) -> None:
    """Restore saved rules.

    Raises:
        InputError: an array has another shape or dtype than this system's rules.

    """
    rules = system.rules
    size = int(arrays["totals"][SIZE])
    for name in ("condition", "counts", "values"):
        target, saved = getattr(rules, name), np.asarray(arrays[name])
        shape = (len(target), size)
        if saved.shape != shape or saved.dtype != target.dtype or size > system.settings.N:
            raise InputError(
                f"{name} of the rules: expected {target.dtype} {shape} of at most {system.settings.N} rules, "
                f"got {saved.dtype} {saved.shape}"
            )
    for name in ("condition", "counts", "values"):
        getattr(rules, name)[:, :size] = arrays[name]
    rules.totals[:] = arrays["totals"]


@kernel
def copy_rule(rules: Rules, source: int, to: int) -> None:
    """Copy one column to another."""
    for word in range(len(rules.condition)):
        rules.condition[word, to] = rules.condition[word, source]
    for row in range(len(rules.counts)):
        rules.counts[row, to] = rules.counts[row, source]
    for row in range(len(rules.values)):
        rules.values[row, to] = rules.values[row, source]


@kernel
def covers(rules: Rules, general: int, special: int) -> bool:
    """Return whether one rule has the same action and matches every situation that another matches."""
    differs = rules.counts[ACTION, general] ^ rules.counts[ACTION, special]
    differs |= rules.counts[INTERNAL, general] ^ rules.counts[INTERNAL, special]
    for word in range(len(rules.condition)):
        differs |= rules.condition[word, special] & ~rules.condition[word, general]
    return bool(differs == 0)


@kernel
def insert(rules: Rules, staged: int) -> None:
    """Add a staged rule: increase an equal rule's numerosity, or use a new column. Nothing is deleted or moved."""
    rules.totals[MICRO] += 1
    size = rules.totals[SIZE]
    for i in range(size):
        equal = rules.condition[0, i] == rules.condition[0, staged]
        if equal and covers(rules, i, staged) and covers(rules, staged, i):
            rules.counts[NUMEROSITY, i] += 1
            return
    copy_rule(rules, staged, size)
    rules.totals[SIZE] = size + 1


@kernel
def remove(system: System, i: int) -> None:
    """Remove a column: the last moves into its place, and all sets that contain either are updated."""
    rules, sets = system.rules, system.sets
    last = rules.totals[SIZE] - 1
    rules.totals[SIZE] = last
    copy_rule(rules, last, i)
    for row in range(len(sets.size)):
        size = 0
        for k in range(sets.size[row]):
            member = sets.members[row, k]
            if member != i:
                sets.members[row, size] = i if member == last else member
                size += 1
        sets.size[row] = size


@kernel
def deletion_votes(system: System) -> float:
    """Compute every rule's vote for deletion, set size times numerosity, more for unfit rules, as cumulative sums."""
    rules, votes, settings = system.rules, system.scratch.votes, system.settings
    size = rules.totals[SIZE]
    fitness = 0.0
    for i in range(size):
        fitness += rules.values[FITNESS, i]
    mean = fitness / rules.totals[MICRO]
    total = 0.0
    for i in range(size):
        number = rules.counts[NUMEROSITY, i]
        vote = rules.values[SET_SIZE, i] * number
        fitness_per_copy = rules.values[FITNESS, i] / number
        if rules.counts[EXPERIENCE, i] > settings.theta_del and fitness_per_copy < settings.delta * mean:
            vote *= mean / max(fitness_per_copy, 1e-300)
        total += vote
        votes[i] = total
    return total


@kernel
def trim(system: System) -> None:
    """Delete by roulette until no more than N are left."""
    rules, votes = system.rules, system.scratch.votes
    while rules.totals[MICRO] > system.settings.N:
        point = draw_uniform(system.stream) * deletion_votes(system)
        victim = 0
        while victim < rules.totals[SIZE] - 1 and votes[victim] <= point:
            victim += 1
        rules.totals[MICRO] -= 1
        rules.counts[NUMEROSITY, victim] -= 1
        if rules.counts[NUMEROSITY, victim] == 0:
            remove(system, victim)
