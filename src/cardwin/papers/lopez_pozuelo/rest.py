"""When two populations have settled, at each level of noise.

A run has settled if in its last fifth
- the standard deviation of the first population's average fitness is at most `still` chips, and
- the exploitability (NashConv / 2) of the seats' average plans over those generations is at most `NEAR`.

With exact fitness `still` is `STILL`: half a cent, as the document prints an average fitness (-.055). With sampled
games selection is noisy, and two populations that are in an equilibrium move around it. How far follows from reference
runs: the same game, games, mutation rate and number of generations, but all members begin as copies of an equilibrium.
(No duplicates are admitted, so the second generation differs in a gene each; that is over long before the last fifth.)
The bound for that noise is `TIMES` the mean of the references' standard deviations, over the references that are still
within `NEAR` at their end, and at least `STILL`. A reference that has left the equilibrium bounds nothing: at that
noise the equilibrium is no place of rest. No run that is judged has a part in its bound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.executor import Workers, open_executor
from cardwin.core.experiment import Experiment
from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.trials import drive, preset_with
from cardwin.runs import experiment as experiments
from cardwin.runs.experiment import merged
from cardwin.runs.problems.small_game import experiment_of, seats
from cardwin.runs.reader import RunData
from cardwin.solvers import plans
from cardwin.solvers.tree import tree_of
from cardwin.stats.intervals import Share, share_of

STILL, NEAR, TIMES = 0.005, 0.02, 2
MIXING = (0, 2, 4)  # genes with mixed probabilities in some equilibrium of Kuhn poker: B_J, B_K, C_Q
EQUILIBRIUM = "equilibrium"  # the policy that references begin with


@dataclass(frozen=True)
class Rest:
    """The last fifth of one run.

    mean, spread: of population 1's average fitness. exploitability: of the average plans. genes, champions: both seats'
    mean genes and mean fittest (2, genes). variety: the mixing genes' mean deviation within populations. ahead: share
    of all generations in which population 1's fitness was above 0. spreads: the deviation of fitness in the fifth of
    the run before some generations (k,), the windows.
    """

    mean: float
    spread: float
    exploitability: float
    genes: Floats
    champions: Floats
    variety: float
    ahead: float
    windows: Floats
    spreads: Floats

    def settled(self, still: float) -> bool:
        """Whether the rule above holds."""
        return self.spread <= still and self.exploitability <= NEAR


@dataclass(frozen=True)
class Group:
    """Runs of one setting with the bound of its noise."""

    runs: list[Rest]
    still: float

    @property
    def settled(self) -> list[Rest]:
        """The runs that settled."""
        return [run for run in self.runs if run.settled(self.still)]

    @property
    def moving(self) -> list[Rest]:
        """The runs that did not."""
        return [run for run in self.runs if not run.settled(self.still)]

    @property
    def share(self) -> Share:
        """The share of runs that settled."""
        return share_of(len(self.settled), len(self.runs))


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
        np.stack([late(own[seat].arrays["champion"]).mean(axis=0) for seat in (0, 1)]),
        float(np.mean([late(own[seat].arrays["gene_spread"])[:, mixing].mean() for seat in (0, 1)])),
        float((own[0].metrics["mean"] > 0).mean()),
        np.array([start + window for start in starts], dtype=np.float64),
        np.array([mean[start : start + window].std() for start in starts], dtype=np.float64),
    )


def _rest(experiment: Experiment) -> Rest:
    return rest_of(drive(experiment))


def rests(chosen: Sequence[Experiment], workers: Workers) -> list[Rest]:
    """All of them in order; their records are freed at once."""
    with open_executor(workers) as executor:
        return list(executor.map(_rest, chosen))


def of_preset(context: Context, preset: str, seeds: int, changes: Mapping[str, Any]) -> list[Rest]:
    """Runs of a preset over seeds."""
    name = f"{preset} {sorted(changes.items())}"
    return rests([preset_with(preset, context.key(name, n), changes) for n in range(seeds)], context.workers)


def references(context: Context, preset: str, seeds: int, changes: Mapping[str, Any]) -> list[Rest]:
    """The same runs, but begun in the equilibrium."""
    settings = merged(experiments.presets()[preset], changes)
    size = experiments.check({**settings, "seed": 0}, preset).model_dump()["population"]["size"]
    return of_preset(context, preset, seeds, merged(changes, {"population": {"seeded": [EQUILIBRIUM] * size}}))


def bound_of(found: Sequence[Rest], least: float = STILL) -> float:
    """The bound of "still" from reference runs, and at least this."""
    stayed = [run.spread for run in found if run.exploitability <= NEAR]
    return max(least, TIMES * float(np.mean(stayed))) if stayed else least
