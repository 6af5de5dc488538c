"""How many hands tell two players apart: from a short pilot, before the long match.

1. The pilot's deals give the spread of the difference, taken at the upper end of its 80% interval (a jackknife of its
   logarithm), since a short sample shows few large pots.
2. With n deals fixed beforehand, the interval is about z spread / root n, and wider by some of the chips at stake over
   n for what was not seen. The plan is the first n at which a true difference of the margin is found with the wished
   chance (90%).
3. Stopping once certain needs an e-value of 20, which a difference of the margin reaches when the growth of the best
   bet, n margin^2 / 2 spread^2, has paid for the bets that were none; nine times in ten somewhat later.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from cardwin.stats.bounded import BETS, bounded
from cardwin.stats.comparisons import LEVEL
from cardwin.stats.intervals import Bounds, Sample

POWER = 0.9
SURE = 0.8  # one-sided, that the spread is not larger
MOST_DEALS = 10**12


@dataclass(frozen=True, slots=True)
class HandsNeeded:
    """Deals that find a difference of `margin` nine times in ten: fixed beforehand, or on the way until certain."""

    margin: float
    spread: float
    fixed: int
    until_certain: int


def spread_of(differences: Sample) -> float:
    """The standard deviation of differences (n,), at the upper end of its 80% interval."""
    n = len(differences)
    squares = (differences - differences.mean()) ** 2
    total = float(squares.sum())
    if n < 3 or total == 0:
        return 0.0
    without = np.log(np.maximum((total - squares * n / (n - 1)) / (n - 2), 1e-300))
    error = math.sqrt(float((n - 1) * without.var()))
    return math.sqrt(total / (n - 1) * math.exp(float(ndtri(SURE)) * error))


def hands_needed(differences: Sample, bounds: Bounds, margin: float, pairs: int = 1) -> HandsNeeded:
    """What a pilot's differences (n,) within bounds say of the deals needed to find a mean of `margin`."""
    spread = spread_of(differences)
    reach = bounds[1] - bounds[0]
    z, power = -float(ndtri(LEVEL / 2 / pairs)), float(ndtri(POWER))
    growth = math.log(pairs / LEVEL * 2 * len(BETS) / 3)  # three bets beside each other do nearly as well as the best

    def fixed_finds(n: int) -> bool:
        unseen = reach * (1 + z * z) / (3 * n)
        return math.hypot(z * spread / math.sqrt(n), unseen) + unseen / 2 + power * spread / math.sqrt(n) <= margin

    def certain_by(n: int) -> bool:
        return (math.sqrt(2 * growth) + power) * spread / math.sqrt(n) + growth * reach / (3 * n) <= margin

    return HandsNeeded(margin, spread, _first(fixed_finds), _first(certain_by))


def _first(holds: Callable[[int], bool]) -> int:
    """The first number from 2 on for which a condition holds, that stays true once it does."""
    high = 2
    while not holds(high) and high < MOST_DEALS:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def deals_enough(sample: Sample, bounds: Bounds) -> int:
    """From how many numbers on what was not seen widens the interval of a mean by less than a fifth; 0 if unknown."""
    given = bounded(sample, *bounds)
    spread = math.sqrt(float(given.counts @ (given.values - given.mean) ** 2) / given.n)
    if spread == 0:
        return 0
    # Wider by about (1 + z^2) / 6n of the reach, which must be a fifth of z spread / root n.
    return math.ceil(((1 + 1.96**2) / 6 * (bounds[1] - bounds[0]) / (0.2 * 1.96 * spread)) ** 2)
