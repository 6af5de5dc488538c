"""López Pozuelo (2015): what it describes but did not measure: fair play, elitism, seeding, the hall, thirteen cards.

It describes these techniques in its chapters on the background, mostly after other authors, and made no experiment
with them. They are measured and have no verdict; all over seeds and against Rational in the first seat unless stated:
- fair play (4.3.1): fitter populations, at the same number of games;
- elitism (3.9): one or a tenth of the members survive; fitter populations in sampled games after 100 generations;
- seeding (3.5): the Safe strategy in the first generation is faster: mean fitness over the first 20 generations;
  and the risk it names, premature convergence: less variety of genes at the end;
- the hall of fame (3.11): the average strategies are less exploitable if populations also play the hall;
- thirteen cards (4.3.1): the evolved strategy beside the exact best response. No result was printed.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cardwin.core.report_parts import Cell
from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.evolutions import evolve_all, preset_with
from cardwin.papers.lopez_pozuelo.convergence import last_fifth
from cardwin.papers.lopez_pozuelo.evolved_responses import GAMES, LAST_GENERATIONS, SAMPLED_GAMES
from cardwin.papers.lopez_pozuelo.trees_and_models import MODELS
from cardwin.papers.sample import Sample, Spread, sample, spread
from cardwin.players.small_games.policies import policy
from cardwin.reports import chromosomes
from cardwin.runs.problems.small_game import seats
from cardwin.runs.reader import RunData
from cardwin.solvers import equilibria, exact
from cardwin.solvers.tree import tree_of
from study import main

RATIONAL = "lopez-kuhn-rational-1"


def further(context: Context) -> Iterator[Sample]:
    """Measure all five techniques."""
    yield from fair_play(context)
    yield from elitism(context)
    yield from seeding(context)
    yield from hall(context)
    yield from thirteen(context)


def _runs(context: Context, preset: str, name: str, seeds: int, changes: Mapping[str, Any]) -> list[RunData]:
    """Run a preset with changes; the seeds depend on their numbers only, not on the changes."""
    return evolve_all([preset_with(preset, context.key(name, n), changes) for n in range(seeds)], context.workers)


def _compared(place: str, name: str, claim: str, gain: Spread, reason: str) -> Sample:
    reason = f"{reason}. Background of the document, not a result of it"
    return sample(name, gain, place=place, published=claim, over="seeds", reason=reason)


def fair_play(context: Context) -> Iterator[Sample]:
    """Measure every deal once, compared with as many randomly dealt games."""
    rounds, size, seeds = GAMES // 6, context.pick(101, 101, 101, 1010), context.pick(2, 8, 20, 20)
    last = context.pick(10, 60, 100, 100)
    sizes = {"population": {"size": size}, "generations": last}
    by_chance = {"fitness": {"play": "sampled", "games": 6 * rounds}, **sizes}
    fairly = {"fitness": {"play": "sampled", "games": rounds, "fair": True}, **sizes}
    ways = [_runs(context, RATIONAL, "fair", seeds, changes) for changes in (fairly, by_chance)]
    gain = _gain(*ways)
    reason = f"population's exact average over the last fifth of {last}, fair minus dealt, {6 * rounds} games a member"
    yield _compared("4.3.1", "fair play breeds fitter populations", "better judged", gain, reason)


def _gain(one: list[RunData], other: list[RunData]) -> Spread:
    """Return the exact difference in fitness of the populations, over the last fifth."""
    ours, theirs = (
        np.array([last_fifth(seats(run)[0].metrics["average_value"]).mean() for run in own]) for own in (one, other)
    )
    return spread(ours - theirs)


def elitism(context: Context) -> Iterator[Sample]:
    """Measure members that survive unchanged."""
    seeds = context.pick(2, 20, 40, 60)
    size = context.pick(303, 1010, 1010, 1010)
    base: dict[str, Any] = {"population": {"size": size}, "generations": context.pick(30, 100, 100, 100)}
    for play, fitness in (("exact fitness", {}), ("games played out", {"fitness": SAMPLED_GAMES})):
        none = _runs(context, RATIONAL, "elites", seeds, base | fitness)
        for kept in (1, size // 10):
            some = _runs(context, RATIONAL, "elites", seeds, base | fitness | {"search": {"elites": kept}})
            reason = "population's exact average over the last fifth, with elites minus without"
            name = f"elitism breeds fitter populations, {kept} of {size} kept, {play}"
            yield _compared("3.9", name, "the strongest survive", _gain(some, none), reason)


def seeding(context: Context) -> Iterator[Sample]:
    """Measure the effect of a known good strategy in the first generation."""
    seeds = context.pick(2, 20, 40, 60)
    base: dict[str, Any] = {"generations": context.pick(30, 100, 100, 100)}
    plain = _runs(context, RATIONAL, "seeding", seeds, base)
    given = _runs(context, RATIONAL, "seeding", seeds, base | {"population": {"seeded": ["safe"]}})
    first = [np.array([seats(run)[0].metrics["average_value"][:20].mean() for run in own]) for own in (given, plain)]
    reason = "population's average over the first 20 generations, with Safe (a best answer) among 1,010 minus without"
    yield _compared("3.5", "seeding is quicker", "much faster convergence", spread(first[0] - first[1]), reason)
    variety = [
        np.array([last_fifth(seats(run)[0].arrays["gene_spread"]).mean() for run in own]) for own in (plain, given)
    ]
    reason = "spread of the genes over the last fifth, without minus with: the variety that seeding costs"
    yield _compared(
        "3.5", "seeding ends the search early", "premature convergence", spread(variety[0] - variety[1]), reason
    )


def hall(context: Context) -> Iterator[Sample]:
    """Measure two populations that also play each other's past champions."""
    seeds, last = context.pick(2, 6, 12, 20), context.pick(100, 1000, 1000, 1000)
    base: dict[str, Any] = {"generations": last}
    both = {"against": ["population", "hall"]}
    plain = _runs(context, "lopez-coevolution", "hall", seeds, base)
    with_hall = _runs(context, "lopez-coevolution", "hall", seeds, base | {"first": both, "second": both})
    whole = {"against": ["hall"]}
    only_hall = _runs(context, "lopez-coevolution", "hall", seeds, base | {"first": whole, "second": whole})
    for name, own in (("the hall and the living", with_hall), ("the hall alone", only_hall)):
        for what, metric in (("populations", "average_exploitability"), ("halls", "hall_exploitability")):
            gain = spread(np.array([_gives(run, metric) for run in plain]) - [_gives(run, metric) for run in own])
            ours = float(np.mean([_gives(run, metric) for run in own]))
            reason = f"chips that the averages give away over the last fifth, without minus with; with {ours:.4f}"
            yield _compared("3.11", f"against {name}: what the {what} give away", "overcomes forgetting", gain, reason)


def _gives(run: RunData, metric: str) -> float:
    return float(np.mean([last_fifth(series.metrics[metric]).mean() for series in seats(run).values()]))


def thirteen(context: Context) -> Iterator[Sample]:
    """Measure `kuhn-13`: evolved by exact fitness against its models, in both seats."""
    seeds, last = context.pick(1, 5, 20, 20), context.pick(30, 100, 100, 100)
    rules = game_of("kuhn-13")
    names = tree_of(rules).sequences[0].gene_names
    rows: list[list[Cell]] = []
    for model in MODELS:
        for seat in (0, 1):
            changes: dict[str, Any] = {"game": "kuhn-13", "generations": last, "first": {"against": []}}
            changes |= {("first", "second")[seat]: {"against": [model]}}
            runs = _runs(context, RATIONAL, f"thirteen {model} {seat}", seeds, changes)
            response = equilibria.best_response(policy(rules, model), seat)
            best = spread([seats(run)[seat].metrics["best_value"].max() for run in runs])
            genes = np.concatenate([seats(run)[seat].arrays["champion"][-LAST_GENERATIONS:] for run in runs]).mean(
                axis=0
            )
            marks = chromosomes.marks(genes)
            settled = [i for i, mark in enumerate(response.forced) if mark in ("0", "1")]
            right = sum(_seqs(genes[i]) == response.forced[i] for i in settled)
            lay = chromosomes.layout(names)
            rows.append([f"{model.title()}, player {seat + 1}", lay.line(marks), lay.line(response.forced)])
            yield sample(
                f"kuhn-13 evolved against {model.title()}, player {seat + 1}",
                best,
                place="4.3.1",
                over="seeds",
                exact=float(response.value),
                reason=(
                    f"the most is {exact.short_fraction(response.value)}; {right} of {len(settled)} genes that every "
                    f"best response settles are on its side after {last} generations"
                ),
            )
    context.table("kuhn-13: twos to aces, evolved and exact", ["against", "evolved", "every best response"], rows)


def _seqs(gene: float) -> str:
    return "1" if gene > 0.5 else "0"


if __name__ == "__main__":
    main(further)
