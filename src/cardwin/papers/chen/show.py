"""Stack curves as pictures, and as a workbook in the document's form."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cardwin.arena.cash_game import CashGameRecord
from cardwin.papers import Context
from cardwin.reports import html
from cardwin.reports.workbook import write_workbook

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {"Call": "#b0b7c3", "Standard": "#1f77b4", "V1": "#e07b00", "V2": "#b3152a"}
Rows = list[list[str | float]]
Games = Sequence[tuple[str, CashGameRecord]]


def labels_of(*kinds: tuple[str, int]) -> list[str]:
    """Names of seats, such as Call 1, Call 2, V2."""
    return [f"{kind} {number + 1}" if count > 1 else kind for kind, count in kinds for number in range(count)]


def draw_stacks(axes: "Axes", cash_game: CashGameRecord, labels: Sequence[str], title: str) -> None:
    """One game: every robot's stack, round by round, until it was eliminated."""
    named = set()
    for label, column in zip(labels, cash_game.stacks.T, strict=True):
        kind = label.split()[0]
        length = min(int((column > 0).sum()) + 1, len(column))
        wide = 1.8 if kind != "Call" else 1.2
        axes.plot(column[:length], color=COLOURS[kind], linewidth=wide, label=None if kind in named else kind)
        named.add(kind)
    dress(axes, title, "round", "chips")


def dress(axes: "Axes", title: str, across: str, up: str, below: bool = False) -> None:
    """The common style of all pictures; the legend is inside, or below the axes where it would cover lines."""
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    if below:
        axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(0, -0.14))
    else:
        axes.legend(frameon=False, fontsize=8)


def picture_of_games(context: Context, name: str, games: Games, labels: Sequence[str], caption: str) -> None:
    """Some games side by side, and their curves as CSV."""
    figure = html.figure(4.5 * len(games), 3.2)
    for axes, (title, cash_game) in zip(np.atleast_1d(figure.subplots(1, len(games))), games, strict=True):
        draw_stacks(axes, cash_game, labels, title)
    curves = {
        f"{title}: {label}": column.tolist()
        for title, cash_game in games
        for label, column in zip(labels, cash_game.stacks.T, strict=True)
    }
    context.picture(name, figure, caption, curves)


def workbook(
    context: Context, labels: Sequence[str], cash_games: Sequence[CashGameRecord], games: Games, header: Sequence[str],
    rows: Rows, name: str = "",
) -> None:  # fmt: skip
    """Save a workbook: results, the average trend of all games, and some games round by round."""
    path = context.folder / f"{name or context.experiment}.xlsx"
    write_workbook(path, labels, cash_games, dict(games), header, rows)
    context.say(f"The stacks round by round, and their average over all games, are in {path.name}.")
