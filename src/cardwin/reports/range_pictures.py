"""13 x 13 pictures of ranges: a player's before and after each of its actions, and what it opens with."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from cardwin.cards.card import cards_text
from cardwin.cards.holdings import CLASS_NAMES
from cardwin.games.holdem.events import STREET_NAMES
from cardwin.games.holdem.game import HoldemGame
from cardwin.reports import html

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwin.players.loki.ranges import Range

MAX_COLUMNS = 4
SEATS = 2
SAMPLES = 12
STEPS = 12  # columns of a cell
COLOURS = 32  # of the saved picture
RAISES, CALLS, FOLDS = (214, 96, 77), (120, 184, 128), (205, 210, 218)


def title_of(holdings: "Range") -> str:
    """Return the street, board and action of a range, in words."""
    board = f" {cards_text(holdings.board, signs=True)}" if holdings.board else ""
    return f"{STREET_NAMES[holdings.street]}{board}: after {holdings.action}"


def figure_of(ranges: Sequence["Range"]) -> "Figure":
    """Draw all ranges side by side."""
    columns = min(len(ranges), MAX_COLUMNS)
    rows = -(-len(ranges) // columns)
    figure = html.figure(4.2 * columns, 4.4 * rows)
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes, holdings in zip(grid, ranges, strict=False):
        _draw(axes, holdings)
    for axes in grid[len(ranges) :]:
        axes.set_axis_off()
    return figure


def _draw(axes: "Axes", holdings: "Range") -> None:
    weights = holdings.grid
    axes.imshow(weights, vmin=0, vmax=1, cmap="YlOrRd")
    for number, name in enumerate(CLASS_NAMES):
        row, column = divmod(number, 13)
        colour = "white" if weights[row, column] > 0.65 else "#333333"
        axes.text(column, row, name, ha="center", va="center", fontsize=6, color=colour)
    axes.set_title(f"{title_of(holdings)}, {holdings.share:.0%} left", fontsize=9, loc="left")
    axes.set_xticks([])
    axes.set_yticks([])


def draw_ranges(path: Path, ranges: Sequence["Range"]) -> None:
    """Save the picture as PNG and SVG side by side, whatever suffix the name has."""
    html.save(path.parent, path.stem, figure_of(ranges), "")


def opening(game: HoldemGame, spec: str) -> npt.NDArray[np.float64]:
    """Return the probabilities of fold, call and raise of each class of hands, first to act heads-up, (169, 3)."""
    from cardwin.analysis.range_grid import grid_of, situation
    from cardwin.players.registry import player

    position, state = situation(game, SEATS, (), "")
    return np.array([cell["plays"] for cell in grid_of(player(spec), position, state, SAMPLES).cells])


def draw_opening(path: Path, game: HoldemGame, spec: str) -> None:
    """Draw a player's opening range: in each cell raises from the left, then calls, then folds."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    plays = opening(game, spec)
    figure = html.figure(3.6, 3.6)
    axes = figure.subplots()
    axes.imshow(_cells(plays), aspect="auto", extent=(-0.5, 12.5, 12.5, -0.5), interpolation="nearest")
    for number, name in enumerate(CLASS_NAMES):
        row, column = divmod(number, 13)
        axes.text(column, row, name, ha="center", va="center", fontsize=5.5, color="#20242c")
    for line in np.arange(0.5, 12):
        axes.axhline(line, color="white", linewidth=0.8)
        axes.axvline(line, color="white", linewidth=0.8)
    axes.set_axis_off()
    drawn = io.BytesIO()
    FigureCanvasAgg(figure).print_png(drawn)  # type: ignore[no-untyped-call]
    Image.open(drawn).convert("RGB").quantize(COLOURS).save(path, optimize=True)


def _cells(plays: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Return the colours of the cells, (13, 13 * STEPS, 3)."""
    centres = (np.arange(STEPS) + 0.5) / STEPS
    raises, calls = plays[:, 2, None], plays[:, 1, None]
    kind = np.where(centres < raises, 0, np.where(centres < raises + calls, 1, 2))
    colours = np.array([RAISES, CALLS, FOLDS], np.uint8)
    return colours[kind].reshape(13, 13 * STEPS, 3)
