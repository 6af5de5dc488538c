"""Samples, what an experiment measured, and findings, the same beside the claim and with its verdict.

An experiment yields samples and names no verdict, place, published value or margin: those are in `claims.toml`.
`finding_of` compares a sample with the row of its name. The row's `rule` is a function of papers/verdicts.py, called
with those of its parameters that are known: `margin`, `value` (the row's, or the published number, or 0), `exact`, and
what the sample adds by keyword, such as `error`. What is judged is the sample's `judged`, or else the published number
if the rule starts from `exact`, or else the 95% interval, or else the exact or measured number.

The texts `over` and `reason` of a row are templates: {margin}, {n}, {exact}, {counted} (the conclusions in several
settings) and all that the sample adds by keyword. A row's `over` without braces is a unit, such as seeds: it becomes
"5 seeds".
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
from cardwin.papers.register import Claim, Register
from cardwin.papers.verdicts import Conclusion, Interval, Regions, Verdict, conclusion_of
from cardwin.reports.html import shown
from cardwin.stats.comparisons import holm, holm_levels
from cardwin.stats.intervals import Estimate, Share

SHARES, DIFFERENCES = (0.0, 1.0), (-1.0, 1.0)  # bounds of shares, and of differences of two shares


@dataclass(frozen=True)
class Finding:
    """One claim: its place in the document, the published value, our measurement with its 95% interval, exact value.

    Attributes:
        over: What the interval is over ("5 seeds").
        verdict: By a rule of `verdicts`; None for a finding without a published value.
        needed: The number of runs that could decide if these cannot (`verdicts.runs_needed` and `shares_needed`).
        check: Whether it compares our own code with an example of the document: counted apart from claims.

    """

    place: str
    name: str
    _: KW_ONLY
    published: float | str | None = None
    measured: float | str | None = None
    ci95: tuple[float, float] | None = None
    over: str = ""
    exact: float | str | None = None
    verdict: Verdict | None
    reason: str = ""
    needed: int | None = None
    check: bool = False

    def __post_init__(self) -> None:
        if self.published is None and self.verdict is not None:
            raise ValueError(f"{self.name}: nothing was published, so there is nothing to judge")

    @property
    def claim(self) -> bool:
        """Whether it judges a claim of the document."""
        return self.verdict is not None and not self.check


def interval_text(ci95: tuple[float, float] | None) -> str:
    """Return an interval in words; empty if there is none."""
    return "" if ci95 is None else f"{shown(float(ci95[0]))} to {shown(float(ci95[1]))}"


@dataclass(frozen=True)
class Spread:
    """A mean over independent runs, its 95% interval (Student's t; none for a single run), and the number of runs."""

    mean: float
    ci95: tuple[float, float] | None
    n: int


def spread(
    numbers: Sequence[float] | Floats, bounds: tuple[float, float] = (-math.inf, math.inf), level: float = 0.05
) -> Spread:
    """Return the mean of independent runs with its interval by Student's t.

    Args:
        numbers: The result of each run, (n,).
        bounds: The smallest and the largest possible mean. The interval is clipped to them; its coverage stays the
            same, because the true mean cannot lie outside.
        level: 1 minus the interval's confidence; in a family of tests it may differ from 5%.

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


def sample(name: str, measured: float | str | Mean | None = None, **keywords: Any) -> Sample:
    """Return a sample.

    Args:
        name: The name of its row in the register.
        measured: The measurement.
        keywords: Fields of `Sample`; all others become its `values`.

    """
    fields = {key: value for key, value in keywords.items() if key in Sample.__dataclass_fields__}
    values = {key: value for key, value in keywords.items() if key not in fields}
    return Sample(name, measured, **fields, values=values)


def finding_of(sample: Sample, register: Register) -> Finding:
    """Compare a sample with its row of the register.

    Args:
        sample: The measurement.
        register: The claims of the paper.

    Returns:
        The finding; without a verdict if the row has no rule.

    Raises:
        KeyError: Unless exactly one row of the register fits the sample's name.

    """
    row = register.of(sample.name)
    mean = sample.measured if isinstance(sample.measured, Mean) else None
    published = row.published if sample.published is None else sample.published
    exact = row.exact if sample.exact is None else sample.exact
    judgement = _judge(row, sample, published, exact) if row.rule else Judgement(None)
    n = mean.n if mean else None
    texts = {"margin": row.margin, "n": n, "exact": exact, **judgement.texts, **sample.values}
    over = (sample.over or row.over).format(**texts)
    return Finding(
        sample.place or row.place,
        sample.name,
        published=published,
        measured=mean.mean if mean else _measured(sample.measured, texts),
        ci95=sample.ci95 or interval_of(mean),
        over=f"{mean.n} {over}" if mean and over and not over[0].isdigit() else over,
        exact=exact,
        verdict=judgement.verdict,
        reason=sample.reason or row.reason.format(**texts),
        needed=judgement.needed,
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


@dataclass(frozen=True)
class Judgement:
    """A verdict, the number of runs that could decide if these cannot, and texts about several settings."""

    verdict: Verdict | None
    needed: int | None = None
    texts: Mapping[str, Any] = field(default_factory=dict)


def _judge(row: Claim, sample: Sample, published: float | str | None, exact: float | str | None) -> Judgement:
    """Judge a sample by the rule of its row."""
    rule = getattr(verdicts, row.rule)
    parameters = signature(rule).parameters
    number = published if isinstance(published, int | float) else 0.0
    best = sample.measured if exact is None else exact
    known = {
        "margin": row.margin or 0.0,
        "value": number if row.value is None else row.value,
        "exact": exact if row.value is None else row.value,
        "true": best == published if sample.judged is UNSET else sample.judged,
        "claimed": published != "no",
        "mark": sample.judged,
        **sample.values,
    }
    regions = rule(**{name: known[name] for name in parameters if name in known})
    if isinstance(regions, Verdict):
        return Judgement(regions)
    judged: Any = sample.judged
    if judged is UNSET and "exact" in parameters:
        judged = published
    elif judged is UNSET:
        judged = sample.ci95 or (sample.measured if isinstance(sample.measured, Mean) else best)
    if row.every is not None:
        return _judge_settings(regions, judged, row.every)
    if isinstance(judged, Share):
        verdict = verdicts.judge_share(regions, judged.count, judged.n)
        return Judgement(verdict, verdicts.shares_needed(regions, judged.n))
    if isinstance(judged, Mean):
        interval = interval_of(judged)
        return Judgement(verdicts.judge(regions, interval), verdicts.runs_needed(regions, interval, judged.n))
    n = known.get("n") or getattr(sample.measured, "n", None)
    needed = verdicts.runs_needed(regions, judged, n) if n and isinstance(judged, tuple) else None
    return Judgement(verdicts.judge(regions, judged), needed)


def _judge_settings(regions: Regions, judged: Sequence[Interval] | Sequence[Verdict], share: float) -> Judgement:
    """Judge the intervals or verdicts of several settings by the verdict that this share of them has."""
    each = [setting if isinstance(setting, Verdict) else verdicts.judge(regions, setting) for setting in judged]
    texts = {"counted": conclusion_counts(each), "verdicts": ", ".join(each), "share": share_that_holds(each)}
    return Judgement(verdicts.in_most(each, share), None, texts)


def share_that_holds(each: Sequence[Verdict]) -> float:
    """Return the share of settings, by their verdicts, in which a claim holds."""
    return sum(conclusion_of(verdict) is Conclusion.FOR for verdict in each) / len(each)


def conclusion_counts(each: Sequence[Verdict]) -> str:
    """Return the number of settings with each conclusion, by their verdicts, in words."""
    counts = Counter(conclusion_of(verdict) for verdict in each)
    words = ", ".join(f"{counts[conclusion]} {conclusion.value}" for conclusion in Conclusion if counts[conclusion])
    return f"of {len(each)} settings {words}"


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
    """Return the smallest level at which Student's interval lies within one region.

    Args:
        regions: The claim.
        numbers: The results of independent runs.

    Returns:
        The p-value; 1 for fewer than two numbers.

    """
    from scipy.stats import t

    n, mean = len(numbers), float(np.mean(numbers))
    if n < 2:
        return 1.0
    distance = min(abs(mean - cut) for cut in regions.cuts)
    error = float(np.std(numbers, ddof=1)) / n**0.5
    if error == 0:
        return 1.0 if distance == 0 else 0.0
    return 2 * float(t.sf(distance / error, n - 1))
