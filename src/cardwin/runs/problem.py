"""The Problem protocol: what a genome is and how it is evaluated.

The evolution that drives a problem (evolution.py) knows no game, and a problem knows no searcher.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError
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
    """A population's champion: its genes, its fitness as evaluated, and its exact value if that is known.

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
        """The fitness without noise, (members,) by population; the fitness itself if that is unknown."""

    def admit(self, name: str, hall: Archive) -> None:
        """Admit qualified members to their population's hall.

        Args:
            name: The population.
            hall: Its hall, which is changed.

        """

    def figures(self, name: str) -> Figures:
        """Return further figures of a population. Called for recorded generations only, after `admit`.

        Args:
            name: The population.

        Returns:
            Numbers and arrays to record.

        """


class Problem(Protocol):
    """What a genome is and how it is evaluated."""

    @property
    def populations(self) -> tuple[str, ...]:
        """The names of the populations that evolve, such as red and blue."""

    def genome(self, name: str) -> Genome:
        """Return the genome of a population's members.

        Args:
            name: The population.

        Returns:
            Kinds and bounds of the genes.

        """

    def initial_members(self, name: str) -> Population:
        """Return known members for the first generation.

        Args:
            name: The population.

        Returns:
            Genomes (n, genes) that take the first rows of the first generation; n is often 0.

        """

    def settings(self, name: str) -> SearchSettings:
        """Return the search settings of a population.

        Args:
            name: The population.

        Returns:
            Operators, rates and the number of elites.

        """

    def hall(self, name: str, key: int) -> Archive:
        """Return an empty hall of fame for a population.

        Args:
            name: The population.
            key: The key of the hall's random numbers.

        Returns:
            A hall whose members are arrays of one width.

        """

    def has_fixed_opponents(self, name: str) -> bool:
        """Return whether a population always plays the same opponents, so that its generations compare.

        Args:
            name: The population.

        Returns:
            True if fitness of different generations has the same scale.

        """

    def evaluate(
        self, populations: Mapping[str, Population], halls: Mapping[str, Archive], key: int, executor: Executor
    ) -> Evaluation:
        """Evaluate all populations together.

        Args:
            populations: The members (members, genes) by population.
            halls: The halls of fame by population.
            key: The source of all random numbers.
            executor: Where the work is done.

        Returns:
            The fitness of all members.

        """

    def primary_metric(
        self, evaluation: Evaluation, champions: Mapping[str, Champion], halls: Mapping[str, Archive]
    ) -> PrimaryMetric:
        """Return the run's primary metric.

        Args:
            evaluation: The evaluation of the generation.
            champions: The champion of each population.
            halls: The halls of fame by population.

        Returns:
            Its name and value.

        """

    def write_champions(
        self, folder: Path, champions: Mapping[str, Champion], halls: Mapping[str, Archive]
    ) -> list[Path]:
        """Write the champions.

        Args:
            folder: The folder that receives the files.
            champions: The champion of each population.
            halls: The halls of fame by population.

        Returns:
            The files, the main one first.

        """

    def answer(self, champions: Mapping[str, Champion]) -> dict[str, Any]:
        """Return the problem's part of the run's answer.

        Args:
            champions: The champion of each population.

        Returns:
            JSON by key.

        """


def no_limit_errors(game: str, players: str) -> list[str]:
    """Return what is wrong with the game of an experiment that needs no-limit hold'em: a list of at most one error."""
    from cardwin.games.holdem.game import holdem_game
    from cardwin.games.specs import split_spec

    try:
        kind = holdem_game(*split_spec(game)).kind
    except InputError as error:
        return [str(error)]
    return [] if kind == "nl" else [f"game {game}: {players} need no-limit hold'em, such as holdem-nl"]
