"""The report of a match: results with their intervals, which pairs differ, and what each player had won over time."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.display import number_duplicates, seed_text
from cardwin.core.report_parts import Cell, Grid, Part, Text
from cardwin.reports import plots
from cardwin.runs.reader import RunData
from cardwin.runs.trainers.match import TABLE


def parts(data: RunData, pictures: Path) -> Iterable[Part]:
    """The parts of the report."""
    if data.answer is None:
        return iter([Text(f"The match is {data.state} blocks of hands.")])
    return _finished_parts(data, data.answer, pictures)


def _finished_parts(data: RunData, answer: dict[str, Any], pictures: Path) -> Iterator[Part]:
    yield Text(
        f"{answer['hands']:,} hands of {answer['game']}, {seed_text(answer['seed'])}, digest {answer['digest']}."
    )
    if not answer["fair"]:
        yield Text("Not fair: an untrusted player could have known the cards, from the seed or in its own process.")
    names = number_duplicates([one["spec"] for one in answer["players"]])
    rows: list[list[Cell]] = [
        [name, one["mean"], *one["interval"], one["unit"]]
        for name, one in sorted(zip(names, answer["players"], strict=True), key=lambda pair: -pair[1]["mean"])
    ]
    yield Grid("Results", ["player", "mean", "95% from", "to", "unit"], rows)
    won = np.concatenate(data.store.arrays(TABLE, "chips")).cumsum(axis=0)
    places = plots.thinned(len(won))
    yield plots.winnings(pictures, names, places + 1, won[places])
    tests: list[list[Cell]] = [
        [names[test["first"] - 1], names[test["second"] - 1], test["difference"], *test["interval"],
         test["p_corrected"]]
        for test in answer["tests"]
    ]  # fmt: skip
    if tests:
        yield Grid("Differences", ["player", "and", "difference", "95% from", "to", "p, corrected"], tests)
    if answer["faults"]:
        yield Grid("Faults", ["first ones"], [[fault] for fault in answer["faults"]])
