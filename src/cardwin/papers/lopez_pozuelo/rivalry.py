"""Two populations against each other (5.1.2): figure 5.3, the printed champions, and their results against models.

Fixed before the runs:
- that the populations are in equilibrium is judged in settling.py; of the printed champions the document says only what
  they win, so their exploitability has no verdict;
- printed averages: the co-evolved players' eight lie within a quarter of the standard error of 1,000 games; single
  matches would do so twice in a million times, so they are averages of many matches, at least `MATCHES`. Besides
  noise an average is allowed `CLOSE`: it is printed to two places, and so are the genes that we play;
- "up to" is the best of many matches of 1,000 games. The document does not give their number: from `MATCHES`, whose
  best is lower once in 1,000 times, to `MOST_MATCHES`, whose best is higher once in 1,000 times. Between, it agrees.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from scipy.special import ndtri

from cardwin.games import game as game_of
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.lopez_pozuelo.answers import PLAYED, deviation
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_1, COEVOLVED_2, Player
from cardwin.papers.lopez_pozuelo.rules import play_out
from cardwin.papers.randomness import ONCE_IN, selection_bias
from cardwin.papers.trials import preset_with, spread, trials
from cardwin.players.small_games.policies import policy
from cardwin.reports import html
from cardwin.runs.problems.small_game import experiment_of, seats
from cardwin.runs.reader import RunData
from cardwin.solvers import answers, exact
from cardwin.solvers.tree import tree_of

CLOSE = 0.01
MATCHES, MOST_MATCHES = 1_000, 10_000
GAMES = 1000  # of a match
SEATS = ("#1d4f91", "#b42318")
YARDSTICKS = {
    "best_exploitability": "champion",
    "average_exploitability": "population's average",
    "hall_exploitability": "all champions so far, averaged",
}


def runs_of(context: Context, preset: str, seeds: int) -> list[RunData]:
    """The runs of a co-evolution preset, in games played out."""
    small: dict[str, Any] = {"population": {"size": 101}, "generations": 100}
    changes = {"fitness": PLAYED, **context.pick(small, {}, {}, {})}
    return trials([preset_with(preset, context.key(preset, n), changes) for n in range(seeds)], context.workers)


def coevolution(context: Context) -> Iterator[Finding]:
    """Figure 5.3, the printed champions, and the exploitability of all of them."""
    draw(context, "coevolution", runs_of(context, "lopez-coevolution", 1), "Figure 5.3: co-evolution, one run.")
    for player in (COEVOLVED_1, COEVOLVED_2):
        yield exploited(player)
        yield beaten(player)
        yield from against_models(context, player, "5.1.2")
    yield Finding(
        "5.1.2",
        "the second player's advantage in equilibrium",
        published="the second seat is better",
        exact=float(-answers.game_value(game_of("kuhn"))),
        verdict=verdicts.judge(verdicts.above(0.0), float(-answers.game_value(game_of("kuhn")))),
        reason="the game's value for the second seat, twice of which lies between the seats",
    )


def gap_of(player: Player) -> float:
    """The exploitability of a printed chromosome in its seat."""
    return answers.exploitability(policy(game_of("kuhn"), "genes:" + player.genes), player.seat).exploitability


def exploited(player: Player) -> Finding:
    """How far a printed chromosome is from an equilibrium."""
    return Finding(
        "5.1.2",
        f"exploitability of the printed {player.name}",
        exact=gap_of(player),
        verdict=None,
        reason=f"{player.genes}: the game's value minus what it is sure of; nobody calls it an equilibrium",
    )


def beaten(player: Player) -> Finding:
    """How many of the four models a printed chromosome beats."""
    printed = sum(average > 0 for average, _ in player.against.values())
    values = [value_of(player, model) for model in player.against]
    return Finding(
        "5.1.2",
        f"models that the {player.name} beats",
        published=printed,
        exact=sum(value > 0 for value in values),
        verdict=verdicts.judge(verdicts.within(printed, 0), float(sum(value > 0 for value in values))),
        reason=", ".join(f"{model.title()} {value:+.4f}" for model, value in zip(player.against, values, strict=True)),
    )


def best_match(value: float, error: float) -> verdicts.Regions:
    """Where the best of many matches is expected, with their standard error, beside the value of one."""
    low = value + float(ndtri(ONCE_IN ** (-1 / MATCHES))) * error - CLOSE
    high = value + selection_bias(error, MOST_MATCHES) + CLOSE
    return verdicts.within((low + high) / 2, (high - low) / 2)


def value_of(player: Player, model: str) -> float:
    """Chips a game of a printed chromosome against a model."""
    tree = tree_of(game_of("kuhn"))
    own, opponent = policy(tree.game, "genes:" + player.genes), policy(tree.game, model)
    pair = (own.exact(0), opponent.exact(1)) if player.seat == 0 else (opponent.exact(0), own.exact(1))
    return float(exact.value(tree, *pair)) * (1 if player.seat == 0 else -1)


def against_models(context: Context, player: Player, place: str) -> Iterator[Finding]:
    """On average, up to: the printed chromosome against the models, exactly and in matches of 1,000 games."""
    tree = tree_of(game_of("kuhn"))
    own = policy(tree.game, "genes:" + player.genes)
    repeats = context.pick(3, 10, 30, 30)
    for model, (average, most) in player.against.items():
        opponent = policy(tree.game, model).behaviour(1 - player.seat)
        value = value_of(player, model)
        error = deviation(tree, player.seat, own.genes(player.seat), opponent) / GAMES**0.5
        key = context.key("matches", player.name, model)
        behaviours = own.behaviour(player.seat), opponent
        played = play_out(tree, player.seat, *behaviours, repeats * MOST_MATCHES, GAMES, key).reshape(
            repeats, MOST_MATCHES
        )
        mean, top = spread(played.mean(axis=1)), spread(played.max(axis=1))
        yield Finding(
            place,
            f"{player.name} against {model.title()}, average",
            published=average,
            measured=mean.mean,
            ci95=mean.ci95,
            over=f"{repeats} times {MOST_MATCHES:,} matches",
            exact=value,
            verdict=verdicts.judge(verdicts.one_mean(value, error / MATCHES**0.5, CLOSE), average),
            reason=f"{(average - value) / error:+.1f} standard errors of one match of 1,000 games ({error:.3f}) away",
        )
        yield Finding(
            place,
            f"{player.name} against {model.title()}, up to",
            published=most,
            measured=top.mean,
            ci95=top.ci95,
            over=f"{repeats} times {MOST_MATCHES:,} matches",
            exact=value,
            verdict=verdicts.judge(best_match(value, error), most),
            reason=(
                f"{(most - value) / error:.1f} standard errors above what it is worth, {(most - average) / error:.1f} "
                f"above its printed average; ours is the luckiest of {MOST_MATCHES:,}"
            ),
        )


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
        value = float(answers.game_value(game_of(game)))
        above.axhline(value, color="#667085", lw=0.8, ls="--", label="the game's value to player 1")
        for kind, style in zip(YARDSTICKS, (":", "-", "-"), strict=True):
            total = np.mean([series.metrics[kind] for series in seats(run).values()], axis=0)
            colour = {"best_exploitability": "#98a2b3", "average_exploitability": "#1d4f91"}.get(kind, "#2e7d4f")
            below.plot(seats(run)[0].generation, total, style, lw=0.9, color=colour, label=YARDSTICKS[kind])
            curves[f"{game}: exploitability, {YARDSTICKS[kind]}"] = total
        below.set_yscale("log")
        below.set_xlabel("generation")
        above.set_title(game, fontsize=9)
    grid[0, 0].set_ylabel("average fitness")
    grid[1, 0].set_ylabel("exploitability")
    html.legend_outside(figure, grid[0, 0], 3)
    html.legend_outside(figure, grid[1, 0], 3, "outside lower left")
    for axes in grid.ravel():
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=7)
    context.picture(name, figure, caption, curves)
