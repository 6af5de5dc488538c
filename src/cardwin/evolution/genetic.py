"""Genetic algorithm: populations bred generation by generation (López Pozuelo 2015, chapter 3; Morsomme 2019).

1. Ask: returns the population, at first the given one.
2. Tell: takes its fitness. The elites are copied unchanged.
3. Parents are drawn (selection.py), children made (crossover.py) and mutated (mutation.py), all rows at once.
4. Children that duplicate a member already admitted are rejected, and more are bred until the generation is
   full. An almost converged population breeds mostly duplicates: after some rounds one gene of each child is
   redrawn, so that the loop ends.
"""

import numpy as np

from cardwin.core.errors import InputError
from cardwin.core.rng import child
from cardwin.evolution.breeding import CROSSOVERS, MUTATIONS, Breeding, Memory, Offspring, Pool, SearchSettings
from cardwin.evolution.chunks import Chunks, serial
from cardwin.evolution.duplicates import UniqueFilter
from cardwin.evolution.genome import Genome, Population
from cardwin.evolution.mutation import redraw_one
from cardwin.evolution.searcher import SEARCHERS, Fitness, State
from cardwin.evolution.selection import fittest, pool_of

PATIENCE = 12  # rounds of breeding before genes are redrawn


class Genetic:
    """A genetic algorithm. Random numbers depend on the key and the generation alone."""

    def __init__(
        self, genome: Genome, first: Population, settings: SearchSettings, key: int, chunks: Chunks = serial
    ) -> None:
        if settings.elites >= len(first):
            raise InputError(f"elites ({settings.elites}) must be fewer than the population ({len(first)})")
        self.genome, self.settings, self.key, self.chunks = genome, settings, key, chunks
        self.crossover, self.mutation = CROSSOVERS[settings.crossover], MUTATIONS[settings.mutation]
        self.population: Population = np.ascontiguousarray(first, dtype=genome.dtype)
        self.parents = np.full((len(first), 2), -1, dtype=np.int64)
        self.memory = self.crossover.first_memory(self.population.shape, key)
        self.generation = 0

    def ask(self) -> Population:
        """The population, (members, genes)."""
        return self.population

    def tell(self, fitness: Fitness) -> None:
        """Breed the next generation from this one's fitness, (members,)."""
        self.crossover.learn(self.memory, fitness)
        offspring = self._next(fitness)
        self.population, self.parents, self.memory = offspring.genomes, offspring.parents, offspring.memory
        self.generation += 1

    def _next(self, fitness: Fitness) -> Offspring:
        """A full generation: the elites, then children without duplicates."""
        size, key = len(self.population), child(self.key, self.generation)
        pool = pool_of(fitness, self.settings)
        rounds = [self._elites(fitness)]
        if self.settings.duplicates:
            return _joined([*rounds, self._breed(pool, key, size - len(rounds[0].genomes))], size)
        unique = UniqueFilter(self.population.shape, self.population.dtype)
        while unique.admit(rounds[-1].genomes) < size:
            if len(rounds) > 100 * PATIENCE:  # there are fewer distinct genomes than places
                return _joined([_admitted(rounds, unique), self._breed(pool, key, size)], size)
            # Enough to fill the empty places if the share of duplicates stays the same.
            missing = size - unique.count
            needed = min(size, 16 + missing * unique.seen // unique.count) if len(rounds) > 1 else missing
            offspring = self._breed(pool, child(key, len(rounds)), needed)
            if len(rounds) > PATIENCE:
                redraw_one(self.genome, offspring.genomes, child(key, -len(rounds)))
            rounds.append(offspring)
        return _admitted(rounds, unique)

    def _elites(self, fitness: Fitness) -> Offspring:
        best = fittest(fitness, self.settings.elites)
        own = np.stack([best, np.full_like(best, -1)], axis=1)
        return Offspring(self.population[best], own, {name: array[best] for name, array in self.memory.items()})

    def _breed(self, pool: Pool, key: int, needed: int) -> Offspring:
        """At least as many children as needed, in pairs."""
        rows, genes = needed + needed % 2, self.population.shape[1]
        memory: Memory = {name: np.zeros((rows, *kept.shape[1:]), kept.dtype) for name, kept in self.memory.items()}
        made = Offspring(np.empty((rows, genes), self.population.dtype), np.empty((rows, 2), dtype=np.int64), memory)
        crossed = np.zeros(rows, dtype=np.bool_)
        work = Breeding(self.genome, self.settings, self.population, self.memory, pool, made, crossed)
        mutation_key = child(key, 2)  # crossover uses children 0 and 1

        def breed(start: int, stop: int) -> None:
            self.crossover.breed(work, key, start, stop)
            self.mutation(work, mutation_key, start, stop)

        self.chunks(breed, rows)
        made.genomes = self.genome.hold(made.genomes)
        return made

    def state(self) -> State:
        """The complete state."""
        kept = {"population": self.population, "parents": self.parents, "generation": np.array([self.generation])}
        return kept | {f"memory.{name}": array for name, array in self.memory.items()}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        self.population = np.ascontiguousarray(state["population"], dtype=self.genome.dtype)
        self.parents = state["parents"].astype(np.int64)
        self.generation = int(state["generation"][0])
        self.memory = {name: state[f"memory.{name}"].astype(array.dtype) for name, array in self.memory.items()}


def _joined(rounds: list[Offspring], size: int | None = None) -> Offspring:
    """The first `size` children of all rounds, or all."""
    if len(rounds) == 1:
        return rounds[0]
    return Offspring(
        np.concatenate([each.genomes for each in rounds])[:size],
        np.concatenate([each.parents for each in rounds])[:size],
        {name: np.concatenate([each.memory[name] for each in rounds])[:size] for name in rounds[0].memory},
    )


def _admitted(rounds: list[Offspring], unique: UniqueFilter) -> Offspring:
    """The children that the filter admitted."""
    chosen, made = unique.chosen[: unique.count], _joined(rounds)
    kept = {name: array[chosen] for name, array in made.memory.items()}
    return Offspring(unique.genomes[: unique.count], made.parents[chosen], kept)


SEARCHERS["genetic"] = Genetic
