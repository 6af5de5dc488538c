"""The time left: from the last steps, and a lower bound while steps become longer."""

import pytest

from cardwin.core.trainer import TimeLeft, duration


def told(times: list[float]) -> TimeLeft:
    left, seconds = TimeLeft(), 100.0  # the first step includes compiling
    left.record(1, seconds)
    for step, time in enumerate(times, 2):
        seconds += time
        left.record(step, seconds)
    return left


def test_equal_steps_give_a_plain_estimate() -> None:
    assert told([2.0] * 9).text(40) == "60 s left"


def test_growing_steps_give_a_lower_bound_from_the_last_ones() -> None:
    times = [1.1**n for n in range(40)]
    left = told(times)
    estimate = left.estimate(141)
    assert estimate is not None
    assert estimate[0] == pytest.approx(100 * times[-1])
    assert estimate[1]
    # A mean over all steps would promise less than a quarter of it.
    assert sum(times) / 40 * 100 < 100 * times[-1] / 3
    assert left.text(141).startswith("at least ")


def test_few_steps_are_no_more_than_a_lower_bound() -> None:
    assert told([]).text(10) == ""
    assert told([3.0, 3.0]).text(10) == "at least 21 s left"


def test_a_past_of_long_steps_is_forgotten() -> None:
    assert told([50.0] * 20 + [1.0] * 40).text(161) == "100 s left"


def test_nothing_is_left_at_the_end() -> None:
    assert told([1.0] * 9).text(10) == ""


@pytest.mark.parametrize(("seconds", "shown"), [(9.6, "10 s"), (150, "2 min"), (7100, "118 min"), (9000, "2.5 h")])
def test_durations(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown
