"""What is recorded of a population: moments of its genes, and sketches.

A sketch is a few members in few dimensions, recorded so that a run can be watched as a moving map.

Genomes of at most `DIMENSIONS` genes are stored as they are. Longer ones are multiplied by a fixed random matrix, which
changes distances between members little (Johnson and Lindenstrauss 1984). Sketches affect neither a search nor its
digest.
"""

from functools import cache

import numpy as np

from cardwin.core.arrays import Floats, Ints, Singles
from cardwin.core.kernel import kernel
from cardwin.core.rng import generator_of, key_of
from cardwin.evolution.genome import Population

MEMBERS = 60  # of a population
HALL = 12  # members of a hall
DIMENSIONS = 16
FRAMES = 200  # recorded generations of a run that have a sketch
LABELS = ("sketch", "sketch_fitness", "sketch_hall")


def has_sketch(number: int, count: int) -> bool:
    """Return whether the number-th of `count` recorded generations has a sketch: about `FRAMES` do, and the last."""
    return number % -(-count // FRAMES) == 0 or number == count - 1


def evenly_spaced(size: int, max_count: int) -> Ints:
    """Return at most `max_count` of the indices 0..size-1, evenly spaced, including both ends."""
    count = min(size, max_count)
    return np.unique(np.linspace(0, size - 1, count).astype(np.int64)) if size else np.zeros(0, np.int64)


@cache
def _matrix(genes: int) -> Singles:
    """Return the matrix (genes, DIMENSIONS) for genomes of this length."""
    drawn = generator_of(key_of(0, "sketch", genes)).standard_normal((genes, DIMENSIONS))
    matrix: Singles = (drawn / np.sqrt(DIMENSIONS)).astype(np.float32)
    return matrix


def project(genomes: Population) -> Singles:
    """Return genomes (n, genes) in at most `DIMENSIONS` dimensions."""
    is_short = genomes.shape[1] <= DIMENSIONS
    points: Singles = np.asarray(genomes if is_short else genomes @ _matrix(genomes.shape[1]), np.float32)
    return points


def sketch(population: Population, fitness: Floats, champion: int, hall: Population) -> dict[str, Singles]:
    """Return the arrays of a sketch by name.

    Args:
        population: (members, genes).
        fitness: (members,).
        champion: the index of the member that comes first; evenly spaced members follow.
        hall: the members of the hall (size, genes), perhaps none.

    """
    rows = np.concatenate([[champion], evenly_spaced(len(population), MEMBERS - 1)])
    arrays = {"sketch": project(population[rows]), "sketch_fitness": fitness[rows].astype(np.float32)}
    return arrays | ({"sketch_hall": project(hall[evenly_spaced(len(hall), HALL)])} if len(hall) else {})


@kernel
def _moments(population: Population, mean: Floats, spread: Floats) -> None:
    for row in range(len(population)):
        for gene in range(len(mean)):
            mean[gene] += population[row, gene]
    mean /= len(population)
    for row in range(len(population)):
        for gene in range(len(mean)):
            spread[gene] += (population[row, gene] - mean[gene]) ** 2
    for gene in range(len(mean)):
        spread[gene] = np.sqrt(spread[gene] / len(population))


def describe(population: Population) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of every gene, (genes,) each."""
    mean, spread = np.zeros(population.shape[1]), np.zeros(population.shape[1])
    _moments(population, mean, spread)
    return mean, spread


def gene_spread(genomes: Population) -> float:
    """Return the mean standard deviation of a gene over the members: it falls as a population becomes uniform."""
    return float(genomes.std(axis=0).mean())


def reliability(first: Floats, second: Floats) -> float:
    """Return the reliability of a fitness from two independent halves of it, (members,) each (Spearman, Brown).

    It is 0 if fitness is chance and 1 if it is all skill. By chance it can be below 0.
    """
    if first.std() == 0 or second.std() == 0:
        return 0.0
    half = float(np.corrcoef(first, second)[0, 1])
    return 2 * half / (1 + half) if half > -0.5 else -1.0
