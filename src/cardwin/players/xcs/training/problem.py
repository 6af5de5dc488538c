"""Experiments in which a classifier system learns a problem with a known answer."""

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from cardwin.core.executor import Executor
from cardwin.core.rng import child
from cardwin.core.trainer import Generation, PrimaryMetric, Record, State, digest_of
from cardwin.players.xcs.files import RuleSet, write
from cardwin.players.xcs.learning.problems import Problem, XcsLearner, problem_of
from cardwin.players.xcs.rules import ERROR, MICRO, NUMEROSITY, SIZE
from cardwin.players.xcs.training.record import watched
from cardwin.players.xcs.training.settings import XcsExperiment

COMMAND = "train"
TRIALS = {"multiplexer-6": 10_000, "multiplexer-11": 30_000, "multiplexer-20": 150_000, "multiplexer-37": 1_500_000}
USUAL_TRIALS = 40_000


class KnownExperiment(XcsExperiment):
    """A problem with a known solution, and the number of trials, exploring and exploiting together.

    Attributes:
        problem: The problem: woods1, multiplexer-11 and others.
        trials: Number of trials.

    """

    LENGTH: ClassVar[str] = "trials"
    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("problem", "trials", "every", "predictions", "seed")

    kind: Literal["xcs-problem"] = "xcs-problem"
    problem: str
    trials: Annotated[int, Field(ge=1, le=10**10)] = USUAL_TRIALS

    @property
    def episodes(self) -> int:
        """The number of trials."""
        return self.trials


EXPERIMENT = KnownExperiment


def check(experiment: KnownExperiment) -> None:
    """The problem must exist, and every parameter must be in its range."""
    experiment.parameters_over(problem_of(experiment.problem).parameters)


class KnownTrainer:
    """A learner that runs `every` trials a step."""

    def __init__(self, experiment: KnownExperiment) -> None:
        self.experiment = experiment
        self.problem: Problem = problem_of(experiment.problem)
        self.learner = XcsLearner(self.problem, 0, experiment.parameters, experiment.predictions == 2)
        self.done = 0
        self.file: Path | None = None

    def step(self, key: int) -> Generation:
        """Run some trials with the randomness of this key."""
        learner = self.learner
        learner.system.stream[:] = (child(key, 0), 0)
        learner.rng[:] = (child(key, 1), 0)
        trials = learner.live(min(self.experiment.every, self.experiment.trials - self.done))
        self.done += len(trials.score)
        scores, rules = trials.exploited(), learner.system.rules
        size = int(rules.totals[SIZE])
        weights = rules.counts[NUMEROSITY, :size]
        metrics = {
            "score": float(scores.mean()) if len(scores) else float("nan"),
            "trials": float(self.done),
            "rules": float(size),
            "error": float((rules.values[ERROR, :size] * weights).sum() / rules.totals[MICRO]),
        }
        primary = PrimaryMetric("steps" if self.problem.in_steps else "accuracy", metrics["score"])
        number = (self.done - 1) // self.experiment.every
        arrays, notes = watched(rules, self.problem.fields, self.problem.actions, number, self.experiment.steps)
        digest = digest_of(trials.score, *self.state().values())
        return Generation(primary, {"rules": metrics}, arrays, notes, digest=digest)

    def state(self) -> State:
        """The rules, and the number of trials."""
        return {**self.learner.state(), "lived": np.array([self.done])}

    def load(self, state: State) -> None:
        """Continue from saved rules."""
        self.learner.load(state)
        self.done = int(state["lived"][0])

    def write_champions(self, folder: Path) -> list[Path]:
        """The rules, as one file."""
        self.file = path = folder / "rules.safetensors"
        about = {"problem": self.problem.name, "trials": self.done}
        write(path, RuleSet(self.problem.fields, self.problem.actions, self.learner.system.rules, about))
        return [path]

    def answer(self, record: Record) -> dict[str, Any]:  # noqa: ARG002  the state says it all
        """The score and the number of trials."""
        size = int(self.learner.system.rules.totals[SIZE])
        best = self.problem.best
        found = {"problem": self.problem.name, "trials": self.done, "rules": size, "best_possible": best}
        return {**found, "file": str(self.file)}


def trainer(experiment: KnownExperiment, executor: Executor, folder: Path) -> KnownTrainer:  # noqa: ARG001  one learner, one thread
    """The trainer of an experiment."""
    return KnownTrainer(experiment)
