"""The report of a blueprint in training: the button's value, and how many nodes were visited."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from cardwin.core.report_parts import Grid, Part, Text
from cardwin.players.cfr.training import SEATS
from cardwin.reports import html
from cardwin.runs.reader import RunData


def parts(data: RunData, pictures: Path) -> Iterable[Part]:
    """The parts of the report."""
    return _finished_parts(data, pictures) if data.generations else iter([Text("No block has been walked yet.")])


def _finished_parts(data: RunData, pictures: Path) -> Iterator[Part]:
    series = data.populations[SEATS]
    values = series.metrics["value of this block"]
    figure = html.figure(8, 3.4)
    axes = figure.subplots()
    axes.plot(series.generation + 1, values, lw=0.5)
    axes.set(xlabel="block", ylabel="mbb a game")
    curves = {"block": series.generation + 1, "value": values}
    yield html.save(pictures, "value", figure, "What the button wins with the strategies of each block.", curves)
    if data.answer is not None:
        answer = data.answer
        yield Grid(
            f"{answer['game']}, seed {answer['seed']}, digest {answer['digest']}",
            ["deals", "nodes visited", "information sets", "button's value, mbb a game", "bytes of the file"],
            [[answer[name] for name in ("iterations", "nodes", "information_sets", "button_value", "bytes")]],
        )
