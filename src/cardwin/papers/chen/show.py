"""Stack curves as pictures, and as a workbook in the document's form."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cardwin.arena.cash_game import CashGameRecord
from cardwin.core.arrays import Floats
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


def dress(axes: "Axes", title: str, across: str, up: str) -> None:
    """The common style of all pictures."""
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def picture_of_games(context: Context, name: str, games: Games, labels: Sequence[str], caption: str) -> None:
    """Some games side by side, and their curves as CSV."""
    figure = html.figure(4.5 * len(games), 3.2)
    panels = np.atleast_1d(figure.subplots(1, len(games)))
    for axes, (title, cash_game) in zip(panels, games, strict=True):
        draw_stacks(axes, cash_game, labels, title)
    html.legend_outside(figure, panels[0], 4)
    curves = {
        f"{title}: {label}": column.tolist()
        for title, cash_game in games
        for label, column in zip(labels, cash_game.stacks.T, strict=True)
    }
    context.picture(name, figure, caption, curves)


def picture_of_means(
    context: Context, name: str, cash_games: Sequence[CashGameRecord], kinds: Mapping[str, slice], caption: str
) -> None:
    """The mean stack of a robot of each kind by round, with its 95% interval over games."""
    figure = html.figure(6, 3.8)
    axes = figure.subplots()
    curves: dict[str, list[float]] = {}
    for kind, seats in kinds.items():
        sample = stacks_of(cash_games, seats)
        mean, half = sample.mean(axis=0), 1.96 * sample.std(axis=0, ddof=1) / np.sqrt(len(sample))
        axes.plot(mean, color=COLOURS[kind], label=kind)
        axes.fill_between(range(len(mean)), mean - half, mean + half, color=COLOURS[kind], alpha=0.25, linewidth=0)
        curves |= {kind: mean.tolist(), f"{kind} ±": half.tolist()}
    dress(axes, f"mean of {len(cash_games)} games", "round", "chips")
    html.legend_outside(figure, axes, 4)
    context.picture(name, figure, caption, curves)


def stacks_of(cash_games: Sequence[CashGameRecord], seats: slice) -> Floats:
    """The mean stack of some seats in each game by round (games, rounds + 1); a game keeps its last stacks."""
    longest = max(len(one.stacks) for one in cash_games)
    rows = [one.stacks[:, seats].mean(axis=1) for one in cash_games]
    return np.array([np.pad(row, (0, longest - len(row)), mode="edge") for row in rows])


def workbook(
    context: Context, labels: Sequence[str], cash_games: Sequence[CashGameRecord], games: Games, header: Sequence[str],
    rows: Rows, name: str = "",
) -> None:  # fmt: skip
    """Save a workbook: results, the average trend of all games, and some games round by round."""
    path = context.folder / f"{name or context.experiment}.xlsx"
    write_workbook(path, labels, cash_games, dict(games), header, rows)
    context.text(f"The stacks round by round, and their average over all games, are in {path.name}.")
