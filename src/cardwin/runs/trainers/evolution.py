"""Evolution, a trainer: a searcher and a hall for each population, and a problem that evaluates them together.

1. Ask every searcher for its population, and let the problem evaluate all of them against the current halls.
2. Admit qualified members to the halls, and store the champions.
3. Record the generation; tell every searcher its fitness, and it breeds.
"""

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
from cardwin.core.trainer import Array, Generation, Record, State, digest_of
from cardwin.evolution import REPLACEMENTS, SEARCHERS, STARTS, Population, Searcher, SearchSettings, first_population
from cardwin.evolution.breeding import unknown_names
from cardwin.evolution.genome import describe
from cardwin.evolution.sketch import LABELS, has_sketch, sketch
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
        """A step is a generation."""
        return self.generations

    def differs_when_longer(self) -> str:
        """The last generation is always recorded, and so in the digest, even if `record_every` would skip it."""
        if (self.generations - 1) % self.record_every == 0:
            return ""
        return (
            f"generation {self.generations:,} was recorded as the last, which record_every = {self.record_every} skips"
        )

    def mistakes(self) -> list[str]:
        """What is wrong in the settings of the search."""
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
        self.before: dict[str, Population] = {}
        self.generation = 0
        everybody = experiment.population.size * experiment.generations * len(self.names)
        every_one = experiment.record_every == 1
        self.keeps_parents = experiment.record_members or (every_one and everybody <= LARGEST_LINEAGE)

    def _searcher(self, name: str) -> Searcher:
        population, first_key = self.experiment.population, key_of(self.seed, "first generation", name)
        genome = replace(self.problem.genome(name), start=population.start)
        first = first_population(genome, population.size, first_key, self.problem.given(name))
        make, key = SEARCHERS[self.experiment.searcher], key_of(self.seed, "search", name)
        return make(genome, first, self.problem.settings(name), key, partial(run_rows, self.executor))

    def step(self, key: int) -> Generation:
        """One generation: evaluate, admit to the halls, record, breed."""
        asked = {name: self.searchers[name].ask() for name in self.names}
        judged = self.problem.evaluate(asked, self.halls, key, self.executor)
        for name in self.names:
            if (self.generation + 1) % self.experiment.hall.every == 0 or not self.halls[name].count:
                self._admit(name, asked[name], judged)
            self._remember(name, asked[name], judged)
        found = self._generation(asked, judged)
        if self.generation == self.experiment.generations - 1:
            self._choose_finally(asked, child(key, FINAL))
        for name in self.names:
            self.searchers[name].tell(judged.fitness[name])
        self.before = asked
        self.generation += 1
        return found

    def _admit(self, name: str, genomes: Population, judged: Evaluation) -> None:
        """Admit to the hall whoever the problem chooses, or the member that stands for the search."""
        chosen = getattr(self.searchers[name], "champion", None)
        if chosen is None:
            judged.admit(name, self.halls[name])
        else:
            self.halls[name].add(genomes[chosen][None], judged.fitness[name][chosen][None])

    def _best(self, name: str, fitness: Floats) -> int:
        """The fittest member, or the one that stands for the search."""
        chosen = getattr(self.searchers[name], "champion", None)
        return int(np.argmax(fitness)) if chosen is None else int(chosen)

    def _remember(self, name: str, genomes: Population, judged: Evaluation) -> None:
        """Keep the best ever against fixed opponents, else the latest: other opponents, other values."""
        fitness = judged.fitness[name]
        best = self._best(name, fitness)
        if not self.problem.fixed(name) or name not in self.champions or fitness[best] > self.champions[name].fitness:
            value = float(judged.values[name][best])
            self.champions[name] = Champion(genomes[best].copy(), float(fitness[best]), value)

    def _choose_finally(self, asked: Mapping[str, Population], key: int) -> None:
        """Choose each champion in a final with fresh deals, if the problem has one."""
        final = getattr(self.problem, "final", None)
        if final is None:
            return
        for name in self.names:
            chosen = getattr(self.searchers[name], "champion", None)
            living = asked[name] if chosen is None else asked[name][chosen][None]
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

    def _generation(self, asked: Mapping[str, Population], judged: Evaluation) -> Generation:
        metrics: dict[str, dict[str, float]] = {}
        arrays: dict[str, dict[str, Array]] = {}
        for name in self.names:
            fitness = judged.fitness[name]
            metrics[name] = {"mean": float(fitness.mean()), "best": float(fitness.max())}
            if self.recorded:
                figures = judged.figures(name)
                metrics[name] |= figures.metrics
                best = self._best(name, fitness)
                arrays[name] = {**figures.arrays, **self._pedigree(name, asked[name], fitness)}
                metrics[name]["place"] = float(best)
                if self._sketched:
                    arrays[name] |= sketch(asked[name], fitness, best, self.halls[name].members)
        numbers = [number for own in metrics.values() for label, number in own.items() if label not in DIAGNOSTICS]
        small = [array for own in arrays.values() for label, array in own.items() if label not in LARGE]
        digest = digest_of(*(judged.fitness[name] for name in self.names), *numbers, *small)
        primary = self.problem.primary(judged, self.champions, self.halls)
        return Generation(primary, metrics, arrays, recorded=self.recorded, digest=digest)

    def _pedigree(self, name: str, genomes: Population, fitness: Array) -> dict[str, Array]:
        """The generation's champion, its parents, the spread of the genes; and all members, if these are recorded."""
        best, parents = self._best(name, fitness), self.searchers[name].parents
        mean, spread = describe(genomes)
        own = parents[best]
        parent_genes = np.full((2, genomes.shape[1]), np.nan)
        if name in self.before:
            parent_genes[own >= 0] = self.before[name][own[own >= 0]]
        kept: dict[str, Array] = {
            "champion": genomes[best].copy(),
            "gene_mean": mean,
            "gene_spread": spread,
            "champion_parents": own.copy(),
            "parent_genes": parent_genes,
        }
        if self.keeps_parents:
            kept["parents"] = parents.astype(np.int16 if len(parents) < 2**15 else np.int32)
        if self.experiment.record_members:
            kept |= {"fitness": fitness, "genomes": genomes.copy()}
        return kept

    def state(self) -> State:
        """Searchers, halls, champions and the previous generation."""
        arrays: State = {"generation": np.array([self.generation])}
        for name in self.names:
            arrays |= {f"search.{name}.{label}": array for label, array in self.searchers[name].state().items()}
            arrays |= {f"hall.{name}.{label}": array for label, array in self.halls[name].state().items()}
            if name in self.champions:
                one = self.champions[name]
                arrays |= {f"champion.{name}.genes": one.genes, f"before.{name}": self.before[name]}
                known = [one.fitness, one.value] if one.ci95 is None else [one.fitness, one.value, one.ci95]
                arrays[f"champion.{name}.values"] = np.array(known)
        return arrays

    def load(self, state: State) -> None:
        """Restore a saved state; before the first generation there are no champions."""
        self.generation = int(state["generation"][0])
        for name in self.names:
            self.searchers[name].load(_under(f"search.{name}.", state))
            self.halls[name].load(_under(f"hall.{name}.", state))
            if f"before.{name}" in state:
                values = state[f"champion.{name}.values"].tolist()
                self.champions[name] = Champion(state[f"champion.{name}.genes"], *values)
                self.before[name] = state[f"before.{name}"]

    def write_champions(self, folder: Path) -> list[Path]:
        """Let the problem write its champions."""
        return self.problem.write_champions(folder, self.champions, self.halls)

    def answer(self, record: Record) -> dict[str, Any]:  # noqa: ARG002  not needed
        """The number of generations, and the problem's answer about its champions."""
        return {"generations": self.generation, **self.problem.answer(self.champions)}


# Arrays of all members: fitness is in the digest already, and the rest follows from it.
LARGE = ("parents", "fitness", "genomes", *LABELS)
# Numbers about the search, which are recorded but not in the digest.
DIAGNOSTICS = ("reliability", "spread")
FINAL = -1  # the child of the last generation's key for the final


def _under(prefix: str, state: State) -> State:
    return {name.removeprefix(prefix): array for name, array in state.items() if name.startswith(prefix)}
