"""Comparison of operators (5.2, Appendices B and C): selection, initialisation, crossover, against the four models.

By exact fitness, over seeds; the abstract's figures and the best curves of Appendix B in sampled games as well.
Fixed before the runs: "equal", "similar" and "balanced" mean within the register's margin of average fitness, by the
whole interval; "better", "faster" and "below" mean more than that, so that no lead is both; the abstract's figures
agree within it. It is a cent: the document prints winnings to cents. "Converging in under 100 generations" (6.1) means
that the average gains at most a cent afterwards. Selective crossover "could" be better: it is measured, not judged.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardwin.core.rng import generator_of
from cardwin.games import game as game_of
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.lopez_pozuelo.answers import PLAYED
from cardwin.papers.lopez_pozuelo.rules import NAMES
from cardwin.papers.register import register
from cardwin.papers.trials import Spread, judged, mean_over, preset_with, spread, trials
from cardwin.players.small_games.policies import policy
from cardwin.reports import html
from cardwin.runs.problems.small_game import seats
from cardwin.solvers import answers
from cardwin.solvers.tree import Floats

COLOURS = ("#1d4f91", "#b42318", "#2e7d4f", "#9a5b00")
REGISTER = register(__package__)
LAST = 500  # generations of the comparison of selections
GENERATIONS = 100  # under which tournament and rank are said to converge


@dataclass(frozen=True)
class Race:
    """One operator against one model: mean and best fitness and the best one's exact value, (seeds, generations)."""

    model: str
    way: str
    mean: Floats
    best: Floats
    best_value: Floats


def races(
    context: Context, presets: str, ways: Sequence[str], seeds: int, last: int, changes: Mapping[str, Any] | None = None
) -> list[Race]:
    """Every operator, a preset each, against every model, with the same seeds."""
    pairs = [(model, way) for model in NAMES for way in ways]
    sizes = {"population": {"size": context.pick(303, 1010, 1010, 1010)}, "generations": last, **(changes or {})}
    chosen = [
        preset_with(f"{presets}-{way}", context.key(model, n), {"first": {"against": [model]}, **sizes})
        for model, way in pairs
        for n in range(seeds)
    ]
    runs = trials(chosen, context.workers)
    found = []
    for number, (model, way) in enumerate(pairs):
        own = [seats(run)[0].metrics for run in runs[number * seeds : (number + 1) * seeds]]
        curves = (np.stack([one[name] for one in own]) for name in ("mean", "best", "best_value"))
        found.append(Race(model, way, *curves))
    return found


def by(found: list[Race], model: str, way: str) -> Race:
    """The race of a model and an operator."""
    return next(race for race in found if (race.model, race.way) == (model, way))


def draw(context: Context, name: str, found: list[Race], caption: str, with_best: bool) -> None:
    """A panel for each model: average fitness, and best fitness below it if `with_best`."""
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
    html.legend_outside(figure, grid[0, 0], len(ways))
    for axes in grid[-1]:
        axes.set_xlabel("generation", fontsize=8)
    context.picture(name, figure, caption + " Dashed: the most that can be won.", curves)


def selection(context: Context) -> Iterator[Finding]:
    """Tournament, rank and roulette over 500 generations (5.6, B.1 to B.8)."""
    seeds, last = context.pick(2, 4, 10, 20), context.pick(120, 500, 500, 500)
    ways = ("tournament", "rank", "roulette", "blend")
    found = races(context, "lopez-selection", ways, seeds, last)
    caption = f"Figures 5.6 and B.1 to B.8: selection, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "selection", found, caption, with_best=True)
    early = min(99, last - 1)
    for figure, model in zip(("B.1", "B.3", "5.6", "B.7"), NAMES, strict=True):
        place = f"Figure {figure}"
        slow, quick = by(found, model, "roulette").mean[:, -1], by(found, model, "tournament").mean[:, early]
        gap, name = spread(slow - quick), f"roulette's lag against {model.title()}"
        yield Finding(
            place,
            name,
            published="roulette stays below",
            **mean_over(gap, "seeds"),
            verdict=verdicts.judge(verdicts.below(REGISTER.margin(name)), gap.ci95 if last >= LAST else None),
            reason=(
                f"average fitness of roulette after {last} generations minus tournament's after {early + 1}: "
                f"{slow.mean():.3f} and {quick.mean():.3f}{_too_short(last, LAST)}"
            ),
        )
        pair = spread(by(found, model, "rank").mean[:, -1] - by(found, model, "tournament").mean[:, -1])
        name = f"rank and tournament against {model.title()}"
        yield Finding(
            place,
            name,
            published="equal",
            **mean_over(pair, "seeds"),
            **judged(verdicts.within(0.0, REGISTER.margin(name)), pair),
            reason=f"average fitness of rank minus tournament after {last} generations",
        )
    yield from converges(found, last)
    yield from played_out(context)


def converges(found: list[Race], last: int) -> Iterator[Finding]:
    """6.1: tournament and rank converge in under 100 generations to winning strategies."""
    place = min(GENERATIONS, last) - 1
    for way in ("tournament", "rank"):
        for model in NAMES:
            mean = by(found, model, way).mean
            won, later = spread(mean[:, place]), spread(mean[:, place:].max(axis=1) - mean[:, place])
            name = f"{way} has converged after {GENERATIONS} generations against {model.title()}, what it gains later"
            yield Finding(
                "6.1",
                name,
                published="under 100 generations",
                **mean_over(later, "seeds"),
                **judged(verdicts.at_most(REGISTER.margin(name)), later),
                reason=f"average fitness {won.mean:.3f} after {place + 1} generations; the most up to {last}, minus it",
            )


def played_out(context: Context) -> Iterator[Finding]:
    """The same in sampled games: the abstract's two averages, and the best curves of Appendix B."""
    seeds, last = context.pick(2, 3, 6, 20), context.pick(100, 500, 500, 500)
    ways = ("tournament", "rank", "roulette")
    found = races(context, "lopez-selection", ways, seeds, last, {"fitness": PLAYED})
    caption = f"Figures 5.6 and B.1 to B.8 in sampled games, as in the document, mean of {seeds} seeds."
    draw(context, "selection-played", found, caption, with_best=True)
    for way, printed, generation in (("tournament", 0.08, 100), ("rank", 0.08, 100), ("roulette", 0.02, 500)):
        ours = spread(by(found, "rational", way).mean[:, min(generation, last) - 1])
        name = f"average wins of {way} selection after {generation} generations, Rational"
        regions, reached = verdicts.within(printed, REGISTER.margin(name)), generation <= last
        yield Finding(
            "Abstract",
            name,
            published=printed,
            **mean_over(ours, "seeds"),
            exact=1 / 12,
            verdict=verdicts.judge(regions, ours.ci95 if reached else None),
            needed=verdicts.runs_needed(regions, ours.ci95, ours.n) if reached else None,
            reason=(
                f"games played out; the exact number is the most that any strategy wins{_too_short(last, generation)}"
            ),
        )
    for figure, model in zip(("B.2", "B.4", "B.6", "B.8"), NAMES, strict=True):
        for way in ways:
            race = by(found, model, way)
            late = slice(-max(1, last // 5), None)
            bias = spread((race.best - race.best_value)[:, late].mean(axis=1))
            yield Finding(
                f"Figure {figure}",
                f"luck in the best curve of {way} against {model.title()}",
                **mean_over(bias, "seeds"),
                verdict=None,
                reason=(
                    f"the best of each of the last {max(1, last // 5)} generations is seen at "
                    f"{race.best[:, late].mean():.3f} and worth {race.best_value[:, late].mean():.3f}"
                ),
            )


def _too_short(last: int, needed: int) -> str:
    """Why a run of so many generations cannot tell, if it is too short."""
    return f"; {needed} generations are needed" if last < needed else ""


def initialisation(context: Context) -> Iterator[Finding]:
    """Random and uniform first generations (5.7, 5.8)."""
    seeds = context.pick(3, 20, 50, 100)
    found = races(context, "lopez-start", ("random", "uniform"), seeds, context.pick(60, 100, 100, 100))
    caption = f"Figures 5.7 and 5.8: initialisation, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "initialisation", found, caption, with_best=False)
    claims = {"bluffer": ("Figure 5.7", "uniform slightly faster"), "safe": ("Figure 5.8", "uniform slightly higher")}
    for model in NAMES:
        place, claim = claims.get(model, ("5.2.2", "similar"))
        yield _compare(place, found, model, "uniform", "random", claim)
        top = spread(by(found, model, "uniform").best[:, -1] - by(found, model, "random").best[:, -1])
        name = f"best fitness of uniform or random against {model.title()}"
        yield Finding(
            "5.2.2",
            name,
            published="similar",
            **mean_over(top, "seeds"),
            **judged(verdicts.within(0.0, REGISTER.margin(name)), top),
            reason="uniform minus random in the last generation",
        )
    yield Finding(
        "4.2",
        "the distribution of purely random values",
        published="normal",
        exact="uniform",
        verdict=verdicts.stated(_is_normal(context.key("java"))),
        reason="Java's nextDouble is uniform: both ways draw from the same distribution, one of them evenly",
    )


def _is_normal(key: int) -> bool:
    """Whether values drawn as Java's nextDouble does, uniform in [0, 1), pass for normal (Kolmogorov and Smirnov)."""
    from scipy.stats import kstest

    drawn = generator_of(key).random(10_000)
    return bool(kstest(drawn, "norm", (drawn.mean(), drawn.std())).pvalue > 0.001)


def crossover(context: Context) -> Iterator[Finding]:
    """Uniform and one-point crossover (5.9, C.1 to C.4), and the selective one that the document suggests."""
    seeds = context.pick(3, 20, 50, 100)
    ways = ("uniform", "one-point", "selective")
    found = races(context, "lopez-crossover", ways, seeds, context.pick(60, 100, 100, 100))
    caption = f"Figures 5.9 and C.1 to C.4: crossover, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "crossover", found, caption, with_best=False)
    for figure, model in zip(("C.1", "C.2", "5.9", "C.4"), NAMES, strict=True):
        claim = "uniform slightly better" if model == "rational" else "balanced"
        yield _compare(f"Figure {figure}", found, model, "uniform", "one-point", claim)
    for model in NAMES:
        gain = _lead(found, model, "selective", "uniform")
        yield Finding(
            "6.2",
            f"selective crossover against {model.title()}",
            published="could be better",
            **mean_over(gain, "seeds"),
            verdict=None,
            reason="average fitness over all generations, selective minus uniform (its reference 8)",
        )


def _lead(found: list[Race], model: str, one: str, other: str) -> Spread:
    """The difference of two operators' average fitness over all generations, seed by seed."""
    return spread((by(found, model, one).mean - by(found, model, other).mean).mean(axis=1))


def _compare(place: str, found: list[Race], model: str, one: str, other: str, claim: str) -> Finding:
    lead, name = _lead(found, model, one, other), f"{one} or {other} against {model.title()}"
    margin = REGISTER.margin(name)
    return Finding(
        place,
        name,
        published=claim,
        **mean_over(lead, "seeds"),
        **judged(verdicts.above(margin) if claim.startswith(one) else verdicts.within(0.0, margin), lead),
        reason=f"average fitness over all generations, {one} minus {other}, seed by seed",
    )
