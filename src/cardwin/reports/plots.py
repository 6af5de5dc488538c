"""Plots of a run: curves, chromosomes beside exact solutions, genes over time, ancestors, and ancestral opponents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwin.analysis.cycles import Memory
from cardwin.core.arrays import Floats, Ints
from cardwin.core.files import open_atomic
from cardwin.core.report_parts import Picture
from cardwin.reports import chromosomes, html
from cardwin.reports.chromosomes import Layout
from cardwin.runs.reader import Ancestry, Series
from cardwin.runs.store import Reader

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEATS = ("#1d4f91", "#b42318")
GREY = "#667085"
MAX_POINTS = 1500
MAX_NUMBERED = 120  # genes up to which cells show numbers


def thinned(length: int) -> Ints:
    """Return indices of as many points as a picture can show; its CSV holds these, the record all."""
    return np.unique(np.linspace(0, length - 1, min(length, MAX_POINTS)).astype(np.int64))


def _tidy(axes: "Axes") -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)


@dataclass(frozen=True)
class Line:
    """One curve: a column of the record, its label, and its line style."""

    column: str
    label: str
    style: str
    width: float


FITNESS = (Line("best", "best", "-", 1.1), Line("mean", "mean", "--", 0.9))
PLAYED_OUT = (Line("best_value", "exact value of the best", ":", 1.1),)
EXPLOITABILITY = (
    Line("best_exploitability", "champion", ":", 0.8),
    Line("average_exploitability", "population's average", "--", 0.9),
    Line("hall_exploitability", "all champions so far, averaged", "-", 1.3),
)


def curves(
    seats: Mapping[int, Series], folder: Path, name: str, lines: Sequence[Line], caption: str, bounds: dict[str, float]
) -> Picture:
    """Draw recorded columns over the generations, and lines for exact values; exploitability has a log scale."""
    figure = html.figure(9, 3.6)
    axes = figure.subplots()
    data: dict[str, Iterable[Any]] = {}
    for seat, series in seats.items():
        places = thinned(len(series.generation))
        data["generation"] = series.generation[places]
        for line in lines:
            values = series.metrics[line.column][places]
            label = f"seat {seat + 1}: {line.label}"
            data[label] = values
            drawn = np.maximum(values, 1e-9) if name == "exploitability" else values
            axes.plot(series.generation[places], drawn, line.style, lw=line.width, color=SEATS[seat], label=label)
    for label, value in bounds.items():
        axes.axhline(value, color=GREY, lw=0.8, ls="-.", label=label)
    axes.set(
        xlabel="generation", ylabel=f"{name}, chips per hand", yscale="log" if name == "exploitability" else "linear"
    )
    axes.legend(fontsize=7, frameon=False, ncols=2)
    _tidy(axes)
    return html.save(folder, name, figure, caption, data)


def winnings(folder: Path, names: Sequence[str], hands: Ints, chips: Ints) -> Picture:
    """Draw the chips (points, players) that each player had won after some hands (points,) of a match."""
    figure = html.figure(9, 3.6)
    axes = figure.subplots()
    for name, column in zip(names, chips.T, strict=True):
        axes.plot(hands, column, lw=1.0, label=name)
    axes.axhline(0, color=GREY, lw=0.8, ls="-.")
    axes.set(xlabel="hands", ylabel="chips won")
    axes.legend(fontsize=7, frameon=False, ncols=2)
    _tidy(axes)
    data: dict[str, Iterable[Any]] = {"hands": hands} | dict(zip(names, chips.T, strict=True))
    return html.save(folder, "winnings", figure, "Chips that each player had won, hand by hand.", data)


def chromosome(
    folder: Path, seat: int, layout: Layout, panels: Mapping[str, tuple[Floats, Sequence[str] | None]]
) -> Picture:
    """Return one seat's chromosomes side by side: genes, and marks where a panel has them."""
    wide, high = len(layout.columns), len(layout.rows)
    figure = html.figure(min(14, len(panels) * max(1.9, 0.34 * wide + 0.3) + 0.9), min(12, max(1.8, 0.26 * high + 0.9)))
    data: dict[str, Iterable[Any]] = {"gene": [f"{layout.rows[r]} {layout.columns[c]}" for r, c in layout.places]}
    for number, (axes, (title, (genes, marks))) in enumerate(
        zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True)
    ):
        many = len(layout.places) > MAX_NUMBERED
        chromosomes.heat_map(axes, layout, genes, [""] * len(genes) if many else marks)
        axes.set_title(title, fontsize=8)
        if number or many:
            axes.set_yticks([])
        data[title] = genes
        if marks:
            data[f"{title}, marks"] = marks
    caption = f"Seat {seat + 1}: how often it goes beyond each choice, by card; darker is more often."
    if any(marks for _, marks in panels.values()):
        caption += " The best response: 0 1 forced, 0* 1* forced if reached, ~ free, - never reached."
    return html.save(folder, f"chromosome-seat-{seat + 1}", figure, caption, data)


def convergence(
    folder: Path, seat: int, names: Sequence[str], generation: Ints, mean: Floats, spread: Floats
) -> Picture:
    """Return every gene over time, (generations, genes): the population's mean on the left, its spread on the right."""
    places = thinned(len(generation))
    figure = html.figure(11, min(9, max(2.4, 0.2 * len(names) + 1)))
    extent = (float(generation[0]), float(generation[-1]) + 1, len(names) - 0.5, -0.5)
    for axes, (title, values, top) in zip(
        figure.subplots(1, 2),
        (("mean of the population", mean, 1.0), ("spread in the population", spread, 0.4)),
        strict=True,
    ):
        image = axes.imshow(values[places].T, cmap="Blues", vmin=0, vmax=top, aspect="auto", extent=extent)
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("generation", fontsize=8)
        axes.tick_params(labelsize=7, length=2)
        axes.set_yticks(range(len(names)), names, fontsize=7) if len(names) <= 50 else axes.set_yticks([])
        figure.colorbar(image, ax=axes, shrink=0.9).ax.tick_params(labelsize=7)
    data: dict[str, Iterable[Any]] = {"generation": generation[places]}
    data |= {f"{name} mean": mean[places, n] for n, name in enumerate(names)}
    data |= {f"{name} spread": spread[places, n] for n, name in enumerate(names)}
    caption = f"Seat {seat + 1}: the genes over time. A gene under selection converges to 0 or 1; a neutral one drifts."
    return html.save(folder, f"genes-seat-{seat + 1}", figure, caption, data)


def lineage(folder: Path, seat: int, ancestry: Ancestry, depth: int = 7) -> Picture:
    """Return the champion's family tree, and how many ancestors it has further back."""
    figure = html.figure(11, 3.4)
    tree, many = figure.subplots(1, 2, width_ratios=[3, 1])
    height = [{member: _even(k, len(row)) for k, member in enumerate(row)} for row in ancestry.places[: depth + 1]]
    for before, child, parent in ancestry.links:
        if before < depth:
            ends = [height[before][child], height[before + 1][parent]]
            tree.plot([-before, -before - 1], ends, color="#98a2b3", lw=0.6)
    for before, row in enumerate(height):
        tree.plot([-before] * len(row), list(row.values()), "o", ms=8 if not before else 3.5, color=SEATS[seat])
    tree.set(xlabel=f"generations before {ancestry.generation}", yticks=[], ylim=(-0.05, 1.05))
    tree.spines[["left"]].set_visible(False)
    many.plot([-before for before in range(len(ancestry.counts))], ancestry.counts, color=SEATS[seat], lw=1.2)
    many.set(xlabel="generations before", ylabel="different ancestors")
    for axes in (tree, many):
        _tidy(axes)
    data: dict[str, Iterable[Any]] = {
        "generations before": [before for before, _, _ in ancestry.links],
        "child's place": [child for _, child, _ in ancestry.links],
        "parent's place": [parent for _, _, parent in ancestry.links],
    }
    caption = f"Seat {seat + 1}: the last champion's ancestors, {depth} generations back, and how many further back."
    return html.save(folder, f"lineage-seat-{seat + 1}", figure, caption, data)


def _even(number: int, count: int) -> float:
    return 0.5 if count == 1 else number / (count - 1)


def ancestral(folder: Path, memory: Memory) -> Picture:
    """Draw the current individual against ancestral opponents, for both seats."""
    figure = html.figure(10, 4.2)
    limit = float(np.abs(memory.table).max()) or 1.0
    for seat, axes in enumerate(figure.subplots(1, 2)):
        image = _square(axes, memory, memory.against_ancestors(seat), limit)
        axes.set_title(f"seat {seat + 1}'s champion against seat {2 - seat}'s of the past", fontsize=9)
        axes.set(xlabel="opponent's generation", ylabel="champion's generation")
    figure.colorbar(image, ax=figure.axes, shrink=0.8, label="chips per hand")
    caption = (
        "Current individual against ancestral opponents: blue wins, red loses. Without forgetting all is blue below "
        "the diagonal; stripes are opponents that are beaten, lost to and beaten again."
    )
    return html.save(folder, "ancestors", figure, caption, _columns(memory, memory.table))


def tournament(folder: Path, memory: Memory) -> Picture:
    """Draw the best-of-generation tournament: team against team."""
    figure = html.figure(9, 3.8)
    square, line = figure.subplots(1, 2, width_ratios=[1, 1.2])
    image = _square(square, memory, memory.scores, float(np.abs(memory.scores).max()) or 1.0)
    square.set(xlabel="generation", ylabel="generation")
    square.set_title("the row's team against the column's", fontsize=9)
    figure.colorbar(image, ax=square, shrink=0.8)
    line.plot(memory.generations, memory.scores.mean(axis=1), lw=0.9, color=SEATS[0])
    line.axhline(0, color=GREY, lw=0.8)
    line.set(xlabel="generation", ylabel="mean against all generations")
    _tidy(line)
    caption = (
        "Best-of-generation tournament, both seats played. Steady progress is blue below the diagonal and red above."
    )
    return html.save(folder, "tournament", figure, caption, _columns(memory, memory.scores))


def _square(axes: "Axes", memory: Memory, table: Floats, limit: float) -> Any:
    first, last = float(memory.generations[0]), float(memory.generations[-1]) + 1
    axes.set_facecolor("#eceff4")
    axes.tick_params(labelsize=7)
    return axes.imshow(table, cmap="RdBu", vmin=-limit, vmax=limit, extent=(first, last, last, first), aspect="auto")


def _columns(memory: Memory, table: Floats) -> dict[str, Iterable[Any]]:
    data: dict[str, Iterable[Any]] = {"generation": memory.generations}
    return data | {str(generation): table[:, n] for n, generation in enumerate(memory.generations)}


def compare_runs(runs: list[Path], path: Path) -> None:
    """Save one picture of the primary metric of each run, generation by generation."""
    picture = html.figure()
    axes = picture.subplots()
    names: set[str] = set()
    for folder in runs:
        reader = Reader(folder / "run.db")
        generation, value = reader.primaries
        axes.plot(generation + 1, value, label=folder.name, linewidth=1.2)
        names |= {reader.primary.name} if reader.primary else set()
    axes.set(xlabel="generation", ylabel=", ".join(sorted(names)), xscale="log", yscale="log")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_atomic(path) as file:
        picture.savefig(file, format=path.suffix[1:], metadata=html.SIGNED[path.suffix])
