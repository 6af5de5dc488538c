"""Means and proportions with confidence intervals.

For numbers with known bounds, such as chips at a table and ranks in a tournament, the interval is one of
`bounded`: for a sample size fixed beforehand, or for any stop. Without bounds it is Student's, or a bootstrap if the
sample is too skewed for that: the bias-corrected and accelerated one (Efron 1987), whose acceleration for a mean is
the skewness over six times the root of n. docs/statistics.md shows the coverage of each.

`share_of` gives a proportion of independent trials a conservative interval (Clopper and Pearson 1934).
"""

import math
from dataclasses import dataclass

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError
from cardwin.core.rng import generator_of, key_of
from cardwin.stats.bounded import Sample as Sample
from cardwin.stats.bounded import any_stop_interval, bounded, fixed_interval

Bounds = tuple[float, float]

MAX_SKEW = 0.1  # skewness over the root of n beyond which the bootstrap is used
RESAMPLES = 2_000
MAX_RESAMPLED = 4_000

METHODS = {
    "exact": "all outcomes were enumerated, or it is zero by symmetry",
    "fixed": "95% interval for a length declared before play, from the bounds of the results (Gaffke)",
    "any stop": "95% interval that is valid at any stopping time, from the bounds of the results (betting)",
    "combined": "95% interval of a mean over opponents, half-widths added in squares (approximate)",
    "model": "95% interval of the posterior (normal hierarchical model)",
    "stakes": "95% interval from the largest stakes seen instead of the stacks (Gaffke; betting if play can go on)",
    "t": "Student's 95% interval",
    "bootstrap": "95% bootstrap interval (bias-corrected, accelerated)",
    "no spread": "no interval: all numbers were equal, and they have no known bounds",
    "none": "one number has no interval",
    "dependent": "no interval: stacks carry over, so hands are not independent",
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95% interval: half-width, ends, sample size, and the method (a key of METHODS)."""

    mean: float
    ci95: float
    low: float
    high: float
    n: int
    method: str


def estimate(mean: float, low: float, high: float, n: int, method: str) -> Estimate:
    """Return an estimate from the ends of its interval."""
    return Estimate(mean, (high - low) / 2, low, high, n, method)


def exact_estimate(value: float, n: int) -> Estimate:
    """Return the estimate of an exact value, enumerated or zero by symmetry."""
    return Estimate(value, 0.0, value, value, n, "exact")


def dependent_estimate(sample: Sample, per_unit: float = 1.0) -> Estimate:
    """Return the mean of numbers (n,) with unknown dependence: it has no interval."""
    return Estimate(float(np.mean(sample)) / per_unit, math.inf, -math.inf, math.inf, len(sample), "dependent")


def block_means(values: Sample, block: int) -> Floats:
    """Return the means (n / block, players) of consecutive blocks of rows of values (n, players): one row per deal."""
    means: Floats = values.reshape(-1, block, values.shape[1]).mean(axis=1)
    return means


def quantile(chance: float, freedom: int) -> float:
    """Return Student's quantile."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, chance))


def bounded_mean(sample: Sample, bounds: Bounds, per_unit: float = 1.0, *, any_stop: bool = False) -> Estimate:
    """Return the mean of independent numbers within bounds, with its 95% interval.

    Args:
        sample: the numbers (n,).
        bounds: the smallest and the largest possible number.
        per_unit: what the numbers are divided by, such as the big blind.
        any_stop: whether the interval is valid at any stopping time.

    """
    binned = bounded(sample, *bounds)
    low, high = any_stop_interval(binned) if any_stop else fixed_interval(binned)
    return estimate(
        binned.mean / per_unit, low / per_unit, high / per_unit, binned.n, "any stop" if any_stop else "fixed"
    )


def student_interval(sample: Sample, per_unit: float = 1.0) -> Estimate:
    """Return the mean of independent numbers (n,), in units of `per_unit`, with Student's 95% interval.

    If all numbers are equal, the interval has width zero, and its method says so.
    """
    n = len(sample)
    mean = float(sample.mean()) / per_unit
    if n < 2:
        return Estimate(mean, math.inf, -math.inf, math.inf, n, "none")
    spread = float(sample.std(ddof=1)) / per_unit
    if spread == 0:
        return Estimate(mean, 0.0, mean, mean, n, "no spread")
    half = quantile(0.975, n - 1) * spread / math.sqrt(n)
    return estimate(mean, mean - half, mean + half, n, "t")


def student_p(sample: Sample) -> float:
    """Return the two-tailed p-value of Student's test that the mean of numbers (n,) is zero; 1 if it has no result."""
    n = len(sample)
    spread = float(sample.std(ddof=1)) if n > 1 else 0.0
    if spread == 0:
        return 1.0
    from scipy.special import stdtr

    return 2 * float(stdtr(n - 1, -abs(float(sample.mean())) / spread * math.sqrt(n)))


def mean_interval(sample: Sample, per_unit: float = 1.0) -> Estimate:
    """Return the mean of independent numbers (n,) without known bounds, in units of `per_unit`, with its 95% interval.

    It is Student's, or a bootstrap if the sample is too skewed for that.
    """
    student = student_interval(sample, per_unit)
    if student.method != "t" or student.n <= 10:
        return student
    skew = float((((sample - sample.mean()) / sample.std(ddof=1)) ** 3).mean())
    if abs(skew) / math.sqrt(student.n) <= MAX_SKEW:
        return student
    return estimate(student.mean, *bootstrap_interval(sample / per_unit), student.n, "bootstrap")


def bootstrap_interval(sample: Floats) -> tuple[float, float]:
    """Return the ends of the BCa bootstrap's 95% interval of a mean; large samples use the means of runs of rows."""
    from scipy.stats import bootstrap  # a second of imports, seldom needed

    if len(sample) > MAX_RESAMPLED:
        sample = np.array([run.mean() for run in np.array_split(sample, MAX_RESAMPLED // 4)])
    rng = generator_of(key_of(0, "bootstrap", len(sample)))
    result = bootstrap((sample,), np.mean, n_resamples=RESAMPLES, batch=256, rng=rng, vectorized=True)
    return float(result.confidence_interval.low), float(result.confidence_interval.high)


def log_variance_error(sample: Sample) -> float:
    """Return the standard error of the logarithm of the variance of a sample (n,), by a jackknife; 0 if undefined."""
    n = len(sample)
    squares = (sample - sample.mean()) ** 2
    total = float(squares.sum())
    if n < 3 or total == 0:
        return 0.0
    without = np.log(np.maximum((total - squares * n / (n - 1)) / (n - 2), 1e-300))
    return math.sqrt(float((n - 1) * without.var()))


@dataclass(frozen=True)
class Share:
    """A count of n trials, and the ends of the 95% interval of the probability."""

    count: int
    n: int
    low: float
    high: float

    @property
    def mean(self) -> float:
        """The observed share."""
        return self.count / self.n

    @property
    def ci95(self) -> tuple[float, float]:
        """Both ends."""
        return self.low, self.high


def share_of(count: int, n: int) -> Share:
    """Return the share of n trials in which something happened.

    Raises:
        InputError: the count is not in 0..n, or n is 0.

    """
    if not 0 <= count <= n or n < 1:
        raise InputError(f"invalid share: expected a count of 0 to {n} of at least 1 trial, got {count} of {n}")
    from scipy.special import betaincinv

    low = 0.0 if count == 0 else float(betaincinv(count, n - count + 1, 0.025))
    high = 1.0 if count == n else float(betaincinv(count + 1, n - count, 0.975))
    return Share(count, n, low, high)
