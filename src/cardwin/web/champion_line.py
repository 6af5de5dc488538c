"""The champions of a run as a strip, and its hall of fame as a row of small cells.

A champion is a column of at most 16 numbers: its genes, or a sketch of them (evolution/sketch.py). The line between two
champions is unbroken if each is a child of the one before, or has the same genes.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats
from cardwin.evolution.sketch import project
from cardwin.runs.run_folder import reopen
from cardwin.runs.store import Reader
from cardwin.web.population_map import MOST_FRAMES, text_of_bytes, thinned

FACES = 12


def line_of(folder: Path) -> dict[str, Any]:
    """Every population's strip of champions and its hall, where champions were recorded."""
    store = Reader(folder / "run.db")
    if not store.begun:
        return {"populations": {}}
    found = {name: one for name in store.populations if (one := _line(store, name, folder)) is not None}
    return {"populations": found}


def _line(store: Reader, name: str, folder: Path) -> dict[str, Any] | None:
    recorded = store.dated(name, "champion")
    if not recorded:
        return None
    shown = thinned(recorded, MOST_FRAMES)
    columns = [row for row in store.arrays_at(name, "champion", shown) if row is not None]
    rows = project(np.stack(columns)).astype(np.float64)
    return {
        "generation": shown,
        "numbers": rows.shape[1],
        "sketched": columns[0].shape[0] > rows.shape[1],
        "columns": text_of_bytes(_bytes(rows, rows)),
        "unbroken": _unbroken(store, name, recorded, shown),
        "hall": _hall(store, name, rows.shape[1], folder),
    }


def _bytes(rows: Floats, among: Floats) -> npt.NDArray[np.uint8]:
    """Rows (n, d) as bytes: every number between the least and the largest of its column among others."""
    low, high = np.nanmin(among, axis=0), np.nanmax(among, axis=0)
    share = (rows - low) / np.where(high > low, high - low, 1.0)
    found: npt.NDArray[np.uint8] = np.clip(np.nan_to_num(share) * 255, 0, 255).astype(np.uint8)
    return found


def _unbroken(store: Reader, name: str, recorded: list[int], shown: list[int]) -> list[bool]:
    """For each shown champion: whether the line from the champion shown before it is unbroken."""
    generations, metrics = store.metrics(name)
    places = dict(zip(generations.tolist(), metrics.get("place", np.zeros(0)).tolist(), strict=False))
    parents = dict(zip(recorded, store.arrays(name, "champion_parents"), strict=False))
    found, before = [False], shown[0]
    for generation in shown[1:]:
        steps = range(before + 1, generation + 1)
        found.append(all(_child(parents.get(step), places.get(step - 1)) for step in steps))
        before = generation
    return found


def _child(parents: Any, place: float | None) -> bool:
    return parents is not None and place is not None and int(place) in parents.tolist()


def _hall(store: Reader, name: str, numbers: int, folder: Path) -> dict[str, Any]:
    """The members of the hall in sketched generations; without stored members the champions that entered it."""
    generations = thinned(store.dated(name, "sketch_hall"), MOST_FRAMES)
    if not generations:
        entered = getattr(getattr(reopen(folder), "hall", None), "enters", "") == "best"
        return {"kind": "champions", "entered": entered, "generation": [], "numbers": numbers}
    halls = [rows.astype(np.float64) for rows in store.arrays_at(name, "sketch_hall", generations) if rows is not None]
    everybody = np.concatenate(halls)
    cells = np.zeros((len(halls), FACES, everybody.shape[1]), np.uint8)
    for place, rows in enumerate(halls):
        cells[place, : len(rows)] = _bytes(rows, everybody)[:FACES]
    return {
        "kind": "hall",
        "generation": generations,
        "numbers": everybody.shape[1],
        "counts": [min(FACES, len(rows)) for rows in halls],
        "cells": text_of_bytes(cells),
    }
