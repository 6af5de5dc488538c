"""A run as a moving map: its members in two dimensions, one frame for each sketched generation.

1. Sketches (evolution/hall.py) of all frames are centred, and their two principal axes are computed once, so that
   frames can be compared. While a run is running, the axes are those of its first 2^k frames: they change seldom.
2. Coordinates are scaled to 0..255 with one scale for both axes, and fitness to its rank within the frame, 0..255.
3. An atlas of styles needs no axes: its cells are placed by VPIP and PFR.
4. A run without a population is one dot: all its figures, standardised, on their principal axes.
5. The champions are a strip: a column of at most 16 numbers each, their genes or a sketch of them. The line between
   two champions is unbroken if each is a child of the previous one, or has the same genes. The hall of fame is a row of
   cells.

Frames are sent as bytes in base64: for each frame, member and axis a byte, then the ranks.
"""

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats
from cardwin.evolution.hall import project
from cardwin.runs import run_folder
from cardwin.runs.store import Reader
from cardwin.web.run_views import thinned as thinned_indices

Bytes = npt.NDArray[np.uint8]
MAX_FRAMES = 120
MAX_FIGURES = 400  # steps of a run without a population
MAX_CELLS = 12  # of a hall of fame
NO_SKETCHES = "No map: the members of this run were not recorded."
NO_FIGURES = "No map: this run has no population, and too few figures were recorded."


@dataclass(frozen=True)
class Frames:
    """Frames of one population: generations (frames,), points (frames, members, 2), fitness (frames, members).

    Missing members have NaN. `shares` are the parts of the variance along the two axes, empty for fixed axes.
    """

    generation: list[int]
    points: Floats
    fitness: Floats
    shares: tuple[float, ...] = ()


def map_of(folder: Path) -> dict[str, Any]:
    """Return the map of a run: its kind, a sentence that explains it, and the frames of every population."""
    store = Reader(folder / "run.db")
    if not store.begun:
        return _map_view("none", "The map appears after the first steps.", {})
    experiment = run_folder.reopen(folder)
    finished = run_folder.answer_of(folder) is not None
    names = store.populations
    if experiment.kind == "style-atlas":
        frames = {name: cells for name in names if (cells := _styles(store, name, experiment)) is not None}
        return _map_view("styles", STYLES, frames)
    kind = "rules" if experiment.kind.startswith("xcs") else "genes"
    frames = {name: rows for name in names if (rows := _sketches(store, name, kind, finished)) is not None}
    if frames:
        return _map_view(kind, RULES if kind == "rules" else GENES, frames)
    if any(store.dated(name, "champion") for name in names) or kind == "rules":
        return _map_view("none", NO_SKETCHES, {})
    path = _path(store, names)
    return _map_view("figures", FIGURES, path) if path else _map_view("none", NO_FIGURES, {})


GENES = (
    "Each dot is a member, placed by its genes along the two directions in which all members of the run differ most. "
    "Brighter is fitter in its generation; the ring is the champion, the line its predecessors."
)
RULES = (
    "Each dot is a rule, placed by prediction, error, experience, numerosity and generality along the two directions "
    "in which all rules of the run differ most. Brighter is fitter; the ring is the fittest, the line earlier ones."
)
STYLES = (
    "Each dot is a filled cell of the atlas, placed by VPIP (to the right) and PFR (upwards); aggression moves it a "
    "little to the upper right. Brighter wins more; the ring is the best."
)
FIGURES = (
    "This run has no population. The dot is the run itself: all recorded figures, standardised, along the two "
    "directions in which they differ most; the line is its path so far."
)


def _map_view(kind: str, text: str, frames: dict[str, Frames]) -> dict[str, Any]:
    return {"kind": kind, "text": text, "populations": {name: _packed(rows) for name, rows in frames.items()}}


def thinned(values: Sequence[int], max_count: int) -> list[int]:
    """Return at most `max_count` values of a sequence, evenly spaced, including the first and the last."""
    return [values[index] for index in thinned_indices(len(values), max_count)]


def _sketches(store: Reader, name: str, kind: str, finished: bool) -> Frames | None:
    """Return the frames of a population's sketches on their principal axes; numbers of rules are standardised first."""
    generations = thinned(store.dated(name, "sketch"), MAX_FRAMES)
    if not generations:
        return None
    sketches = [rows for rows in store.arrays_at(name, "sketch", generations) if rows is not None]
    fitness = [row for row in store.arrays_at(name, "sketch_fitness", generations) if row is not None]
    fitted = len(sketches) if finished else 2 ** int(math.log2(len(sketches)))
    fitting = np.concatenate(sketches[:fitted]).astype(np.float64)
    unit = np.where(fitting.std(axis=0) > 0, fitting.std(axis=0), 1.0) if kind == "rules" else np.ones(1)
    middle, axes, shares = principal_axes(fitting / unit)
    members = max(map(len, sketches))
    points, fit = np.full((len(sketches), members, 2), np.nan), np.full((len(sketches), members), np.nan)
    for frame, (rows, values) in enumerate(zip(sketches, fitness, strict=True)):
        points[frame, : len(rows)] = (rows / unit - middle) @ axes
        fit[frame, : len(rows)] = values
    return Frames(generations, points, fit, shares)


def principal_axes(rows: Floats) -> tuple[Floats, Floats, tuple[float, float]]:
    """Return the mean and the first two principal axes of rows, and the parts of the variance along them.

    The largest component of each axis is positive.

    Args:
        rows: Shape (n, d); rows that are not finite are skipped.

    Returns:
        The mean (d,), the axes (d, 2), and two numbers.

    """
    rows = rows[np.isfinite(rows).all(axis=1)]
    middle: Floats = rows.mean(axis=0)
    values, vectors = np.linalg.eigh(np.atleast_2d(np.cov(rows - middle, rowvar=False, bias=True)))
    axes = np.zeros((rows.shape[1], 2))
    count = min(2, rows.shape[1])
    axes[:, :count] = vectors[:, ::-1][:, :count]
    axes *= np.where(axes[np.abs(axes).argmax(axis=0), range(2)] < 0, -1.0, 1.0)
    total = float(values.sum()) or 1.0
    first, second = (*np.maximum(values[::-1], 0.0)[:2].tolist(), 0.0)[:2]
    return middle, axes, (first / total, second / total)


def _styles(store: Reader, name: str, experiment: Any) -> Frames | None:
    """Return the filled cells of an atlas of styles; the best comes first."""
    generations = thinned(store.dated(name, "values"), MAX_FRAMES)
    if not generations:
        return None
    shape = [1 + len(edges) for edges in (experiment.grid.vpip, experiment.grid.pfr, experiment.grid.aggression)]
    bins = np.stack(np.unravel_index(np.arange(int(np.prod(shape))), shape), axis=1).astype(np.float64)
    places = bins[:, :2] + bins[:, 2:] / (1.5 * shape[2])
    frames = [row for row in store.arrays_at(name, "values", generations) if row is not None]
    filled = [np.flatnonzero(np.isfinite(row)) for row in frames]
    members = max(map(len, filled))
    if not members:
        return None
    points, fit = np.full((len(frames), members, 2), np.nan), np.full((len(frames), members), np.nan)
    for number, (row, cells) in enumerate(zip(frames, filled, strict=True)):
        order = cells[np.argsort(-row[cells], kind="stable")]
        points[number, : len(order)], fit[number, : len(order)] = places[order], row[order]
    return Frames(generations, points, fit)


def _path(store: Reader, names: Sequence[str]) -> dict[str, Frames]:
    """Return the path of a run without a population: its figures on their principal axes."""
    columns: list[Floats] = []
    generation, primary = store.primaries
    columns.append(primary)
    for name in names:
        at, metrics = store.metrics(name)
        if len(at) == len(generation):
            columns += [row for row in metrics.values() if np.isfinite(row).all()]
    table = np.stack(columns, axis=1)
    table = table[:, (table.std(axis=0) > 0) & np.isfinite(table).all(axis=0)]
    if len(table) < 3 or table.shape[1] < 2:
        return {}
    standard = (table - table.mean(axis=0)) / table.std(axis=0)
    middle, axes, shares = principal_axes(standard)
    chosen = thinned(range(len(table)), MAX_FIGURES)
    points = ((standard - middle) @ axes)[chosen][:, None]
    return {"figures": Frames(generation[chosen].tolist(), points, np.zeros((len(chosen), 1)), shares)}


def _packed(frames: Frames) -> dict[str, Any]:
    """Return frames as they are sent: bytes in base64, and per frame the number of members and their spread."""
    points, present = frames.points, np.isfinite(frames.points[:, :, 0])
    low, high = np.nanmin(points, axis=(0, 1)), np.nanmax(points, axis=(0, 1))
    scale = 0.5 * float((high - low).max()) or 1.0
    shown = np.clip(np.nan_to_num(0.5 + 0.5 * (points - (low + high) / 2) / scale) * 255, 0, 255).astype(np.uint8)
    spread = [_spread(frame[members]) for frame, members in zip(points, present, strict=True)]
    return {
        "generation": frames.generation,
        "members": points.shape[1],
        "counts": present.sum(axis=1).tolist(),
        "points": base64_text(shown),
        "ranks": base64_text(_ranks(frames.fitness)),
        "shares": list(frames.shares),
        "spread": [float(f"{value:.4g}") for value in spread],
    }


def _spread(points: Floats) -> float:
    """Return the root mean square distance of points (n, 2) from their mean."""
    return float(np.sqrt(points.var(axis=0).sum())) if len(points) else 0.0


def _ranks(fitness: Floats) -> Bytes:
    """Return the rank of each member within its frame: 0 the least fit, 255 the fittest; ties have equal ranks."""
    ranks = np.zeros(fitness.shape, np.uint8)
    for values, frame_ranks in zip(fitness, ranks, strict=True):
        known = np.sort(values[~np.isnan(values)])
        rank = np.searchsorted(known, values, side="right") - 1
        frame_ranks[:] = np.clip(255 * rank / max(len(known) - 1, 1), 0, 255)
    return ranks


def base64_text(array: Bytes) -> str:
    """Return bytes as base64 text."""
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def line_of(folder: Path) -> dict[str, Any]:
    """Return every population's strip of champions and its hall, if champions were recorded."""
    store = Reader(folder / "run.db")
    if not store.begun:
        return {"populations": {}}
    lines = {name: line for name in store.populations if (line := _line(store, name, folder)) is not None}
    return {"populations": lines}


def _line(store: Reader, name: str, folder: Path) -> dict[str, Any] | None:
    recorded = store.dated(name, "champion")
    if not recorded:
        return None
    shown = thinned(recorded, MAX_FRAMES)
    columns = [row for row in store.arrays_at(name, "champion", shown) if row is not None]
    rows = project(np.stack(columns)).astype(np.float64)
    return {
        "generation": shown,
        "numbers": rows.shape[1],
        "sketched": columns[0].shape[0] > rows.shape[1],
        "columns": base64_text(_scaled(rows, rows)),
        "unbroken": _unbroken(store, name, recorded, shown),
        "hall": _hall(store, name, rows.shape[1], folder),
    }


def _scaled(rows: Floats, reference: Floats) -> Bytes:
    """Return rows (n, d) as bytes: 0 is the minimum of the column in the reference rows, 255 its maximum."""
    low, high = np.nanmin(reference, axis=0), np.nanmax(reference, axis=0)
    share = (rows - low) / np.where(high > low, high - low, 1.0)
    scaled: Bytes = np.clip(np.nan_to_num(share) * 255, 0, 255).astype(np.uint8)
    return scaled


def _unbroken(store: Reader, name: str, recorded: list[int], shown: list[int]) -> list[bool]:
    """Return for each shown champion whether the line from the champion shown before it is unbroken."""
    generations, metrics = store.metrics(name)
    indices = dict(zip(generations.tolist(), metrics.get("place", np.zeros(0)).tolist(), strict=False))
    parents = dict(zip(recorded, store.arrays(name, "champion_parents"), strict=False))
    unbroken, previous = [False], shown[0]
    for generation in shown[1:]:
        steps = range(previous + 1, generation + 1)
        unbroken.append(all(_is_child(parents.get(step), indices.get(step - 1)) for step in steps))
        previous = generation
    return unbroken


def _is_child(parents: Any, index: float | None) -> bool:
    return parents is not None and index is not None and int(index) in parents.tolist()


def _hall(store: Reader, name: str, numbers: int, folder: Path) -> dict[str, Any]:
    """Return the members of the hall in sketched generations; without stored members the champions that entered it."""
    generations = thinned(store.dated(name, "sketch_hall"), MAX_FRAMES)
    if not generations:
        entered = getattr(getattr(run_folder.reopen(folder), "hall", None), "enters", "") == "best"
        return {"kind": "champions", "entered": entered, "generation": [], "numbers": numbers}
    halls = [rows.astype(np.float64) for rows in store.arrays_at(name, "sketch_hall", generations) if rows is not None]
    members = np.concatenate(halls)
    cells = np.zeros((len(halls), MAX_CELLS, members.shape[1]), np.uint8)
    for index, rows in enumerate(halls):
        cells[index, : len(rows)] = _scaled(rows, members)[:MAX_CELLS]
    return {
        "kind": "hall",
        "generation": generations,
        "numbers": members.shape[1],
        "counts": [min(MAX_CELLS, len(rows)) for rows in halls],
        "cells": base64_text(cells),
    }
