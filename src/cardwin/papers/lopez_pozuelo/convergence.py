"""Whether two populations have settled, at each level of noise.

A run has settled if in its last fifth
- the standard deviation of the first population's average fitness is at most the bound, in chips, and
- the exploitability (NashConv / 2) of the seats' average plans over those generations is at most `MAX_EXPLOITABILITY`.

With exact fitness the bound is `MIN_BOUND`: half a cent, because the document prints average fitness to three places
(-.055). With sampled games selection is noisy, and two populations in an equilibrium move around it. How far follows
from reference runs: the same game, games, mutation rate and number of generations, but all members begin as copies of
an equilibrium. (No duplicates are admitted, so each member of the second generation differs in a gene; that is over
long before the last fifth.) The bound for that noise is `BOUND_FACTOR` times the mean of the references' standard
deviations, and at least `MIN_BOUND`. Only references count that are still within `MAX_EXPLOITABILITY` at their end: for
the others, the equilibrium is not a fixed point at that noise. No run that is judged has a part in its bound.
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
from cardwin.papers.evolutions import evolve_in_memory, preset_with
from cardwin.runs import experiment as experiments
from cardwin.runs.experiment import merged
from cardwin.runs.problems.small_game import experiment_of, seats
from cardwin.runs.reader import RunData
from cardwin.solvers import plans
from cardwin.solvers.tree import tree_of
from cardwin.stats.intervals import Share, share_of

MIN_BOUND, MAX_EXPLOITABILITY, BOUND_FACTOR = 0.005, 0.02, 2
MIXING_GENES = (0, 2, 4)  # genes with mixed probabilities in some equilibrium of Kuhn poker: B_J, B_K, C_Q
EQUILIBRIUM = "equilibrium"  # the policy that references begin with


@dataclass(frozen=True)
class LastFifth:
    """The last fifth of one run.

    Attributes:
        mean: The mean of population 1's average fitness.
        deviation: Its standard deviation.
        exploitability: That of the average plans.
        genes: The mean genes of both seats, (2, genes).
        champions: The mean fittest of both seats, (2, genes).
        variety: The mean deviation of the mixing genes within populations.
        ahead: The share of all generations in which population 1's fitness was above 0.
        windows: Some generations, (k,).
        deviations: The deviation of fitness in the fifth of the run before each of the windows, (k,).

    """

    mean: float
    deviation: float
    exploitability: float
    genes: Floats
    champions: Floats
    variety: float
    ahead: float
    windows: Floats
    deviations: Floats

    def is_settled(self, bound: float) -> bool:
        """Return whether the run has settled, with the bound of its noise."""
        return self.deviation <= bound and self.exploitability <= MAX_EXPLOITABILITY


@dataclass(frozen=True)
class Group:
    """Runs of one setting with the bound of its noise."""

    runs: list[LastFifth]
    bound: float

    @property
    def settled(self) -> list[LastFifth]:
        """The runs that settled."""
        return [run for run in self.runs if run.is_settled(self.bound)]

    @property
    def unsettled(self) -> list[LastFifth]:
        """The runs that did not settle."""
        return [run for run in self.runs if not run.is_settled(self.bound)]

    @property
    def share(self) -> Share:
        """The share of runs that settled."""
        return share_of(len(self.settled), len(self.runs))


def last_fifth(numbers: Floats) -> Floats:
    """Return the last fifth of a series (generations, ...)."""
    return numbers[-max(1, len(numbers) // 5) :]


def last_fifth_of(run: RunData) -> LastFifth:
    """Measure the last fifth of a run."""
    tree, series = tree_of(game_of(experiment_of(run).game)), seats(run)
    mean = series[0].metrics["average_value"]
    averages = [last_fifth(series[seat].arrays["average"]).mean(axis=0) for seat in (0, 1)]
    window = max(1, len(mean) // 5)
    starts = range(0, len(mean) - window + 1, max(1, window // 4))
    mixing = [gene for gene in MIXING_GENES if gene < series[0].arrays["gene_spread"].shape[1]]
    return LastFifth(
        mean=float(last_fifth(mean).mean()),
        deviation=float(last_fifth(mean).std()),
        exploitability=plans.exploitability(tree, averages[0], averages[1]),
        genes=np.stack([last_fifth(series[seat].arrays["gene_mean"]).mean(axis=0) for seat in (0, 1)]),
        champions=np.stack([last_fifth(series[seat].arrays["champion"]).mean(axis=0) for seat in (0, 1)]),
        variety=float(np.mean([last_fifth(series[seat].arrays["gene_spread"])[:, mixing].mean() for seat in (0, 1)])),
        ahead=float((series[0].metrics["mean"] > 0).mean()),
        windows=np.array([start + window for start in starts], dtype=np.float64),
        deviations=np.array([mean[start : start + window].std() for start in starts], dtype=np.float64),
    )


def _evolve_last_fifth(experiment: Experiment) -> LastFifth:
    return last_fifth_of(evolve_in_memory(experiment))


def last_fifths(chosen: Sequence[Experiment], workers: Workers) -> list[LastFifth]:
    """Run experiments and return the last fifth of each, in order; the records are freed at once."""
    with open_executor(workers) as executor:
        return list(executor.map(_evolve_last_fifth, chosen))


def run_preset(context: Context, preset: str, seeds: int, changes: Mapping[str, Any]) -> list[LastFifth]:
    """Run a preset with changes over seeds."""
    name = f"{preset} {sorted(changes.items())}"
    return last_fifths([preset_with(preset, context.key(name, n), changes) for n in range(seeds)], context.workers)


def reference_runs(context: Context, preset: str, seeds: int, changes: Mapping[str, Any]) -> list[LastFifth]:
    """Run a preset with changes over seeds, beginning with copies of an equilibrium."""
    settings = merged(experiments.presets()[preset], changes)
    size = experiments.check({**settings, "seed": 0}, preset).model_dump()["population"]["size"]
    return run_preset(context, preset, seeds, merged(changes, {"population": {"seeded": [EQUILIBRIUM] * size}}))


def stability_bound(references: Sequence[LastFifth], minimum: float = MIN_BOUND) -> float:
    """Return the bound on the deviation of a settled run's fitness.

    Args:
        references: Reference runs with the same noise.
        minimum: The smallest bound.

    """
    deviations = [run.deviation for run in references if run.exploitability <= MAX_EXPLOITABILITY]
    return max(minimum, BOUND_FACTOR * float(np.mean(deviations))) if deviations else minimum
