"""A champion's duplicate tables: places, wins and chips, and intervals of means over seeds or tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.arena.tournament import TournamentOptions, tournament
from cardwin.core.arrays import Floats
from cardwin.games.holdem.game import holdem_game
from cardwin.papers import Context
from cardwin.papers.nicolai.controls import BENCHMARKS, CONTROLS, STATIC, champion_names, size_of
from cardwin.papers.register import register
from cardwin.papers.sample import Spread, spread
from cardwin.stats.intervals import block_means, mean_interval

AGENTS = ("Control", *BENCHMARKS)
ROWS = register(__package__)
PUBLISHED = {name: float(ROWS.of(f"{name}, mean rank of 9").published or 0)
             for control in CONTROLS.items() for name in champion_names(*control)}  # fmt: skip
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
    game, players, options = holdem_game("holdem-nl", {}), [spec, *others.values()], TournamentOptions(duplicate=True)
    record = tournament(game, players, size_of(context).tables, seed, context.workers, options)
    results = record.results
    return Seating(
        block_means(results.ranks, record.per_table),
        (results.ranks == 1).mean(axis=0),
        results.won.sum(axis=0) / np.maximum(results.hands.sum(axis=0), 1),
    )


def estimate(sample: Sequence[Floats]) -> tuple[float, tuple[float, float] | None]:
    """The mean of values by table (tables,) for each seed, and its interval: over seeds, or tables if there is one."""
    if len(sample) > 1:
        found = spread([float(one.mean()) for one in sample])
        return found.mean, found.ci95
    within = mean_interval(sample[0])
    return within.mean, (within.low, within.high)


def over_seeds(sample: Sequence[Floats]) -> Spread:
    """Return the mean over seeds with its interval, by which a way to evolve is judged; none for one seed."""
    return spread([float(one.mean()) for one in sample])


def over(seatings: Sequence[Seating]) -> str:
    """What the intervals are over."""
    return f"{len(seatings)} seeds" if len(seatings) > 1 else f"{len(seatings[0].places):,} tables, one seed"
