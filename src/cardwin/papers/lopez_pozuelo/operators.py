"""Comparison of operators (5.2, Appendices B and C): selection, initialisation, crossover, against the four models.

By exact fitness, over seeds; the abstract's figures and the best curves of Appendix B in sampled games as well.
Fixed before the runs: "equal", "similar" and "balanced" mean within the register's margin of average fitness, by the
whole interval; "better", "faster" and "below" mean more than that, so that no lead is both; the abstract's figures
agree within it. It is a cent: the document prints winnings to cents. "Converging in under 100 generations" (6.1) means
that the average gains at most a cent afterwards. Selective crossover "could" be better: it is measured, not judged.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of
from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.answers import PLAYED
from cardwin.papers.lopez_pozuelo.rules import NAMES
from cardwin.papers.sample import Sample, Spread, sample, spread
from cardwin.papers.trials import preset_with, trials
from cardwin.players.small_games.policies import policy
from cardwin.reports import html
from cardwin.runs.problems.small_game import seats
from cardwin.solvers import equilibria

COLOURS = ("#1d4f91", "#b42318", "#2e7d4f", "#9a5b00")
LAST = 500  # generations of the comparison of selections
GENERATIONS = 100  # under which tournament and rank are said to converge
WAYS = ("tournament", "rank", "roulette")
# By model and operator: mean, best, and the best one's exact value (best_value), each (seeds, generations).
Races = Mapping[tuple[str, str], Mapping[str, Floats]]


def races(
    context: Context, presets: str, ways: Sequence[str], seeds: int, last: int, changes: Mapping[str, Any] | None = None
) -> Races:
    """Evolve with every operator, a preset each, against every model, with the same seeds."""
    pairs = [(model, way) for model in NAMES for way in ways]
    sizes = {"population": {"size": context.pick(303, 1010, 1010, 1010)}, "generations": last, **(changes or {})}
    experiments = [
        preset_with(f"{presets}-{way}", context.key(model, n), {"first": {"against": [model]}, **sizes})
        for model, way in pairs
        for n in range(seeds)
    ]
    runs = [seats(run)[0].metrics for run in trials(experiments, context.workers)]
    return {
        pair: {name: np.stack([run[name] for run in runs[n * seeds : (n + 1) * seeds]])
               for name in ("mean", "best", "best_value")}
        for n, pair in enumerate(pairs)
    }  # fmt: skip


def draw(context: Context, name: str, found: Races, caption: str, kinds: Sequence[str]) -> None:
    """A panel for each model and each kind of fitness: mean, best."""
    figure = html.figure(11, 2.7 * len(kinds))
    grid = figure.subplots(len(kinds), len(NAMES), squeeze=False, sharex=True)
    curves: dict[str, Iterable[Any]] = {"generation": range(next(iter(found.values()))["mean"].shape[1])}
    ways = list(dict.fromkeys(way for _, way in found))
    for column, model in enumerate(NAMES):
        best = float(equilibria.best_response(policy(game_of("kuhn"), model), 0).value)
        for axes, kind in zip(grid[:, column], kinds, strict=True):
            for way, colour in zip(ways, COLOURS, strict=False):
                curves[f"{model}, {way}, {kind}"] = line = found[model, way][kind].mean(axis=0)
                axes.plot(line, lw=1.1, color=colour, label=way)
            axes.axhline(best, color="#98a2b3", lw=0.8, ls="--")
            axes.set_title(f"{model.title()}: {'average' if kind == 'mean' else 'best'} fitness", fontsize=8)
            axes.tick_params(labelsize=7)
        axes.set_xlabel("generation", fontsize=8)
    html.legend_outside(figure, grid[0, 0], len(ways))
    context.picture(name, figure, caption + " Dashed: the most that can be won.", curves)


def selection(context: Context) -> Iterator[Sample]:
    """Tournament, rank and roulette over 500 generations (5.6, B.1 to B.8)."""
    seeds, last = context.pick(2, 4, 10, 20), context.pick(120, 500, 500, 500)
    found = races(context, "lopez-selection", (*WAYS, "blend"), seeds, last)
    caption = f"Figures 5.6 and B.1 to B.8: selection, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "selection", found, caption, ("mean", "best"))
    early = min(99, last - 1)
    for figure, model in zip(("B.1", "B.3", "5.6", "B.7"), NAMES, strict=True):
        tournament, rank, roulette = (found[model, way]["mean"] for way in WAYS)
        gap = spread(roulette[:, -1] - tournament[:, early])
        yield sample(
            f"roulette's lag against {model.title()}", gap, place=f"Figure {figure}",
            judged=gap if last >= LAST else None, last=last, early=early + 1, short=_too_short(last, LAST),
            slow=roulette[:, -1].mean(), quick=tournament[:, early].mean(),
        )  # fmt: skip
        name, gap = f"rank and tournament against {model.title()}", spread(rank[:, -1] - tournament[:, -1])
        yield sample(name, gap, place=f"Figure {figure}", last=last)
    yield from converges(found, last)
    yield from played_out(context)


def converges(found: Races, last: int) -> Iterator[Sample]:
    """6.1: tournament and rank converge in under 100 generations to winning strategies."""
    place = min(GENERATIONS, last) - 1
    for way in ("tournament", "rank"):
        for model in NAMES:
            mean = found[model, way]["mean"]
            name = f"{way} has converged after {GENERATIONS} generations against {model.title()}, what it gains later"
            later = spread(mean[:, place:].max(axis=1) - mean[:, place])
            yield sample(name, later, won=spread(mean[:, place]).mean, at=place + 1, last=last)


def played_out(context: Context) -> Iterator[Sample]:
    """The same in sampled games: the abstract's two averages, and the best curves of Appendix B."""
    seeds, last = context.pick(2, 3, 6, 20), context.pick(100, 500, 500, 500)
    found = races(context, "lopez-selection", WAYS, seeds, last, {"fitness": PLAYED})
    caption = f"Figures 5.6 and B.1 to B.8 in sampled games, as in the document, mean of {seeds} seeds."
    draw(context, "selection-played", found, caption, ("mean", "best"))
    for way, generation in (("tournament", 100), ("rank", 100), ("roulette", 500)):
        ours = spread(found["rational", way]["mean"][:, min(generation, last) - 1])
        name = f"average wins of {way} selection after {generation} generations, Rational"
        judged = ours if generation <= last else None
        yield sample(name, ours, exact=1 / 12, judged=judged, short=_too_short(last, generation))
    late = max(1, last // 5)
    for figure, model in zip(("B.2", "B.4", "B.6", "B.8"), NAMES, strict=True):
        for way in WAYS:
            seen, worth = (found[model, way][kind][:, -late:] for kind in ("best", "best_value"))
            name, bias = f"luck in the best curve of {way} against {model.title()}", spread((seen - worth).mean(axis=1))
            yield sample(name, bias, place=f"Figure {figure}", late=late, seen=seen.mean(), worth=worth.mean())


def _too_short(last: int, needed: int) -> str:
    """Return why a run of so many generations cannot tell, if it is too short."""
    return f"; {needed} generations are needed" if last < needed else ""


def initialisation(context: Context) -> Iterator[Sample]:
    """Random and uniform first generations (5.7, 5.8)."""
    seeds = context.pick(3, 20, 50, 100)
    found = races(context, "lopez-start", ("random", "uniform"), seeds, context.pick(60, 100, 100, 100))
    caption = f"Figures 5.7 and 5.8: initialisation, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "initialisation", found, caption, ["mean"])
    for model in NAMES:
        yield sample(f"uniform or random against {model.title()}", lead(found, model, "uniform", "random"))
        top = spread(found[model, "uniform"]["best"][:, -1] - found[model, "random"]["best"][:, -1])
        yield sample(f"best fitness of uniform or random against {model.title()}", top)
    normal = _is_normal(context.key("java"))
    yield sample("the distribution of purely random values", exact="normal" if normal else "uniform")


def _is_normal(key: int) -> bool:
    """Whether values drawn as Java's nextDouble does, uniform in [0, 1), pass for normal (Kolmogorov and Smirnov)."""
    from scipy.stats import kstest

    drawn = generator_of(key).random(10_000)
    return bool(kstest(drawn, "norm", (drawn.mean(), drawn.std())).pvalue > 0.001)


def crossover(context: Context) -> Iterator[Sample]:
    """Uniform and one-point crossover (5.9, C.1 to C.4), and the selective one that the document suggests."""
    seeds, ways = context.pick(3, 20, 50, 100), ("uniform", "one-point", "selective")
    found = races(context, "lopez-crossover", ways, seeds, context.pick(60, 100, 100, 100))
    caption = f"Figures 5.9 and C.1 to C.4: crossover, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "crossover", found, caption, ["mean"])
    for model in NAMES:
        yield sample(f"uniform or one-point against {model.title()}", lead(found, model, "uniform", "one-point"))
    for model in NAMES:
        yield sample(f"selective crossover against {model.title()}", lead(found, model, "selective", "uniform"))


def lead(found: Races, model: str, one: str, other: str) -> Spread:
    """The difference of two operators' average fitness over all generations, seed by seed."""
    return spread((found[model, one]["mean"] - found[model, other]["mean"]).mean(axis=1))
