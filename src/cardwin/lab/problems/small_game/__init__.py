"""Strategies for small games, evolved: the first problem. Fitness is exact, or games are played out."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cardwin.executor import Executor
from cardwin.games import game
from cardwin.lab.evolution import Evolution
from cardwin.lab.html import Part
from cardwin.lab.problems.small_game.settings import HALL, POPULATION, SEATS, SmallGameExperiment
from cardwin.lab.run_data import RunData, Series
from cardwin.players.policies import policy

COMMAND = "evolve"
EXPERIMENT = SmallGameExperiment


def check(experiment: SmallGameExperiment) -> None:
    """The game and the policies named must exist and fit."""
    rules = game(experiment.game)
    for seat in experiment.evolving:
        for spec in experiment.opponents[seat].against:
            if spec not in (POPULATION, HALL):
                policy(rules, spec).exact(1 - seat)
        for spec in experiment.population.seeded:
            policy(rules, spec).exact(seat)


def trainer(experiment: SmallGameExperiment, executor: Executor, folder: Path) -> Evolution:  # noqa: ARG001
    """An evolution of the game's seats."""
    from cardwin.lab.problems.small_game.problem import SmallGame

    return Evolution(experiment, SmallGame(experiment), executor)


def parts(data: RunData, pictures: Path) -> Iterable[Part]:
    """The run for people."""
    from cardwin.lab.problems.small_game.report import Report
    from cardwin.lab.problems.small_game.report import parts as parts_of

    return parts_of(Report(data, experiment_of(data), pictures))


def champion_at(data: RunData, place: int) -> dict[str, Any]:
    """The champions of the place-th recorded generation, beside the best response and an equilibrium."""
    from cardwin.lab.problems.small_game import look
    from cardwin.lab.problems.small_game.report import Report

    return look.champion_at(Report(data, experiment_of(data), data.folder), place)


def memory_of(data: RunData) -> dict[str, Any]:
    """What two populations have forgotten."""
    from cardwin.lab.problems.small_game import look
    from cardwin.lab.problems.small_game.report import Report

    return look.memory_of(data, Report(data, experiment_of(data), data.folder))


def experiment_of(data: RunData) -> SmallGameExperiment:
    """The experiment of a run that is known to be of this kind."""
    if not isinstance(data.experiment, SmallGameExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    return data.experiment


def seats(data: RunData) -> dict[int, Series]:
    """What is recorded of each evolving seat (0, 1)."""
    return {SEATS.index(name): series for name, series in data.populations.items()}
