"""The kinds of experiments: how each is checked, run and reported.

A new kind is a module and a line here, or an entry point of the group `cardwin.trainers` in an installed package that
names such a module.
"""

from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from cardwin.core.errors import unknown_name
from cardwin.core.executor import Executor
from cardwin.core.experiment import Experiment
from cardwin.core.report_parts import Part
from cardwin.core.trainer import Trainer

if TYPE_CHECKING:
    from cardwin.runs.reader import RunData

GROUP = "cardwin.trainers"

# These modules are imported on first use.
KINDS = {
    "small-game": "cardwin.runs.problems.small_game",
    "tournament-evolution": "cardwin.runs.problems.tournament",
    "style-atlas": "cardwin.runs.problems.style_atlas",
    "xcs-game": "cardwin.players.xcs.training.game",
    "xcs-holdem": "cardwin.players.xcs.training.holdem",
    "xcs-problem": "cardwin.players.xcs.training.problem",
    "match": "cardwin.runs.trainers.match",
    "tournament": "cardwin.runs.trainers.tournament",
    "leaderboard": "cardwin.runs.trainers.leaderboard",
    "training": "cardwin.players.robots.training",
    "solve": "cardwin.runs.trainers.solve",
    "cfr": "cardwin.players.cfr.training",
    "reproduction": "cardwin.papers.reproduction",
}
# Modules that write a kind's report; a kind that is not listed writes its own.
REPORTS = {
    "small-game": "cardwin.reports.small_game",
    "tournament-evolution": "cardwin.reports.tournament_evolution",
    "style-atlas": "cardwin.reports.style_atlas",
    "xcs-game": "cardwin.reports.xcs",
    "xcs-holdem": "cardwin.reports.xcs",
    "xcs-problem": "cardwin.reports.xcs",
    "match": "cardwin.reports.arena",
    "tournament": "cardwin.reports.arena",
    "leaderboard": "cardwin.reports.leaderboard",
    "training": "cardwin.reports.training",
    "cfr": "cardwin.reports.training",
}
REPORT_WRITER = "cardwin.reports.report"


class Kind(Protocol):
    """The module of a kind."""

    COMMAND: str  # the command that starts it
    EXPERIMENT: type[Experiment]

    def check(self, experiment: Any) -> None:
        """Check what the schema of the experiment cannot.

        Args:
            experiment: An experiment of this kind.

        Raises:
            InputError: If games or players do not exist or do not fit.

        """

    def trainer(self, experiment: Any, executor: Executor, folder: Path) -> Trainer:
        """Return the trainer; this may compile kernels.

        Args:
            experiment: An experiment of this kind.
            executor: Where the work is done.
            folder: The run's folder, which receives pictures made during the run.

        Returns:
            A trainer before its first step.

        """


class Report(Protocol):
    """The module that writes reports of a kind.

    For the page it may also have `champion_at(data, index)`, the champions of a recorded generation; `memory_of(data)`,
    the results of all generations' champions against each other; and `atlas_of(data)`, the cells of an atlas.
    """

    def parts(self, data: "RunData", pictures: Path) -> Iterable[Part]:
        """Return the parts of the report, for a finished or unfinished run.

        Args:
            data: The run's experiment and records.
            pictures: The folder of the pictures.

        Returns:
            Headings, texts, tables and pictures in their order.

        """


def kind_of(name: Any) -> Kind:
    """Return the kind of that name."""
    return cast(Kind, import_module(_module(name)))


def report_of(name: Any) -> Report:
    """Return the report module of a kind."""
    return cast(Report, import_module(REPORTS.get(name) or _module(name)))


def write_report(folder: Path) -> None:
    """Write a run's report.html. The package `reports` is imported on use, because it depends on this one."""
    import_module(REPORT_WRITER).write(folder)


def remake_report(folder: Path, pictures: Path) -> bytes:
    """Return what a run's report.html should contain.

    Args:
        folder: The run, which does not change.
        pictures: A folder for the report's pictures.

    Returns:
        The page.

    """
    page: bytes = import_module(REPORT_WRITER).remake(folder, pictures)
    return page


def _module(name: Any) -> str:
    if name in KINDS:
        return KINDS[name]
    installed = {point.name: point.value for point in entry_points(group=GROUP)}
    if name not in installed:
        raise unknown_name("kind", str(name), [*KINDS, *installed])
    return installed[name]
