"""Stack curves as pictures, and as the workbook that the document kept its results in."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from cardwin.arena.session import SessionRecord
from cardwin.lab import html
from cardwin.lab.papers import Context

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {"Call": "#b0b7c3", "Standard": "#1f77b4", "V1": "#e07b00", "V2": "#b3152a"}
Rows = list[list[str | float]]


def labels_of(*kinds: tuple[str, int]) -> list[str]:
    """Names of seats, such as Call 1, Call 2, V2."""
    return [f"{kind} {number + 1}" if count > 1 else kind for kind, count in kinds for number in range(count)]


def draw_stacks(axes: "Axes", session: SessionRecord, labels: Sequence[str], title: str) -> None:
    """One game: every robot's stack, round by round, until it was out."""
    named = set()
    for label, column in zip(labels, session.stacks.T, strict=True):
        kind = label.split()[0]
        length = min(int((column > 0).sum()) + 1, len(column))
        wide = 1.8 if kind != "Call" else 1.2
        axes.plot(column[:length], color=COLOURS[kind], linewidth=wide, label=None if kind in named else kind)
        named.add(kind)
    dress(axes, title, "round", "chips")


def dress(axes: "Axes", title: str, across: str, up: str) -> None:
    """The looks that all pictures share."""
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)


def picture_of_games(
    context: Context, name: str, games: Sequence[tuple[str, SessionRecord, Sequence[str]]], caption: str
) -> None:
    """Some games side by side, and their curves as CSV."""
    figure = html.figure(5.2 * len(games), 3.8)
    for axes, (title, session, labels) in zip(np.atleast_1d(figure.subplots(1, len(games))), games, strict=True):
        draw_stacks(axes, session, labels, title)
    curves = {
        f"{title}: {label}": column.tolist()
        for title, session, labels in games
        for label, column in zip(labels, session.stacks.T, strict=True)
    }
    context.picture(name, figure, caption, curves)


def mean_curves(sessions: Sequence[SessionRecord], rounds: int) -> npt.NDArray[np.float64]:
    """The mean stack of every seat by round, (rounds + 1, seats); a game that was over early keeps its last stacks."""
    padded = [
        np.pad(session.stacks, ((0, rounds + 1 - len(session.stacks)), (0, 0)), mode="edge") for session in sessions
    ]
    mean: npt.NDArray[np.float64] = np.mean(padded, axis=0)
    return mean


def workbook(
    context: Context, games: Mapping[str, tuple[SessionRecord, Sequence[str]]], header: Sequence[str], rows: Rows
) -> None:
    """Save a workbook: a sheet of results, and one for each game with its stacks by round and their chart."""
    import xlsxwriter

    path = context.folder / f"{context.experiment}.xlsx"
    book = xlsxwriter.Workbook(str(path))
    book.set_properties({"created": datetime(2018, 4, 1)})  # the same run gives the same bytes
    bold = book.add_format({"bold": True})
    sheet = book.add_worksheet("results")
    sheet.write_row(0, 0, header, bold)
    for number, row in enumerate(rows):
        sheet.write_row(number + 1, 0, row)
    sheet.set_column(0, 0, 34)
    for name, (session, labels) in games.items():
        _stack_sheet(book, name, session, labels, bold)
    book.close()
    context.say(f"The stacks round by round are in {path.name}.")


def _stack_sheet(book: "object", name: str, session: SessionRecord, labels: Sequence[str], bold: object) -> None:
    sheet = book.add_worksheet(name)  # type: ignore[attr-defined]  # xlsxwriter ships no types
    sheet.write_row(0, 0, ["round", *labels], bold)
    for number, stacks in enumerate(session.stacks.tolist()):
        sheet.write_row(number + 1, 0, [number, *stacks])
    chart = book.add_chart({"type": "line"})  # type: ignore[attr-defined]
    last = len(session.stacks)
    for place in range(1, len(labels) + 1):
        chart.add_series({
            "name": [name, 0, place],
            "categories": [name, 1, 0, last, 0],
            "values": [name, 1, place, last, place],
            "line": {"width": 1.25},
        })  # fmt: skip
    chart.set_title({"name": name})
    chart.set_x_axis({"name": "round", "interval_unit": 100})
    chart.set_y_axis({"name": "chips"})
    chart.set_size({"width": 900, "height": 420})
    sheet.insert_chart(1, len(labels) + 2, chart)
