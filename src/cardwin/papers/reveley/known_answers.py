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

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from cardwin.core.executor import executor_of
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.reveley.baselines import mean_cells
from cardwin.papers.reveley.claims import Row, Sample, family
from cardwin.papers.reveley.other_systems import RIGHT, gap, slowness
from cardwin.papers.reveley.plan import seeds as seeds_of
from cardwin.papers.reveley.plan import sizes
from cardwin.papers.reveley.trials import Training
from cardwin.players.xcs.learning.problems import XcsLearner, noisy_multiplexer, problem_of
from cardwin.players.xcs.learning.scores import share_right
from cardwin.players.xcs.rules import NUMEROSITY, SIZE
from cardwin.players.xcs.training.holdem import USUAL

NONE, HANDLED, EDGE, ABOVE = 0.0, 0.4, 0.5, 0.6  # amounts of noise
LAST = 1_000  # exploit trials that are scored
SETTINGS: dict[str, Mapping[str, float]] = {
    "the literature's settings": {},
    "small steps": {"beta": 0.02},
    "poker's settings": {name: value for name, value in USUAL.items() if name in (
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


class Score(NamedTuple):
    """The share of right answers, and the share of bits that rules let through, weighted by numerosity."""

    right: float
    general: float


def score(job: Job) -> Score:
    """Train, then score the last exploit trials."""
    problem = noisy_multiplexer(6, job.noise) if job.problem == "noise" else problem_of(job.problem)
    learner = XcsLearner(problem, job.seed, dict(SETTINGS[job.settings]), job.predictions == 2)
    right = share_right(learner.live(job.trials), LAST)
    rules, size = learner.system.rules, int(learner.system.rules.totals[SIZE])
    bits = np.array([sum(int(word).bit_count() for word in rules.condition[:, i]) for i in range(size)])
    fields, weights = len(problem.fields.seen), rules.counts[NUMEROSITY, :size]
    return Score(right, float(((bits - fields) / fields * weights).sum() / weights.sum()))


def mean_error(amount: float, everything: bool, even: bool = False) -> float:
    """The exact mean absolute error, as a share of the reward, of an accurate rule or of one that matches everything.

    Noise has two values, up or down by the amount, or is spread evenly between them.
    """
    if not even:
        return max(0.5, amount) if everything else amount
    if not everything:
        return amount / 2
    return 0.5 if amount <= 0.5 else (0.25 + amount**2) / (2 * amount)


def experiments(context: Context) -> Iterator[Finding]:
    """Amounts of noise; then one and two predictions."""
    size = sizes(context, "known-answers")
    seeds = seeds_of(context, size["seeds"])
    jobs = [Job("noise", amount, "the literature's settings", 1, size["trials"], seed)
            for amount in (NONE, HANDLED, EDGE, ABOVE) for seed in seeds]  # fmt: skip
    jobs += [Job(f"multiplexer-6-{what}", 0.0, settings, predictions, size["trials"], seed)
             for what in ("stakes", "odds") for settings in SETTINGS for predictions in (1, 2)
             for seed in seeds]  # fmt: skip
    with executor_of(context.workers) as executor:
        scores = dict(zip(jobs, executor.map(score, jobs), strict=True))
    yield from _noise(context, scores, size["trials"], seeds)
    yield from _predictions(context, scores, size["trials"], seeds)
    yield from _others(context, size, seeds)


def _noise(context: Context, scores: Mapping[Job, Score], trials: int, seeds: Sequence[int]) -> Iterator[Finding]:
    for even, name in ((False, "of two values"), (True, "spread evenly")):
        lead = mean_error(EDGE, True, even) - mean_error(EDGE, False, even)
        yield Finding("2.2.5", f"at noise of .5, {name}, no rule is more accurate than the average",
                      published="no classifier can be", exact=round(lead, 4),
                      verdict=verdicts.judge(verdicts.within(0.0, 0.0), lead),
                      reason="mean error of a rule for everything minus an accurate one's, as a share")  # fmt: skip
    by: dict[float, dict[int, tuple[Job, Score]]] = {amount: {} for amount in (NONE, HANDLED, EDGE, ABOVE)}
    for job, one in scores.items():
        if job.problem == "noise":
            by[job.noise][job.seed] = (job, one)
    rows = [[f"{amount:.1f}", *mean_cells([by[amount][seed][1].right for seed in seeds]),
             *mean_cells([by[amount][seed][1].general for seed in seeds])] for amount in by]  # fmt: skip
    context.table(f"Noise of the reward, 6-multiplexer, {trials:,} trials, {len(seeds)} seeds, usual settings",
                  ["noise", "right", "±", "bits let through", "±"], rows)  # fmt: skip
    handled = Sample({(job.training,): one.right for job, one in by[HANDLED].values()})
    filled = [
        Row("2.2.5", f"noise of {amount}: share of bits let through, minus without noise",
            "the population fills with over-general classifiers",
            _difference({seed: by[amount][seed] for seed in seeds}, {seed: by[NONE][seed] for seed in seeds}, 1))
        for amount in (EDGE, ABOVE)
    ]  # fmt: skip
    handles = Row("2.2.5", f"noise of {HANDLED} is handled: share right", "below .5 XCS should handle it", handled,
                  rule=verdicts.share_above)  # fmt: skip
    yield from family([handles, *filled])


def _others(context: Context, size: Mapping[str, int], seeds: Sequence[int]) -> Iterator[Finding]:
    """A Michigan and a Pitt system."""
    with executor_of(context.workers, in_python=True) as executor:
        gaps = list(executor.map(partial(gap, size["michigan"]), seeds))
        slow = list(executor.map(partial(slowness, size["pitt"]), seeds))
    yield from family([Row(
        "2.2.2", "strength-based fitness leaves gaps: unknown situations, those that pay little minus much",
        "a gap may develop", Sample({(Training("michigan", (), size["michigan"], seed),): one
                                     for seed, one in zip(seeds, gaps, strict=True)}),
    )])  # fmt: skip
    pitt = Sample({(Training("pitt", (), size["pitt"], seed),): one for seed, one in zip(seeds, slow, strict=True)})
    yield from family([Row("2.2.4", "a Pitt system is slower: instances, as a multiple of XCS, log 10",
                           "a great deal slower", pitt, f"the 6-multiplexer at {RIGHT:.0%}, at most {size['pitt']:,}",
                           verdicts.share_above)])  # fmt: skip


def _difference(better: Mapping[int, tuple[Job, Score]], worse: Mapping[int, tuple[Job, Score]], part: int) -> Sample:
    """Seed by seed."""
    return Sample({(a.training, worse[seed][0].training): found[part] - worse[seed][1][part]
                   for seed, (a, found) in better.items()})  # fmt: skip


def _predictions(context: Context, scores: Mapping[Job, Score], trials: int, seeds: Sequence[int]) -> Iterator[Finding]:
    rows, table = [], []
    for what in ("stakes", "odds"):
        for settings in SETTINGS:
            one, two = (
                {job.seed: (job, found) for job, found in scores.items()
                 if job[:4] == (f"multiplexer-6-{what}", 0.0, settings, predictions)}
                for predictions in (1, 2)
            )  # fmt: skip
            table.append([what, settings, *mean_cells([one[seed][1].right for seed in seeds]),
                          *mean_cells([two[seed][1].right for seed in seeds])])  # fmt: skip
            rows.append(Row("2.3 a", f"two predictions where {what} differ, {settings}: right, two minus one",
                            "removes the noise of winning or losing", _difference(two, one, 0)))  # fmt: skip
    context.table(f"One and two predictions, 6-multiplexer, {trials:,} trials, {len(seeds)} seeds: share right",
                  ["differ", "settings", "one prediction", "±", "two", "±"], table)  # fmt: skip
    yield from family(rows)
