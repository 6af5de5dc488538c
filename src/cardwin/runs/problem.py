"""The Problem protocol: what a genome is and how it is evaluated. The evolution that drives it (evolution.py) knows no
game, and a problem knows no searcher.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from cardwin.core.arrays import Floats
from cardwin.core.executor import Executor
from cardwin.core.trainer import Array, PrimaryMetric
from cardwin.evolution import Archive, Genome, Population, SearchSettings


@dataclass(frozen=True)
class Figures:
    """Numbers to record of one population's generation, by name, beyond those that every evolution records."""

    metrics: Mapping[str, float]
    arrays: Mapping[str, Array]


@dataclass(frozen=True)
class Champion:
    """A population's champion: its genes, its fitness as evaluated, and its exact value where known.

    The fitness of a champion chosen in a final has a 95% interval, fitness ± `ci95`; otherwise `ci95` is None.
    """

    genes: Population
    fitness: float
    value: float
    ci95: float | None = None


class Evaluation(Protocol):
    """The evaluation of one generation of all populations. Higher fitness is better."""

    @property
    def fitness(self) -> Mapping[str, Floats]:
        """The fitness that selection uses, (members,) by population."""

    @property
    def values(self) -> Mapping[str, Floats]:
        """Fitness without noise, (members,) by population; the fitness itself where that is unknown."""

    def admit(self, name: str, hall: Archive) -> None:
        """Admit qualified members to their population's hall."""

    def figures(self, name: str) -> Figures:
        """Further figures of a population, computed only for recorded generations and after the halls' admissions."""


class Problem(Protocol):
    """What a genome is and how it is evaluated."""

    @property
    def populations(self) -> tuple[str, ...]:
        """The names of the populations that evolve, such as red and blue."""

    def genome(self, name: str) -> Genome:
        """What a member of that population is made of."""

    def given(self, name: str) -> Population:
        """Members that take the first places of the first generation, (some, genes); often none."""

    def settings(self, name: str) -> SearchSettings:
        """How that population is searched."""

    def hall(self, name: str, key: int) -> Archive:
        """An empty hall for that population; its members are arrays of one width."""

    def fixed(self, name: str) -> bool:
        """Whether that population always plays the same opponents, so that figures of different generations compare."""

    def evaluate(
        self, asked: Mapping[str, Population], halls: Mapping[str, Archive], key: int, executor: Executor
    ) -> Evaluation:
        """Evaluate all populations (members, genes) together, against the current halls."""

    def primary(
        self, judged: Evaluation, champions: Mapping[str, Champion], halls: Mapping[str, Archive]
    ) -> PrimaryMetric:
        """The run's primary metric."""

    def write_champions(
        self, folder: Path, champions: Mapping[str, Champion], halls: Mapping[str, Archive]
    ) -> list[Path]:
        """Write the champions and return the files, the main one first."""

    def answer(self, champions: Mapping[str, Champion]) -> dict[str, Any]:
        """The problem's part of the run's answer."""
