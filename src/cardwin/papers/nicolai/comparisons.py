"""The document's claims about mean ranks: printed ranks, which way to evolve ranks better, and who out-ranks whom.

Margins are in the register (claims.toml): half a place for a printed rank, since unpublished settings (stacks, blinds,
mutation, the matrices) affect all players; the rounding of two printed ranks for "better"; .3 places for "little".
A band of half a place contains the Folder, so a second Folder in the champion's seat and the share of tournaments won
stand beside every verdict on ranks.

That one way ranks better than another is a family of five claims. Each is judged by an interval over seeds whose level
comes from Holm's procedure (1979), so that the probability of any wrong decision among them is at most 5%.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.papers import verdicts
from cardwin.papers.nicolai.seatings import AGENTS, PUBLISHED, ROWS, Seating, estimate, over, over_seeds
from cardwin.papers.sample import Sample, Spread, by_holm, sample
from cardwin.papers.verdicts import Conclusion
from cardwin.stats.intervals import mean_interval

Seatings = Mapping[str, Sequence[Seating]]
BETTER = (
    ("LargeHOF", "Baseline"),
    ("LargeHOF", "SmallHOF"),
    ("LargeHOF", "HOF2Pop red"),
    ("LargeHOF", "HOF2Pop blue"),
    ("SmallHOF", "Baseline"),
)
SMALLEST_EFFECT = 2.576 / 100_000**0.5  # standard deviations: a mean difference that 100,000 tables show at 99%
CARELESS = ("Random", "Caller", "Raiser", "CallOrRaise")  # players that ignore their cards and do not always fold
CONTROLLED = ("Baseline", "LargeHOF", "HOF2Pop red", "HOF2Pop blue")  # of whom the document says who out-ranks them


def own_places(seatings: Sequence[Seating]) -> list[Floats]:
    """The champion's mean places by table, seed by seed."""
    return [seating.places[:, 0] for seating in seatings]


def own_wins(seatings: Sequence[Seating]) -> float:
    """The share of tournaments that the champions won."""
    return float(np.mean([seating.wins[0] for seating in seatings]))


def second_folder(folders: Sequence[Seating]) -> str:
    """A second Folder in the champion's seat, in words."""
    mean, _ = estimate(own_places(folders))
    return f"a second Folder in its seat: rank {mean:.2f}, wins {own_wins(folders):.1%}"


def claims(seatings: Seatings, folders: Sequence[Seating]) -> Iterator[Sample]:
    """Yield what the document's conclusions are about."""
    yield from ranks(seatings, folders)
    yield from comparisons(seatings, second_folder(folders))
    yield all_different(seatings)
    yield from who_is_ahead(seatings)


def ranks(seatings: Seatings, folders: Sequence[Seating]) -> Iterator[Sample]:
    """Yield each control's mean rank beside the printed one."""
    for name, printed in PUBLISHED.items():
        places, title = own_places(seatings[name]), f"{name}, mean rank of 9"
        mean, ci95 = estimate(places)
        regions = verdicts.within(printed, ROWS.margin(title))
        also = verdicts.conclusion_of(verdicts.judge(regions, estimate(own_places(folders))[0])) == Conclusion.FOR
        yield sample(title, mean, ci95=ci95, judged=over_seeds(places), over=over(seatings[name]),
                     wins=own_wins(seatings[name]), mbb=np.mean([seating.mbb[0] for seating in seatings[name]]),
                     folder=f"{second_folder(folders)}{', which would agree too' if also else ''}")  # fmt: skip


def comparisons(seatings: Seatings, folder: str) -> Iterator[Sample]:
    """Yield the leads of ways to evolve; `folder` describes a second Folder in the champion's seat."""
    own = {name: own_places(rows) for name, rows in seatings.items()}
    family = {pair: leads(own[pair[0]], own[pair[1]]) for pair in BETTER}
    corrected = by_holm([(verdicts.below(0.0), [float(one.mean()) for one in lead]) for lead in family.values()])
    for ((name, other), lead), (p, judged) in zip(family.items(), corrected, strict=True):
        yield _lead(f"{name} ranks better than {other}: difference", lead, judged, folder=folder, p=p,
                    count=len(BETTER), wins=own_wins(seatings[name]), others=own_wins(seatings[other]),
                    tested=paired_p(own[name], own[other]))  # fmt: skip
    yield _lead("SmallHOF is more than one rank better than Baseline: difference",
                leads(own["SmallHOF"], own["Baseline"]), folder=folder)  # fmt: skip
    both = [(red + blue) / 2 for red, blue in zip(own["HOF2Pop red"], own["HOF2Pop blue"], strict=True)]
    yield _lead("co-evolution adds little: HOF2Pop minus LargeHOF", leads(both, own["LargeHOF"]), folder=folder)
    column = AGENTS.index("Folder")
    gaps = [[seating.places[:, 0] - seating.places[:, column] for seating in seatings[name]]
            for name in ("LargeHOF", "Baseline")]  # fmt: skip
    yield _lead("LargeHOF is closer to Folder's rank than Baseline: difference of gaps", leads(*gaps), folder=folder)


def leads(ours: Sequence[Floats], theirs: Sequence[Floats]) -> list[Floats]:
    """Differences of mean places by table, seed by seed."""
    return [one - two for one, two in zip(ours, theirs, strict=True)]


def _lead(title: str, lead: Sequence[Floats], judged: Spread | None = None, **texts: object) -> Sample:
    """Return a lead, judged over seeds."""
    mean, ci95 = estimate(lead)
    return sample(title, mean, ci95=ci95, judged=judged or over_seeds(lead),
                  over=f"{len(lead)} seeds" if len(lead) > 1 else "tables, one seed", **texts)  # fmt: skip


def paired_p(ours: Sequence[Floats], theirs: Sequence[Floats]) -> str:
    """The document's own test, seed by seed, on mean places by table: does noise at the tables explain a difference?

    It does not cover other evolutions of the same kind; intervals over seeds do.
    """
    from scipy.stats import t

    tested = []
    for one, two in zip(ours, theirs, strict=True):
        by_table = one - two
        error = float(by_table.std(ddof=1)) / len(by_table) ** 0.5
        tested.append(2 * float(t.sf(abs(float(by_table.mean())) / error, len(by_table) - 1)) if error else 1.0)
    return ", ".join(f"{p:.2g}" for p in tested)


def all_different(seatings: Seatings) -> Sample:
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
    return sample("every two agents at a table differ, as 100,000 tables would show it",
                  f"{len(surely)} of {len(pairs)} pairs surely", over=over(next(iter(seatings.values()))),
                  claimed=pairs, surely=surely, perhaps=perhaps, undecided=len(perhaps))  # fmt: skip


def effect_size(differences: Floats) -> tuple[float, float]:
    """The 95% interval of a mean difference in standard deviations (Hedges and Olkin 1985, paired)."""
    deviation = float(differences.std(ddof=1))
    if deviation == 0:
        size = 0.0 if differences[0] == 0 else float(np.copysign(np.inf, differences[0]))
        return size, size
    size = float(differences.mean()) / deviation
    half = 1.96 * ((1 + size**2 / 2) / len(differences)) ** 0.5
    return size - half, size + half


def who_is_ahead(seatings: Seatings) -> Iterator[Sample]:
    """Yield who out-ranks a control, and what is beside it."""
    for control in CONTROLLED:
        title, rows = f"who out-ranks {control}", seatings[control]
        surely, perhaps = ahead_of(rows, 0)
        reason = f"not shown to differ from it: {', '.join(perhaps)}" if perhaps else "all are shown to differ from it"
        members = (surely, perhaps) if len(rows) > 1 else ((), AGENTS)  # one seed tells nobody apart
        yield sample(title, ", ".join(surely) or "nobody", over=over(rows), reason=reason, surely=members[0],
                     perhaps=members[1], claimed=str(ROWS.of(title).published).split(", "))  # fmt: skip
    large = seatings["LargeHOF"]
    columns = [AGENTS.index(name) for name in CARELESS]
    ahead = [sum(mean_interval(one.places[:, k] - one.places[:, 0]).low > 0 for one in large) for k in columns]
    yield sample(f"seeds of {len(large)} on which LargeHOF out-ranks",
                 ", ".join(f"{name} {count}" for name, count in zip(CARELESS, ahead, strict=True)))  # fmt: skip
    surely, _ = ahead_of(large, AGENTS.index("Folder"))
    yield sample("who out-ranks Folder at LargeHOF's tables", ", ".join(surely) or "nobody", over=over(large))
    chips = np.mean([seating.mbb for seating in large], axis=0)
    richest = AGENTS[int(np.argmax(chips))]
    yield sample("who wins most chips there", f"{richest}, {chips.max():+.0f} mbb a hand", over=over(large))


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
