"""The robots of Chen (2018) and the matrix players, by named parameters.

A robot is a kernel of `robot_kernels` and a value for each of its parameters. Its compiled form hands the same values
to the same kernel, so that both forms decide alike from the same luck; a test plays both.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.errors import InputError, unknown
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem import rules
from cardwin.games.holdem.view import HoldemView
from cardwin.players import compiled, robot_kernels
from cardwin.players.base import CompiledForm
from cardwin.players.static import Caller
from cardwin.rng import Stream

SCHEMA = 1
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named parameter: its usual value and its bounds, or words for the values 0, 1, … where it is a choice."""

    name: str
    usual: float
    least: float = 0.0
    most: float = 1.0
    words: tuple[str, ...] = ()

    def read(self, robot: str, text: str) -> float:
        """The value that a text stands for."""
        if self.words:
            if text not in self.words:
                raise InputError(f"{robot}: {self.name}={text} should be {' or '.join(self.words)}")
            return float(self.words.index(text))
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not self.least <= value <= self.most:
            raise InputError(f"{robot}: {self.name}={text} should be a number from {self.least:g} to {self.most:g}")
        return value


_RERAISE = Parameter("reraise", 1, words=("fold", "play"))  # the document's table could only fold to a re-raise
_SIZE = Parameter("size", 3, 1, 1000)  # of a raise, in least bets
_ROLLS = Parameter("rolls", 150, 1, 1_000_000)

STANDARD_PARAMETERS = (
    Parameter("calls", 6, -1, 21),  # least points (cards.rollouts.chen_formula) of a starting hand that calls
    _SIZE,
    Parameter("odds", 0.2),  # the worst pot odds at which it calls a raise
    _RERAISE,
)
V1_PARAMETERS = (
    Parameter("weak", 0.8, 0, 10),  # return rates where the table's rows begin
    Parameter("fair", 1.0, 0, 10),
    Parameter("threshold", 1.3, 0, 10),
    Parameter("weak-bluff", 0.05),  # chances of the table's cells
    Parameter("fair-call", 0.05),
    Parameter("fair-bluff", 0.15),
    Parameter("raise-share", 0.4),
    Parameter("strong-raise-share", 0.7),
    _SIZE,
    Parameter("bluffs", 1, words=("off", "on")),
    _ROLLS,
    Parameter("ties", 0, words=("share", "lose")),
    Parameter("deals", 0, words=("each", "once")),
    Parameter("drop", 0, 0, 21),  # simulated opponents drop starting hands of fewer points
    Parameter("protect", 0, words=("off", "on")),  # fold half-good hands that would cost nearly the whole stack
    _RERAISE,
)
MATRIX_PARAMETERS = (_ROLLS, Parameter("size", 0.5, 0, 100))  # a raise in pots


@dataclass(frozen=True)
class RobotKind:
    """A kind of robot: its kernel, its number among compiled players and its parameters."""

    name: str
    kind: int
    decide: Callable[[robot_kernels.Parameters, robot_kernels.Row, Stream], robot_kernels.Decision]
    parameters: tuple[Parameter, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters' names."""
        return tuple(parameter.name for parameter in self.parameters)

    def place(self, name: str) -> int:
        """Where a named parameter stands in the row."""
        if name not in self.names:
            raise unknown(f"parameter of {self.name}", name, self.names)
        return self.names.index(name)

    def values(self, texts: Mapping[str, str]) -> list[float]:
        """A value for each parameter: what the texts say, otherwise the usual one."""
        return [
            parameter.read(self.name, texts[parameter.name]) if parameter.name in texts else parameter.usual
            for parameter in self.parameters
        ]


STANDARD = RobotKind("standard", compiled.STANDARD, robot_kernels.standard, STANDARD_PARAMETERS)
V1 = RobotKind("v1", compiled.V1, robot_kernels.v1, V1_PARAMETERS)
MATRIX = RobotKind("matrix", compiled.MATRIX, robot_kernels.matrix, MATRIX_PARAMETERS)


class Robot:
    """A robot of some design, with values (any,) for its parameters and whatever its kernel reads behind them."""

    def __init__(self, robot_kind: RobotKind, values: npt.ArrayLike) -> None:
        self.robot_kind = robot_kind
        self.values = np.array(values, dtype=np.float64)
        self._thought = (-1.0, -1.0)

    @property
    def compiled(self) -> CompiledForm:
        """The same robot for kernels."""
        return CompiledForm(self.robot_kind.kind, tuple(self.values.tolist()))

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """What the kernel wishes, made legal."""
        action, amount, strength, odds = self.robot_kind.decide(self.values, np.array(view.row, np.int64), rng)
        self._thought = (strength, odds)
        return nearest_legal(view, action, amount)

    @property
    def win_rate(self) -> float | None:
        """How often it thought to win at its last decision, if it asked."""
        return self._thought[0] if self._thought[0] >= 0 else None

    def explain(self) -> str:
        """What it thought at its last decision."""
        strength, odds = self._thought
        if strength >= 0:
            return f"win rate {strength:.0%}, pot odds {odds:.2f}, return rate {strength / odds:.2f}"
        return f"pot odds {odds:.2f}" if odds >= 0 else "by its chart and position"


def nearest_legal(view: HoldemView, action: int, amount: int) -> Action:
    """`compiled.nearest_legal` for a view."""
    if action == rules.FOLD and view.to_call:
        return FOLD
    if action == rules.RAISE and view.min_raise_to:
        return Action("raise" if view.current_bet else "bet", min(max(amount, view.min_raise_to), view.max_raise_to))
    return CALL if view.to_call else CHECK


def build_caller(texts: Mapping[str, str]) -> Caller:
    """A Call robot."""
    return Caller(_RERAISE.read("call", texts.get("reraise", "play")) == 0)


def build_standard(texts: Mapping[str, str]) -> Robot:
    """A Standard robot."""
    return Robot(STANDARD, STANDARD.values(texts))


def build_v1(texts: Mapping[str, str]) -> Robot:
    """An AI V1."""
    return Robot(V1, V1.values(texts))


def matrix_player(weights: Matrix, texts: Mapping[str, str] | None = None) -> Robot:
    """A matrix player by its weights (strengths, costs, 3) of fold, call and raise."""
    shape = (robot_kernels.STRENGTHS, robot_kernels.COSTS, 3)
    if weights.shape != shape or not np.isfinite(weights).all() or (weights < 0).any() or not weights.sum(-1).all():
        raise InputError(f"a matrix has shape {shape} and weights from 0 up, not all 0 in a cell")
    return Robot(MATRIX, [*MATRIX.values(texts or {}), *weights.ravel()])


def expert_matrix() -> Matrix:
    """The head start: stay in with more strength the more it costs, raise with a fifth more than that.

    The document that played against such matrices did not publish them; this one is ours.
    """
    strength = (np.arange(robot_kernels.STRENGTHS) + 0.5)[:, None] / robot_kernels.STRENGTHS
    needed = 0.35 + 0.8 * np.array([0.0, 0.1, 0.22, 0.35, 0.45])
    fold = np.clip((needed - strength) / 0.15 + 0.5, 0, 1)
    bold = np.clip((strength - needed - 0.2) / 0.15 + 0.5, 0, 1)
    return np.stack([fold, 1 - fold - bold, bold], axis=-1)


def even_matrix() -> Matrix:
    """Where evolution from scratch begins: everything equally likely."""
    return np.full((robot_kernels.STRENGTHS, robot_kernels.COSTS, 3), 1 / 3)


def build_matrix(texts: Mapping[str, str]) -> Robot:
    """The expert's matrix, or one from a file."""
    return matrix_player(load_matrix(Path(texts["file"])) if "file" in texts else expert_matrix(), texts)


def save_matrix(path: Path, weights: Matrix) -> None:
    """Write a matrix as JSON."""
    path.write_text(json.dumps({"schema": SCHEMA, "player": "matrix", "weights": weights.tolist()}) + "\n")


def load_matrix(path: Path) -> Matrix:
    """Read a matrix that was saved."""
    try:
        return np.array(read_saved(path, "matrix")["weights"], dtype=np.float64)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} holds no matrix: {error}") from None


def read_saved(path: Path, player: str) -> dict[str, Any]:
    """The JSON object of a saved player of that name."""
    try:
        saved = json.loads(path.read_text())
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: name a saved {player}") from None
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}") from None
    if not isinstance(saved, dict) or saved.get("player") != player:
        raise InputError(f"{path} holds no {player}: a file that Cardwin saved is needed")
    return saved
