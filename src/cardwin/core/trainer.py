"""The protocol that a run drives step by step. A run knows no game; a trainer knows no folder.

A trainer's randomness comes only from the key that `step` receives, so a run that is stopped at any point and resumed
from `state` ends exactly as an uninterrupted one.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Metrics = Mapping[str, Mapping[str, float]]  # by population and name
Arrays = Mapping[str, Mapping[str, Array]]  # by population and name
State = dict[str, Array]


@dataclass(frozen=True)
class PrimaryMetric:
    """The one figure by which a run is monitored and compared, such as exploitability or mean place."""

    name: str
    value: float


@dataclass(frozen=True)
class Generation:
    """The result of one step: numbers and arrays by population and name, texts by name, and the primary metric.

    A trainer may leave a generation out of the record (`recorded`). `digest` is a hash of what a repetition
    reproduces; if it is empty, everything is hashed.
    """

    primary: PrimaryMetric
    metrics: Metrics = field(default_factory=dict)
    arrays: Arrays = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    recorded: bool = True
    digest: bytes = b""


class Trainer(Protocol):
    """Searchers with a problem, a learner at its table, a series of tournaments, a paper's experiments."""

    def step(self, key: int) -> Generation:
        """Run one step, with the randomness of this key."""

    def state(self) -> State:
        """Everything that is needed to resume, as arrays by name."""

    def load(self, state: State) -> None:
        """Resume from a saved state."""

    def write_champions(self, folder: Path) -> list[Path]:
        """Write the run's champions and return the files, the main one first."""

    def answer(self, record: "Record") -> dict[str, Any]:
        """The trainer's part of the run's answer, from its state and what the run has recorded."""


class Record(Protocol):
    """What a run has recorded so far."""

    def arrays(self, population: str, name: str) -> list[Array]:
        """An array of every recorded generation, in order."""

    def notes(self, name: str) -> list[str]:
        """A text of every recorded generation that has it, in order."""


def digest_of(*parts: float | bytes | str | Array) -> bytes:
    """A hash of numbers, texts and arrays in this order."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(np.ascontiguousarray(part).tobytes())
        elif isinstance(part, str | bytes):
            digest.update(part.encode() if isinstance(part, str) else part)
        else:
            digest.update(np.float64(part).tobytes())
    return digest.digest()


def digest_of_generation(generation: Generation) -> bytes:
    """The generation's own digest, or a hash of all its contents."""
    if generation.digest:
        return generation.digest
    numbers = [number for found in generation.metrics.values() for number in found.values()]
    arrays = [array for found in generation.arrays.values() for array in found.values()]
    return digest_of(generation.primary.value, *numbers, *arrays, *generation.notes.values())
