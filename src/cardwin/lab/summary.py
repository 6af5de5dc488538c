"""What records of matches and tournaments show: means with intervals, and who is better than whom."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cardwin.arena.match import MatchRecord
from cardwin.arena.payouts import prizes
from cardwin.arena.tournament import TournamentRecord
from cardwin.stats.comparisons import Comparison, compare_all
from cardwin.stats.intervals import Estimate, blocked, mean_interval

MOST_COMPARED = 20  # players; with more, all pairs say nothing that anybody could read


@dataclass(frozen=True)
class MatchFindings:
    """Of every player the estimate, and the one that as many independent hands would give; and all pairs."""

    players: tuple[Estimate, ...]
    independent: tuple[Estimate, ...]
    tests: tuple[Comparison, ...]

    @property
    def saving(self) -> float | None:
        """How many times more independent hands would be needed for the same intervals, on average over players."""
        return _saving(self.players, self.independent)


def _saving(ours: Sequence[Estimate], plain: Sequence[Estimate]) -> float | None:
    ratios = [
        (theirs.ci95 / our.ci95) ** 2
        for our, theirs in zip(ours, plain, strict=True)
        if our.ci95 > 0 and math.isfinite(our.ci95)
    ]
    return sum(ratios) / len(ratios) if ratios else None


def judge_match(record: MatchRecord) -> MatchFindings:
    """Means blocked by deal, in the game's unit."""
    unit, values = record.game.chips_per_unit, record.by_deal
    return MatchFindings(
        tuple(mean_interval(values[:, place], unit) for place in range(values.shape[1])),
        tuple(mean_interval(record.chips[:, place], unit) for place in range(values.shape[1])),
        tuple(compare_all(values, unit)) if values.shape[1] <= MOST_COMPARED else (),
    )


@dataclass(frozen=True)
class Standing:
    """How one player did over all tournaments; `prize` is its mean share of the prizes, in entry fees.

    `independent` is the mean place as if tournaments that share their cards did not.
    """

    rank: Estimate
    independent: Estimate
    wins: int
    win_share: float
    mbb_per_hand: float
    prize: Estimate | None


@dataclass(frozen=True)
class TournamentFindings:
    """Of every player the standing, and all pairs compared by place (fewer is better)."""

    players: tuple[Standing, ...]
    tests: tuple[Comparison, ...]

    @property
    def saving(self) -> float | None:
        """How many times more independent tournaments would be needed for the same intervals of places."""
        return _saving([one.rank for one in self.players], [one.independent for one in self.players])


def judge_tournaments(record: TournamentRecord, payouts: Sequence[float] = ()) -> TournamentFindings:
    """Mean places, blocked by duplicate table."""
    results, players = record.results, range(len(record.specs))
    places = blocked(results.place, record.per_table)
    first = results.place == 1
    hands, won = results.hands.sum(axis=0), results.won.sum(axis=0)
    money = blocked(prizes(results.place, results.chips, payouts) * len(players), record.per_table) if payouts else None
    standings = [
        Standing(
            mean_interval(places[:, place]),
            mean_interval(results.place[:, place]),
            int(first[:, place].sum()),
            float(first[:, place].mean()),
            float(won[place] / hands[place]) if hands[place] else 0.0,
            None if money is None else mean_interval(money[:, place]),
        )
        for place in players
    ]
    few = len(players) <= MOST_COMPARED
    return TournamentFindings(tuple(standings), tuple(compare_all(places)) if few else ())
