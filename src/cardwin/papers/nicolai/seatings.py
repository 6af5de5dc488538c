"""A champion's duplicate tables: places, wins and chips, and intervals of means over seeds or tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.arena.tournament import tournament
from cardwin.games.holdem.game import holdem_game
from cardwin.papers import Context
from cardwin.papers.nicolai.controls import BENCHMARKS, STATIC, size_of
from cardwin.papers.register import register
from cardwin.papers.trials import spread
from cardwin.papers.verdicts import Interval
from cardwin.runs.problems.tournament.play import Floats
from cardwin.stats.intervals import blocked, mean_interval

AGENTS = ("Control", *BENCHMARKS)
PUBLISHED = {"Baseline": 4.73, "SmallHOF": 3.48, "LargeHOF": 2.85, "HOF2Pop red": 2.92, "HOF2Pop blue": 2.93}
PRINTED = {**PUBLISHED, "HOF2Pop": (PUBLISHED["HOF2Pop red"] + PUBLISHED["HOF2Pop blue"]) / 2}
FOLDER = STATIC["Folder"]


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


def sit(context: Context, spec: str, others: Mapping[str, str], number: int) -> Seating:
    """Play a player and the benchmarks at duplicate tables; all champions of a seed play the same decks."""
    seed = context.key("tables", number)
    record = tournament(
        holdem_game("holdem-nl", {}), [spec, *others.values()], size_of(context).tables, seed, context.workers,
        duplicate=True, limit=None,
    )  # fmt: skip
    results = record.results
    return Seating(
        blocked(results.place, record.per_table),
        (results.place == 1).mean(axis=0),
        results.won.sum(axis=0) / np.maximum(results.hands.sum(axis=0), 1),
    )


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


def over(seatings: Sequence[Seating]) -> str:
    """What the intervals are over."""
    return f"{len(seatings)} seeds" if len(seatings) > 1 else f"{len(seatings[0].places):,} tables, one seed"


def margin_of(name: str) -> float:
    """The margin of a claim in the register."""
    return register(__package__).margin(name)
