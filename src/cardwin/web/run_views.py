"""Views of a run for the page: a row in the list, its curves, and its contents, thinned so that they can be plotted."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.errors import InputError
from cardwin.runs import experiment as experiments
from cardwin.runs import reader, run_folder
from cardwin.runs.checkpoint import newest_notes
from cardwin.runs.kinds import report_of
from cardwin.runs.reader import ancestry
from cardwin.runs.store import Reader
from cardwin.web.processes import last_words

SPARKS = 40
POINTS = 1000


def thinned(count: int, most: int) -> list[int]:
    """At most `most` indices of a series, evenly spaced, including the first and the last."""
    if count <= most:
        return list(range(count))
    return [int(place) for place in np.unique(np.linspace(0, count - 1, most).astype(np.int64))]


def row(folder: Path) -> dict[str, Any]:
    """A run in the list: its summary and a small curve of its primary metric."""
    try:
        found = reader.summary(folder)
        curve: list[float] = []
        if (store := Reader(folder / "run.db")).begun:
            _, values = store.primaries
            curve = [float(f"{values[place]:.4g}") for place in thinned(len(values), SPARKS)]
    except (InputError, OSError) as error:
        return {"name": folder.name, "state": "failed", "wrong": str(error), "curve": []}
    found.pop("run")
    report, nodes = (folder / "report.html").is_file(), run_folder.cluster_of(folder)
    left = seconds_left(folder, found["generations"], found["of"]) if found["state"] == "running" else None
    return {
        "name": folder.name,
        **found,
        "curve": curve,
        "changed": _changed(folder),
        "report": report,
        "seconds_left": left,
    } | ({} if nodes is None else {"cluster": nodes})


def seconds_left(folder: Path, reached: int, steps: int) -> float | None:
    """How long a running run will still take, by the mean time of the steps up to its last checkpoint."""
    notes = newest_notes(folder / "checkpoints")
    try:
        done, seconds = int(notes["generation"]), float(notes["seconds"])
    except (KeyError, ValueError):
        return None
    left = steps - max(done, reached)
    return seconds / done * left if done > 0 and left > 0 else None


def _changed(folder: Path) -> float:
    times = [path.stat().st_mtime for name in ("run.db", "experiment.toml") if (path := folder / name).is_file()]
    return max(times, default=0.0)


def whole(folder: Path) -> dict[str, Any]:
    """A run as its page shows it, without plots."""
    experiment, answer = run_folder.reopen(folder), run_folder.answer_of(folder)
    found, populations = row(folder), store.populations if (store := Reader(folder / "run.db")).begun else []
    report = report_of(experiment.kind)
    kept = {"best", "champions", "exploitability"}
    return found | {
        "experiment": experiments.flat(experiment.model_dump(mode="json")),
        "populations": populations,
        "answer": {key: answer[key] for key in kept & set(answer)} if answer else None,
        "said": last_words(folder) if found["state"] == "failed" else "",
        "looks": hasattr(report, "champion_at"),
        "memory": hasattr(report, "memory_of") and len(populations) > 1,
        "atlas": hasattr(report, "atlas_of"),
    }


def curves(folder: Path, since: int = -1) -> dict[str, Any]:
    """The primary metric and every population's metrics after a generation, thinned where they are many."""
    if not (store := Reader(folder / "run.db")).begun:
        return {"primary_metric": None, "generation": [], "value": [], "populations": {}}
    generation, value = store.primaries
    later = np.flatnonzero(generation > since)
    chosen = later[thinned(len(later), POINTS)] if len(later) else later
    populations = {}
    for name in store.populations:
        at, metrics = store.metrics(name)
        after = np.flatnonzero(at > since)
        spreads = store.arrays_after(name, "gene_spread", since)
        if len(spreads) == len(after) > 0:
            metrics["diversity"] = np.full(len(at), np.nan)
            metrics["diversity"][after] = [float(spread.mean()) for spread in spreads]
        picked = after[thinned(len(after), POINTS)] if len(after) else after
        populations[name] = {
            "generation": at[picked].tolist(),
            "metrics": {label: numbers[picked].tolist() for label, numbers in metrics.items()},
        }
    return {
        "primary_metric": None if store.primary is None else store.primary.name,
        "generation": generation[chosen].tolist(),
        "value": value[chosen].tolist(),
        "populations": populations,
    }


def _read(folder: Path) -> reader.RunData:
    if not Reader(folder / "run.db").begun:
        raise InputError(f"{folder.name} has recorded nothing yet")
    return reader.read(folder)


def champion(folder: Path, generation: int | None) -> dict[str, Any]:
    """The champions of a recorded generation, as the report of their kind describes them."""
    data = _read(folder)
    tell = getattr(report_of(data.experiment.kind), "champion_at", None)
    if tell is None or not data.generations:
        raise InputError(f"{folder.name} has no champions to look at")
    recorded = next(iter(data.populations.values())).generation
    wanted = int(recorded[-1]) if generation is None else generation
    place = int(np.searchsorted(recorded, wanted))
    place = min(place, len(recorded) - 1)
    found: dict[str, Any] = tell(data, place)
    return {"generation": int(recorded[place]), "recorded": [int(recorded[0]), int(recorded[-1])], **found}


def pedigree(folder: Path) -> dict[str, Any]:
    """Every population's last champion with its ancestors, where parents were recorded."""
    data = _read(folder)
    found = {}
    for name, series in data.populations.items():
        if "place" in series.metrics and len(series.arrays.get("parents", ())):
            line = ancestry(series, depth=12)
            found[name] = {"generation": line.generation, "places": line.places, "links": line.links}
    return {"populations": found}


def memory(folder: Path) -> dict[str, Any]:
    """The forgetting matrix: champions of all generations against each other, for two populations."""
    data = _read(folder)
    tell = getattr(report_of(data.experiment.kind), "memory_of", None)
    if tell is None or len(data.populations) < 2 or not data.generations:
        raise InputError(f"{folder.name} has no two populations to compare over generations")
    found: dict[str, Any] = tell(data)
    return found


def atlas(folder: Path) -> dict[str, Any]:
    """The cells of an atlas of styles, with specifications of their networks if the run is finished."""
    data = _read(folder)
    tell = getattr(report_of(data.experiment.kind), "atlas_of", None)
    if tell is None:
        raise InputError(f"{folder.name}, of kind {data.experiment.kind}, makes no atlas")
    found: dict[str, Any] = tell(data)
    return found


def compared(folders: Sequence[Path]) -> dict[str, Any]:
    """Several runs' curves of the primary metric, and the settings in which they differ."""
    if not 2 <= len(folders) <= 8:
        raise InputError(f"{len(folders)} runs: two to eight can be compared")
    lines = []
    for folder in folders:
        found = curves(folder)
        lines.append({"name": folder.name} | {key: found[key] for key in ("primary_metric", "generation", "value")})
    return {"runs": lines, "differences": reader.differences(list(folders)), "rows": [row(one) for one in folders]}
