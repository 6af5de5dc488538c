"""Who is better than whom: two-tailed paired t-tests, corrected for their number, and stopping when all is settled.

Players of the same deal are compared by their differences on it. With many comparisons some look significant by
chance, so p-values are corrected (Holm 1979). Looking again and again while a match goes on has the same danger: the
n-th look spends 1/(n(n+1)) of the 5%, which sums to all of it, whenever one stops.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from scipy.special import stdtr

from cardwin.stats.intervals import Sample, mean_interval, quantile

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first player's mean minus the second's, with its interval; p two-tailed, and corrected for all pairs."""

    first: int
    second: int
    difference: float
    ci95: float
    t: float
    p: float
    corrected: float
    n: int

    @property
    def significant(self) -> bool:
        """Whether the corrected p is below 5%."""
        return self.corrected < LEVEL


def paired_t(differences: Sample) -> tuple[float, float]:
    """Student's t of paired differences (n,), and its two-tailed p."""
    n = len(differences)
    mean = float(differences.mean())
    if n < 2:
        return 0.0, 1.0
    error = float(differences.std(ddof=1)) / math.sqrt(n)
    if error == 0:
        return (math.copysign(math.inf, mean), 0.0) if mean else (0.0, 1.0)
    t = mean / error
    return t, 2 * float(stdtr(n - 1, -abs(t)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p-value corrected for the number of tests."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, test in enumerate(order):
        largest = max(largest, min(1.0, p_values[test] * (len(p_values) - rank)))
        corrected[test] = largest
    return corrected


def compare_all(values: Sample, per_unit: float = 1.0) -> list[Comparison]:
    """All pairs of players, from values (n, players) whose rows are paired."""
    found = []
    for first, second in combinations(range(values.shape[1]), 2):
        differences = values[:, first] - values[:, second]
        estimate = mean_interval(differences, per_unit)
        t, p = paired_t(differences)
        found.append(Comparison(first, second, estimate.mean, estimate.ci95, t, p, p, estimate.n))
    corrected = holm([test.p for test in found])
    return [replace(test, corrected=p) for test, p in zip(found, corrected, strict=True)]


def settled(values: Sample, look: int) -> bool:
    """Whether the order of all players is certain at the look-th look (from 1), from values (n, players)."""
    n, players = values.shape
    if n < 2:
        return False
    pairs = players * (players - 1) / 2
    critical = quantile(1 - LEVEL / (2 * pairs * look * (look + 1)), n - 1)
    return all(
        abs(paired_t(values[:, first] - values[:, second])[0]) > critical
        for first, second in combinations(range(players), 2)
    )
