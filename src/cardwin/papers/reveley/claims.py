"""How the arguments of Reveley (2002) about XCS, which have no experiment, are judged.

1. A training gives one number: what its rules win, the mean over its judges, or a difference to another training with
   the same seed and deals, or to a baseline on the same deals. A `Sample` maps trainings to numbers, so that none can
   enter twice.
2. A claim is judged for each opponent and for all of them pooled. The interval is Student's over trainings.
3. Claims of a family (claims.toml) are judged together by Holm's procedure (1979): p is the smallest level at which
   the interval still lies within one region, and the interval that decides has the level that Holm gives to this p. So
   the probability of any wrong decision in a family is at most 5%.
Margins and numbers of seeds are in the register; what the document left to experiments is a question, not judged.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.papers import Finding, verdicts
from cardwin.papers.register import register
from cardwin.papers.reveley.trials import Trained, Training
from cardwin.papers.trials import Spread, spread
from cardwin.papers.verdicts import Regions
from cardwin.stats.comparisons import holm, holm_levels

POOLED = "pooled"
Rule = Callable[[float], Regions]


@dataclass(frozen=True)
class Sample:
    """One number for each training or pair of trainings; a training that is in two of them is rejected."""

    numbers: Mapping[tuple[Training, ...], float]

    def __post_init__(self) -> None:
        used = Counter(one for key in self.numbers for one in key)
        if twice := [one for one, times in used.items() if times > 1]:
            raise ValueError(f"a training enters once, and this one enters {used[twice[0]]} times: {twice[0]}")

    @property
    def values(self) -> list[float]:
        """The numbers."""
        return list(self.numbers.values())

    @property
    def in_pairs(self) -> bool:
        """Whether they are differences of two trainings."""
        return any(len(key) > 1 for key in self.numbers)


def single(trained: Iterable[Trained], number: Callable[[Trained], float] = Trained.mean) -> Sample:
    """One number of each training, by default what it won, the mean over its judges."""
    return _joined(((one.training,), number(one)) for one in trained)


def paired(
    better: Iterable[Trained], worse: Iterable[Trained], number: Callable[[Trained], float] = Trained.mean
) -> Sample:
    """The difference of two trainings with the same seed, for each seed."""
    pairs = list(zip(better, worse, strict=True))
    if any(a.training.seed != b.training.seed for a, b in pairs):
        raise ValueError("two trainings are compared that have different seeds")
    return _joined(((a.training, b.training), number(a) - number(b)) for a, b in pairs)


def pooled(samples: Iterable[Sample]) -> Sample:
    """All numbers of several samples."""
    return _joined(item for sample in samples for item in sample.numbers.items())


def _joined(items: Iterable[tuple[tuple[Training, ...], float]]) -> Sample:
    found: dict[tuple[Training, ...], float] = {}
    for key, number in items:
        if key in found:
            raise ValueError(f"a training enters once, and this one enters twice: {key[0]}")
        found[key] = number
    return Sample(found)


@dataclass(frozen=True)
class Row:
    """A claim or a question with its sample; `rule` makes regions of the register's margin."""

    place: str
    name: str
    said: str
    sample: Sample
    reason: str = ""
    rule: Rule = verdicts.above


def by_opponent(place: str, name: str, said: str, samples: Mapping[str, Sample], reason: str = "",
                rule: Rule = verdicts.above) -> list[Row]:  # fmt: skip
    """A row for each opponent and one for all pooled; `samples` by the opponent's name."""
    rows = [Row(place, f"{name}, {who}", said, sample, reason, rule) for who, sample in samples.items()]
    if len(samples) > 1:
        rows.append(Row(place, f"{name}, {POOLED}", said, pooled(samples.values()), reason, rule))
    return rows


def family(rows: Sequence[Row]) -> Iterator[Finding]:
    """The findings of a family of claims, corrected for their number; the register says which rows belong together."""
    known = register(__package__)
    if len({known.of(row.name).family for row in rows}) != 1 or not known.of(rows[0].name).family:
        raise ValueError(f"rows of several families, or of none: {', '.join(row.name for row in rows)}")
    regions = [row.rule(known.margin(row.name)) for row in rows]
    p_values = [decisive_p(one, row.sample.values) for one, row in zip(regions, rows, strict=True)]
    for row, one, p, level in zip(rows, regions, holm(p_values), holm_levels(p_values), strict=True):
        judged = spread(row.sample.values, level=level).ci95
        text = f"Holm over {len(rows)}: p {p:.2g}" if len(rows) > 1 else ""
        yield _finding(row, text, verdict=verdicts.judge(one, judged),
                       needed=verdicts.runs_needed(one, judged, len(row.sample.values)))  # fmt: skip


def questions(rows: Iterable[Row]) -> Iterator[Finding]:
    """What the document left to experiments, without a verdict."""
    return (_finding(row, "", verdict=None, needed=None) for row in rows)


def decisive_p(regions: Regions, values: Sequence[float]) -> float:
    """The smallest level at which Student's interval lies within one region; 1 for fewer than two numbers."""
    from scipy.stats import t

    n, mean = len(values), float(np.mean(values))
    if n < 2:
        return 1.0
    far = min(abs(mean - cut) for cut in regions.cuts)
    error = float(np.std(values, ddof=1)) / n**0.5
    if error == 0:
        return 1.0 if far == 0 else 0.0
    return 2 * float(t.sf(far / error, n - 1))


def _finding(row: Row, also: str, verdict: verdicts.Verdict | None, needed: int | None) -> Finding:
    found: Spread = spread(row.sample.values)
    ends = None if found.ci95 is None else (round(found.ci95[0], 4), round(found.ci95[1], 4))
    return Finding(row.place, row.name, published=row.said, measured=round(found.mean, 4), ci95=ends,
                   over=f"{found.n} {'pairs of ' if row.sample.in_pairs else ''}trainings", verdict=verdict,
                   reason="; ".join(filter(None, (row.reason, also))), needed=needed)  # fmt: skip
