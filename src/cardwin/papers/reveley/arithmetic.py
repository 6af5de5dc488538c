"""Printed numbers and formulas of the document's sections 2 and 3, computed again.

Counts of holdings and boards are exact. A printed formula is evaluated with the precedence of its own notation, on the
document's own example if it has one.
"""

from collections.abc import Iterator
from math import comb

from cardwin.papers import Context
from cardwin.papers.sample import Sample, sample

COUNTS = {
    "holdings of an opponent, 52 choose 2": comb(52, 2),
    "before the flop, 50 choose 2": comb(50, 2),
    "after the flop, 47 choose 2": comb(47, 2),
    "after the turn, 46 choose 2": comb(46, 2),
    "on the river, 45 choose 2": comb(45, 2),
    "situations on the flop, 1081 x 990": comb(47, 2) * comb(45, 2),
    "ranks of opponents two cards ahead, 47 choose 4": comb(47, 4),
    "contexts, three numbers of bets and four rounds": 3 * 4,
}
AHEAD, TIED, BEHIND = 628, 9, 444  # holdings beside Ad Qc on 3h 4c Jh
THRESHOLD = 0.80  # the document's example


def experiment(context: Context) -> Iterator[Sample]:  # noqa: ARG001  the same at every scale
    """Compute the counts, then the formulas."""
    for name, exact in COUNTS.items():
        yield sample(name, exact=exact)
    spread = 0.4 * (1 - THRESHOLD)
    yield sample("hand strength as printed lies between 0 and 1", exact=AHEAD + (TIED / 2) / (AHEAD + TIED + BEHIND))
    factor = (THRESHOLD - THRESHOLD + spread) / 2 * spread
    yield sample("re-weighting factor at the threshold, by the printed line", exact=factor)
    low, high = (error**5 for error in (0.1, 0.2))
    yield sample("accuracy as printed falls with the error", judged=high < low)
    yield sample("actions before payoff, at least", judged=4.0)
