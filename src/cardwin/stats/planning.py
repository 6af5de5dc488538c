"""Sample size: how many hands are needed to tell two players apart, from a short pilot.

1. The pilot's deals give the standard deviation of the difference, at the upper end of its 80% interval (a jackknife of
   its logarithm), since a short sample contains few large pots.
2. With n deals fixed beforehand, the half-width is about z sd / root n, plus a share of the chips at stake over n
   for unseen results. The plan is the first n at which a true difference of the margin is found with a
   probability of 90%.
3. Stopping when significant needs an e-value of 20. A difference of the margin reaches it when the growth of the best
   bet, n margin^2 / 2 sd^2, has made up for the other bets; the plan adds deals for a power of 90%.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cardwin.stats.bounded import BETS, bounded
from cardwin.stats.comparisons import LEVEL
from cardwin.stats.intervals import Bounds, Sample

POWER = 0.9
SURE = 0.8  # one-sided confidence that the standard deviation is not larger
MOST_DEALS = 10**12


@dataclass(frozen=True, slots=True)
class HandsNeeded:
    """Deals that find a difference of `margin` with 90% power: fixed beforehand, or with stopping when significant."""

    margin: float
    spread: float
    fixed: int
    until_certain: int


def spread_of(differences: Sample) -> float:
    """The standard deviation of differences (n,), at the upper end of its 80% interval."""
    from scipy.special import ndtri

    n = len(differences)
    squares = (differences - differences.mean()) ** 2
    total = float(squares.sum())
    if n < 3 or total == 0:
        return 0.0
    without = np.log(np.maximum((total - squares * n / (n - 1)) / (n - 2), 1e-300))
    error = math.sqrt(float((n - 1) * without.var()))
    return math.sqrt(total / (n - 1) * math.exp(float(ndtri(SURE)) * error))


def hands_needed(differences: Sample, bounds: Bounds, margin: float, pairs: int = 1) -> HandsNeeded:
    """The deals needed to find a mean of `margin`, from a pilot's differences (n,) within bounds."""
    from scipy.special import ndtri

    spread = spread_of(differences)
    reach = bounds[1] - bounds[0]
    z, power = -float(ndtri(LEVEL / 2 / pairs)), float(ndtri(POWER))
    growth = math.log(pairs / LEVEL * 2 * len(BETS) / 3)  # three neighbouring bets do nearly as well as the best

    def fixed_finds(n: int) -> bool:
        unseen = reach * (1 + z * z) / (3 * n)
        return math.hypot(z * spread / math.sqrt(n), unseen) + unseen / 2 + power * spread / math.sqrt(n) <= margin

    def certain_by(n: int) -> bool:
        return (math.sqrt(2 * growth) + power) * spread / math.sqrt(n) + growth * reach / (3 * n) <= margin

    return HandsNeeded(margin, spread, _first(fixed_finds), _first(certain_by))


def _first(holds: Callable[[int], bool]) -> int:
    """The first number from 2 on for which a monotone condition holds."""
    high = 2
    while not holds(high) and high < MOST_DEALS:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def deals_enough(sample: Sample, bounds: Bounds) -> int:
    """The sample size from which the bounds widen the interval of a mean by less than a fifth; 0 if unknown."""
    given = bounded(sample, *bounds)
    spread = math.sqrt(float(given.counts @ (given.values - given.mean) ** 2) / given.n)
    if spread == 0:
        return 0
    # The bounds add about (1 + z^2) / 6n of the range, which must be a fifth of z sd / root n.
    return math.ceil(((1 + 1.96**2) / 6 * (bounds[1] - bounds[0]) / (0.2 * 1.96 * spread)) ** 2)
