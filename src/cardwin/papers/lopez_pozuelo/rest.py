"""The rule for when two populations have settled.

The rule was fixed before the reproduction but after some ten runs (those that settle have a standard deviation of
.0005, the others of .028 and more, so that any bound between gives the same). A run has settled if in its last fifth
- the first population's average fitness has a standard deviation of at most `STILL` chips, and
- the exploitability (NashConv / 2) of the seats' average plans, averaged over those generations, is at most `NEAR`.
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
MIXING = (0, 2, 4)  # genes with mixed probabilities in some equilibrium of Kuhn poker: B_J, B_K, C_Q


@dataclass(frozen=True)
class Rest:
    """The last fifth of one run: mean and deviation of population 1's fitness, exploitability of the averages, genes.

    genes: both seats' mean genes (2, genes) over those generations. variety: the mixing genes' mean deviation within
    populations. still: whether fitness was stable in the fifth of the run before some generations (k,), the windows.
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
        """Whether the rule above holds."""
        return is_settled(self.spread, self.exploitability)


def is_settled(spread_of_mean: float, exploitability: float) -> bool:
    """The rule."""
    return spread_of_mean <= STILL and exploitability <= NEAR


def late(numbers: Floats) -> Floats:
    """The last fifth of a series (generations, ...)."""
    return numbers[-max(1, len(numbers) // 5) :]


def rest_of(run: RunData) -> Rest:
    """The last fifth of a run."""
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
    """All of them in order; their records are freed at once."""
    with executor_of(workers) as executor:
        return list(executor.map(_rest, chosen))


def settled_share(found: Sequence[Rest]) -> Share:
    """The share of runs that settled."""
    return share_of(sum(one.settled for one in found), len(found))


def share_text(share: Share) -> str:
    """A share in words."""
    return f"{share.count} of {share.n}"
