"""Genomes and first populations.

A gene is real, with two bounds or none, or a choice, one of k alleles written 0..k-1. All are stored as floats of one
dtype, so that the same code breeds them and evaluation reads the population without a copy. A gene may be
held: then its value is fixed (López Pozuelo 2015, section 3.5, for the uniform start; Morsomme 2019, section
3.2.1, for held genes, which he calls cleaning; Nicolai and Hilderman, section 4.4, for weights that begin in
[-1, 1] and are unbounded).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError
from cardwin.core.rng import generator_of

Population = npt.NDArray[Any]  # (members, genes), of the genome's dtype

VALUES = 101  # of a real gene in a uniform start: 0, .01 .. 1
LOW, HIGH, START_LOW, START_HIGH = range(4)  # the rows of a genome's limits


@dataclass(frozen=True)
class Genome:
    """The kind of every gene, and how a first generation is drawn.

    Attributes:
        alleles: (genes,), 0 for a real gene, k for a choice among k.
        low: (genes,), a real gene's lower bound, infinite if it has none.
        high: (genes,), its upper bound.
        held: (genes,), the value of a gene that is held, NaN of a free one.
        start: A name in `STARTS`.
        spread: For first genes without bounds, the largest absolute value (random, uniform) or the standard deviation
            (normal).
        dtype: float32 or float64.

    Raises:
        InputError: If the start or the dtype is unknown, or bounds or spread are invalid.

    """

    alleles: npt.NDArray[np.int64]
    low: Floats
    high: Floats
    held: Floats
    start: str = "random"
    spread: float = 1.0
    dtype: npt.DTypeLike = np.float64

    @classmethod
    def real(cls, genes: int, low: npt.ArrayLike = 0.0, high: npt.ArrayLike = 1.0, **more: Any) -> Self:
        """Return a genome whose genes are real and free.

        Args:
            genes: Number of genes.
            low: Lower bound, a scalar or (genes,).
            high: Upper bound, a scalar or (genes,).
            **more: `start`, `spread` and `dtype`.

        Returns:
            The genome.

        """
        lows, highs = np.full(genes, low, dtype=np.float64), np.full(genes, high, dtype=np.float64)
        return cls(np.zeros(genes, dtype=np.int64), lows, highs, np.full(genes, np.nan), **more)

    @classmethod
    def unbounded(cls, genes: int, **more: Any) -> Self:
        """Return a genome whose genes are real, free and unbounded.

        Args:
            genes: Number of genes.
            **more: `start`, `spread` and `dtype`.

        Returns:
            The genome.

        """
        return cls.real(genes, -np.inf, np.inf, **more)

    @classmethod
    def choices(cls, alleles: npt.ArrayLike, **more: Any) -> Self:
        """Return a genome whose genes are free choices.

        Args:
            alleles: Number of alleles of each gene (genes,).
            **more: `start`, `spread` and `dtype`.

        Returns:
            The genome.

        """
        counts = np.asarray(alleles, dtype=np.int64)
        return cls(counts, np.zeros(len(counts)), (counts - 1).astype(np.float64), np.full(len(counts), np.nan), **more)

    def __post_init__(self) -> None:
        if self.start not in STARTS:
            raise InputError(f"start must be one of {', '.join(STARTS)}, got {self.start!r}")
        if np.dtype(self.dtype) not in (np.float32, np.float64):
            raise InputError(f"a genome's dtype must be float32 or float64, got {np.dtype(self.dtype)}")
        if not (self.low <= self.high).all() or not self.spread > 0:
            raise InputError(
                f"low bounds must not be above high ones, and spread must be above 0, got spread {self.spread}"
            )

    @property
    def genes(self) -> int:
        """The number of genes."""
        return len(self.alleles)

    @cached_property
    def limits(self) -> Floats:
        """The lowest and highest value, and the same of a first generation, (4, genes), rounded to the dtype.

        If a gene has no bound, the first generation's range is 2 spreads wide, around 0 if possible.
        """
        first = np.where(np.isfinite(self.low), self.low, np.where(np.isfinite(self.high), self.high, self.spread))
        first = np.where(np.isfinite(self.low), first, first - 2 * self.spread)
        last = np.where(np.isfinite(self.high), self.high, first + 2 * self.spread)
        return np.array([self.low, self.high, first, last]).astype(self.dtype).astype(np.float64)

    @cached_property
    def holds(self) -> bool:
        """Whether any gene is held."""
        return not np.isnan(self.held).all()

    def hold(self, population: Population) -> Population:
        """Return the population with the held genes at their values.

        Args:
            population: Genomes (members, genes).

        Returns:
            Genomes (members, genes); the same array if no gene is held.

        """
        return np.where(np.isnan(self.held), population, self.held.astype(self.dtype)) if self.holds else population

    def check(self, members: npt.ArrayLike) -> Population:
        """Validate members and return them in this genome's dtype.

        Args:
            members: Genomes (n, genes).

        Returns:
            Genomes (n, genes), with the held genes at their values.

        Raises:
            InputError: If the array has another shape, or values are out of bounds.

        """
        checked = np.ascontiguousarray(members, dtype=self.dtype)
        if checked.ndim != 2 or checked.shape[1] != self.genes:
            raise InputError(f"members must be an array (n, {self.genes}), got {checked.shape}")
        low, high = self.limits[LOW], self.limits[HIGH]
        if not ((checked >= low) & (checked <= high)).all():
            raise InputError(f"members must lie within their genes' bounds, {low.min():g} to {high.max():g} at most")
        return self.hold(checked)


def random_population(genome: Genome, size: int, key: int) -> Population:
    """Return a population (size, genes) with every gene uniformly random over the first generation's range.

    Args:
        genome: the kinds and bounds of genes.
        size: the number of members.
        key: the key of its random numbers.

    """
    drawn = generator_of(key).random((size, genome.genes))
    return _spread_out(genome, drawn, np.floor(drawn * genome.alleles))


def uniform_population(genome: Genome, size: int, key: int, values: int = VALUES) -> Population:
    """Return a population (size, genes) in which every gene has each of its values equally often, in random order.

    Args:
        genome: the kinds and bounds of genes.
        size: the number of members, a multiple of the number of values.
        key: the key of its random numbers.
        values: the number of values of a real gene, evenly spaced.

    Raises:
        InputError: the size is not a multiple of the number of values of a gene.

    """
    counts = np.where(genome.alleles > 0, genome.alleles, values)
    if uneven := [int(count) for count in counts if size % count]:
        raise InputError(f"a uniform start needs a population size that is a multiple of {uneven[0]}, got {size}")
    orders = generator_of(key).permuted(np.tile(np.arange(size)[:, None], genome.genes), axis=0)
    alleles = (orders % counts).astype(np.float64)
    return _spread_out(genome, alleles / (values - 1), alleles)


def normal_population(genome: Genome, size: int, key: int) -> Population:
    """Return a population (size, genes), real genes normal around the middle of the first generation's range.

    They are clipped to their bounds. Choices are uniform.
    """
    low, high, first, last = genome.limits
    rng = generator_of(key)
    moved = np.clip((first + last) / 2 + genome.spread * rng.standard_normal((size, genome.genes)), low, high)
    chosen = np.floor(rng.random((size, genome.genes)) * genome.alleles)
    return genome.hold(np.where(genome.alleles > 0, chosen, moved).astype(genome.dtype))


def _spread_out(genome: Genome, shares: Floats, chosen: Floats) -> Population:
    """Return real genes at these fractions, 0..1, of their first range, and choices as chosen."""
    first, last = genome.limits[START_LOW], genome.limits[START_HIGH]
    real = np.minimum(first + (last - first) * shares, last)  # rounding may exceed it
    return genome.hold(np.where(genome.alleles > 0, chosen, real).astype(genome.dtype))


STARTS: dict[str, Callable[[Genome, int, int], Population]] = {
    "random": random_population,
    "uniform": uniform_population,
    "normal": normal_population,
}


def first_population(genome: Genome, size: int, key: int, members: npt.ArrayLike | None = None) -> Population:
    """Return a first generation (size, genes).

    Args:
        genome: the kinds and bounds of genes, and how they start.
        size: the number of members.
        key: the key of its random numbers.
        members: members (n, genes) that come first.

    Raises:
        InputError: the members do not fit the genome.

    """
    population = STARTS[genome.start](genome, size, key)
    if members is not None:
        first = genome.check(members)[:size]
        population[: len(first)] = first
    return population
