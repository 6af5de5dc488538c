"""The result of tournaments: places with intervals, significant differences, prizes, JSON.

A series of tournaments can be extended at any time, so its intervals and tests are always valid at any stop.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cardwin.arena.payouts import prizes
from cardwin.arena.tournament import TournamentRecord
from cardwin.results.answers import (
    MOST_COMPARED,
    STATISTICS,
    all_intervals,
    conduct_answer,
    estimate_answer,
    finite,
    intervals_answer,
    means_of,
    saving,
    test_answer,
)
from cardwin.stats.comparisons import Comparison, compare_all
from cardwin.stats.intervals import METHODS, Estimate, Intervals, block_means


@dataclass(frozen=True)
class Standing:
    """The results of one player over all tournaments; `prize` is its mean share of the prizes, in entry fees.

    `independent` is the mean place as if no tournaments shared their cards.
    """

    intervals: Intervals
    independent: Estimate
    wins: int
    win_share: float
    mbb_per_hand: float
    prize: Estimate | None

    @property
    def rank(self) -> Estimate:
        """The mean place, with the interval that is shown."""
        return self.intervals.shown


@dataclass(frozen=True)
class TournamentFindings:
    """The standing of every player, and all pairs compared by place (lower is better)."""

    players: tuple[Standing, ...]
    tests: tuple[Comparison, ...]

    @property
    def saving(self) -> float | None:
        """How many times more independent tournaments the same intervals of places would need."""
        return saving([one.rank for one in self.players], [one.independent for one in self.players])

    @property
    def method(self) -> str:
        """The method of the intervals, in one sentence."""
        return METHODS[self.players[0].rank.method]


def judge_tournaments(record: TournamentRecord, payouts: Sequence[float] = ()) -> TournamentFindings:
    """Mean places, over blocks of one duplicate table; valid at any stop, since a series can be extended."""
    results, players = record.results, len(record.specs)
    places = block_means(results.place, record.per_table)
    between = (1.0, float(players))
    first = results.place == 1
    hands, won = results.hands.sum(axis=0), results.won.sum(axis=0)
    ranks = all_intervals(places, between, any_stop=True)
    shown = tuple(one.shown for one in ranks)
    independent = means_of(results.place, between, any_stop=True) if record.per_table > 1 else shown
    money: tuple[Estimate | None, ...] = (None,) * players
    if payouts:
        shares = block_means(prizes(results.place, results.chips, payouts) * players, record.per_table)
        money = means_of(shares, (0.0, float(players)), any_stop=True)
    standings = tuple(
        Standing(
            ranks[place],
            independent[place],
            int(first[:, place].sum()),
            float(first[:, place].mean()),
            float(won[place] / hands[place]) if hands[place] else 0.0,
            money[place],
        )
        for place in range(players)
    )
    few = players <= MOST_COMPARED
    reach = float(players - 1)
    return TournamentFindings(standings, tuple(compare_all(places, (-reach, reach), any_stop=True)) if few else ())


def tournament_answer(record: TournamentRecord, findings: TournamentFindings) -> dict[str, Any]:
    """Return a series of tournaments as JSON; `tables` are tournaments, or duplicate tables."""
    players = [
        {
            "spec": spec,
            "mean_rank": one.rank.mean,
            "ci95": finite(one.rank.ci95),
            "interval": [one.rank.low, one.rank.high],
            "intervals": intervals_answer(one.intervals),
            "ci95_independent": finite(one.independent.ci95),
            "wins": one.wins,
            "win_share": one.win_share,
            "mbb_per_hand": one.mbb_per_hand,
            "prize": None if one.prize is None else estimate_answer(one.prize),
            **conduct_answer(record.report, place),
        }
        for place, (spec, one) in enumerate(zip(record.specs, findings.players, strict=True))
    ]
    return {
        "game": record.game.name,
        "tables": len(record.results.place) // record.per_table,
        "tournaments": len(record.results.place),
        "per_table": record.per_table,
        "players": players,
        "saving": findings.saving,
        "tests": [test_answer(record.specs, test) for test in findings.tests],
        "method": findings.method,
        "statistics": STATISTICS,
        "faults": [str(fault) for fault in record.report.first],
        "late": len(record.report.late),
        "digest": record.digest,
    }
