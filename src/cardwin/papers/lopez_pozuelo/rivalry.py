"""Two populations against each other (5.1.2): figure 5.3, the printed champions, and their results against models.

Fixed before the runs:
- that the populations are in equilibrium is judged in settling.py; of the printed champions the document says only what
  they win, so their exploitability has no verdict;
- printed averages: the co-evolved players' eight lie within a quarter of the standard error of 1,000 games; single
  matches would do so twice in a million times, so they are averages of many matches, at least `MATCHES`. Besides
  noise an average is allowed the register's margin: it is printed to two places, and so are the genes that we play;
- "up to" is the best of many matches of 1,000 games. The document does not give their number: from `MATCHES`, whose
  best is lower once in 1,000 times, to `MOST_MATCHES`, whose best is higher once in 1,000 times. Between, it agrees.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.answers import PLAYED, deviation, value_of
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_1, COEVOLVED_2, Player
from cardwin.papers.lopez_pozuelo.rules import play_out
from cardwin.papers.sample import Sample, sample, spread
from cardwin.papers.trials import preset_with, trials
from cardwin.players.small_games.policies import policy
from cardwin.reports import html
from cardwin.runs.problems.small_game import experiment_of, seats
from cardwin.runs.reader import RunData
from cardwin.solvers import equilibria
from cardwin.solvers.tree import tree_of

MATCHES, MOST_MATCHES = 1_000, 10_000
GAMES = 1000  # of a match
SEATS = ("#1d4f91", "#b42318")
YARDSTICKS = {
    "best_exploitability": "champion",
    "average_exploitability": "population's average",
    "hall_exploitability": "all champions so far, averaged",
}
STYLES, COLOURS = (":", "-", "-"), ("#98a2b3", "#1d4f91", "#2e7d4f")


def runs_of(context: Context, preset: str, seeds: int) -> list[RunData]:
    """The runs of a co-evolution preset, in games played out."""
    small: dict[str, Any] = {"population": {"size": 101}, "generations": 100}
    changes = {"fitness": PLAYED, **context.pick(small, {}, {}, {})}
    return trials([preset_with(preset, context.key(preset, n), changes) for n in range(seeds)], context.workers)


def coevolution(context: Context) -> Iterator[Sample]:
    """Figure 5.3, the printed champions, and the exploitability of all of them."""
    draw(context, "coevolution", runs_of(context, "lopez-coevolution", 1), "Figure 5.3: co-evolution, one run.")
    for player in (COEVOLVED_1, COEVOLVED_2):
        yield sample(f"exploitability of the printed {player.name}", exact=gap_of(player), genes=player.genes)
        yield beaten(player)
        yield from against_models(context, player)
    yield sample("the second player's advantage in equilibrium", exact=float(-equilibria.game_value(game_of("kuhn"))))


def gap_of(player: Player) -> float:
    """The exploitability of a printed chromosome in its seat."""
    return equilibria.exploitability(policy(game_of("kuhn"), "genes:" + player.genes), player.seat).exploitability


def beaten(player: Player) -> Sample:
    """How many of the four models a printed chromosome beats."""
    values = {model: won_by(player, model) for model in player.against}
    count = sum(value > 0 for value in values.values())
    each = ", ".join(f"{model.title()} {value:+.4f}" for model, value in values.items())
    return sample(f"models that the {player.name} beats", exact=count, each=each)


def won_by(player: Player, model: str) -> float:
    """Chips a game of a printed chromosome against a model."""
    tree = tree_of(game_of("kuhn"))
    return float(value_of(tree, policy(tree.game, "genes:" + player.genes), player.seat, model))


def against_models(context: Context, player: Player) -> Iterator[Sample]:
    """On average, up to: the printed chromosome against the models, exactly and in matches of 1,000 games."""
    tree = tree_of(game_of("kuhn"))
    own = policy(tree.game, "genes:" + player.genes)
    repeats = context.pick(3, 10, 30, 30)
    for model, (average, top) in player.against.items():
        opponent = policy(tree.game, model).behaviour(1 - player.seat)
        value = won_by(player, model)
        error = deviation(tree, player.seat, own.genes(player.seat), opponent) / GAMES**0.5
        key = context.key("matches", player.name, model)
        behaviours = own.behaviour(player.seat), opponent
        played = play_out(tree, player.seat, *behaviours, repeats * MOST_MATCHES, GAMES, key)
        matches = played.reshape(repeats, MOST_MATCHES)
        yield sample(
            f"{player.name} against {model.title()}, average", spread(matches.mean(axis=1)), exact=value,
            published=average, error=error / MATCHES**0.5, one=error, away=(average - value) / error,
        )  # fmt: skip
        yield sample(
            f"{player.name} against {model.title()}, up to", spread(matches.max(axis=1)), exact=value, published=top,
            error=error, fewest=MATCHES, most=MOST_MATCHES, away=(top - value) / error, above=(top - average) / error,
        )  # fmt: skip


def draw(context: Context, name: str, runs: list[RunData], caption: str) -> None:
    """Average fitness of both populations, and below it the exact exploitabilities, a column for each run."""
    figure = html.figure(min(11, 4 + 3.5 * len(runs)), 5)
    grid = figure.subplots(2, len(runs), squeeze=False, sharex="col")
    curves: dict[str, Iterable[Any]] = {}
    for column, run in enumerate(runs):
        game = experiment_of(run).game
        above, below = grid[:, column]
        for seat, series in seats(run).items():
            label = f"population {seat + 1}"
            above.plot(series.generation, series.metrics["mean"], lw=0.7, color=SEATS[seat], label=label)
            curves |= {f"{game}: generation": series.generation, f"{game}: {label}": series.metrics["mean"]}
        value = float(equilibria.game_value(game_of(game)))
        above.axhline(value, color="#667085", lw=0.8, ls="--", label="the game's value to player 1")
        for (kind, label), style, colour in zip(YARDSTICKS.items(), STYLES, COLOURS, strict=True):
            total = np.mean([series.metrics[kind] for series in seats(run).values()], axis=0)
            below.plot(seats(run)[0].generation, total, style, lw=0.9, color=colour, label=label)
            curves[f"{game}: exploitability, {label}"] = total
        below.set_yscale("log")
        below.set_xlabel("generation")
        above.set_title(game, fontsize=9)
    grid[0, 0].set_ylabel("average fitness")
    grid[1, 0].set_ylabel("exploitability")
    html.legend_outside(figure, grid[0, 0], 3)
    html.legend_outside(figure, grid[1, 0], 3, "outside lower left")
    for axes in grid.ravel():
        axes.tick_params(labelsize=7)
    context.picture(name, figure, caption, curves)
