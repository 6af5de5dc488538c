"""Evolutions inside an experiment of a paper: many presets and seeds, without run folders, in memory."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypedDict

from cardwin.core.executor import Serial, Workers, executor_of
from cardwin.core.experiment import Experiment
from cardwin.core.rng import child
from cardwin.papers.sample import DIFFERENCES as DIFFERENCES
from cardwin.papers.sample import SHARES as SHARES
from cardwin.papers.sample import Spread as Spread
from cardwin.papers.sample import spread as spread
from cardwin.papers.verdicts import Regions, Verdict, judge, judge_share, runs_needed, shares_needed
from cardwin.runs import experiment as experiments
from cardwin.runs import reader
from cardwin.runs.experiment import merged
from cardwin.runs.kinds import kind_of
from cardwin.runs.reader import RunData
from cardwin.runs.run import run_key
from cardwin.stats.shares import Share


def preset_with(preset: str, seed: int, changes: Mapping[str, Any]) -> Experiment:
    """A preset with a seed, overridden by changes table by table."""
    return experiments.check({**merged(experiments.presets()[preset], changes), "seed": seed}, preset)


def drive(experiment: Experiment) -> RunData:
    """The record of a run of the experiment, from its first generation to its last."""
    key = run_key(experiment)
    trainer = kind_of(experiment.kind).trainer(experiment, Serial(), Path())
    steps = [trainer.step(child(key, number)) for number in range(experiment.steps)]
    return reader.gathered(experiment, steps)


def hand_over(experiment: Experiment, folder: Path, workers: Workers = 1) -> list[Path]:
    """The champion files that a run of the experiment would write, without the run's records."""
    with executor_of(workers) as executor:
        trainer = kind_of(experiment.kind).trainer(experiment, executor, folder)
        for step in range(experiment.steps):
            trainer.step(child(run_key(experiment), step))
        return trainer.write_champions(folder)


def trials(chosen: Iterable[Experiment], workers: Workers) -> list[RunData]:
    """Drive all experiments, several in parallel; results in order."""
    with executor_of(workers) as executor:
        return list(executor.map(drive, chosen))


class Measured(TypedDict):
    """The fields of a finding that come from a mean."""

    measured: float
    ci95: tuple[float, float] | None
    over: str


def mean_over(found: Spread | Share, trials: str) -> Measured:
    """A mean, its interval and what that is over, for a finding: `**mean_over(gain, "seeds")`."""
    return {"measured": found.mean, "ci95": found.ci95, "over": f"{found.n} {trials}"}


class Judged(TypedDict):
    """The fields of a finding that follow from the regions of its claim."""

    verdict: Verdict
    needed: int | None


def judged(regions: Regions, found: Spread | Share) -> Judged:
    """The verdict on a mean or a share, and the runs that could tell where these cannot: `**judged(regions, gain)`."""
    if isinstance(found, Share):
        return {"verdict": judge_share(regions, found.count, found.n), "needed": shares_needed(regions, found.n)}
    return {"verdict": judge(regions, found.ci95), "needed": runs_needed(regions, found.ci95, found.n)}
