"""The two other kinds of classifier systems that the document weighs against XCS, on the 6-multiplexer.

**A Michigan system** (2.2.1): the fitness of a rule is its strength, the reward that it expects, and the genetic
algorithm takes parents from the whole population. Here a problem takes one step, so that there is nothing for a bucket
brigade or a message list. A right answer pays 1,000 if the first address bit is 0, and 200 if it is 1. The document
says that rules for the situation that pays less die out, so that a gap develops (2.2.2): the share of situations for
which no rule knows the right answer, where little is paid minus where much is paid.

**A Pitt system** (2.2.3): the genetic algorithm works on whole sets of rules, each judged by what it wins on the same
instances. The document says that it is a great deal slower (2.2.4): instances that are answered until a set is right in
99% of all 64 situations, beside those of XCS; ten times as many count as a great deal.
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
WELL, LITTLE = 1_000.0, 200.0
RIGHT = 0.99


def situations() -> Bytes:
    """All situations (64, 6)."""
    return np.array([[number >> bit & 1 for bit in range(BITS)] for number in range(SITUATIONS)], np.int8)


def answers(seen: Bytes) -> Bytes:
    """The right answer to each situation (n,): the data bit that the first two address."""
    found: Bytes = seen[np.arange(len(seen)), 2 + 2 * seen[:, 0] + seen[:, 1]]
    return found


def matches(conditions: Bytes, seen: Bytes) -> npt.NDArray[np.bool_]:
    """Which conditions (..., 6) match a situation (6,)."""
    found: npt.NDArray[np.bool_] = ((conditions == ANY) | (conditions == seen)).all(axis=-1)
    return found


# --- a Michigan system


class Michigan(NamedTuple):
    """Rules with a strength each: conditions (N, 6), actions (N,), strength (N,)."""

    conditions: Bytes
    actions: Bytes
    strength: Floats


SIZE, RATE, BREEDING, MUTATION, WILD = 400, 0.2, 0.25, 0.04, 0.33


def michigan(trials: int, seed: int) -> Michigan:
    """A Michigan system after so many trials; actions are chosen at random, so that all are tried."""
    draws = generator_of(key_of(seed, "michigan"))
    system = Michigan(
        np.where(draws.random((SIZE, BITS)) < WILD, ANY, draws.integers(0, 2, (SIZE, BITS))).astype(np.int8),
        draws.integers(0, 2, SIZE).astype(np.int8), np.full(SIZE, 10.0),
    )  # fmt: skip
    seen = situations()
    right = answers(seen)
    for number in draws.integers(0, SITUATIONS, trials):
        action = draws.integers(0, 2)
        pays = (LITTLE if seen[number, 0] else WELL) * (action == right[number])
        chosen = matches(system.conditions, seen[number]) & (system.actions == action)
        if not chosen.any():
            covering = np.where(draws.random(BITS) < WILD, ANY, seen[number]).astype(np.int8)
            _replace(system, draws, covering, int(action), float(system.strength.mean()))
            continue
        system.strength[chosen] += RATE * (pays - system.strength[chosen])
        if draws.random() < BREEDING:
            _breed(system, draws)
    return system


def _breed(system: Michigan, draws: np.random.Generator) -> None:
    """Two parents of the whole population by strength, two-point crossover, mutation; offspring replaces weak rules."""
    weights = system.strength + 1e-9
    mother, father = draws.choice(SIZE, 2, p=weights / weights.sum())
    first, second = sorted(draws.integers(0, BITS + 1, 2))
    child = system.conditions[mother].copy()
    child[first:second] = system.conditions[father, first:second]
    child = np.where(draws.random(BITS) < MUTATION, draws.integers(0, 3, BITS), child).astype(np.int8)
    action = int(system.actions[mother]) ^ int(draws.random() < MUTATION)
    _replace(system, draws, child, action, float(system.strength[[mother, father]].mean()))


def _replace(system: Michigan, draws: np.random.Generator, condition: Bytes, action: int, strength: float) -> None:
    """A new rule in the place of one that is drawn by its weakness."""
    weakness = 1.0 / (system.strength + 1.0)
    place = draws.choice(SIZE, p=weakness / weakness.sum())
    system.conditions[place], system.actions[place], system.strength[place] = condition, action, strength


def gap(trials: int, seed: int) -> float:
    """The share of situations without a rule that knows the answer, where little is paid minus where much is paid."""
    system, seen = michigan(trials, seed), situations()
    unknown = np.array([not (matches(system.conditions, one) & (system.actions == answer)).any()
                        for one, answer in zip(seen, answers(seen), strict=True)])  # fmt: skip
    little = seen[:, 0] == 1
    return float(unknown[little].mean() - unknown[~little].mean())


# --- a Pitt system

SETS, RULES, SELECTED, FLIPS = 60, 16, 3, 0.01


def pitt_instances(most: int, seed: int) -> int:
    """Instances answered until the best set of rules is right in 99% of all situations; `most` if it is not by then.

    Every set answers all 64 situations in each generation. The first rule that matches decides; without one it errs.
    """
    draws, seen = generator_of(key_of(seed, "pitt")), situations()
    right = answers(seen)
    wild = draws.random((SETS, RULES, BITS)) < 0.5
    conditions = np.where(wild, ANY, draws.integers(0, 2, (SETS, RULES, BITS))).astype(np.int8)
    actions = draws.integers(0, 2, (SETS, RULES)).astype(np.int8)
    done = 0
    while done < most:
        fitness = _fitness(conditions, actions, seen, right)
        done += SETS * SITUATIONS
        if fitness.max() >= RIGHT:
            break
        best = int(fitness.argmax())
        rivals = (draws.integers(0, SETS, SELECTED) for _ in range(2 * SETS))
        parents = np.array([some[fitness[some].argmax()] for some in rivals]).reshape(SETS, 2)
        cuts = draws.integers(0, RULES + 1, SETS)
        first = np.arange(RULES) < cuts[:, None]
        kept = conditions[best].copy(), actions[best].copy()
        conditions = np.where(first[:, :, None], conditions[parents[:, 0]], conditions[parents[:, 1]])
        actions = np.where(first, actions[parents[:, 0]], actions[parents[:, 1]])
        flips = draws.random(conditions.shape) < FLIPS
        conditions = np.where(flips, draws.integers(0, 3, conditions.shape), conditions).astype(np.int8)
        actions ^= (draws.random(actions.shape) < FLIPS).astype(np.int8)
        conditions[0], actions[0] = kept  # the best one survives
    return min(done, most)


def _fitness(conditions: Bytes, actions: Bytes, seen: Bytes, right: Bytes) -> Floats:
    """The share of situations (n, 6) that each set answers rightly (sets,)."""
    hits = ((conditions[:, :, None] == ANY) | (conditions[:, :, None] == seen)).all(axis=-1)  # (sets, rules, n)
    first = hits.argmax(axis=1)
    said = np.take_along_axis(actions, first, axis=1)
    found: Floats = (hits.any(axis=1) & (said == right)).mean(axis=1)
    return found


def slowness(most: int, seed: int) -> float:
    """How many times the instances of XCS a Pitt system takes, as a logarithm to base 10; a lower bound at `most`."""
    explored = explore_trials_to(XcsLearner(problem_of("multiplexer-6"), seed), RIGHT, 20_000) or 20_000
    return float(np.log10(pitt_instances(most, seed) / (2 * explored)))  # it exploits as often as it explores
