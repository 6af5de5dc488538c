"""Results as JSON: means, comparisons, faults, standings. Players count from 1."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from cardwin.arena.match import MatchRecord
from cardwin.arena.referee import Fault, Report
from cardwin.results.findings import MatchFindings, MatchPlan
from cardwin.stats.comparisons import TESTS, Comparison
from cardwin.stats.intervals import METHODS, Estimate, Intervals
from cardwin.stats.planning import POWER

STATISTICS = "docs/statistics.md"  # describes the methods and their coverage


def finite(number: float) -> float | None:
    """The number, or None if it is not finite."""
    return number if math.isfinite(number) else None


def estimate_answer(estimate: Estimate) -> dict[str, Any]:
    """A mean."""
    return {
        "mean": estimate.mean, "ci95": finite(estimate.ci95),
        "interval": [finite(estimate.low), finite(estimate.high)], "method": estimate.method,
    }  # fmt: skip


def intervals_answer(intervals: Intervals) -> dict[str, Any]:
    """Every interval of a mean, which of them is the one shown, and the least half-width that a valid one can have."""
    return {
        "shown": intervals.shown.method,
        "fixed": estimate_answer(intervals.fixed),
        "any_stop": estimate_answer(intervals.any_stop),
        "approximate": estimate_answer(intervals.approximate) | {"about": METHODS[intervals.approximate.method]},
        "floor": finite(intervals.floor),
    }


def test_answer(specs: Sequence[str], test: Comparison) -> dict[str, Any]:
    """A comparison."""
    return {
        "first": test.first + 1, "second": test.second + 1, "specs": [specs[test.first], specs[test.second]],
        "difference": test.difference, "ci95": finite(test.ci95), "interval": [finite(test.low), finite(test.high)],
        "p": test.p, "p_corrected": test.corrected, "e_value": test.e_value, "significant": test.significant,
        "n": test.n, "method": test.method, "test": test.test, "p_fixed": test.p_fixed, "p_any_stop": test.p_any_stop,
        "approximate": {"test": TESTS["t"], "p": test.p_approximate},
    }  # fmt: skip


def conduct_answer(report: Report, place: int) -> dict[str, Any]:
    """One player's faults, and an untrusted player's mean time for a decision."""
    if not report.faults:
        return {"faults": 0, "disqualified": False}
    took = report.milliseconds(place)
    timed = {} if took is None else {"milliseconds": round(took, 3)}
    return {"faults": report.faults[place], "disqualified": report.disqualified[place], **timed}


def match_answer(record: MatchRecord, findings: MatchFindings) -> dict[str, Any]:
    """A match."""
    players = [
        {"spec": spec, "seat_hands": record.hands, **estimate_answer(estimate), "unit": record.game.unit,
         "intervals": intervals_answer(intervals), "ci95_independent": finite(plain.ci95),
         **({"plain": estimate_answer(plain)} if len(record.adjusted) else {}),
         **conduct_answer(record.report, place)}
        for place, (spec, estimate, intervals, plain) in enumerate(
            zip(record.specs, findings.players, findings.intervals, findings.independent, strict=True))
    ]  # fmt: skip
    reduced = {"method": "AIVAT", "value_function": record.value_function, "pilot_hands": record.pilot,
               "bound": record.moved / record.game.chips_per_unit}  # fmt: skip
    return {
        "game": record.game.name, "hands": record.hands, "seed": record.seed, "players": players,
        **({"variance_reduction": reduced} if record.value_function else {}),
        "tests": [test_answer(record.specs, test) for test in findings.tests], "deals": record.deals,
        "per_deal": record.per_deal, "seating": record.options.seating, "saving": findings.saving,
        "saving_approximate": findings.saving_approximate, "certain": record.certain,
        "method": findings.method, "statistics": STATISTICS, "deals_enough": findings.enough,
        "faults": [str(fault) for fault in record.report.first], "digest": record.digest,
    }  # fmt: skip


def plan_answer(record: MatchRecord, plan: MatchPlan) -> dict[str, Any]:
    """How many hands would tell the players apart."""
    per_deal = record.per_deal
    pairs = [
        {"specs": [record.specs[first], record.specs[second]], "spread": need.spread / record.game.chips_per_unit,
         "hands": need.fixed * per_deal, "hands_until_certain": need.until_certain * per_deal}
        for (first, second), need in plan.pairs.items()
    ]  # fmt: skip
    return {
        "game": record.game.name, "seed": record.seed, "pilot_hands": len(record.chips), "margin": plan.margin,
        "unit": record.game.unit, "power": POWER, "pairs": pairs, "statistics": STATISTICS,
    }  # fmt: skip


def report_text(report: Report) -> str:
    """A referee's report as JSON."""
    late = sorted(report.late)
    first = [asdict(fault) for fault in report.first]
    return json.dumps(
        [report.faults, report.disqualified, first, late, report.restarts, report.decisions, report.seconds]
    )


def report_of(text: str) -> Report:
    """The referee's report that `report_text` wrote."""
    faults, disqualified, first, late, *counts = json.loads(text)  # earlier versions had fewer
    return Report(
        tuple(faults),
        tuple(disqualified),
        tuple(Fault(**fault) for fault in first),
        frozenset((int(tournament), int(hand)) for tournament, hand in late),
        *(tuple(one) for one in counts),
    )
