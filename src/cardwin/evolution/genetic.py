"""The genetic search: populations bred generation by generation (López Pozuelo 2015, chapter 3; Morsomme 2019).

1. Ask: the population, random, uniform or given at first.
2. Tell: its fitness. The elites are copied unchanged.
3. Parents are drawn (selection.py), their children crossed (crossover.py) and mutated (mutation.py), all rows at once.
4. Children that are twins of one already admitted are turned away, and more are bred until the generation is full.
   A population that has all but converged would breed twins for long: after some rounds each child has one gene
   redrawn, so that it ends.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from cardwin.evolution import crossover, mutation, selection, twins
from cardwin.evolution.blocks import Blocks, serial
from cardwin.evolution.genome import Genome, Population
from cardwin.evolution.searcher import Fitness, State
from cardwin.rng import child, generator_of

PATIENCE = 12  # rounds of breeding for places that twins left empty, before genes are redrawn
HOW = {"redraw": mutation.REDRAW, "flip": mutation.FLIP, "gaussian": mutation.GAUSSIAN, "corner": mutation.CORNER}
WHEN = {
    "either": mutation.EITHER,
    "with-crossover": mutation.WITH_CROSSOVER,
    "without-crossover": mutation.WITHOUT_CROSSOVER,
}


@dataclass(frozen=True)
class Settings:
    """How to breed. The defaults are the ones that find exact best responses; the documents' are in their presets."""

    selection: Literal["tournament", "roulette", "rank", "blend", "exponential"] = "tournament"
    tournament: int = 4
    shift: float = 0.0
    parents: float = 1.0
    crossover: Literal["uniform", "one-point", "selective", "many-parent"] = "uniform"
    crossover_rate: float = 0.7
    resemblance: float | Literal["drawn"] = 0.5
    mutation: Literal["redraw", "flip", "gaussian", "corner"] = "gaussian"
    mutation_rate: float = 0.1
    mutation_of: Literal["genome", "gene"] = "gene"
    mutation_when: Literal["either", "with-crossover", "without-crossover"] = "either"
    step: float = 0.3
    elites: int = 10
    twins: bool = False

    def __post_init__(self) -> None:
        shares = {"parents": self.parents, "crossover_rate": self.crossover_rate, "mutation_rate": self.mutation_rate}
        shares |= {} if self.resemblance == "drawn" else {"resemblance": self.resemblance}
        wrong = [f"{name} must lie in 0..1, not {share:g}" for name, share in shares.items() if not 0 <= share <= 1]
        wrong += [f"tournament must be 1 or more, not {self.tournament}"] * (self.tournament < 1)
        wrong += [f"step must be above 0, not {self.step:g}"] * (not self.step > 0)
        wrong += [f"elites must be 0 or more, not {self.elites}"] * (self.elites < 0)
        wrong += ["crossover many-parent needs a selection by weights, not tournament"] * (
            self.crossover == "many-parent" and self.selection == "tournament"
        )
        if wrong:
            raise ValueError("; ".join(wrong))


@dataclass(frozen=True)
class Pool:
    """Who may be a parent: everybody's fitness (members,), the able (places), and their wheel (empty: tournaments)."""

    fitness: Fitness
    able: npt.NDArray[np.int64]
    wheel: npt.NDArray[np.float64]


@dataclass
class Litter:
    """Children not yet admitted: genomes (rows, genes), parents (rows, 2), and what selective crossover remembers."""

    genomes: Population
    parents: npt.NDArray[np.int64]
    dominance: npt.NDArray[np.float64]
    came: npt.NDArray[np.bool_]


class Genetic:
    """A population under selection. Luck comes from the key and the generation alone."""

    def __init__(
        self, genome: Genome, first: Population, settings: Settings, key: int, blocks: Blocks = serial
    ) -> None:
        self.genome, self.settings, self.key, self.blocks = genome, settings, key, blocks
        self.population = np.ascontiguousarray(first, dtype=np.float64)
        self.parents = np.full((len(first), 2), -1, dtype=np.int64)
        self.generation = 0
        selective = settings.crossover == "selective"
        shape = self.population.shape if selective else (0, 0)
        self.dominance = generator_of(child(key, -2)).random(shape)
        self.came = np.zeros(shape, dtype=np.bool_)
        self.parent_fitness = np.full(len(first) if selective else 0, np.inf)

    def ask(self) -> Population:
        """The population, (members, genes)."""
        return self.population

    def tell(self, fitness: Fitness) -> None:
        """Breed the next generation from this one's fitness, (members,)."""
        if self.settings.crossover == "selective":
            gain = np.maximum(fitness - self.parent_fitness, 0.0)
            self.dominance += gain[:, None] * self.came
        litter = self._next(fitness)
        if self.settings.crossover == "selective":
            known = np.where(litter.parents >= 0, fitness[litter.parents], -np.inf)
            self.parent_fitness = known.max(axis=1)
            self.dominance, self.came = litter.dominance, litter.came
        self.population, self.parents = litter.genomes, litter.parents
        self.generation += 1

    def _next(self, fitness: Fitness) -> Litter:
        """A full generation: the elites, then children that are nobody's twins."""
        size = len(self.population)
        able = selection.candidates(fitness, self.settings.parents)
        pool = Pool(fitness, able, self._wheel(fitness[able]))
        key = child(self.key, self.generation)
        litters = [self._elites(fitness)]
        if self.settings.twins:
            return _joined([*litters, self._breed(pool, key, size - len(litters[0].genomes))], size)
        nursery = twins.Nursery(self.population.shape)
        while nursery.admit(litters[-1].genomes) < size:
            if len(litters) > 100 * PATIENCE:  # fewer different genomes exist than places
                return _joined([_chosen(_joined(litters), nursery), self._breed(pool, key, size)], size)
            # As many as will fill the empty places, if twins come as often as before.
            missing = size - nursery.count
            needed = min(size, 16 + missing * nursery.seen // nursery.count) if len(litters) > 1 else missing
            litter = self._breed(pool, child(key, len(litters)), needed)
            if len(litters) > PATIENCE:
                self._redraw_one(litter.genomes, child(key, -len(litters)))
            litters.append(litter)
        return _chosen(_joined(litters), nursery)

    def _elites(self, fitness: Fitness) -> Litter:
        best = selection.fittest(fitness, self.settings.elites)
        own = np.stack([best, np.full_like(best, -1)], axis=1)
        selective = self.settings.crossover == "selective"
        dominance = self.dominance[best] if selective else np.zeros((len(best), 0))
        return Litter(self.population[best], own, dominance, np.zeros(dominance.shape, dtype=np.bool_))

    def _wheel(self, fitness: Fitness) -> npt.NDArray[np.float64]:
        """The wheel over the able; empty where tournaments choose."""
        kind, shift = self.settings.selection, self.settings.shift
        if kind == "tournament":
            return np.zeros(0)
        if kind == "roulette":
            return selection.wheel(selection.roulette(fitness, shift))
        if kind == "rank":
            return selection.wheel(selection.rank(fitness))
        if kind == "blend":
            return selection.wheel(selection.blend(fitness, shift))
        return selection.wheel(selection.exponential(fitness))

    def _breed(self, pool: Pool, key: int, needed: int) -> Litter:
        """At least as many children as needed, in whole pairs."""
        rows, genes = needed + needed % 2, self.population.shape[1]
        selective, many = (self.settings.crossover == kind for kind in ("selective", "many-parent"))
        drawn, crossed = np.empty(rows, dtype=np.int64), np.ones(rows, dtype=np.bool_)
        dominance = np.empty((rows, genes if selective else 0))
        litter = Litter(np.empty((rows, genes)), drawn, dominance, np.zeros(dominance.shape, dtype=np.bool_))
        first, second, third = (child(key, stage) for stage in range(3))

        def work(start: int, stop: int) -> None:
            self._draw(pool, first, start, stop, litter)
            self._cross(second, start, stop, litter, crossed)
            self._mutate(third, start, stop, litter.genomes, crossed)

        self.blocks(work, rows)
        partner = np.where(crossed & (not many), drawn.reshape(-1, 2)[:, ::-1].ravel(), -1)
        litter.parents = np.stack([drawn, partner], axis=1)
        litter.genomes = self.genome.hold(litter.genomes)
        return litter

    def _draw(self, pool: Pool, key: int, start: int, stop: int, litter: Litter) -> None:
        """Choose the rows' parents and copy them; with many parents, gene by gene."""
        how, old, drawn = self.settings, self.population, litter.parents
        if how.crossover == "many-parent":
            crossover.gather_from_many(old, pool.wheel, pool.able, key, start, stop, litter.genomes, drawn)
            return
        if how.selection == "tournament":
            selection.draw_by_tournament(pool.fitness, pool.able, how.tournament, key, start, stop, drawn)
        else:
            selection.draw_by_wheel(pool.wheel, pool.able, key, start, stop, drawn)
        crossover.copy_parents(old, drawn, start, stop, litter.genomes)
        if how.crossover == "selective":
            crossover.copy_parents(self.dominance, drawn, start, stop, litter.dominance)

    def _cross(self, key: int, start: int, stop: int, litter: Litter, crossed: npt.NDArray[np.bool_]) -> None:
        """Cross the rows, two by two; those of many parents are crossed already."""
        how, rate, children = self.settings, self.settings.crossover_rate, litter.genomes
        if how.crossover == "one-point":
            crossover.cross_one_point(rate, key, start, stop, children, crossed)
        elif how.crossover == "uniform":
            resemblance = crossover.DRAWN if how.resemblance == "drawn" else float(how.resemblance)
            crossover.cross_uniform(rate, resemblance, key, start, stop, children, crossed)
        elif how.crossover == "selective":
            crossover.cross_selectively(rate, key, start, stop, children, litter.dominance, crossed, litter.came)

    def _mutate(self, key: int, start: int, stop: int, children: Population, crossed: npt.NDArray[np.bool_]) -> None:
        """Change the rows by the settings."""
        how = self.settings
        kind = how.mutation_rate, how.mutation_of == "gene", HOW[how.mutation], WHEN[how.mutation_when], how.step
        mutation.mutate(*kind, self.genome.alleles, key, start, stop, children, crossed)

    def _redraw_one(self, genomes: Population, key: int) -> None:
        """Give every genome one new gene."""
        kind = 1.0, False, mutation.REDRAW, mutation.EITHER, 1.0
        everybody = np.ones(len(genomes), dtype=np.bool_)
        mutation.mutate(*kind, self.genome.alleles, key, 0, len(genomes), genomes, everybody)
        genomes[:] = self.genome.hold(genomes)

    def state(self) -> State:
        """All that is needed to go on."""
        kept: State = {
            "population": self.population,
            "parents": self.parents,
            "generation": np.array([self.generation]),
        }
        if self.settings.crossover == "selective":
            kept |= {
                "dominance": self.dominance,
                "came": self.came.astype(np.int64),
                "parent_fitness": self.parent_fitness,
            }
        return kept

    def load(self, state: State) -> None:
        """Go on from a saved state."""
        self.population = np.ascontiguousarray(state["population"], dtype=np.float64)
        self.parents = state["parents"].astype(np.int64)
        self.generation = int(state["generation"][0])
        if self.settings.crossover == "selective":
            self.dominance = state["dominance"].astype(np.float64)
            self.came = state["came"].astype(np.bool_)
            self.parent_fitness = state["parent_fitness"].astype(np.float64)


def _joined(litters: list[Litter], size: int | None = None) -> Litter:
    """The first `size` children of all the litters, or all."""
    if len(litters) == 1:
        return litters[0]
    return Litter(
        np.concatenate([litter.genomes for litter in litters])[:size],
        np.concatenate([litter.parents for litter in litters])[:size],
        np.concatenate([litter.dominance for litter in litters])[:size],
        np.concatenate([litter.came for litter in litters])[:size],
    )


def _chosen(litter: Litter, nursery: twins.Nursery) -> Litter:
    """The children that the nursery admitted."""
    rows = nursery.chosen[: nursery.count]
    return Litter(nursery.genomes[: nursery.count], litter.parents[rows], litter.dominance[rows], litter.came[rows])
