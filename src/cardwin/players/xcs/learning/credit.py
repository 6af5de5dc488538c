"""Credit assignment (kernels): predictions, errors, set sizes, fitness, subsumption.

Widrow-Hoff updates at rate max(beta, 1/experience) (MAM); the error refers to the prediction before its update.

With two predictions (Reveley 2002) a target has a part for wins and a part for losses, and the share of
each: 1 and 0 after a win, 0 and 1 after a loss. Each prediction is updated by its own part only, by its share, and
the error measures the prediction of what happened. Before the outcome is known, within an episode, both parts and the
shares come from the best action of the next decision (`expected_parts`), discounted like any target. A plain system
is the case of one kind and a share of 1.
"""

from cardwin.core.kernel import kernel
from cardwin.players.xcs.learning.discovery import count_bits, may_subsume
from cardwin.players.xcs.learning.system import System, covers, remove
from cardwin.players.xcs.rules import (
    ERROR,
    EXPERIENCE,
    FITNESS,
    NUMEROSITY,
    PREDICTION,
    SEEN,
    SET_SIZE,
    SIZE,
    pair_of,
)


@kernel
def outcome_parts(system: System, reward: float) -> None:
    """Set the target at the end of an episode: the reward, a win if it is above 0 and otherwise a loss."""
    target = system.scratch.target
    target[0, 0] = reward
    target[1, 0] = 1.0
    if target.shape[1] == 2:
        target[0, 1] = reward
        target[1, 0] = 1.0 if reward > 0 else 0.0
        target[1, 1] = 1.0 - target[1, 0]


@kernel
def expected_parts(system: System, best: int, count: int, reward: float) -> None:
    """Set the target within an episode: reward plus the discounted prediction of the next decision's best pair.

    With two kinds, a kind's prediction is the mean over the pair's rules, weighted by fitness and by how often a rule
    saw that kind, so that the parts weighted by their shares sum to the expected payoff.
    """
    rules, gamma, target = system.rules, system.settings.gamma, system.scratch.target
    kinds = target.shape[1]
    if kinds == 1:
        target[0, 0] = reward + gamma * system.scratch.expected[0, best]
        target[1, 0] = 1.0
        return
    for kind in range(kinds):
        target[0, kind] = 0.0
        target[1, kind] = 0.0
    matched = len(system.sets.size) - 1
    for k in range(count):
        i = system.sets.members[matched, k]
        if pair_of(rules, i, system.internals) == best:
            total = rules.values[SEEN, i] + rules.values[SEEN + 2, i]
            for kind in range(kinds):
                share = rules.values[SEEN + 2 * kind, i] / total if total > 0 else 0.5
                target[0, kind] += rules.values[FITNESS, i] * share * rules.values[PREDICTION + 2 * kind, i]
                target[1, kind] += rules.values[FITNESS, i] * share
    for kind in range(kinds):
        prediction = target[0, kind] / target[1, kind] if target[1, kind] > 0 else 0.0
        target[0, kind] = reward + gamma * prediction
        target[1, kind] /= system.scratch.expected[1, best]


@kernel
def update_rule(system: System, i: int, set_size: int) -> None:
    """Update one rule's experience, error, predictions and set size."""
    counts, values, beta, target = system.rules.counts, system.rules.values, system.settings.beta, system.scratch.target
    counts[EXPERIENCE, i] += 1
    rate = max(beta, 1.0 / counts[EXPERIENCE, i])
    error = 0.0
    for kind in range(target.shape[1]):
        share = target[1, kind]
        if share > 0:
            difference = target[0, kind] - values[PREDICTION + 2 * kind, i]
            error += share * abs(difference)
            values[SEEN + 2 * kind, i] += share
            step = min(1.0, share * max(beta, 1.0 / values[SEEN + 2 * kind, i]))
            values[PREDICTION + 2 * kind, i] += step * difference
    values[ERROR, i] += rate * (error - values[ERROR, i])
    values[SET_SIZE, i] += rate * (set_size - values[SET_SIZE, i])


@kernel
def update(system: System, row: int) -> None:
    """Update a set's rules towards the target, then their fitness by relative accuracy."""
    rules, settings, kappa = system.rules, system.settings, system.scratch.votes
    members, count = system.sets.members, system.sets.size[row]
    set_size = 0
    for k in range(count):
        set_size += rules.counts[NUMEROSITY, members[row, k]]
    total = 0.0
    for k in range(count):
        i = members[row, k]
        update_rule(system, i, set_size)
        accuracy = 1.0
        if rules.values[ERROR, i] >= settings.epsilon_0:
            accuracy = settings.alpha * (rules.values[ERROR, i] / settings.epsilon_0) ** -settings.nu
        kappa[k] = accuracy * rules.counts[NUMEROSITY, i]
        total += kappa[k]
    if total > 0:
        for k in range(count):
            i = members[row, k]
            rules.values[FITNESS, i] += settings.beta * (kappa[k] / total - rules.values[FITNESS, i])


@kernel
def subsume(system: System, row: int) -> None:
    """Let the most general accurate, experienced rule of a set absorb the rules that it covers."""
    rules, sets = system.rules, system.sets
    subsumer, max_bits = -1, -1
    for k in range(sets.size[row]):
        i = sets.members[row, k]
        if may_subsume(system, i):
            bits = 0
            for word in range(len(rules.condition)):
                bits += count_bits(rules.condition[word, i])
            if bits > max_bits:
                subsumer, max_bits = i, bits
    k = 0
    while subsumer >= 0 and k < sets.size[row]:
        i = sets.members[row, k]
        if i != subsumer and covers(rules, subsumer, i):
            rules.counts[NUMEROSITY, subsumer] += rules.counts[NUMEROSITY, i]
            if subsumer == rules.totals[SIZE] - 1:
                subsumer = i  # the last column moves into the freed one
            remove(system, i)
        else:
            k += 1
