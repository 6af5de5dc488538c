"""The result of a match: means with intervals, significant differences, JSON, and how many hands a plan needs.

A match declares its number of hands before play, so its intervals and tests are for that length (`fixed`); with
`--until-certain` they are valid at any stop. Both kinds are in the findings. docs/statistics.md shows the coverage of
each.
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
    MOST_COMPARED,
    STATISTICS,
    all_intervals,
    conduct_answer,
    digits_of,
    estimate_answer,
    finite,
    intervals_answer,
    saving,
    test_answer,
)
from cardwin.stats.comparisons import (
    MAX_DEALS,
    POWER,
    Comparison,
    HandsNeeded,
    compare_all,
    hands_needed,
    sufficient_deals,
)
from cardwin.stats.intervals import METHODS, Estimate, Intervals, dependent_intervals, exact_intervals

PILOT = 2_000  # hands of a pilot


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
        return saving(self.players, self.independent)

    @property
    def saving_approximate(self) -> float | None:
        """The same for the approximate intervals, which is the ratio of the variances."""
        return saving([one.approximate for one in self.intervals], [one.approximate for one in self.plain])

    @property
    def method(self) -> str:
        """The method of the intervals, in one sentence."""
        return METHODS[self.players[0].method]


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
        max(sufficient_deals(values[:, place], bounds) for place in range(seats))
        * max(1, record.summed // record.per_deal),
    )


@dataclass(frozen=True)
class MatchPlan:
    """For every pair of players the deals needed to find a margin, which is in the game's unit."""

    margin: float
    pairs: dict[tuple[int, int], HandsNeeded]


def plan_match(pilot: MatchRecord, margin: float | None = None) -> MatchPlan:
    """How many deals tell the players of a pilot apart by a margin: that of their means, a tenth of a blind if none."""
    margin = pilot.game.min_bet / 10 / pilot.game.chips_per_unit if margin is None else margin
    if not 0 < margin < math.inf:
        raise InputError(f"a margin of {margin}: more than 0 is needed")
    values, seats = pilot.by_deal, len(pilot.specs)
    pairs = list(combinations(range(seats), 2))
    bounds = difference_bounds(pilot.game, seats)
    needed = {
        (first, second): hands_needed(
            values[:, first] - values[:, second], bounds, margin * pilot.game.chips_per_unit, len(pairs)
        )
        for first, second in pairs
    }
    if any(one.fixed >= MAX_DEALS or one.until_certain >= MAX_DEALS for one in needed.values()):
        raise InputError(f"a margin of {margin:g} would need more than {MAX_DEALS:,} deals: choose a larger one")
    return MatchPlan(margin, needed)


def match_answer(record: MatchRecord, findings: MatchFindings) -> dict[str, Any]:
    """Return a match."""
    players = [
        {
            "spec": spec,
            "seat_hands": record.hands,
            **estimate_answer(estimate),
            "unit": record.game.unit,
            "intervals": intervals_answer(intervals),
            "ci95_independent": finite(plain.ci95),
            **({"plain": estimate_answer(plain)} if len(record.adjusted) else {}),
            **conduct_answer(record.report, place),
        }
        for place, (spec, estimate, intervals, plain) in enumerate(
            zip(record.specs, findings.players, findings.intervals, findings.independent, strict=True)
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
    """How many hands would tell the players apart."""
    per_deal = record.per_deal
    pairs = [
        {
            "specs": [record.specs[first], record.specs[second]],
            "spread": need.spread / record.game.chips_per_unit,
            "hands": need.fixed * per_deal,
            "hands_until_certain": need.until_certain * per_deal,
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
        """The mean result of each player, a hand."""
        return tuple(one.mean for one in self.findings.players)

    @property
    def ci95(self) -> tuple[float, ...]:
        """The half-width of each mean's 95% interval."""
        return tuple(one.ci95 for one in self.findings.players)

    @property
    def unit(self) -> str:
        """The unit of the means, such as mbb/h."""
        return self.record.game.unit

    @property
    def hands(self) -> int:
        """How many hands were played."""
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
