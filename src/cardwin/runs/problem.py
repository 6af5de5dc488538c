"""What is evolved: a problem says what a genome is and how good. The evolution that drives it (evolution.py) knows no
game, and a problem knows no searcher.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from cardwin.core.executor import Executor
from cardwin.core.trainer import Array, PrimaryMetric
from cardwin.evolution import Archive, Genome, Population, SearchSettings
from cardwin.solvers.tree import Floats


@dataclass(frozen=True)
class Figures:
    """What is worth recording of one population's generation, by name, beyond what every evolution records."""

    metrics: Mapping[str, float]
    arrays: Mapping[str, Array]


@dataclass(frozen=True)
class Champion:
    """The member that a population hands over: its genes, its fitness as judged, and its exact value where known."""

    genes: Population
    fitness: float
    value: float


class Evaluation(Protocol):
    """A generation of all populations, judged together. More fitness is better."""

    @property
    def fitness(self) -> Mapping[str, Floats]:
        """What selection sees, (members,) by population."""

    @property
    def values(self) -> Mapping[str, Floats]:
        """What fitness would be without luck, (members,) by population; the fitness itself where nobody knows."""

    def admit(self, name: str, hall: Archive) -> None:
        """Let those who deserve it into their population's hall."""

    def figures(self, name: str) -> Figures:
        """What else to record of a population, worked out only where a generation is recorded; halls have admitted."""


class Problem(Protocol):
    """What a genome is and how good."""

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
        """An empty hall for that population; its members may be anything of one width."""

    def fixed(self, name: str) -> bool:
        """Whether that population always meets the same opponents, so that figures of different times compare."""

    def evaluate(
        self, asked: Mapping[str, Population], halls: Mapping[str, Archive], key: int, executor: Executor
    ) -> Evaluation:
        """Judge all populations (members, genes) together, with the halls as they stand."""

    def primary(
        self, judged: Evaluation, champions: Mapping[str, Champion], halls: Mapping[str, Archive]
    ) -> PrimaryMetric:
        """The figure that the run is watched by."""

    def write_champions(
        self, folder: Path, champions: Mapping[str, Champion], halls: Mapping[str, Archive]
    ) -> list[Path]:
        """Write what is handed over and return the files, the one that the run stands for first."""

    def answer(self, champions: Mapping[str, Champion]) -> dict[str, Any]:
        """The problem's part of the run's answer."""
