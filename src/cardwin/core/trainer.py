"""The protocol that a run drives step by step. A run does not depend on a game, a trainer does not depend on a folder.

A trainer's randomness comes only from the key that `step` receives, so a run that is stopped at any point and resumed
from `state` ends exactly as an uninterrupted one.
"""

import hashlib
from collections import deque
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
    """The one figure by which a run is monitored and compared, such as exploitability or mean rank."""

    name: str
    value: float


@dataclass(frozen=True)
class Generation:
    """The result of one step: numbers and arrays by population and name, texts by name, and the primary metric.

    A trainer may leave a generation out of the record (`recorded`). `digest` is a hash of everything that a repetition
    reproduces. If it is empty, all contents are hashed.
    """

    primary: PrimaryMetric
    metrics: Metrics = field(default_factory=dict)
    arrays: Arrays = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    recorded: bool = True
    digest: bytes = b""


class Trainer(Protocol):
    """What a run drives: searchers with a problem, a learner, a series of tournaments, a paper's experiments."""

    def step(self, key: int) -> Generation:
        """Run one step.

        Args:
            key: The key of the step's randomness.

        Returns:
            What the step computed.

        """

    def state(self) -> State:
        """Return everything that is needed to resume.

        Returns:
            Arrays by name.

        """

    def load(self, state: State) -> None:
        """Resume from a saved state.

        Args:
            state: What `state` returned.

        """

    def write_champions(self, folder: Path) -> list[Path]:
        """Write the run's champions.

        Args:
            folder: The folder that receives the files.

        Returns:
            The files, the main one first.

        """

    def answer(self, record: "Record") -> dict[str, Any]:
        """Return the trainer's part of the run's result, from its state and the recorded generations.

        Args:
            record: The recorded generations.

        Returns:
            JSON by key.

        """


class Record(Protocol):
    """The generations that a run has recorded so far."""

    def arrays(self, population: str, name: str) -> list[Array]:
        """Return an array of every recorded generation.

        Args:
            population: The population.
            name: The array's name.

        Returns:
            One array per recorded generation, in order.

        """

    def notes(self, name: str) -> list[str]:
        """Return a text of every recorded generation that has it.

        Args:
            name: The text's name.

        Returns:
            The texts, in order.

        """


def digest_of(*parts: float | bytes | str | Array) -> bytes:
    """Return a hash of numbers, texts and arrays in this order."""
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
    """Return a hash of a generation's contents."""
    numbers = [number for named in generation.metrics.values() for number in named.values()]
    arrays = [array for named in generation.arrays.values() for array in named.values()]
    return digest_of(generation.primary.value, *numbers, *arrays, *generation.notes.values())


MAX_TIMES = 2_000  # steps whose times are stored
MIN_STEPS = 3
GROWTH = 1.1  # steps have become longer if the last ones took this many times as long as those before


class TimeLeft:
    """An estimate of the remaining time of a run, from the times of its last steps.

    Steps may become longer: players who learn to fold play thirty times as many hands in a tournament. A mean over all
    steps would then promise an end that never comes nearer. So only the last tenth of the steps counts, at least three.
    If they took longer than as many steps before them, or if there are not that many, the estimate is a lower bound.
    """

    def __init__(self) -> None:
        self.times: deque[float] = deque(maxlen=MAX_TIMES)
        self.before: float | None = None
        self.done = 0

    def record(self, step: int, seconds: float) -> None:
        """Record that a step ended. The first step may include compiling.

        Args:
            step: the number of steps done.
            seconds: the time since the start of the run.

        """
        if self.before is not None:
            self.times.append(seconds - self.before)
        self.before, self.done = seconds, step

    def estimate(self, steps: int) -> tuple[float, bool] | None:
        """Estimate the remaining time.

        Args:
            steps: the number of steps of the whole run.

        Returns:
            The remaining seconds and whether they are only a lower bound; None before the second step.

        """
        if not self.times:
            return None
        times = list(self.times)
        count = max(MIN_STEPS, len(times) // 10)
        last = times[-count:]
        mean, earlier = sum(last) / len(last), times[-2 * count : -count]
        longer = len(earlier) < count or mean > GROWTH * sum(earlier) / count
        return (steps - self.done) * (max(mean, times[-1]) if longer else mean), longer

    def text(self, steps: int) -> str:
        """Return the estimate in words; empty if there is none or the run is finished."""
        estimate = self.estimate(steps)
        if estimate is None or self.done >= steps:
            return ""
        seconds, longer = estimate
        return f"{'at least ' if longer else ''}{duration(seconds)} left"


def duration(seconds: float) -> str:
    """Return a duration as text: seconds up to two minutes, minutes up to two hours, then hours."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
