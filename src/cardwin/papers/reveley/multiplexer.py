"""The document's remarks on noise, on problems whose answer is known: the 6-multiplexer with random rewards.

**Noise of .5 (2.2.5).** The reward of 1,000 or 0 varies by up to a share of 1,000 up or down. The document says that
XCS copes below .5, where an accurate rule still errs less than one that matches everything, and that from .5 on
over-general rules fill the population. For two-valued noise the mean absolute errors are exact: a share x of 1,000 for
an accurate rule, and the larger of .5 and x for the rule that matches everything; they meet at .5. For noise that is
uniform between the ends they do not meet.

**Two predictions (2.3 a).** They separate winning and losing. Either the odds are the same and the stakes tell right
from wrong, or the stakes are the same and the odds tell; in poker it is mostly the odds. Both are run with the settings
of the literature, with smaller steps, and with those that our XCS has in poker.

The other two kinds of classifier systems, Michigan and Pitt, are measured on the same problem (`michigan_pitt`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from cardwin.core.executor import Workers
from cardwin.papers import Context
from cardwin.papers.reveley.baselines import mean_cells
from cardwin.papers.reveley.claims import Numbers, family, numbers
from cardwin.papers.reveley.michigan_pitt import RIGHT, gap, slowness
from cardwin.papers.reveley.trainings import Training, in_parallel, seeds_of, sizes
from cardwin.papers.sample import Sample, sample
from cardwin.players.xcs.learning.problems import XcsLearner, noisy_multiplexer, problem_of, share_right
from cardwin.players.xcs.rules import NUMEROSITY, SIZE
from cardwin.players.xcs.training.holdem import DEFAULTS

NONE, HANDLED, EDGE, ABOVE = 0.0, 0.4, 0.5, 0.6  # amounts of noise
SCORED = 1_000  # the last exploit trials
LITERATURE = "the literature's settings"
POKER_SETTINGS = ("mu", "P_hash", "tau", "beta", "nu", "do_action_set_subsumption")
SETTINGS: dict[str, Mapping[str, float]] = {
    LITERATURE: {},
    "small steps": {"beta": 0.02},
    "poker's settings": {name: value for name, value in DEFAULTS.items() if name in POKER_SETTINGS}
    | {"N": 2_000, "theta_GA": 500.0},
}


class Job(NamedTuple):
    """A training on a problem: a multiplexer by its name, or with an amount of noise."""

    problem: str
    noise: float
    settings: str
    predictions: int
    trials: int
    seed: int

    @property
    def training(self) -> Training:
        """The job as a training."""
        return Training(f"{self.settings}, {self.predictions}", (self.problem, str(self.noise)), self.trials, self.seed)


class Score(NamedTuple):
    """The share of right answers to the last exploit trials, and the share of bits that the rules let through.

    The bits are weighted by numerosity.
    """

    right: float
    general: float


class Result(NamedTuple):
    """A job and its score."""

    job: Job
    score: Score


def run_job(job: Job) -> Score:
    """Train, and return the score."""
    problem = noisy_multiplexer(6, job.noise) if job.problem == "noise" else problem_of(job.problem)
    learner = XcsLearner(problem, job.seed, dict(SETTINGS[job.settings]), job.predictions == 2)
    right = share_right(learner.run(job.trials), SCORED)
    rules, size = learner.system.rules, int(learner.system.rules.totals[SIZE])
    bits = np.bitwise_count(rules.condition[:, :size]).sum(axis=0).astype(np.int64)
    fields, weights = len(problem.fields.seen), rules.counts[NUMEROSITY, :size]
    return Score(right, float(((bits - fields) / fields * weights).sum() / weights.sum()))


def mean_error(amount: float, matches_all: bool, uniform: bool = False) -> float:
    """Return the exact mean absolute error of a rule, as a share of the reward.

    Args:
        amount: The amount of noise.
        matches_all: Whether the rule matches everything; otherwise it is accurate.
        uniform: Whether the noise is uniform between its ends; otherwise it is up or down by the amount.

    """
    if not uniform:
        return max(0.5, amount) if matches_all else amount
    if not matches_all:
        return amount / 2
    return 0.5 if amount <= 0.5 else (0.25 + amount**2) / (2 * amount)


def experiment(context: Context) -> Iterator[Sample]:
    """Train with amounts of noise; then with one and two predictions; then a Michigan and a Pitt system."""
    size = sizes(context, "known-answers")
    seeds = seeds_of(context, size["seeds"])
    for uniform, name in ((False, "of two values"), (True, "spread evenly")):
        lead = mean_error(EDGE, True, uniform) - mean_error(EDGE, False, uniform)
        yield sample(f"at noise of .5, {name}, no rule is more accurate than the average", exact=round(lead, 4))
    yield from _noise(context, size["trials"], seeds)
    yield from _predictions(context, size["trials"], seeds)
    name = "strength-based fitness leaves gaps: unknown situations, those that pay little minus much"
    yield from family({name: _of_seeds("michigan", gap, size["michigan"], seeds, context.workers)})
    name = "a Pitt system is slower: instances, as a multiple of XCS, log 10"
    reasons = {name: f"the 6-multiplexer at {RIGHT:.0%}, at most {size['pitt']:,}"}
    yield from family({name: _of_seeds("pitt", slowness, size["pitt"], seeds, context.workers)}, reasons)


def _noise(context: Context, trials: int, seeds: Sequence[int]) -> Iterator[Sample]:
    """Train with amounts of noise."""
    amounts = (NONE, HANDLED, EDGE, ABOVE)
    jobs = [Job("noise", amount, LITERATURE, 1, trials, seed) for amount in amounts for seed in seeds]
    done = iter(_run_jobs(jobs, context.workers))
    results = {amount: [next(done) for _ in seeds] for amount in amounts}
    rows = [
        [f"{amount:.1f}", *_cells(by_seed, "right"), *_cells(by_seed, "general")] for amount, by_seed in results.items()
    ]
    title = f"Noise of the reward, 6-multiplexer, {trials:,} trials, {len(seeds)} seeds, usual settings"
    context.table(title, ["noise", "right", "±", "bits let through", "±"], rows)
    handled = numbers(((result.job.training,), result.score.right) for result in results[HANDLED])
    claims = {f"noise of {HANDLED} is handled: share right": handled}
    for amount in (EDGE, ABOVE):
        name = f"noise of {amount}: share of bits let through, minus without noise"
        claims[name] = _difference(results[amount], results[NONE], "general")
    yield from family(claims)


def _predictions(context: Context, trials: int, seeds: Sequence[int]) -> Iterator[Sample]:
    """Train with one and with two predictions."""
    cases = [(differing, settings) for differing in ("stakes", "odds") for settings in SETTINGS]
    jobs = [
        Job(f"multiplexer-6-{differing}", 0.0, settings, predictions, trials, seed)
        for differing, settings in cases
        for predictions in (1, 2)
        for seed in seeds
    ]
    done = iter(_run_jobs(jobs, context.workers))
    results = {case: [[next(done) for _ in seeds] for _ in (1, 2)] for case in cases}
    rows = [[*case, *_cells(single, "right"), *_cells(double, "right")] for case, (single, double) in results.items()]
    title = f"One and two predictions, 6-multiplexer, {trials:,} trials, {len(seeds)} seeds: share right"
    context.table(title, ["differ", "settings", "one prediction", "±", "two", "±"], rows)
    yield from family(
        {
            f"two predictions where {differing} differ, {settings}: right, two minus one": _difference(
                double, single, "right"
            )
            for (differing, settings), (single, double) in results.items()
        }
    )


def _run_jobs(jobs: Sequence[Job], workers: Workers) -> list[Result]:
    scores = in_parallel(run_job, jobs, workers, in_python=False)
    return [Result(job, score) for job, score in zip(jobs, scores, strict=True)]


def _of_seeds(
    system: str, measure: Callable[[int, int], float], size: int, seeds: Sequence[int], workers: Workers
) -> Numbers:
    """Measure another system on every seed."""
    values = in_parallel(partial(measure, size), seeds, workers)
    return numbers(((Training(system, (), size, seed),), value) for seed, value in zip(seeds, values, strict=True))


def _cells(results: Sequence[Result], part: str) -> list[str]:
    return mean_cells([getattr(result.score, part) for result in results])


def _difference(better: Sequence[Result], worse: Sequence[Result], part: str) -> Numbers:
    """Return the difference of a part of the scores, seed by seed."""
    return numbers(
        ((a.job.training, b.job.training), getattr(a.score, part) - getattr(b.score, part))
        for a, b in zip(better, worse, strict=True)
    )
