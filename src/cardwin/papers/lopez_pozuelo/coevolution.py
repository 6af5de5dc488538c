"""Two populations against each other (5.1.2): figure 5.3, the printed champions, and their results against models.

Fixed before the runs:
- that the populations are in equilibrium is judged in convergence_findings.py. About the printed champions the document
  says only what they win, so their exploitability has no verdict;
- printed averages: the co-evolved players' eight lie within a quarter of the standard error of 1,000 games. Single
  matches would do so twice in a million times, so they are averages of many matches, at least `MIN_MATCHES`. Besides
  noise an average is allowed the register's margin: it is printed to two decimals, and so are the genes that we play;
- "up to" is the best of many matches of 1,000 games. The document does not give their number. It agrees between two
  bounds: the best of `MIN_MATCHES` is below the lower one once in 1,000 times, and the best of `MAX_MATCHES` is above
  the upper one as rarely.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.evolutions import evolve_seeds
from cardwin.papers.lopez_pozuelo.evolved_responses import SAMPLED_GAMES, game_deviation, value_against
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_1, COEVOLVED_2, Player
from cardwin.papers.lopez_pozuelo.trees_and_models import sample_matches
from cardwin.papers.sample import Sample, sample, spread
from cardwin.players.small_games.policies import policy
from cardwin.reports import html
from cardwin.runs.problems.small_game import experiment_of, seats
from cardwin.runs.reader import RunData
from cardwin.solvers import equilibria
from cardwin.solvers.tree import tree_of

MIN_MATCHES, MAX_MATCHES = 1_000, 10_000
GAMES = 1000  # per match
SEATS = ("#1d4f91", "#b42318")
EXPLOITABILITIES = {
    "best_exploitability": "champion",
    "average_exploitability": "population's average",
    "hall_exploitability": "all champions so far, averaged",
}
STYLES, COLOURS = (":", "-", "-"), ("#98a2b3", "#1d4f91", "#2e7d4f")


def coevolve(context: Context, preset: str, seeds: int) -> list[RunData]:
    """Run a co-evolution preset in sampled games over seeds."""
    small: dict[str, Any] = {"population": {"size": 101}, "generations": 100}
    changes = {"fitness": SAMPLED_GAMES, **context.pick(small, {}, {}, {})}
    return evolve_seeds(context, preset, seeds, changes)


def coevolution(context: Context) -> Iterator[Sample]:
    """Draw figure 5.3; yield the exploitability of the printed champions and their results against models."""
    draw(context, "coevolution", coevolve(context, "lopez-coevolution", 1), "Figure 5.3: co-evolution, one run.")
    for player in (COEVOLVED_1, COEVOLVED_2):
        yield sample(
            f"exploitability of the printed {player.name}", exact=exploitability_of(player), genes=player.genes
        )
        yield models_beaten(player)
        yield from against_models(context, player)
    yield sample("the second player's advantage in equilibrium", exact=float(-equilibria.game_value(game_of("kuhn"))))


def exploitability_of(player: Player) -> float:
    """Return the exploitability of a printed chromosome in its seat."""
    return equilibria.exploitability(policy(game_of("kuhn"), "genes:" + player.genes), player.seat).exploitability


def models_beaten(player: Player) -> Sample:
    """Count the models that a printed chromosome beats."""
    values = {model: value_against_model(player, model) for model in player.against}
    count = sum(value > 0 for value in values.values())
    each = ", ".join(f"{model.title()} {value:+.4f}" for model, value in values.items())
    return sample(f"models that the {player.name} beats", exact=count, each=each)


def value_against_model(player: Player, model: str) -> float:
    """Return the exact chips per game of a printed chromosome against a model."""
    tree = tree_of(game_of("kuhn"))
    return float(value_against(tree, policy(tree.game, "genes:" + player.genes), player.seat, model))


def against_models(context: Context, player: Player) -> Iterator[Sample]:
    """Play a printed chromosome against the models, exactly and in matches of 1,000 games: on average, and up to."""
    tree = tree_of(game_of("kuhn"))
    strategy = policy(tree.game, "genes:" + player.genes)
    repeats = context.pick(3, 10, 30, 30)
    for model, (average, top) in player.against.items():
        opponent = policy(tree.game, model).behaviour(1 - player.seat)
        value = value_against_model(player, model)
        error = game_deviation(tree, player.seat, strategy.genes(player.seat), opponent) / GAMES**0.5
        key = context.key("matches", player.name, model)
        behaviours = strategy.behaviour(player.seat), opponent
        played = sample_matches(tree, player.seat, *behaviours, repeats * MAX_MATCHES, GAMES, key)
        matches = played.reshape(repeats, MAX_MATCHES)
        yield sample(
            f"{player.name} against {model.title()}, average",
            spread(matches.mean(axis=1)),
            exact=value,
            published=average,
            error=error / MIN_MATCHES**0.5,
            match_error=error,
            away=(average - value) / error,
        )
        yield sample(
            f"{player.name} against {model.title()}, up to",
            spread(matches.max(axis=1)),
            exact=value,
            published=top,
            error=error,
            min_means=MIN_MATCHES,
            max_means=MAX_MATCHES,
            away=(top - value) / error,
            above=(top - average) / error,
        )


def draw(context: Context, name: str, runs: list[RunData], caption: str) -> None:
    """Draw the average fitness of both populations, and below it the exact exploitabilities, one column per run."""
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
        for (kind, label), style, colour in zip(EXPLOITABILITIES.items(), STYLES, COLOURS, strict=True):
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
