"""Two populations against each other (5.1.2): figure 5.3, the printed champions, and their results against models.

Fixed before the runs:
- a printed champion is an equilibrium strategy if its exploitability is at most `NEAR` chips;
- "no bluffing" and "no sandbagging" mean that the jack is bet, or the king checked, at most `SELDOM_DONE` of the time;
- printed averages: the co-evolved players' eight lie within a quarter of the standard error of 1,000 games; single
  matches would do so twice in a million times, so they are averages of many matches, at least `MATCHES`. Besides
  noise an average is allowed `CLOSE`: it is printed to two places, and so are the genes that we play;
- "up to" is the best of many matches of 1,000 games; the document does not give their number: here `LUCKY`.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from cardwin.games import game as game_of
from cardwin.papers import Context, Finding
from cardwin.papers import old_rules as verdicts
from cardwin.papers.lopez_pozuelo.answers import deviation
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_1, COEVOLVED_2, Player
from cardwin.papers.lopez_pozuelo.rest import NEAR, late
from cardwin.papers.lopez_pozuelo.rules import play_out
from cardwin.papers.trials import mean_over, preset_with, spread, trials
from cardwin.players.small_games.policies import policy
from cardwin.reports import html
from cardwin.runs.problems.small_game import experiment_of, seats
from cardwin.runs.reader import RunData
from cardwin.solvers import answers, exact
from cardwin.solvers.tree import tree_of

CLOSE = 0.01
MATCHES, MOST_MATCHES = 1_000, 10_000
GAMES = 1000  # of a match
SELDOM_DONE = 0.05
SEATS = ("#1d4f91", "#b42318")
YARDSTICKS = {
    "best_exploitability": "champion",
    "average_exploitability": "population's average",
    "hall_exploitability": "all champions so far, averaged",
}


def runs_of(context: Context, preset: str) -> list[RunData]:
    """The runs of a co-evolution preset."""
    seeds, last = context.pick(2, 8, 16, 20), context.pick(250, 1000, 1000, 1000)
    return trials(
        [preset_with(preset, context.key(preset, n), {"generations": last}) for n in range(seeds)], context.workers
    )


def coevolution(context: Context) -> Iterator[Finding]:
    """Figure 5.3, the printed champions, and the exploitability of all of them."""
    runs = runs_of(context, "lopez-coevolution")
    draw(context, "coevolution", runs[:1], "Figure 5.3: co-evolution of Kuhn poker, one run.")
    yield from deceptions(runs)
    for player in (COEVOLVED_1, COEVOLVED_2):
        yield exploited(player, "5.1.2", "a Nash equilibrium")
        yield from against_models(context, player, "5.1.2")
    yield Finding(
        "5.1.2",
        "the second player's advantage in equilibrium",
        published="the second seat is better",
        exact=float(-answers.game_value(game_of("kuhn"))),
        verdict=verdicts.exactly_above(float(-answers.game_value(game_of("kuhn")))),
        reason="the game's value for the second seat, twice of which lies between the seats",
    )


def deceptions(runs: list[RunData]) -> Iterator[Finding]:
    """Whether co-evolved players bet their lowest card or check their highest, ours and the printed ones."""
    right = {(0, "B_J"): "0 to 1/3", (1, "B_J"): "1/3", (0, "B_K"): "0 to 1", (1, "B_K"): "1"}
    for (seat, gene), equilibria in right.items():
        bluff = gene == "B_J"
        own = np.array([late(seats(run)[seat].arrays["gene_mean"])[:, 0 if bluff else 2].mean() for run in runs])
        ours = spread(own if bluff else 1 - own, shares=True)
        printed = [float(text) for text in (COEVOLVED_1, COEVOLVED_2)[seat].genes.split(",")][0 if bluff else 2]
        what = "bluffs" if bluff else "sandbags"
        yield Finding(
            "6.1",
            f"co-evolved player {seat + 1} {what}, share of the {'jacks bet' if bluff else 'kings checked'}",
            published="no",
            **mean_over(ours, "seeds"),
            exact=f"equilibria: {gene} {equilibria}",
            verdict=verdicts.close(0.0, ours.ci95, SELDOM_DONE),
            reason=f"its own champion has {gene} = {printed:g}",
        )


def gap_of(player: Player) -> float:
    """The exploitability of a printed chromosome in its seat."""
    return answers.exploitability(policy(game_of("kuhn"), "genes:" + player.genes), player.seat).exploitability


def exploited(player: Player, place: str, claim: str) -> Finding:
    """Whether a printed chromosome plays an equilibrium."""
    gap = gap_of(player)
    return Finding(
        place,
        f"exploitability of the printed {player.name}",
        published=claim,
        exact=gap,
        verdict=verdicts.equilibrium(gap, NEAR),
        reason=f"{player.genes}: the game's value minus what it is sure of; 0 in equilibrium",
    )


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
            verdict=verdicts.one_mean(average, value, error / MATCHES**0.5, CLOSE),
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
            verdict=verdicts.best_of_matches(most, value, error, MOST_MATCHES, CLOSE),
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
        above.axhline(-1 / 18, color="#667085", lw=0.8, ls="--", label="−1/18, the game's value")
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
    for axes in grid[:, 0]:
        axes.legend(fontsize=7, framealpha=0.85, edgecolor="none")
    for axes in grid.ravel():
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=7)
    context.picture(name, figure, caption, curves)
