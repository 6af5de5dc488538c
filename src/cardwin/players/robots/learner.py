"""Robots that learn while they play: AI V2 and AI V3 of Chen (2018), for any named parameters of any robot.

After a hand in which it raised (optionally: put in chips by choice), each learnt parameter goes down a step if the
hand was won and up a step if it was lost. Steps of -d and +u balance where u / (u + d) of those hands are won.
V2 forgets at a new match; V3 keeps its parameters, and they are saved and loaded as JSON.

Learning depends on the order of hands: tables play those of a learner one after the other.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from cardwin.core.errors import InputError
from cardwin.core.files import write_atomic
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.events import Acted, Event, HandBegan, HandEnded, MatchBegan
from cardwin.games.holdem.view import HoldemView
from cardwin.players.compiled import CompiledForm
from cardwin.players.kind import CHEN, PlayerKind
from cardwin.players.robots.compiled import (
    COUNTED,
    DID,
    LEARNING,
    PLAYED,
    RAISED,
    WON,
    Robots,
    Rule,
    learn,
    learners_of,
)
from cardwin.players.robots.parameters import Parameter
from cardwin.players.robots.robot import SCHEMA, V1, Robot, RobotKind, read_saved

AFTER = ("raise", "play")  # what makes a hand count: it raised, or it put in chips by choice

# Bounds during learning; of other parameters their own. A threshold must not fall below the previous row's, and none
# was ever near the upper bound.
BOUNDS = {"threshold": (1.0, 10.0)}


@dataclass(frozen=True)
class Step:
    """A learning rule: a parameter's name, the step down after a hand won, the step up after a hand lost."""

    name: str
    down: float = 0.01
    up: float = 0.01

    @property
    def balance(self) -> float:
        """The share of hands won at which the steps balance."""
        return self.up / (self.up + self.down)


class Learner:
    """A robot whose parameters change with its results. With `forgets` it resets them at every new match."""

    def __init__(self, robot: Robot, steps: Sequence[Step], after: str = "raise", forgets: bool = True) -> None:
        self.robot = robot
        self.learnt = tuple(steps)
        self.after = after
        self.forgets = forgets
        self.bounds: Mapping[str, tuple[float, float]] = BOUNDS
        self.tally = np.zeros(2, np.int64)  # hands that counted, and those of them that were won
        self._tally_before = self.tally.copy()  # this match
        self._start = robot.values.copy()
        self._seat = -1
        self._did = 0

    @property
    def compiled(self) -> CompiledForm:
        """The same learner for kernels, in its current state."""
        robot = self.robot.robot_kind
        sizes = {robot.index(step.name): (step.down, step.up) for step in self.learnt}
        steps = tuple(
            (*sizes.get(index, (0.0, 0.0)), *self.bounds.get(parameter.name, (parameter.minimum, parameter.maximum)))
            for index, parameter in enumerate(robot.parameters)
        )
        rule = Rule(steps, RAISED if self.after == "raise" else PLAYED, self.forgets)
        values = tuple(self.robot.values.tolist())
        return CompiledForm(LEARNING[robot.compiled], (values, rule), len(values))

    def remember(self, state: Robots, row: int) -> None:
        """Copy back what the compiled form has learnt in this match."""
        self.robot.values[:] = state.parameters[row]
        self.tally[:] = self._tally_before + state.memory[row, [COUNTED, WON]].astype(np.int64)

    def value(self, name: str) -> float:
        """Return the current value of a parameter."""
        return float(self.robot.values[self.robot.robot_kind.index(name)])

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Return the robot's action with its current parameters."""
        return self.robot.act(view, rng)

    def explain(self) -> str:
        """Return the reasons of the last decision, and the parameters learnt so far."""
        values = ", ".join(f"{step.name} {self.value(step.name):.2f}" for step in self.learnt)
        return f"{self.robot.explain()}, {values}"

    def watch(self, event: Event) -> None:
        """Record its own actions, and learn from every hand when it ends."""
        match event:
            case MatchBegan():
                self._tally_before[:] = self.tally
                if self.forgets:
                    self.robot.values[:] = self._start
            case HandBegan():
                self._seat, self._did = event.you, 0
            case Acted(seat=self._seat) if event.chips:
                self._did |= RAISED if event.action.amount else PLAYED ^ RAISED
            case HandEnded():
                self._learn(event.won[self._seat])

    def _learn(self, chips: int) -> None:
        """Learn from a hand in which the learner won `chips`, by the compiled form's kernel."""
        state = learners_of([self.compiled.data])
        state.memory[0, DID] = self._did
        learn(state, 0, chips)
        self.robot.values[:] = state.parameters[0]
        self.tally += state.memory[0, [COUNTED, WON]].astype(np.int64)


LEARNER_PARAMETERS = ("learns", "down", "up", "after")


def _steps(robot_kind: RobotKind, texts: Mapping[str, str]) -> list[Step]:
    names = texts.get("learns", "threshold").split("/")
    for name in names:
        if robot_kind.parameters[robot_kind.index(name)].words:
            raise InputError(f"expected a number to learn, such as threshold, got the choice {name}")
    sizes = {
        side: Parameter(side, 0.01, -1, 1).read(robot_kind.name, texts.get(side, "0.01")) for side in ("down", "up")
    }
    if sizes["down"] * sizes["up"] <= 0:
        raise InputError(
            "down and up must both be above 0, or both below 0 to learn in the opposite direction, "
            f"got {sizes['down']:g} and {sizes['up']:g}"
        )
    return [Step(name, sizes["down"], sizes["up"]) for name in names]


def _after(texts: Mapping[str, str]) -> str:
    return AFTER[int(Parameter("after", 0, words=AFTER).read("v2", texts.get("after", "raise")))]


def build_v2(texts: Mapping[str, str]) -> Learner:
    """Return an AI V2: an AI V1 that learns its threshold, or other named parameters, while it plays."""
    return Learner(Robot(V1, V1.values(texts)), _steps(V1, texts), _after(texts))


def build_v3(texts: Mapping[str, str]) -> Learner:
    """Return an AI V3: a V2 that continues from the parameters of a file and does not forget between matches."""
    if "file" not in texts:
        raise InputError("v3 needs the file of its parameters: v3:file=v3.json (`cardwin train` writes one)")
    return load(Path(texts["file"]), texts)


def save(path: Path, learner: Learner) -> None:
    """Write an AI V3 as JSON: its parameters by name, and how it learns."""
    values = zip(learner.robot.robot_kind.parameters, learner.robot.values.tolist(), strict=True)
    saved = {
        "schema": SCHEMA,
        "player": "v3",
        "parameters": {
            parameter.name: parameter.words[int(value)] if parameter.words else value for parameter, value in values
        },
        "learns": [asdict(step) for step in learner.learnt],
        "after": learner.after,
    }
    write_atomic(path, (json.dumps(saved, indent=2) + "\n").encode())


def load(path: Path, texts: Mapping[str, str] | None = None) -> Learner:
    """Read an AI V3; texts override the file."""
    saved = read_saved(path, "v3")
    try:
        parameters = {str(name): str(value) for name, value in saved["parameters"].items()}
        steps = [Step(str(step["name"]), float(step["down"]), float(step["up"])) for step in saved["learns"]]
        after = {"after": str(saved["after"])}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path} contains no v3: {error!r}") from None
    for name in [*parameters, *(step.name for step in steps)]:
        V1.index(name)
    return Learner(Robot(V1, V1.values(parameters | dict(texts or {}))), steps, _after(after), forgets=False)


V2_KIND = PlayerKind(
    "Chen's AI V2: a V1 that learns its threshold while it plays",
    build_v2,
    (*V1.names, *LEARNER_PARAMETERS),
    compiled=LEARNING[V1.compiled],
    source=f"{CHEN}, AI V2 ([robots](../robots.md#learning))",
)
V3_KIND = PlayerKind(
    "Chen's AI V3: a V2 that keeps what it learnt, from a file",
    build_v3,
    ("file", *V1.names),
    compiled=LEARNING[V1.compiled],
    needs_file=True,
    example="cardwin.players.robots.training:example",
    example_about="after 20 games of 200 rounds against two `standard` and a `call`",
    source=f"{CHEN}, AI V3, which the document left unfinished ([robots](../robots.md#learning))",
)
