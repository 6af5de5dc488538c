"""The result of a match: means with intervals, significant differences, JSON, and how many hands a plan needs.

The interval that is printed first is that of the sample, if its diagnosis supports it (`stats.headline`). Tests and
the guaranteed interval beside it are for a length declared before play (`fixed`), with `--until-certain` for any stop.
docs/statistics.md shows the coverage of each.
"""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from cardwin.arena.match import MatchRecord
from cardwin.arena.stakes import deal_bounds, difference_bounds
from cardwin.core.display import html_table, seed_text
from cardwin.core.errors import InputError
from cardwin.results.answers import (
    MAX_COMPARED,
    STATISTICS,
    all_intervals,
    conduct_answer,
    digits_of,
    estimate_answer,
    finite,
    saving,
    shown_answer,
    test_answer,
)
from cardwin.stats.comparisons import (
    MAX_DEALS,
    POWER,
    Comparison,
    HandsNeeded,
    compare_all,
    hands_needed,
)
from cardwin.stats.headline import Intervals, deals_for, dependent_intervals, exact_intervals
from cardwin.stats.intervals import METHODS, Estimate

PILOT = 2_000  # hands of a pilot


@dataclass(frozen=True)
class MatchFindings:
    """The intervals of every player, those of the same number of independent hands, and all pairs.

    `enough` is the number of deals from which on every sample would support its interval; 0 if all do.
    """

    intervals: tuple[Intervals, ...]
    plain: tuple[Intervals, ...]
    tests: tuple[Comparison, ...]
    enough: int = 0

    @property
    def players(self) -> tuple[Estimate, ...]:
        """The estimate of every player, with the interval that is shown."""
        return tuple(player.shown for player in self.intervals)

    @property
    def independent(self) -> tuple[Estimate, ...]:
        """The estimate of every player as if all hands were independent and not adjusted."""
        return tuple(player.shown for player in self.plain)

    @property
    def saving(self) -> float | None:
        """The factor by which more independent hands would be needed for the same intervals, averaged over players.

        This is the squared ratio of the half-widths of the intervals that are shown. Duplicates have fewer deals, and
        with few deals the results that did not occur dominate the interval, so it can be below 1.
        """
        return saving(self.players, self.independent)

    @property
    def saving_approximate(self) -> float | None:
        """The same factor for the approximate intervals, which is the ratio of the variances."""
        return saving([player.approximate for player in self.intervals], [player.approximate for player in self.plain])

    @property
    def method(self) -> str:
        """The method of the intervals, in one sentence."""
        return METHODS[self.players[0].method]


def judge_match(record: MatchRecord) -> MatchFindings:
    """Return the findings of a match: means over blocks of one deal, in the game's unit."""
    unit, values, seats = record.game.chips_per_unit, record.by_deal, len(record.specs)
    any_stop = record.certain is not None
    if record.options.stacks != "reset":
        carried = tuple(dependent_intervals(values[:, player_id], unit) for player_id in range(seats))
        return MatchFindings(carried, carried, ())
    low, high = deal_bounds(record.game, seats)
    bounds = low - record.moved, high + record.moved
    if len(set(record.specs)) == 1 and not values.any():
        players = tuple(exact_intervals(0.0, len(values)) for _ in record.specs)  # identical in every seat
    else:
        players = all_intervals(values, bounds, unit, record.at_stake, any_stop=any_stop, stopped=any_stop)
    lower, upper = difference_bounds(record.game, seats)
    differences = lower - 2 * record.moved, upper + 2 * record.moved
    plainly = record.summed == 1 and (record.per_deal > 1 or len(record.adjusted))
    plain = players
    if plainly:
        plain = all_intervals(record.chips, (low, high), unit, record.stakes, any_stop=any_stop, stopped=any_stop)
    return MatchFindings(
        players,
        plain,
        tuple(compare_all(values, differences, unit, any_stop=any_stop)) if seats <= MAX_COMPARED else (),
        max(player.diagnosis.enough for player in players) * max(1, record.summed // record.per_deal),
    )


@dataclass(frozen=True)
class PairPlan:
    """The deals that a pair of players needs.

    With `deals` the printed interval of each has at most the margin as its half-width, in 9 of 10 matches. `certain`
    are those that make a difference of the margin significant.
    """

    deals: int
    certain: HandsNeeded


@dataclass(frozen=True)
class MatchPlan:
    """The plan of every pair of players for a margin, which is in the game's unit."""

    margin: float
    pairs: dict[tuple[int, int], PairPlan]


def plan_match(pilot: MatchRecord, margin: float | None = None) -> MatchPlan:
    """Return the number of deals after which the printed intervals have a half-width.

    Args:
        pilot: A short match.
        margin: The half-width, in the game's unit; a tenth of a big blind by default.

    Raises:
        InputError: If the margin is not positive, or would need too many deals.

    """
    margin = pilot.game.min_bet / 10 / pilot.game.chips_per_unit if margin is None else margin
    if not 0 < margin < math.inf:
        raise InputError(f"expected a margin above 0, got {margin}")
    values, seats, chips = pilot.by_deal, len(pilot.specs), margin * pilot.game.chips_per_unit
    pairs, (low, high) = list(combinations(range(seats), 2)), deal_bounds(pilot.game, seats)
    bounds, (lower, upper) = (low - pilot.moved, high + pilot.moved), difference_bounds(pilot.game, seats)
    deals = [deals_for(values[:, player], bounds, chips, pilot.at_stake) for player in range(seats)]
    needed = {
        (first, second): PairPlan(
            max(deals[first], deals[second]),
            hands_needed(
                values[:, first] - values[:, second],
                (lower - 2 * pilot.moved, upper + 2 * pilot.moved),
                chips,
                len(pairs),
            ),
        )
        for first, second in pairs
    }
    max_deals = max(max(need.deals, need.certain.fixed, need.certain.until_certain) for need in needed.values())
    if max_deals >= MAX_DEALS:
        raise InputError(f"a margin of {margin:g} would need more than {MAX_DEALS:,} deals: choose a larger one")
    return MatchPlan(margin, needed)


def match_answer(record: MatchRecord, findings: MatchFindings) -> dict[str, Any]:
    """Return a match as JSON."""
    players = [
        {
            "spec": spec,
            "seat_hands": record.hands,
            **shown_answer(intervals),
            "unit": record.game.unit,
            "ci95_independent": finite(plain.ci95),
            **({"plain": estimate_answer(plain)} if len(record.adjusted) else {}),
            **conduct_answer(record.report, number),
        }
        for number, (spec, intervals, plain) in enumerate(
            zip(record.specs, findings.intervals, findings.independent, strict=True)
        )
    ]
    reduced = {
        "method": "AIVAT",
        "value_function": record.value_function,
        "pilot_hands": record.pilot,
        "bound": record.moved / record.game.chips_per_unit,
    }
    return {
        "game": record.game.name,
        "hands": record.hands,
        "seed": record.seed,
        "players": players,
        **({"variance_reduction": reduced} if record.value_function else {}),
        "tests": [test_answer(record.specs, test) for test in findings.tests],
        "deals": record.deals,
        "per_deal": record.per_deal,
        "seating": record.options.seating,
        "saving": findings.saving,
        "saving_approximate": findings.saving_approximate,
        "certain": record.certain,
        "method": findings.method,
        "statistics": STATISTICS,
        "deals_enough": findings.enough,
        "faults": [str(fault) for fault in record.report.first],
        "digest": record.digest,
    }


def plan_answer(record: MatchRecord, plan: MatchPlan) -> dict[str, Any]:
    """Return the number of hands that distinguish the players, as JSON."""
    per_deal = record.per_deal
    pairs = [
        {
            "specs": [record.specs[first], record.specs[second]],
            "spread": need.certain.spread / record.game.chips_per_unit,
            "hands": need.deals * per_deal,
            "hands_certain": need.certain.fixed * per_deal,
            "hands_until_certain": need.certain.until_certain * per_deal,
        }
        for (first, second), need in plan.pairs.items()
    ]
    return {
        "game": record.game.name,
        "seed": record.seed,
        "pilot_hands": len(record.chips),
        "margin": plan.margin,
        "unit": record.game.unit,
        "power": POWER,
        "pairs": pairs,
        "statistics": STATISTICS,
    }


@dataclass(frozen=True, repr=False)
class MatchResult:
    """Means and intervals by player, in `unit`; `record` holds the chips of every hand, `findings` all comparisons."""

    record: MatchRecord
    findings: MatchFindings

    @property
    def players(self) -> tuple[str, ...]:
        """The players; the other tuples are in this order."""
        return tuple(self._name(spec) for spec in self.record.specs)

    @staticmethod
    def _name(spec: str) -> str:
        return spec.rpartition(":")[2].partition("@")[0] if spec.startswith("python:") else spec

    @property
    def mean(self) -> tuple[float, ...]:
        """The mean result of each player per hand."""
        return tuple(player.mean for player in self.findings.players)

    @property
    def ci95(self) -> tuple[float, ...]:
        """The half-width of each mean's 95% interval."""
        return tuple(player.ci95 for player in self.findings.players)

    @property
    def unit(self) -> str:
        """The unit of the means, such as mbb/h."""
        return self.record.game.unit

    @property
    def hands(self) -> int:
        """The number of hands played."""
        return self.record.hands

    @property
    def seed(self) -> int | None:
        """The seed that repeats the match; None if its cards came from secrets."""
        return self.record.seed

    @property
    def digest(self) -> str:
        """A hash of the chips of every hand: equal digests mean equal matches."""
        return self.record.digest

    @property
    def faults(self) -> tuple[str, ...]:
        """The first fault of each kind by the players, if any."""
        return tuple(map(str, self.record.report.first))

    def __repr__(self) -> str:
        wide, digits = max(map(len, self.players)), digits_of(self.unit)
        lines = [
            f"  {name:<{wide}} {mean:+12.{digits}f} ± {half:.{digits}f} {self.unit}"
            for name, mean, half in zip(self.players, self.mean, self.ci95, strict=True)
        ]
        return "\n".join([f"{self.hands:,} hands of {self.record.game.name}, {seed_text(self.seed)}, ± 95%", *lines])

    def _repr_html_(self) -> str:
        digits = digits_of(self.unit)
        rows = [
            (name, f"{mean:+.{digits}f}", f"± {half:.{digits}f}")
            for name, mean, half in zip(self.players, self.mean, self.ci95, strict=True)
        ]
        caption = f"{self.hands:,} hands of {self.record.game.name}, {seed_text(self.seed)}"
        return html_table(("player", self.unit, "95%"), rows, caption)
