"""Reports of learning runs: a robot's parameters after each game, a blueprint's value after each block."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from cardwin.core.arrays import Floats, Ints
from cardwin.core.report_parts import Grid, Part, Picture, Text
from cardwin.players.cfr.training import SEATS
from cardwin.players.robots.training import LEARNER
from cardwin.reports import html
from cardwin.runs.reader import RunData


def parts(data: RunData, pictures: Path) -> Iterator[Part]:
    """Return the parts of the report."""
    if not data.generations:
        yield Text("No step has been taken yet.")
    elif data.experiment.kind == "cfr":
        yield from _blueprint_parts(data, pictures)
    else:
        yield from _robot_parts(data, pictures)


def _robot_parts(data: RunData, pictures: Path) -> Iterator[Part]:
    series = data.populations[LEARNER]
    names = [name for name in series.metrics if name not in ("hands that counted", "won")]
    values = {name: series.metrics[name] for name in names}
    caption = "Learned parameters after each game."
    yield _curves(pictures, "learnt", ("game", "value after it"), series.generation + 1, values, caption)
    if data.answer is not None:
        answer = data.answer
        rows = zip(answer["learnt"].items(), answer["settled"], answer["balance"], strict=True)
        yield Grid(
            f"After {answer['games']:,} games of {answer['game']}, seed {answer['seed']}, digest {answer['digest']}",
            ["parameter", "learnt", "mean of the second half", "its steps balance at", "share of hands won"],
            [[name, value, settled, balance, answer["share_won"]] for (name, value), settled, balance in rows],
        )


def _blueprint_parts(data: RunData, pictures: Path) -> Iterator[Part]:
    series = data.populations[SEATS]
    values = {"value": series.metrics["value of this block"]}
    caption = "What the button wins with the strategies of each block."
    yield _curves(pictures, "value", ("block", "mbb per game"), series.generation + 1, values, caption)
    if data.answer is not None:
        answer = data.answer
        yield Grid(
            f"{answer['game']}, seed {answer['seed']}, digest {answer['digest']}",
            ["deals", "nodes visited", "information sets", "button's value, mbb per game", "bytes of the file"],
            [[answer[name] for name in ("iterations", "nodes", "information_sets", "button_value", "bytes")]],
        )


def _curves(
    pictures: Path, name: str, labels: tuple[str, str], steps: Ints, values: Mapping[str, Floats], caption: str
) -> Picture:
    """Draw values over steps; the labels are those of the axes. A single curve needs no legend."""
    figure = html.figure(8, 3.4)
    axes = figure.subplots()
    for label, curve in values.items():
        axes.plot(steps, curve, lw=1 if len(values) > 1 else 0.5, label=label)
    axes.set(xlabel=labels[0], ylabel=labels[1])
    if len(values) > 1:
        axes.legend(fontsize=8, frameon=False)
    columns: dict[str, Iterable[float]] = {labels[0]: steps, **values}
    return html.save(pictures, name, figure, caption, columns)
