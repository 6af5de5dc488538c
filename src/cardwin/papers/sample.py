"""Samples: what an experiment measured, by name; `finding_of` compares one with its row of the register.

An experiment yields samples and names no verdict, place, published value or margin: those are in `claims.toml`. The
row of a sample is found by its name. Its `rule` is a function of papers/verdicts.py, called with those of its
parameters that are known: `margin`, `value` (the row's, or the published number, or 0), `exact`, and what the sample
adds by keyword, such as `error`. What is judged is the sample's `judged`, or else the published number if the rule
starts from `exact`, or else the 95% interval, or else the exact or measured number.

The texts `over` and `reason` of a row are templates: {margin}, {n}, {exact}, {counted} (of several settings) and all
that the sample adds by keyword. A row's `over` without braces is a unit, such as seeds: it becomes "5 seeds".
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from inspect import signature
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.papers import verdicts
from cardwin.papers.finding import Finding
from cardwin.papers.register import Claim, Register
from cardwin.papers.verdicts import Conclusion, Interval, Regions, Verdict, conclusion_of
from cardwin.stats.comparisons import holm, holm_levels
from cardwin.stats.intervals import Estimate, Share

SHARES, DIFFERENCES = (0.0, 1.0), (-1.0, 1.0)  # bounds of shares, and of differences of two shares


@dataclass(frozen=True)
class Spread:
    """A mean over independent runs, its 95% interval (Student's t; none for a single run), and the number of runs."""

    mean: float
    ci95: tuple[float, float] | None
    n: int


def spread(
    numbers: Sequence[float] | Floats, bounds: tuple[float, float] = (-math.inf, math.inf), level: float = 0.05
) -> Spread:
    """Return the mean of independent runs (n,) with its interval.

    The interval has a confidence of 95%, or of 1 minus another level of a family of tests. It is clipped to the bounds
    of such a number: a true value cannot lie outside, so that its coverage is the same.
    """
    from scipy.stats import t

    sample = np.asarray(numbers, dtype=np.float64)
    mean, n = float(sample.mean()), len(sample)
    if n < 2:
        return Spread(mean, None, n)
    half = float(t.ppf(1 - level / 2, n - 1)) * float(sample.std(ddof=1)) / n**0.5
    return Spread(mean, (max(mean - half, bounds[0]), min(mean + half, bounds[1])), n)


Mean = Spread | Share | Estimate
Judged = float | str | bool | Interval | Mean | Sequence[Interval] | Sequence[Verdict]
UNSET: Any = object()  # distinguishes "nothing was given" from None, which is too short a run to tell


@dataclass(frozen=True)
class Sample:
    """One measurement: a mean with its interval, a number or a text, beside the exact value if there is one.

    `judged` is what the rule judges if that is something else: another interval, a printed number, a truth (rule
    `stated`), a mark (`chosen`), several intervals or verdicts (of the settings of a grid), or None if the run was too
    short to tell. `values` go into the texts and to the rule. The others replace what the row has.
    """

    name: str
    measured: float | str | Mean | None = None
    _: KW_ONLY
    exact: float | str | None = None
    ci95: Interval = None
    judged: Judged | None = UNSET
    place: str = ""
    published: float | str | None = None
    over: str = ""
    reason: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


def sample(name: str, measured: float | str | Mean | None = None, **fields: Any) -> Sample:
    """Return a sample; keywords that are not fields of `Sample` are its values."""
    own = {key: value for key, value in fields.items() if key in Sample.__dataclass_fields__}
    return Sample(name, measured, **own, values={key: value for key, value in fields.items() if key not in own})


def finding_of(one: Sample, register: Register) -> Finding:
    """Compare a sample with its row of the register."""
    row = register.of(one.name)
    mean = one.measured if isinstance(one.measured, Mean) else None
    published = row.published if one.published is None else one.published
    exact = row.exact if one.exact is None else one.exact
    verdict, needed, counted = _judge(row, one, published, exact) if row.rule else (None, None, {})
    texts = {"margin": row.margin, "n": mean.n if mean else None, "exact": exact, **counted, **one.values}
    over = (one.over or row.over).format(**texts)
    return Finding(
        one.place or row.place,
        one.name,
        published=published,
        measured=mean.mean if mean else _measured(one.measured, texts),
        ci95=one.ci95 or interval_of(mean),
        over=f"{mean.n} {over}" if mean and over and not over[0].isdigit() else over,
        exact=exact,
        verdict=verdict,
        reason=one.reason or row.reason.format(**texts),
        needed=needed,
        check=row.kind == "self-check",
    )


def _measured(measured: Any, texts: Mapping[str, Any]) -> Any:
    """Return a number or text; by default the share of settings in which the claim holds."""
    if measured is None:
        return texts.get("share")
    return measured.format(**texts) if isinstance(measured, str) else measured


def interval_of(mean: Mean | None) -> Interval:
    """Return both ends of a mean's 95% interval; a single run has none."""
    return None if mean is None else (mean.low, mean.high) if isinstance(mean, Estimate) else mean.ci95


def _judge(
    row: Claim, one: Sample, published: float | str | None, exact: float | str | None
) -> tuple[Verdict, int | None, dict[str, Any]]:
    """Return the verdict, the number of runs that could tell if these cannot, and texts about several settings."""
    rule = getattr(verdicts, row.rule)
    parameters = signature(rule).parameters
    number = published if isinstance(published, int | float) else 0.0
    best = one.measured if exact is None else exact
    known = {
        "margin": row.margin or 0.0,
        "value": number if row.value is None else row.value,
        "exact": exact if row.value is None else row.value,
        "true": best == published if one.judged is UNSET else one.judged,
        "claimed": published != "no",
        "mark": one.judged,
        **one.values,
    }
    regions = rule(**{name: known[name] for name in parameters if name in known})
    if isinstance(regions, Verdict):
        return regions, None, {}
    found: Any = one.judged
    if found is UNSET:
        found = (
            published
            if "exact" in parameters
            else one.ci95 or (one.measured if isinstance(one.measured, Mean) else best)
        )
    if row.every is not None:
        each = [judged if isinstance(judged, Verdict) else verdicts.judge(regions, judged) for judged in found]
        texts: dict[str, Any] = {"counted": counted(each), "verdicts": ", ".join(each)}
        return verdicts.in_most(each, row.every), None, {**texts, "share": share_that_holds(each)}
    if isinstance(found, Share):
        return verdicts.judge_share(regions, found.count, found.n), verdicts.shares_needed(regions, found.n), {}
    if isinstance(found, Mean):
        ends = interval_of(found)
        return verdicts.judge(regions, ends), verdicts.runs_needed(regions, ends, found.n), {}
    n = known.get("n") or getattr(one.measured, "n", None)
    needed = verdicts.runs_needed(regions, found, n) if n and isinstance(found, tuple) else None
    return verdicts.judge(regions, found), needed, {}


def share_that_holds(each: Sequence[Verdict]) -> float:
    """Return the share of settings in which a claim holds."""
    return sum(conclusion_of(one) is Conclusion.FOR for one in each) / len(each)


def counted(each: Sequence[Verdict]) -> str:
    """Return how many settings have each conclusion, in words."""
    counts = Counter(conclusion_of(one) for one in each)
    return f"of {len(each)} settings " + ", ".join(f"{counts[one]} {one.value}" for one in Conclusion if counts[one])


def by_holm(families: Sequence[tuple[Regions, Sequence[float]]]) -> list[tuple[float, Spread]]:
    """Correct the claims of a family for their number by Holm's procedure (1979).

    The probability of any wrong decision in the family is at most 5%.

    Args:
        families: The regions of each claim, and its numbers of independent runs.

    Returns:
        For each claim its corrected p-value, and its mean with the interval of the level that Holm gives to it.

    """
    p_values = [decisive_p(regions, numbers) for regions, numbers in families]
    corrected = zip(families, holm(p_values), holm_levels(p_values), strict=True)
    return [(p, spread(numbers, level=level)) for (_, numbers), p, level in corrected]


def decisive_p(regions: Regions, numbers: Sequence[float]) -> float:
    """Return the smallest level at which Student's interval lies within one region; 1 for fewer than two numbers."""
    from scipy.stats import t

    n, mean = len(numbers), float(np.mean(numbers))
    if n < 2:
        return 1.0
    distance = min(abs(mean - cut) for cut in regions.cuts)
    error = float(np.std(numbers, ddof=1)) / n**0.5
    if error == 0:
        return 1.0 if distance == 0 else 0.0
    return 2 * float(t.sf(distance / error, n - 1))
