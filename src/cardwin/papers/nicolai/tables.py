"""Champions of the four controls at nine-seat duplicate tables with eight benchmarks (the document's figure 7).

Claims about ways to evolve are judged by intervals over seeds: one evolution of each kind cannot tell, whatever the
number of tables. Margins are in the register (claims.toml): half a place for a printed rank, since unpublished settings
(stacks, blinds, mutation, the matrices) affect all players; the rounding of two printed ranks for "better"; .3 places
for "little". A player out-ranks a control if the interval of the difference is on that side of 0; if it covers 0,
perhaps. The document's t-tests are about champions: these are judged over tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from cardwin.arena.tournament import tournament
from cardwin.games.holdem.game import holdem_game
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.nicolai.controls import BENCHMARKS, CONTROLS, benchmarks, champions, size_of
from cardwin.papers.register import register
from cardwin.papers.trials import spread
from cardwin.papers.verdicts import Conclusion, Interval
from cardwin.reports import html
from cardwin.runs.problems.tournament.play import Floats
from cardwin.stats.intervals import blocked, mean_interval

SMALLEST_EFFECT = 2.576 / 100_000**0.5  # standard deviations: a mean difference that 100,000 tables show at 99%
AGENTS = ("Control", *BENCHMARKS)
PUBLISHED = {"Baseline": 4.73, "SmallHOF": 3.48, "LargeHOF": 2.85, "HOF2Pop red": 2.92, "HOF2Pop blue": 2.93}
PRINTED = {**PUBLISHED, "HOF2Pop": (PUBLISHED["HOF2Pop red"] + PUBLISHED["HOF2Pop blue"]) / 2}
CARELESS = ("Random", "Caller", "Raiser", "CallOrRaise")  # players that ignore their cards and do not always fold


@dataclass(frozen=True)
class Seating:
    """One champion's tables: mean places by table (tables, 9), Control first; wins and mbb a hand (9,)."""

    places: Floats
    wins: Floats
    mbb: Floats

    @property
    def means(self) -> Floats:
        """Mean ranks (9,)."""
        means: Floats = self.places.mean(axis=0)
        return means


def sit(context: Context, champion: Path, others: Mapping[str, str], number: int) -> Seating:
    """Play a champion and the benchmarks at duplicate tables; all champions of a seed play the same decks."""
    specs = [f"net:{champion}", *others.values()]
    seed = context.key("tables", number)
    record = tournament(
        holdem_game("holdem-nl", {}), specs, size_of(context).tables, seed, context.workers, duplicate=True, limit=None
    )
    results = record.results
    return Seating(
        blocked(results.place, record.per_table),
        (results.place == 1).mean(axis=0),
        results.won.sum(axis=0) / np.maximum(results.hands.sum(axis=0), 1),
    )


def experiments(context: Context) -> Iterator[Finding]:
    """Evolve, play, judge."""
    size, others = size_of(context), benchmarks(context)
    seatings: dict[str, list[Seating]] = {name: [] for name in PUBLISHED}
    for number in range(size.seeds):
        for name, control in CONTROLS.items():
            for population, path in champions(context, name, control, number).items():
                label = name if len(control.champions) == 1 else f"{name} {population}"
                seatings[label].append(sit(context, path, others, number))
    context.say(
        f"{'One seed' if size.seeds == 1 else f'{size.seeds} seeds'}; populations of {size.population} (Baseline, "
        f"LargeHOF) and {size.population // 2}, {size.generations} generations of {size.tournaments} tournaments; "
        f"{size.tables:,} duplicate tables of nine tournaments for each champion."
    )
    _show(context, seatings)
    yield from ranks(seatings)
    yield from claims(seatings)


def estimate(sample: Sequence[Floats]) -> tuple[float, tuple[float, float] | None]:
    """The mean of values by table (tables,) for each seed, and its interval: over seeds, or tables if there is one."""
    if len(sample) > 1:
        found = spread([float(one.mean()) for one in sample])
        return found.mean, found.ci95
    within = mean_interval(sample[0])
    return within.mean, (within.low, within.high)


def over_seeds(sample: Sequence[Floats]) -> Interval:
    """The interval over seeds, by which a way to evolve is judged; none for one seed."""
    return spread([float(one.mean()) for one in sample]).ci95


def ranks(seatings: Mapping[str, Sequence[Seating]]) -> Iterator[Finding]:
    """Each control's mean rank beside the printed one."""
    for name, printed in PUBLISHED.items():
        places = [seating.places[:, 0] for seating in seatings[name]]
        mean, ci95 = estimate(places)
        regions = verdicts.within(printed, _margin(f"{name}, mean rank of 9"))
        wins = float(np.mean([seating.wins[0] for seating in seatings[name]]))
        mbb = float(np.mean([seating.mbb[0] for seating in seatings[name]]))
        reason = f"wins {wins:.1%} of the tournaments (an equal share is 11.1%), {mbb:+.0f} mbb a hand"
        yield Finding("Figure 7", f"{name}, mean rank of 9", published=printed, measured=mean, ci95=ci95,
                      over=over(seatings[name]), verdict=verdicts.judge(regions, over_seeds(places)),
                      reason=reason, needed=verdicts.runs_needed(regions, over_seeds(places), len(places)))  # fmt: skip


def claims(seatings: Mapping[str, Sequence[Seating]]) -> Iterator[Finding]:
    """The document's conclusions."""
    own = {name: [seating.places[:, 0] for seating in rows] for name, rows in seatings.items()}
    both = [(red + blue) / 2 for red, blue in zip(own["HOF2Pop red"], own["HOF2Pop blue"], strict=True)]
    pairs = [("LargeHOF", "Baseline"), ("LargeHOF", "SmallHOF"), ("LargeHOF", "HOF2Pop"), ("SmallHOF", "Baseline")]
    ranks_ = {**own, "HOF2Pop": both}
    for name, other in pairs:
        yield _better(name, other, ranks_[name], ranks_[other])
    yield _by_a_rank(own["SmallHOF"], own["Baseline"])
    yield _little(both, own["LargeHOF"])
    yield _closer_to_folder(seatings)
    yield _all_different(seatings)
    yield from _who_is_ahead(seatings)


def over(seatings: Sequence[Seating]) -> str:
    """What the intervals are over."""
    return f"{len(seatings)} seeds" if len(seatings) > 1 else f"{len(seatings[0].places):,} tables, one seed"


def _margin(name: str) -> float:
    return register(__package__).margin(name)


def _lead(ours: Sequence[Floats], theirs: Sequence[Floats]) -> list[Floats]:
    """Differences of mean places by table, seed by seed."""
    return [one - two for one, two in zip(ours, theirs, strict=True)]


def _seeds(sample: Sequence[Floats]) -> str:
    return f"{len(sample)} seeds" if len(sample) > 1 else "tables, one seed"


def _better(name: str, other: str, ours: Sequence[Floats], theirs: Sequence[Floats]) -> Finding:
    lead, title = _lead(ours, theirs), f"{name} ranks better than {other}: difference"
    mean, ci95 = estimate(lead)
    regions = verdicts.below(_margin(title))
    return Finding("section 5", title, published=round(PRINTED[name] - PRINTED[other], 3), measured=mean, ci95=ci95,
                   verdict=verdicts.judge(regions, over_seeds(lead)), over=_seeds(lead),
                   reason=f"same decks; two-tailed paired t over tables: p {paired_p(ours, theirs)}",
                   needed=verdicts.runs_needed(regions, over_seeds(lead), len(lead)))  # fmt: skip


def _by_a_rank(small: Sequence[Floats], base: Sequence[Floats]) -> Finding:
    lead, regions = _lead(small, base), verdicts.at_most(-1.0)
    mean, ci95 = estimate(lead)
    return Finding("section 5", "SmallHOF is more than one rank better than Baseline: difference",
                   published=round(PRINTED["SmallHOF"] - PRINTED["Baseline"], 2), measured=mean, ci95=ci95,
                   verdict=verdicts.judge(regions, over_seeds(lead)), over=_seeds(lead),
                   needed=verdicts.runs_needed(regions, over_seeds(lead), len(lead)))  # fmt: skip


def _little(both: Sequence[Floats], large: Sequence[Floats]) -> Finding:
    lead, title = _lead(both, large), "co-evolution adds little: HOF2Pop minus LargeHOF"
    mean, ci95 = estimate(lead)
    regions = verdicts.within(0.0, _margin(title))
    return Finding("section 5", title, published=round(PRINTED["HOF2Pop"] - PRINTED["LargeHOF"], 3), measured=mean,
                   ci95=ci95, over=_seeds(lead), verdict=verdicts.judge(regions, over_seeds(lead)),
                   reason=f"little is up to {_margin(title)} places either way",
                   needed=verdicts.runs_needed(regions, over_seeds(lead), len(lead)))  # fmt: skip


def _closer_to_folder(seatings: Mapping[str, Sequence[Seating]]) -> Finding:
    folder, title = AGENTS.index("Folder"), "LargeHOF is closer to Folder's rank than Baseline: difference of gaps"
    gaps = [[seating.places[:, 0] - seating.places[:, folder] for seating in seatings[name]]
            for name in ("LargeHOF", "Baseline")]  # fmt: skip
    lead = _lead(*gaps)
    mean, ci95 = estimate(lead)
    regions = verdicts.below(_margin(title))
    return Finding("section 5", title, published="much closer", measured=mean, ci95=ci95, over=_seeds(lead),
                   verdict=verdicts.judge(regions, over_seeds(lead)),
                   needed=verdicts.runs_needed(regions, over_seeds(lead), len(lead)))  # fmt: skip


def _all_different(seatings: Mapping[str, Sequence[Seating]]) -> Finding:
    """The document's t-tests: would 100,000 tables show a difference between any two agents at every table?"""
    pairs, surely, perhaps = [], [], []
    for name, rows in seatings.items():
        for number, seating in enumerate(rows):
            for one, two in combinations(range(len(AGENTS)), 2):
                pairs.append(f"{name} {number}: {AGENTS[one]}, {AGENTS[two]}")
                found = effect_size(seating.places[:, one] - seating.places[:, two])
                found_so = verdicts.conclusion_of(verdicts.judge(verdicts.apart(SMALLEST_EFFECT), found))
                surely += pairs[-1:] if found_so is Conclusion.FOR else []
                perhaps += pairs[-1:] if found_so is Conclusion.OPEN else []
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


def _who_is_ahead(seatings: Mapping[str, Sequence[Seating]]) -> Iterator[Finding]:
    for control, expected in (("Baseline", {"Folder", "OldBest"}), ("LargeHOF", {"Folder"})):
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


def _show(context: Context, seatings: Mapping[str, Sequence[Seating]]) -> None:
    """Figure 7 again, and its numbers."""
    means = {name: np.mean([seating.means for seating in rows], axis=0) for name, rows in seatings.items()}
    figure = html.figure(11, 4.6)
    axes = figure.subplots()
    width = 0.8 / len(means)
    for number, (name, row) in enumerate(means.items()):
        at = np.arange(len(AGENTS)) + (number - (len(means) - 1) / 2) * width
        ends = [estimate([seating.places[:, k] for seating in seatings[name]])[1] for k in range(len(AGENTS))]
        bars = [0.0 if one is None else (one[1] - one[0]) / 2 for one in ends]
        axes.bar(at, row, width, yerr=bars, error_kw={"lw": 0.8, "ecolor": "#475467"}, label=name)
        axes.plot([at[0]], [PUBLISHED[name]], "k_", ms=9, mew=2, label="published" if number == 0 else None)
    axes.set_xticks(range(len(AGENTS)), AGENTS, fontsize=8)
    axes.set(ylabel="mean rank of 9 (1 is best)", ylim=(1, 9))
    html.legend_outside(figure, axes, 6)
    axes.spines[["top", "right"]].set_visible(False)
    caption = (
        "Mean ranks at each control's duplicate tables, as in the document's figure 7, with 95% intervals; its printed "
        "ranks are dashes."
    )
    context.picture("figure-7", figure, caption, {"agent": AGENTS, **means})
    for what, pick in (("win share", "wins"), ("mbb a hand", "mbb")):
        rows: list[list[str | float | None]] = [
            [name, *np.mean([getattr(seating, pick) for seating in seen], axis=0).tolist()]
            for name, seen in seatings.items()
        ]
        context.table(f"At the same tables: {what}", ["control", *AGENTS], rows)
    context.table("Mean ranks", ["control", *AGENTS], [[name, *row.tolist()] for name, row in means.items()])
