"""Hold'em players evolved by tournaments: networks (Nicolai and Hilderman) and matrix players."""

from collections.abc import Iterable
from pathlib import Path

from cardwin.executor import Executor
from cardwin.lab.evolution import Evolution
from cardwin.lab.html import Part
from cardwin.lab.problems.tournament.settings import TournamentEvolutionExperiment
from cardwin.lab.run_data import RunData

COMMAND = "evolve"
EXPERIMENT = TournamentEvolutionExperiment


def check(experiment: TournamentEvolutionExperiment) -> None:
    """The keys say all."""


def trainer(experiment: TournamentEvolutionExperiment, executor: Executor, folder: Path) -> Evolution:  # noqa: ARG001
    """An evolution of its populations."""
    from cardwin.lab.problems.tournament.problem import TournamentProblem

    return Evolution(experiment, TournamentProblem(experiment), executor)


def parts(data: RunData, pictures: Path) -> Iterable[Part]:
    """The run for people."""
    from cardwin.lab.problems.tournament.report import Report
    from cardwin.lab.problems.tournament.report import parts as parts_of

    if not isinstance(data.experiment, TournamentEvolutionExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    return parts_of(Report(data, data.experiment, pictures))
