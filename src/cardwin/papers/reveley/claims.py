"""Arguments of Reveley (2002) without an experiment, and how each is judged.

A claim is a difference that should be above 0, measured once for every seed and opponent (paired: same deals, same
seed). Its 95% interval is Student's over these pairs. The margin is in the register (claims.toml); a smaller gain
counts as none. What the document left to experiments is a question: measured, and not judged.
"""

from collections.abc import Sequence

from cardwin.papers import Finding, verdicts
from cardwin.papers.register import register
from cardwin.papers.trials import Spread, spread
from cardwin.papers.verdicts import Verdict


def claim(place: str, name: str, said: str, differences: Sequence[float], reason: str = "") -> Finding:
    """A claim with the differences that decide it, one for each seed and opponent."""
    found = spread(differences)
    regions = verdicts.above(register(__package__).margin(name))
    needed = verdicts.runs_needed(regions, found.ci95, found.n)
    return _finding(place, name, said, found, verdicts.judge(regions, found.ci95), reason, needed)


def question(place: str, name: str, asked: str, differences: Sequence[float], reason: str = "") -> Finding:
    """A question that the document left to experiments, with the differences that answer it."""
    return _finding(place, name, asked, spread(differences), None, reason, None)


def _finding(place: str, name: str, published: str, found: Spread, verdict: Verdict | None, reason: str,
             needed: int | None) -> Finding:  # fmt: skip
    ends = None if found.ci95 is None else (round(found.ci95[0], 4), round(found.ci95[1], 4))
    return Finding(place, name, published=published, measured=round(found.mean, 4), ci95=ends,
                   over=f"{found.n} pairs of seed and opponent", verdict=verdict, reason=reason,
                   needed=needed)  # fmt: skip
