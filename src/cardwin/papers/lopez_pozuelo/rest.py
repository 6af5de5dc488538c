"""When two populations have come to rest.

The rule, fixed before the reproduction was run but after a look at some ten runs (those that settle have a spread of
.0005, the others of .028 and more, so that any bound between says the same). A run has settled where in its last fifth
- the first population's average fitness stays within a standard deviation of `STILL` chips, and
- the two seats' average plans, averaged again over those generations, give away at most `NEAR` chips (NashConv / 2).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.core.executor import executor_of
from cardwin.core.experiment import Experiment
from cardwin.games import game as game_of
from cardwin.papers.trials import drive
from cardwin.runs.problems.small_game import experiment_of, seats
from cardwin.runs.reader import RunData
from cardwin.solvers import plans
from cardwin.solvers.tree import Floats, tree_of
from cardwin.stats.shares import Share, share_of

STILL, NEAR = 0.005, 0.02
MIXING = (0, 2, 4)  # the genes that an equilibrium of Kuhn poker mixes in some seat: B_J, B_K, C_Q


@dataclass(frozen=True)
class Rest:
    """The last fifth of one run: mean and spread of population 1's fitness, what the averages give away, the genes.

    genes: both seats' mean genes (2, genes) over those generations. variety: the spread of the mixing genes within the
    populations, on average. still: whether the fifth of the run before each of some generations (k,), the windows, was.
    """

    mean: float
    spread: float
    exploitability: float
    genes: Floats
    variety: float
    windows: Floats
    still: Floats

    @property
    def settled(self) -> bool:
        """By the rule above."""
        return is_settled(self.spread, self.exploitability)


def is_settled(spread_of_mean: float, exploitability: float) -> bool:
    """The rule."""
    return spread_of_mean <= STILL and exploitability <= NEAR


def late(numbers: Floats) -> Floats:
    """The last fifth of a series (generations, ...)."""
    return numbers[-max(1, len(numbers) // 5) :]


def rest_of(run: RunData) -> Rest:
    """What remains of a run."""
    tree, own = tree_of(game_of(experiment_of(run).game)), seats(run)
    mean = own[0].metrics["average_value"]
    averages = [late(own[seat].arrays["average"]).mean(axis=0) for seat in (0, 1)]
    window = max(1, len(mean) // 5)
    starts = range(0, len(mean) - window + 1, max(1, window // 4))
    mixing = [place for place in MIXING if place < own[0].arrays["gene_spread"].shape[1]]
    return Rest(
        float(late(mean).mean()),
        float(late(mean).std()),
        plans.exploitability(tree, averages[0], averages[1]),
        np.stack([late(own[seat].arrays["gene_mean"]).mean(axis=0) for seat in (0, 1)]),
        float(np.mean([late(own[seat].arrays["gene_spread"])[:, mixing].mean() for seat in (0, 1)])),
        np.array([start + window for start in starts], dtype=np.float64),
        np.array([mean[start : start + window].std() <= STILL for start in starts], dtype=np.float64),
    )


def _rest(experiment: Experiment) -> Rest:
    return rest_of(drive(experiment))


def rests(chosen: Sequence[Experiment], workers: int) -> list[Rest]:
    """All of them in order; what they recorded is let go at once."""
    with executor_of(workers) as executor:
        return list(executor.map(_rest, chosen))


def settled_share(found: Sequence[Rest]) -> Share:
    """How many settled."""
    return share_of(sum(one.settled for one in found), len(found))


def share_text(share: Share) -> str:
    """A share in words."""
    return f"{share.count} of {share.n}"
