"""Selection of parents (López Pozuelo 2015, section 3.6; Morsomme 2019, section 3.4.1; Nicolai and Hilderman, 4.4).

1. Only the best share of a population is eligible.
2. Tournament: draw a few, take the fittest. The others turn fitness into weights: roulette (fitness plus a shift),
   rank (the worst 1, the best n), their blend (half of each), exponential (e to the fitness), truncation (equal
   weights for all eligible).
"""

import numpy as np

from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, child, draw_below, draw_uniform
from cardwin.evolution.breeding import SELECTIONS, Floats, Ints, Pool, SearchSettings


def pool_of(fitness: Floats, settings: SearchSettings) -> Pool:
    """The eligible parents of the next generation, and how they are drawn."""
    eligible = candidates(fitness, settings.parents)
    weights = SELECTIONS[settings.selection](fitness[eligible], settings)
    return Pool(fitness, eligible, wheel(weights) if len(weights) else weights, settings.tournament)


def candidates(fitness: Floats, share: float) -> Ints:
    """The eligible members, (eligible,): all in order of index, or the fittest first if only a share is eligible."""
    if share >= 1.0:
        return np.arange(len(fitness))
    return fittest(fitness, max(2, int(len(fitness) * share + 1e-9)))


def fittest(fitness: Floats, count: int) -> Ints:
    """The indices of the fittest, best first; of equals the earlier. Only the necessary part is sorted."""
    if count == 0:
        return np.zeros(0, dtype=np.int64)
    least = np.partition(fitness, len(fitness) - count)[len(fitness) - count]
    near = np.flatnonzero(fitness >= least)
    return near[np.argsort(-fitness[near], kind="stable")][:count]


def tournament(fitness: Floats, settings: SearchSettings) -> Floats:  # noqa: ARG001  the kernel needs no weights
    """No weights: the kernel holds tournaments. Ranking all members for the same probabilities would cost more."""
    return np.zeros(0)


def roulette(fitness: Floats, settings: SearchSettings) -> Floats:
    """Weights by fitness plus the shift, which should be the largest possible loss."""
    return np.maximum(fitness + settings.shift, 0.0)


def rank(fitness: Floats, settings: SearchSettings) -> Floats:  # noqa: ARG001
    """Weights by rank: 1 for the least fit, n for the fittest; equals share the mean of their ranks."""
    order = np.sort(fitness)
    lowest = np.searchsorted(order, fitness, side="left")
    highest = np.searchsorted(order, fitness, side="right")
    weights: Floats = (lowest + highest + 1) / 2.0
    return weights


def blend(fitness: Floats, settings: SearchSettings) -> Floats:
    """Half roulette, half rank."""
    by_fitness, by_rank = roulette(fitness, settings), rank(fitness, settings)
    total = by_fitness.sum()
    weights: Floats = by_rank / by_rank.sum() + (by_fitness / total if total > 0 else 0.0)
    return weights


def exponential(fitness: Floats, settings: SearchSettings) -> Floats:  # noqa: ARG001
    """Weights e to the fitness."""
    weights: Floats = np.exp(fitness - fitness.max())
    return weights


def truncation(fitness: Floats, settings: SearchSettings) -> Floats:  # noqa: ARG001
    """Equal weights for all eligible members."""
    return np.ones(len(fitness))


SELECTIONS["tournament"] = tournament
SELECTIONS["roulette"] = roulette
SELECTIONS["rank"] = rank
SELECTIONS["blend"] = blend
SELECTIONS["exponential"] = exponential
SELECTIONS["truncation"] = truncation


def wheel(weights: Floats) -> Floats:
    """The cumulative shares that `spin` reads, (n,), ending in 1; equal shares if all weights are 0."""
    total = weights.sum()
    if not total > 0:
        weights, total = np.ones(len(weights)), float(len(weights))
    shares: Floats = np.cumsum(weights) / total
    return shares


@kernel
def spin(cumulative: Floats, point: float) -> int:
    """The index on the wheel for a point in [0, 1)."""
    return min(int(np.searchsorted(cumulative, point, side="right")), len(cumulative) - 1)


@kernel
def draw_parent(fitness: Floats, eligible: Ints, cumulative: Floats, size: int, stream: Stream) -> int:
    """One eligible parent: from the wheel, or the winner of a tournament of `size` if there is no wheel."""
    if len(cumulative) > 0:
        return int(eligible[spin(cumulative, draw_uniform(stream))])
    best = eligible[draw_below(stream, len(eligible))]
    for _ in range(size - 1):
        rival = eligible[draw_below(stream, len(eligible))]
        if fitness[rival] > fitness[best]:
            best = rival
    return int(best)


@kernel
def draw_parents(
    fitness: Floats, eligible: Ints, cumulative: Floats, size: int, key: int, start: int, stop: int, parents: Ints
) -> None:
    """Fill rows start..stop of the first column of parents (rows, 2)."""
    stream = np.zeros(2, dtype=np.int64)
    for row in range(start, stop):
        stream[0], stream[1] = child(key, row), 0
        parents[row, 0] = draw_parent(fitness, eligible, cumulative, size, stream)
