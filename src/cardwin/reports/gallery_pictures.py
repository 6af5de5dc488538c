"""The 13 x 13 picture of a player's opening range, as a PNG of a few kilobytes."""

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cardwin.analysis.range_grid import grid_of, situation
from cardwin.cards.holdings import CLASS_NAMES
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.registry import player
from cardwin.reports import html

SEATS = 2
SAMPLES = 12
STEPS = 12  # columns of a cell
COLOURS = 32  # of the saved picture
RAISES, CALLS, FOLDS = (214, 96, 77), (120, 184, 128), (205, 210, 218)


def opening(game: HoldemGame, spec: str) -> npt.NDArray[np.float64]:
    """How often each class of hands folds, calls and raises as the first to act heads-up, (169, 3)."""
    found, state = situation(game, SEATS, (), "")
    return np.array([cell["plays"] for cell in grid_of(player(spec), found, state, SAMPLES).cells])


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
    """The colours of the cells, (13, 13 * STEPS, 3)."""
    places = (np.arange(STEPS) + 0.5) / STEPS
    raises, calls = plays[:, 2, None], plays[:, 1, None]
    kind = np.where(places < raises, 0, np.where(places < raises + calls, 1, 2))
    colours = np.array([RAISES, CALLS, FOLDS], np.uint8)
    return colours[kind].reshape(13, 13 * STEPS, 3)
