"""The interval that is printed first: Student's where the sample supports it, and the reason where it does not."""

import numpy as np
import pytest

from cardwin.arena.match import MatchOptions, match
from cardwin.core.rng import generator_of
from cardwin.games.holdem import holdem_game
from cardwin.results.match import judge_match
from cardwin.stats.headline import MIN_SAMPLE, intervals_of, profile_of
from cardwin.stats.intervals import bounded_mean

NL = holdem_game("holdem-nl", {})
STACKS = (-10_000.0, 10_000.0)


def test_small_stakes_support_students_interval_and_large_ones_do_not() -> None:
    results = generator_of(1).choice([-100.0, 100.0], 1_000)
    calm = intervals_of(results, STACKS, stakes=np.full(1_000, 100.0))
    assert calm.shown == calm.approximate
    assert calm.diagnosis.supported
    risky = intervals_of(results, STACKS, stakes=np.full(1_000, 10_000.0))
    assert risky.shown == risky.guaranteed
    assert "less than ten times" in risky.diagnosis.reason
    assert calm.shown.ci95 < risky.shown.ci95 / 4
    assert intervals_of(results, STACKS).shown == risky.shown  # unknown stakes


def test_the_largest_stakes_seen_bound_the_interval_of_an_unsupported_sample() -> None:
    results = np.zeros(500)
    stakes = np.full(500, 1_000.0)
    found = intervals_of(results, STACKS, stakes=stakes)
    assert found.shown.method == "stakes"
    assert found.shown.ci95 == pytest.approx(bounded_mean(results, (-1_000.0, 1_000.0)).ci95)
    extended = intervals_of(results, STACKS, stakes=stakes, any_stop=True)
    assert extended.shown.ci95 == pytest.approx(bounded_mean(results, (-1_000.0, 1_000.0), any_stop=True).ci95)


def test_few_results_stopped_results_and_skewed_ones_have_their_reason() -> None:
    draw = generator_of(2)
    results = draw.choice([-100.0, 100.0], 1_000)
    few = intervals_of(results[: MIN_SAMPLE - 1], STACKS, stakes=np.full(MIN_SAMPLE - 1, 100.0))
    assert "99 results are too few" in few.diagnosis.reason
    stopped = intervals_of(results, STACKS, stakes=np.full(1_000, 100.0), any_stop=True, stopped=True)
    assert stopped.shown == stopped.any_stop
    skewed = np.where(np.arange(1_000) < 12, 5_000.0, -20.0)
    found = intervals_of(skewed, STACKS, stakes=np.abs(skewed))
    assert "few large results" in found.diagnosis.reason
    assert found.diagnosis.effective == pytest.approx(12, rel=0.1)
    assert found.shown.ci95 > found.approximate.ci95


def test_moderate_skew_has_the_bootstrap() -> None:
    results = generator_of(3).exponential(100.0, 400)
    found = intervals_of(results, STACKS, stakes=results)
    assert found.shown.method == "bootstrap"
    assert found.shown.high - found.shown.mean > found.shown.mean - found.shown.low


def test_the_number_of_results_that_would_be_enough_is_enough() -> None:
    results, stakes = generator_of(4).choice([-100.0, 100.0], 1_000), np.full(1_000, 1_000.0)
    found = intervals_of(results, STACKS, stakes=stakes)
    enough = found.diagnosis.enough
    assert enough > 1_000
    more = generator_of(5).choice([-100.0, 100.0], enough + enough // 20)
    assert intervals_of(more, STACKS, stakes=np.full(len(more), 1_000.0)).diagnosis.supported


def test_the_expected_half_width_is_the_one_that_is_printed() -> None:
    draw = generator_of(6)
    for reach in (100.0, 3_000.0, 10_000.0):
        profile = profile_of(draw.choice([-100.0, 100.0], 2_000), STACKS, np.full(2_000, reach))
        for n in (50, 400, 10_000):
            printed = intervals_of(draw.choice([-100.0, 100.0], n), STACKS, stakes=np.full(n, reach)).shown
            assert profile.half_width(n) == pytest.approx(printed.ci95, rel=0.15), (reach, n)


@pytest.mark.parametrize("in_python", [False, True])
@pytest.mark.parametrize("duplicate", [False, True])
def test_stakes_are_what_was_put_in_before_the_uncalled_part_was_returned(*, in_python: bool, duplicate: bool) -> None:
    options = MatchOptions(duplicate=duplicate, in_python=in_python)
    record = match(NL, ["all-in", "fold"], 40, 1, options=options)
    assert set(record.stakes.tolist()) == {100.0, 10_000.0}  # the folder posts the small blind first, or folds to all
    assert np.abs(record.chips).max() == 100
    assert judge_match(match(NL, ["all-in", "fold"], 400, 1)).players[0].method == "fixed"
    called = match(NL, ["call", "raise", "random"], 40, 1, options=options)
    assert (called.stakes >= -called.chips.min(axis=1)).all()
    assert called.stakes.max() < NL.stack
