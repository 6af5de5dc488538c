"""Pictures of stack curves, and workbooks in the form of Chen's document."""

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
TitledGames = Sequence[tuple[str, CashGameRecord]]


def seat_labels(*kinds: tuple[str, int]) -> list[str]:
    """Return a label per seat, such as Call 1, Call 2, V2, from the kinds of robots and their counts."""
    return [f"{kind} {number + 1}" if count > 1 else kind for kind, count in kinds for number in range(count)]


def style_axes(axes: "Axes", title: str, x_label: str, y_label: str) -> None:
    """Apply the common style of all pictures."""
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def save_games(context: Context, name: str, games: TitledGames, labels: Sequence[str], caption: str) -> None:
    """Save a picture of some games side by side, and their curves as CSV."""
    figure = html.figure(4.5 * len(games), 3.2)
    panels = np.atleast_1d(figure.subplots(1, len(games)))
    for axes, (title, cash_game) in zip(panels, games, strict=True):
        _draw_stacks(axes, cash_game, labels, title)
    html.legend_outside(figure, panels[0], 4)
    curves = {
        f"{title}: {label}": column.tolist()
        for title, cash_game in games
        for label, column in zip(labels, cash_game.stacks.T, strict=True)
    }
    context.picture(name, figure, caption, curves)


def _draw_stacks(axes: "Axes", cash_game: CashGameRecord, labels: Sequence[str], title: str) -> None:
    """Draw every robot's stack in a game, round by round, until its elimination."""
    named = set()
    for label, column in zip(labels, cash_game.stacks.T, strict=True):
        kind = label.split()[0]
        length = min(int((column > 0).sum()) + 1, len(column))
        width = 1.8 if kind != "Call" else 1.2
        axes.plot(column[:length], color=COLOURS[kind], linewidth=width, label=None if kind in named else kind)
        named.add(kind)
    style_axes(axes, title, "round", "chips")


def save_means(
    context: Context, name: str, cash_games: Sequence[CashGameRecord], kinds: Mapping[str, slice], caption: str
) -> None:
    """Save a picture of the mean stack of a robot of each kind by round, with its 95% interval over games."""
    figure = html.figure(6, 3.8)
    axes = figure.subplots()
    curves: dict[str, list[float]] = {}
    for kind, seats in kinds.items():
        stacks = _mean_stacks(cash_games, seats)
        mean, half = stacks.mean(axis=0), 1.96 * stacks.std(axis=0, ddof=1) / np.sqrt(len(stacks))
        axes.plot(mean, color=COLOURS[kind], label=kind)
        axes.fill_between(range(len(mean)), mean - half, mean + half, color=COLOURS[kind], alpha=0.25, linewidth=0)
        curves |= {kind: mean.tolist(), f"{kind} ±": half.tolist()}
    style_axes(axes, f"mean of {len(cash_games)} games", "round", "chips")
    html.legend_outside(figure, axes, 4)
    context.picture(name, figure, caption, curves)


def _mean_stacks(cash_games: Sequence[CashGameRecord], seats: slice) -> Floats:
    """Return the mean stack of some seats by round (games, rounds + 1); a game that ended keeps its last stacks."""
    longest = max(len(cash_game.stacks) for cash_game in cash_games)
    rows = [cash_game.stacks[:, seats].mean(axis=1) for cash_game in cash_games]
    return np.array([np.pad(row, (0, longest - len(row)), mode="edge") for row in rows])


def save_workbook(
    context: Context,
    labels: Sequence[str],
    cash_games: Sequence[CashGameRecord],
    examples: TitledGames,
    header: Sequence[str],
    rows: Rows,
    name: str = "",
) -> None:
    """Save a workbook and name it in the report.

    Args:
        context: The experiment, whose folder and name the workbook has.
        labels: The label of each seat.
        cash_games: All games, for the average trend.
        examples: Games that are written round by round.
        header: The columns of the results.
        rows: The results.
        name: The file's name without suffix, by default the experiment's.

    """
    path = context.folder / f"{name or context.experiment}.xlsx"
    write_workbook(path, labels, cash_games, dict(examples), header, rows)
    context.text(f"The stacks round by round, and their average over all games, are in {path.name}.")
