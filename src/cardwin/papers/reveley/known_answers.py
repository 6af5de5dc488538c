"""What the document says about noise, on problems whose answer is known: the 6-multiplexer with random rewards.

**Noise of .5 (2.2.5).** The reward of 1,000 or 0 varies by up to a share of 1,000 up or down. The document says that
XCS copes below .5, where an accurate rule still errs less than one that matches everything, and that from .5 on
over-general rules fill the population. For two-valued noise the mean absolute errors are exact: a share x of 1,000 for
an accurate rule, and the larger of .5 and x for the rule that matches everything; they meet at .5. For noise spread
evenly between the ends they do not meet.

**Two predictions (2.3 a).** They separate winning and losing. Either the odds are the same and the stakes tell right
from wrong, or the stakes are the same and the odds tell; in poker it is mostly the odds. Both are run with the settings
of the literature, with smaller steps, and with those that our XCS has in poker.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from cardwin.core.executor import Workers
from cardwin.papers import Context
from cardwin.papers.reveley.baselines import mean_cells
from cardwin.papers.reveley.claims import Numbers, family, numbers
from cardwin.papers.reveley.other_systems import RIGHT, gap, slowness
from cardwin.papers.reveley.trials import Training, in_parallel, seeds_of, sizes
from cardwin.papers.sample import Sample, sample
from cardwin.players.xcs.learning.problems import XcsLearner, noisy_multiplexer, problem_of, share_right
from cardwin.players.xcs.rules import NUMEROSITY, SIZE
from cardwin.players.xcs.training.holdem import DEFAULTS

NONE, HANDLED, EDGE, ABOVE = 0.0, 0.4, 0.5, 0.6  # amounts of noise
LAST = 1_000  # exploit trials that are scored
Score = tuple[float, float]
RIGHT_ANSWERS, GENERAL = 0, 1  # parts of a score
SETTINGS: dict[str, Mapping[str, float]] = {
    "the literature's settings": {},
    "small steps": {"beta": 0.02},
    "poker's settings": {name: value for name, value in DEFAULTS.items() if name in (
        "mu", "P_hash", "tau", "beta", "nu", "do_action_set_subsumption")} | {"N": 2_000, "theta_GA": 500.0},
}  # fmt: skip


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
        """As a training."""
        return Training(f"{self.settings}, {self.predictions}", (self.problem, str(self.noise)), self.trials, self.seed)


def score(job: Job) -> Score:
    """Return the share of right answers to the last exploit trials, and that of bits which the rules let through.

    The bits are weighted by numerosity.
    """
    problem = noisy_multiplexer(6, job.noise) if job.problem == "noise" else problem_of(job.problem)
    learner = XcsLearner(problem, job.seed, dict(SETTINGS[job.settings]), job.predictions == 2)
    right = share_right(learner.run(job.trials), LAST)
    rules, size = learner.system.rules, int(learner.system.rules.totals[SIZE])
    bits = np.bitwise_count(rules.condition[:, :size]).sum(axis=0).astype(np.int64)
    fields, weights = len(problem.fields.seen), rules.counts[NUMEROSITY, :size]
    return right, float(((bits - fields) / fields * weights).sum() / weights.sum())


def mean_error(amount: float, everything: bool, even: bool = False) -> float:
    """The exact mean absolute error, as a share of the reward, of an accurate rule or of one that matches everything.

    Noise has two values, up or down by the amount, or is spread evenly between them.
    """
    if not even:
        return max(0.5, amount) if everything else amount
    if not everything:
        return amount / 2
    return 0.5 if amount <= 0.5 else (0.25 + amount**2) / (2 * amount)


def experiments(context: Context) -> Iterator[Sample]:
    """Train with amounts of noise; then with one and two predictions; then a Michigan and a Pitt system."""
    size = sizes(context, "known-answers")
    seeds = seeds_of(context, size["seeds"])
    noisy = {amount: ("noise", amount, "the literature's settings", 1, size["trials"])
             for amount in (NONE, HANDLED, EDGE, ABOVE)}  # fmt: skip
    predicting = {(what, settings, count): (f"multiplexer-6-{what}", 0.0, settings, count, size["trials"])
                  for what in ("stakes", "odds") for settings in SETTINGS for count in (1, 2)}  # fmt: skip
    jobs = [Job(*one, seed) for one in (*noisy.values(), *predicting.values()) for seed in seeds]
    results = iter(zip(jobs, in_parallel(score, jobs, context.workers, in_python=False), strict=True))
    done = {name: [next(results) for _ in seeds] for name in (*noisy, *predicting)}
    for even, name in ((False, "of two values"), (True, "spread evenly")):
        lead = mean_error(EDGE, True, even) - mean_error(EDGE, False, even)
        yield sample(f"at noise of .5, {name}, no rule is more accurate than the average", exact=round(lead, 4))
    rows = [[f"{amount:.1f}", *_cells(done[amount], RIGHT_ANSWERS), *_cells(done[amount], GENERAL)] for amount in noisy]
    context.table(f"Noise of the reward, 6-multiplexer, {size['trials']:,} trials, {len(seeds)} seeds, usual settings",
                  ["noise", "right", "±", "bits let through", "±"], rows)  # fmt: skip
    handled = numbers(((job.training,), one[RIGHT_ANSWERS]) for job, one in done[HANDLED])
    yield from family({f"noise of {HANDLED} is handled: share right": handled} | {
        f"noise of {amount}: share of bits let through, minus without noise":
            _difference(done[amount], done[NONE], GENERAL)
        for amount in (EDGE, ABOVE)
    })  # fmt: skip
    both = {(what, settings): [done[what, settings, count] for count in (1, 2)] for what, settings, _ in predicting}
    rows = [[*pair, *_cells(one, RIGHT_ANSWERS), *_cells(two, RIGHT_ANSWERS)] for pair, (one, two) in both.items()]
    context.table(f"One and two predictions, 6-multiplexer, {size['trials']:,} trials, {len(seeds)} seeds: share right",
                  ["differ", "settings", "one prediction", "±", "two", "±"], rows)  # fmt: skip
    yield from family({
        f"two predictions where {what} differ, {settings}: right, two minus one": _difference(two, one, RIGHT_ANSWERS)
        for (what, settings), (one, two) in both.items()
    })  # fmt: skip
    name = "strength-based fitness leaves gaps: unknown situations, those that pay little minus much"
    yield from family({name: _of_seeds("michigan", gap, size, seeds, context.workers)})
    name = "a Pitt system is slower: instances, as a multiple of XCS, log 10"
    yield from family({name: _of_seeds("pitt", slowness, size, seeds, context.workers)},
                      {name: f"the 6-multiplexer at {RIGHT:.0%}, at most {size['pitt']:,}"})  # fmt: skip


def _of_seeds(system: str, measure: Callable[[int, int], float], size: Mapping[str, int], seeds: Sequence[int],
              workers: Workers) -> Numbers:  # fmt: skip
    """Measure another system on every seed."""
    results = in_parallel(partial(measure, size[system]), seeds, workers)
    return numbers(((Training(system, (), size[system], seed),), one) for seed, one in zip(seeds, results, strict=True))


def _cells(scores: Sequence[tuple[Job, Score]], part: int) -> list[str]:
    return mean_cells([one[part] for _, one in scores])


def _difference(better: Sequence[tuple[Job, Score]], worse: Sequence[tuple[Job, Score]], part: int) -> Numbers:
    """Return the difference of a part of the scores, seed by seed."""
    return numbers(((a.training, b.training), one[part] - other[part])
                   for (a, one), (b, other) in zip(better, worse, strict=True))  # fmt: skip
