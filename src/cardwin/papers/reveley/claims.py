"""How the arguments of Reveley (2002) about XCS, which have no experiment, are judged.

1. A training gives one number: what its rules win, the mean over its judges, or a difference to another training with
   the same seed and deals, or to a baseline on the same deals. `Numbers` maps trainings to numbers; a training enters
   once.
2. A claim is judged for each opponent and for all of them pooled. The interval is Student's over trainings.
3. Claims of a family (claims.toml) are judged together by Holm's procedure (1979): p is the smallest level at which
   the interval still lies within one region, and the interval that decides has the level that Holm gives to this p. So
   the probability of any wrong decision in a family is at most 5%.
Rules, margins and families are in the register; what the document left to experiments is a question, not judged.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from cardwin.papers import verdicts
from cardwin.papers.register import register
from cardwin.papers.reveley.trials import Trained, Training
from cardwin.papers.sample import Sample, by_holm, sample, spread

POOLED = "pooled"
NO_REASONS: Mapping[str, str] = {}
Numbers = Mapping[tuple[Training, ...], float]
Done = Mapping[str, Mapping[str, Sequence[Trained]]]  # by version and opponent, a training per seed


def numbers(items: Iterable[tuple[tuple[Training, ...], float]]) -> Numbers:
    """Return one number per training or pair of trainings; raise a ValueError if a training is in two of them."""
    items = list(items)
    used = Counter(one for key, _ in items for one in key)
    if twice := [one for one, times in used.items() if times > 1]:
        raise ValueError(f"a training enters once, and this one enters {used[twice[0]]} times: {twice[0]}")
    return dict(items)


def single(trained: Iterable[Trained], number: Callable[[Trained], float] = Trained.mean) -> Numbers:
    """Return one number per training, by default what it won, the mean over its judges."""
    return numbers(((one.training,), number(one)) for one in trained)


def paired(
    better: Iterable[Trained], worse: Iterable[Trained], number: Callable[[Trained], float] = Trained.mean
) -> Numbers:
    """Return the difference of two trainings with the same seed, for each seed."""
    pairs = list(zip(better, worse, strict=True))
    if any(a.training.seed != b.training.seed for a, b in pairs):
        raise ValueError("two trainings are compared that have different seeds")
    return numbers(((a.training, b.training), number(a) - number(b)) for a, b in pairs)


def pooled(samples: Iterable[Numbers]) -> Numbers:
    """Return all numbers of several samples."""
    return numbers(item for one in samples for item in one.items())


def leads(done: Done, better: str, worse: str) -> dict[str, Numbers]:
    """Return what one version wins more than another, seed by seed: for each opponent whom both met."""
    return {who: paired(done[better][who], done[worse][who]) for who in done[better] if who in done[worse]}


def by_opponent(name: str, samples: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """Return a row per opponent and one for all pooled; `samples` by the opponent's name."""
    rows = {f"{name}, {who}": one for who, one in samples.items()}
    return rows | {f"{name}, {POOLED}": pooled(samples.values())} if len(samples) > 1 else rows


def family(rows: Mapping[str, Numbers], reasons: Mapping[str, str] = NO_REASONS) -> Iterator[Sample]:
    """Yield the samples of a family of claims, judged by intervals that are corrected for their number.

    The register says which rows belong together; `reasons` are added to the corrected p, by the row's name.
    """
    known = [register(__package__).of(name) for name in rows]
    if len({row.family for row in known}) != 1 or not known[0].family:
        raise ValueError(f"expected rows of one family, got {', '.join(rows)}")
    found = by_holm(
        [
            (getattr(verdicts, row.rule)(row.margin), list(one.values()))
            for row, one in zip(known, rows.values(), strict=True)
        ]
    )
    for (name, row), (p, corrected) in zip(rows.items(), found, strict=True):
        text = f"Holm over {len(rows)}: p {p:.2g}" if len(rows) > 1 else ""
        yield _sample(name, row, "; ".join(filter(None, (reasons.get(name), text))), judged=corrected)


def questions(rows: Mapping[str, Numbers], reasons: Mapping[str, str] = NO_REASONS) -> Iterator[Sample]:
    """Yield the samples of questions, which have no verdict."""
    return (_sample(name, row, reasons.get(name, "")) for name, row in rows.items())


def _sample(name: str, row: Numbers, reason: str, **judged: object) -> Sample:
    found = spread(list(row.values()))
    ends = None if found.ci95 is None else (round(found.ci95[0], 4), round(found.ci95[1], 4))
    pairs = "pairs of " if any(len(key) > 1 for key in row) else ""
    return sample(name, round(found.mean, 4), ci95=ends, over=f"{found.n} {pairs}trainings", reason=reason, **judged)
