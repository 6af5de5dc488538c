"""Arguments of Reveley (2002) without an experiment, and the rule by which each is judged.

A claim is a difference that should be above 0, measured once for every seed and opponent (paired: same deals, same
seed). Its 95% interval is Student's over these pairs, and `verdicts.argued` judges it, with a margin fixed before
any run: a smaller gain counts as none.
"""

from collections.abc import Sequence

from cardwin.papers import Finding
from cardwin.papers import old_rules as verdicts
from cardwin.papers.trials import spread

MARGIN = 0.05  # small bets a hand


def claim(place: str, name: str, said: str, differences: Sequence[float], reason: str = "") -> Finding:
    """A claim with the differences that decide it, one for each seed and opponent."""
    found = spread(differences)
    ends = None if found.ci95 is None else (round(found.ci95[0], 4), round(found.ci95[1], 4))
    return Finding(place, name, published=said, measured=round(found.mean, 4), ci95=ends,
                   over=f"{found.n} pairs of seed and opponent", verdict=verdicts.argued(found.ci95, MARGIN),
                   reason=reason)  # fmt: skip
