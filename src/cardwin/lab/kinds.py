"""The kinds of experiments: how each is checked, driven and told. A new kind is a module and a line here."""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from cardwin.errors import unknown
from cardwin.executor import Executor
from cardwin.lab.experiment import Experiment
from cardwin.lab.html import Part
from cardwin.lab.trainer import Trainer

if TYPE_CHECKING:
    from cardwin.lab.run_data import RunData

# Named here, imported only when asked for.
KINDS = {
    "small-game": "cardwin.lab.problems.small_game",
    "tournament-evolution": "cardwin.lab.problems.tournament",
    "xcs-game": "cardwin.lab.xcs.game",
    "xcs-holdem": "cardwin.lab.xcs.holdem",
    "xcs-problem": "cardwin.lab.xcs.known",
    "tournament": "cardwin.lab.tournaments",
    "leaderboard": "cardwin.lab.leaderboard_run",
    "training": "cardwin.lab.training",
    "reproduction": "cardwin.lab.reproduction",
}


class Kind(Protocol):
    """The module of a kind."""

    COMMAND: str  # of the command line
    EXPERIMENT: type[Experiment]

    def check(self, experiment: Any) -> None:
        """Refuse what the keys alone do not show to be wrong: games and players that do not exist or do not fit."""

    def trainer(self, experiment: Any, executor: Executor, folder: Path) -> Trainer:
        """Who gets on step by step; here things may be compiled. Pictures made on the way go into the run's folder."""

    def parts(self, data: "RunData", pictures: Path) -> Iterable[Part]:
        """The run for people, finished or not."""


def kind_of(name: Any) -> Kind:
    """The kind of that name."""
    if name not in KINDS:
        raise unknown("kind", str(name), KINDS)
    return cast(Kind, import_module(KINDS[name]))
