"""The interval that is printed first, and the diagnosis whether the sample supports it.

The headline is Student's interval, widened by the BCa bootstrap if the sample is skewed. Both rely on the sample:
they ignore results that are possible and did not occur. So a diagnosis comes first, with limits fixed before the
acceptance run (docs/statistics.md):

1. At least `MIN_SAMPLE` results. Fewer do not show which pots occur.
2. No unseen pots. For every level r, count the results whose stakes reached r, and those that paid out at least half of
   r. If less than `MIN_PAID` did, a payment of r may have gone unseen: up to `UNSEEN` times in the whole sample. That
   moves the mean by `unseen` = r UNSEEN / n, which must be below .4 of Student's half-width. The stakes of a hand are
   the largest amount that a seat had put in, before an uncalled part was returned. A player that goes all-in every hand
   and is never called has small results and large stakes. Without stakes the bounds take their part, on either side.
3. No few results that carry the variance: the skewness over the root of n is at most `MAX_BOOTSTRAP_SKEW`.

If the diagnosis fails, the interval is guaranteed for results within the largest stakes seen (`stakes`); if these are
the whole stacks, or unknown, it is the guaranteed interval itself.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.stats.bounded import Bounded, Sample, bounded, fixed_interval, interval_floor
from cardwin.stats.intervals import (
    MAX_SKEW,
    Bounds,
    Estimate,
    bootstrap_interval,
    bounded_mean,
    dependent_estimate,
    estimate,
    exact_estimate,
    log_variance_error,
    quantile,
    student_interval,
)

MIN_SAMPLE = 100
MIN_PAID = 10  # results that paid at least half of a level, from which on the sample shows what such pots do
UNSEEN = 3.7  # events that a sample misses with a probability of 2.5%
MISSED = 2.3  # events that a sample misses with a probability of 10%
MAX_UNSEEN = 0.4  # of Student's half-width
MAX_BOOTSTRAP_SKEW = 0.2
LEVELS = 2.0 ** -(np.arange(24) / 2)  # of stakes, relative to the largest
MAX_RESULTS = 10**12


@dataclass(frozen=True, slots=True)
class Profile:
    """What decides the headline of a sample: moments, bounds, and how often each level was at stake and was paid.

    `share` is that of the largest stakes seen in the bounds; 1 if stakes are unknown.
    """

    n: int
    values: Bounded
    mean: float
    spread: float
    skewness: float
    bounds: Bounds
    share: float
    levels: Floats
    at_stake: Floats
    paid: Floats
    error: float  # standard error of the logarithm of the variance

    def unseen(self, n: int) -> float:
        """Return by how much unseen pots could move the mean of n results like these."""
        times = n / self.n
        could = self.levels * np.minimum(self.at_stake * times, UNSEEN) / n
        return float(could[self.paid * times < MIN_PAID].max(initial=0.0))

    def skew(self, n: int) -> float:
        """Return the skewness over the root of n: a third of the shift of the mean's quantiles."""
        return abs(self.skewness) / math.sqrt(n)

    def student(self, n: int) -> float:
        """Return Student's half-width of n results."""
        return quantile(0.975, n - 1) * self.spread / math.sqrt(n) if n > 1 else math.inf

    def failure(self, n: int) -> str:
        """Return why n results like these would not support Student's interval or a bootstrap; empty if they do."""
        if n < MIN_SAMPLE:
            return f"{n:,} results are too few to show which pots occur: {MIN_SAMPLE} are needed"
        if self.spread == 0:
            return "all results are equal"
        if self.unseen(n) > MAX_UNSEEN * self.student(n):
            return "pots as large as the bets made were seen less than ten times"
        if self.skew(n) > MAX_BOOTSTRAP_SKEW:
            return "a few large results carry most of the variance"
        return ""

    def half_width(self, n: int) -> float:
        """Return the expected half-width of the headline of n results like these."""
        return self.student(n) if not self.failure(n) else self._guarantee(n, self.share if n >= MIN_SAMPLE else 1.0)

    def promised(self, n: int, *, guaranteed: bool = False) -> float:
        """Return a half-width that the headline of n other results does not exceed with a probability of 90%.

        The spread of both samples is uncertain, and payments that this sample missed add to it. The diagnosis must hold
        with a third of the results to spare, and otherwise the stakes may turn out to be twice as large as those seen.
        """
        more = math.exp(1.645 / 2 * self.error * math.sqrt(1 + self.n / n))
        if guaranteed:
            return more * self._guarantee(n, 1.0)
        missed = self.levels**2 * np.minimum(self.at_stake, MISSED) / self.n
        unseen = 1.96 * math.sqrt(float(missed[self.paid < MIN_PAID].max(initial=0.0)) / n)
        if not self.failure(n) and not self.failure(n * 2 // 3):
            return math.hypot(more * self.student(n), unseen)
        return math.hypot(more * self._guarantee(n, min(1.0, 2 * self.share)), unseen)

    def _guarantee(self, n: int, share: float) -> float:
        """Return the half-width of the interval guaranteed for results within a share of the bounds."""
        low, high = min(self.bounds[0] * share, self.values.low), max(self.bounds[1] * share, self.values.high)
        scaled = replace(self.values, counts=self.values.counts * (n / self.n), low=low, high=high, n=n)
        ends = fixed_interval(scaled)
        return (ends[1] - ends[0]) / 2

    def results_for(self, holds: Callable[[int], bool], first: int = 2) -> int:
        """Return the number of results from which on a condition holds, which is assumed to stay true."""
        low, high = first - 1, first
        while not holds(high) and high < MAX_RESULTS:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if holds(middle) else (middle, high)
        return high


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Whether a sample supports its headline: the reason if not, and the measures.

    `effective` is the number of equally large results that would carry the variance, `enough` the number of results
    from which on Student's interval would be supported.
    """

    reason: str
    skew: float
    effective: float
    unseen: float
    enough: int

    @property
    def supported(self) -> bool:
        """Whether the headline is the interval of the sample alone."""
        return not self.reason


METHOD = "95% interval of the sample (Student's) if its diagnosis supports it, otherwise one from the bounds"
SUPPORTED = Diagnosis("", 0.0, math.inf, 0.0, 0)
STOPPED = "the results decided when to stop"


def profile_of(sample: Sample, bounds: Bounds, stakes: Floats | None = None) -> Profile:
    """Return the profile of independent results (n,) within bounds; their stakes (n,) are optional."""
    values = bounded(sample, float(sample.min()), float(sample.max()))
    n, mean, spread = len(sample), float(sample.mean()), float(sample.std(ddof=1)) if len(sample) > 1 else 0.0
    skewness = float((((sample - mean) / spread) ** 3).mean()) if spread > 0 else 0.0
    error = log_variance_error(sample)
    if stakes is None or not len(stakes):
        levels = np.array([mean - bounds[0], bounds[1] - mean])
        at_stake = np.full(2, float(n))
        paid = np.array([(sample <= mean - levels[0] / 2).sum(), (sample >= mean + levels[1] / 2).sum()], np.float64)
        return Profile(n, values, mean, spread, skewness, bounds, 1.0, levels, at_stake, paid, error)
    results = np.sort(np.abs(sample))
    stakes = np.sort(np.maximum(stakes, np.abs(sample) / max(1.0, -bounds[1] / bounds[0])))
    levels = stakes[-1] * LEVELS
    at_stake, paid = (
        n - np.searchsorted(values, reached).astype(np.float64)
        for values, reached in ((stakes, levels * (1 - 1e-9)), (results, levels / 2))
    )
    share = min(1.0, float(stakes[-1]) / -bounds[0])
    return Profile(n, values, mean, spread, skewness, bounds, share, levels, at_stake, paid, error)


def headline_of(
    sample: Sample,
    bounds: Bounds,
    per_unit: float,
    guaranteed: Estimate,
    stakes: Floats | None = None,
    *,
    stopped: bool = False,
) -> tuple[Estimate, Diagnosis]:
    """Return the interval to print first and its diagnosis.

    Args:
        sample: Independent results (n,).
        bounds: The smallest and the largest possible result.
        per_unit: What results are divided by, such as the big blind.
        guaranteed: The interval to print if nothing else is supported.
        stakes: The chips at stake in each result (n,), if known.
        stopped: Whether the results decided the length, so that only the any-stop interval is valid.

    """
    profile = profile_of(sample, bounds, stakes)
    n, reason = profile.n, profile.failure(profile.n)
    spread = np.sum((sample - profile.mean) ** 2)
    diagnosis = Diagnosis(
        STOPPED if stopped else reason,
        profile.skew(n),
        float(spread**2 / np.sum((sample - profile.mean) ** 4)) if spread > 0 else 0.0,
        profile.unseen(n) / per_unit,
        0 if stopped or not reason or not profile.spread else profile.results_for(lambda n: not profile.failure(n), n),
    )
    if diagnosis.supported:
        student = student_interval(sample, per_unit)
        if diagnosis.skew <= MAX_SKEW:
            return student, diagnosis
        low, high = bootstrap_interval(np.asarray(sample, np.float64) / per_unit)
        return estimate(student.mean, min(low, student.low), max(high, student.high), n, "bootstrap"), diagnosis
    if stopped or n < MIN_SAMPLE or profile.share >= 1:
        return guaranteed, diagnosis
    low, high = bounds[0] * profile.share, bounds[1] * profile.share
    any_stop = guaranteed.method == "any stop"
    return replace(bounded_mean(sample, (low, high), per_unit, any_stop=any_stop), method="stakes"), diagnosis


def deals_for(
    pilot: Sample, bounds: Bounds, half_width: float, stakes: Floats | None = None, *, guaranteed: bool = False
) -> int:
    """Return the number of results whose interval has at most this half-width, in 9 of 10 samples like the pilot.

    It is the interval that is printed first, or the one that is `guaranteed` for a declared length.
    """
    profile = profile_of(pilot, bounds, stakes)
    return profile.results_for(lambda n: profile.promised(n, guaranteed=guaranteed) <= half_width)


@dataclass(frozen=True, slots=True)
class Intervals:
    """All intervals of one mean.

    `shown` is printed first, with its diagnosis. `fixed` is guaranteed for a length declared before play, `any_stop` at
    any stopping time; `any_stopped` says which of them applies. `approximate` is Student's. `floor` is the minimum
    half-width of any guaranteed interval.
    """

    shown: Estimate
    diagnosis: Diagnosis
    fixed: Estimate
    any_stop: Estimate
    approximate: Estimate
    floor: float
    any_stopped: bool

    @property
    def guaranteed(self) -> Estimate:
        """The guaranteed interval that applies: only this one decides what is certain."""
        return self.any_stop if self.any_stopped else self.fixed


def intervals_of(
    sample: Sample,
    bounds: Bounds,
    per_unit: float = 1.0,
    stakes: Floats | None = None,
    *,
    any_stop: bool = False,
    stopped: bool = False,
) -> Intervals:
    """Return the intervals of the mean of independent results.

    Args:
        sample: The results (n,).
        bounds: The smallest and the largest possible result.
        per_unit: What results are divided by, such as the big blind.
        stakes: The chips at stake in each result (n,), if known.
        any_stop: Whether play may be extended because of the results.
        stopped: Whether the results decided the length.

    """
    fixed, any_stopped = (bounded_mean(sample, bounds, per_unit, any_stop=stop) for stop in (False, True))
    floor = interval_floor(len(sample), *bounds) / per_unit
    guaranteed = any_stopped if any_stop else fixed
    shown, diagnosis = headline_of(sample, bounds, per_unit, guaranteed, stakes, stopped=stopped)
    student = student_interval(sample, per_unit)
    return Intervals(shown, diagnosis, fixed, any_stopped, student, floor, any_stop)


def exact_intervals(value: float, n: int) -> Intervals:
    """Return an exact value in the form of `intervals_of`."""
    exact = exact_estimate(value, n)
    return Intervals(exact, SUPPORTED, exact, exact, exact, 0.0, False)


def dependent_intervals(sample: Sample, per_unit: float = 1.0) -> Intervals:
    """Return the mean of dependent numbers (n,) in the form of `intervals_of`: it has no interval."""
    mean = dependent_estimate(sample, per_unit)
    return Intervals(mean, SUPPORTED, mean, mean, mean, math.inf, False)


def mirrored(intervals: Intervals) -> Intervals:
    """Return the intervals of the negative of a mean."""

    def negative(mean: Estimate) -> Estimate:
        return replace(mean, mean=0.0 - mean.mean, low=-mean.high, high=-mean.low)

    return replace(
        intervals,
        shown=negative(intervals.shown),
        fixed=negative(intervals.fixed),
        any_stop=negative(intervals.any_stop),
        approximate=negative(intervals.approximate),
    )
