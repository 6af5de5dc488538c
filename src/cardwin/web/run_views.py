"""Views of a run for the page: a row in the list, its curves, its contents (thinned for plots), and its tags."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.display import escape_unprintable
from cardwin.core.errors import InputError
from cardwin.core.files import write_atomic
from cardwin.runs import experiment as experiments
from cardwin.runs import reader, run_folder
from cardwin.runs.checkpoint import newest_notes
from cardwin.runs.kinds import report_of
from cardwin.runs.reader import ancestry
from cardwin.runs.store import Reader
from cardwin.web.processes import failure_text

MAX_SPARKS = 40  # points of the small curve
MAX_POINTS = 1000
TAGS = "tags.json"  # short words by which a person groups runs
MAX_TAGS = 12
MAX_TAG_LENGTH = 30
MAX_TAG_BYTES = 10_000


def thinned(count: int, max_count: int) -> list[int]:
    """Return at most `max_count` indices of a series, evenly spaced, including the first and the last."""
    if count <= max_count:
        return list(range(count))
    return [int(index) for index in np.unique(np.linspace(0, count - 1, max_count).astype(np.int64))]


def row(folder: Path) -> dict[str, Any]:
    """Return a run in the list: its summary and a small curve of its primary metric."""
    try:
        summary = reader.summary(folder)
        curve: list[float] = []
        if (store := Reader(folder / "run.db")).begun:
            _, values = store.primaries
            curve = [float(f"{values[index]:.4g}") for index in thinned(len(values), MAX_SPARKS)]
    except (InputError, OSError) as error:
        return {"name": folder.name, "state": "failed", "wrong": str(error), "curve": []}
    summary.pop("run")
    report, nodes = (folder / "report.html").is_file(), run_folder.cluster_of(folder)
    left = seconds_left(folder, summary["generations"], summary["of"]) if summary["state"] == "running" else None
    return {
        "name": folder.name,
        **summary,
        "curve": curve,
        "changed": _changed(folder),
        "report": report,
        "seconds_left": left,
    } | ({} if nodes is None else {"cluster": nodes})


def seconds_left(folder: Path, reached: int, steps: int) -> float | None:
    """Return the estimated time left of a running run, by the mean time of the steps up to its last checkpoint."""
    notes = newest_notes(folder / "checkpoints")
    try:
        step, seconds = int(notes["generation"]), float(notes["seconds"])
    except (KeyError, ValueError):
        return None
    left = steps - max(step, reached)
    return seconds / step * left if step > 0 and left > 0 else None


def _changed(folder: Path) -> float:
    times = [path.stat().st_mtime for name in ("run.db", "experiment.toml") if (path := folder / name).is_file()]
    return max(times, default=0.0)


def details(folder: Path) -> dict[str, Any]:
    """Return a run as its page shows it, without plots."""
    experiment, answer = run_folder.reopen(folder), run_folder.answer_of(folder)
    summary, populations = row(folder), store.populations if (store := Reader(folder / "run.db")).begun else []
    report = report_of(experiment.kind)
    shown_keys = {"best", "champions", "exploitability"}
    return summary | {
        "experiment": experiments.flat(experiment.model_dump(mode="json")),
        "populations": populations,
        "answer": {key: answer[key] for key in shown_keys & set(answer)} if answer else None,
        "failure": failure_text(folder) if summary["state"] == "failed" else "",
        "tags": tags_of(folder),
        "looks": hasattr(report, "champion_at"),
        "memory": hasattr(report, "memory_of") and len(populations) > 1,
        "atlas": hasattr(report, "atlas_of"),
    }


def curves(folder: Path, since: int = -1) -> dict[str, Any]:
    """Return the primary metric and every population's metrics after a generation; long series are thinned."""
    if not (store := Reader(folder / "run.db")).begun:
        return {"primary_metric": None, "generation": [], "value": [], "populations": {}}
    generation, value = store.primaries
    later = np.flatnonzero(generation > since)
    chosen = later[thinned(len(later), MAX_POINTS)] if len(later) else later
    populations = {}
    for name in store.populations:
        at, metrics = store.metrics(name)
        after = np.flatnonzero(at > since)
        spreads = store.arrays_after(name, "gene_spread", since)
        if len(spreads) == len(after) > 0:
            metrics["diversity"] = np.full(len(at), np.nan)
            metrics["diversity"][after] = [float(spread.mean()) for spread in spreads]
        picked = after[thinned(len(after), MAX_POINTS)] if len(after) else after
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
    """Return the champions of a recorded generation, as the report of their kind describes them."""
    data, view = _view_of(folder, "champion_at", "champions")
    if not data.generations:
        raise InputError(f"no champions in {folder.name}")
    recorded = next(iter(data.populations.values())).generation
    wanted = int(recorded[-1]) if generation is None else generation
    index = min(int(np.searchsorted(recorded, wanted)), len(recorded) - 1)
    described: dict[str, Any] = view(data, index)
    return {"generation": int(recorded[index]), "recorded": [int(recorded[0]), int(recorded[-1])], **described}


def _view_of(folder: Path, function: str, shown: str) -> tuple[reader.RunData, Any]:
    """Return a run's data, and the function of the report of its kind that shows a part of it."""
    data = _read(folder)
    view = getattr(report_of(data.experiment.kind), function, None)
    if view is None:
        raise InputError(f"no {shown} in {folder.name}, of kind {data.experiment.kind}")
    return data, view


def pedigree(folder: Path) -> dict[str, Any]:
    """Return every population's last champion with its ancestors, if parents were recorded."""
    data = _read(folder)
    populations = {}
    for name, series in data.populations.items():
        if "place" in series.metrics and len(series.arrays.get("parents", ())):
            line = ancestry(series, depth=12)
            populations[name] = {"generation": line.generation, "places": line.places, "links": line.links}
    return {"populations": populations}


def memory(folder: Path) -> dict[str, Any]:
    """Return the forgetting matrix: champions of all generations against each other, for two populations."""
    data, view = _view_of(folder, "memory_of", "two populations to compare")
    if len(data.populations) < 2 or not data.generations:
        raise InputError(f"no two populations to compare over generations in {folder.name}")
    matrix: dict[str, Any] = view(data)
    return matrix


def atlas(folder: Path) -> dict[str, Any]:
    """Return the cells of an atlas of styles, with specifications of their networks if the run is finished."""
    data, view = _view_of(folder, "atlas_of", "atlas")
    cells: dict[str, Any] = view(data)
    return cells


def compare(folders: Sequence[Path]) -> dict[str, Any]:
    """Return several runs' curves of the primary metric, and the settings in which they differ."""
    if not 2 <= len(folders) <= 8:
        raise InputError(f"expected 2 to 8 runs to compare, got {len(folders)}")
    keys = ("primary_metric", "generation", "value")
    lines = []
    for folder in folders:
        curve = curves(folder)
        lines.append({"name": folder.name} | {key: curve[key] for key in keys})
    rows = [row(folder) for folder in folders]
    return {"runs": lines, "differences": reader.differences(list(folders)), "rows": rows}


def tags_of(folder: Path) -> list[str]:
    """Return a run's tags; none if the file is missing, a link, or not a list of texts."""
    path = folder / TAGS
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_TAG_BYTES:
            return []
        tags = json.loads(path.read_text(encoding="utf-8"))
        return _checked_tags(tags) if isinstance(tags, list) else []
    except (OSError, ValueError, RecursionError):  # an InputError is a ValueError
        return []


def _checked_tags(tags: list[str]) -> list[str]:
    """Return the tags without repetitions and needless spaces, in the order of the alphabet."""
    checked = set()
    for text in tags:
        tag = escape_unprintable(" ".join(str(text).split())).lower()
        if not 0 < len(tag) <= MAX_TAG_LENGTH or "," in tag:
            raise InputError(f"invalid tag {tag[:40]!r}: expected 1 to {MAX_TAG_LENGTH} characters without commas")
        checked.add(tag)
    if len(checked) > MAX_TAGS:
        raise InputError(f"expected at most {MAX_TAGS} tags, got {len(checked)}")
    return sorted(checked)


def change_tags(folder: Path, tags: list[str]) -> list[str]:
    """Replace the tags of a run, and return the new ones."""
    checked, path = _checked_tags(tags), folder / TAGS
    if path.is_symlink():
        raise InputError(f"expected a file, got a link: remove {path.name} of {folder.name}")
    write_atomic(path, (json.dumps(checked, ensure_ascii=False) + "\n").encode())
    return checked
