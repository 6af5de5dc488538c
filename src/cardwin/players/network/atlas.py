"""An atlas of styles: many networks in one file, one in each filled cell of a grid of VPIP, PFR and aggression.

`net:atlas/27-18-2` is a network of the atlas that comes with Cardwin: its cell contains a VPIP of 27%, a PFR of 18% and
an aggression of 2 (bets and raises per call). `net:FILE.atlas/27-18-2` is one of another atlas. A cell's own name has
its lower edges, such as 20-10-2.

The file is safetensors: weights (networks, weights) float32, cells (networks, 3) bins of the grid, styles (networks, 3)
and values (networks, 3), mean and ends of the 95% interval in mbb per hand, both measured again after the networks were
selected. It has the metadata of a network's file, and the edges of the grid.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats, Ints, Singles
from cardwin.core.errors import InputError, shorten
from cardwin.core.files import encode_tensors
from cardwin.evolution.map_elites import CellGrid
from cardwin.players.champions import FOLDER, champion_file
from cardwin.players.kind import NICOLAI, PlayerKind
from cardwin.players.network.files import (
    SUFFIX,
    Array,
    checksum,
    form_of_notes,
    load_network,
    notes_of,
    read_file,
    verify_checksum,
)
from cardwin.players.network.networks import NETWORK, NetworkForm
from cardwin.players.network.player import NetworkPlayer

PLAYER, ATLAS_SUFFIX = "network-atlas", ".atlas"
SHIPPED = "atlas"  # the name of the atlas that comes with Cardwin
SHIPPED_FILE = FOLDER / f"styles{ATLAS_SUFFIX}"
STYLE = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class StyleGrid(CellGrid):
    """A grid of VPIP and PFR, in percent, and aggression."""

    def name(self, cell: int) -> str:
        """Return the name of a cell: its lower edges."""
        return "-".join(f"{low:g}" for low, _ in self.ends(cell))

    def ends(self, cell: int) -> list[tuple[float, float]]:
        """Return the lower and the upper edge of a cell for each of the three; aggression has no upper end."""
        edges = [(0.0, *inner, top) for inner, top in zip(self.edges, (100.0, 100.0, float("inf")), strict=True)]
        return [(ends[index], ends[index + 1]) for ends, index in zip(edges, self.bins(cell), strict=True)]

    def text(self, cell: int) -> str:
        """Return a cell in words."""
        vpip, pfr, (low, high) = self.ends(cell)
        aggression = f"{low:g} to {high:g}" if np.isfinite(high) else f"{low:g} or more"
        return f"VPIP {vpip[0]:g} to {vpip[1]:g}%, PFR {pfr[0]:g} to {pfr[1]:g}%, aggression {aggression}"

    def possible(self, cell: int) -> bool:
        """Return whether a style can lie in a cell: hands that are raised are also played."""
        vpip, pfr, _ = self.ends(cell)
        return pfr[0] < vpip[1]

    def cell_of_style(self, style: str) -> int:
        """Return the cell that a style such as 27-18-2 lies in, or raise an InputError."""
        match = STYLE.fullmatch(style)
        if match is None:
            raise InputError(f"invalid style {shorten(style)!r}: expected VPIP-PFR-AGGRESSION, such as 27-18-2")
        vpip, pfr, aggression = map(float, match.groups())
        if not pfr <= vpip <= 100:
            raise InputError(f"invalid style {shorten(style)!r}: VPIP must be at most 100, and PFR at most VPIP")
        return self.cell_of((vpip, pfr, aggression))


@dataclass(frozen=True, eq=False)
class Atlas:
    """The networks of an atlas; the module describes the arrays.

    Attributes:
        grid: the grid.
        weights: (networks, weights).
        cells: (networks, 3).
        styles: (networks, 3).
        values: (networks, 3).
        like: a network with the shape, odds and bet sizes of all.
        lineage: a description of their origin.

    """

    grid: StyleGrid
    weights: Singles
    cells: Ints
    styles: Floats
    values: Floats
    like: NetworkForm
    lineage: Mapping[str, str]

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers of the filled cells in the grid, in the order of the networks."""
        return [self.grid.number(bins) for bins in self.cells.tolist()]

    def row(self, style: str) -> int:
        """Return the row of a style's network; an InputError names the nearest filled cell if its own is empty."""
        cell = self.grid.cell_of_style(style)
        if cell not in self.numbers:
            nearest = self.grid.name(self.grid.nearest(cell, self.numbers))
            raise InputError(
                f"the atlas has no network of style {style} ({self.grid.text(cell)}); the nearest is {nearest}"
            )
        return self.numbers.index(cell)

    def network(self, style: str) -> NetworkPlayer:
        """Return the network of a style."""
        row = self.row(style)
        value = {"population": self.grid.name(self.numbers[row]), "fitness": repr(float(self.values[row, 0]))}
        return NetworkPlayer(replace(self.like, weights=self.weights[row].copy()), {**self.lineage, **value})

    def as_json(self) -> dict[str, Any]:
        """Return the grid and its networks, for reports and pages; an infinite aggression is None."""
        rows = []
        for cell, bins, style, value in zip(self.numbers, self.cells, self.styles, self.values, strict=True):
            vpip, pfr, aggression = style.tolist()
            rows.append(
                {"name": self.grid.name(cell), "bins": bins.tolist(), "text": self.grid.text(cell)}
                | {"vpip": vpip, "pfr": pfr, "aggression": aggression if np.isfinite(aggression) else None}
                | dict(zip(("value", "low", "high"), value.tolist(), strict=True))
            )
        return {"edges": [list(inner) for inner in self.grid.edges], "cells": rows}


def atlas_file(atlas: Atlas) -> bytes:
    """Return an atlas as a file's content."""
    arrays: dict[str, Array] = {
        "weights": np.ascontiguousarray(atlas.weights, np.float32),
        "cells": atlas.cells.astype(np.int64),
        "styles": atlas.styles.astype(np.float64),
        "values": atlas.values.astype(np.float64),
    }
    notes = notes_of(PLAYER, atlas.like, atlas.lineage)
    notes |= {
        "edges": json.dumps([list(map(float, inner)) for inner in atlas.grid.edges]),
        "names": json.dumps([atlas.grid.name(cell) for cell in atlas.numbers]),
    }
    return encode_tensors(arrays, {**notes, "checksum": checksum(arrays, notes)})


def load_atlas(path: Path) -> Atlas:
    """Load the atlas in a file.

    Raises:
        InputError: the file does not exist, is of another kind, or is damaged.

    """
    arrays, notes = read_file(path, PLAYER, "an atlas, as `cardwin evolve style-atlas` writes it")
    verify_checksum(path, arrays, notes)
    weights, dtypes = arrays["weights"], {"cells": np.int64, "styles": np.float64, "values": np.float64}
    if (
        weights.ndim != 2
        or not len(weights)
        or any(
            name not in arrays or arrays[name].shape != (len(weights), 3) or arrays[name].dtype != kind
            for name, kind in dtypes.items()
        )
    ):
        raise InputError(f"{path}: expected weights, cells, styles and values of every network of an atlas")
    try:
        grid = StyleGrid(tuple(tuple(float(edge) for edge in inner) for inner in json.loads(notes["edges"])))
        [grid.number(bins) for bins in arrays["cells"].tolist()]
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"{path}: invalid cells of its networks: {error}") from None
    like = form_of_notes(path, weights[0], notes)
    if not np.isfinite(weights).all():
        raise InputError(f"{path} has weights that are not finite")
    return Atlas(grid, weights, arrays["cells"], arrays["styles"], arrays["values"], like, json.loads(notes["lineage"]))


def shipped_atlas() -> dict[str, Any]:
    """Return the atlas that comes with Cardwin, for pages: its cells with specifications, the game and the field."""
    atlas = load_atlas(SHIPPED_FILE)
    data, experiment = atlas.as_json(), tomllib.loads(atlas.lineage["experiment"])
    cells = [{**cell, "spec": f"net:{SHIPPED}/{cell['name']}"} for cell in data["cells"]]
    return {**data, "cells": cells, "stated": True, "game": experiment["game"], "opponents": experiment["opponents"]}


def atlas_and_style(text: str) -> tuple[Path, str] | None:
    """Return the file and the style in a text such as atlas/27-18-2 or FILE.atlas/27-18-2, None if it has no atlas."""
    head, _, style = text.rpartition("/")
    if head == SHIPPED:
        return SHIPPED_FILE, style
    if head.endswith(ATLAS_SUFFIX):
        return Path(head), style
    if text == SHIPPED or text.endswith(ATLAS_SUFFIX):
        raise InputError(f"expected a style of net:{shorten(text)}, such as net:{shorten(text)}/27-18-2")
    return None


def build_network(texts: Mapping[str, str]) -> NetworkPlayer:
    """Build a network by the name of a shipped one, by its style in an atlas, or from a file."""
    name = texts.get("file")
    if name is not None and (parts := atlas_and_style(name)) is not None:
        path, style = parts
        return load_atlas(path).network(style)
    return load_network(champion_file("net", name, SUFFIX))


KIND = PlayerKind(
    "a network (Nicolai and Hilderman), by its name, its file, or its style (net:atlas/VPIP-PFR-AGGRESSION)",
    build_network,
    ("file",),
    "file",
    NETWORK,
    SUFFIX,
    saved_as="network",
    needs_file=True,
    source=f"{NICOLAI}, unless by hand, evolved here at a small size ([networks](../networks.md))",
)
