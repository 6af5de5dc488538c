"""Which operators serve best (5.2, Appendices B and C): selection, initialisation, crossover, against the four models.

All by exact fitness: differences that the document saw in single noisy runs are measured over seeds.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardwin.games import game as game_of
from cardwin.lab import html
from cardwin.lab.papers import AGREES, DIFFERS, Context, Finding
from cardwin.lab.papers.lopez_pozuelo.rules import NAMES
from cardwin.lab.papers.trials import Spread, preset_with, spread, trials
from cardwin.lab.problems.small_game import seats
from cardwin.players.policies import policy
from cardwin.solvers import answers
from cardwin.solvers.tree import Floats

COLOURS = ("#1d4f91", "#b42318", "#2e7d4f", "#9a5b00")


@dataclass(frozen=True)
class Race:
    """One way of breeding against one model: mean and best fitness by generation, (seeds, generations)."""

    model: str
    way: str
    mean: Floats
    best: Floats


def races(context: Context, presets: str, ways: Sequence[str], seeds: int, last: int) -> list[Race]:
    """Every way, a preset each, against every model, with the same seeds."""
    pairs = [(model, way) for model in NAMES for way in ways]
    sizes = {"population": {"size": context.pick(303, 1010, 1010, 1010)}, "generations": last}
    chosen = [
        preset_with(f"{presets}-{way}", context.key(model, n), {"first": {"against": [model]}, **sizes})
        for model, way in pairs
        for n in range(seeds)
    ]
    runs = trials(chosen, context.workers)
    found = []
    for number, (model, way) in enumerate(pairs):
        own = [seats(run)[0].metrics for run in runs[number * seeds : (number + 1) * seeds]]
        found.append(Race(model, way, np.stack([n["mean"] for n in own]), np.stack([n["best"] for n in own])))
    return found


def by(found: list[Race], model: str, way: str) -> Race:
    """The race of a model and a way."""
    return next(race for race in found if (race.model, race.way) == (model, way))


def draw(context: Context, name: str, found: list[Race], caption: str, with_best: bool) -> None:
    """A panel a model: average fitness, and best fitness below where asked for."""
    kinds = ["mean", "best"] if with_best else ["mean"]
    figure = html.figure(11, 2.7 * len(kinds))
    grid = figure.subplots(len(kinds), len(NAMES), squeeze=False, sharex=True)
    curves: dict[str, Iterable[Any]] = {"generation": range(found[0].mean.shape[1])}
    ways = list(dict.fromkeys(race.way for race in found))
    for column, model in enumerate(NAMES):
        most = float(answers.best_response(policy(game_of("kuhn"), model), 0).value)
        for row, kind in enumerate(kinds):
            axes = grid[row, column]
            for way in ways:
                line = getattr(by(found, model, way), kind).mean(axis=0)
                axes.plot(line, lw=1.1, color=COLOURS[ways.index(way)], label=way)
                curves[f"{model}, {way}, {kind}"] = line
            axes.axhline(most, color="#98a2b3", lw=0.8, ls="--")
            axes.set_title(f"{model.title()}: {'average' if kind == 'mean' else 'best'} fitness", fontsize=8)
            axes.tick_params(labelsize=7)
            axes.spines[["top", "right"]].set_visible(False)
    grid[0, 0].legend(fontsize=7, frameon=False)
    for axes in grid[-1]:
        axes.set_xlabel("generation", fontsize=8)
    context.picture(name, figure, caption + " Dashed: the most that can be won.", curves)


def selection(context: Context) -> Iterator[Finding]:
    """Tournament, rank and roulette over 500 generations (5.6, B.1 to B.8)."""
    seeds, last = context.pick(1, 3, 20, 10), context.pick(150, 500, 500, 500)
    found = races(context, "lopez-selection", ("tournament", "rank", "roulette", "blend"), seeds, last)
    caption = f"Figures 5.6 and B.1 to B.8: selection, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "selection", found, caption, with_best=True)
    for model in NAMES:
        slow = by(found, model, "roulette").mean[:, -1]
        quick = by(found, model, "tournament").mean[:, min(100, last - 1)]
        gap = spread(slow - quick)
        verdict = AGREES if gap.mean < 0 else DIFFERS
        reason = (
            f"average fitness of roulette after {last} generations minus tournament's after {min(100, last - 1)}: "
            f"{slow.mean():.3f} and {quick.mean():.3f}"
        )
        claim = "roulette stays below"
        yield Finding(
            f"5.2.1: roulette's lag against {model.title()}", claim, gap.mean, gap.ci95, None, verdict, reason
        )
        pair = spread(by(found, model, "rank").mean[:, -1] - by(found, model, "tournament").mean[:, -1])
        verdict = AGREES if abs(pair.mean) < 0.01 else DIFFERS
        reason = f"average fitness of rank minus tournament after {last} generations"
        yield Finding(
            f"5.2.1: rank and tournament against {model.title()}", "equal", pair.mean, pair.ci95, 0.0, verdict, reason
        )


def initialisation(context: Context) -> Iterator[Finding]:
    """Random and uniform first generations (5.7, 5.8)."""
    seeds = context.pick(2, 12, 100, 30)
    found = races(context, "lopez-start", ("random", "uniform"), seeds, context.pick(60, 100, 100, 100))
    caption = f"Figures 5.7 and 5.8: initialisation, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "initialisation", found, caption, with_best=False)
    claims = {"bluffer": "uniform slightly faster", "safe": "uniform slightly higher"}
    for model in NAMES:
        yield _compare("5.2.2", found, model, "uniform", "random", claims.get(model, "similar"))
    yield Finding(
        "5.2.2: the purely random values are normally distributed",
        "normal",
        "uniform",
        None,
        "uniform",
        "mistaken",
        "Java's nextDouble is uniform: both ways draw from the same distribution, one of them evenly",
    )


def crossover(context: Context) -> Iterator[Finding]:
    """Uniform and one-point crossover (5.9, C.1 to C.4), and the selective one that the document hoped for."""
    seeds = context.pick(2, 12, 100, 30)
    ways = ("uniform", "one-point", "selective")
    found = races(context, "lopez-crossover", ways, seeds, context.pick(60, 100, 100, 100))
    caption = f"Figures 5.9 and C.1 to C.4: crossover, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "crossover", found, caption, with_best=False)
    for model in NAMES:
        claim = "uniform slightly better" if model == "rational" else "balanced"
        yield _compare("5.2.3", found, model, "uniform", "one-point", claim)
    for model in NAMES:
        gain = _lead(found, model, "selective", "uniform")
        reason = (
            "average fitness over all generations, selective minus uniform (its reference 8, left to further research)"
        )
        verdict = _told(gain)
        name = f"6.2: selective crossover against {model.title()}"
        yield Finding(name, "could be better", gain.mean, gain.ci95, None, verdict, reason)


def _lead(found: list[Race], model: str, one: str, other: str) -> Spread:
    """How far one way's average fitness lies above the other's over all generations, seed by seed."""
    return spread((by(found, model, one).mean - by(found, model, other).mean).mean(axis=1))


def _told(lead: Spread) -> str:
    if lead.ci95 is None or lead.ci95[0] <= 0 <= lead.ci95[1]:
        return "no difference measured"
    return "better" if lead.mean > 0 else "worse"


def _compare(section: str, found: list[Race], model: str, one: str, other: str, claim: str) -> Finding:
    lead = _lead(found, model, one, other)
    told = _told(lead)
    claims_more = claim.startswith(one)
    agrees = told == "better" if claims_more else abs(lead.mean) < 0.01
    verdict = AGREES if agrees else told
    reason = f"average fitness over all generations, {one} minus {other}, seed by seed"
    return Finding(
        f"{section}: {one} or {other} against {model.title()}", claim, lead.mean, lead.ci95, None, verdict, reason
    )
