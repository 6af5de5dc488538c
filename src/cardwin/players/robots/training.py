"""Robots that learn game after game and keep their parameters (AI V2 and V3 of Chen 2018), as a kind of run.

1. The learner and its rivals play a cash game with equal stacks.
2. The learner's parameters, moved a step after every hand that counted, are carried into the next game.
3. The steps balance at a share of hands won (`Step.balance`). Whether any value of the parameters attains that share is
   measured by `held`, which plays with fixed parameters.

A step of the run is one game. Games depend on the games before, so they cannot be played in parallel.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from cardwin.arena.cash_game import CashGameRules, play_cash_game
from cardwin.arena.referee import Referee
from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor
from cardwin.core.experiment import Experiment
from cardwin.core.rng import child, key_of
from cardwin.core.trainer import Generation, PrimaryMetric, Record, State
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.specs import split_spec
from cardwin.players.registry import makers_of, player
from cardwin.players.robots.learner import Learner, save
from cardwin.players.specs import IN_PROCESS, Untrusted, expand_specs

MAX_GAMES = 1_000_000


@dataclass(frozen=True)
class Training:
    """The course of training.

    Attributes:
        values: Each learnt parameter before the first and after every game (games + 1, learnt).
        tally: The hands that counted in every game and, among them, the hands won (games, 2).

    """

    values: Floats
    tally: npt.NDArray[np.int64]

    def final_mean(self) -> Floats:
        """Return the mean of each parameter over the second half of the games."""
        mean: Floats = self.values[len(self.values) // 2 :].mean(axis=0)
        return mean

    def share_won(self) -> float:
        """Return the share won of the hands that counted in the second half, nan without any."""
        hands, won = self.tally[len(self.tally) // 2 :].sum(axis=0)
        return float(won / hands) if hands else float("nan")


def train(
    game: HoldemGame,
    learner: Learner,
    rivals: Sequence[str],
    games: int,
    key: int,
    rules: CashGameRules | None = None,
    untrusted: Untrusted = IN_PROCESS,
) -> Training:
    """Train a learner, in place, in games against rivals; it has the last seat.

    Args:
        game: the game.
        learner: the learner, whose parameters change.
        rivals: specifications of the other players.
        games: the number of games.
        key: the key of the deals.
        rules: the rules of a game.
        untrusted: how untrusted rivals are run; a referee handles their faults.

    Raises:
        InputError: the number of games is invalid, or a rival cannot be built.

    """
    if not 1 <= games <= MAX_GAMES:
        raise InputError(f"expected 1 to {MAX_GAMES} games, got {games}")
    names = expand_specs(rivals)
    makers = makers_of(names, untrusted)
    learner.forgets = False
    values, tally = [_learnt(learner)], []
    for number in range(games):
        before = learner.tally.copy()
        referee = Referee([*names, "learner"], untrusted.limit)
        play_cash_game(game, [*(make() for make in makers), learner], child(key, number), rules, referee=referee)
        values.append(_learnt(learner))
        tally.append(learner.tally - before)
    return Training(np.array(values), np.array(tally))


def held(
    game: HoldemGame, learner: Learner, rivals: Sequence[str], games: int, key: int, rules: CashGameRules | None = None
) -> npt.NDArray[np.int64]:
    """Return the hands that counted and those won in every game (games, 2), with fixed parameters."""
    fixed = Learner(learner.robot, [replace(step, down=0.0, up=0.0) for step in learner.learnt], learner.after)
    return train(game, fixed, rivals, games, key, rules).tally


def _learnt(learner: Learner) -> list[float]:
    return [learner.value(step.name) for step in learner.learnt]


COMMAND = "train"
LEARNER = "learner"  # the population of the record


class TrainingExperiment(Experiment):
    """The learner, its opponents, the game and the length.

    Attributes:
        game: The game that is played.
        learner: The player that learns.
        against: Opponents, one per further seat.
        games: Number of games.
        rounds: Maximum number of hands per game.
        in_process: Run python: players in this process (trusted code only).

    """

    LENGTH: ClassVar[str] = "games"
    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("learner", "against", "game", "games", "seed")

    kind: Literal["training"] = "training"
    game: str = "holdem-simple"
    learner: str
    against: tuple[str, ...]
    games: Annotated[int, Field(ge=1, le=MAX_GAMES)] = 100
    rounds: Annotated[int, Field(ge=1, le=1_000_000_000)] = 1000
    in_process: bool = False

    @property
    def rules(self) -> HoldemGame:
        """The game."""
        return holdem_game(*split_spec(self.game))

    @property
    def steps(self) -> int:
        """The number of games."""
        return self.games


EXPERIMENT = TrainingExperiment


def check(experiment: TrainingExperiment) -> None:
    """Raise an InputError if the learner cannot learn or a rival cannot be built."""
    learner_of(experiment)
    makers_of(expand_specs(experiment.against), Untrusted(in_process=experiment.in_process))
    _ = experiment.rules


def learner_of(experiment: TrainingExperiment) -> Learner:
    """Return the learner at the start."""
    learner = player(experiment.learner)
    if not isinstance(learner, Learner):
        raise InputError(f"expected a player that learns, v2 or v3:file=FILE, got {experiment.learner}")
    return learner


class LearnerTrainer:
    """Plays one game after the other and keeps the learnt parameters."""

    def __init__(self, experiment: TrainingExperiment) -> None:
        self.experiment = experiment
        self.learner = learner_of(experiment)
        self.file: Path | None = None

    def step(self, key: int) -> Generation:
        """Play one game against newly built rivals."""
        experiment = self.experiment
        untrusted, rules = Untrusted(in_process=experiment.in_process), CashGameRules(experiment.rounds)
        training = train(experiment.rules, self.learner, experiment.against, 1, key, rules, untrusted)
        names = [step.name for step in self.learner.learnt]
        values = dict(zip(names, training.values[-1].tolist(), strict=True))
        counted, won = training.tally[0].tolist()
        return Generation(
            PrimaryMetric(names[0], values[names[0]]),
            {LEARNER: {**values, "hands that counted": float(counted), "won": float(won)}},
            {LEARNER: {"values": training.values, "tally": training.tally}},
        )

    def state(self) -> State:
        """Return the learner's parameters and tally."""
        return {"values": self.learner.robot.values, "tally": self.learner.tally}

    def load(self, state: State) -> None:
        """Continue from a saved state."""
        self.learner.robot.values[:] = state["values"]
        self.learner.tally[:] = state["tally"]

    def write_champions(self, folder: Path) -> list[Path]:
        """Write the trained robot, to be played as v3."""
        self.file = folder / "v3.json"
        save(self.file, self.learner)
        return [self.file]

    def answer(self, record: Record) -> dict[str, Any]:
        """Return the learnt parameters, their mean over the second half, and the share of hands won."""
        training = training_of(record)
        return {
            "game": self.experiment.rules.name,
            "games": self.experiment.games,
            "learnt": {step.name: self.learner.value(step.name) for step in self.learner.learnt},
            "settled": training.final_mean().tolist(),
            "balance": [step.balance for step in self.learner.learnt],
            "share_won": training.share_won() if training.tally[len(training.tally) // 2 :].sum() else None,
            "file": str(self.file),
        }


def training_of(record: Record) -> Training:
    """Return the whole training of a run."""
    values = record.arrays(LEARNER, "values")
    joined = np.concatenate([values[0][:1], *(each[-1:] for each in values)])
    return Training(joined, np.concatenate(record.arrays(LEARNER, "tally")))


def trainer(experiment: TrainingExperiment, executor: Executor, folder: Path) -> LearnerTrainer:  # noqa: ARG001
    """Return the trainer of an experiment."""
    return LearnerTrainer(experiment)


def example(folder: Path) -> str:
    """Write a V3 for the gallery: a V2 after 20 games of 200 rounds against two `standard` and a `call`."""
    learner = player("v2")
    if not isinstance(learner, Learner):
        raise TypeError("v2 is not a learner")
    rules = holdem_game("holdem-simple", {})
    for number in range(20):
        train(rules, learner, ["standard*2", "call"], 1, child(key_of(1, "run"), number), CashGameRules(200))
    save(folder / "v3.json", learner)
    return f"v3:file={folder / 'v3.json'}"
