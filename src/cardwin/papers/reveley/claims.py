"""Judgement of Reveley's arguments about XCS, for which the document has no experiment.

1. A training gives one number: what its rules win (the mean over its judges), or a difference to another training with
   the same seed and deals, or to a baseline on the same deals. `Numbers` maps trainings to numbers. A training enters
   once.
2. A claim is judged for each opponent and for all of them pooled. The interval is Student's over trainings.
3. Claims of a family (claims.toml) are judged together by Holm's procedure (1979). p is the smallest level at which the
   interval still lies within one region; the interval that decides has the level that Holm gives to this p. So the
   probability of any wrong decision in a family is at most 5%.
Rules, margins and families are in the register. What the document left to experiments is a question and is not judged.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from cardwin.papers import verdicts
from cardwin.papers.register import register
from cardwin.papers.reveley.trainings import Training, TrainingResult
from cardwin.papers.sample import Sample, by_holm, sample, spread

POOLED = "pooled"
NO_REASONS: Mapping[str, str] = {}
Numbers = Mapping[tuple[Training, ...], float]
Results = Mapping[str, Mapping[str, Sequence[TrainingResult]]]  # by version and opponent, a training per seed


def numbers(items: Iterable[tuple[tuple[Training, ...], float]]) -> Numbers:
    """Return one number per training or pair of trainings.

    Args:
        items: Trainings, and their number.

    Raises:
        ValueError: If a training enters twice.

    """
    items = list(items)
    counts = Counter(training for trainings, _ in items for training in trainings)
    for training, count in counts.items():
        if count > 1:
            raise ValueError(f"a training enters once, and this one enters {count} times: {training}")
    return dict(items)


def single(
    results: Iterable[TrainingResult], number: Callable[[TrainingResult], float] = TrainingResult.mean
) -> Numbers:
    """Return one number per training, by default what it won, the mean over its judges."""
    return numbers(((result.training,), number(result)) for result in results)


def paired(
    better: Iterable[TrainingResult],
    worse: Iterable[TrainingResult],
    number: Callable[[TrainingResult], float] = TrainingResult.mean,
) -> Numbers:
    """Return the difference of two trainings with the same seed, for each seed.

    Args:
        better: The trainings from which is subtracted.
        worse: The trainings that are subtracted, in the same order of seeds.
        number: The number of a training, by default what it won.

    Raises:
        ValueError: If the seeds of a pair differ, or a training enters twice.

    """
    pairs = list(zip(better, worse, strict=True))
    if any(a.training.seed != b.training.seed for a, b in pairs):
        raise ValueError("two trainings are compared that have different seeds")
    return numbers(((a.training, b.training), number(a) - number(b)) for a, b in pairs)


def pooled(samples: Iterable[Numbers]) -> Numbers:
    """Return all numbers of several samples."""
    return numbers(item for by_training in samples for item in by_training.items())


def leads(
    results: Results,
    better: str,
    worse: str,
    number: Callable[[TrainingResult], float] = TrainingResult.mean,
) -> dict[str, Numbers]:
    """Return what one version has more than another, seed by seed, for each opponent whom both met.

    Args:
        results: Trainings by version and opponent.
        better: The version from which is subtracted.
        worse: The version that is subtracted.
        number: The number of a training, by default what it won.

    """
    return {
        opponent: paired(trainings, results[worse][opponent], number)
        for opponent, trainings in results[better].items()
        if opponent in results[worse]
    }


def by_opponent(name: str, samples: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """Return a row per opponent, and one for all pooled.

    Args:
        name: The claim, to which the opponent's name is added.
        samples: Numbers by the opponent's name.

    """
    rows = {f"{name}, {opponent}": by_training for opponent, by_training in samples.items()}
    return rows | {f"{name}, {POOLED}": pooled(samples.values())} if len(samples) > 1 else rows


def family(rows: Mapping[str, Numbers], reasons: Mapping[str, str] = NO_REASONS) -> Iterator[Sample]:
    """Yield the samples of a family of claims, judged by intervals that are corrected for their number.

    Args:
        rows: Numbers by the claim's name; the register says which claims belong together.
        reasons: Texts before the corrected p, by the claim's name.

    Yields:
        A sample per claim.

    Raises:
        ValueError: If the claims are not of one family.

    """
    claims = [register(__package__).of(name) for name in rows]
    if len({claim.family for claim in claims}) != 1 or not claims[0].family:
        raise ValueError(f"expected rows of one family, got {', '.join(rows)}")
    values = [list(by_training.values()) for by_training in rows.values()]
    regions = [getattr(verdicts, claim.rule)(claim.margin) for claim in claims]
    corrected = by_holm(list(zip(regions, values, strict=True)))
    for (name, by_training), (p, mean) in zip(rows.items(), corrected, strict=True):
        text = f"Holm over {len(rows)}: p {p:.2g}" if len(rows) > 1 else ""
        yield _sample(name, by_training, "; ".join(filter(None, (reasons.get(name), text))), judged=mean)


def questions(rows: Mapping[str, Numbers], reasons: Mapping[str, str] = NO_REASONS) -> Iterator[Sample]:
    """Yield the samples of questions, which have no verdict."""
    return (_sample(name, by_training, reasons.get(name, "")) for name, by_training in rows.items())


def _sample(name: str, by_training: Numbers, reason: str, **judged: object) -> Sample:
    mean = spread(list(by_training.values()))
    ends = None if mean.ci95 is None else (round(mean.ci95[0], 4), round(mean.ci95[1], 4))
    pairs = "pairs of " if any(len(trainings) > 1 for trainings in by_training) else ""
    return sample(name, round(mean.mean, 4), ci95=ends, over=f"{mean.n} {pairs}trainings", reason=reason, **judged)
