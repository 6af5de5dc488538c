"""A run as a moving map: its members in two dimensions, one frame for each sketched generation.

1. Sketches (evolution/sketch.py) of all frames are centred, and their two principal axes are computed once, so that
   frames can be compared. While a run is running, the axes are those of its first 2^k frames: they change seldom.
2. Coordinates are scaled to 0..255 with one scale for both axes, and fitness to its rank within the frame, 0..255.
3. An atlas of styles needs no axes: its cells are placed by VPIP and PFR.
4. A run without a population is one dot: all its figures, standardised, on their principal axes.

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
from cardwin.runs import run_folder
from cardwin.runs.store import Reader

Bytes = npt.NDArray[np.uint8]
MOST_FRAMES = 120
MOST_FIGURES = 400  # steps of a run without a population
OLD = "This run has no map of its members: it was recorded by an earlier version, which stored none."
NOTHING = "There is no map: this run has no population, and too few figures were recorded."


@dataclass(frozen=True)
class Frames:
    """Frames of one population: generations (frames,), points (frames, members, 2), fitness (frames, members).

    Missing members have NaN. `shares` are the parts of the variance along the two axes, none for given axes.
    """

    generation: list[int]
    points: Floats
    fitness: Floats
    shares: tuple[float, ...] = ()


def map_of(folder: Path) -> dict[str, Any]:
    """The map of a run: its kind, a sentence on what is seen, and the frames of every population."""
    store = Reader(folder / "run.db")
    if not store.begun:
        return {"kind": "none", "said": "The map appears after the first steps.", "populations": {}}
    experiment = run_folder.reopen(folder)
    finished = run_folder.answer_of(folder) is not None
    names = store.populations
    if experiment.kind == "style-atlas":
        frames = {name: found for name in names if (found := _styles(store, name, experiment)) is not None}
        return _answer("styles", STYLES, frames)
    kind = "rules" if experiment.kind.startswith("xcs") else "genes"
    frames = {name: found for name in names if (found := _sketches(store, name, kind, finished)) is not None}
    if frames:
        return _answer(kind, RULES if kind == "rules" else GENES, frames)
    if any(store.dated(name, "champion") for name in names) or kind == "rules":
        return {"kind": "none", "said": OLD, "populations": {}}
    path = _path(store, names)
    return _answer("figures", FIGURES, path) if path else {"kind": "none", "said": NOTHING, "populations": {}}


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
    "directions in which they differ most; the line is where it came from."
)


def _answer(kind: str, said: str, frames: dict[str, Frames]) -> dict[str, Any]:
    return {"kind": kind, "said": said, "populations": {name: _packed(found) for name, found in frames.items()}}


def thinned(values: Sequence[int], most: int) -> list[int]:
    """At most `most` values of a sequence, evenly spaced, including the first and the last."""
    places = np.unique(np.linspace(0, len(values) - 1, min(len(values), most)).astype(np.int64))
    return [values[place] for place in places] if len(values) else []


def _sketches(store: Reader, name: str, kind: str, finished: bool) -> Frames | None:
    """The frames of a population's sketches, on their principal axes; the numbers of rules are standardised first."""
    generations = thinned(store.dated(name, "sketch"), MOST_FRAMES)
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
    for place, (rows, own) in enumerate(zip(sketches, fitness, strict=True)):
        points[place, : len(rows)] = (rows / unit - middle) @ axes
        fit[place, : len(rows)] = own
    return Frames(generations, points, fit, shares)


def principal_axes(rows: Floats) -> tuple[Floats, Floats, tuple[float, float]]:
    """The mean (d,) of rows (n, d), their first two principal axes (d, 2), and the parts of the variance along them.

    The largest component of each axis is positive.
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
    """The filled cells of an atlas of styles; the best comes first."""
    generations = thinned(store.dated(name, "values"), MOST_FRAMES)
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
    """The path of a run without a population: its figures on their principal axes."""
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
    chosen = thinned(range(len(table)), MOST_FIGURES)
    points = ((standard - middle) @ axes)[chosen][:, None]
    return {"figures": Frames(generation[chosen].tolist(), points, np.zeros((len(chosen), 1)), shares)}


def _packed(frames: Frames) -> dict[str, Any]:
    """Frames as they are sent: bytes in base64, and per frame the number of members and how far they are spread."""
    points, present = frames.points, np.isfinite(frames.points[:, :, 0])
    low, high = np.nanmin(points, axis=(0, 1)), np.nanmax(points, axis=(0, 1))
    scale = 0.5 * float((high - low).max()) or 1.0
    shown = np.clip(np.nan_to_num(0.5 + 0.5 * (points - (low + high) / 2) / scale) * 255, 0, 255).astype(np.uint8)
    spread = [_spread(frame[here]) for frame, here in zip(points, present, strict=True)]
    return {
        "generation": frames.generation,
        "members": points.shape[1],
        "counts": present.sum(axis=1).tolist(),
        "points": text_of_bytes(shown),
        "ranks": text_of_bytes(_ranks(frames.fitness)),
        "shares": list(frames.shares),
        "spread": [float(f"{one:.4g}") for one in spread],
    }


def _spread(points: Floats) -> float:
    """The root mean square distance of points (n, 2) from their mean."""
    return float(np.sqrt(points.var(axis=0).sum())) if len(points) else 0.0


def _ranks(fitness: Floats) -> Bytes:
    """The rank of each member within its frame, 0 the least fit, 255 the fittest; equals have the same one."""
    ranks = np.zeros(fitness.shape, np.uint8)
    for own, found in zip(fitness, ranks, strict=True):
        known = np.sort(own[~np.isnan(own)])
        place = np.searchsorted(known, own, side="right") - 1
        found[:] = np.clip(255 * place / max(len(known) - 1, 1), 0, 255)
    return ranks


def text_of_bytes(array: Bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
