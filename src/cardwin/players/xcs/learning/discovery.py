"""Rule discovery (kernels): covering, and the genetic algorithm in a set (Wilson 1998; Butz and Wilson 2000).

1. Parents are drawn from the set by fitness, by roulette or by tournament.
2. Two-point crossover mixes their conditions; every bit stays set that the situation needs, since both match it.
3. Niche mutation flips bits that the situation does not need, so offspring match too; actions mutate as well.
4. Offspring covered by an accurate, experienced parent increases that parent's numerosity; other offspring is inserted.
5. Deletion keeps the population at N.
"""

from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import draw_below, draw_uniform
from cardwin.players.xcs.learning.system import System, copy_rule, covers, insert, trim
from cardwin.players.xcs.rules import (
    ACTION,
    ERROR,
    EXPERIENCE,
    FITNESS,
    INTERNAL,
    MICRO,
    NUMEROSITY,
    PREDICTION,
    SEEN,
    SET_SIZE,
    STAGED,
    TIME,
    TIME_STAMP,
    matching,
    pair_of,
)


@kernel
def count_bits(bits: int) -> int:
    """Count the set bits."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def nth_bit(bits: int, n: int) -> int:
    """Return the position of the n-th set bit, counted from 0."""
    for _ in range(n):
        bits &= bits - 1
    return count_bits((bits & -bits) - 1)


@kernel
def flip_bits(system: System, mask: int, free: int, probability: float) -> int:
    """Return a mask with each of the free bits flipped with this probability."""
    while free:
        low = free & -free
        if draw_uniform(system.stream) < probability:
            mask ^= low
        free ^= low
    return mask


@kernel
def cover(system: System, situation: Ints, action: int, internal: int) -> None:
    """Insert a new rule for a pair of actions that matches the situation."""
    rules, settings = system.rules, system.settings
    new = rules.condition.shape[1] - STAGED
    for word in range(len(situation)):
        free = system.layout.full[word] & ~situation[word]
        rules.condition[word, new] = flip_bits(system, situation[word], free, settings.P_hash)
    rules.counts[ACTION, new] = action
    rules.counts[INTERNAL, new] = internal
    rules.counts[NUMEROSITY, new] = 1
    rules.counts[EXPERIENCE, new] = 0
    rules.counts[TIME_STAMP, new] = rules.totals[TIME]
    rules.values[ERROR, new] = settings.epsilon_I
    rules.values[FITNESS, new] = settings.F_I
    rules.values[SET_SIZE, new] = 1.0
    for row in range(PREDICTION, len(rules.values), 2):
        rules.values[row, new] = settings.p_I
        rules.values[row + 1, new] = 0.0
    insert(rules, new)
    trim(system)


@kernel
def missing_pairs(system: System, count: int, legal: int, grain: int) -> int:
    """Mark, in the prediction array, the legal actions that no rule of the match set proposes; return their number.

    A grain of 1 distinguishes pairs of external and internal actions, a grain of `internals` only external ones.
    """
    sets, internals, marks = system.sets, system.internals, system.scratch.expected
    pairs = system.actions * internals // grain
    for pair in range(pairs):
        marks[0, pair] = float((legal >> (pair * grain // internals)) & 1)
    for k in range(count):
        i = sets.members[len(sets.size) - 1, k]
        marks[0, pair_of(system.rules, i, internals) // grain] = 0.0
    count_missing = 0
    for pair in range(pairs):
        count_missing += int(marks[0, pair] > 0)
    return count_missing


@kernel
def match_and_cover(system: System, situation: Ints, legal: int) -> int:
    """Form the match set, covering until it proposes enough legal actions; return the number of matching rules."""
    settings, internals, marks = system.settings, system.internals, system.scratch.expected
    grain = 1 if settings.cover_internal else internals
    allowed = count_bits(legal) * (internals // grain)
    enough = min(allowed, settings.theta_mna) if settings.theta_mna > 0 else allowed
    while True:
        count = matching(system.rules, situation, system.sets.members, len(system.sets.size) - 1)
        missing = missing_pairs(system, count, legal, grain)
        if allowed - missing >= enough:
            return count
        nth, pair = draw_below(system.stream, missing), 0
        while marks[0, pair] == 0 or nth > 0:
            nth -= int(marks[0, pair] > 0)
            pair += 1
        internal = pair % internals if grain == 1 else draw_below(system.stream, internals)
        cover(system, situation, pair * grain // internals, internal)


@kernel
def draw_parent(system: System, row: int) -> int:
    """Draw a rule of a set by fitness: by roulette, or the fittest of a random share of the set."""
    rules, stream, tau = system.rules, system.stream, system.settings.tau
    members, count = system.sets.members, system.sets.size[row]
    if tau == 0:
        total = 0.0
        for k in range(count):
            total += rules.values[FITNESS, members[row, k]]
        point = draw_uniform(stream) * total
        for k in range(count):
            point -= rules.values[FITNESS, members[row, k]]
            if point < 0:
                return int(members[row, k])
        return int(members[row, count - 1])
    best, highest = -1, -1.0
    while best < 0:
        for k in range(count):
            i = members[row, k]
            fitness = rules.values[FITNESS, i] / rules.counts[NUMEROSITY, i]
            # Each of its copies takes part with probability tau.
            if fitness > highest and draw_uniform(stream) >= (1.0 - tau) ** rules.counts[NUMEROSITY, i]:
                best, highest = i, fitness
    return best


@kernel
def stage_child(system: System, mother: int, child: int) -> None:
    """Copy a parent as new offspring."""
    rules, settings = system.rules, system.settings
    copy_rule(rules, mother, child)
    rules.values[FITNESS, child] *= settings.fitness_reduction / rules.counts[NUMEROSITY, mother]
    rules.values[ERROR, child] *= settings.error_reduction
    rules.counts[NUMEROSITY, child] = 1
    rules.counts[EXPERIENCE, child] = 0
    rules.counts[TIME_STAMP, child] = rules.totals[TIME]
    # The parents' share of wins counts as one outcome of the child, so that its own outcomes soon outweigh it.
    total = 0.0
    for row in range(SEEN, len(rules.values), 2):
        total += rules.values[row, child]
    if total > 0:
        for row in range(SEEN, len(rules.values), 2):
            rules.values[row, child] /= total


@kernel
def cross(system: System, a: int, b: int) -> None:
    """Cross two staged conditions at two points; average their predictions."""
    rules, cuts = system.rules, system.layout.cuts
    first, second = draw_below(system.stream, len(cuts)), draw_below(system.stream, len(cuts))
    for word in range(len(rules.condition)):
        # Each cut's bits include those before it, so the difference is the bits between.
        between = cuts[first, word] ^ cuts[second, word]
        swapped = (rules.condition[word, a] ^ rules.condition[word, b]) & between
        rules.condition[word, a] ^= swapped
        rules.condition[word, b] ^= swapped
    for row in range(len(rules.values)):
        mean = 0.5 * (rules.values[row, a] + rules.values[row, b])
        rules.values[row, a] = mean
        rules.values[row, b] = mean


@kernel
def mutate(system: System, situation: Ints, child: int) -> None:
    """Flip bits of a condition that the situation leaves free, and occasionally change the action."""
    rules, stream, mu = system.rules, system.stream, system.settings.mu
    for word in range(len(situation)):
        free = system.layout.full[word] & ~situation[word]
        rules.condition[word, child] = flip_bits(system, rules.condition[word, child], free, mu)
    if draw_uniform(stream) < mu:
        other = rules.counts[ACTION, child] + 1 + draw_below(stream, system.actions - 1)
        rules.counts[ACTION, child] = other % system.actions
    step = 1
    for _ in range(system.bits):
        if draw_uniform(stream) < mu:
            digit = rules.counts[INTERNAL, child] // step % 3
            rules.counts[INTERNAL, child] += ((digit + 1 + draw_below(stream, 2)) % 3 - digit) * step
        step *= 3


@kernel
def may_subsume(system: System, i: int) -> bool:
    """Return whether a rule is accurate and experienced enough to absorb others."""
    rules, settings = system.rules, system.settings
    return bool(rules.counts[EXPERIENCE, i] > settings.theta_sub and rules.values[ERROR, i] < settings.epsilon_0)


@kernel
def is_due(system: System, row: int) -> bool:
    """Return whether a set may breed, because its last breeding is long enough ago; if so, stamp its rules."""
    rules, members = system.rules, system.sets.members
    count, now = system.sets.size[row], rules.totals[TIME]
    waited, total = 0, 0
    for k in range(count):
        number = rules.counts[NUMEROSITY, members[row, k]]
        waited += (now - rules.counts[TIME_STAMP, members[row, k]]) * number
        total += number
    if waited <= system.settings.theta_GA * total:
        return False
    for k in range(count):
        rules.counts[TIME_STAMP, members[row, k]] = now
    return True


@kernel
def discover(system: System, row: int) -> None:
    """Run the genetic algorithm in a set, if it is due."""
    rules, settings = system.rules, system.settings
    if not is_due(system, row):
        return
    first_child = rules.condition.shape[1] - STAGED
    members, matched = system.sets.members, len(system.sets.size) - 1  # the match set is no longer needed
    for number in range(2):
        members[matched, number] = draw_parent(system, row)
        stage_child(system, members[matched, number], first_child + number)
    if draw_uniform(system.stream) < settings.chi:
        cross(system, first_child, first_child + 1)
    for number in range(2):
        child = first_child + number
        mutate(system, system.sets.situation[row], child)
        absorbed = False
        for k in range(2):
            i = members[matched, k]
            if settings.do_GA_subsumption and not absorbed and may_subsume(system, i) and covers(rules, i, child):
                rules.counts[NUMEROSITY, i] += 1
                rules.totals[MICRO] += 1
                absorbed = True
        if not absorbed:
            insert(rules, child)
    trim(system)
