"""Experiments in which a classifier system learns a seat of a small game, evaluated exactly.

After every `every` hands the greedy policy is evaluated: its exact expectation against the training opponent,
compared with a best response's, and its exact expectation against a best response to itself.
"""

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from cardwin.core.arrays import Floats
from cardwin.core.executor import Executor
from cardwin.core.rng import child, stream_of
from cardwin.core.trainer import Generation, PrimaryMetric, Record, State, digest_of
from cardwin.games import game
from cardwin.players.small_games.policies import policy
from cardwin.players.xcs.files import RuleSet, write
from cardwin.players.xcs.learning.parameters import Parameters
from cardwin.players.xcs.learning.problems import load_rules, rules_state
from cardwin.players.xcs.learning.small_games import game_trials
from cardwin.players.xcs.learning.system import new_system
from cardwin.players.xcs.rules import SIZE
from cardwin.players.xcs.training.record import watched
from cardwin.players.xcs.training.settings import XcsExperiment
from cardwin.players.xcs.training.small_world import greedy_behaviour, world_of
from cardwin.solvers import plans
from cardwin.solvers.tree import tree_of

COMMAND = "train"
# No discount within a hand. Chance makes all rules inaccurate, but tournaments (tau) still separate better from worse.
USUAL = {"gamma": 1.0, "mu": 0.04, "P_hash": 0.33, "tau": 0.4, "beta": 0.05, "theta_GA": 100.0}


class GameExperiment(XcsExperiment):
    """A seat of a small game, the policy in the other seat, and the number of hands.

    Attributes:
        game: The game that is played.
        against: The policy in the other seat.
        seat: The seat that it learns to play.
        hands: Number of hands.
        register_bits: Memory bits that rules read and write.

    """

    LENGTH: ClassVar[str] = "hands"
    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("game", "against", "hands", "seat", "seed")

    kind: Literal["xcs-game"] = "xcs-game"
    game: str
    against: str = "uniform"
    seat: Literal[1, 2] = 1
    hands: Annotated[int, Field(ge=1, le=10**10)] = 200_000
    every: Annotated[int, Field(ge=1, le=10**9)] = 5_000
    register_bits: Annotated[int, Field(ge=0, le=6)] = 0

    @property
    def episodes(self) -> int:
        """The number of hands."""
        return self.hands

    @property
    def usual(self) -> Parameters:
        """The default parameters; epsilon_0 is 1% of the largest pot."""
        small = game(self.game).name.startswith("kuhn")
        return Parameters(N=400 if small else 2000, epsilon_0=0.02 if small else 0.13, p_I=0.0, **USUAL)  # type: ignore[arg-type]


EXPERIMENT = GameExperiment


def check(experiment: GameExperiment) -> None:
    """The game must be small, the opponent must have a policy for its seat, every parameter must be in its range."""
    rules = game(experiment.game)
    tree_of(rules)
    policy(rules, experiment.against).behaviour(2 - experiment.seat)
    experiment.parameters_over(experiment.usual)


class GameTrainer:
    """A learner at its seat, `every` hands a step."""

    def __init__(self, experiment: GameExperiment) -> None:
        self.experiment, rules = experiment, game(experiment.game)
        tree, seat = tree_of(rules), experiment.seat - 1
        self.against = policy(rules, experiment.against)
        self.small = world_of(tree, seat, self.against.behaviour(1 - seat), experiment.register_bits)
        parameters = experiment.parameters_over(experiment.usual)
        actions, two = len(self.small.actions), experiment.predictions == 2
        self.system = new_system(self.small.fields, actions, parameters, 0, two)
        self.best_response = plans.best_response_value(tree, seat, self.against.plan(1 - seat))
        self.played = 0
        self.file: Path | None = None

    def step(self, key: int) -> Generation:
        """Play some hands with the randomness of this key, then evaluate the rules."""
        hands = min(self.experiment.every, self.experiment.hands - self.played)
        self.system.stream[:] = (child(key, 0), 0)
        explored, chips = np.zeros(hands, np.int64), np.zeros(hands)
        game_trials(self.system, self.small.world, stream_of(child(key, 1)), explored, chips)
        self.played += hands
        metrics = {"trials": float(self.played), "rules": float(self.system.rules.totals[SIZE]), **self.weighed()}
        primary = PrimaryMetric("value", metrics["value"])
        number = (self.played - 1) // self.experiment.every
        arrays, notes = watched(self.system.rules, self.small.fields, self.small.actions, number, self.experiment.steps)
        digest = digest_of(chips, *self.state().values())
        return Generation(primary, {"rules": metrics}, arrays, notes, digest=digest)

    def plan(self) -> Floats:
        """The greedy policy's plan (sequences,)."""
        seqs = self.small.tree.sequences[self.small.seat]
        plan: Floats = plans.plans(seqs, greedy_behaviour(self.small, self.system)[None])[0]
        return plan

    def weighed(self) -> dict[str, float]:
        """The greedy policy's exact expectation here, and its guarantee, against a best response to itself."""
        tree, seat, own = self.small.tree, self.small.seat, self.plan()
        value = float(own @ plans.gradient(tree, seat, self.against.plan(1 - seat)))
        return {"value": value, "guarantee": -plans.best_response_value(tree, 1 - seat, own)}

    def state(self) -> State:
        """The rules, and the number of hands played."""
        return {**rules_state(self.system), "played": np.array([self.played])}

    def load(self, state: State) -> None:
        """Continue from saved rules."""
        load_rules(self.system, state)
        self.played = int(state["played"][0])

    def write_champions(self, folder: Path) -> list[Path]:
        """The rules, as one file."""
        self.file = path = folder / "rules.safetensors"
        about = {"game": self.experiment.game, "seat": self.experiment.seat, "hands": self.played}
        write(path, RuleSet(self.small.fields, self.small.actions, self.system.rules, about))
        return [path]

    def answer(self, record: Record) -> dict[str, Any]:  # noqa: ARG002  the state says it all
        """The number of hands, and the best possible result."""
        rules = int(self.system.rules.totals[SIZE])
        exact = {"best_response": self.best_response, "guarantee": self.weighed()["guarantee"]}
        return {"game": self.experiment.game, "hands": self.played, "rules": rules, **exact, "file": str(self.file)}


def trainer(experiment: GameExperiment, executor: Executor, folder: Path) -> GameTrainer:  # noqa: ARG001  one learner, one thread
    """The trainer of an experiment."""
    return GameTrainer(experiment)
