"""Findings from records of matches and tournaments: means with intervals, and significant differences.

A match declares its number of hands before play, so its intervals and tests are for that length (`fixed`); with
`--until-certain` they are valid at any stop. A series of tournaments can be extended at any time, so its intervals and
tests are always valid at any stop. Both kinds are in the findings. docs/statistics.md shows the coverage of each.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from cardwin.arena.match import MatchRecord
from cardwin.arena.payouts import prizes
from cardwin.arena.stakes import deal_bounds, difference_bounds
from cardwin.core.errors import InputError
from cardwin.stats.comparisons import Comparison, compare_all
from cardwin.stats.intervals import (
    METHODS,
    Bounds,
    Estimate,
    Intervals,
    Sample,
    blocked,
    bounded_mean,
    dependent_intervals,
    exact_intervals,
    intervals_of,
)
from cardwin.stats.planning import MOST_DEALS, HandsNeeded, deals_enough, hands_needed

if TYPE_CHECKING:
    from cardwin.arena.tournament import TournamentRecord

PILOT = 2_000  # hands of a pilot
MOST_COMPARED = 20  # players; with more, the list of pairs is too long to read
FINE_UNITS = ("small bets/h",)  # units shown with more decimals


def digits_of(unit: str) -> int:
    """The number of decimals for a result in a unit."""
    return 3 if unit in FINE_UNITS else 1


@dataclass(frozen=True)
class MatchFindings:
    """The intervals of every player, those that as many independent hands would give, and all pairs.

    `enough` is the number of deals from which the bounds hardly widen the interval of the player with the widest one.
    """

    intervals: tuple[Intervals, ...]
    plain: tuple[Intervals, ...]
    tests: tuple[Comparison, ...]
    enough: int = 0

    @property
    def players(self) -> tuple[Estimate, ...]:
        """The estimate of every player, with the interval that is shown."""
        return tuple(one.shown for one in self.intervals)

    @property
    def independent(self) -> tuple[Estimate, ...]:
        """The estimate of every player as if all hands were independent and not adjusted."""
        return tuple(one.shown for one in self.plain)

    @property
    def saving(self) -> float | None:
        """How many times more independent hands the same intervals would need, averaged over players.

        This is the squared ratio of the half-widths of the intervals that are shown. Duplicates have fewer deals, and
        with few deals the results that did not occur dominate the interval, so it can be below 1.
        """
        return _saving(self.players, self.independent)

    @property
    def saving_approximate(self) -> float | None:
        """The same for the approximate intervals, which is the ratio of the variances."""
        return _saving([one.approximate for one in self.intervals], [one.approximate for one in self.plain])

    @property
    def method(self) -> str:
        """The method of the intervals, in one sentence."""
        return METHODS[self.players[0].method]


def _saving(ours: Sequence[Estimate], plain: Sequence[Estimate]) -> float | None:
    ratios = [
        (theirs.ci95 / our.ci95) ** 2
        for our, theirs in zip(ours, plain, strict=True)
        if our.ci95 > 0 and math.isfinite(our.ci95)
    ]
    return sum(ratios) / len(ratios) if ratios else None


def means_of(values: Sample, bounds: Bounds, per_unit: float = 1.0, *, any_stop: bool = False) -> tuple[Estimate, ...]:
    """The estimate of every column of values (n, players)."""
    return tuple(
        bounded_mean(values[:, place], bounds, per_unit, any_stop=any_stop) for place in range(values.shape[1])
    )


def all_intervals(values: Sample, bounds: Bounds, per_unit: float = 1.0, *, any_stop: bool) -> tuple[Intervals, ...]:
    """The intervals of every column of values (n, players)."""
    return tuple(
        intervals_of(values[:, place], bounds, per_unit, any_stop=any_stop) for place in range(values.shape[1])
    )


def judge_match(record: MatchRecord) -> MatchFindings:
    """Means over blocks of one deal, in the game's unit."""
    unit, values, seats = record.game.chips_per_unit, record.by_deal, len(record.specs)
    any_stop = record.certain is not None
    if record.options.stacks != "reset":
        carried = tuple(dependent_intervals(values[:, place], unit) for place in range(seats))
        return MatchFindings(carried, carried, ())
    low, high = deal_bounds(record.game, seats)
    bounds = low - record.moved, high + record.moved
    if len(set(record.specs)) == 1 and not values.any():
        players = tuple(exact_intervals(0.0, len(values)) for _ in record.specs)  # identical in every seat
    else:
        players = all_intervals(values, bounds, unit, any_stop=any_stop)
    least, most = difference_bounds(record.game, seats)
    differences = least - 2 * record.moved, most + 2 * record.moved
    plainly = record.summed == 1 and (record.per_deal > 1 or len(record.adjusted))
    return MatchFindings(
        players,
        all_intervals(record.chips, (low, high), unit, any_stop=any_stop) if plainly else players,
        tuple(compare_all(values, differences, unit, any_stop=any_stop)) if seats <= MOST_COMPARED else (),
        max(deals_enough(values[:, place], bounds) for place in range(seats))
        * max(1, record.summed // record.per_deal),
    )


@dataclass(frozen=True)
class MatchPlan:
    """For every pair of players the deals needed to find a margin, which is in the game's unit."""

    margin: float
    pairs: dict[tuple[int, int], HandsNeeded]


def plan_match(pilot: MatchRecord, margin: float | None = None) -> MatchPlan:
    """How many deals tell the players of a pilot apart by a margin: that of their means, a tenth of a blind if none."""
    margin = pilot.game.least_bet / 10 / pilot.game.chips_per_unit if margin is None else margin
    if not 0 < margin < math.inf:
        raise InputError(f"a margin of {margin}: more than 0 is needed")
    values, seats = pilot.by_deal, len(pilot.specs)
    pairs = list(combinations(range(seats), 2))
    bounds = difference_bounds(pilot.game, seats)
    needed = {
        (first, second): hands_needed(values[:, first] - values[:, second], bounds,
                                      margin * pilot.game.chips_per_unit, len(pairs))
        for first, second in pairs
    }  # fmt: skip
    if any(one.fixed >= MOST_DEALS or one.until_certain >= MOST_DEALS for one in needed.values()):
        raise InputError(f"a margin of {margin:g} would need more than {MOST_DEALS:,} deals: choose a larger one")
    return MatchPlan(margin, needed)


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
        return _saving([one.rank for one in self.players], [one.independent for one in self.players])

    @property
    def method(self) -> str:
        """The method of the intervals, in one sentence."""
        return METHODS[self.players[0].rank.method]


def judge_tournaments(record: "TournamentRecord", payouts: Sequence[float] = ()) -> TournamentFindings:
    """Mean places, over blocks of one duplicate table; valid at any stop, since a series can be extended."""
    results, players = record.results, len(record.specs)
    places = blocked(results.place, record.per_table)
    between = (1.0, float(players))
    first = results.place == 1
    hands, won = results.hands.sum(axis=0), results.won.sum(axis=0)
    ranks = all_intervals(places, between, any_stop=True)
    shown = tuple(one.shown for one in ranks)
    independent = means_of(results.place, between, any_stop=True) if record.per_table > 1 else shown
    money: tuple[Estimate | None, ...] = (None,) * players
    if payouts:
        shares = blocked(prizes(results.place, results.chips, payouts) * players, record.per_table)
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
