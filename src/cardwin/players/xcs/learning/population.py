"""The population (kernels): insertion with numerosity, deletion, and sets that stay valid when columns move."""

from cardwin.core.kernel import kernel
from cardwin.core.rng import draw_uniform
from cardwin.players.xcs.learning.system import System
from cardwin.players.xcs.rules import ACTION, EXPERIENCE, FITNESS, INTERNAL, MICRO, NUMEROSITY, SET_SIZE, SIZE, Rules


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
    """Whether one rule has the same action and matches every situation that another matches."""
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
        if (
            rules.condition[0, i] == rules.condition[0, staged]
            and covers(rules, i, staged)
            and covers(rules, staged, i)
        ):
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
        kept = 0
        for k in range(sets.size[row]):
            member = sets.members[row, k]
            if member != i:
                sets.members[row, kept] = i if member == last else member
                kept += 1
        sets.size[row] = kept


@kernel
def deletion_votes(system: System) -> float:
    """Every rule's vote for deletion, set size times numerosity, more for unfit rules, as cumulative sums."""
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
        own = rules.values[FITNESS, i] / number
        if rules.counts[EXPERIENCE, i] > settings.theta_del and own < settings.delta * mean:
            vote *= mean / max(own, 1e-300)
        total += vote
        votes[i] = total
    return total


@kernel
def trim(system: System) -> None:
    """Delete by roulette until no more than N are left."""
    rules, votes = system.rules, system.scratch.votes
    while rules.totals[MICRO] > system.settings.N:
        point = draw_uniform(system.stream) * deletion_votes(system)
        chosen = 0
        while chosen < rules.totals[SIZE] - 1 and votes[chosen] <= point:
            chosen += 1
        rules.totals[MICRO] -= 1
        rules.counts[NUMEROSITY, chosen] -= 1
        if rules.counts[NUMEROSITY, chosen] == 0:
            remove(system, chosen)
