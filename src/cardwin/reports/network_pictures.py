"""Pictures of a network: its actions before the flop, and the influence of each input on its outputs."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.arena.match import MatchOptions, play_match
from cardwin.cards.holdings import CLASS_NAMES
from cardwin.core.arrays import Floats
from cardwin.core.report_parts import Picture
from cardwin.core.rng import Stream, key_of
from cardwin.games.base import Action
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.view import HoldemView
from cardwin.players.network.decision import OUTPUTS
from cardwin.players.network.inputs import INPUTS
from cardwin.players.network.networks import NetworkForm
from cardwin.players.network.player import NetworkPlayer
from cardwin.players.network.preflop import SITUATIONS, preflop_chances
from cardwin.players.registry import player
from cardwin.reports import html

HANDS = 60  # from which positions are collected
ACTIVATIONS: dict[str, Callable[[Floats], Floats]] = {
    "tanh": np.tanh,
    "logistic": lambda x: 0.5 + 0.5 * np.tanh(0.5 * x),
    "relu": lambda x: np.maximum(x, 0.0),
}
OPPONENTS = ("call", "random", "call-or-raise", "fold", "standard")


def preflop_picture(folder: Path, name: str, form: NetworkForm) -> Picture:
    """Draw a 13 x 13 grid per situation and action: pairs on the diagonal, suited above, offsuit below."""
    figure = html.figure(3.1 * len(SITUATIONS), 9.6)
    grid = figure.subplots(len(OUTPUTS), len(SITUATIONS), squeeze=False)
    data: dict[str, Iterable[Any]] = {"class": CLASS_NAMES}
    for column, situation in enumerate(SITUATIONS):
        chances = preflop_chances(form, situation)
        for row, action in enumerate(OUTPUTS):
            axes = grid[row, column]
            image = axes.imshow(chances[:, row].reshape(13, 13), vmin=0, vmax=1, cmap="YlOrRd")
            axes.set_xticks(range(13), "AKQJT98765432", fontsize=6)
            axes.set_yticks(range(13), "AKQJT98765432", fontsize=6)
            axes.tick_params(length=0)
            axes.set_title(f"{action}: {situation.title}", fontsize=7)
            data[f"{action}, {situation.title}"] = chances[:, row]
    figure.colorbar(image, ax=grid, shrink=0.4, label="likelihood of the action")
    caption = (
        "Before the flop at a table of nine with 100 big blinds each: how likely the champion folds, calls and raises "
        "with every hand. Suited hands are above the diagonal."
    )
    return html.save(folder, name, figure, caption, data)


class RecordingPlayer:
    """A network in a seat that records the scaled inputs of all its decisions."""

    def __init__(self, form: NetworkForm) -> None:
        self.network = NetworkPlayer(form)
        self.inputs: list[list[float]] = []

    def watch(self, event: Event) -> None:
        """Pass the event to the network."""
        self.network.watch(event)

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Return the network's action."""
        action = self.network.act(view, rng)
        self.inputs.append(list(self.network.explain()["scaled"]))
        return action


def influence(form: NetworkForm, inputs: Floats) -> Floats:
    """Return each input's influence on each output, (35, 3): mean slope over positions (n, 35) times its deviation.

    Slopes are central differences with a step of a thousandth.
    """
    step = 1e-3
    moved = np.empty((len(INPUTS), len(OUTPUTS)))
    for column in range(len(INPUTS)):
        shift = np.zeros(len(INPUTS))
        shift[column] = step
        slope = (chances_of(form, inputs + shift) - chances_of(form, inputs - shift)) / (2 * step)
        moved[column] = slope.mean(axis=0) * inputs[:, column].std()
    return moved


def chances_of(form: NetworkForm, inputs: Floats) -> Floats:
    """Return likelihoods (n, 3) for scaled inputs (n, 35), in double precision."""
    shape, row = form.shape, form.weights.astype(np.float64)
    first = row[: shape.split].reshape(shape.inputs + 1, shape.hidden)
    last = row[shape.split :].reshape(shape.hidden + 1, shape.outputs)
    sums = inputs @ first[:-1] + first[-1]
    out = ACTIVATIONS[shape.activation](sums) @ last[:-1] + last[-1]
    likely: Floats = np.exp(out - out.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    return likely


def influence_picture(folder: Path, name: str, form: NetworkForm, game: HoldemGame) -> Picture:
    """Draw the effect of one standard deviation of every input on fold, call and raise, in real positions."""
    recorder = RecordingPlayer(form)
    play_match(
        game, [recorder, *map(player, OPPONENTS)], HANDS, key_of(1, "influence"), options=MatchOptions(stacks="rebuy")
    )
    moved = influence(form, np.array(recorder.inputs))
    figure = html.figure(10, 3.6)
    axes = figure.subplots()
    for number, (action, colour) in enumerate(zip(OUTPUTS, ("#98a2b3", "#1d4f91", "#b42318"), strict=True)):
        axes.bar(np.arange(len(INPUTS)) + (number - 1) * 0.27, moved[:, number], 0.27, color=colour, label=action)
    axes.axhline(0, color="#667085", lw=0.8)
    axes.set_xticks(range(len(INPUTS)), INPUTS, rotation=90, fontsize=7)
    axes.set_ylabel("change of likelihood")
    html.legend_outside(figure, axes, 3)
    axes.spines[["top", "right"]].set_visible(False)
    data: dict[str, Iterable[Any]] = {"input": INPUTS}
    data |= {action: moved[:, number] for number, action in enumerate(OUTPUTS)}
    caption = (
        f"The influence of inputs on outputs: the mean slope over {len(recorder.inputs)} decisions in real hands of "
        "six, times one standard deviation of the input there."
    )
    return html.save(folder, name, figure, caption, data)
