"""Evolution of strategies for small games. Fitness is exact or estimated by sampled games."""

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
    """Raise an InputError unless the named game and policies exist and fit."""
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
    """The experiment of a run of this kind."""
    if not isinstance(data.experiment, SmallGameExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    return data.experiment


def seats(data: RunData) -> dict[int, Series]:
    """The recorded series of each evolving seat (0, 1)."""
    return {SEATS.index(name): series for name, series in data.populations.items()}
