"""Who out-ranks whom at the tables, and whether all agents differ."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from cardwin.papers import Finding, verdicts
from cardwin.papers.nicolai.seatings import AGENTS, Seating, estimate, over
from cardwin.papers.verdicts import Conclusion
from cardwin.runs.problems.tournament.play import Floats
from cardwin.stats.intervals import mean_interval

SMALLEST_EFFECT = 2.576 / 100_000**0.5  # standard deviations: a mean difference that 100,000 tables show at 99%
CARELESS = ("Random", "Caller", "Raiser", "CallOrRaise")  # players that ignore their cards and do not always fold
OUTRANKED = {
    "Baseline": {"Folder", "OldBest"},
    "LargeHOF": {"Folder"},
    "HOF2Pop red": {"Folder"},
    "HOF2Pop blue": {"Folder"},
}


def all_different(seatings: Mapping[str, Sequence[Seating]]) -> Finding:
    """The document's t-tests: would 100,000 tables show a difference between any two agents at every table?"""
    pairs, surely, perhaps = [], [], []
    for name, rows in seatings.items():
        for number, seating in enumerate(rows):
            for one, two in combinations(range(len(AGENTS)), 2):
                pairs.append(f"{name} {number}: {AGENTS[one]}, {AGENTS[two]}")
                found = effect_size(seating.places[:, one] - seating.places[:, two])
                side = verdicts.conclusion_of(verdicts.judge(verdicts.apart(SMALLEST_EFFECT), found))
                surely += pairs[-1:] if side == Conclusion.FOR else []
                perhaps += pairs[-1:] if side == Conclusion.OPEN else []
    return Finding("section 5", "every two agents at a table differ, as 100,000 tables would show it",
                   published="all, 99% confidence", measured=f"{len(surely)} of {len(pairs)} pairs surely",
                   over=over(next(iter(seatings.values()))), verdict=verdicts.among(pairs, surely, perhaps),
                   reason=f"{len(perhaps)} not decided by so many tables")  # fmt: skip


def effect_size(differences: Floats) -> tuple[float, float]:
    """The 95% interval of a mean difference in standard deviations (Hedges and Olkin 1985, paired)."""
    deviation = float(differences.std(ddof=1))
    if deviation == 0:
        size = 0.0 if differences[0] == 0 else float(np.copysign(np.inf, differences[0]))
        return size, size
    size = float(differences.mean()) / deviation
    half = 1.96 * ((1 + size**2 / 2) / len(differences)) ** 0.5
    return size - half, size + half


def who_is_ahead(seatings: Mapping[str, Sequence[Seating]]) -> Iterator[Finding]:
    """The claims about who out-ranks a control, and what is beside them."""
    for control, expected in OUTRANKED.items():
        surely, perhaps = ahead_of(seatings[control], 0)
        reason = f"not shown to differ from it: {', '.join(perhaps)}" if perhaps else "all are shown to differ from it"
        yield Finding("section 5", f"who out-ranks {control}", published=", ".join(sorted(expected)),
                      measured=", ".join(surely) or "nobody", over=over(seatings[control]),
                      verdict=verdicts.among(expected, *members_over_seeds(seatings[control], surely, perhaps)),
                      reason=reason)  # fmt: skip
    yield _ahead_of_the_careless(seatings["LargeHOF"])
    surely, _ = ahead_of(seatings["LargeHOF"], AGENTS.index("Folder"))
    yield Finding("ours", "who out-ranks Folder at LargeHOF's tables", measured=", ".join(surely) or "nobody",
                  over=over(seatings["LargeHOF"]), verdict=None)  # fmt: skip
    chips = np.mean([seating.mbb for seating in seatings["LargeHOF"]], axis=0)
    richest = AGENTS[int(np.argmax(chips))]
    yield Finding("ours", "who wins most chips there", measured=f"{richest}, {chips.max():+.0f} mbb a hand",
                  verdict=None, over=over(seatings["LargeHOF"]),
                  reason="rank alone rewards sitting still while others eliminate each other")  # fmt: skip


def ahead_of(seatings: Sequence[Seating], column: int) -> tuple[list[str], list[str]]:
    """The players that rank significantly better than a column's, and those whose difference is not significant."""
    surely, perhaps = [], []
    for other, name in enumerate(AGENTS):
        if other == column:
            continue
        _, ci95 = estimate([seating.places[:, other] - seating.places[:, column] for seating in seatings])
        if ci95 is None or ci95[0] <= 0 <= ci95[1]:
            perhaps.append(name)
        elif ci95[1] < 0:
            surely.append(name)
    return surely, perhaps


def members_over_seeds(
    seatings: Sequence[Seating], surely: Sequence[str], perhaps: Sequence[str]
) -> tuple[Sequence[str], ...]:
    """The same for a claim about a way to evolve: one seed tells nobody apart."""
    return (surely, perhaps) if len(seatings) > 1 else ((), AGENTS)


def _ahead_of_the_careless(seatings: Sequence[Seating]) -> Finding:
    """On how many seeds the champion out-ranks each of them, with an interval over tables that excludes zero."""
    columns = [AGENTS.index(name) for name in CARELESS]
    ahead = [sum(mean_interval(one.places[:, k] - one.places[:, 0]).low > 0 for one in seatings) for k in columns]
    counts = ", ".join(f"{name} {count}" for name, count in zip(CARELESS, ahead, strict=True))
    return Finding("ours", f"seeds of {len(seatings)} on which LargeHOF out-ranks", measured=counts, verdict=None,
                   reason="intervals over tables clear of zero")  # fmt: skip
