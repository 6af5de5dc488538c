"""The document's claims about mean ranks: printed ranks, and which way to evolve ranks better.

Margins are in the register (claims.toml): half a place for a printed rank, since unpublished settings (stacks, blinds,
mutation, the matrices) affect all players; the rounding of two printed ranks for "better"; .3 places for "little".
A band of half a place contains the Folder, so a second Folder in the champion's seat and the share of tournaments won
stand beside every verdict on ranks.

That one way ranks better than another is a family of five claims. Each is judged by an interval over seeds whose level
comes from Holm's procedure (1979), so that the probability of any wrong decision among them is at most 5%.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cardwin.papers import Finding, verdicts
from cardwin.papers.nicolai.seatings import (
    AGENTS,
    PRINTED,
    PUBLISHED,
    Seating,
    estimate,
    margin_of,
    over,
    over_seeds,
)
from cardwin.papers.trials import spread
from cardwin.papers.verdicts import Conclusion, Interval
from cardwin.runs.problems.tournament.play import Floats
from cardwin.stats.comparisons import holm, holm_levels

Seatings = Mapping[str, Sequence[Seating]]
BETTER = (
    ("LargeHOF", "Baseline"),
    ("LargeHOF", "SmallHOF"),
    ("LargeHOF", "HOF2Pop red"),
    ("LargeHOF", "HOF2Pop blue"),
    ("SmallHOF", "Baseline"),
)


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


def ranks(seatings: Seatings, folders: Sequence[Seating]) -> Iterator[Finding]:
    """Each control's mean rank beside the printed one."""
    for name, printed in PUBLISHED.items():
        places, title = own_places(seatings[name]), f"{name}, mean rank of 9"
        mean, ci95 = estimate(places)
        regions = verdicts.within(printed, margin_of(title))
        mbb = float(np.mean([seating.mbb[0] for seating in seatings[name]]))
        also = verdicts.conclusion_of(verdicts.judge(regions, estimate(own_places(folders))[0])) == Conclusion.FOR
        reason = (
            f"wins {own_wins(seatings[name]):.1%} of the tournaments (an equal share is 11.1%), {mbb:+.0f} mbb a hand; "
            f"{second_folder(folders)}{', which would agree too' if also else ''}"
        )
        yield Finding("Figure 7", title, published=printed, measured=mean, ci95=ci95, over=over(seatings[name]),
                      verdict=verdicts.judge(regions, over_seeds(places)), reason=reason,
                      needed=verdicts.runs_needed(regions, over_seeds(places), len(places)))  # fmt: skip


def comparisons(seatings: Seatings, folders: Sequence[Seating]) -> Iterator[Finding]:
    """The claims about ways to evolve."""
    yield from _better(seatings, folders)
    small, base = own_places(seatings["SmallHOF"]), own_places(seatings["Baseline"])
    yield _difference("SmallHOF is more than one rank better than Baseline: difference", leads(small, base),
                      verdicts.at_most(-1.0), round(PRINTED["SmallHOF"] - PRINTED["Baseline"], 2),
                      second_folder(folders))  # fmt: skip
    both = [(red + blue) / 2 for red, blue in
            zip(own_places(seatings["HOF2Pop red"]), own_places(seatings["HOF2Pop blue"]), strict=True)]  # fmt: skip
    title = "co-evolution adds little: HOF2Pop minus LargeHOF"
    yield _difference(title, leads(both, own_places(seatings["LargeHOF"])),
                      verdicts.within(0.0, margin_of(title)), round(PRINTED["HOF2Pop"] - PRINTED["LargeHOF"], 3),
                      f"little is up to {margin_of(title)} places either way; {second_folder(folders)}")  # fmt: skip
    yield _closer_to_folder(seatings, folders)


def leads(ours: Sequence[Floats], theirs: Sequence[Floats]) -> list[Floats]:
    """Differences of mean places by table, seed by seed."""
    return [one - two for one, two in zip(ours, theirs, strict=True)]


def _difference(
    title: str, lead: Sequence[Floats], regions: verdicts.Regions, published: float | str, reason: str
) -> Finding:
    mean, ci95 = estimate(lead)
    return Finding("section 5", title, published=published, measured=mean, ci95=ci95, over=_seeds(lead),
                   verdict=verdicts.judge(regions, over_seeds(lead)), reason=reason,
                   needed=verdicts.runs_needed(regions, over_seeds(lead), len(lead)))  # fmt: skip


def _closer_to_folder(seatings: Seatings, folders: Sequence[Seating]) -> Finding:
    folder, title = AGENTS.index("Folder"), "LargeHOF is closer to Folder's rank than Baseline: difference of gaps"
    gaps = [[seating.places[:, 0] - seating.places[:, folder] for seating in seatings[name]]
            for name in ("LargeHOF", "Baseline")]  # fmt: skip
    regions = verdicts.below(margin_of(title))
    return _difference(title, leads(*gaps), regions, "much closer", second_folder(folders))


def _better(seatings: Seatings, folders: Sequence[Seating]) -> Iterator[Finding]:
    """That one control ranks better than another: the family."""
    family = [leads(own_places(seatings[name]), own_places(seatings[other])) for name, other in BETTER]
    p_values = [seed_p(lead) for lead in family]
    corrected, levels = holm(p_values), holm_levels(p_values)
    for (name, other), lead, p, level in zip(BETTER, family, corrected, levels, strict=True):
        title = f"{name} ranks better than {other}: difference"
        mean, ci95 = estimate(lead)
        regions, judged = verdicts.below(margin_of(title)), at_level(lead, level)
        tested = paired_p(own_places(seatings[name]), own_places(seatings[other]))
        reason = (
            f"Holm over {len(BETTER)} comparisons: p {p:.2g}; wins {own_wins(seatings[name]):.1%} and "
            f"{own_wins(seatings[other]):.1%}; {second_folder(folders)}; two-tailed paired t over tables, same decks: "
            f"p {tested}"
        )
        yield Finding("section 5", title, published=round(PRINTED[name] - PRINTED[other], 3), measured=mean, ci95=ci95,
                      verdict=verdicts.judge(regions, judged), over=_seeds(lead), reason=reason,
                      needed=verdicts.runs_needed(regions, judged, len(lead)))  # fmt: skip


def _seeds(sample: Sequence[Floats]) -> str:
    return f"{len(sample)} seeds" if len(sample) > 1 else "tables, one seed"


def seed_p(lead: Sequence[Floats]) -> float:
    """Student's two-sided p-value over seeds of a mean difference; 1 for one seed."""
    from scipy.stats import t

    means = np.array([float(one.mean()) for one in lead])
    if len(means) < 2:
        return 1.0
    error = float(means.std(ddof=1)) / len(means) ** 0.5
    if error == 0:
        return 1.0 if means[0] == 0 else 0.0
    return 2 * float(t.sf(abs(float(means.mean())) / error, len(means) - 1))


def at_level(lead: Sequence[Floats], level: float) -> Interval:
    """The interval over seeds that a test of this level belongs to; none for one seed."""
    return spread([float(one.mean()) for one in lead], level=level).ci95


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
