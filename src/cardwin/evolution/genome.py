"""What a genome is made of, and first populations.

A gene is real, a number in [0, 1], or a choice, one of k alleles written 0..k-1. Both are kept as floats, so that one
code breeds both. A gene may be held: then it has one value for ever (López Pozuelo 2015, section 3.5, for the uniform
start; Morsomme 2019, section 3.2.1, for held genes, which he calls cleaning).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from cardwin.errors import InputError
from cardwin.kernel import kernel
from cardwin.rng import generator_of

Population = npt.NDArray[np.float64]

VALUES = 101  # of a real gene in a uniform start: 0, .01 .. 1


@dataclass(frozen=True)
class Genome:
    """The kind of every gene.

    alleles (genes,): 0 for a real gene, k for a choice among k. held (genes,): its only value, or NaN where it is free.
    """

    alleles: npt.NDArray[np.int64]
    held: npt.NDArray[np.float64]

    @classmethod
    def real(cls, genes: int) -> Self:
        """All genes real and free."""
        return cls(np.zeros(genes, dtype=np.int64), np.full(genes, np.nan))

    @classmethod
    def choices(cls, alleles: npt.ArrayLike) -> Self:
        """All genes choices and free."""
        counts = np.asarray(alleles, dtype=np.int64)
        return cls(counts, np.full(len(counts), np.nan))

    @property
    def genes(self) -> int:
        """How many."""
        return len(self.alleles)

    @cached_property
    def holds(self) -> bool:
        """Whether any gene is held."""
        return not np.isnan(self.held).all()

    def hold(self, population: Population) -> Population:
        """The same population with the held genes at their values."""
        return np.where(np.isnan(self.held), population, self.held) if self.holds else population


def random_population(genome: Genome, size: int, key: int) -> Population:
    """Every gene drawn anew, all values equally likely. (size, genes)."""
    rng = generator_of(key).random((size, genome.genes))
    drawn = np.where(genome.alleles > 0, np.floor(rng * genome.alleles), rng)
    return genome.hold(drawn)


def uniform_population(genome: Genome, size: int, key: int, values: int = VALUES) -> Population:
    """Every gene holds each of its values equally often, in random order. (size, genes).

    A real gene has the values 0, 1/(values-1) .. 1; the size must be a multiple of their number.
    """
    counts = np.where(genome.alleles > 0, genome.alleles, values)
    if uneven := [int(count) for count in counts if size % count]:
        raise InputError(f"a uniform start needs a population size that is a multiple of {uneven[0]}, not {size}")
    orders = generator_of(key).permuted(np.tile(np.arange(size)[:, None], genome.genes), axis=0)
    alleles = (orders % counts).astype(np.float64)
    return genome.hold(np.where(genome.alleles > 0, alleles, alleles / (values - 1)))


@kernel
def _moments(population: Population, mean: npt.NDArray[np.float64], spread: npt.NDArray[np.float64]) -> None:
    for row in range(len(population)):
        for gene in range(len(mean)):
            mean[gene] += population[row, gene]
    mean /= len(population)
    for row in range(len(population)):
        for gene in range(len(mean)):
            spread[gene] += (population[row, gene] - mean[gene]) ** 2
    for gene in range(len(mean)):
        spread[gene] = np.sqrt(spread[gene] / len(population))


def describe(population: Population) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The mean and the spread (standard deviation) of every gene, (genes,) each."""
    mean, spread = np.zeros(population.shape[1]), np.zeros(population.shape[1])
    _moments(population, mean, spread)
    return mean, spread
