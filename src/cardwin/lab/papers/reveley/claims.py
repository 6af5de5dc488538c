"""What Reveley (2002) argued without an experiment, and the rule by which each argument is marked.

The rule, fixed before anything was run. A claim is a difference that should be above 0, measured once for every seed
and opponent (paired: same deals, same seed). Its 95% interval is Student's over these pairs.

- **supported**: the interval lies above 0;
- **not supported**: it lies below 0, or within .05 small bets a hand of 0 on both sides: no gain to speak of;
- **undecided**: anything else, also where there is one pair only.
"""

from collections.abc import Sequence

from cardwin.lab.papers import Finding
from cardwin.lab.papers.trials import spread

SUPPORTED, NOT_SUPPORTED, UNDECIDED = "supported", "not supported", "undecided"
MARGIN = 0.05  # small bets a hand


def mark(interval: tuple[float, float] | None) -> str:
    """The verdict on a claim whose difference has this interval."""
    if interval is None:
        return UNDECIDED
    low, high = interval
    if low > 0:
        return SUPPORTED
    return NOT_SUPPORTED if high < 0 or (low >= -MARGIN and high <= MARGIN) else UNDECIDED


def claim(name: str, said: str, differences: Sequence[float], reason: str = "") -> Finding:
    """A claim with the differences that decide it, one for each seed and opponent."""
    found = spread(differences)
    ends = None if found.ci95 is None else (round(found.ci95[0], 4), round(found.ci95[1], 4))
    told = f"{len(differences)} pairs of seed and opponent" + (f"; {reason}" if reason else "")
    return Finding(name, said, round(found.mean, 4), ends, None, mark(found.ci95), told)
