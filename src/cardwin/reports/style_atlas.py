"""The report of an atlas of styles: its picture, every cell with its value measured again, and how it was filled."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.report_parts import Cell, Grid, Heading, Part, Picture, Text
from cardwin.players.network.atlas import StyleGrid
from cardwin.reports import html
from cardwin.runs.problems.style_atlas import StyleAtlasExperiment
from cardwin.runs.problems.style_atlas.atlas import POPULATION
from cardwin.runs.reader import RunData, Series

EMPTY, IMPOSSIBLE = "#eef1f4", "#ffffff"
COLOUR_MAP = "RdBu"


def experiment_of(data: RunData) -> StyleAtlasExperiment:
    """Return the experiment of a run of this kind."""
    if not isinstance(data.experiment, StyleAtlasExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    return data.experiment


def atlas_of(data: RunData) -> dict[str, Any]:
    """Return the cells for the page: the results of the final if the run is finished, else those of the archive."""
    experiment = experiment_of(data)
    grid = StyleGrid((experiment.grid.vpip, experiment.grid.pfr, experiment.grid.aggression))
    atlas: dict[str, Any] = {
        "edges": [list(inner) for inner in grid.edges],
        "game": experiment.game,
        "opponents": list(experiment.opponents),
        "stated": data.answer is not None,
    }
    if data.answer is not None:
        file = Path(data.answer["champions"][0]).name
        spec = f"champion:{data.folder.name}/{file}/"
        return atlas | {"cells": [{**cell, "spec": spec + cell["name"]} for cell in data.answer["cells"]]}
    values = data.populations[POPULATION].arrays["values"][-1] if data.generations else np.zeros(0)
    cells = [
        {"name": grid.name(cell), "bins": list(grid.bins(cell)), "text": grid.text(cell), "value": float(values[cell])}
        for cell in np.flatnonzero(np.isfinite(values)).tolist()
    ]
    return atlas | {"cells": cells}


def parts(data: RunData, pictures: Path) -> Iterator[Part]:
    """Yield the parts of the report."""
    experiment, answer = experiment_of(data), data.answer
    yield _facts(data, experiment)
    if not data.generations:
        yield Text("No generation is recorded yet.")
        return
    yield Heading("The atlas")
    yield atlas_picture(pictures, atlas_of(data))
    if answer is not None:
        yield Text(stated_text(answer, experiment))
        yield _table(answer["cells"])
    yield Heading("How it was filled")
    yield curves_picture(pictures, data.populations[POPULATION])
    yield Text(selection_text(data))


def stated_text(answer: dict[str, Any], experiment: StyleAtlasExperiment) -> str:
    """Return how the stated values were measured, and how they compare with those by which networks were chosen."""
    cells, matches = answer["cells"], experiment.matches
    hands = matches.final * matches.deals * (1 + len(experiment.opponents))
    widths = [(cell["high"] - cell["low"]) / 2 for cell in cells]
    return (
        f"{len(cells)} of {answer['possible_cells']} possible cells are filled. Each value is measured on {hands:,} "
        f"fresh hands, dealt after the networks had been chosen; the median half-width of its 95% interval is "
        f"{np.median(widths):,.0f} mbb per hand. The values in the archive, by which networks were chosen, minus "
        f"these are {answer['archived_minus_stated']:+,.0f} mbb per hand on average. In these hands "
        f"{answer['in_their_cells_again']} of {len(cells)} networks had the style of their cell again; the others are "
        f"near its edges."
    )


def selection_text(data: RunData) -> str:
    """Return the outcomes of the challengers, in sentences."""
    metrics = data.populations[POPULATION].metrics
    count = {name: int(np.sum(metrics[name])) for name in ("challenged", "entered", "replaced", "refused", "misplaced")}
    return (
        f"Of {count['challenged']:,} challengers that did better than the incumbent of their cell, or met an "
        f"empty cell, fresh deals confirmed {count['entered']:,} in empty cells and {count['replaced']:,} that "
        f"replaced an incumbent; {count['refused']:,} were not better on the same deals, and {count['misplaced']:,} "
        f"had another style there."
    )


def _facts(data: RunData, experiment: StyleAtlasExperiment) -> Grid:
    matches, first = experiment.matches, f"{experiment.first.size:,}"
    rows: dict[str, Cell] = {
        "game": experiment.game,
        "field": ", ".join(experiment.opponents),
        "networks": f"35-20-3; first generation {first}, then {experiment.children:,} children each",
        "generations": f"{data.generations:,} of {experiment.generations:,}",
        "matches": f"of {matches.deals} deals in every seat: {matches.screen} to place a child, {matches.fresh} for "
        f"challenger and incumbent, {matches.final} at the end, twice",
        "replaced": f"if better on the same fresh deals by {experiment.margin:g} standard errors",
        "seed": str(experiment.seed),
    }
    if data.answer:
        rows |= {
            "hands": f"{data.answer['hands']:,}",
            "atlas": ", ".join(Path(path).name for path in data.answer["champions"]),
            "digest": data.answer["digest"],
        }
    else:
        rows["state"] = data.state
    return html.facts(rows)


def _table(cells: list[dict[str, Any]]) -> Grid:
    rows: list[list[Cell]] = [
        [
            cell["name"],
            round(100 * cell["vpip"], 1),
            round(100 * cell["pfr"], 1),
            None if cell["aggression"] is None else round(cell["aggression"], 2),
            round(cell["value"]),
            f"{cell['low']:,.0f} to {cell['high']:,.0f}",
        ]
        for cell in sorted(cells, key=lambda cell: -float(cell["value"]))
    ]
    header = ["cell (net:…/NAME)", "VPIP %", "PFR %", "aggression", "mbb per hand", "95% interval"]
    return Grid("Every cell, measured again", header, rows, sortable=True)


# --- pictures


def edge_labels(edges: list[float], top: str) -> list[str]:
    """Return the ends of all bins as texts, from 0."""
    return ["0", *(f"{edge:g}" for edge in edges), top]


def colour_limit(values: list[float]) -> float:
    """Return the end of the colour scale: the ninth decile of absolute values, so that outliers do not flatten it."""
    return float(np.quantile(np.abs(values), 0.9)) if values else 1.0


def atlas_picture(folder: Path, atlas: Mapping[str, Any], name: str = "atlas") -> Picture:
    """Draw every cell by its value in mbb per hand: red loses, blue wins; cells with a PFR above VPIP are white."""
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
    """Return the range of aggression of a panel."""
    low = [0.0, *bolds][panel]
    return f"aggression {low:g} to {bolds[panel]:g}" if panel < len(bolds) else f"aggression {low:g} or more"


def curves_picture(folder: Path, series: Series) -> Picture:
    """Draw the filled cells and the mean value of all cells over the generations."""
    figure = html.figure(9, 3.4)
    axes = figure.subplots()
    filled, mean = series.metrics["filled"], series.metrics["mean"]
    axes.plot(series.generation, filled, color="#1d4f91", lw=1.3)
    axes.set(xlabel="generation", ylim=(0, None))
    axes.set_ylabel("filled cells", color="#1d4f91")
    right = axes.twinx()
    right.plot(series.generation, mean, "--", color="#b42318", lw=1.3)
    right.set_ylabel("mean value, mbb per hand", color="#b42318")
    for each in (axes, right):
        each.spines["top"].set_visible(False)
    data = {"generation": series.generation, "filled cells": filled, "mean value": mean}
    caption = (
        "Filled cells (line), and the mean of their values (dashed). New cells begin low, so the mean may fall while "
        "the atlas grows."
    )
    return html.save(folder, "filling", figure, caption, data)
