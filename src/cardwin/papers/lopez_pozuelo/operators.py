"""Comparison of operators (5.2, Appendices B and C): selection, initialisation, crossover, against the four models.

By exact fitness, over seeds; the abstract's figures and the best curves of Appendix B in sampled games as well.
Fixed before the runs: "equal", "similar" and "balanced" mean within the register's margin of average fitness, by the
whole interval. "Better", "faster" and "below" mean more than that, so that no lead is both. The abstract's figures
agree within the margin. It is a cent: the document prints winnings to cents. "Converging in under 100 generations"
(6.1) means that the average gains at most a cent afterwards. Selective crossover "could" be better: it is measured and
not judged.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of
from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.evolutions import evolve_all, preset_with
from cardwin.papers.lopez_pozuelo.evolved_responses import SAMPLED_GAMES
from cardwin.papers.lopez_pozuelo.trees_and_models import MODELS
from cardwin.papers.sample import Sample, Spread, sample, spread
from cardwin.players.small_games.policies import policy
from cardwin.reports import html
from cardwin.runs.problems.small_game import seats
from cardwin.solvers import equilibria

COLOURS = ("#1d4f91", "#b42318", "#2e7d4f", "#9a5b00")
LAST = 500  # generations of the comparison of selections
GENERATIONS = 100  # under which tournament and rank are said to converge
SELECTIONS = ("tournament", "rank", "roulette")
# By model and operator: mean, best, and the best one's exact value (best_value), each (seeds, generations).
Fitness = Mapping[tuple[str, str], Mapping[str, Floats]]


def evolve_operators(
    context: Context,
    presets: str,
    operators: Sequence[str],
    seeds: int,
    last: int,
    changes: Mapping[str, Any] | None = None,
) -> Fitness:
    """Evolve with every operator against every model, with the same seeds.

    Args:
        context: The context of the experiment.
        presets: The first part of the presets' names; an operator's name follows.
        operators: The operators.
        seeds: The number of runs of each pair.
        last: The number of generations.
        changes: Values that replace those of the presets, table by table.

    Returns:
        The curves of fitness by model and operator.

    """
    pairs = [(model, operator) for model in MODELS for operator in operators]
    sizes = {"population": {"size": context.pick(303, 1010, 1010, 1010)}, "generations": last, **(changes or {})}
    experiments = [
        preset_with(f"{presets}-{operator}", context.key(model, n), {"first": {"against": [model]}, **sizes})
        for model, operator in pairs
        for n in range(seeds)
    ]
    metrics = iter([seats(run)[0].metrics for run in evolve_all(experiments, context.workers)])
    return {pair: _stack(list(islice(metrics, seeds))) for pair in pairs}


def _stack(metrics: Sequence[Mapping[str, Floats]]) -> Mapping[str, Floats]:
    """Return the curves of several seeds as arrays (seeds, generations)."""
    return {name: np.stack([run[name] for run in metrics]) for name in ("mean", "best", "best_value")}


def draw(context: Context, name: str, fitness: Fitness, caption: str, kinds: Sequence[str]) -> None:
    """Draw one panel per model and kind of fitness (mean, best)."""
    figure = html.figure(11, 2.7 * len(kinds))
    grid = figure.subplots(len(kinds), len(MODELS), squeeze=False, sharex=True)
    curves: dict[str, Iterable[Any]] = {"generation": range(next(iter(fitness.values()))["mean"].shape[1])}
    operators = list(dict.fromkeys(operator for _, operator in fitness))
    for column, model in enumerate(MODELS):
        best = float(equilibria.best_response(policy(game_of("kuhn"), model), 0).value)
        for axes, kind in zip(grid[:, column], kinds, strict=True):
            for operator, colour in zip(operators, COLOURS, strict=False):
                curves[f"{model}, {operator}, {kind}"] = line = fitness[model, operator][kind].mean(axis=0)
                axes.plot(line, lw=1.1, color=colour, label=operator)
            axes.axhline(best, color="#98a2b3", lw=0.8, ls="--")
            axes.set_title(f"{model.title()}: {'average' if kind == 'mean' else 'best'} fitness", fontsize=8)
            axes.tick_params(labelsize=7)
        axes.set_xlabel("generation", fontsize=8)
    html.legend_outside(figure, grid[0, 0], len(operators))
    context.picture(name, figure, caption + " Dashed: the most that can be won.", curves)


def selection(context: Context) -> Iterator[Sample]:
    """Compare tournament, rank and roulette over 500 generations (5.6, B.1 to B.8)."""
    seeds, last = context.pick(2, 4, 10, 20), context.pick(120, 500, 500, 500)
    fitness = evolve_operators(context, "lopez-selection", (*SELECTIONS, "blend"), seeds, last)
    caption = f"Figures 5.6 and B.1 to B.8: selection, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "selection", fitness, caption, ("mean", "best"))
    early = min(99, last - 1)
    for figure, model in zip(("B.1", "B.3", "5.6", "B.7"), MODELS, strict=True):
        tournament, rank, roulette = (fitness[model, operator]["mean"] for operator in SELECTIONS)
        gap = spread(roulette[:, -1] - tournament[:, early])
        yield sample(
            f"roulette's lag against {model.title()}",
            gap,
            place=f"Figure {figure}",
            judged=gap if last >= LAST else None,
            last=last,
            early=early + 1,
            short=_too_short(last, LAST),
            slow=roulette[:, -1].mean(),
            quick=tournament[:, early].mean(),
        )
        name, gap = f"rank and tournament against {model.title()}", spread(rank[:, -1] - tournament[:, -1])
        yield sample(name, gap, place=f"Figure {figure}", last=last)
    yield from convergence(fitness, last)
    yield from in_sampled_games(context)


def convergence(fitness: Fitness, last: int) -> Iterator[Sample]:
    """Yield what tournament and rank gain after the generation in which they are said to have converged (6.1)."""
    generation = min(GENERATIONS, last)
    for operator in ("tournament", "rank"):
        for model in MODELS:
            mean = fitness[model, operator]["mean"]
            name = f"{operator} has converged after {GENERATIONS} generations against {model.title()}"
            converged = mean[:, generation - 1]
            gain = spread(mean[:, generation - 1 :].max(axis=1) - converged)
            yield sample(f"{name}, what it gains later", gain, won=spread(converged).mean, at=generation, last=last)


def in_sampled_games(context: Context) -> Iterator[Sample]:
    """Compare selections in sampled games: the abstract's two averages, and the best curves of Appendix B."""
    seeds, last = context.pick(2, 3, 6, 20), context.pick(100, 500, 500, 500)
    fitness = evolve_operators(context, "lopez-selection", SELECTIONS, seeds, last, {"fitness": SAMPLED_GAMES})
    caption = f"Figures 5.6 and B.1 to B.8 in sampled games, as in the document, mean of {seeds} seeds."
    draw(context, "selection-played", fitness, caption, ("mean", "best"))
    for operator, generation in (("tournament", 100), ("rank", 100), ("roulette", 500)):
        ours = spread(fitness["rational", operator]["mean"][:, min(generation, last) - 1])
        name = f"average wins of {operator} selection after {generation} generations, Rational"
        judged = ours if generation <= last else None
        yield sample(name, ours, exact=1 / 12, judged=judged, short=_too_short(last, generation))
    late = max(1, last // 5)
    for figure, model in zip(("B.2", "B.4", "B.6", "B.8"), MODELS, strict=True):
        for operator in SELECTIONS:
            seen, worth = (fitness[model, operator][kind][:, -late:] for kind in ("best", "best_value"))
            name = f"luck in the best curve of {operator} against {model.title()}"
            bias = spread((seen - worth).mean(axis=1))
            yield sample(name, bias, place=f"Figure {figure}", late=late, seen=seen.mean(), worth=worth.mean())


def _too_short(last: int, needed: int) -> str:
    """Return why a run of `last` generations cannot tell; empty if it is long enough."""
    return f"; {needed} generations are needed" if last < needed else ""


def initialisation(context: Context) -> Iterator[Sample]:
    """Compare random and uniform first generations (5.7, 5.8)."""
    seeds, operators = context.pick(3, 20, 50, 100), ("random", "uniform")
    fitness = evolve_operators(context, "lopez-start", operators, seeds, context.pick(60, 100, 100, 100))
    caption = f"Figures 5.7 and 5.8: initialisation, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "initialisation", fitness, caption, ["mean"])
    for model in MODELS:
        yield sample(f"uniform or random against {model.title()}", lead(fitness, model, "uniform", "random"))
        best = spread(fitness[model, "uniform"]["best"][:, -1] - fitness[model, "random"]["best"][:, -1])
        yield sample(f"best fitness of uniform or random against {model.title()}", best)
    normal = _is_normal(context.key("java"))
    yield sample("the distribution of purely random values", exact="normal" if normal else "uniform")


def _is_normal(key: int) -> bool:
    """Return whether values drawn as Java's nextDouble does, uniform in [0, 1), pass a Kolmogorov-Smirnov test."""
    from scipy.stats import kstest

    drawn = generator_of(key).random(10_000)
    return bool(kstest(drawn, "norm", (drawn.mean(), drawn.std())).pvalue > 0.001)


def crossover(context: Context) -> Iterator[Sample]:
    """Compare uniform and one-point crossover (5.9, C.1 to C.4), and the selective one that the document suggests."""
    seeds, operators = context.pick(3, 20, 50, 100), ("uniform", "one-point", "selective")
    fitness = evolve_operators(context, "lopez-crossover", operators, seeds, context.pick(60, 100, 100, 100))
    caption = f"Figures 5.9 and C.1 to C.4: crossover, player 1, exact fitness, mean of {seeds} seeds."
    draw(context, "crossover", fitness, caption, ["mean"])
    for model in MODELS:
        yield sample(f"uniform or one-point against {model.title()}", lead(fitness, model, "uniform", "one-point"))
    for model in MODELS:
        yield sample(f"selective crossover against {model.title()}", lead(fitness, model, "selective", "uniform"))


def lead(fitness: Fitness, model: str, operator: str, other: str) -> Spread:
    """Return the lead of an operator in average fitness over all generations.

    Args:
        fitness: The curves of fitness.
        model: The opponent.
        operator: The operator.
        other: The operator that it is compared with.

    Returns:
        The mean difference over seeds, paired by seed.

    """
    return spread((fitness[model, operator]["mean"] - fitness[model, other]["mean"]).mean(axis=1))
