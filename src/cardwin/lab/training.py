"""A robot that learns by itself as a run: a step is one game (AI V2 and V3 of Chen 2018; see learn/thresholds.py).

Games follow upon each other, so that several workers have nothing to share: they change nothing, nor does their
number.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from cardwin.arena.match import makers_of
from cardwin.arena.session import SessionRules
from cardwin.errors import InputError
from cardwin.executor import Executor
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.parameters import split_spec
from cardwin.lab import html
from cardwin.lab.experiment import Experiment
from cardwin.lab.html import Grid, Part, Text
from cardwin.lab.run_data import RunData
from cardwin.lab.trainer import Generation, Headline, Record, State
from cardwin.learn import thresholds
from cardwin.learn.thresholds import Training
from cardwin.players.learner import Learner, save
from cardwin.players.registry import expand_specs, player

COMMAND = "train"
LEARNER = "learner"  # the population of the record


class TrainingExperiment(Experiment):
    """Who learns, against whom, at what, how long."""

    LENGTH: ClassVar[str] = "games"

    kind: Literal["training"] = "training"
    game: str = "holdem-simple"
    learner: str
    against: tuple[str, ...]
    games: Annotated[int, Field(ge=1, le=thresholds.MOST_GAMES)] = 100
    rounds: Annotated[int, Field(ge=1, le=1_000_000_000)] = 1000
    in_process: bool = False

    @property
    def rules(self) -> HoldemGame:
        """The game."""
        return holdem_game(*split_spec(self.game))

    @property
    def steps(self) -> int:
        """A step is a game."""
        return self.games


EXPERIMENT = TrainingExperiment


def check(experiment: TrainingExperiment) -> None:
    """The learner must learn, and its rivals exist."""
    learner_of(experiment)
    makers_of(expand_specs(experiment.against), not experiment.in_process)
    _ = experiment.rules


def learner_of(experiment: TrainingExperiment) -> Learner:
    """The learner at its beginning."""
    made = player(experiment.learner)
    if not isinstance(made, Learner):
        raise InputError(f"{experiment.learner} does not learn: train v2 or v3:file=FILE")
    return made


class LearnerTrainer:
    """Plays one game after the other and keeps what it has learnt."""

    def __init__(self, experiment: TrainingExperiment) -> None:
        self.experiment = experiment
        self.learner = learner_of(experiment)
        self.file: Path | None = None

    def step(self, key: int) -> Generation:
        """One game against fresh rivals."""
        how = self.experiment
        training = thresholds.train(how.rules, self.learner, how.against, 1, key, SessionRules(how.rounds),
                                    isolated=not how.in_process)  # fmt: skip
        names = [step.name for step in self.learner.learnt]
        values = dict(zip(names, training.values[-1].tolist(), strict=True))
        counted, won = training.tally[0].tolist()
        return Generation(
            Headline(names[0], values[names[0]]),
            {LEARNER: {**values, "hands that counted": float(counted), "won": float(won)}},
            {LEARNER: {"values": training.values, "tally": training.tally}},
        )

    def state(self) -> State:
        """Its parameters and its tally."""
        return {"values": self.learner.robot.values, "tally": self.learner.tally}

    def load(self, state: State) -> None:
        """Go on with them."""
        self.learner.robot.values[:] = state["values"]
        self.learner.tally[:] = state["tally"]

    def write_champions(self, folder: Path) -> list[Path]:
        """The trained robot, to be played as v3."""
        self.file = folder / "v3.json"
        save(self.file, self.learner)
        return [self.file]

    def answer(self, record: Record) -> dict[str, Any]:
        """What it learnt, where that settled, and how often it won."""
        training = training_of(record)
        return {
            "game": self.experiment.rules.name,
            "games": self.experiment.games,
            "learnt": {step.name: self.learner.value(step.name) for step in self.learner.learnt},
            "settled": training.settled().tolist(),
            "balance": [step.balance for step in self.learner.learnt],
            "share_won": training.share_won() if training.tally[len(training.tally) // 2 :].sum() else None,
            "file": str(self.file),
        }


def training_of(record: Record) -> Training:
    """The whole training: values (games + 1, learnt), tally (games, 2)."""
    values = record.arrays(LEARNER, "values")
    joined = np.concatenate([values[0][:1], *(each[-1:] for each in values)])
    return Training(joined, np.concatenate(record.arrays(LEARNER, "tally")))


def trainer(experiment: TrainingExperiment, executor: Executor, folder: Path) -> LearnerTrainer:  # noqa: ARG001
    """Who plays the games, in order."""
    return LearnerTrainer(experiment)


def parts(data: RunData, pictures: Path) -> Iterable[Part]:
    """The training for people."""
    return _told(data, pictures) if data.generations else iter([Text("No game has been played yet.")])


def _told(data: RunData, pictures: Path) -> Iterator[Part]:
    series = data.populations[LEARNER]
    names = [name for name in series.metrics if name not in ("hands that counted", "won")]
    figure = html.figure(8, 3.4)
    axes = figure.subplots()
    for name in names:
        axes.plot(series.generation + 1, series.metrics[name], lw=1, label=name)
    axes.set(xlabel="game", ylabel="value after it")
    axes.legend(fontsize=8, frameon=False)
    curves = {"game": series.generation + 1, **{name: series.metrics[name] for name in names}}
    yield html.save(pictures, "learnt", figure, "What is learnt, game after game.", curves)
    if data.answer is not None:
        answer = data.answer
        rows = zip(answer["learnt"].items(), answer["settled"], answer["balance"], strict=True)
        yield Grid(
            f"After {answer['games']:,} games of {answer['game']}, seed {answer['seed']}, digest {answer['digest']}",
            ["parameter", "learnt", "mean of the second half", "its steps balance at", "share of hands won"],
            [[name, value, settled, balance, answer["share_won"]] for (name, value), settled, balance in rows],
        )
