"""The two other kinds of classifier systems that the document weighs against XCS, on the 6-multiplexer.

**A Michigan system** (2.2.1): the fitness of a rule is its strength, the reward that it expects, and the genetic
algorithm takes parents from the whole population. Here a problem takes one step, so there is nothing for a bucket
brigade or a message list to do. A right answer pays 1,000 if the first address bit is 0, and 200 if it is 1. The
document says that rules for the situation that pays less die out, so that a gap develops (2.2.2). The gap is the share
of situations for which no rule knows the right answer: where little is paid, minus where much is paid.

**A Pitt system** (2.2.3): the genetic algorithm works on whole sets of rules, each judged by what it wins on the same
instances. The document says that it is a great deal slower (2.2.4). That is measured by the instances that are answered
until a set is right in 99% of all 64 situations, beside those of XCS; ten times as many count as a great deal.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of, key_of
from cardwin.players.xcs.learning.problems import XcsLearner, explore_trials_to, problem_of

Bytes = npt.NDArray[np.int8]
BITS, SITUATIONS = 6, 64
ANY = 2  # of a ternary condition
HIGH_REWARD, LOW_REWARD = 1_000.0, 200.0
RIGHT = 0.99


def situations() -> Bytes:
    """Return all situations (64, 6)."""
    return np.array([[number >> bit & 1 for bit in range(BITS)] for number in range(SITUATIONS)], np.int8)


def answers(inputs: Bytes) -> Bytes:
    """Return the right answer (n,) to each situation (n, 6): the data bit that the first two address."""
    data_bits: Bytes = inputs[np.arange(len(inputs)), 2 + 2 * inputs[:, 0] + inputs[:, 1]]
    return data_bits


def _matches(conditions: Bytes, situation: Bytes) -> npt.NDArray[np.bool_]:
    """Return which conditions (..., 6) match a situation (6,)."""
    matching: npt.NDArray[np.bool_] = ((conditions == ANY) | (conditions == situation)).all(axis=-1)
    return matching


# --- a Michigan system


class Michigan(NamedTuple):
    """Rules with a strength each: conditions (N, 6), actions (N,), strength (N,)."""

    conditions: Bytes
    actions: Bytes
    strength: Floats


SIZE, RATE, BREEDING, MUTATION, WILD = 400, 0.2, 0.25, 0.04, 0.33


def michigan(trials: int, seed: int) -> Michigan:
    """Train a Michigan system; actions are chosen at random, so that all are tried."""
    draws = generator_of(key_of(seed, "michigan"))
    conditions = np.where(draws.random((SIZE, BITS)) < WILD, ANY, draws.integers(0, 2, (SIZE, BITS))).astype(np.int8)
    system = Michigan(conditions, draws.integers(0, 2, SIZE).astype(np.int8), np.full(SIZE, 10.0))
    inputs = situations()
    right = answers(inputs)
    for number in draws.integers(0, SITUATIONS, trials):
        action = draws.integers(0, 2)
        reward = (LOW_REWARD if inputs[number, 0] else HIGH_REWARD) * (action == right[number])
        action_set = _matches(system.conditions, inputs[number]) & (system.actions == action)
        if not action_set.any():
            covering = np.where(draws.random(BITS) < WILD, ANY, inputs[number]).astype(np.int8)
            _replace(system, draws, covering, int(action), float(system.strength.mean()))
            continue
        system.strength[action_set] += RATE * (reward - system.strength[action_set])
        if draws.random() < BREEDING:
            _breed(system, draws)
    return system


def _breed(system: Michigan, draws: np.random.Generator) -> None:
    """Replace a weak rule by offspring of two parents, drawn from all rules by their strength."""
    weights = system.strength + 1e-9
    mother, father = draws.choice(SIZE, 2, p=weights / weights.sum())
    first, second = sorted(draws.integers(0, BITS + 1, 2))  # two-point crossover
    child = system.conditions[mother].copy()
    child[first:second] = system.conditions[father, first:second]
    child = np.where(draws.random(BITS) < MUTATION, draws.integers(0, 3, BITS), child).astype(np.int8)
    action = int(system.actions[mother]) ^ int(draws.random() < MUTATION)
    _replace(system, draws, child, action, float(system.strength[[mother, father]].mean()))


def _replace(system: Michigan, draws: np.random.Generator, condition: Bytes, action: int, strength: float) -> None:
    """Replace a rule that is drawn by its weakness."""
    weakness = 1.0 / (system.strength + 1.0)
    index = draws.choice(SIZE, p=weakness / weakness.sum())
    system.conditions[index], system.actions[index], system.strength[index] = condition, action, strength


def gap(trials: int, seed: int) -> float:
    """Return the share of situations without a rule that knows the answer: low reward minus high reward."""
    system, inputs = michigan(trials, seed), situations()
    known = [
        (_matches(system.conditions, situation) & (system.actions == answer)).any()
        for situation, answer in zip(inputs, answers(inputs), strict=True)
    ]
    unknown, low_reward = ~np.array(known), inputs[:, 0] == 1
    return float(unknown[low_reward].mean() - unknown[~low_reward].mean())


# --- a Pitt system

SETS, RULES, SELECTED, FLIPS = 60, 16, 3, 0.01


def pitt_instances(maximum: int, seed: int) -> int:
    """Count the instances that a Pitt system answers until its best set is right in 99% of all situations.

    Every set answers all 64 situations in each generation. The first rule that matches decides; a set without one errs.

    Args:
        maximum: The number of instances after which it stops, and which is returned then.
        seed: The seed.

    """
    draws, inputs = generator_of(key_of(seed, "pitt")), situations()
    right = answers(inputs)
    wild = draws.random((SETS, RULES, BITS)) < 0.5
    conditions = np.where(wild, ANY, draws.integers(0, 2, (SETS, RULES, BITS))).astype(np.int8)
    actions = draws.integers(0, 2, (SETS, RULES)).astype(np.int8)
    answered = 0
    while answered < maximum:
        fitness = _fitness(conditions, actions, inputs, right)
        answered += SETS * SITUATIONS
        if fitness.max() >= RIGHT:
            break
        best = int(fitness.argmax())
        rivals = (draws.integers(0, SETS, SELECTED) for _ in range(2 * SETS))
        parents = np.array([drawn[fitness[drawn].argmax()] for drawn in rivals]).reshape(SETS, 2)
        cuts = draws.integers(0, RULES + 1, SETS)
        first = np.arange(RULES) < cuts[:, None]
        elite = conditions[best].copy(), actions[best].copy()
        conditions = np.where(first[:, :, None], conditions[parents[:, 0]], conditions[parents[:, 1]])
        actions = np.where(first, actions[parents[:, 0]], actions[parents[:, 1]])
        flips = draws.random(conditions.shape) < FLIPS
        conditions = np.where(flips, draws.integers(0, 3, conditions.shape), conditions).astype(np.int8)
        actions ^= (draws.random(actions.shape) < FLIPS).astype(np.int8)
        conditions[0], actions[0] = elite
    return min(answered, maximum)


def _fitness(conditions: Bytes, actions: Bytes, inputs: Bytes, right: Bytes) -> Floats:
    """Return the share of situations (n, 6) that each set answers correctly (sets,)."""
    hits = ((conditions[:, :, None] == ANY) | (conditions[:, :, None] == inputs)).all(axis=-1)  # (sets, rules, n)
    first = hits.argmax(axis=1)
    answered = np.take_along_axis(actions, first, axis=1)
    shares: Floats = (hits.any(axis=1) & (answered == right)).mean(axis=1)
    return shares


def slowness(maximum: int, seed: int) -> float:
    """Return by what factor a Pitt system takes more instances than XCS, log 10; a lower bound at `maximum`."""
    explored = explore_trials_to(XcsLearner(problem_of("multiplexer-6"), seed), RIGHT, 20_000) or 20_000
    return float(np.log10(pitt_instances(maximum, seed) / (2 * explored)))  # it exploits as often as it explores
