"""Duplicate tables of a champion with the benchmarks: places, wins and chips, and means over seeds or tables."""

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
PUBLISHED = {
    name: float(ROWS.of(f"{name}, mean rank of 9").published or 0)
    for control in CONTROLS.items()
    for name in champion_names(*control)
}
FOLDER = STATIC["Folder"]


@dataclass(frozen=True)
class Seating:
    """The duplicate tables of one champion, which has the first of the nine columns.

    Attributes:
        places: Mean places by table, (tables, 9).
        wins: The share of tournaments won, (9,).
        mbb: Thousandths of big blinds per hand, (9,).

    """

    places: Floats
    wins: Floats
    mbb: Floats

    @property
    def means(self) -> Floats:
        """The mean ranks, (9,)."""
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


def estimate(values: Sequence[Floats]) -> tuple[float, tuple[float, float] | None]:
    """Return the mean of values by table with its interval.

    Args:
        values: For each seed its values by table, (tables,).

    Returns:
        The mean, and its interval over seeds, or over tables if there is only one seed.

    """
    if len(values) > 1:
        seeds = over_seeds(values)
        return seeds.mean, seeds.ci95
    tables = mean_interval(values[0])
    return tables.mean, (tables.low, tables.high)


def over_seeds(values: Sequence[Floats]) -> Spread:
    """Return the mean over seeds with its interval, by which a way to evolve is judged; one seed has none."""
    return spread([float(by_table.mean()) for by_table in values])


def over(seatings: Sequence[Seating]) -> str:
    """Return what the intervals are over, in words."""
    return f"{len(seatings)} seeds" if len(seatings) > 1 else f"{len(seatings[0].places):,} tables, one seed"
