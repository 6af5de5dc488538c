"""Robots that learn while they play: AI V2 and AI V3 of Chen (2018), for any named parameters of any robot.

After a hand in which it raised (or, if so chosen, put in chips at all), each learnt parameter goes down a step if the
hand was won and up a step if it was lost. Steps of -d and +u balance where u / (u + d) of those hands are won.
V2 forgets at a new match; V3 carries its parameters on, and they are saved and loaded as JSON.

Learning depends on the order of hands, so learners have no compiled form for matches that threads share out. A session
(`arena.session`), which plays its hands in order, knows their `learning` form.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cardwin.errors import InputError
from cardwin.games.base import Action
from cardwin.games.holdem.events import Acted, Event, HandBegan, HandEnded, MatchBegan
from cardwin.games.holdem.view import HoldemView
from cardwin.kernel import kernel
from cardwin.players.base import CompiledForm
from cardwin.players.robots import SCHEMA, V1, Parameter, Robot, RobotKind, read_saved
from cardwin.rng import Stream

Parameters = npt.NDArray[np.float64]
AFTER = ("raise", "play")  # what makes a hand count: it raised, or it put in chips by choice
RAISED, PLAYED = 1, 3  # bits of what a seat did: 1 raised, 2 called

# Less than the row before its own would be no threshold at all, and none was ever near the upper bound.
BOUNDS = {"threshold": (1.0, 10.0)}


@dataclass(frozen=True)
class Step:
    """What is learnt: a parameter's name, how far down after a hand won, how far up after a hand lost."""

    name: str
    down: float = 0.01
    up: float = 0.01

    @property
    def balance(self) -> float:
        """The share of hands won at which the steps balance."""
        return self.up / (self.up + self.down)


@dataclass(frozen=True)
class LearningForm:
    """A learner as kernels know it: its robot, steps (parameters, 4) of down, up, least and most, and what counts."""

    form: CompiledForm
    steps: npt.NDArray[np.float64]
    counts: int


@kernel
def adjust(values: Parameters, steps: npt.NDArray[np.float64], counts: int, did: int, chips: int) -> None:
    """Learn from one hand: what the seat did in it, as bits, and the chips that it won."""
    if did & counts == 0 or chips == 0:
        return
    for place in range(len(steps)):
        change = -steps[place, 0] if chips > 0 else steps[place, 1]
        if change != 0:
            values[place] = min(max(values[place] + change, steps[place, 2]), steps[place, 3])


class Learner:
    """A robot whose parameters move with what it wins. `forgets` at every new match, or carries on."""

    def __init__(self, robot: Robot, steps: Sequence[Step], after: str = "raise", forgets: bool = True) -> None:
        self.robot = robot
        self.learnt = tuple(steps)
        self.after = after
        self.forgets = forgets
        self.tally = np.zeros(2, np.int64)  # hands that counted, and those of them that were won
        self._start = robot.values.copy()
        self._seat = -1
        self._did = 0

    @property
    def learning(self) -> LearningForm:
        """The same learner for a session's kernels, as it is now."""
        steps = np.zeros((len(self.robot.values), 4))
        for step in self.learnt:
            place = self.robot.robot_kind.place(step.name)
            steps[place] = (step.down, step.up, *bounds_of(self.robot.robot_kind.parameters[place]))
        return LearningForm(self.robot.compiled, steps, RAISED if self.after == "raise" else PLAYED)

    def value(self, name: str) -> float:
        """A parameter as it is now."""
        return float(self.robot.values[self.robot.robot_kind.place(name)])

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """What the robot does with its parameters of now."""
        return self.robot.act(view, rng)

    def explain(self) -> str:
        """What it thought, and what it has learnt so far."""
        values = ", ".join(f"{step.name} {self.value(step.name):.2f}" for step in self.learnt)
        return f"{self.robot.explain()}, {values}"

    @property
    def win_rate(self) -> float | None:
        """How often it thought to win at its last decision, if it asked."""
        return self.robot.win_rate

    def watch(self, event: Event) -> None:
        """Remember what it did itself, and learn from every hand when it ends."""
        match event:
            case MatchBegan() if self.forgets:
                self.robot.values[:] = self._start
            case HandBegan():
                self._seat, self._did = event.you, 0
            case Acted(seat=self._seat) if event.chips:
                self._did |= RAISED if event.action.amount else PLAYED ^ RAISED
            case HandEnded():
                self._learn(event.won[self._seat])

    def _learn(self, chips: int) -> None:
        form = self.learning
        adjust(self.robot.values, form.steps, form.counts, self._did, chips)
        if self._did & form.counts and chips != 0:
            self.tally += (1, chips > 0)


def bounds_of(parameter: Parameter) -> tuple[float, float]:
    """How far learning may move a parameter."""
    return BOUNDS.get(parameter.name, (parameter.least, parameter.most))


LEARNER_PARAMETERS = ("learns", "down", "up", "after")


def _steps(robot_kind: RobotKind, texts: Mapping[str, str]) -> list[Step]:
    names = texts.get("learns", "threshold").split("/")
    for name in names:
        if robot_kind.parameters[robot_kind.place(name)].words:
            raise InputError(f"{name} is a choice of words and cannot be learnt: name a number, such as threshold")
    sizes = {
        side: Parameter(side, 0.01, -1, 1).read(robot_kind.name, texts.get(side, "0.01")) for side in ("down", "up")
    }
    if sizes["down"] * sizes["up"] <= 0:
        raise InputError("down and up should both be above 0, or both below to learn the other way round")
    return [Step(name, sizes["down"], sizes["up"]) for name in names]


def _after(texts: Mapping[str, str]) -> str:
    return AFTER[int(Parameter("after", 0, words=AFTER).read("v2", texts.get("after", "raise")))]


def build_v2(texts: Mapping[str, str]) -> Learner:
    """An AI V2: an AI V1 that learns its threshold, or other parameters named, while it plays."""
    return Learner(Robot(V1, V1.values(texts)), _steps(V1, texts), _after(texts))


def build_v3(texts: Mapping[str, str]) -> Learner:
    """An AI V3: a V2 that goes on from the parameters of a file and does not forget between matches."""
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
    path.write_text(json.dumps(saved, indent=2) + "\n")


def load(path: Path, texts: Mapping[str, str] | None = None) -> Learner:
    """Read an AI V3; texts override what the file says."""
    saved = read_saved(path, "v3")
    try:
        parameters = {str(name): str(value) for name, value in saved["parameters"].items()}
        steps = [Step(str(one["name"]), float(one["down"]), float(one["up"])) for one in saved["learns"]]
        after = {"after": str(saved["after"])}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path} holds no v3: {error!r}") from None
    for name in [*parameters, *(step.name for step in steps)]:
        V1.place(name)
    return Learner(Robot(V1, V1.values(parameters | dict(texts or {}))), steps, _after(after), forgets=False)
