"""An episode of a classifier system (kernels): one `step` per decision, and one when it is over.

A single-step problem is an episode of one decision. While exploring, the external action is drawn at random and
the internal one is the best for it (Lanzi and Wilson 2000); otherwise both are the best. Covering considers external
actions only: with six register bits there are 729 internal ones, and the genetic algorithm finds those that matter.
"""

from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import draw_below, draw_uniform
from cardwin.players.xcs.learning.credit import expected_parts, outcome_parts, subsume, update
from cardwin.players.xcs.learning.discovery import count_bits, discover, match_and_cover, nth_bit
from cardwin.players.xcs.learning.system import System
from cardwin.players.xcs.rules import TIME, add_register, best_pair, matching, pair_of, predict, updated_register

FROZEN, PREDICTING, LEARNING = range(3)  # change nothing; update predictions; also evolve rules


@kernel
def match_set(system: System, seat: int, situation: Ints, legal: int, mode: int) -> int:
    """Form the match set for a seat's situation, including its register, and the prediction array."""
    sets, now = system.sets, len(system.sets.size) - 2
    sensed = sets.situation[now]
    for word in range(len(situation)):
        sensed[word] = situation[word]
    add_register(sensed, system.layout, system.bits, sets.register[seat])
    if mode == FROZEN:
        count = matching(system.rules, sensed, sets.members, now + 1)
    else:
        count = match_and_cover(system, sensed, legal)
    predict(system.rules, sets.members, now + 1, count, system.internals, system.scratch.expected)
    return count


@kernel
def choose_pair(system: System, legal: int, explore: bool) -> int:
    """Return the best pair of actions or, exploring, a random proposed external one with its best internal one."""
    expected, internals = system.scratch.expected, system.internals
    if explore and draw_uniform(system.stream) < system.settings.p_random:
        proposed = 0
        for pair in range(expected.shape[1]):
            if expected[1, pair] > 0:
                proposed |= 1 << (pair // internals)
        if proposed & legal:
            legal = 1 << nth_bit(proposed & legal, draw_below(system.stream, count_bits(proposed & legal)))
    best = best_pair(expected, internals, legal)
    if best >= 0:
        return best
    # No rule matches: any legal action, the register unchanged.
    return (nth_bit(legal, draw_below(system.stream, count_bits(legal))) + 1) * internals - 1


@kernel
def form_action_set(system: System, count: int, chosen: int) -> None:
    """Form [A], the rules of [M] that propose the chosen pair."""
    rules, sets, now = system.rules, system.sets, len(system.sets.size) - 2
    size = 0
    for k in range(count):
        i = sets.members[now + 1, k]
        sets.members[now, size] = i
        size += int(pair_of(rules, i, system.internals) == chosen)
    sets.size[now] = size


@kernel
def step(
    system: System, seat: int, situation: Ints, legal: int, reward: float, over: bool, explore: bool, mode: int
) -> int:
    """Decide an action in a situation, and learn from the previous decision.

    The previous action set gets its target: the reward since and, unless the episode is over, this decision's
    prediction. That set runs the genetic algorithm.

    Args:
        system: the classifier system.
        seat: the seat that decides.
        situation: the words (words,) of its situation, without the register.
        legal: a bit for each legal external action.
        reward: the reward since its last decision.
        over: whether the episode is over, so that there is nothing to decide.
        explore: whether the episode explores.
        mode: `FROZEN`, `PREDICTING` or `LEARNING`.

    Returns:
        The external action, or -1 when the episode is over.

    """
    sets, now = system.sets, len(system.sets.size) - 2
    chosen, count = -1, 0
    if not over:
        count = match_set(system, seat, situation, legal, mode)
        chosen = choose_pair(system, legal, explore)
        if mode != FROZEN:
            form_action_set(system, count, chosen)
            system.rules.totals[TIME] += 1
    if mode != FROZEN and sets.size[seat] > 0:
        if over:
            outcome_parts(system, reward)
        else:
            best = best_pair(system.scratch.expected, system.internals, legal)
            expected_parts(system, best, count, reward)
        update(system, seat)
        if system.settings.do_action_set_subsumption:
            subsume(system, seat)
        if mode == LEARNING:
            discover(system, seat)
    size = sets.size[now]
    sets.size[now] = 0
    sets.size[seat] = size
    for k in range(size):
        sets.members[seat, k] = sets.members[now, k]
    if over:
        sets.register[seat] = 0
        return -1
    for word in range(len(situation)):
        sets.situation[seat, word] = sets.situation[now, word]
    sets.register[seat] = updated_register(sets.register[seat], chosen % system.internals, system.bits)
    return chosen // system.internals
