"""The result of tournaments: places with intervals, significant differences, prizes, JSON.

A series of tournaments can be extended at any time, so its guaranteed intervals and tests are valid at any stop.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cardwin.arena.payouts import prizes
from cardwin.arena.tournament import TournamentRecord
from cardwin.results.answers import (
    MAX_COMPARED,
    STATISTICS,
    all_intervals,
    conduct_answer,
    estimate_answer,
    finite,
    means_of,
    saving,
    shown_answer,
    test_answer,
)
from cardwin.stats.comparisons import Comparison, compare_all
from cardwin.stats.headline import METHOD, Intervals
from cardwin.stats.intervals import Estimate, block_means


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
        """The factor by which more independent tournaments would be needed for the same intervals of places."""
        return saving([player.rank for player in self.players], [player.independent for player in self.players])


def judge_tournaments(record: TournamentRecord, payouts: Sequence[float] = ()) -> TournamentFindings:
    """Return mean places over blocks of one duplicate table, valid at any stop since a series can be extended."""
    results, players = record.results, len(record.specs)
    places = block_means(results.ranks, record.per_table)
    between = (1.0, float(players))
    first = results.ranks == 1
    hands, won = results.hands.sum(axis=0), results.won.sum(axis=0)
    ranks = all_intervals(places, between, any_stop=True)
    alone = all_intervals(results.ranks, between, any_stop=True) if record.per_table > 1 else ranks
    independent = tuple(rank.shown for rank in alone)
    money: tuple[Estimate | None, ...] = (None,) * players
    if payouts:
        shares = block_means(prizes(results.ranks, results.chips, payouts) * players, record.per_table)
        money = means_of(shares, (0.0, float(players)), any_stop=True)
    standings = tuple(
        Standing(
            ranks[player_id],
            independent[player_id],
            int(first[:, player_id].sum()),
            float(first[:, player_id].mean()),
            float(won[player_id] / hands[player_id]) if hands[player_id] else 0.0,
            money[player_id],
        )
        for player_id in range(players)
    )
    few = players <= MAX_COMPARED
    reach = float(players - 1)
    return TournamentFindings(standings, tuple(compare_all(places, (-reach, reach), any_stop=True)) if few else ())


def tournament_answer(record: TournamentRecord, findings: TournamentFindings) -> dict[str, Any]:
    """Return a series of tournaments as JSON; `tables` are tournaments, or duplicate tables."""
    players = [
        {
            "spec": spec,
            "mean_rank": standing.rank.mean,
            **{key: value for key, value in shown_answer(standing.intervals).items() if key != "mean"},
            "ci95_independent": finite(standing.independent.ci95),
            "wins": standing.wins,
            "win_share": standing.win_share,
            "mbb_per_hand": standing.mbb_per_hand,
            "prize": None if standing.prize is None else estimate_answer(standing.prize),
            **conduct_answer(record.report, player_id),
        }
        for player_id, (spec, standing) in enumerate(zip(record.specs, findings.players, strict=True))
    ]
    return {
        "game": record.game.name,
        "tables": len(record.results.ranks) // record.per_table,
        "tournaments": len(record.results.ranks),
        "per_table": record.per_table,
        "players": players,
        "saving": findings.saving,
        "tests": [test_answer(record.specs, test) for test in findings.tests],
        "method": METHOD,
        "statistics": STATISTICS,
        "faults": [str(fault) for fault in record.report.first],
        "late": len(record.report.late),
        "digest": record.digest,
    }
