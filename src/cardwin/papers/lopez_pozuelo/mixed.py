"""The mixed approach (5.1.3): a population that plays its rivals and Rational, and the resulting player.

The document claims that its mixed player wins against more kinds of opponents than the co-evolved one, and more on
average. Both are computed exactly for the printed chromosomes. For ours, fixed before the runs: a player is a
population's average over the last fifth of a run, in games played out as in the document; "more kinds" holds if it does
in more than half of the pairs. The margins are those of the register.
"""

from collections.abc import Iterator

import numpy as np

from cardwin.games import game as game_of
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_1, MIXED_1
from cardwin.papers.lopez_pozuelo.rest import late
from cardwin.papers.lopez_pozuelo.rivalry import against_models, draw, gap_of, runs_of, value_of
from cardwin.papers.lopez_pozuelo.rules import NAMES
from cardwin.papers.register import register
from cardwin.papers.trials import judged, mean_over, spread
from cardwin.players.small_games.policies import policy
from cardwin.runs.problems.small_game import seats
from cardwin.runs.reader import RunData
from cardwin.solvers import plans
from cardwin.solvers.tree import Floats, Tree, tree_of
from cardwin.stats.shares import share_of

REGISTER = register(__package__)
OURS_MORE = "our mixed populations' averages beside our co-evolved ones', chips a game from the four models"
FITNESS, LOSS = "population 1's average fitness, mixed", "player 1's expected loss to the second population"
MORE_KINDS, MORE_ON_AVERAGE = "the mixed player beats more kinds of opponents", "the mixed player wins more on average"


def mixed(context: Context) -> Iterator[Finding]:
    """Figure 5.5, the printed mixed player, and ours."""
    seeds = context.pick(2, 6, 16, 20)
    runs, plain = runs_of(context, "lopez-mixed", seeds), runs_of(context, "lopez-coevolution", seeds)
    draw(context, "mixed", runs[:1], "Figure 5.5: the mixed approach, one run.")
    yield from printed()
    yield from ours(runs, plain)
    yield from fitness(runs)
    yield from against_models(context, MIXED_1, "5.1.3")


def printed() -> Iterator[Finding]:
    """The printed chromosomes compared, exactly."""
    values = {player.name: [value_of(player, model) for model in NAMES] for player in (MIXED_1, COEVOLVED_1)}
    mixed_ones, plain = values.values()
    beaten = [sum(value > 0 for value in own) for own in (mixed_ones, plain)]
    means = [float(np.mean(own)) for own in (mixed_ones, plain)]
    yield Finding(
        "5.1.3",
        MORE_KINDS,
        published="more",
        exact=float(beaten[0] - beaten[1]),
        verdict=verdicts.judge(verdicts.above(0.0), float(beaten[0] - beaten[1])),
        reason=f"the printed chromosomes beat {beaten[0]} and {beaten[1]} of the four models, exactly",
    )
    yield Finding(
        "5.1.3",
        MORE_ON_AVERAGE,
        published="more",
        exact=means[0] - means[1],
        verdict=verdicts.judge(verdicts.above(REGISTER.margin(MORE_ON_AVERAGE)), means[0] - means[1]),
        reason=f"the printed chromosomes win {means[0]:+.4f} and {means[1]:+.4f} a game from the four models, exactly",
    )
    yield Finding(
        "5.1.3",
        "exploitability of the printed mixed player",
        exact=gap_of(MIXED_1),
        verdict=None,
        reason=f"the co-evolved one has {gap_of(COEVOLVED_1):.4f}; the document compares only what they win",
    )


def ours(runs: list[RunData], plain: list[RunData]) -> Iterator[Finding]:
    """Our own populations compared in the same way, in pairs of runs with the same number."""
    tree = tree_of(game_of("kuhn"))
    won = [[_from_models(tree, run) for run in group] for group in (runs, plain)]
    kinds = [((a > 0).sum(), (b > 0).sum()) for a, b in zip(*won, strict=True)]
    more = share_of(sum(bool(a > b) for a, b in kinds), len(kinds))
    beaten = [float(np.mean(column)) for column in zip(*kinds, strict=True)]
    yield Finding(
        "5.1.3",
        "share of our mixed populations' averages that beat more kinds than our co-evolved ones'",
        published="more",
        **mean_over(more, "pairs of seeds"),
        **judged(verdicts.share_above(0.5), more),
        reason=f"on average {beaten[0]:.1f} and {beaten[1]:.1f} of the four models are beaten",
    )
    means = spread([float(a.mean() - b.mean()) for a, b in zip(*won, strict=True)])
    yield Finding(
        "5.1.3",
        OURS_MORE,
        published="more",
        **mean_over(means, "pairs of seeds"),
        **judged(verdicts.above(REGISTER.margin(OURS_MORE)), means),
    )


def _from_models(tree: Tree, run: RunData) -> Floats:
    """Chips a game (models,) of population 1's average over the last fifth against each model."""
    plan = late(seats(run)[0].arrays["average"]).mean(axis=0)
    return np.array([plans.value(tree, plan, policy(tree.game, model).plan(1)) for model in NAMES])


def fitness(runs: list[RunData]) -> Iterator[Finding]:
    """Population 1's fitness, and its result against population 2 alone."""
    tree = tree_of(game_of("kuhn"))
    both = spread([late(seats(run)[0].metrics["mean"]).mean() for run in runs])
    yield Finding(
        "5.1.3",
        FITNESS,
        published=-0.015,
        **mean_over(both, "seeds"),
        **judged(verdicts.within(-0.015, REGISTER.margin(FITNESS)), both),
        reason="half of this fitness is what Rational pays",
    )
    alone = spread([late(_values(tree, run)).mean() for run in runs])
    yield Finding(
        "5.1.3",
        LOSS,
        published=-1 / 70,
        **mean_over(alone, "seeds"),
        exact=-1 / 18,
        **judged(verdicts.within(-1 / 70, REGISTER.margin(LOSS)), alone),
        reason="what population 1 earns from population 2 alone; -1/18 is all that anybody can be sure of",
    )


def _values(tree: Tree, run: RunData) -> Floats:
    """Chips of population 1's average against population 2's, by generation."""
    pairs = zip(seats(run)[0].arrays["average"], seats(run)[1].arrays["average"], strict=True)
    return np.array([plans.value(tree, first, second) for first, second in pairs])
