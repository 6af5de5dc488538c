"""Intervals from bounds: known ones where there are some, and coverage where there are none."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of, key_of
from cardwin.stats import bounded as bounded_module
from cardwin.stats.bounded import MAX_VALUES, any_stop_interval, bounded, fixed_interval, fixed_p, log_e_value
from cardwin.stats.comparisons import compare_all, hands_needed, holm, is_order_decided
from cardwin.stats.intervals import bounded_mean, exact_estimate

STAKES = (-100.0, 100.0)


def pots(draw: np.random.Generator, n: int, mean: float = 0.0) -> Floats:
    """Hands of two players with 100 blinds: mostly small, three in a hundred for everything."""
    small = draw.choice([-3.0, -1.0, -0.5, 0.5, 1.0, 3.0], n)
    large = np.where(draw.random(n) < 0.5 + mean / 6, 100.0, -100.0)
    return np.where(draw.random(n) < 0.03, large, small)


@pytest.mark.parametrize(("n", "wins"), [(20, 0), (20, 3), (100, 50), (1000, 7), (40, 40)])
def test_zeros_and_ones_have_clopper_and_pearsons_interval(n: int, wins: int) -> None:
    sample = bounded(np.repeat([1, 0], [wins, n - wins]), 0, 1)
    low, high = fixed_interval(sample)
    theirs = scipy_stats.binomtest(wins, n).proportion_ci(method="exact")
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=1e-3)
    assert fixed_p(sample, low) == pytest.approx(0.05 if wins else 1, abs=1e-3)


def test_the_saddlepoint_is_the_randomly_weighted_mean() -> None:
    draw = generator_of(key_of(1, "weights"))
    values = pots(draw, 30)
    weights = draw.exponential(size=(200_000, 31))
    means = (weights @ np.append(values, 100.0)) / weights.sum(axis=1)
    assert fixed_interval(bounded(values, *STAKES))[1] == pytest.approx(np.quantile(means, 0.975), rel=0.01)


def test_large_samples_have_the_usual_interval() -> None:
    sample = generator_of(2).normal(3, 10, 20_000).clip(-100, 100)
    ours = bounded_mean(sample, STAKES)
    theirs = scipy_stats.t.interval(0.95, len(sample) - 1, sample.mean(), scipy_stats.sem(sample))
    assert (ours.low, ours.high) == pytest.approx(theirs, abs=0.1 * (theirs[1] - theirs[0]))
    assert bounded_mean(sample, STAKES, 0.5).ci95 == pytest.approx(2 * ours.ci95)


def test_cells_change_next_to_nothing() -> None:
    sample = np.sort(generator_of(3).normal(0, 5, 3 * MAX_VALUES))
    few = bounded(sample, *STAKES)
    assert len(few.values) <= MAX_VALUES + 2
    assert few.mean == pytest.approx(sample.mean())
    assert few.counts.sum() == len(sample)
    spread = math.sqrt(float(few.counts @ (few.values - few.mean) ** 2) / few.n)
    assert spread == pytest.approx(sample.std(), rel=1e-5)


@pytest.mark.parametrize("n", [10, 40, 1000])
def test_the_fixed_interval_covers_what_students_misses(n: int) -> None:
    """Small wins and rare losses of everything: most short samples show no loss at all."""
    draw = generator_of(key_of(4, "coverage", n))
    misses, students = 0, 0
    for _ in range(200):
        values = np.where(draw.random(n) < 0.01, -100.0, draw.choice([0.5, 1.5], n))
        low, high = fixed_interval(bounded(values, *STAKES))
        misses += not low <= -0.01 <= high
        students += abs(values.mean() + 0.01) > 1.96 * values.std(ddof=1) / math.sqrt(n)
    assert misses <= 16  # 5% of 200 is 10
    if n <= 40:
        assert students > 100


def test_what_showed_no_spread_is_not_exact() -> None:
    fixed, stopped = (bounded_mean(np.full(12, -750.0), (-1e5, 1e5), any_stop=stop) for stop in (False, True))
    assert fixed.low < -895 < fixed.high
    assert stopped.ci95 > fixed.ci95 > 20_000
    assert exact_estimate(0.0, 5).ci95 == 0


def test_evidence_holds_at_any_stop() -> None:
    """Somebody who looks twenty-five times and stops at the best moment is wrong less often than one time in twenty."""
    draw = generator_of(key_of(5, "looks"))
    looks = np.unique(np.geomspace(10, 10_000, 25).astype(int))
    wrong = sum(
        any(log_e_value(bounded(values[:n], *STAKES)) > math.log(20) for n in looks)
        for values in (pots(draw, 10_000) for _ in range(60))
    )
    assert wrong <= 4
    values = pots(draw, 10_000, mean=1.5)
    low, high = any_stop_interval(bounded(values, *STAKES))
    assert 0 < low < 1.5 < high
    assert log_e_value(bounded(values, *STAKES), low) == pytest.approx(math.log(20), abs=1e-2)


def test_impossible_means_are_refuted_and_certain_ones_are_not() -> None:
    sample = bounded(np.array([1.0, 2.0]), 0, 3)
    assert fixed_p(sample, 4.0) == 0
    assert math.isinf(log_e_value(sample, -1.0))
    always = bounded(np.full(5, 2.0), 2, 2)
    assert fixed_interval(always) == (2, 2)
    assert (fixed_p(always, 2.0), log_e_value(always, 2.0)) == (1, 0)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.5]) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize("any_stop", [False, True])
def test_comparisons_find_the_real_difference_only(any_stop: bool) -> None:
    values = generator_of(3).normal(0, 1, (400, 3)) + np.array([0, 0, 1.0])
    found = {(one.first, one.second): one for one in compare_all(values, (-10, 10), any_stop=any_stop)}
    assert {pair: one.significant for pair, one in found.items()} == {(0, 1): False, (0, 2): True, (1, 2): True}
    assert found[0, 2].e_value > 60
    assert found[0, 2].high < 0
    assert found[0, 1].low < 0 < found[0, 1].high


def test_an_order_is_settled_for_all_pairs_or_not_at_all() -> None:
    values = generator_of(6).normal(0, 1, (2000, 3)) + np.array([0, 1.0, 2.0])
    assert is_order_decided(values, (-15, 15))
    assert not is_order_decided(values[:8], (-15, 15))
    assert not is_order_decided(values - np.array([0, 1.0, 1.0]), (-15, 15))


def test_a_plan_is_kept() -> None:
    """As many deals as a pilot asks for find the margin about nine times in ten, and not far fewer would."""
    draw = generator_of(key_of(7, "plan"))
    plan = hands_needed(pots(draw, 2000), STAKES, margin=1.0)

    def found(deals: int) -> int:
        return sum(fixed_p(bounded(pots(draw, deals, 1.0), *STAKES)) < 0.05 for _ in range(100))

    assert found(plan.fixed) >= 80
    assert found(plan.fixed // 2) < 85
    stopped = sum(log_e_value(bounded(pots(draw, plan.until_certain, 1.0), *STAKES)) > math.log(20) for _ in range(50))
    assert stopped >= 40
    assert hands_needed(pots(draw, 2000), STAKES, margin=0.5).fixed > 3 * plan.fixed


@pytest.mark.parametrize("n", [1, 2, 3, 10, 100])
@pytest.mark.parametrize("value", [-2.0, -1.0, 0.0, 2.0])
def test_numbers_that_are_all_alike_have_an_interval_too_also_on_a_bound(n: int, value: float) -> None:
    for any_stop in (False, True):
        found = bounded_mean(np.full(n, value), (-2.0, 2.0), any_stop=any_stop)
        assert -2.0 <= found.low <= value <= found.high <= 2.0
        assert found.high > found.low


def test_a_long_sample_is_counted_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = np.round(generator_of(key_of(1, "pieces")).normal(size=10_000), 2)
    whole = bounded_module.bounded(sample, -9.0, 9.0)
    monkeypatch.setattr(bounded_module, "CHUNK", 999)
    pieces = bounded_module.bounded(sample, -9.0, 9.0)
    assert (pieces.values == whole.values).all()
    assert (pieces.counts == whole.counts).all()
    assert pieces.n == whole.n == 10_000
