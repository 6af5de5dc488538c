"""Parts that all results share: intervals of every player, and means, comparisons and faults as JSON."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from cardwin.arena.referee import Fault, Report
from cardwin.core.arrays import Floats
from cardwin.stats.comparisons import TESTS, Comparison
from cardwin.stats.headline import Diagnosis, Intervals, intervals_of
from cardwin.stats.intervals import METHODS, Bounds, Estimate, Sample, bounded_mean

MAX_COMPARED = 20  # players; with more, the list of pairs is too long to read
FINE_UNITS = ("small bets/h",)  # units shown with more decimals
STATISTICS = "docs/statistics.md"  # describes the methods and their coverage


def digits_of(unit: str) -> int:
    """Return the number of decimals that are shown for a result in a unit."""
    return 3 if unit in FINE_UNITS else 1


def finite(number: float) -> float | None:
    """Return the number, or None if it is not finite."""
    return number if math.isfinite(number) else None


def estimate_answer(estimate: Estimate) -> dict[str, Any]:
    """Return a mean with its interval as JSON."""
    return {
        "mean": estimate.mean,
        "ci95": finite(estimate.ci95),
        "interval": [finite(estimate.low), finite(estimate.high)],
        "method": estimate.method,
    }


def estimate_in(answer: dict[str, Any]) -> Estimate:
    """Return the mean that `estimate_answer` wrote, without its sample size."""
    (low, high), half = answer["interval"], answer["ci95"]
    ends = (-math.inf if low is None else low), (math.inf if high is None else high)
    return Estimate(answer["mean"], math.inf if half is None else half, *ends, 0, answer["method"])


def intervals_answer(intervals: Intervals) -> dict[str, Any]:
    """Return all intervals of a mean as JSON, with the method of the shown one.

    The guaranteed one that applies and the minimum half-width of any guaranteed one stand beside it.
    """
    return {
        "shown": intervals.shown.method,
        "guaranteed": intervals.guaranteed.method,
        "fixed": estimate_answer(intervals.fixed),
        "any_stop": estimate_answer(intervals.any_stop),
        "approximate": estimate_answer(intervals.approximate) | {"about": METHODS[intervals.approximate.method]},
        "floor": finite(intervals.floor),
    }


def diagnosis_answer(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return as JSON whether the sample supports the interval that is shown."""
    return {
        "supported": diagnosis.supported,
        "reason": diagnosis.reason,
        "skew": diagnosis.skew,
        "effective": finite(diagnosis.effective),
        "unseen": diagnosis.unseen,
        "enough": diagnosis.enough,
    }


def diagnosis_in(answer: dict[str, Any]) -> Diagnosis:
    """Return the diagnosis that `diagnosis_answer` wrote."""
    effective = math.inf if answer["effective"] is None else answer["effective"]
    return Diagnosis(answer["reason"], answer["skew"], effective, answer["unseen"], answer["enough"])


def shown_answer(intervals: Intervals) -> dict[str, Any]:
    """Return the interval that is shown as JSON, with its diagnosis and all the others."""
    return {
        **estimate_answer(intervals.shown),
        "diagnosis": diagnosis_answer(intervals.diagnosis),
        "intervals": intervals_answer(intervals),
    }


def intervals_in(answer: dict[str, Any]) -> Intervals:
    """Return the intervals that `shown_answer` wrote, without their sample sizes."""
    kinds = answer["intervals"]
    return Intervals(
        estimate_in(answer),
        diagnosis_in(answer["diagnosis"]),
        estimate_in(kinds["fixed"]),
        estimate_in(kinds["any_stop"]),
        estimate_in(kinds["approximate"]),
        math.inf if kinds["floor"] is None else kinds["floor"],
        kinds["guaranteed"] == "any stop",
    )


def test_answer(specs: Sequence[str], test: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON, with seats from 1."""
    return {
        "first": test.first + 1,
        "second": test.second + 1,
        "specs": [specs[test.first], specs[test.second]],
        "difference": test.difference,
        "ci95": finite(test.ci95),
        "interval": [finite(test.low), finite(test.high)],
        "p": test.p,
        "p_corrected": test.corrected,
        "e_value": test.e_value,
        "significant": test.significant,
        "n": test.n,
        "method": test.method,
        "test": test.test,
        "p_fixed": test.p_fixed,
        "p_any_stop": test.p_any_stop,
        "approximate": {"test": TESTS["t"], "p": test.p_approximate},
    }


def test_in(specs: Sequence[str], answer: dict[str, Any]) -> Comparison:
    """Return the comparison that `test_answer` wrote, of two of these players."""
    (low, high), half = answer["interval"], answer["ci95"]
    unchanged = "difference", "p", "e_value", "n", "method", "p_fixed", "p_any_stop"
    return Comparison(
        first=specs.index(answer["specs"][0]),
        second=specs.index(answer["specs"][1]),
        ci95=math.inf if half is None else half,
        low=-math.inf if low is None else low,
        high=math.inf if high is None else high,
        corrected=answer["p_corrected"],
        p_approximate=answer["approximate"]["p"],
        **{name: answer[name] for name in unchanged},
    )


def conduct_answer(report: Report, player_id: int) -> dict[str, Any]:
    """Return a player's faults as JSON, and an untrusted player's mean time per decision."""
    if not report.faults:
        return {"faults": 0, "disqualified": False}
    took = report.milliseconds(player_id)
    timed = {} if took is None else {"milliseconds": round(took, 3)}
    forfeit = {"forfeit": report.forfeit(player_id)} if report.forfeit(player_id) else {}
    return {"faults": report.faults[player_id], "disqualified": report.disqualified[player_id], **timed, **forfeit}


def saving(ours: Sequence[Estimate], plain: Sequence[Estimate]) -> float | None:
    """Return how many times more independent samples the plain intervals would need, the mean over players."""
    ratios = [
        (theirs.ci95 / our.ci95) ** 2
        for our, theirs in zip(ours, plain, strict=True)
        if our.ci95 > 0 and math.isfinite(our.ci95)
    ]
    return sum(ratios) / len(ratios) if ratios else None


def means_of(values: Sample, bounds: Bounds, per_unit: float = 1.0, *, any_stop: bool = False) -> tuple[Estimate, ...]:
    """Return the estimate of every column of values (n, players)."""
    return tuple(
        bounded_mean(values[:, column], bounds, per_unit, any_stop=any_stop) for column in range(values.shape[1])
    )


def all_intervals(
    values: Sample,
    bounds: Bounds,
    per_unit: float = 1.0,
    stakes: Floats | None = None,
    *,
    any_stop: bool,
    stopped: bool = False,
) -> tuple[Intervals, ...]:
    """Return the intervals of every column of values (n, players), as `intervals_of` does."""
    return tuple(
        intervals_of(values[:, column], bounds, per_unit, stakes, any_stop=any_stop, stopped=stopped)
        for column in range(values.shape[1])
    )


def report_text(report: Report) -> str:
    """Return a referee's report as JSON."""
    late = sorted(report.late)
    first = [asdict(fault) for fault in report.first]
    return json.dumps(
        [
            *(report.faults, report.disqualified, first, late),
            *(report.restarts, report.decisions, report.seconds, report.forfeits),
        ]
    )


def report_of(text: str) -> Report:
    """Return the referee's report that `report_text` wrote."""
    faults, disqualified, first, late, *counts = json.loads(text)  # earlier versions had fewer
    return Report(
        tuple(faults),
        tuple(disqualified),
        tuple(Fault(**fault) for fault in first),
        frozenset((int(tournament), int(hand)) for tournament, hand in late),
        *map(tuple, counts),
    )
