"""The mixed approach (5.1.3): a population that plays its rivals and Rational, and the resulting player.

The document claims that its mixed player beats more kinds of opponents than the co-evolved one, and wins more on
average. Both are computed exactly for the printed chromosomes. For ours, fixed before the runs: a player is a
population's average over the last fifth of a run, in sampled games as in the document; "more kinds" holds if it holds
in more than half of the pairs. The margins are those of the register.
"""

from collections.abc import Iterator

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.coevolution import (
    against_models,
    coevolve,
    draw,
    exploitability_of,
    value_against_model,
)
from cardwin.papers.lopez_pozuelo.convergence import last_fifth
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_1, MIXED_1
from cardwin.papers.lopez_pozuelo.trees_and_models import MODELS
from cardwin.papers.sample import Sample, sample, spread
from cardwin.players.small_games.policies import policy
from cardwin.runs.problems.small_game import seats
from cardwin.runs.reader import RunData
from cardwin.solvers import plans
from cardwin.solvers.tree import Tree, tree_of
from cardwin.stats.intervals import share_of

LOSS = "player 1's expected loss to the second population"
MORE_KINDS, MORE_ON_AVERAGE = "the mixed player beats more kinds of opponents", "the mixed player wins more on average"


def mixed(context: Context) -> Iterator[Sample]:
    """Evolve the mixed approach (figure 5.5); yield findings about the printed mixed player and ours."""
    seeds = context.pick(2, 6, 16, 20)
    runs, plain = coevolve(context, "lopez-mixed", seeds), coevolve(context, "lopez-coevolution", seeds)
    draw(context, "mixed", runs[:1], "Figure 5.5: the mixed approach, one run.")
    yield from compare_printed()
    yield from compare_evolved(runs, plain)
    yield from fitness(runs)
    yield from against_models(context, MIXED_1)


def compare_printed() -> Iterator[Sample]:
    """Compare the printed mixed and co-evolved chromosomes, exactly."""
    values = np.array([[value_against_model(player, model) for model in MODELS] for player in (MIXED_1, COEVOLVED_1)])
    (more, fewer), (mean, other) = (values > 0).sum(axis=1).tolist(), values.mean(axis=1).tolist()
    yield sample(MORE_KINDS, exact=float(more - fewer), more=more, fewer=fewer)
    yield sample(MORE_ON_AVERAGE, exact=mean - other, mean=mean, other=other)
    name = "exploitability of the printed mixed player"
    yield sample(name, exact=exploitability_of(MIXED_1), other=exploitability_of(COEVOLVED_1))


def compare_evolved(runs: list[RunData], plain: list[RunData]) -> Iterator[Sample]:
    """Compare our mixed populations with our co-evolved ones, in pairs of runs with the same number."""
    tree = tree_of(game_of("kuhn"))
    won = np.array([[_from_models(tree, run) for run in group] for group in (runs, plain)])  # (2, seeds, models)
    kinds = (won > 0).sum(axis=2)
    more = share_of(int((kinds[0] > kinds[1]).sum()), kinds.shape[1])
    name = "share of our mixed populations' averages that beat more kinds than our co-evolved ones'"
    yield sample(name, more, ours=kinds[0].mean(), theirs=kinds[1].mean())
    name = "our mixed populations' averages beside our co-evolved ones', chips a game from the four models"
    yield sample(name, spread([float(a.mean() - b.mean()) for a, b in zip(*won, strict=True)]))


def _from_models(tree: Tree, run: RunData) -> list[float]:
    """Return the chips per game of population 1's average over the last fifth against each model."""
    plan = last_fifth(seats(run)[0].arrays["average"]).mean(axis=0)
    return [plans.value(tree, plan, policy(tree.game, model).plan(1)) for model in MODELS]


def fitness(runs: list[RunData]) -> Iterator[Sample]:
    """Yield population 1's fitness, and its result against population 2 alone."""
    tree = tree_of(game_of("kuhn"))
    means = [last_fifth(seats(run)[0].metrics["mean"]).mean() for run in runs]
    yield sample("population 1's average fitness, mixed", spread(means))
    yield sample(LOSS, spread([last_fifth(_values(tree, run)).mean() for run in runs]), exact=-1 / 18)


def _values(tree: Tree, run: RunData) -> Floats:
    """Return the chips per game of population 1's average against population 2's, by generation."""
    pairs = zip(seats(run)[0].arrays["average"], seats(run)[1].arrays["average"], strict=True)
    return np.array([plans.value(tree, first, second) for first, second in pairs])
