"""Tables of chromosomes: genes as decisions by cards, in the dissertation's notation and as heat maps.

0 and 1 have converged, ↓ and ↑ tend there, ~ does neither. The dissertation gives no bounds; ours are below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwin.core.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CONVERGED, TENDING = 0.05, 0.2
BEYOND = ": beyond "


@dataclass(frozen=True)
class Layout:
    """The cell (row, column) of each gene."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    places: tuple[tuple[int, int], ...]

    def grid(self, genes: Sequence[float] | Floats) -> Floats:
        """Return genes (genes,) as (rows, columns), NaN for cells without a gene."""
        grid = np.full((len(self.rows), len(self.columns)), np.nan)
        for cell, gene in zip(self.places, genes, strict=True):
            grid[cell] = gene
        return grid

    def texts(self, marks: Sequence[str]) -> list[list[str]]:
        """Return marks by gene as rows of cells."""
        cells = [["" for _ in self.columns] for _ in self.rows]
        for (row, column), mark in zip(self.places, marks, strict=True):
            cells[row][column] = mark
        return cells

    def line(self, marks: Sequence[str]) -> str:
        """Return marks in one line, rows separated by slashes."""
        return " / ".join(" ".join(cell for cell in row if cell) for row in self.texts(marks))


def layout(gene_names: Sequence[str]) -> Layout:
    """Return decisions as rows, cards as columns."""
    parts = [_parts(name) for name in gene_names]
    rows = tuple(dict.fromkeys(row for row, _ in parts))
    columns = tuple(dict.fromkeys(column for _, column in parts))
    return Layout(rows, columns, tuple((rows.index(row), columns.index(column)) for row, column in parts))


def _parts(name: str) -> tuple[str, str]:
    """Return the decision and the card of a gene: `C_K`, or `K after bet: beyond fold`."""
    if BEYOND not in name:
        row, _, card = name.rpartition("_")
        return row, card
    where, _, action = name.partition(BEYOND)
    card, _, line = where.partition(" after ")
    # A gene is the probability of going beyond the action.
    more = {"fold": "stay in", "check": "bet", "bet 0": "bet"}.get(action, f"more than {action}")
    return f"{line}: {more}" if line else more, card


def mark(value: float) -> str:
    """Return one gene's mean in the dissertation's notation."""
    if value <= CONVERGED:
        return "0"
    if value >= 1 - CONVERGED:
        return "1"
    if value <= TENDING:
        return "↓"
    return "↑" if value >= 1 - TENDING else "~"


def marks(genes: Sequence[float] | Floats) -> list[str]:
    """Return a chromosome in the dissertation's notation."""
    return [mark(float(gene)) for gene in genes]


VALUES = {"0": 0.0, "0*": 0.0, "1": 1.0, "1*": 1.0, "↓": 0.12, "↑": 0.88}


def values_of(marks: Sequence[str]) -> Floats:
    """Return marks as numbers for the colours of cells; NaN if a gene is free. Printed decimals stay."""
    return np.array([VALUES[m] if m in VALUES else float(m) if m[:1] in ".0123456789" and m else np.nan for m in marks])


def _number(gene: float) -> str:
    text = f"{gene:.2f}"
    return {"0.00": "0", "1.00": "1"}.get(text, text.lstrip("0"))


def heat_map(axes: "Axes", layout: Layout, genes: Sequence[float] | Floats, marks: Sequence[str] | None = None) -> None:
    """Draw a chromosome: darker is more often; each cell shows its mark or its number."""
    heat_maps(axes, layout, [(genes, marks)])


def heat_maps(
    axes: "Axes", layout: Layout, panels: Sequence[tuple[Sequence[float] | Floats, Sequence[str] | None]]
) -> list[float]:
    """Draw chromosomes side by side and return the x positions of their middles: one drawing is faster than many."""
    wide = len(layout.columns)
    starts = [number * (wide + 1) for number in range(len(panels))]
    whole = np.full((len(layout.rows), starts[-1] + wide), np.nan)
    for start, (genes, marks) in zip(starts, panels, strict=True):
        grid = whole[:, start : start + wide] = layout.grid(genes)
        _write(axes, start, grid, layout.texts(marks if marks is not None else [_number(gene) for gene in genes]))
        if start:
            axes.axvspan(start - 1.5, start - 0.5, color="white")
    axes.imshow(whole, cmap="Blues", vmin=0, vmax=1.25, aspect="auto")
    ticks = [start + column for start in starts for column in range(wide)]
    axes.set_xticks(ticks, layout.columns * len(panels), fontsize=7)
    axes.set_yticks(range(len(layout.rows)), layout.rows, fontsize=7)
    axes.set_facecolor("#eceff4")
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return [start + (wide - 1) / 2 for start in starts]


def _write(axes: "Axes", start: int, grid: Floats, texts: list[list[str]]) -> None:
    for row, cells in enumerate(texts):
        for column, text in enumerate(cells):
            dark = not np.isnan(grid[row, column]) and grid[row, column] > 0.6
            colour = "white" if dark else "#20242c"
            cell = axes.text(start + column, row, text, ha="center", va="center", fontsize=7, color=colour)
            cell.set_in_layout(False)  # skips measuring a thousand cells that never overflow
