"""Verdicts on published claims, all by one mechanism; no experiment sets one directly.

1. A claim names **regions**: the values for which it is true, those for which it is false, and those between, a tie.
   The margins are fixed before any run: they come from the printed precision or from the register of claims.
2. `judge` compares the measurement with the regions. A measurement is a 95% interval, an exact value, or a printed
   number beside the interval in which such a number is expected. If it lies within one region, the verdict is that
   region's. If it crosses a cut between regions, the verdict is "undecided".
3. If the measurement is too wide to agree wherever it lies, the verdict is "cannot tell", and `runs_needed` computes
   how many runs could decide.
An interval that moves from a true to a false region crosses a cut on its way: no verdict turns into its opposite
without "undecided" between.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cardwin.stats.intervals import share_of

Interval = tuple[float, float] | None  # a 95% interval; a single run has none
Measurement = float | Interval
ONCE_IN = 1_000  # noise that is rarer than this, selection included, is no explanation


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
    """What a verdict means for the claim."""

    FOR = "holds"
    TIE = "makes no difference"
    OPEN = "is open"
    AGAINST = "does not hold"


_CONCLUSIONS = {
    Verdict.AGREES: Conclusion.FOR,
    Verdict.NO_DIFFERENCE: Conclusion.TIE,
    Verdict.UNDECIDED: Conclusion.OPEN,
    Verdict.CANNOT_TELL: Conclusion.OPEN,
}
# A value on the cut between two regions belongs to the region of the lower priority.
_PRIORITIES = {Conclusion.TIE: 0, Conclusion.FOR: 1, Conclusion.AGAINST: 2, Conclusion.OPEN: 3}


def conclusion_of(verdict: Verdict) -> Conclusion:
    """Return whether a claim with this verdict holds, makes no difference, is open or does not hold."""
    return _CONCLUSIONS.get(verdict, Conclusion.AGAINST)


@dataclass(frozen=True)
class Regions:
    """The real line, cut into regions with a verdict each.

    Region i is from cut i - 1 to cut i. A value on a cut belongs to the tie (a lead of exactly the margin is no
    difference), or else to the region that is for the claim.
    """

    cuts: tuple[float, ...]
    verdicts: tuple[Verdict, ...]

    def __post_init__(self) -> None:
        if len(self.verdicts) != len(self.cuts) + 1 or list(self.cuts) != sorted(self.cuts):
            raise ValueError(f"expected ascending cuts, one fewer than regions, got {self.cuts} and {self.verdicts}")

    def touched(self, low: float, high: float) -> list[Verdict]:
        """Return the verdicts of all regions that an interval touches; an end on a cut is in one of the two.

        Args:
            low: The interval's lower end.
            high: Its upper end; equal to `low` for a value without error.

        Returns:
            The verdicts from the lowest region to the highest.

        """
        verdicts = []
        for index, (start, end, verdict) in enumerate(self._regions()):
            starts_below = low < end or (low == end and self._includes_cut(index, index))
            ends_above = high > start or (high == start and self._includes_cut(index, index - 1))
            if starts_below and ends_above:
                verdicts.append(verdict)
        return verdicts

    def _regions(self) -> list[tuple[float, float, Verdict]]:
        """Return the start, end and verdict of each region."""
        edges = (-math.inf, *self.cuts, math.inf)
        return list(zip(edges[:-1], edges[1:], self.verdicts, strict=True))

    def _includes_cut(self, region: int, cut: int) -> bool:
        """Return whether a value on a cut belongs to this region rather than to the other one beside it."""
        if not 0 <= cut < len(self.cuts):
            return True
        other = self.verdicts[cut + 1 if region == cut else cut]
        return _PRIORITIES[conclusion_of(self.verdicts[region])] < _PRIORITIES[conclusion_of(other)]

    @property
    def room(self) -> float:
        """The width of the widest region that is for the claim: no wider interval can agree."""
        widths = (end - start for start, end, verdict in self._regions() if conclusion_of(verdict) == Conclusion.FOR)
        return max(widths, default=0.0)


# --- the regions of claims


def above(margin: float) -> Regions:
    """Return the regions of a claim that something is above zero, such as a lead.

    Args:
        margin: The claim is true above it, false below its negative, and a tie between.

    """
    return Regions((-margin, margin), (Verdict.WRONG_SIGN, Verdict.NO_DIFFERENCE, Verdict.AGREES))


def below(margin: float) -> Regions:
    """Return the regions of a claim that something is below zero: `above` with the sign reversed."""
    return Regions((-margin, margin), (Verdict.AGREES, Verdict.NO_DIFFERENCE, Verdict.WRONG_SIGN))


def at_least(margin: float) -> Regions:
    """Return the regions of a claim that something is no worse than another, by its lead.

    Args:
        margin: The claim is false if the lead is below the negative of the margin.

    """
    return Regions((-margin,), (Verdict.WRONG_SIGN, Verdict.AGREES))


def at_most(margin: float) -> Regions:
    """Return the regions of a claim that something does not exceed the margin, such as an exploitability."""
    return Regions((margin,), (Verdict.AGREES, Verdict.DIFFERS))


def within(value: float, margin: float) -> Regions:
    """Return the regions of a claim that something equals a value, up to a margin or the rounding of print."""
    return Regions((value - margin, value + margin), (Verdict.DIFFERS, Verdict.AGREES, Verdict.DIFFERS))


def calculated(exact: float, margin: float = 0.0) -> Regions:
    """Return the regions of a printed sum, count or share that follows from the rules.

    Args:
        exact: The correct result.
        margin: The rounding of print; beyond it the number is miscalculated.

    """
    words = (Verdict.MISCALCULATED, Verdict.AGREES, Verdict.MISCALCULATED)
    return Regions((exact - margin, exact + margin), words)


def apart(margin: float) -> Regions:
    """Return the regions of a claim that something differs from zero on either side: the reverse of `within` zero."""
    return Regions((-margin, margin), (Verdict.AGREES, Verdict.DIFFERS, Verdict.AGREES))


def share_above(margin: float, often: float | None = None) -> Regions:
    """Return the regions of a claim that something happens in more than a share of cases.

    Args:
        margin: The claim is false below this share.
        often: The claim is true above this share, and a tie between; the margin by default.

    """
    return Regions((margin, often or margin), (Verdict.DIFFERS, Verdict.NO_DIFFERENCE, Verdict.AGREES))


def share_below(margin: float, often: float | None = None) -> Regions:
    """Return the regions of a claim that something rarely happens.

    Args:
        margin: The claim is true below this share.
        often: The claim is false above this share, and a tie between; the margin by default.

    """
    return Regions((margin, often or margin), (Verdict.AGREES, Verdict.NO_DIFFERENCE, Verdict.DIFFERS))


def selection_bias(error: float, means: int) -> float:
    """Return how far above its expectation the best of many noisy means lies once in `ONCE_IN`.

    Args:
        error: The standard error of one mean.
        means: The number of means.

    """
    from scipy.special import ndtri

    return float(ndtri(1 - 1 / (ONCE_IN * means))) * error


def best_of_many(exact: float, error: float, means: int, margin: float) -> Regions:
    """Return the regions of a printed number that is the best of many noisy means.

    Within the margin it agrees. Above, up to what the best of that many means exceeds once in `ONCE_IN`, it is
    inflated; beyond that it is impossible. Below it differs, because selecting the best could only have added.

    Args:
        exact: The maximum expectation of one mean.
        error: The standard error of one mean.
        means: The number of means.
        margin: The rounding of print.

    """
    upper = exact + selection_bias(error, means) + margin
    words = (Verdict.DIFFERS, Verdict.AGREES, Verdict.INFLATED, Verdict.IMPOSSIBLE)
    return Regions((exact - margin, exact + margin, upper), words)


def one_mean(exact: float, error: float, margin: float) -> Regions:
    """Return the regions of a printed mean of games that was not selected: within two standard errors of `exact`."""
    return within(exact, 2 * error + margin)


def best_of_some(exact: float, error: float, min_means: int, max_means: int, margin: float) -> Regions:
    """Return the regions of a printed number that is the best of an unpublished number of noisy means.

    It agrees between two bounds: the best of `min_means` is below the lower one once in `ONCE_IN`, and the best of
    `max_means` is above the upper one as rarely.

    Args:
        exact: The expectation of one mean.
        error: The standard error of one mean.
        min_means: The smallest possible number of means.
        max_means: The largest possible number of means.
        margin: The rounding of print.

    """
    from scipy.special import ndtri

    low = exact + float(ndtri(ONCE_IN ** (-1 / min_means))) * error - margin
    high = exact + selection_bias(error, max_means) + margin
    return within((low + high) / 2, (high - low) / 2)


# --- judging


def judge(regions: Regions, measured: Measurement) -> Verdict:
    """Return the verdict on a claim.

    Args:
        regions: The claim.
        measured: A 95% interval, a value without error, or None for a run too short to have either.

    Returns:
        The verdict of the region that holds the measurement. If it touches several with different conclusions,
        "undecided", or "cannot tell" if no interval of that width could agree.

    """
    if measured is None:
        return Verdict.CANNOT_TELL
    low, high = measured if isinstance(measured, tuple) else (measured, measured)
    touched = regions.touched(low, high)
    if len({conclusion_of(verdict) for verdict in touched}) == 1:
        return min(touched, key=list(Verdict).index)
    return Verdict.CANNOT_TELL if high - low > regions.room else Verdict.UNDECIDED


def judge_share(regions: Regions, hits: int, runs: int) -> Verdict:
    """Return the verdict on a share of runs.

    Args:
        regions: The claim.
        hits: The runs in which it happened.
        runs: All runs.

    Returns:
        The verdict on the share's interval; "cannot tell" unless this number of runs could both agree and differ.

    """
    possible = {conclusion_of(judge(regions, share_of(count, runs).ci95)) for count in range(runs + 1)}
    if not {Conclusion.FOR, Conclusion.AGAINST} <= possible:
        return Verdict.CANNOT_TELL
    return judge(regions, share_of(hits, runs).ci95)


def runs_needed(regions: Regions, interval: Interval, runs: int) -> int | None:
    """Return how many runs would give an interval that can agree, if it narrows as their square root.

    Args:
        regions: The claim.
        interval: The interval of the runs so far.
        runs: Their number.

    Returns:
        The number of runs, or None if these can decide or no number can.

    """
    if interval is None:
        return 2
    width = interval[1] - interval[0]
    if width <= regions.room:
        return None
    return math.ceil(runs * (width / regions.room) ** 2) if regions.room else None


def shares_needed(regions: Regions, runs: int = 0, max_runs: int = 100_000) -> int | None:
    """Return the minimum number of runs whose share can both agree and differ.

    Args:
        regions: The claim.
        runs: The number of runs so far.
        max_runs: The largest number that is tried.

    Returns:
        The number of runs, or None if these can decide or even `max_runs` cannot.

    """
    for count in _run_counts(max_runs):
        ends = (share_of(0, count).ci95, share_of(count, count).ci95)
        if {Conclusion.FOR, Conclusion.AGAINST} <= {conclusion_of(judge(regions, interval)) for interval in ends}:
            return count if runs < count else None
    return None


def _run_counts(maximum: int) -> Iterable[int]:
    return (*range(2, min(400, maximum) + 1), *range(410, maximum + 1, 10))


# --- claims without a measured quantity


def stated(true: bool) -> Verdict:
    """Judge a fact in words, or a printed table of which each part can be checked."""
    return Verdict.AGREES if true else Verdict.DIFFERS


def chosen(claimed: bool, mark: str) -> Verdict:
    """Judge a claim that the best response makes a choice, or does not.

    Args:
        claimed: Whether the document claims that the choice is made.
        mark: The choice's mark in `solvers.exact`: 1 if every best response makes it, 0 if none does.

    Returns:
        "agrees" if every best response does as claimed, "differs" if every one does the opposite, "no difference" if
        the choice is free.

    """
    if mark not in ("0", "1"):
        return Verdict.NO_DIFFERENCE
    return Verdict.AGREES if claimed == (mark == "1") else Verdict.DIFFERS


def among(claimed: Iterable[str], surely: Iterable[str], perhaps: Iterable[str]) -> Verdict:
    """Judge a claim about the members of a group.

    Args:
        claimed: The members by the claim.
        surely: Those that are significantly members.
        perhaps: Those that may be members.

    Returns:
        "agrees" if exactly the claimed ones surely are members; "differs" if another one surely is, or a claimed one
        surely is not; "undecided" if it depends on those that perhaps are.

    """
    claimed, surely, perhaps = set(claimed), set(surely), set(perhaps)
    if surely - claimed or claimed - surely - perhaps:
        return Verdict.DIFFERS
    return Verdict.UNDECIDED if perhaps else Verdict.AGREES


def in_most(verdicts: Sequence[Verdict], share: float) -> Verdict:
    """Judge a claim by its verdicts in every setting of a grid over what the document does not specify.

    Args:
        verdicts: The verdict in each setting.
        share: The share of settings that must have the same conclusion.

    Returns:
        The most frequent verdict of that conclusion. If no conclusion has so many settings, "undecided": it depends on
        what was not published.

    """
    for conclusion in (Conclusion.FOR, Conclusion.AGAINST, Conclusion.TIE):
        alike = [verdict for verdict in verdicts if conclusion_of(verdict) is conclusion]
        if alike and len(alike) >= share * len(verdicts):
            return max(set(alike), key=lambda verdict: (alike.count(verdict), -list(Verdict).index(verdict)))
    return Verdict.UNDECIDED
