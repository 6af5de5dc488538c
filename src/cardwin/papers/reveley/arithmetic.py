"""Numbers and formulas printed in the document's sections 2 and 3, computed again as they stand.

Counts of holdings and boards are exact. A printed formula is evaluated with the precedence of its own notation, on the
document's own example where it has one.
"""

from collections.abc import Iterator
from math import comb

from cardwin.papers import Context, Finding, verdicts

COUNTS = {
    "holdings of an opponent, 52 choose 2": (1_321, comb(52, 2)),
    "before the flop, 50 choose 2": (1_225, comb(50, 2)),
    "after the flop, 47 choose 2": (1_081, comb(47, 2)),
    "after the turn, 46 choose 2": (1_035, comb(46, 2)),
    "on the river, 45 choose 2": (990, comb(45, 2)),
    "situations on the flop, 1081 x 990": (1_070_190, comb(47, 2) * comb(45, 2)),
    "ranks of opponents two cards ahead, 47 choose 4": (178_365, comb(47, 4)),
    "contexts, three numbers of bets and four rounds": (12, 3 * 4),
}
AHEAD, TIED, BEHIND = 628, 9, 444  # Ad Qc on 3h 4c Jh, every holding equally likely
MEAN = 0.80  # the document's example of a threshold


def experiments(context: Context) -> Iterator[Finding]:  # noqa: ARG001  the same at every scale
    """Counts, then formulas."""
    for name, (printed, exact) in COUNTS.items():
        regions = verdicts.calculated(exact)
        yield Finding("section 3", name, published=printed, exact=exact, verdict=verdicts.judge(regions, printed))
    strength = AHEAD + (TIED / 2) / (AHEAD + TIED + BEHIND)
    yield Finding("section 3 a", "hand strength as printed lies between 0 and 1", published="at most 1", exact=strength,
                  verdict=verdicts.judge(verdicts.at_most(1.0), strength),
                  reason="A♦ Q♣ on 3♥ 4♣ J♥; brackets are missing, with them .5851")  # fmt: skip
    spread = 0.4 * (1 - MEAN)
    factor = (MEAN - MEAN + spread) / 2 * spread
    regions = verdicts.calculated(factor, 0.005)
    yield Finding("section 3 b", "re-weighting factor at the threshold, by the printed line", published=0.5,
                  exact=factor, verdict=verdicts.judge(regions, 0.5),
                  reason="brackets are missing, with them .5")  # fmt: skip
    low, high = (error**5 for error in (0.1, 0.2))
    yield Finding("2.1.3", "accuracy as printed falls with the error", published="a negative power", exact="e^5 rises",
                  verdict=verdicts.stated(high < low), reason="the power should be -5")  # fmt: skip
    yield Finding("2.1.3", "actions before payoff, at least", published=4, exact=1,
                  verdict=verdicts.judge(verdicts.within(1.0, 0.0), 4.0),
                  reason="a fold ends the hand for who folds")  # fmt: skip
