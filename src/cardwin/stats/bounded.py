"""Means of bounded samples: nonparametric intervals whose coverage does not depend on rare values being in the sample.

A sample of poker results contains few of the rare large pots, so its standard deviation can be too small. The stacks
bound every result, though, and two kinds of interval need nothing but these bounds:

**A sample size fixed beforehand.** Add one number at the bound to the sample and take the mean with random weights
(uniform on the simplex); a quantile of that weighted mean is the end of the interval (Gaffke
2005; Learned-Miller and Thomas 2020). For zeros and ones this is the Clopper-Pearson interval, for large samples
the normal one. The quantile is a saddlepoint approximation (Lugannani and Rice 1980), so no random numbers are used.

**Any stopping time.** Betting confidence sequence: for each candidate mean, a bettor's wealth is a test martingale,
and a wealth of 20 rejects the mean at 5% at any time (Ville 1939; Waudby-Smith and Ramdas 2024). The wealth is the
weighted mean of bettors who each bet a constant fraction of their wealth, upwards or downwards; the fractions fall by a
factor of 1.4, so one of them is within a fifth of the optimum whatever the variance. The weights fall as 1, 1/2, 1/3 …
because small samples need the large bets: if values that did not occur dominate, the interval is a quarter narrower
than with equal weights, and never more than 6% wider. The weighted mean of the wealths is the e-value.

**The floor.** If a result at the bound has probability q, a sample of n misses it with probability (1 - q)^n. So no
valid interval can end nearer to the mean than 1 - (level / 2)^(1 / n), about 3.7 / n, of the distance to the bound.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError

Sample = npt.NDArray[np.int64] | npt.NDArray[np.float64]

_STEPS = 60  # of Newton's method, at most; five to ten are usual
_CLOSE = 1e-12
_FINE = 1e-5  # precision of the ends of intervals, in standard errors
BETS = 0.999 * 0.5 ** (np.arange(20) / 2)  # fractions of their wealth that bettors risk; below 1, so none is ruined
BET_WEIGHTS = 1.0 / np.arange(1, len(BETS) + 1) / (1.0 / np.arange(1, len(BETS) + 1)).sum()
MAX_VALUES = 4096  # more distinct values are binned; this changes the width by less than 0.1%
CHUNK = 1_000_000  # numbers that are counted at once


@dataclass(frozen=True, slots=True)
class Bounded:
    """A sample as distinct values in ascending order, their counts, and the bounds of all possible values."""

    values: Floats
    counts: Floats
    low: float
    high: float
    n: int

    @property
    def mean(self) -> float:
        """The sample's mean."""
        return float(self.values @ self.counts) / self.n


def bounded(sample: Sample, low: float, high: float) -> Bounded:
    """Return a sample (n,) with its bounds, which are widened if rounding put a number outside.

    Args:
        sample: the numbers (n,).
        low: the smallest possible number.
        high: the largest possible number.

    Raises:
        InputError: the sample is empty.

    """
    if not len(sample):
        raise InputError("expected a sample of at least one number, got an empty one")
    values, counts = _counted(sample)
    low, high = min(low, float(values[0])), max(high, float(values[-1]))
    if len(values) > MAX_VALUES:
        values, counts = _in_cells(values, counts)
    return Bounded(values, counts, low, high, len(sample))


def _counted(sample: Sample) -> tuple[Floats, Floats]:
    """Return the distinct values, ascending, and their counts; in chunks, so that a long sample is not copied."""
    pieces = [
        np.unique(np.asarray(sample[first : first + CHUNK], np.float64), return_counts=True)
        for first in range(0, len(sample), CHUNK)
    ]
    if len(pieces) == 1:
        return pieces[0][0], pieces[0][1].astype(np.float64)
    values, indices = np.unique(np.concatenate([part for part, _ in pieces]), return_inverse=True)
    counts = np.concatenate([part for _, part in pieces])
    return values, np.bincount(indices, counts).astype(np.float64)


def _in_cells(values: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Return values binned over their range, each bin at its mean; the minimum and maximum stay as they are."""
    cells = ((values - values[0]) * (MAX_VALUES / (values[-1] - values[0]))).astype(np.int64)
    cells[1:-1] += 1
    cells[-1] = cells[-2] + 1
    bin_counts: Floats = np.bincount(cells, counts).astype(np.float64)
    sums = np.bincount(cells, counts * values)
    filled = bin_counts > 0
    return sums[filled] / bin_counts[filled], bin_counts[filled]


def _tilt(distances: Floats, counts: Floats) -> float:
    """Return the s at which the sum of counts d / (1 - s d) over distances d is zero; the sum increases with s."""
    first, last, s = 1.0 / float(distances[0]), 1.0 / float(distances[-1]), 0.0
    for _ in range(_STEPS):
        shares = distances / (1.0 - s * distances)
        value, slope = float(counts @ shares), float(counts @ shares**2)
        if value == 0:
            return s
        if value > 0:
            last = s
        else:
            first = s
        following = s - value / slope
        if not first < following < last:
            following = (first + last) / 2  # the slope is infinite near an end: bisect instead
        if abs(following - s) <= _CLOSE * (last - first + abs(s)):
            return following
        s = following
    return s


def _normal_score(values: Floats, counts: Floats, point: float) -> float:
    """Return the normal score of the probability that the randomly weighted mean of values is at most a point.

    The values are ascending, and the point lies strictly between them.
    """
    distances = values - point
    s = _tilt(distances, counts)
    root = math.sqrt(max(2.0 * float(counts @ np.log1p(-s * distances)), 0.0))
    if root < 1e-4:
        # At the mean itself both terms below are zero; their limit depends on the skewness.
        return float(counts @ distances**3 / (counts @ distances**2) ** 1.5 / 3.0)
    root = math.copysign(root, s)
    slope = float(counts @ (distances / (1.0 - s * distances)) ** 2)
    return root + math.log(s * math.sqrt(slope) / root) / root


def _log_wealth(values: Floats, counts: Floats, low: float, high: float, mean: float) -> float:
    """Return the logarithm of the weighted mean wealth of all bettors against a mean, each starting with 1.

    The mean lies strictly inside the bounds.
    """
    bets = np.concatenate([-BETS / (high - mean), BETS / (mean - low)])
    wealth = np.log1p(np.outer(bets, values - mean)) @ counts
    largest = float(wealth.max())
    return largest + math.log(float(np.exp(wealth - largest).reshape(2, -1).mean(axis=0) @ BET_WEIGHTS))


def _end(score: Callable[[float], float], start: float, step: float, bound: float) -> float:
    """Return where an increasing score between `start` and `bound` becomes zero; the bound if it never does."""
    sign = math.copysign(1.0, bound - start)
    # Slightly inside: if all numbers lie on a bound, the start is that bound, where the score is undefined.
    reach, before, last = step, abs(bound - start) * 1e-12, abs(bound - start) * (1 - 1e-9)
    while reach < last and score(start + sign * reach) < 0:
        before, reach = reach, 2 * reach
    reach = min(reach, last)
    if last <= before or score(start + sign * reach) < 0:  # not significant even at the bound
        return bound
    from scipy.optimize import brentq

    return start + sign * float(brentq(lambda way: score(start + sign * way), before, reach, xtol=_FINE * step))


def _with_bound(sample: Bounded, upper: bool) -> tuple[Floats, Floats]:
    """Return values and counts with one more number on the upper or lower bound."""
    if upper:
        return np.append(sample.values, sample.high), np.append(sample.counts, 1.0)
    return np.insert(sample.values, 0, sample.low), np.insert(sample.counts, 0, 1.0)


def unseen_share(n: int, level: float = 0.05) -> float:
    """Return the minimum share of the distance to a bound between the mean of n equal numbers and a valid end."""
    return -math.expm1(math.log(level / 2) / n)


def interval_floor(n: int, low: float, high: float, level: float = 0.05) -> float:
    """Return the minimum half-width of a mean's interval that is valid for all samples of n numbers in the bounds."""
    return unseen_share(n, level) * (high - low) / 2


def fixed_interval(sample: Bounded, level: float = 0.05) -> tuple[float, float]:
    """Return the ends of an interval that misses the mean with probability `level`, for a fixed sample size."""
    return _fixed_end(sample, False, level / 2), _fixed_end(sample, True, level / 2)


def _fixed_end(sample: Bounded, upper: bool, tail: float) -> float:
    from scipy.special import ndtri

    values, counts = _with_bound(sample, upper)
    if values[0] == values[-1]:
        return float(values[0])
    sign, bound = (1, sample.high) if upper else (-1, sample.low)
    mean = float(values @ counts) / (sample.n + 1)
    step = 2 * math.sqrt(float(counts @ (values - mean) ** 2)) / (sample.n + 1)
    target = float(ndtri(1 - tail))
    return _end(lambda point: sign * _normal_score(values, counts, point) - target, mean, step, bound)


def fixed_p(sample: Bounded, mean: float = 0.0) -> float:
    """Return the two-tailed p-value of a mean for a fixed sample size; below 5% if the interval misses it."""
    if len(sample.values) == 1 and sample.values[0] == mean:
        return 1.0
    return min(1.0, 2 * min(_tail(sample, mean, upper=True), _tail(sample, mean, upper=False)))


def _tail(sample: Bounded, mean: float, upper: bool) -> float:
    """Return the probability that the weighted mean with a number on the upper bound exceeds a mean; or mirrored."""
    values, counts = _with_bound(sample, upper)
    if not values[0] < mean < values[-1]:
        return float(upper == (mean <= values[0]))
    from scipy.special import ndtr

    score = _normal_score(values, counts, mean)
    return float(ndtr(-score if upper else score))


def log_e_value(sample: Bounded, mean: float = 0.0) -> float:
    """Return the logarithm of the e-value against a mean. If that mean is true, E[e-value] <= 1 at any stop."""
    if not sample.low < mean < sample.high:
        return 0.0 if sample.low == sample.high == mean else math.inf
    return _log_wealth(sample.values, sample.counts, sample.low, sample.high, mean)


def any_stop_interval(sample: Bounded, level: float = 0.05) -> tuple[float, float]:
    """Return the ends of an interval that misses the mean with probability `level` at any stopping time."""
    threshold, middle = math.log(1 / level), sample.mean
    spread = math.sqrt(float(sample.counts @ (sample.values - middle) ** 2)) / sample.n
    step = 3 * spread + 4 * (sample.high - sample.low) / sample.n

    def score(mean: float) -> float:
        return log_e_value(sample, mean) - threshold

    low = sample.low if middle == sample.low else _end(score, middle, step, sample.low)
    high = sample.high if middle == sample.high else _end(score, middle, step, sample.high)
    return low, high
