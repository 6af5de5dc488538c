"""Strategies for small games, evolved: the first problem. Fitness is exact, or games are played out."""

from pathlib import Path

from cardwin.core.executor import Executor
from cardwin.games import game
from cardwin.players.small_games.policies import policy
from cardwin.runs.problems.small_game.settings import HALL, POPULATION, SEATS, SmallGameExperiment
from cardwin.runs.reader import RunData, Series
from cardwin.runs.trainers.evolution import Evolution

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
    from cardwin.runs.problems.small_game.problem import SmallGame

    return Evolution(experiment, SmallGame(experiment), executor)


def experiment_of(data: RunData) -> SmallGameExperiment:
    """The experiment of a run that is known to be of this kind."""
    if not isinstance(data.experiment, SmallGameExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    return data.experiment


def seats(data: RunData) -> dict[int, Series]:
    """What is recorded of each evolving seat (0, 1)."""
    return {SEATS.index(name): series for name, series in data.populations.items()}
