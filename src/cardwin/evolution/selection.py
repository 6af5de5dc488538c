"""Who becomes a parent (López Pozuelo 2015, section 3.6; Morsomme 2019, section 3.4.1).

1. Only the best share of a population may be parents.
2. Tournament: draw a few, take the fittest. The others turn fitness into weights: roulette (fitness plus a shift),
   rank (the worst 1, the best n), their blend (half of each), exponential (e to the fitness).
"""

import numpy as np
import numpy.typing as npt

from cardwin.kernel import kernel
from cardwin.rng import child, draw_below, draw_uniform

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def candidates(fitness: Floats, share: float) -> Ints:
    """Who may be a parent, (candidates,): everybody in order of place, or the fittest first where only a share may."""
    if share >= 1.0:
        return np.arange(len(fitness))
    return fittest(fitness, max(2, int(len(fitness) * share + 1e-9)))


def fittest(fitness: Floats, count: int) -> Ints:
    """The places of the fittest, best first; of equals the earlier. Only those who come near are sorted."""
    if count == 0:
        return np.zeros(0, dtype=np.int64)
    least = np.partition(fitness, len(fitness) - count)[len(fitness) - count]
    near = np.flatnonzero(fitness >= least)
    return near[np.argsort(-fitness[near], kind="stable")][:count]


def roulette(fitness: Floats, shift: float) -> Floats:
    """Weights by fitness plus the shift, which should be the largest loss there is."""
    return np.maximum(fitness + shift, 0.0)


def rank(fitness: Floats) -> Floats:
    """Weights by rank: 1 for the least fit, n for the fittest; equals share their ranks evenly."""
    order = np.sort(fitness)
    lowest = np.searchsorted(order, fitness, side="left")
    highest = np.searchsorted(order, fitness, side="right")
    weights: Floats = (lowest + highest + 1) / 2.0
    return weights


def blend(fitness: Floats, shift: float) -> Floats:
    """Half roulette, half rank."""
    by_fitness, by_rank = roulette(fitness, shift), rank(fitness)
    total = by_fitness.sum()
    weights: Floats = by_rank / by_rank.sum() + (by_fitness / total if total > 0 else 0.0)
    return weights


def exponential(fitness: Floats) -> Floats:
    """Weights e to the fitness."""
    weights: Floats = np.exp(fitness - fitness.max())
    return weights


def wheel(weights: Floats) -> Floats:
    """The cumulative shares that `spin` reads, (n,), ending in 1; equal shares where nobody has any weight."""
    total = weights.sum()
    if not total > 0:
        weights, total = np.ones(len(weights)), float(len(weights))
    shares: Floats = np.cumsum(weights) / total
    return shares


@kernel
def spin(cumulative: Floats, point: float) -> int:
    """The place on the wheel where a point in [0, 1) falls."""
    return min(int(np.searchsorted(cumulative, point, side="right")), len(cumulative) - 1)


@kernel
def draw_by_tournament(fitness: Floats, able: Ints, size: int, key: int, start: int, stop: int, parents: Ints) -> None:
    """Fill rows start..stop of parents (rows,) with the winners of tournaments among the able."""
    stream = np.zeros(2, dtype=np.int64)
    for row in range(start, stop):
        stream[0], stream[1] = child(key, row), 0
        best = able[draw_below(stream, len(able))]
        for _ in range(size - 1):
            rival = able[draw_below(stream, len(able))]
            if fitness[rival] > fitness[best]:
                best = rival
        parents[row] = best


@kernel
def draw_by_wheel(cumulative: Floats, able: Ints, key: int, start: int, stop: int, parents: Ints) -> None:
    """Fill rows start..stop of parents (rows,) from the wheel over the able."""
    stream = np.zeros(2, dtype=np.int64)
    for row in range(start, stop):
        stream[0], stream[1] = child(key, row), 0
        parents[row] = able[spin(cumulative, draw_uniform(stream))]
