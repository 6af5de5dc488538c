"""Verdicts on published claims, each computed by a rule; no experiment writes one down.

A rule takes what was published, our estimate with its 95% interval (or the exact number) and a margin that the
experiment fixed before anything was run. Its docstring lists every answer it can give; tests make it give each. A
number that nobody published has no verdict.
"""

from collections.abc import Iterable
from enum import StrEnum

from cardwin.papers.randomness import selection_bias

Interval = tuple[float, float] | None  # of a 95% interval; a single run has none


class Verdict(StrEnum):
    """All that a rule can say. Experiments name none of these: they call a rule."""

    AGREES = "agrees"
    DIFFERS = "differs"
    WRONG_SIGN = "wrong sign"
    UNDECIDED = "undecided"
    MISCALCULATED = "miscalculated"
    INFLATED = "inflated by selecting the luckiest"
    IMPOSSIBLE = "impossible"
    SUPPORTED = "supported"
    NOT_SUPPORTED = "not supported"


HOLDS = (Verdict.AGREES, Verdict.SUPPORTED)


def calculated(published: float, exact: float, rounding: float) -> Verdict:
    """A number that follows from the rules of the game, printed to some places.

    Agrees where it is the exact one but for rounding; miscalculated otherwise.
    """
    return Verdict.AGREES if abs(published - exact) <= rounding else Verdict.MISCALCULATED


def stated(published: str, exact: str) -> Verdict:
    """A fact in words: agrees where it is so, differs otherwise."""
    return Verdict.AGREES if published == exact else Verdict.DIFFERS


def above(ends: Interval) -> Verdict:
    """A claim that something is above zero, by the interval of what was measured.

    Agrees where all of it is above, wrong sign where all of it is below, undecided where it covers zero or is missing.
    """
    if ends is None or ends[0] <= 0 <= ends[1]:
        return Verdict.UNDECIDED
    return Verdict.AGREES if ends[0] > 0 else Verdict.WRONG_SIGN


def below(ends: Interval) -> Verdict:
    """A claim that something is below zero: as `above`, the other way up."""
    return above(None if ends is None else (-ends[1], -ends[0]))


def exactly_above(exact: float) -> Verdict:
    """A claim that something is above zero which is known exactly.

    Agrees above zero, wrong sign below, differs where it is zero: there is nothing between them.
    """
    if exact == 0:
        return Verdict.DIFFERS
    return Verdict.AGREES if exact > 0 else Verdict.WRONG_SIGN


def close(published: float, ends: Interval, margin: float) -> Verdict:
    """A published number beside an estimate: equivalence within a margin fixed beforehand. Zero is "no difference".

    Agrees where the whole interval lies within the margin of it, differs where all of it lies outside, undecided
    otherwise.
    """
    if ends is None:
        return Verdict.UNDECIDED
    low, high = ends[0] - published, ends[1] - published
    if low >= -margin and high <= margin:
        return Verdict.AGREES
    return Verdict.DIFFERS if low > margin or high < -margin else Verdict.UNDECIDED


def best_of_many(published: float, most: float, error: float, means: int, rounding: float) -> Verdict:
    """The best of many noisy means, beside the most that any strategy can expect; `error` is one mean's standard error.

    Agrees where it is the most but for rounding; inflated where the best of so many means lies as far above more than
    once in `ONCE_IN`; impossible beyond; differs below the most, where selecting the best could only have added.
    """
    if abs(published - most) <= rounding:
        return Verdict.AGREES
    if published < most:
        return Verdict.DIFFERS
    return Verdict.INFLATED if published <= most + selection_bias(error, means) + rounding else Verdict.IMPOSSIBLE


def one_mean(published: float, value: float, error: float, rounding: float) -> Verdict:
    """One printed mean of games, not selected, beside what the strategies are exactly worth.

    Agrees within two standard errors and rounding, differs otherwise.
    """
    return Verdict.AGREES if abs(published - value) <= 2 * error + rounding else Verdict.DIFFERS


def equilibrium(exploitability: float, margin: float) -> Verdict:
    """A claim that something is an equilibrium: agrees where it gives away no more than the margin, else differs."""
    return Verdict.AGREES if exploitability <= margin else Verdict.DIFFERS


def without_errors(errors: int) -> Verdict:
    """A printed table of which each part can be checked: agrees where none is wrong, differs otherwise."""
    return Verdict.DIFFERS if errors else Verdict.AGREES


def among(claimed: Iterable[str], surely: Iterable[str], perhaps: Iterable[str]) -> Verdict:
    """A claim of who belongs to a group: who surely does, and who perhaps does and cannot be told.

    Agrees where exactly the claimed surely do, differs where somebody surely does who was not claimed or surely does
    not who was, undecided where only those are in the way who cannot be told.
    """
    claimed, surely, perhaps = set(claimed), set(surely), set(perhaps)
    if surely - claimed or claimed - surely - perhaps:
        return Verdict.DIFFERS
    return Verdict.UNDECIDED if perhaps else Verdict.AGREES


def argued(ends: Interval, margin: float) -> Verdict:
    """An argument that something helps, made without an experiment; the interval is that of the difference.

    Supported where it lies above zero; not supported where it lies below, or within the margin on both sides, which
    is no gain to speak of; undecided otherwise.
    """
    if ends is None:
        return Verdict.UNDECIDED
    if ends[0] > 0:
        return Verdict.SUPPORTED
    small = ends[0] >= -margin and ends[1] <= margin
    return Verdict.NOT_SUPPORTED if ends[1] < 0 or small else Verdict.UNDECIDED


def best_of_matches(published: float, value: float, error: float, matches: int, rounding: float) -> Verdict:
    """The best of many matches between two given strategies; `error` is one match's standard error.

    Inflated where it lies above what they are worth, and no further than the best of so many matches does once in
    `ONCE_IN`; differs otherwise.
    """
    most = value + selection_bias(error, matches) + rounding
    return Verdict.INFLATED if value - rounding <= published <= most else Verdict.DIFFERS


def always_chosen(claimed: bool, mark: str) -> Verdict:
    """A claim that the best response makes a choice, or does not; the mark is that of `solvers.exact`.

    Agrees where every best response does as claimed, differs where every one does the opposite, undecided where the
    choice is free.
    """
    if mark not in ("0", "1"):
        return Verdict.UNDECIDED
    return Verdict.AGREES if claimed == (mark == "1") else Verdict.DIFFERS


def happens(share: Interval, rarely: float) -> Verdict:
    """A claim that something happens, made from one run; the interval is that of the share of our runs where it does.

    Agrees where all of it lies above `rarely`, differs where all of it lies below, undecided otherwise.
    """
    if share is None or share[0] <= rarely <= share[1]:
        return Verdict.UNDECIDED
    return Verdict.AGREES if share[0] > rarely else Verdict.DIFFERS


def hardly_happens(share: Interval, rarely: float) -> Verdict:
    """A claim that something does not happen: the other way up.

    Agrees where all of the interval lies below `rarely`, differs where all of it lies above, undecided otherwise.
    """
    return happens(None if share is None else (1 - share[1], 1 - share[0]), 1 - rarely)


def at_least(ends: Interval, margin: float) -> Verdict:
    """A claim that something is no worse than another, by the interval of its lead; less than the margin is nothing.

    Agrees where all of the interval is above minus the margin, wrong sign where all of it is below zero and it reaches
    beyond the margin, undecided otherwise.
    """
    if ends is None:
        return Verdict.UNDECIDED
    if ends[0] >= -margin:
        return Verdict.AGREES
    return Verdict.WRONG_SIGN if ends[1] < 0 else Verdict.UNDECIDED


def rises(ends: Interval, margin: float) -> Verdict:
    """A claim that something rises, by the interval of the change; less than the margin is no change to speak of.

    Agrees where all of it is above the margin, wrong sign where all of it is below minus the margin, differs where it
    lies within on both sides, undecided otherwise.
    """
    if ends is None:
        return Verdict.UNDECIDED
    if ends[0] >= -margin and ends[1] <= margin:
        return Verdict.DIFFERS
    if ends[0] > margin:
        return Verdict.AGREES
    return Verdict.WRONG_SIGN if ends[1] < -margin else Verdict.UNDECIDED


def apart(ends: Interval, margin: float) -> Verdict:
    """A claim that something stands out, by the interval of its distance from the others: the other side of `close`.

    Agrees where all of the interval lies beyond the margin, differs where all of it lies within, undecided otherwise.
    """
    if ends is None:
        return Verdict.UNDECIDED
    if ends[0] > margin or ends[1] < -margin:
        return Verdict.AGREES
    return Verdict.DIFFERS if ends[0] >= -margin and ends[1] <= margin else Verdict.UNDECIDED


def throughout(holding: int, settings: int, share: float) -> Verdict:
    """A published sign, looked for in every setting of a grid over what the document left open.

    Agrees where at least that share of the settings has it, wrong sign where at least that share has the opposite,
    undecided otherwise: it depends on what was not published.
    """
    if holding >= share * settings:
        return Verdict.AGREES
    return Verdict.WRONG_SIGN if settings - holding >= share * settings else Verdict.UNDECIDED
