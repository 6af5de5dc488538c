"""Evolution of hold'em players by tournaments: networks (Nicolai and Hilderman) and matrix players."""

from pathlib import Path

from cardwin.core.executor import Executor
from cardwin.runs.problems.tournament.settings import TournamentEvolutionExperiment
from cardwin.runs.trainers.evolution import Evolution

COMMAND = "evolve"
EXPERIMENT = TournamentEvolutionExperiment


def check(experiment: TournamentEvolutionExperiment) -> None:
    """Nothing to check beyond the schema."""


def trainer(experiment: TournamentEvolutionExperiment, executor: Executor, folder: Path) -> Evolution:  # noqa: ARG001
    """An evolution of its populations."""
    from cardwin.runs.problems.tournament.problem import TournamentProblem

    return Evolution(experiment, TournamentProblem(experiment), executor)
