"""The rules before `verdicts` had one mechanism, for papers that are not converted yet. To be deleted."""

from collections.abc import Iterable

from cardwin.papers.randomness import selection_bias
from cardwin.papers.verdicts import Interval, Verdict


def calculated(published: float, exact: float, rounding: float) -> Verdict:
    """A number that follows from the rules of the game, printed to some places.

    Agrees if it equals the exact one up to rounding; miscalculated otherwise.
    """
    return Verdict.AGREES if abs(published - exact) <= rounding else Verdict.MISCALCULATED


def stated(published: str, exact: str) -> Verdict:
    """A fact in words: agrees if it is true, differs otherwise."""
    return Verdict.AGREES if published == exact else Verdict.DIFFERS


def above(ends: Interval) -> Verdict:
    """A claim that something is above zero, by the interval of what was measured.

    Agrees if all of it is above, wrong sign if all of it is below, undecided if it covers zero or is missing.
    """
    if ends is None or ends[0] <= 0 <= ends[1]:
        return Verdict.UNDECIDED
    return Verdict.AGREES if ends[0] > 0 else Verdict.WRONG_SIGN


def below(ends: Interval) -> Verdict:
    """A claim that something is below zero: as `above`, with the sign reversed."""
    return above(None if ends is None else (-ends[1], -ends[0]))


def exactly_above(exact: float) -> Verdict:
    """A claim that an exactly known quantity is above zero.

    Agrees above zero, wrong sign below, differs if it is zero.
    """
    if exact == 0:
        return Verdict.DIFFERS
    return Verdict.AGREES if exact > 0 else Verdict.WRONG_SIGN


def close(published: float, ends: Interval, margin: float) -> Verdict:
    """A published number compared with an estimate: equivalence within a fixed margin. Zero is "no difference".

    Agrees if the whole interval lies within the margin of it, differs if all of it lies outside, undecided
    otherwise.
    """
    if ends is None:
        return Verdict.UNDECIDED
    low, high = ends[0] - published, ends[1] - published
    if low >= -margin and high <= margin:
        return Verdict.AGREES
    return Verdict.DIFFERS if low > margin or high < -margin else Verdict.UNDECIDED


def best_of_many(published: float, most: float, error: float, means: int, rounding: float) -> Verdict:
    """The best of many noisy means, compared with the maximum expectation; `error` is one mean's standard error.

    Agrees if it equals the maximum up to rounding; inflated if the best of that many means lies as far above more than
    once in `ONCE_IN`; impossible beyond; differs below the maximum, since selecting the best could only have added.
    """
    if abs(published - most) <= rounding:
        return Verdict.AGREES
    if published < most:
        return Verdict.DIFFERS
    return Verdict.INFLATED if published <= most + selection_bias(error, means) + rounding else Verdict.IMPOSSIBLE


def one_mean(published: float, value: float, error: float, rounding: float) -> Verdict:
    """One printed mean of games, not selected, compared with the strategies' exact value.

    Agrees within two standard errors and rounding, differs otherwise.
    """
    return Verdict.AGREES if abs(published - value) <= 2 * error + rounding else Verdict.DIFFERS


def equilibrium(exploitability: float, margin: float) -> Verdict:
    """A claim that something is an equilibrium: agrees if its exploitability is at most the margin, else differs."""
    return Verdict.AGREES if exploitability <= margin else Verdict.DIFFERS


def without_errors(errors: int) -> Verdict:
    """A printed table of which each part can be checked: agrees if none is wrong, differs otherwise."""
    return Verdict.DIFFERS if errors else Verdict.AGREES


def among(claimed: Iterable[str], surely: Iterable[str], perhaps: Iterable[str]) -> Verdict:
    """A claim about the members of a group, with those that surely are members and those that perhaps are.

    Agrees if exactly the claimed ones surely are, differs if another one surely is or a claimed one surely is not,
    undecided if it depends on those that perhaps are.
    """
    claimed, surely, perhaps = set(claimed), set(surely), set(perhaps)
    if surely - claimed or claimed - surely - perhaps:
        return Verdict.DIFFERS
    return Verdict.UNDECIDED if perhaps else Verdict.AGREES


def argued(ends: Interval, margin: float) -> Verdict:
    """An argument that something helps, made without an experiment; the interval is that of the difference.

    Supported if it lies above zero; not supported if it lies below, or within the margin on both sides, which
    counts as no gain; undecided otherwise.
    """
    if ends is None:
        return Verdict.UNDECIDED
    if ends[0] > 0:
        return Verdict.AGREES
    small = ends[0] >= -margin and ends[1] <= margin
    return Verdict.DIFFERS if ends[1] < 0 or small else Verdict.UNDECIDED


def best_of_matches(published: float, value: float, error: float, matches: int, rounding: float) -> Verdict:
    """The best of many matches between two given strategies; `error` is one match's standard error.

    Inflated if it lies above their exact value, and no further than the best of that many matches does once in
    `ONCE_IN`; differs otherwise.
    """
    most = value + selection_bias(error, matches) + rounding
    return Verdict.INFLATED if value - rounding <= published <= most else Verdict.DIFFERS


def always_chosen(claimed: bool, mark: str) -> Verdict:
    """A claim that the best response makes a choice, or does not; the mark is that of `solvers.exact`.

    Agrees if every best response does as claimed, differs if every one does the opposite, undecided if the
    choice is free.
    """
    if mark not in ("0", "1"):
        return Verdict.UNDECIDED
    return Verdict.AGREES if claimed == (mark == "1") else Verdict.DIFFERS


def happens(share: Interval, rarely: float) -> Verdict:
    """A claim that something happens, made from one run; the interval is that of the share of our runs where it does.

    Agrees if all of it lies above `rarely`, differs if all of it lies below, undecided otherwise.
    """
    if share is None or share[0] <= rarely <= share[1]:
        return Verdict.UNDECIDED
    return Verdict.AGREES if share[0] > rarely else Verdict.DIFFERS


def hardly_happens(share: Interval, rarely: float) -> Verdict:
    """A claim that something does not happen: the reverse of `happens`.

    Agrees if all of the interval lies below `rarely`, differs if all of it lies above, undecided otherwise.
    """
    return happens(None if share is None else (1 - share[1], 1 - share[0]), 1 - rarely)


def at_least(ends: Interval, margin: float) -> Verdict:
    """A claim that something is no worse than another, by the interval of its lead; within the margin counts as equal.

    Agrees if all of the interval is above minus the margin, wrong sign if all of it is below zero and it reaches
    beyond the margin, undecided otherwise.
    """
    if ends is None:
        return Verdict.UNDECIDED
    if ends[0] >= -margin:
        return Verdict.AGREES
    return Verdict.WRONG_SIGN if ends[1] < 0 else Verdict.UNDECIDED


def rises(ends: Interval, margin: float) -> Verdict:
    """A claim that something rises, by the interval of the change; less than the margin counts as no change.

    Agrees if all of it is above the margin, wrong sign if all of it is below minus the margin, differs if it
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
    """A claim that something stands out, by the interval of its distance from the others: the reverse of `close`.

    Agrees if all of the interval lies beyond the margin, differs if all of it lies within, undecided otherwise.
    """
    if ends is None:
        return Verdict.UNDECIDED
    if ends[0] > margin or ends[1] < -margin:
        return Verdict.AGREES
    return Verdict.DIFFERS if ends[0] >= -margin and ends[1] <= margin else Verdict.UNDECIDED


def throughout(holding: int, settings: int, share: float) -> Verdict:
    """A published sign, tested in every setting of a grid over what the document does not specify.

    Agrees if at least that share of the settings has it, wrong sign if at least that share has the opposite,
    undecided otherwise: it depends on what was not published.
    """
    if holding >= share * settings:
        return Verdict.AGREES
    return Verdict.WRONG_SIGN if settings - holding >= share * settings else Verdict.UNDECIDED
