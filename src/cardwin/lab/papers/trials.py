"""Evolution runs inside an experiment of a paper: many presets and seeds, kept in memory, their folders thrown away."""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.lab import experiment, run
from cardwin.lab.compute import Workers
from cardwin.lab.evolve import nobody
from cardwin.lab.experiment import Experiment, merged
from cardwin.lab.run_data import Reading, read
from cardwin.lab.run_folder import prepare
from cardwin.solvers.tree import Floats


def planned(preset: str, seed: int, changes: Mapping[str, Any]) -> Experiment:
    """A preset with a seed and changes laid over it, table by table."""
    values = merged(experiment.presets()[preset], changes)
    # Nobody will resume it, and only its end is read.
    return experiment.check({**values, "seed": seed, "save_seconds": 1e9}, preset)


def live(plan: Experiment) -> Reading:
    """One run from its first generation to its last."""
    with tempfile.TemporaryDirectory(prefix="cardwin-") as home:
        folder, settled = prepare("trial", plan, Path(home) / "run")
        with Workers(1) as hands, run.Run(folder, settled, hands) as life:
            life.load()
            life.go(nobody, lambda: False)
        return read(folder)


def trials(plans: Iterable[Experiment], workers: int) -> list[Reading]:
    """All the runs, in order, several at a time."""
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(live, plans))


@dataclass(frozen=True)
class Spread:
    """A mean over independent runs and its 95% interval (Student's t); no interval for a single run."""

    mean: float
    ci95: tuple[float, float] | None


def spread(sample: Sequence[float] | Floats) -> Spread:
    """What independent runs (n,) have in common."""
    from scipy.stats import t

    numbers = np.asarray(sample, dtype=np.float64)
    mean, n = float(numbers.mean()), len(numbers)
    if n < 2:
        return Spread(mean, None)
    half = float(t.ppf(0.975, n - 1)) * float(numbers.std(ddof=1)) / n**0.5
    return Spread(mean, (mean - half, mean + half))
