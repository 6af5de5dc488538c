"""Evolutions inside an experiment of a paper: many small ones in memory, or a long one in a run folder.

A long evolution has its own run folder within that of the reproduction, at champions/NAME, with the files of any run
(runs/run.py): records, checkpoints and champions. If the reproduction is stopped or killed, it resumes the evolution.
`cardwin report` writes the page of one.
"""

import logging
import shutil
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardwin.core.executor import Serial, Workers, open_executor
from cardwin.core.experiment import Experiment
from cardwin.core.rng import child
from cardwin.core.trainer import TimeLeft
from cardwin.papers import Context
from cardwin.runs import experiment as experiments
from cardwin.runs import reader
from cardwin.runs.experiment import merged
from cardwin.runs.kinds import kind_of
from cardwin.runs.launch import Launch, resume, start
from cardwin.runs.reader import RunData
from cardwin.runs.run import Progress, run_key

PAUSE = 60.0  # seconds between two messages
log = logging.getLogger("cardwin")


def preset_with(preset: str, seed: int, changes: Mapping[str, Any]) -> Experiment:
    """Return a preset's experiment with a seed.

    Args:
        preset: The preset's name.
        seed: The seed of the run.
        changes: Values that replace those of the preset, table by table.

    """
    return experiments.check({**merged(experiments.presets()[preset], changes), "seed": seed}, preset)


def evolve_in_memory(experiment: Experiment) -> RunData:
    """Run an experiment from its first generation to its last and return its record."""
    key = run_key(experiment)
    trainer = kind_of(experiment.kind).trainer(experiment, Serial(), Path())
    steps = [trainer.step(child(key, number)) for number in range(experiment.steps)]
    return reader.gathered(experiment, steps)


def evolve_all(chosen: Iterable[Experiment], workers: Workers) -> list[RunData]:
    """Run experiments in memory, several in parallel, and return their records in order."""
    with open_executor(workers) as executor:
        return list(executor.map(evolve_in_memory, chosen))


def evolve_seeds(
    context: Context, preset: str, seeds: int, changes: Mapping[str, Any], purpose: str = ""
) -> list[RunData]:
    """Run a preset in memory with several seeds.

    Args:
        context: The context of the experiment.
        preset: The preset's name.
        seeds: The number of runs.
        changes: Values that replace those of the preset, table by table.
        purpose: What the seeds are derived from; by default the preset's name.

    Returns:
        The record of each run.

    """
    chosen = [preset_with(preset, context.key(purpose or preset, n), changes) for n in range(seeds)]
    return evolve_all(chosen, context.workers)


class ProgressLog:
    """Logs an evolution's progress once per `PAUSE`."""

    def __init__(self, name: str) -> None:
        self.name, self.time_left, self.last_logged = name, TimeLeft(), time.monotonic()

    def __call__(self, progress: Progress) -> None:
        """Record a generation, and log it if the pause is over."""
        self.time_left.record(progress.generation, progress.seconds)
        if time.monotonic() - self.last_logged < PAUSE:
            return
        self.last_logged = time.monotonic()
        left = self.time_left.text(progress.generations)
        suffix = f", {left}" if left else ""
        log.info("%s: generation %s of %s%s", self.name, progress.generation, progress.generations, suffix)


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


def evolve_in_folder(name: str, experiment: Experiment, folder: Path, workers: Workers = 1) -> Evolved:
    """Run an evolution in a folder.

    If the folder has an unfinished run, it is resumed; if it has a finished one, its answer is read.

    Args:
        name: The name in messages.
        experiment: The evolution.
        folder: The run folder.
        workers: The number of threads, or an executor.

    Returns:
        The finished evolution.

    """
    watch = ProgressLog(name)
    if (folder / "experiment.toml").is_file():
        return Evolved(folder, resume(folder, Launch(workers=workers, report=False, watch=watch)))
    shutil.rmtree(folder, ignore_errors=True)  # a run that was killed before it had an experiment
    return Evolved(folder, start(name, experiment, Launch(folder, workers=workers, report=False, watch=watch)))
