"""Evolutions inside a reproduction, each a run in its own folder: stopped or killed, the reproduction goes on with it.

Folders lie in that of the reproduction, at champions/NAME, and hold what any run's does (runs/run.py): records,
checkpoints and champions. `cardwin report` writes the page of one.
"""

import logging
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardwin.core.executor import Workers
from cardwin.core.experiment import Experiment
from cardwin.core.trainer import TimeLeft
from cardwin.runs.launch import Launch, resume, start
from cardwin.runs.run import Progress

PAUSE = 60.0  # seconds between two messages
log = logging.getLogger("cardwin")


class Messages:
    """Says from time to time how far an evolution is."""

    def __init__(self, name: str) -> None:
        self.name, self.time_left, self.spoke = name, TimeLeft(), time.monotonic()

    def __call__(self, progress: Progress) -> None:
        """Called after every generation."""
        self.time_left.record(progress.generation, progress.seconds)
        if time.monotonic() - self.spoke < PAUSE:
            return
        self.spoke = time.monotonic()
        left = self.time_left.text(progress.generations)
        log.info("%s: generation %s of %s%s", self.name, progress.generation, progress.generations,
                 f", {left}" if left else "")  # fmt: skip


@dataclass(frozen=True)
class Evolved:
    """A finished evolution: its folder and its answer."""

    folder: Path
    answer: dict[str, Any]

    @property
    def digest(self) -> str:
        """The digest of the run."""
        return str(self.answer["digest"])

    @property
    def champions(self) -> dict[str, Path]:
        """The champions' files by population."""
        return {Path(path).stem: Path(path) for path in self.answer["champions"]}

    @property
    def fitness(self) -> dict[str, float]:
        """The stated fitness of each champion, by population."""
        return {row["population"]: float(row["fitness"]) for row in self.answer["best"]}


def evolve_in(name: str, experiment: Experiment, folder: Path, workers: Workers = 1) -> Evolved:
    """Run an evolution in a folder, resume it if it has begun, or read its answer if it is finished."""
    watch = Messages(name)
    if (folder / "experiment.toml").is_file():
        return Evolved(folder, resume(folder, Launch(workers=workers, report=False, watch=watch)))
    shutil.rmtree(folder, ignore_errors=True)  # a run that was killed before it had an experiment
    return Evolved(folder, start(name, experiment, Launch(folder, workers=workers, report=False, watch=watch)))
