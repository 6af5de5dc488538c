"""Pairwise comparisons of players, corrected for the number of pairs; early stopping and the sample size needed.

Players of the same deal are compared by their differences on it, whose bounds follow from the stacks. If the length
was declared before play, p is that of `bounded.fixed_p` (Gaffke's test); if play can be extended because of the results
so far, it is 1 / e-value, which is valid at any stop. Both are computed, and `p` is the one that applies. With many
pairs some look significant by chance, so p-values are corrected (Holm 1979): the probability that any pair is wrongly
called different stays below 5%. To stop early, each pair needs an e-value of twenty times the number of pairs.

`hands_needed` plans how many hands are needed to tell two players apart, from a short pilot:

1. The pilot's deals give the standard deviation of the difference, at the upper end of its 80% interval (a jackknife of
   its logarithm), since a short sample contains few large pots.
2. With n deals fixed beforehand, the half-width is about z sd / root n, plus a share of the chips at stake over n
   for unseen results. The plan is the first n at which a true difference of the margin is detected with a
   probability of 90%.
3. Stopping when significant needs an e-value of 20. A difference of the margin reaches it when the growth of the best
   bet, n margin^2 / 2 sd^2, has made up for the other bets; the plan adds deals for a power of 90%.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from cardwin.stats.bounded import BETS, bounded, fixed_p, log_e_value
from cardwin.stats.intervals import Bounds, Sample, bounded_mean, log_variance_error, student_p

LEVEL = 0.05
TESTS = {
    "fixed": "Gaffke's test for a length declared before play",
    "any stop": "betting e-value, valid at any stopping time",
    "t": "paired t-test, which ignores results that did not occur",
}
MAX_LOG = 700.0  # cap of log e-values, so that exp does not overflow


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first player's mean minus the second's, with its interval; p two-tailed, and corrected for all pairs.

    `e_value` is the final wealth of a bettor who starts with 1 and bets on a difference; it is valid at any stop.
    `p_fixed` and `p_any_stop` are the p-values for a declared length and for any stop; `p` is one of them.
    `p_approximate` is that of a paired t-test.
    """

    first: int
    second: int
    difference: float
    ci95: float
    low: float
    high: float
    p: float
    corrected: float
    e_value: float
    n: int
    method: str
    p_fixed: float = 1.0
    p_any_stop: float = 1.0
    p_approximate: float = 1.0

    @property
    def test(self) -> str:
        """The name of the test."""
        return TESTS[self.method]

    @property
    def significant(self) -> bool:
        """Whether the corrected p is below 5%."""
        return self.corrected < LEVEL


def holm(p_values: Sequence[float]) -> list[float]:
    """Return each p-value corrected for the number of tests."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, test in enumerate(order):
        largest = max(largest, min(1.0, p_values[test] * (len(p_values) - rank)))
        corrected[test] = largest
    return corrected


def holm_levels(p_values: Sequence[float]) -> list[float]:
    """Return the level at which each p-value is compared: 5% over the number of those not yet rejected.

    After the first that is not rejected, all others have its level.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    levels, level, failed = [0.0] * len(p_values), LEVEL, False
    for rank, test in enumerate(order):
        level = level if failed else LEVEL / (len(p_values) - rank)
        levels[test] = level
        failed = failed or p_values[test] >= level
    return levels


def correct_all(tests: Sequence[Comparison]) -> list[Comparison]:
    """Return comparisons with p-values corrected for their number."""
    corrected = holm([test.p for test in tests])
    return [replace(test, corrected=p) for test, p in zip(tests, corrected, strict=True)]


def compare(
    differences: Sample, first: int, second: int, bounds: Bounds, per_unit: float = 1.0, *, any_stop: bool = False
) -> Comparison:
    """Compare two players by their differences (n,); p is not corrected yet.

    Args:
        differences: the first player's results minus the second's (n,).
        first: the index of the first player.
        second: the index of the second player.
        bounds: the smallest and the largest possible difference.
        per_unit: what the numbers are divided by, such as the big blind.
        any_stop: whether play may be extended because of the results so far.

    """
    sample = bounded(differences, *bounds)
    estimate = bounded_mean(differences, bounds, per_unit, any_stop=any_stop)
    log_e = log_e_value(sample)
    p_fixed, p_any_stop = fixed_p(sample), math.exp(-max(log_e, 0.0))
    p = p_any_stop if any_stop else p_fixed
    return Comparison(
        first,
        second,
        estimate.mean,
        **{name: getattr(estimate, name) for name in ("ci95", "low", "high", "n", "method")},
        p=p,
        corrected=p,
        e_value=math.exp(min(log_e, MAX_LOG)),
        p_fixed=p_fixed,
        p_any_stop=p_any_stop,
        p_approximate=student_p(differences),
    )


def compare_all(values: Sample, bounds: Bounds, per_unit: float = 1.0, *, any_stop: bool = False) -> list[Comparison]:
    """Compare all pairs of players, from paired values (n, players); bounds are those of the differences."""
    pairs = combinations(range(values.shape[1]), 2)
    return correct_all(
        [compare(values[:, i] - values[:, j], i, j, bounds, per_unit, any_stop=any_stop) for i, j in pairs]
    )


def is_decided(differences: Sample, bounds: Bounds, pairs: int = 1) -> bool:
    """Return whether a pair's difference is significant at any stop, corrected for the number of pairs."""
    return log_e_value(bounded(differences, *bounds)) >= math.log(pairs / LEVEL)


def is_order_decided(values: Sample, bounds: Bounds, among: int = 0) -> bool:
    """Return whether the order of all players is significant, from values (n, players), at any stop.

    `among` is the number of pairs to correct for, if these players are not all.
    """
    players = values.shape[1]
    pairs = among or players * (players - 1) // 2
    return all(
        is_decided(values[:, first] - values[:, second], bounds, pairs)
        for first, second in combinations(range(players), 2)
    )


POWER = 0.9
CONFIDENCE = 0.8  # one-sided confidence that the standard deviation is not larger
MAX_DEALS = 10**12


@dataclass(frozen=True, slots=True)
class HandsNeeded:
    """Deals that detect a difference of `margin` with 90% power: fixed beforehand, or stopping when significant."""

    margin: float
    spread: float
    fixed: int
    until_certain: int


def spread_of(differences: Sample) -> float:
    """Return the standard deviation of differences (n,), at the upper end of its 80% interval."""
    from scipy.special import ndtri

    if len(differences) < 3:
        return 0.0
    return float(differences.std(ddof=1)) * math.exp(float(ndtri(CONFIDENCE)) * log_variance_error(differences) / 2)


def hands_needed(differences: Sample, bounds: Bounds, margin: float, pairs: int = 1) -> HandsNeeded:
    """Compute the deals needed to detect a mean of `margin`.

    Args:
        differences: a pilot's differences (n,).
        bounds: the smallest and the largest possible difference.
        margin: the mean to detect, in the unit of the differences.
        pairs: the number of pairs to correct for.

    """
    from scipy.special import ndtri

    spread = spread_of(differences)
    reach = bounds[1] - bounds[0]
    z, power = -float(ndtri(LEVEL / 2 / pairs)), float(ndtri(POWER))
    growth = math.log(pairs / LEVEL * 2 * len(BETS) / 3)  # three neighbouring bets do nearly as well as the best

    def fixed_detects(n: int) -> bool:
        unseen = reach * (1 + z * z) / (3 * n)
        return math.hypot(z * spread / math.sqrt(n), unseen) + unseen / 2 + power * spread / math.sqrt(n) <= margin

    def certain_by(n: int) -> bool:
        return (math.sqrt(2 * growth) + power) * spread / math.sqrt(n) + growth * reach / (3 * n) <= margin

    return HandsNeeded(margin, spread, _first(fixed_detects), _first(certain_by))


def _first(holds: Callable[[int], bool]) -> int:
    """Return the first number from 2 on for which a monotone condition holds."""
    high = 2
    while not holds(high) and high < MAX_DEALS:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
