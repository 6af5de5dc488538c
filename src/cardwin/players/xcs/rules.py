"""A classifier system's rules as arrays: which ones match a situation, and their prediction for each action.

One column is a macroclassifier. A rule's action has two parts: the action taken (external) and what it writes into the
register (internal, a number of base-three digits: 0, 1, or 2 for # which keeps the bit). All kernels here only read;
`learning` has those that change rules.
"""

from typing import NamedTuple

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.players.xcs.fields import Fields, Layout

# Rows of counts, in the literature: a, the internal action, num, exp, ts.
ACTION, INTERNAL, NUMEROSITY, EXPERIENCE, TIME_STAMP = range(5)
# Rows of values, in the literature: epsilon, F, as; then p and how often it was seen, twice with two predictions.
ERROR, FITNESS, SET_SIZE, PREDICTION, SEEN = range(5)
WIN, LOSS = 0, 2  # offsets of the last two; with one prediction there is only the first
SIZE, MICRO, TIME = range(3)  # of totals: macroclassifiers, the sum of numerosities, decisions so far
STAGED = 2  # columns at the end for staged offspring


class Rules(NamedTuple):
    """Columns of macroclassifiers, the first `totals[SIZE]` in use."""

    condition: Ints  # (words, capacity): masks over the fields' bits
    counts: Ints  # (5, capacity)
    values: Floats  # (5, capacity), or (7, capacity) with two predictions
    totals: Ints  # (3,)


def empty_rules(words: int, capacity: int, two_predictions: bool) -> Rules:
    """Return empty arrays for at most `capacity` rules."""
    columns = capacity + 2 * STAGED
    condition, counts = (np.zeros((rows, columns), np.int64) for rows in (words, 5))
    return Rules(condition, counts, np.zeros((7 if two_predictions else 5, columns)), np.zeros(3, np.int64))


def used_rules(rules: Rules) -> Rules:
    """Return a copy without unused columns."""
    size = rules.totals[SIZE]
    condition, counts = (array[:, :size].copy() for array in (rules.condition, rules.counts))
    return Rules(condition, counts, rules.values[:, :size].copy(), rules.totals.copy())


@kernel
def matching(rules: Rules, situation: Ints, members: Ints, row: int) -> int:
    """Write the columns of all matching rules into a row of members; return their number."""
    count = 0
    for i in range(rules.totals[SIZE]):
        missing = situation[0] & ~rules.condition[0, i]
        for word in range(1, len(situation)):
            missing |= situation[word] & ~rules.condition[word, i]
        members[row, count] = i
        count += int(missing == 0)
    return count


@kernel
def expected_payoff(rules: Rules, i: int) -> float:
    """Return a rule's prediction, or the mean of both, weighted by how often each outcome occurred."""
    values = rules.values
    if len(values) == 5:
        return float(values[PREDICTION, i])
    wins, losses = values[SEEN + WIN, i], values[SEEN + LOSS, i]
    if wins + losses == 0:
        return float(0.5 * (values[PREDICTION + WIN, i] + values[PREDICTION + LOSS, i]))
    return float((wins * values[PREDICTION + WIN, i] + losses * values[PREDICTION + LOSS, i]) / (wins + losses))


@kernel
def pair_of(rules: Rules, i: int, internals: int) -> int:
    """Return a rule's two actions as one number."""
    return int(rules.counts[ACTION, i] * internals + rules.counts[INTERNAL, i])


@kernel
def predict(rules: Rules, members: Ints, row: int, count: int, internals: int, expected: Floats) -> None:
    """Compute the prediction array, expected (2, actions * internals): fitness-weighted means, and the weights.

    A weight is 0 if no rule proposes the pair.
    """
    for pair in range(expected.shape[1]):
        expected[0, pair] = 0.0
        expected[1, pair] = 0.0
    for k in range(count):
        i = members[row, k]
        pair = pair_of(rules, i, internals)
        expected[0, pair] += rules.values[FITNESS, i] * expected_payoff(rules, i)
        expected[1, pair] += rules.values[FITNESS, i]
    for pair in range(expected.shape[1]):
        if expected[1, pair] > 0:
            expected[0, pair] /= expected[1, pair]


@kernel
def best_pair(expected: Floats, internals: int, legal: int) -> int:
    """Return the pair of highest prediction whose external action is a bit of legal, or -1 if no rule matches."""
    best = -1
    for pair in range(expected.shape[1]):
        is_legal = expected[1, pair] > 0 and (legal >> (pair // internals)) & 1
        if is_legal and (best < 0 or expected[0, pair] > expected[0, best]):
            best = pair
    return best


@kernel
def add_register(situation: Ints, layout: Layout, bits: int, register: int) -> None:
    """Add a register's contents to a situation, in its last fields."""
    first = len(layout.places) - bits
    for number in range(first, first + bits):
        position = layout.places[number, 1] + ((register >> (number - first)) & 1)
        situation[layout.places[number, 0]] |= 1 << position


@kernel
def updated_register(register: int, internal: int, bits: int) -> int:
    """Return a register's contents after an internal action."""
    for number in range(bits):
        digit = internal % 3
        internal //= 3
        if digit < 2:
            register = (register & ~(1 << number)) | (digit << number)
    return register


def internal_actions(fields: Fields) -> int:
    """Return the number of internal actions: three to the power of the register's bits."""
    return int(3**fields.register)
