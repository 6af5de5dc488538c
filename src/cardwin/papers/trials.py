"""Evolutions inside an experiment of a paper: many presets and seeds, without run folders, in memory."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cardwin.core.executor import Serial, Workers, open_executor
from cardwin.core.experiment import Experiment
from cardwin.core.rng import child
from cardwin.runs import experiment as experiments
from cardwin.runs import reader
from cardwin.runs.experiment import merged
from cardwin.runs.kinds import kind_of
from cardwin.runs.reader import RunData
from cardwin.runs.run import run_key


def preset_with(preset: str, seed: int, changes: Mapping[str, Any]) -> Experiment:
    """A preset with a seed, overridden by changes table by table."""
    return experiments.check({**merged(experiments.presets()[preset], changes), "seed": seed}, preset)


def drive(experiment: Experiment) -> RunData:
    """The record of a run of the experiment, from its first generation to its last."""
    key = run_key(experiment)
    trainer = kind_of(experiment.kind).trainer(experiment, Serial(), Path())
    steps = [trainer.step(child(key, number)) for number in range(experiment.steps)]
    return reader.gathered(experiment, steps)


def trials(chosen: Iterable[Experiment], workers: Workers) -> list[RunData]:
    """Drive all experiments, several in parallel; results in order."""
    with open_executor(workers) as executor:
        return list(executor.map(drive, chosen))
