"""Pictures of an atlas of styles: panels by aggression with cells by VPIP and PFR, and how it was filled."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.report_parts import Picture
from cardwin.reports import html
from cardwin.runs.reader import Series

EMPTY, IMPOSSIBLE = "#eef1f4", "#ffffff"
COLOUR_MAP = "RdBu"


def edge_labels(edges: list[float], top: str) -> list[str]:
    """The ends of all bins as texts, from 0."""
    return ["0", *(f"{edge:g}" for edge in edges), top]


def colour_limit(values: list[float]) -> float:
    """Where the colour scale ends: the ninth decile of absolute values, so that a few disasters do not flatten it."""
    return float(np.quantile(np.abs(values), 0.9)) if values else 1.0


def atlas_picture(folder: Path, atlas: Mapping[str, Any], name: str = "atlas") -> Picture:
    """Every cell coloured by its value in mbb per hand; red loses, blue wins; cells with a PFR above VPIP are white."""
    vpips, pfrs, bolds = atlas["edges"]
    panels, columns, rows = len(bolds) + 1, len(vpips) + 1, len(pfrs) + 1
    across = min(panels, 2)
    figure = html.figure(1.2 + 4.6 * across, 0.6 + 3.9 * -(-panels // across))
    grid = figure.subplots(-(-panels // across), across, squeeze=False).ravel()
    limit = colour_limit([cell["value"] for cell in atlas["cells"]])
    image = None
    for panel, axes in enumerate(grid):
        if panel >= panels:
            axes.set_axis_off()
            continue
        values = np.full((rows, columns), np.nan)
        for cell in atlas["cells"]:
            column, row, bold = cell["bins"]
            if bold == panel:
                values[row, column] = cell["value"]
        highs = [*vpips, 100.0]
        for row, low in enumerate([0.0, *pfrs]):
            for column in range(columns):
                colour = EMPTY if low < highs[column] else IMPOSSIBLE
                axes.add_patch(_square(column, row, colour))
        image = axes.imshow(values, cmap=COLOUR_MAP, vmin=-limit, vmax=limit, origin="lower", aspect="auto", zorder=2)
        for row, column in np.argwhere(np.isfinite(values)).tolist():
            value = values[row, column]
            ink = "white" if abs(value) > 0.6 * limit else "#1d2939"
            axes.text(column, row, f"{value:+,.0f}", ha="center", va="center", fontsize=7, color=ink, zorder=3)
        axes.set_xticks(np.arange(columns + 1) - 0.5, edge_labels(vpips, "100"))
        axes.set_yticks(np.arange(rows + 1) - 0.5, edge_labels(pfrs, "100"))
        axes.set(xlim=(-0.5, columns - 0.5), ylim=(-0.5, rows - 0.5), xlabel="VPIP, %", ylabel="PFR, %")
        axes.set_title(panel_title(bolds, panel), fontsize=9)
        axes.tick_params(labelsize=7, length=2)
        axes.vlines(np.arange(columns) + 0.5, -0.5, rows - 0.5, color="white", lw=1, zorder=2.5)
        axes.hlines(np.arange(rows) + 0.5, -0.5, columns - 0.5, color="white", lw=1, zorder=2.5)
        axes.spines[["top", "right"]].set_visible(False)
    if image is not None:
        figure.colorbar(image, ax=grid.tolist(), shrink=0.6, extend="both", label="chips won, mbb per hand")
    order = sorted(atlas["cells"], key=lambda cell: cell["bins"])
    data = {
        key: [cell.get(key) for cell in order] for key in ("name", "vpip", "pfr", "aggression", "value", "low", "high")
    }
    measured = "measured again on fresh deals at the end" if atlas["stated"] else "as the archive has them so far"
    caption = (
        f"The best network of every style: the cells of VPIP and PFR, one panel for each range of aggression (bets and "
        f"raises per call). Numbers and colours are mbb per hand against {', '.join(atlas['opponents'])}, {measured}. "
        f"Grey cells are empty; in white ones PFR would exceed VPIP."
    )
    return html.save(folder, name, figure, caption, data)


def _square(column: int, row: int, colour: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="white", lw=1, zorder=1)


def panel_title(bolds: list[float], panel: int) -> str:
    """The range of aggression of a panel."""
    ends = [0.0, *bolds]
    return (
        f"aggression {ends[panel]:g} to {bolds[panel]:g}"
        if panel < len(bolds)
        else f"aggression {ends[panel]:g} or more"
    )


def curves_picture(folder: Path, series: Series) -> Picture:
    """Filled cells and the mean value of all cells over the generations."""
    figure = html.figure(9, 3.4)
    axes = figure.subplots()
    filled, mean = series.metrics["filled"], series.metrics["mean"]
    axes.plot(series.generation, filled, color="#1d4f91", lw=1.3)
    axes.set(xlabel="generation", ylim=(0, None))
    axes.set_ylabel("filled cells", color="#1d4f91")
    right = axes.twinx()
    right.plot(series.generation, mean, "--", color="#b42318", lw=1.3)
    right.set_ylabel("mean value, mbb per hand", color="#b42318")
    for one in (axes, right):
        one.spines["top"].set_visible(False)
    data = {"generation": series.generation, "filled cells": filled, "mean value": mean}
    caption = (
        "Filled cells (line), and the mean of their values (dashed). New cells begin low, so the mean may fall while "
        "the atlas grows."
    )
    return html.save(folder, "filling", figure, caption, data)
