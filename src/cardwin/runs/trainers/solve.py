"""A betting game solved as a run: it can be stopped or killed at any moment, and ends with the same digest.

A step is the iterations up to the next exact best responses (`solve.check_points`). Once the exploitability is reached,
the steps that are left do nothing. The state is the solver's tables; the digest covers the bounds and both averages.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from cardwin.core.errors import InputError, unknown_name
from cardwin.core.executor import Executor
from cardwin.core.experiment import Experiment
from cardwin.core.report_parts import Grid, Part, Text
from cardwin.core.trainer import Generation, PrimaryMetric, Record, State, digest_of
from cardwin.games.betting.game import BettingGame, betting_game
from cardwin.runs.reader import RunData
from cardwin.solvers.public_tree.solve import MAX_ITERATIONS, check_points, new_solver, target_exploitability
from cardwin.solvers.public_tree.solver import Bounds, PublicTreeSolver
from cardwin.solvers.public_tree.variants import VARIANTS

COMMAND = "solve"
SOLVER = "solver"  # the population of the record
UNIT = "mbb/g"


class SolveExperiment(Experiment):
    """The game, the method, and when to stop.

    Attributes:
        game: The game: flop-holdem or a parameter file.
        method: Solution method: dcfr, cfr+, linear or pcfr+.
        until: Exploitability to reach.
        iterations: Maximum number of iterations.
        rules: Rules of the game when the run began.

    """

    kind: Literal["solve"] = "solve"
    game: str
    method: str = "dcfr"
    until: Annotated[float, Field(gt=0)] | None = None
    iterations: Annotated[int, Field(ge=1, le=MAX_ITERATIONS)] | None = None
    rules: str = ""

    @property
    def steps(self) -> int:
        """The number of checks, if the exploitability is not reached before."""
        return len(check_points(self.iterations))

    @property
    def short_name(self) -> str:
        """The name of the game, or of its file."""
        return f"solve-{Path(self.game).stem.partition(':')[0]}"


EXPERIMENT = SolveExperiment


def settings(game: str, method: str, until: float | None, iterations: int | None) -> dict[str, Any]:
    """Return the values of an experiment; a parameter file is named by its whole path."""
    target_exploitability(until, iterations)
    path = str(Path(game).resolve()) if game.endswith(".toml") else game
    values = {"game": path, "method": method, "rules": repr(betting_game(game)), "until": until}
    return {name: value for name, value in (values | {"iterations": iterations}).items() if value is not None}


def check(experiment: SolveExperiment) -> None:
    """Raise an InputError unless game and method exist."""
    if experiment.method not in VARIANTS:
        raise unknown_name("method", experiment.method, VARIANTS)
    game_of(experiment)


def game_of(experiment: SolveExperiment) -> BettingGame:
    """Return the game, which must have the rules that it had when the run began."""
    game = betting_game(experiment.game)
    if experiment.rules not in ("", repr(game)):
        raise InputError(f"{experiment.game} has other rules than at the start of the run: restore them or start again")
    return game


class SolveTrainer:
    """The solver and its last bounds."""

    def __init__(self, experiment: SolveExperiment, executor: Executor, folder: Path | None = None) -> None:  # noqa: ARG002
        self.experiment, self.game = experiment, game_of(experiment)
        self.solver: PublicTreeSolver = new_solver(self.game, experiment.method, executor)
        self.goal, self.unit = (
            target_exploitability(experiment.until, experiment.iterations),
            1000 / self.game.big_blind,
        )
        self.checks = check_points(experiment.iterations)
        self.bounds: Bounds | None = None

    def step(self, key: int) -> Generation:  # noqa: ARG002  nothing is drawn
        """Iterate up to the next check, unless the goal is reached."""
        done = self.bounds is not None and self.bounds.exploitability * self.unit <= self.goal
        if not done or self.bounds is None:
            self.solver.step(next(at for at in self.checks if at > self.solver.iterations) - self.solver.iterations)
            self.bounds = self.solver.bounds()
        low, high = self._interval(self.bounds)
        exploitability = PrimaryMetric("exploitability", (high - low) / 2)
        figures = {
            "iterations": float(self.solver.iterations),
            "exploitability": exploitability.value,
            "least": low,
            "most": high,
        }
        digest = digest_of(low, high, *([] if done else self._tables(self.solver.averages)))
        return Generation(exploitability, {SOLVER: figures}, recorded=not done, digest=digest)

    def _interval(self, bounds: Bounds) -> tuple[float, float]:
        """Return bounds of the game's value in mbb per game."""
        return bounds.low * self.unit, bounds.high * self.unit

    @staticmethod
    def _tables(tables: list[list[Any]]) -> list[Any]:
        return [table for street in tables for table in street]

    def _named(self) -> State:
        solver = self.solver
        kinds = {"regrets": solver.regrets, "averages": solver.averages, "predictions": solver.predictions}
        return {
            f"{kind}.{number}": table
            for kind, streets in kinds.items()
            for number, table in enumerate(self._tables(streets))
        }

    def state(self) -> State:
        """Return the tables, the number of iterations and the bounds."""
        bounds = [] if self.bounds is None else [self.bounds.low, self.bounds.high]
        return self._named() | {"iterations": np.array([self.solver.iterations]), "bounds": np.array(bounds)}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        for name, table in self._named().items():
            table[:] = state[name]
        self.solver.iterations = int(state["iterations"][0])
        self.bounds = Bounds(*map(float, state["bounds"])) if len(state["bounds"]) else None

    def write_champions(self, folder: Path) -> list[Path]:  # noqa: ARG002  the checkpoint has the tables
        """Write nothing: the averages are in the last checkpoint."""
        return []

    def answer(self, record: Record) -> dict[str, Any]:  # noqa: ARG002
        """Return the value of the game with certain bounds."""
        bounds = self.bounds or self.solver.bounds()
        low, high = self._interval(bounds)
        return {
            "game": self.game.name,
            "value": (low + high) / 2,
            "ci": [low, high],
            "exploitability": bounds.exploitability * self.unit,
            "unit": UNIT,
            "method": self.experiment.method,
            "iterations": self.solver.iterations,
            "information_sets": self.solver.information_sets,
        }


trainer = SolveTrainer


def parts(data: RunData, pictures: Path) -> Iterable[Part]:  # noqa: ARG001  a table says it all
    """Return the report: bounds and exploitability after each check."""
    return _rows(data) if data.generations else iter([Text("No best response has been computed yet.")])


def _rows(data: RunData) -> Iterator[Part]:
    metrics = data.populations[SOLVER].metrics
    names = ("iterations", "exploitability", "least", "most")
    rows = [[float(value) for value in row] for row in zip(*(metrics[name] for name in names), strict=True)]
    title = f"Exact best responses to both averages, in {UNIT}"
    yield Grid(title, ["iterations", "exploitability", "value for the first seat, at least", "at most"], rows)
