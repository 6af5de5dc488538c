"""Genetic algorithm: populations bred generation by generation.

After López Pozuelo (2015, chapter 3), Morsomme (2019), and Nicolai and Hilderman (4.4):

1. Ask: returns the population, at first the one that was passed.
2. Tell: receives its fitness. The elites are copied unchanged.
3. Parents are drawn. Only the best share of a population is eligible. Tournament selection draws a few and takes the
   fittest; the other selections turn fitness into weights: roulette (fitness plus a shift), rank (the worst 1, the best
   n), their blend (half of each), exponential (e to the fitness), truncation (equal weights for all eligible).
4. Children are made and mutated (variation.py), all rows at once.
5. Children that duplicate a member already admitted are rejected, by hashes of their rows, and more are bred until the
   generation is full. An almost converged population breeds mostly duplicates: after some rounds one gene of each child
   is redrawn, so that the loop ends.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at, child
from cardwin.evolution.breeding import (
    CROSSOVERS,
    MUTATIONS,
    SELECTIONS,
    Breeding,
    Memory,
    Offspring,
    Pool,
    SearchSettings,
    Selection,
)
from cardwin.evolution.genome import Genome, Population
from cardwin.evolution.searcher import Chunks, Fitness, State, serial
from cardwin.evolution.variation import redraw_one


def pool_of(fitness: Floats, settings: SearchSettings, select: Selection | None = None) -> Pool:
    """Return the eligible parents of the next generation and their weights; `select` computes the weights."""
    eligible = eligible_members(fitness, settings.parents)
    weights = (select or SELECTIONS[settings.selection])(fitness[eligible], settings)
    return Pool(fitness, eligible, wheel(weights) if len(weights) else weights, settings.tournament)


def eligible_members(fitness: Floats, share: float) -> Ints:
    """Return the eligible members, (eligible,): all by index, or the fittest first if only a share is eligible."""
    if share >= 1.0:
        return np.arange(len(fitness))
    return fittest(fitness, max(2, int(len(fitness) * share + 1e-9)))


def fittest(fitness: Floats, count: int) -> Ints:
    """Return the indices of the fittest, best first; ties go to the lower index.

    Only the necessary part is sorted.

    Args:
        fitness: (members,).
        count: the number of indices.

    """
    if count == 0:
        return np.zeros(0, dtype=np.int64)
    lowest = np.partition(fitness, len(fitness) - count)[len(fitness) - count]
    candidates = np.flatnonzero(fitness >= lowest)
    return candidates[np.argsort(-fitness[candidates], kind="stable")][:count]


def tournament(fitness: Floats, settings: SearchSettings) -> Floats:  # noqa: ARG001  the kernel needs no weights
    """Return no weights: the kernel holds tournaments, which costs less than ranking for the same probabilities."""
    return np.zeros(0)


def roulette(fitness: Floats, settings: SearchSettings) -> Floats:
    """Return weights by fitness plus the shift, which should be the largest possible loss."""
    return np.maximum(fitness + settings.shift, 0.0)


def rank(fitness: Floats, settings: SearchSettings) -> Floats:  # noqa: ARG001
    """Return weights by rank: 1 for the least fit, n for the fittest; equals share the mean of their ranks."""
    order = np.sort(fitness)
    lowest = np.searchsorted(order, fitness, side="left")
    highest = np.searchsorted(order, fitness, side="right")
    weights: Floats = (lowest + highest + 1) / 2.0
    return weights


def blend(fitness: Floats, settings: SearchSettings) -> Floats:
    """Return weights that are half roulette, half rank."""
    by_fitness, by_rank = roulette(fitness, settings), rank(fitness, settings)
    total = by_fitness.sum()
    weights: Floats = by_rank / by_rank.sum() + (by_fitness / total if total > 0 else 0.0)
    return weights


def exponential(fitness: Floats, settings: SearchSettings) -> Floats:  # noqa: ARG001
    """Return weights e to the fitness."""
    weights: Floats = np.exp(fitness - fitness.max())
    return weights


def truncation(fitness: Floats, settings: SearchSettings) -> Floats:  # noqa: ARG001
    """Return equal weights for all eligible members."""
    return np.ones(len(fitness))


for _selection in (tournament, roulette, rank, blend, exponential, truncation):
    SELECTIONS[_selection.__name__] = _selection


def wheel(weights: Floats) -> Floats:
    """Return the cumulative shares that `spin` reads, (n,), ending in 1; equal shares if all weights are 0."""
    total = weights.sum()
    if not total > 0:
        weights, total = np.ones(len(weights)), float(len(weights))
    shares: Floats = np.cumsum(weights) / total
    return shares


Bits = npt.NDArray[Any]  # the genes' bits as integers

NUMBER_BITS = 31
NUMBERS = (1 << NUMBER_BITS) - 1


@kernel
def _equal(row: Bits, other: Bits) -> bool:
    for gene in range(len(row)):  # noqa: SIM110  kernels do not support generators
        if row[gene] != other[gene]:
            return False
    return True


@kernel
def _admit(bits: Bits, admitted: Bits, count: int, seen: int, table: Ints, sources: Ints) -> int:
    """Copy rows of `bits` (rows, genes) to `admitted` (size, genes) that are not in it yet, until it is full.

    `count` rows of it are used; `sources` (size,) stores the source row of each, counted from `seen`. An entry of the
    hash table holds a row's number and some bits of its hash, so that few rows are compared in full. Return the
    new count.
    """
    mask = len(table) - 1
    for row in range(bits.shape[0]):
        if count == len(admitted):
            break
        mark = 0
        for gene in range(bits.shape[1]):
            mark = bits_at(mark, bits[row, gene])
        slot, mark = mark & mask, mark >> NUMBER_BITS << NUMBER_BITS
        known = False
        while table[slot] >= 0:
            number = table[slot] & NUMBERS
            known = table[slot] - number == mark and _equal(admitted[number], bits[row])
            if known:
                break
            slot = (slot + 1) & mask
        if not known:
            table[slot] = mark + count
            admitted[count] = bits[row]
            sources[count] = seen + row
            count += 1
    return count


class UniqueFilter:
    """A generation that is being filled: it has `count` genomes of (size, genes), from `seen` children.

    sources (size,) is the index of each among all children seen.
    """

    def __init__(self, shape: tuple[int, ...], dtype: npt.DTypeLike = np.float64) -> None:
        self.genomes = np.empty(shape, dtype)
        self.bits = np.int32 if self.genomes.itemsize == 4 else np.int64  # genes are compared bit by bit
        self.sources = np.empty(shape[0], dtype=np.int64)
        self.table = np.full(1 << (2 * shape[0]).bit_length(), -1, dtype=np.int64)  # -1 is empty
        self.count = self.seen = 0

    def admit(self, children: Population) -> int:
        """Add children that are not in it yet, while there is space; return the new count."""
        bits, admitted = children.view(self.bits), self.genomes.view(self.bits)
        self.count = _admit(bits, admitted, self.count, self.seen, self.table, self.sources)
        self.seen += len(children)
        return self.count


PATIENCE = 12  # rounds of breeding before genes are redrawn


class Genetic:
    """A genetic algorithm.

    Args:
        genome: the kinds and bounds of genes.
        first: the first generation (members, genes).
        settings: how to breed.
        key: random numbers depend on it and the generation only.
        chunks: processes the rows of a generation.

    Raises:
        InputError: there are as many elites as members.

    """

    def __init__(
        self, genome: Genome, first: Population, settings: SearchSettings, key: int, chunks: Chunks = serial
    ) -> None:
        if settings.elites >= len(first):
            raise InputError(f"elites must be fewer than the population of {len(first)}, got {settings.elites}")
        self.genome, self.settings, self.key, self.chunks = genome, settings, key, chunks
        self.crossover, self.mutation = CROSSOVERS[settings.crossover], MUTATIONS[settings.mutation]
        self.select = SELECTIONS[settings.selection]
        self.population: Population = np.ascontiguousarray(first, dtype=genome.dtype)
        self.parents = np.full((len(first), 2), -1, dtype=np.int64)
        self.memory = self.crossover.first_memory(self.population.shape, key)
        self.generation = 0

    def ask(self) -> Population:
        """Return the population, (members, genes)."""
        return self.population

    def tell(self, fitness: Fitness) -> None:
        """Breed the next generation from this one's fitness, (members,)."""
        if self.crossover.learn is not None:
            self.crossover.learn(self.memory, fitness)
        offspring = self._next(fitness)
        self.population, self.parents, self.memory = offspring.genomes, offspring.parents, offspring.memory
        self.generation += 1

    def _next(self, fitness: Fitness) -> Offspring:
        """Return a full generation: the elites, then children without duplicates."""
        size, key = len(self.population), child(self.key, self.generation)
        pool = pool_of(fitness, self.settings, self.select)
        rounds = [self._elites(fitness)]
        if self.settings.duplicates:
            return _joined([*rounds, self._breed(pool, key, size - len(rounds[0].genomes))], size)
        unique = UniqueFilter(self.population.shape, self.population.dtype)
        while unique.admit(rounds[-1].genomes) < size:
            if len(rounds) > 100 * PATIENCE:  # there are fewer distinct genomes than rows
                return _joined([_admitted(rounds, unique), self._breed(pool, key, size)], size)
            # Enough to fill the empty rows if the share of duplicates stays the same.
            missing = size - unique.count
            needed = min(size, 16 + missing * unique.seen // unique.count) if len(rounds) > 1 else missing
            offspring = self._breed(pool, child(key, len(rounds)), needed)
            if len(rounds) > PATIENCE:
                redraw_one(self.genome, offspring.genomes, child(key, -len(rounds)))
            rounds.append(offspring)
        return _admitted(rounds, unique)

    def _elites(self, fitness: Fitness) -> Offspring:
        best = fittest(fitness, self.settings.elites)
        parents = np.stack([best, np.full_like(best, -1)], axis=1)
        return Offspring(self.population[best], parents, {name: array[best] for name, array in self.memory.items()})

    def _breed(self, pool: Pool, key: int, needed: int) -> Offspring:
        """Return at least as many children as needed, in pairs."""
        rows, genes = needed + needed % 2, self.population.shape[1]
        memory: Memory = {name: np.zeros((rows, *old.shape[1:]), old.dtype) for name, old in self.memory.items()}
        offspring = Offspring(
            np.empty((rows, genes), self.population.dtype), np.empty((rows, 2), dtype=np.int64), memory
        )
        crossed = np.zeros(rows, dtype=np.bool_)
        work = Breeding(self.genome, self.settings, self.population, self.memory, pool, offspring, crossed)
        mutation_key = child(key, 2)  # crossover uses children 0 and 1

        def breed(start: int, stop: int) -> None:
            self.crossover.breed(work, key, start, stop)
            self.mutation(work, mutation_key, start, stop)

        self.chunks(breed, rows)
        if self.genome.holds:
            offspring.genomes = self.genome.hold(offspring.genomes)
        return offspring

    def state(self) -> State:
        """Return the complete state."""
        arrays = {"population": self.population, "parents": self.parents, "generation": np.array([self.generation])}
        return arrays | {f"memory.{name}": array for name, array in self.memory.items()}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        self.population = np.ascontiguousarray(state["population"], dtype=self.genome.dtype)
        self.parents = state["parents"].astype(np.int64)
        self.generation = int(state["generation"][0])
        self.memory = {name: state[f"memory.{name}"].astype(array.dtype) for name, array in self.memory.items()}


def _joined(rounds: list[Offspring], size: int | None = None) -> Offspring:
    """Return the first `size` children of all rounds, or all."""
    if len(rounds) == 1:
        return rounds[0]
    return Offspring(
        np.concatenate([each.genomes for each in rounds])[:size],
        np.concatenate([each.parents for each in rounds])[:size],
        {name: np.concatenate([each.memory[name] for each in rounds])[:size] for name in rounds[0].memory},
    )


def _admitted(rounds: list[Offspring], unique: UniqueFilter) -> Offspring:
    """Return the children that the filter admitted."""
    rows, children = unique.sources[: unique.count], _joined(rounds)
    memory = {name: array[rows] for name, array in children.memory.items()}
    return Offspring(unique.genomes[: unique.count], children.parents[rows], memory)
