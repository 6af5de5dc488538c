"""The document's claims about mean ranks: printed ranks, ways to evolve compared, and players that out-rank others.

Margins are in the register (claims.toml): half a place for a printed rank, since unpublished settings (stacks, blinds,
mutation, the matrices) affect all players; the rounding of two printed ranks for "better"; .3 places for "little".
A band of half a place contains the Folder, so every verdict on ranks has a second Folder in the champion's seat and the
share of tournaments won beside it.

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
RANKED = ("Baseline", "LargeHOF", "HOF2Pop red", "HOF2Pop blue")  # the document says which players out-rank these


def champion_places(seatings: Sequence[Seating]) -> list[Floats]:
    """Return the champion's mean places by table, seed by seed."""
    return [seating.places[:, 0] for seating in seatings]


def champion_wins(seatings: Sequence[Seating]) -> float:
    """Return the share of tournaments that the champions won."""
    return float(np.mean([seating.wins[0] for seating in seatings]))


def second_folder(folders: Sequence[Seating]) -> str:
    """Describe a second Folder in the champion's seat."""
    mean, _ = estimate(champion_places(folders))
    return f"a second Folder in its seat: rank {mean:.2f}, wins {champion_wins(folders):.1%}"


def claims(seatings: Seatings, folders: Sequence[Seating]) -> Iterator[Sample]:
    """Yield what the document's conclusions are about.

    Args:
        seatings: The duplicate tables of each champion, a seating per seed.
        folders: The same tables with a second Folder in the champion's seat.

    """
    yield from ranks(seatings, folders)
    yield from comparisons(seatings, second_folder(folders))
    yield all_different(seatings)
    yield from out_ranking_players(seatings)


def ranks(seatings: Seatings, folders: Sequence[Seating]) -> Iterator[Sample]:
    """Yield each control's mean rank beside the printed one."""
    folder_rank, _ = estimate(champion_places(folders))
    for name, printed in PUBLISHED.items():
        played, title = seatings[name], f"{name}, mean rank of 9"
        places = champion_places(played)
        mean, ci95 = estimate(places)
        folder_verdict = verdicts.judge(verdicts.within(printed, ROWS.margin(title)), folder_rank)
        folder_agrees = verdicts.conclusion_of(folder_verdict) == Conclusion.FOR
        yield sample(
            title,
            mean,
            ci95=ci95,
            judged=over_seeds(places),
            over=over(played),
            wins=champion_wins(played),
            mbb=np.mean([seating.mbb[0] for seating in played]),
            folder=f"{second_folder(folders)}{', which would agree too' if folder_agrees else ''}",
        )


def comparisons(seatings: Seatings, folder: str) -> Iterator[Sample]:
    """Yield the leads of ways to evolve.

    Args:
        seatings: The duplicate tables of each champion, a seating per seed.
        folder: The description of a second Folder in the champion's seat.

    """
    places = {name: champion_places(played) for name, played in seatings.items()}
    family = {pair: leads(places[pair[0]], places[pair[1]]) for pair in BETTER}
    corrected = by_holm([(verdicts.below(0.0), [float(seed.mean()) for seed in lead]) for lead in family.values()])
    for ((name, other), lead), (p, judged) in zip(family.items(), corrected, strict=True):
        yield _lead(
            f"{name} ranks better than {other}: difference",
            lead,
            judged,
            folder=folder,
            p=p,
            count=len(BETTER),
            wins=champion_wins(seatings[name]),
            others=champion_wins(seatings[other]),
            tested=paired_p(places[name], places[other]),
        )
    lead = leads(places["SmallHOF"], places["Baseline"])
    yield _lead("SmallHOF is more than one rank better than Baseline: difference", lead, folder=folder)
    both = [(red + blue) / 2 for red, blue in zip(places["HOF2Pop red"], places["HOF2Pop blue"], strict=True)]
    lead = leads(both, places["LargeHOF"])
    yield _lead("co-evolution adds little: HOF2Pop minus LargeHOF", lead, folder=folder)
    lead = leads(_behind_folder(seatings["LargeHOF"]), _behind_folder(seatings["Baseline"]))
    yield _lead("LargeHOF is closer to Folder's rank than Baseline: difference of gaps", lead, folder=folder)


def _behind_folder(seatings: Sequence[Seating]) -> list[Floats]:
    """Return the champion's mean places minus Folder's, by table, seed by seed."""
    folder = AGENTS.index("Folder")
    return [seating.places[:, 0] - seating.places[:, folder] for seating in seatings]


def leads(ours: Sequence[Floats], theirs: Sequence[Floats]) -> list[Floats]:
    """Return differences of mean places by table, seed by seed."""
    return [our_places - their_places for our_places, their_places in zip(ours, theirs, strict=True)]


def _lead(title: str, lead: Sequence[Floats], judged: Spread | None = None, **texts: object) -> Sample:
    """Return a lead, judged over seeds."""
    mean, ci95 = estimate(lead)
    over_what = f"{len(lead)} seeds" if len(lead) > 1 else "tables, one seed"
    return sample(title, mean, ci95=ci95, judged=judged or over_seeds(lead), over=over_what, **texts)


def paired_p(ours: Sequence[Floats], theirs: Sequence[Floats]) -> str:
    """Compute the document's own test: whether noise at the tables explains a difference of mean places.

    It does not cover other evolutions of the same kind; intervals over seeds do.

    Args:
        ours: Mean places by table (tables,), seed by seed.
        theirs: Those of the other player.

    Returns:
        The two-tailed p-values of paired t-tests, seed by seed.

    """
    from scipy.stats import t

    p_values = []
    for by_table in leads(ours, theirs):
        error = float(by_table.std(ddof=1)) / len(by_table) ** 0.5
        p_values.append(2 * float(t.sf(abs(float(by_table.mean())) / error, len(by_table) - 1)) if error else 1.0)
    return ", ".join(f"{p:.2g}" for p in p_values)


def all_different(seatings: Seatings) -> Sample:
    """Compute whether 100,000 tables would show that any two agents at a table differ (the document's t-tests)."""
    pairs, surely, perhaps = [], [], []
    for name, played in seatings.items():
        for number, seating in enumerate(played):
            for first, second in combinations(range(len(AGENTS)), 2):
                pair = f"{name} {number}: {AGENTS[first]}, {AGENTS[second]}"
                pairs.append(pair)
                effect = effect_size(seating.places[:, first] - seating.places[:, second])
                conclusion = verdicts.conclusion_of(verdicts.judge(verdicts.apart(SMALLEST_EFFECT), effect))
                surely += [pair] if conclusion == Conclusion.FOR else []
                perhaps += [pair] if conclusion == Conclusion.OPEN else []
    return sample(
        "every two agents at a table differ, as 100,000 tables would show it",
        f"{len(surely)} of {len(pairs)} pairs surely",
        over=over(next(iter(seatings.values()))),
        claimed=pairs,
        surely=surely,
        perhaps=perhaps,
        undecided=len(perhaps),
    )


def effect_size(differences: Floats) -> tuple[float, float]:
    """Return the 95% interval of a mean difference in standard deviations (Hedges and Olkin 1985, paired)."""
    deviation = float(differences.std(ddof=1))
    if deviation == 0:
        size = 0.0 if differences[0] == 0 else float(np.copysign(np.inf, differences[0]))
        return size, size
    size = float(differences.mean()) / deviation
    half = 1.96 * ((1 + size**2 / 2) / len(differences)) ** 0.5
    return size - half, size + half


def out_ranking_players(seatings: Seatings) -> Iterator[Sample]:
    """Yield the players that out-rank a control, and those that out-rank Folder and win most chips beside LargeHOF."""
    for control in RANKED:
        title, played = f"who out-ranks {control}", seatings[control]
        surely, perhaps = out_ranking(played, 0)
        reason = f"not shown to differ from it: {', '.join(perhaps)}" if perhaps else "all are shown to differ from it"
        distinguishable = len(played) > 1  # one seed shows no difference between ways to evolve
        yield sample(
            title,
            ", ".join(surely) or "nobody",
            over=over(played),
            reason=reason,
            surely=surely if distinguishable else (),
            perhaps=perhaps if distinguishable else AGENTS,
            claimed=str(ROWS.of(title).published).split(", "),
        )
    large = seatings["LargeHOF"]
    counts = {name: sum(_out_ranked_by_champion(seating, name) for seating in large) for name in CARELESS}
    text = ", ".join(f"{name} {count}" for name, count in counts.items())
    yield sample(f"seeds of {len(large)} on which LargeHOF out-ranks", text)
    surely, _ = out_ranking(large, AGENTS.index("Folder"))
    yield sample("who out-ranks Folder at LargeHOF's tables", ", ".join(surely) or "nobody", over=over(large))
    chips = np.mean([seating.mbb for seating in large], axis=0)
    richest = AGENTS[int(np.argmax(chips))]
    yield sample("who wins most chips there", f"{richest}, {chips.max():+.0f} mbb a hand", over=over(large))


def _out_ranked_by_champion(seating: Seating, name: str) -> bool:
    """Return whether a champion ranks significantly better than a player over its tables."""
    return bool(mean_interval(seating.places[:, AGENTS.index(name)] - seating.places[:, 0]).low > 0)


def out_ranking(seatings: Sequence[Seating], column: int) -> tuple[list[str], list[str]]:
    """Return the players that rank significantly better than another, and those without a significant difference.

    Args:
        seatings: Duplicate tables, a seating per seed.
        column: The column of the player that is compared with all others.

    """
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
