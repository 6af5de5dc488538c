"""The report of an atlas of styles: its picture, every cell with its value measured again, and how it was filled."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.report_parts import Cell, Grid, Heading, Part, Text
from cardwin.players.network.atlas import StyleGrid
from cardwin.reports.style_atlas.picture import atlas_picture, curves_picture
from cardwin.runs.problems.style_atlas import StyleAtlasExperiment
from cardwin.runs.problems.style_atlas.atlas import POPULATION
from cardwin.runs.reader import RunData


def experiment_of(data: RunData) -> StyleAtlasExperiment:
    """The experiment of a run of this kind."""
    if not isinstance(data.experiment, StyleAtlasExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    return data.experiment


def atlas_of(data: RunData) -> dict[str, Any]:
    """The cells, as the page shows them: measured again if the run is finished, else as they are in the archive."""
    experiment = experiment_of(data)
    how = experiment.grid
    grid = StyleGrid((how.vpip, how.pfr, how.aggression))
    found: dict[str, Any] = {
        "edges": [list(inner) for inner in grid.edges],
        "game": experiment.game,
        "opponents": list(experiment.opponents),
        "stated": data.answer is not None,
    }
    if data.answer is not None:
        file = Path(data.answer["champions"][0]).name
        spec = f"champion:{data.folder.name}/{file}/"
        return found | {"cells": [{**cell, "spec": spec + cell["name"]} for cell in data.answer["cells"]]}
    values = data.populations[POPULATION].arrays["values"][-1] if data.generations else np.zeros(0)
    cells = [{"name": grid.name(cell), "bins": list(grid.bins(cell)), "text": grid.text(cell),
              "value": float(values[cell])} for cell in np.flatnonzero(np.isfinite(values)).tolist()]  # fmt: skip
    return found | {"cells": cells}


def parts(data: RunData, pictures: Path) -> Iterator[Part]:
    """The parts of the report."""
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
    """How the stated values were measured, and how they compare with those by which networks were chosen."""
    cells, hands = (
        answer["cells"],
        experiment.matches.final * experiment.matches.deals * (1 + len(experiment.opponents)),
    )
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
    """What became of the challengers, in sentences."""
    own = data.populations[POPULATION].metrics
    count = {name: int(np.sum(own[name])) for name in ("challenged", "entered", "replaced", "refused", "misplaced")}
    return (
        f"Of {count['challenged']:,} challengers that did better than the incumbent where they were placed, or met an "
        f"empty cell, fresh deals confirmed {count['entered']:,} in empty cells and {count['replaced']:,} that "
        f"replaced an incumbent; {count['refused']:,} were not better on the same deals, and {count['misplaced']:,} "
        f"had another style there."
    )


def _facts(data: RunData, experiment: StyleAtlasExperiment) -> Grid:
    how = experiment.matches
    rows: list[list[Cell]] = [
        ["game", experiment.game],
        ["field", ", ".join(experiment.opponents)],
        [
            "networks",
            f"35-20-3; first generation {experiment.first.size:,}, then {experiment.children:,} children each",
        ],
        ["generations", f"{data.generations:,} of {experiment.generations:,}"],
        [
            "matches",
            f"of {how.deals} deals in every seat: {how.screen} to place a child, {how.fresh} for challenger and "
            f"incumbent, {how.final} at the end, twice",
        ],
        ["replaced", f"if better on the same fresh deals by {experiment.margin:g} standard errors"],
        ["seed", str(experiment.seed)],
    ]
    if data.answer:
        rows += [
            ["hands", f"{data.answer['hands']:,}"],
            ["atlas", ", ".join(Path(path).name for path in data.answer["champions"])],
            ["digest", data.answer["digest"]],
        ]
    else:
        rows.append(["state", data.state])
    return Grid("", ["", ""], rows)


def _table(cells: list[dict[str, Any]]) -> Grid:
    rows: list[list[Cell]] = [
        [
            cell["name"], round(100 * cell["vpip"], 1), round(100 * cell["pfr"], 1),
            None if cell["aggression"] is None else round(cell["aggression"], 2), round(cell["value"]),
            f"{cell['low']:,.0f} to {cell['high']:,.0f}",
        ]
        for cell in sorted(cells, key=lambda cell: -float(cell["value"]))
    ]  # fmt: skip
    header = ["cell (net:…/NAME)", "VPIP %", "PFR %", "aggression", "mbb per hand", "95% interval"]
    return Grid("Every cell, measured again", header, rows, sortable=True)
