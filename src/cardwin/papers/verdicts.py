"""Verdicts on published claims, all by one mechanism; no experiment sets one directly.

1. A claim names **regions**: the values for which it is true, those for which it is false, and those between, a tie.
   The margins are fixed before any run: they come from the printed precision or from the register of claims.
2. `judge` looks where the measurement lies: a 95% interval, an exact value, or a printed number beside the interval in
   which such a number is expected. Within one region the verdict is that region's; across regions it is undecided.
3. Where the measurement is so wide that it could not have agreed, whatever its place, the verdict is "cannot tell", and
   `runs_needed` says how many runs could.
An interval that moves from a true to a false region lies across both on its way: no verdict turns into its opposite
without "undecided" between.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cardwin.papers.randomness import ONCE_IN, selection_bias
from cardwin.stats.intervals import share_of

Interval = tuple[float, float] | None  # a 95% interval; a single run has none
Found = float | Interval


class Verdict(StrEnum):
    """All verdicts. Experiments name none of these: they call a rule."""

    AGREES = "agrees"
    NO_DIFFERENCE = "no difference"
    UNDECIDED = "undecided"
    CANNOT_TELL = "cannot tell"
    DIFFERS = "differs"
    WRONG_SIGN = "wrong sign"
    MISCALCULATED = "miscalculated"
    INFLATED = "inflated by selecting the luckiest"
    IMPOSSIBLE = "impossible"


class Conclusion(StrEnum):
    """What a verdict says of the claim."""

    FOR = "holds"
    TIE = "makes no difference"
    OPEN = "is open"
    AGAINST = "does not hold"


_CONCLUSIONS = {Verdict.AGREES: Conclusion.FOR, Verdict.NO_DIFFERENCE: Conclusion.TIE,
          Verdict.UNDECIDED: Conclusion.OPEN, Verdict.CANNOT_TELL: Conclusion.OPEN}  # fmt: skip


def conclusion_of(verdict: Verdict) -> Conclusion:
    """Whether a claim with this verdict holds, makes no difference, is open or does not hold."""
    return _CONCLUSIONS.get(verdict, Conclusion.AGAINST)


@dataclass(frozen=True)
class Regions:
    """The line from one end to the other, cut into regions with a verdict each.

    Region i is from cut i - 1 to cut i. A value on a cut belongs to the tie (a lead of exactly the margin is no
    difference), or else to the region that is for the claim.
    """

    cuts: tuple[float, ...]
    verdicts: tuple[Verdict, ...]

    def __post_init__(self) -> None:
        if len(self.verdicts) != len(self.cuts) + 1 or list(self.cuts) != sorted(self.cuts):
            raise ValueError(f"regions {self.verdicts} between cuts {self.cuts}: cuts ascend, one fewer than regions")

    def touched(self, low: float, high: float) -> list[Verdict]:
        """The verdicts of all regions that an interval touches; an end on a cut is in one of the two."""
        edges = (-math.inf, *self.cuts, math.inf)
        return [
            verdict
            for place, (start, end, verdict) in enumerate(zip(edges, edges[1:], self.verdicts, strict=False))
            if (low < end or (low == end and self._owns(place, place))) and
               (high > start or (high == start and self._owns(place - 1, place)))
        ]  # fmt: skip

    def _owns(self, cut: int, region: int) -> bool:
        """Whether a value on a cut belongs to this region rather than to the other one beside it."""
        if not 0 <= cut < len(self.cuts):
            return True
        other = self.verdicts[cut + 1 if region == cut else cut]
        return _RANKS[conclusion_of(self.verdicts[region])] < _RANKS[conclusion_of(other)]

    @property
    def room(self) -> float:
        """The width of the widest region that is for the claim: no wider interval can agree."""
        edges = (-math.inf, *self.cuts, math.inf)
        return max(
            (end - start for start, end, one in zip(edges, edges[1:], self.verdicts, strict=False)
             if conclusion_of(one) == Conclusion.FOR), default=0.0,
        )  # fmt: skip


_RANKS = {Conclusion.TIE: 0, Conclusion.FOR: 1, Conclusion.AGAINST: 2, Conclusion.OPEN: 3}


# --- the regions of claims


def above(margin: float) -> Regions:
    """A claim that something is above zero, such as a lead: true beyond the margin, false beyond it below zero."""
    return Regions((-margin, margin), (Verdict.WRONG_SIGN, Verdict.NO_DIFFERENCE, Verdict.AGREES))


def below(margin: float) -> Regions:
    """A claim that something is below zero: `above` with the sign reversed."""
    return Regions((-margin, margin), (Verdict.AGREES, Verdict.NO_DIFFERENCE, Verdict.WRONG_SIGN))


def at_least(margin: float) -> Regions:
    """A claim that something is no worse than another, by its lead: false if it is worse by more than the margin."""
    return Regions((-margin,), (Verdict.WRONG_SIGN, Verdict.AGREES))


def at_most(margin: float) -> Regions:
    """A claim that something is no more than a value, such as the exploitability of an equilibrium."""
    return Regions((margin,), (Verdict.AGREES, Verdict.DIFFERS))


def within(value: float, margin: float) -> Regions:
    """A claim that something equals a value, up to a margin or the rounding of print."""
    return Regions((value - margin, value + margin), (Verdict.DIFFERS, Verdict.AGREES, Verdict.DIFFERS))


def calculated(exact: float, margin: float = 0.0) -> Regions:
    """A printed sum, count or share that follows from the rules: within the rounding of print, or miscalculated."""
    words = (Verdict.MISCALCULATED, Verdict.AGREES, Verdict.MISCALCULATED)
    return Regions((exact - margin, exact + margin), words)


def apart(margin: float) -> Regions:
    """A claim that something stands out, on either side: the reverse of `within` zero."""
    return Regions((-margin, margin), (Verdict.AGREES, Verdict.DIFFERS, Verdict.AGREES))


def share_above(margin: float, often: float | None = None) -> Regions:
    """A claim that something happens in more than a share of cases; between `margin` and `often` it is a tie."""
    return Regions((margin, often or margin), (Verdict.DIFFERS, Verdict.NO_DIFFERENCE, Verdict.AGREES))


def share_below(margin: float, often: float | None = None) -> Regions:
    """A claim that something hardly happens: in less than a share of cases; up to `often` it is a tie."""
    return Regions((margin, often or margin), (Verdict.AGREES, Verdict.NO_DIFFERENCE, Verdict.DIFFERS))


def best_of_many(exact: float, error: float, means: int, margin: float) -> Regions:
    """A printed number that is the best of many noisy means, beside the most that can be expected of one of them.

    Within the margin of print it agrees. Above, up to what the best of that many means reaches once in `ONCE_IN`, it is
    inflated; beyond, impossible; below, it differs, since selecting the best could only have added. `error` is one
    mean's standard error.
    """
    most = exact + selection_bias(error, means) + margin
    words = (Verdict.DIFFERS, Verdict.AGREES, Verdict.INFLATED, Verdict.IMPOSSIBLE)
    return Regions((exact - margin, exact + margin, most), words)


def one_mean(exact: float, error: float, margin: float) -> Regions:
    """A printed mean of games that was not selected, beside its expectation: within two standard errors."""
    return within(exact, 2 * error + margin)


def best_of_some(exact: float, error: float, fewest: int, most: int, margin: float) -> Regions:
    """A printed number that is the best of many noisy means, but of how many was not printed: of `fewest` to `most`.

    It agrees from what the best of the fewest does not reach once in `ONCE_IN`, up to what that of the most exceeds as
    rarely.
    """
    from scipy.special import ndtri

    low = exact + float(ndtri(ONCE_IN ** (-1 / fewest))) * error - margin
    high = exact + selection_bias(error, most) + margin
    return within((low + high) / 2, (high - low) / 2)


# --- judging


def judge(regions: Regions, found: Found) -> Verdict:
    """The verdict on a claim from a 95% interval, or from a value without error."""
    if found is None:
        return Verdict.CANNOT_TELL
    low, high = found if isinstance(found, tuple) else (found, found)
    touched = regions.touched(low, high)
    if len({conclusion_of(one) for one in touched}) == 1:
        return min(touched, key=list(Verdict).index)
    return Verdict.CANNOT_TELL if high - low > regions.room else Verdict.UNDECIDED


def judge_share(regions: Regions, hits: int, runs: int) -> Verdict:
    """The verdict on a share of runs; "cannot tell" where no count among so many runs could agree, or none differ."""
    possible = {conclusion_of(judge(regions, share_of(count, runs).ci95)) for count in range(runs + 1)}
    if not {Conclusion.FOR, Conclusion.AGAINST} <= possible:
        return Verdict.CANNOT_TELL
    return judge(regions, share_of(hits, runs).ci95)


def runs_needed(regions: Regions, found: Interval, runs: int) -> int | None:
    """How many runs would give an interval that can agree, if it narrows as their root; None if these can."""
    if found is None:
        return 2
    width = found[1] - found[0]
    if width <= regions.room:
        return None
    return math.ceil(runs * (width / regions.room) ** 2) if regions.room else None


def shares_needed(regions: Regions, runs: int = 0, most: int = 100_000) -> int | None:
    """The fewest runs of which a share can both agree and differ; None if these can, or if not even `most` can."""
    for number in _sizes(most):
        ends = (share_of(0, number).ci95, share_of(number, number).ci95)
        if {Conclusion.FOR, Conclusion.AGAINST} <= {conclusion_of(judge(regions, one)) for one in ends}:
            return number if runs < number else None
    return None


def _sizes(most: int) -> Iterable[int]:
    return (*range(2, min(400, most) + 1), *range(410, most + 1, 10))


# --- claims without a measured quantity


def stated(true: bool) -> Verdict:
    """A fact in words, or a printed table of which each part can be checked."""
    return Verdict.AGREES if true else Verdict.DIFFERS


def chosen(claimed: bool, mark: str) -> Verdict:
    """A claim that the best response makes a choice, or does not; the mark is that of `solvers.exact`.

    Agrees if every best response does as claimed, differs if every one does the opposite; where the choice is free it
    makes no difference.
    """
    if mark not in ("0", "1"):
        return Verdict.NO_DIFFERENCE
    return Verdict.AGREES if claimed == (mark == "1") else Verdict.DIFFERS


def among(claimed: Iterable[str], surely: Iterable[str], perhaps: Iterable[str]) -> Verdict:
    """A claim about the members of a group, with those that surely are members and those that perhaps are.

    Agrees if exactly the claimed ones surely are, differs if another one surely is or a claimed one surely is not,
    undecided if it depends on those that perhaps are.
    """
    claimed, surely, perhaps = set(claimed), set(surely), set(perhaps)
    if surely - claimed or claimed - surely - perhaps:
        return Verdict.DIFFERS
    return Verdict.UNDECIDED if perhaps else Verdict.AGREES


def in_most(verdicts: Sequence[Verdict], share: float) -> Verdict:
    """A claim that was judged in every setting of a grid over what the document does not specify.

    It has the verdict of at least that share of the settings; undecided where no conclusion has so many: it depends on
    what was not published.
    """
    for conclusion in (Conclusion.FOR, Conclusion.AGAINST, Conclusion.TIE):
        alike = [one for one in verdicts if conclusion_of(one) is conclusion]
        if alike and len(alike) >= share * len(verdicts):
            return max(set(alike), key=lambda one: (alike.count(one), -list(Verdict).index(one)))
    return Verdict.UNDECIDED
