"""The 13 x 13 picture of a player's range before and after each of its actions."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cardwin.cards.card import cards_text
from cardwin.cards.holdings import CLASS_NAMES
from cardwin.games.holdem.events import STREET_NAMES
from cardwin.reports import html

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwin.players.loki.ranges import Range

MOST_COLUMNS = 4


def title_of(one: "Range") -> str:
    """The street, board and action of a range, in words."""
    board = f" {cards_text(one.board, signs=True)}" if one.board else ""
    return f"{STREET_NAMES[one.street]}{board}: after {one.action}"


def figure_of(ranges: Sequence["Range"]) -> "Figure":
    """All ranges side by side."""
    columns = min(len(ranges), MOST_COLUMNS)
    rows = -(-len(ranges) // columns)
    figure = html.figure(4.2 * columns, 4.4 * rows)
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes, one in zip(grid, ranges, strict=False):
        _draw(axes, one)
    for axes in grid[len(ranges) :]:
        axes.set_axis_off()
    return figure


def _draw(axes: "Axes", one: "Range") -> None:
    weights = one.grid
    axes.imshow(weights, vmin=0, vmax=1, cmap="YlOrRd")
    for number, name in enumerate(CLASS_NAMES):
        row, column = divmod(number, 13)
        colour = "white" if weights[row, column] > 0.65 else "#333333"
        axes.text(column, row, name, ha="center", va="center", fontsize=6, color=colour)
    axes.set_title(f"{title_of(one)}, {one.share:.0%} left", fontsize=9, loc="left")
    axes.set_xticks([])
    axes.set_yticks([])


def draw_ranges(path: Path, ranges: Sequence["Range"]) -> None:
    """Save the picture as PNG and SVG side by side, whatever suffix the name has."""
    html.save(path.parent, path.stem, figure_of(ranges), "")
