"""Evolution, a trainer: a searcher and a hall for each population, and a problem that evaluates them together.

1. Ask every searcher for its population, and let the problem evaluate all of them against the current halls.
2. Admit qualified members to the halls, and store the champions.
3. Record the generation; tell every searcher its fitness, and it breeds.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import ConfigDict, Field

from cardwin.core.arrays import Floats
from cardwin.core.executor import Executor, run_rows
from cardwin.core.experiment import Experiment, TomlTable
from cardwin.core.rng import child, key_of
from cardwin.core.trainer import Array, Generation, Record, State
from cardwin.evolution import REPLACEMENTS, SEARCHERS, STARTS, Population, Searcher, SearchSettings, first_population
from cardwin.evolution.breeding import unknown_names
from cardwin.evolution.hall import LABELS, describe, has_sketch, sketch
from cardwin.runs.problem import Champion, Evaluation, Problem

LARGEST_LINEAGE = 2_000_000  # members times generations up to which all parents are recorded by default


class PopulationSettings(TomlTable):
    """The size of the populations, and their first generation.

    Attributes:
        size: Members of each population.
        start: First generation: random or normal; uniform: every gene has each of 101 values equally often.

    """

    size: Annotated[int, Field(ge=2, le=10_000_000)] = 1010
    start: str = "random"


class HallSettings(TomlTable):
    """The hall of fame: an archive of members that do not breed.

    Attributes:
        enters: Who enters the hall of fame: the best member, or the average of all.
        every: Generations between two entries into the hall of fame.
        capacity: Size of the hall of fame; 0 for no limit.
        replaces: Member that a newcomer replaces in a full hall: oldest, random, weakest, or futility (one it
            beats).
        growth: Weight of later members over earlier ones; 1: the n-th weighs n times as much as the first.

    """

    enters: Literal["best", "average"] = "best"
    every: Annotated[int, Field(ge=1, le=1_000_000_000)] = 1
    capacity: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    replaces: str = "oldest"
    growth: Annotated[float, Field(ge=0, le=10)] = 0.0


class EvolutionExperiment(Experiment):
    """The settings that all evolutions have in common.

    Attributes:
        generations: Number of generations.
        searcher: Search algorithm: genetic, cma-es, sep-cma-es (for hundreds of genes) or evolution-strategy.
        record_every: Generations between two that are recorded; the last always is.
        record_members: Record all members, not only champions: a much larger file.

    """

    LENGTH: ClassVar[str] = "generations"

    generations: Annotated[int, Field(ge=1, le=100_000_000)] = 300
    searcher: str = "genetic"
    record_every: Annotated[int, Field(ge=1, le=1_000_000_000)] = 1
    record_members: bool = False
    population: PopulationSettings = PopulationSettings()
    search: SearchSettings = SearchSettings()
    hall: HallSettings = HallSettings()

    @property
    def steps(self) -> int:
        """The number of generations."""
        return self.generations

    def differs_when_longer(self) -> str:
        """Return why the digest differs: the last generation is always recorded, even if `record_every` skips it."""
        if (self.generations - 1) % self.record_every == 0:
            return ""
        return (
            f"generation {self.generations:,} was recorded as the last, which record_every = {self.record_every} skips"
        )

    def search_errors(self) -> list[str]:
        """Return the errors in the settings of the search."""
        wrong = unknown_names("searcher", self.searcher, SEARCHERS)
        wrong += unknown_names("population.start", self.population.start, STARTS)
        wrong += unknown_names("hall.replaces", self.hall.replaces, REPLACEMENTS)
        if self.searcher == "genetic" and self.search.elites >= self.population.size:
            wrong.append(f"search.elites ({self.search.elites}) must be fewer than population.size")
        return wrong


# SearchSettings is a plain dataclass of the package evolution, without validation; here its keys are checked.
SearchSettings.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
EvolutionExperiment.model_rebuild(force=True)


class Evolution:
    """Populations evolved by their searchers."""

    def __init__(self, experiment: EvolutionExperiment, problem: Problem, executor: Executor) -> None:
        if experiment.seed is None:
            raise ValueError("an evolution needs a seed")
        self.experiment, self.problem, self.executor, self.seed = experiment, problem, executor, experiment.seed
        self.names = problem.populations
        self.searchers = {name: self._searcher(name) for name in self.names}
        self.halls = {name: problem.hall(name, key_of(self.seed, "hall", name)) for name in self.names}
        self.champions: dict[str, Champion] = {}
        self.before: dict[str, Population] = {}  # the previous generation
        self.generation = 0
        members = experiment.population.size * experiment.generations * len(self.names)
        small = experiment.record_every == 1 and members <= LARGEST_LINEAGE
        self.keeps_parents = experiment.record_members or small

    def _searcher(self, name: str) -> Searcher:
        population, first_key = self.experiment.population, key_of(self.seed, "first generation", name)
        genome = replace(self.problem.genome(name), start=population.start)
        first = first_population(genome, population.size, first_key, self.problem.initial_members(name))
        make, key = SEARCHERS[self.experiment.searcher], key_of(self.seed, "search", name)
        return make(genome, first, self.problem.settings(name), key, partial(run_rows, self.executor))

    def step(self, key: int) -> Generation:
        """Run one generation: evaluate, admit to the halls, record, breed."""
        populations = {name: self.searchers[name].ask() for name in self.names}
        evaluation = self.problem.evaluate(populations, self.halls, key, self.executor)
        for name in self.names:
            if (self.generation + 1) % self.experiment.hall.every == 0 or not self.halls[name].count:
                self._admit(name, populations[name], evaluation)
            self._update_champion(name, populations[name], evaluation)
        generation = self._record(populations, evaluation)
        if self.generation == self.experiment.generations - 1:
            self._play_final(populations, child(key, FINAL))
        for name in self.names:
            self.searchers[name].tell(evaluation.fitness[name])
        self.before = populations
        self.generation += 1
        return generation

    def _representative(self, name: str) -> int | None:
        """Return the index of the member that stands for the search, or None if the searcher has none."""
        return getattr(self.searchers[name], "champion", None)

    def _best(self, name: str, fitness: Floats) -> int:
        """Return the index of the member that stands for the search, or of the fittest."""
        index = self._representative(name)
        return int(np.argmax(fitness)) if index is None else int(index)

    def _admit(self, name: str, genomes: Population, evaluation: Evaluation) -> None:
        """Admit to the hall the members that the problem chooses, or the member that stands for the search."""
        index = self._representative(name)
        if index is None:
            evaluation.admit(name, self.halls[name])
        else:
            self.halls[name].add(genomes[index][None], evaluation.fitness[name][index][None])

    def _update_champion(self, name: str, genomes: Population, evaluation: Evaluation) -> None:
        """Store the best member ever if the opponents are fixed, otherwise the latest: fitness does not compare."""
        fitness, comparable = evaluation.fitness[name], self.problem.has_fixed_opponents(name)
        best = self._best(name, fitness)
        if not comparable or name not in self.champions or fitness[best] > self.champions[name].fitness:
            value = float(evaluation.values[name][best])
            self.champions[name] = Champion(genomes[best].copy(), float(fitness[best]), value)

    def _play_final(self, populations: Mapping[str, Population], key: int) -> None:
        """Choose each champion in a final with fresh deals, if the problem has one."""
        final = getattr(self.problem, "final", None)
        if final is None:
            return
        for name in self.names:
            index = self._representative(name)
            living = populations[name] if index is None else populations[name][index][None]
            champion = final(name, living, self.halls, key, self.executor)
            self.champions[name] = champion or self.champions[name]

    @property
    def recorded(self) -> bool:
        """Whether this generation is recorded."""
        last = self.generation == self.experiment.generations - 1
        return last or self.generation % self.experiment.record_every == 0

    @property
    def _sketched(self) -> bool:
        """Whether this recorded generation has a sketch of its members."""
        every = self.experiment.record_every
        return has_sketch(-(-self.generation // every), -(-(self.experiment.generations - 1) // every) + 1)

    def _record(self, populations: Mapping[str, Population], evaluation: Evaluation) -> Generation:
        metrics: dict[str, dict[str, float]] = {}
        arrays: dict[str, dict[str, Array]] = {}
        for name in self.names:
            fitness = evaluation.fitness[name]
            metrics[name] = {"mean": float(fitness.mean()), "best": float(fitness.max())}
            if self.recorded:
                figures = evaluation.figures(name)
                metrics[name] |= figures.metrics
                best = self._best(name, fitness)
                arrays[name] = {**figures.arrays, **self._pedigree(name, populations[name], fitness)}
                metrics[name]["place"] = float(best)
                if self._sketched:
                    arrays[name] |= sketch(populations[name], fitness, best, self.halls[name].members)
        numbers = [number for row in metrics.values() for label, number in row.items() if label not in DIAGNOSTICS]
        small = [array for row in arrays.values() for label, array in row.items() if label not in LARGE]
        parts = [*(evaluation.fitness[name] for name in self.names), np.array(numbers), *small]
        digest = hashlib.blake2b(b"".join(part.tobytes() for part in parts), digest_size=16).digest()
        primary = self.problem.primary_metric(evaluation, self.champions, self.halls)
        return Generation(primary, metrics, arrays, recorded=self.recorded, digest=digest)

    def _pedigree(self, name: str, genomes: Population, fitness: Array) -> dict[str, Array]:
        """Return the champion, its parents and the spread of the genes; and all members, if these are recorded."""
        best, parents = self._best(name, fitness), self.searchers[name].parents
        mean, spread = describe(genomes)
        pair = parents[best]
        parent_genes = np.full((2, genomes.shape[1]), np.nan)
        if name in self.before:
            parent_genes[pair >= 0] = self.before[name][pair[pair >= 0]]
        arrays: dict[str, Array] = {
            "champion": genomes[best].copy(),
            "gene_mean": mean,
            "gene_spread": spread,
            "champion_parents": pair.copy(),
            "parent_genes": parent_genes,
        }
        if self.keeps_parents:
            arrays["parents"] = parents.astype(np.int16 if len(parents) < 2**15 else np.int32)
        if self.experiment.record_members:
            arrays |= {"fitness": fitness, "genomes": genomes.copy()}
        return arrays

    def state(self) -> State:
        """Return the searchers, halls, champions and the previous generation as arrays by name."""
        arrays: State = {"generation": np.array([self.generation])}
        for name in self.names:
            arrays |= {f"search.{name}.{label}": array for label, array in self.searchers[name].state().items()}
            arrays |= {f"hall.{name}.{label}": array for label, array in self.halls[name].state().items()}
            if name in self.champions:
                champion = self.champions[name]
                arrays |= {f"champion.{name}.genes": champion.genes, f"before.{name}": self.before[name]}
                interval = [] if champion.ci95 is None else [champion.ci95]
                arrays[f"champion.{name}.values"] = np.array([champion.fitness, champion.value, *interval])
        return arrays

    def load(self, state: State) -> None:
        """Restore a saved state; before the first generation there are no champions."""
        self.generation = int(state["generation"][0])
        for name in self.names:
            self.searchers[name].load(arrays_under(f"search.{name}.", state))
            self.halls[name].load(arrays_under(f"hall.{name}.", state))
            if f"before.{name}" in state:
                values = state[f"champion.{name}.values"].tolist()
                self.champions[name] = Champion(state[f"champion.{name}.genes"], *values)
                self.before[name] = state[f"before.{name}"]

    def write_champions(self, folder: Path) -> list[Path]:
        """Write the problem's champions."""
        return self.problem.write_champions(folder, self.champions, self.halls)

    def answer(self, record: Record) -> dict[str, Any]:  # noqa: ARG002  not needed
        """Return the number of generations, and the problem's answer about its champions."""
        return {"generations": self.generation, **self.problem.answer(self.champions)}


# Arrays of all members: fitness is in the digest already, and the rest follows from it.
LARGE = ("parents", "fitness", "genomes", *LABELS)
# Numbers about the search, which are recorded but not in the digest.
DIAGNOSTICS = ("reliability", "spread")
FINAL = -1  # the child of the last generation's key for the final


def arrays_under(prefix: str, state: State) -> State:
    """Return the arrays whose names have a prefix, without it."""
    return {name.removeprefix(prefix): array for name, array in state.items() if name.startswith(prefix)}
