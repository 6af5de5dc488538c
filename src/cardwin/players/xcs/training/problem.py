"""Experiments in which a classifier system learns a problem with a known answer."""

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from cardwin.core.executor import Executor
from cardwin.core.rng import child
from cardwin.core.trainer import Generation, PrimaryMetric, Record, State
from cardwin.players.xcs.learning.parameters import Parameters
from cardwin.players.xcs.learning.problems import XcsLearner, problem_of
from cardwin.players.xcs.rules import ERROR, MICRO, NUMEROSITY
from cardwin.players.xcs.training.experiment import DEFAULT_TRIALS, XcsExperiment, XcsTrainer

COMMAND = "train"


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
    trials: Annotated[int, Field(ge=1, le=10**10)] = DEFAULT_TRIALS

    @property
    def default_parameters(self) -> Parameters:
        """The problem's parameters."""
        return problem_of(self.problem).parameters


EXPERIMENT = KnownExperiment


def check(experiment: KnownExperiment) -> None:
    """Raise an InputError if the problem does not exist or a parameter is out of its range."""
    _ = experiment.all_parameters


class KnownTrainer(XcsTrainer):
    """A learner that runs `every` trials per step."""

    COUNT = "lived"

    def __init__(self, experiment: KnownExperiment) -> None:
        self.problem = problem_of(experiment.problem)
        self.learner = XcsLearner(self.problem, 0, experiment.parameters, experiment.predictions == 2)
        super().__init__(experiment, self.learner.system, self.problem.fields, self.problem.actions)

    def step(self, key: int) -> Generation:
        """Run some trials with the randomness of this key."""
        learner, rules = self.learner, self.system.rules
        learner.system.stream[:] = (child(key, 0), 0)
        learner.rng[:] = (child(key, 1), 0)
        trials = learner.run(self.next_count())
        self.played += len(trials.score)
        scores, size = trials.exploited(), self.rule_count
        weights = rules.counts[NUMEROSITY, :size]
        metrics = {
            "score": float(scores.mean()) if len(scores) else float("nan"),
            "trials": float(self.played),
            "rules": float(size),
            "error": float((rules.values[ERROR, :size] * weights).sum() / rules.totals[MICRO]),
        }
        primary = PrimaryMetric("steps" if self.problem.in_steps else "accuracy", metrics["score"])
        return self.generation(primary, metrics, trials.score)

    def state(self) -> State:
        """Return the learner's state, and the number of trials."""
        return {**self.learner.state(), self.COUNT: np.array([self.played])}

    def load(self, state: State) -> None:
        """Continue from a saved state."""
        super().load(state)
        self.learner.load(state)

    def about(self) -> dict[str, Any]:
        """Return the origin of the rules, for their file."""
        return {"problem": self.problem.name, "trials": self.played}

    def answer(self, record: Record) -> dict[str, Any]:  # noqa: ARG002  the state is enough
        """Return the number of trials and rules, and the best possible score."""
        return {**self.about(), "rules": self.rule_count, "best_possible": self.problem.best, "file": str(self.file)}


def trainer(experiment: KnownExperiment, executor: Executor, folder: Path) -> KnownTrainer:  # noqa: ARG001  one learner, one thread
    """Return the trainer of an experiment."""
    return KnownTrainer(experiment)
