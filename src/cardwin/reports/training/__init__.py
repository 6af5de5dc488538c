"""The report of a robot in training: its parameters after each game."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from cardwin.core.report_parts import Grid, Part, Text
from cardwin.players.robots.training import LEARNER
from cardwin.reports import html
from cardwin.runs.reader import RunData


def parts(data: RunData, pictures: Path) -> Iterable[Part]:
    """The parts of the report."""
    return _finished_parts(data, pictures) if data.generations else iter([Text("No game has been played yet.")])


def _finished_parts(data: RunData, pictures: Path) -> Iterator[Part]:
    series = data.populations[LEARNER]
    names = [name for name in series.metrics if name not in ("hands that counted", "won")]
    figure = html.figure(8, 3.4)
    axes = figure.subplots()
    for name in names:
        axes.plot(series.generation + 1, series.metrics[name], lw=1, label=name)
    axes.set(xlabel="game", ylabel="value after it")
    axes.legend(fontsize=8, frameon=False)
    curves = {"game": series.generation + 1, **{name: series.metrics[name] for name in names}}
    yield html.save(pictures, "learnt", figure, "Learned parameters after each game.", curves)
    if data.answer is not None:
        answer = data.answer
        rows = zip(answer["learnt"].items(), answer["settled"], answer["balance"], strict=True)
        yield Grid(
            f"After {answer['games']:,} games of {answer['game']}, seed {answer['seed']}, digest {answer['digest']}",
            ["parameter", "learnt", "mean of the second half", "its steps balance at", "share of hands won"],
            [[name, value, settled, balance, answer["share_won"]] for (name, value), settled, balance in rows],
        )
