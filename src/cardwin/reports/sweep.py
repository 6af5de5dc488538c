"""Sweeps: the same experiment with several seeds and settings, each a separate run, and the means over the seeds.

A sweep is a folder of runs, `SETTING/seed-N`, so that each can be viewed, resumed and compared like any other; a
stopped run is resumed, and a finished one is read. The folder also has `sweep.json` and the mean curves of
the primary metric over the seeds, as picture and CSV, with the 95% interval of Student's t over the runs.
"""

import itertools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats
from cardwin.core.errors import CorruptFileError, InputError
from cardwin.core.files import write_atomic
from cardwin.core.report_parts import Picture
from cardwin.reports import html
from cardwin.runs import experiment as experiments
from cardwin.runs import run_folder
from cardwin.runs.launch import DEFAULTS, Launch, evolve, resume
from cardwin.runs.reader import read
from cardwin.stats.intervals import quantile

MAX_RUNS = 1000
MAX_DRAWN = 12  # curves in the picture
BOUNDS = {"exploitability": (0.0, math.inf), "outlived": (0.0, 1.0)}  # of primary metrics that have some


@dataclass(frozen=True)
class Curve:
    """A setting's primary metric over the generations (k,) that all its runs recorded.

    Attributes:
        setting: The changes of the experiment.
        primary: The metric's name.
        generation: The generations.
        mean: The mean over the runs.
        half: The half-width of the 95% interval; NaN for one run.
        low: The interval's lower end, clipped to the metric's bounds.
        high: The interval's upper end, likewise.
        runs: The number of runs.

    """

    setting: str
    primary: str
    generation: npt.NDArray[np.int64]
    mean: Floats
    half: Floats
    low: Floats
    high: Floats
    runs: int


def seeds_of(text: str) -> list[int]:
    """Return seeds such as `1-5`, `3` or `1,2,9`."""
    seeds: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or len(first + last) > 30:
            raise InputError(f"invalid --seeds {text!r}: expected seeds such as 1-5 or 1,2,9")
        if int(last or first) - int(first) >= MAX_RUNS:
            raise InputError(f"invalid --seeds {text!r}: expected at most {MAX_RUNS:,} runs")
        seeds += range(int(first), int(last or first) + 1)
    if not seeds or len(set(seeds)) < len(seeds):
        raise InputError(f"invalid --seeds {text!r}: expected every seed once")
    return seeds


def settings_of(varied: Iterable[str]) -> list[tuple[str, ...]]:
    """Return all combinations of `KEY=A|B|C`, as changes."""
    axes = []
    for text in varied:
        key, equals, values = text.partition("=")
        if not equals or not all(values.split("|")):
            raise InputError(f"invalid --vary {text!r}: expected KEY=A|B, such as search.mutation_rate=0.1|0.2")
        axes.append([f"{key}={value}" for value in values.split("|")])
    return list(itertools.product(*axes))


def sweep(
    name: str, changes: Sequence[str], seeds: Sequence[int], varied: Sequence[str], out: Path, launch: Launch = DEFAULTS
) -> dict[str, Any]:
    """Run everything that is not finished yet in a folder each.

    Args:
        name: The preset or experiment file.
        changes: Changes that all runs have.
        seeds: The seeds.
        varied: Keys with their values, such as `search.mutation_rate=0.1|0.2`.
        out: The folder of the sweep.
        launch: How the runs are carried out.

    Returns:
        The means and digests by setting, and the folder.

    Raises:
        InputError: If an experiment is invalid, or the folder contains something else.

    """
    settings = settings_of(varied)
    if len(settings) * len(seeds) > MAX_RUNS:
        raise InputError(f"expected at most {MAX_RUNS:,} runs in a sweep, got {len(settings) * len(seeds):,}")
    if out.exists() and not (out / "sweep.json").is_file() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is not an empty folder or a sweep: choose another --out")
    for setting in settings:  # all are checked before the first is run
        experiments.load(name, [*changes, *setting])
    asked = {"experiment": name, "changes": list(changes), "seeds": list(seeds), "vary": list(varied)}
    _refuse_another(out, asked)
    out.mkdir(parents=True, exist_ok=True)
    write_atomic(out / "sweep.json", (json.dumps(asked, indent=1) + "\n").encode())
    curves, rows = [], []
    for setting in settings:
        label = " ".join(setting) or "as it is"
        folders = [out / _folder_name(setting) / f"seed-{seed}" for seed in seeds]
        for seed, folder in zip(seeds, folders, strict=True):
            launch.announce(f"{label}, seed {seed}")
            alone = replace(launch, out=folder, report=False, announce=str)
            if (folder / "experiment.toml").is_file():
                resume(folder, alone)
            else:
                evolve(name, [*changes, *setting], seed, alone)
        curves.append(mean_curve(label, folders))
        rows.append(_row(curves[-1], folders))
    picture = _drawn(out, curves)
    answer = {**asked, "settings": rows, "picture": str(picture.png)}
    write_atomic(out / "sweep.json", (json.dumps(answer, indent=1) + "\n").encode())
    return {"folder": str(out), **answer}


def _refuse_another(out: Path, asked: Mapping[str, Any]) -> None:
    """Raise an InputError for a folder with another sweep; only seeds may be added."""
    if not (out / "sweep.json").is_file():
        return
    try:
        before = json.loads((out / "sweep.json").read_text(encoding="utf-8"))
        changed = [key for key in ("experiment", "changes", "vary") if before[key] != asked[key]]
    except (OSError, ValueError, KeyError, TypeError):
        raise CorruptFileError(f"{out / 'sweep.json'} is damaged: choose another --out") from None
    if changed:
        raise InputError(f"{out} is a sweep with another {changed[0]}: choose another --out; only seeds may be added")


def _folder_name(setting: Sequence[str]) -> str:
    text = "_".join(setting) or "runs"
    return "".join(letter if letter.isalnum() or letter in "._=-" else "-" for letter in text)[:200]


def mean_curve(label: str, folders: Sequence[Path]) -> Curve:
    """Return the mean of the runs' primary metrics, for each generation that all recorded."""
    readers = [read(folder).store for folder in folders]
    lines = [reader.primaries for reader in readers]
    common = sorted(set.intersection(*(set(generation.tolist()) for generation, _ in lines)))
    values = np.array([value[np.isin(generation, common)] for generation, value in lines])
    last = readers[0].primary
    return curve_of(label, last.name if last else "", np.array(common), values)


def curve_of(label: str, primary: str, generation: npt.NDArray[np.int64], values: Floats) -> Curve:
    """Return the mean of values (runs, k) with Student's interval, clipped to the metric's bounds."""
    count, mean = len(values), values.mean(axis=0)
    half = np.full(len(generation), np.nan)
    if count > 1:
        half = quantile(0.975, count - 1) * values.std(axis=0, ddof=1) / math.sqrt(count)
    minimum, maximum = BOUNDS.get(primary, (-math.inf, math.inf))
    low, high = np.maximum(mean - half, minimum), np.minimum(mean + half, maximum)
    return Curve(label, primary, generation, mean, half, low, high, count)


def _row(curve: Curve, folders: Sequence[Path]) -> dict[str, Any]:
    answers = [run_folder.answer_of(folder) or {} for folder in folders]
    half, several = float(curve.half[-1]), math.isfinite(curve.half[-1])
    return {
        "setting": curve.setting,
        "primary_metric": curve.primary,
        "mean": float(curve.mean[-1]),
        "ci95": half if several else None,
        "interval": [float(curve.low[-1]), float(curve.high[-1])] if several else None,
        "runs": [str(folder) for folder in folders],
        "digests": [answer.get("digest") for answer in answers],
    }


def _drawn(out: Path, curves: Sequence[Curve]) -> Picture:
    figure = html.figure()
    axes = figure.subplots()
    columns: dict[str, Iterable[Any]] = {}
    for curve in curves:
        columns[f"generation, {curve.setting}"] = (curve.generation + 1).tolist()
        columns[f"mean, {curve.setting}"] = curve.mean.tolist()
        columns[f"95% from, {curve.setting}"] = curve.low.tolist()
        columns[f"95% to, {curve.setting}"] = curve.high.tolist()
    for curve in curves[:MAX_DRAWN]:
        (line,) = axes.plot(curve.generation + 1, curve.mean, lw=1.3, label=curve.setting)
        axes.fill_between(curve.generation + 1, curve.low, curve.high, color=line.get_color(), alpha=0.15, lw=0)
    axes.set(xlabel="generation", ylabel=f"{curves[0].primary}, mean of {curves[0].runs} runs and 95%")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize=8, frameon=False)
    return html.save(out, "means", figure, "Means over the seeds.", columns)
