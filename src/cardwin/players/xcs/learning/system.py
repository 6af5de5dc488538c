"""A classifier system during learning: its rules, current sets, settings and random stream.

Seats share the rules and each have a register and the previous action set, which awaits its target ([A]-1). Two
more sets follow the seats': the current action set [A], and the match set [M].
"""

from typing import NamedTuple

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.rng import Stream, stream_of
from cardwin.players.xcs.fields import Fields, Layout
from cardwin.players.xcs.learning.parameters import Parameters, XcsSettings, settings_of
from cardwin.players.xcs.rules import Rules, internal_actions, no_rules


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
    """A system without rules; with two predictions it separates wins and losses."""
    words = len(fields.layout.full)
    rules = no_rules(words, parameters.N, two_predictions)
    columns = rules.condition.shape[1]
    sets = Sets(
        np.zeros((seats + 2, columns), np.int64), np.zeros(seats + 2, np.int64),
        np.zeros((seats + 2, words), np.int64), np.zeros(seats, np.int64),
    )  # fmt: skip
    internals = internal_actions(fields)
    kinds = 2 if two_predictions else 1
    scratch = Scratch(np.zeros((2, actions * internals)), np.zeros(columns), np.zeros((2, kinds)))
    settings, stream = settings_of(parameters), stream_of(key)
    return System(rules, sets, fields.layout, settings, stream, scratch, actions, internals, fields.register)
