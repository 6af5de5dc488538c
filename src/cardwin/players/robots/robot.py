"""The robots of Chen (2018) and the matrix players, by named parameters.

A robot is a kind, whose kernel decides, and a value for each of its parameters. Its compiled form passes the same
values to the same kernel, so that both forms decide alike with the same random stream; a test compares both.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.errors import InputError, unknown_name
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.view import HoldemView
from cardwin.players.champions import champion_file
from cardwin.players.compiled import CompiledForm, CompiledKind
from cardwin.players.kind import CHEN, PlayerKind
from cardwin.players.robots import compiled, kernels
from cardwin.players.robots.parameters import MATRIX_PARAMETERS, STANDARD_PARAMETERS, V1_PARAMETERS, Parameter
from cardwin.players.robots.static import named_action

SCHEMA = 1
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RobotKind:
    """A kind of robot: its parameters, the kernel that decides, and its compiled kind."""

    name: str
    parameters: tuple[Parameter, ...]
    decide: Callable[..., kernels.Decision]
    compiled: CompiledKind

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters' names."""
        return tuple(parameter.name for parameter in self.parameters)

    def index(self, name: str) -> int:
        """Return the index of a named parameter in the row."""
        if name not in self.names:
            raise unknown_name(f"parameter of {self.name}", name, self.names)
        return self.names.index(name)

    def values(self, texts: Mapping[str, str]) -> list[float]:
        """Return a value for each parameter: from the texts, otherwise the default."""
        return [
            parameter.read(self.name, texts[parameter.name]) if parameter.name in texts else parameter.default
            for parameter in self.parameters
        ]


STANDARD = RobotKind("standard", STANDARD_PARAMETERS, kernels.standard, compiled.STANDARD)
V1 = RobotKind("v1", V1_PARAMETERS, kernels.v1, compiled.V1)
MATRIX = RobotKind("matrix", MATRIX_PARAMETERS, kernels.matrix, compiled.MATRIX)


class Robot:
    """A robot of some kind, with values (any,) for its parameters and any further values that its kernel reads."""

    def __init__(self, robot_kind: RobotKind, values: npt.ArrayLike) -> None:
        self.robot_kind = robot_kind
        self.values = np.array(values, dtype=np.float64)
        self._explained = (-1.0, -1.0)

    @property
    def compiled(self) -> CompiledForm:
        """The same robot for kernels."""
        return CompiledForm(self.robot_kind.compiled, tuple(self.values.tolist()))

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Return the kernel's decision."""
        row = np.array(view.row, np.int64)
        decision = self.robot_kind.decide(self.values, row, rng)
        self._explained = decision[2:]
        return named_action(view, *compiled.legal(decision, row))

    @property
    def win_rate(self) -> float | None:
        """The estimated win rate at its last decision, if it was computed."""
        return self._explained[0] if self._explained[0] >= 0 else None

    def explain(self) -> str:
        """Return the reasons of its last decision."""
        strength, odds = self._explained
        if strength >= 0:
            return f"win rate {strength:.0%}, pot odds {odds:.2f}, return rate {strength / odds:.2f}"
        return f"pot odds {odds:.2f}" if odds >= 0 else "by its chart and position"


def matrix_player(weights: Matrix, texts: Mapping[str, str] | None = None) -> Robot:
    """Return a matrix player by its weights (strengths, costs, 3) of fold, call and raise."""
    shape = (kernels.STRENGTHS, kernels.COSTS, 3)
    if weights.shape != shape or not np.isfinite(weights).all() or (weights < 0).any() or not weights.sum(-1).all():
        raise InputError(
            f"expected a matrix of shape {shape} of weights from 0, not all 0 in a cell; got shape {weights.shape}"
        )
    return Robot(MATRIX, [*MATRIX.values(texts or {}), *weights.ravel()])


def expert_matrix() -> Matrix:
    """Return the expert's matrix: stay in with more strength the more it costs, raise with a fifth more than that.

    The paper that played against such matrices did not publish them, so this matrix is ours.
    """
    strength = (np.arange(kernels.STRENGTHS) + 0.5)[:, None] / kernels.STRENGTHS
    needed = 0.35 + 0.8 * np.array([0.0, 0.1, 0.22, 0.35, 0.45])
    fold = np.clip((needed - strength) / 0.15 + 0.5, 0, 1)
    bold = np.clip((strength - needed - 0.2) / 0.15 + 0.5, 0, 1)
    return np.stack([fold, 1 - fold - bold, bold], axis=-1)


def build_matrix(texts: Mapping[str, str]) -> Robot:
    """Return a player of the expert's matrix, or of an evolved one by its name or file."""
    if "file" not in texts:
        return matrix_player(expert_matrix(), texts)
    path = champion_file("matrix", texts["file"], ".json")
    try:
        return matrix_player(load_matrix(path), texts)
    except InputError as error:
        raise error if str(path) in str(error) else InputError(f"{path}: {error}") from None


def matrix_text(weights: Matrix, lineage: Mapping[str, str] | None = None) -> str:
    """Return a matrix as JSON, with its lineage."""
    saved = {"schema": SCHEMA, "player": "matrix", "lineage": dict(lineage or {}), "weights": weights.tolist()}
    return json.dumps(saved) + "\n"


def load_matrix(path: Path) -> Matrix:
    """Read a matrix that was saved."""
    try:
        return np.array(read_saved(path, "matrix")["weights"], dtype=np.float64)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} contains no matrix: {error}") from None


def read_saved(path: Path, player: str) -> dict[str, Any]:
    """Return the JSON object of a saved player of that name."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: expected the file of a saved {player}, got a folder or a pipe")
    try:
        saved = json.loads(path.read_text())
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: expected a saved {player}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None
    if not isinstance(saved, dict) or saved.get("player") != player:
        raise InputError(f"{path} contains no {player}: expected a file that Cardwin saved")
    return saved


STANDARD_KIND = PlayerKind(
    "Chen's Standard: a chart of starting hands, position, pot odds",
    lambda texts: Robot(STANDARD, STANDARD.values(texts)),
    STANDARD.names,
    compiled=STANDARD.compiled,
    source=f"{CHEN}; its second group of hands is completed by us ([robots](../robots.md))",
)
V1_KIND = PlayerKind(
    "Chen's AI V1: simulated win rate over pot odds, bluffs on or off",
    lambda texts: Robot(V1, V1.values(texts)),
    V1.names,
    compiled=V1.compiled,
    source=f"{CHEN}, AI V1 ([robots](../robots.md))",
)
MATRIX_KIND = PlayerKind(
    "hand strength x cost: an expert's matrix, or an evolved one by its name or file",
    build_matrix,
    ("file", *MATRIX.names),
    "file",
    MATRIX.compiled,
    ".json",
    source="Beattie, Nicolai, Gerhard and Hilderman (2007), whose matrices were not published: "
    "these are ours ([networks](../networks.md#matrix-players))",
)
