"""Coverage of intervals and tests by simulation, small; `tools/interval_coverage.py` has the same with played deals.

Each test also counts what it replaced, which fails: so each could have failed.
"""

import math

import numpy as np
import pytest

from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of, key_of
from cardwin.stats.bounded import BET_WEIGHTS, BETS, any_stop_interval, bounded, fixed_interval, fixed_p, log_e_value
from cardwin.stats.headline import intervals_of
from cardwin.stats.intervals import student_p

MATCHES = 250
LOG_20 = math.log(20)


def rare_losses(draw: np.random.Generator, seats: int, deals: int) -> tuple[Floats, float]:
    """An all-in player against callers with aces only, in stacks: a small win, or all but one seating lost."""
    chance = seats / 221  # some seat has aces
    lost = -(seats - 1) / seats
    return np.where(draw.random(deals) < chance, lost, 0.0125), chance * lost + (1 - chance) * 0.0125


@pytest.mark.parametrize("seats", [2, 6, 9])
@pytest.mark.parametrize("deals", [50, 100, 400])
def test_rare_losses_of_stacks_are_covered(seats: int, deals: int) -> None:
    draw = generator_of(key_of(1, "rare", seats, deals))
    covered, stopped = 0, 0
    for _ in range(MATCHES):
        values, mean = rare_losses(draw, seats, deals)
        sample = bounded(values, -1.0, seats - 1.0)
        covered += fixed_p(sample, mean) >= 0.05
        stopped += all(
            log_e_value(bounded(values[:n], -1.0, seats - 1.0), mean) < LOG_20 for n in (deals // 4, deals // 2, deals)
        )
    assert covered >= 0.94 * MATCHES
    assert stopped >= 0.94 * MATCHES


def test_the_former_bounds_were_none() -> None:
    """One stack over the number of seatings: at six seats a deal can lose five times as much."""
    draw = generator_of(key_of(1, "rare", 6, 50))
    covered = 0
    for _ in range(MATCHES):
        values, mean = rare_losses(draw, 6, 50)
        covered += fixed_p(bounded(values, -1 / 6, 5 / 6), mean) >= 0.05
    assert covered < 0.85 * MATCHES


def false_shares(samples: list[Floats], looks: tuple[int, ...], reach: float) -> tuple[float, float]:
    """How often a null series is called different at any look: by the fixed p, and by the e-value."""
    fixed = sum(any(fixed_p(bounded(one[:n], -reach, reach)) < 0.05 for n in looks) for one in samples)
    stopped = sum(any(log_e_value(bounded(one[:n], -reach, reach)) >= LOG_20 for n in looks) for one in samples)
    return fixed / len(samples), stopped / len(samples)


def test_five_looks_at_tournaments_of_identical_players() -> None:
    draw = generator_of(key_of(2, "places"))
    places = [draw.permuted(np.tile(np.arange(1.0, 5.0), (500, 1)), axis=1) for _ in range(MATCHES)]
    fixed, stopped = false_shares([one[:, 0] - one[:, 1] for one in places], (100, 200, 300, 400, 500), 3.0)
    assert fixed > 0.08
    assert stopped <= 0.05


def test_twelve_looks_at_nine_seats() -> None:
    """Pots of up to nine stacks are common among players who move all-in: the fixed p is near its level each time."""
    draw = generator_of(key_of(3, "nine seats"))
    looks = tuple(np.geomspace(100, 10_000, 12).astype(int).tolist())
    samples = [draw.choice([-9.0, -2.0, -1.0, 1.0, 2.0, 9.0], 10_000) for _ in range(MATCHES)]
    fixed, stopped = false_shares(samples, looks, 9.0)
    assert fixed > 0.12
    assert stopped <= 0.05


@pytest.mark.parametrize("n", [50, 2_000])
def test_no_interval_is_narrower_than_the_floor(n: int) -> None:
    equal = intervals_of(np.zeros(n), (-1.0, 8.0))
    assert equal.fixed.ci95 == pytest.approx(equal.floor, rel=0.02)
    assert equal.floor == pytest.approx(3.69 * 9 / 2 / n, rel=0.1)
    assert equal.approximate.method == "no spread"
    spread = intervals_of(generator_of(4).choice([-1.0, 1.0], n), (-1.0, 8.0), any_stop=True)
    assert max(spread.floor, spread.approximate.ci95) < spread.fixed.ci95 < spread.any_stop.ci95
    assert spread.guaranteed == spread.any_stop
    assert equal.shown == equal.fixed == equal.guaranteed


def test_large_bets_count_more() -> None:
    """Where nothing happened, the interval is a quarter narrower than with equal weights, for all sizes valid."""
    assert pytest.approx(1) == BET_WEIGHTS.sum()
    low, high = any_stop_interval(bounded(np.zeros(2_000), -1.0, 1.0))
    equal_weights = (math.log(20 * 2 * len(BETS)) - math.log(1.2)) / 2_000
    assert high == pytest.approx(-low, rel=1e-3)
    assert high < 0.85 * equal_weights
    assert high > fixed_interval(bounded(np.zeros(2_000), -1.0, 1.0))[1]


def test_students_p() -> None:
    assert student_p(np.array([1.0, 2.0, 3.0])) == pytest.approx(0.0742, abs=1e-4)
    assert student_p(np.array([-1.0, 1.0])) == 1
    assert student_p(np.ones(5)) == 1
    assert student_p(np.ones(1)) == 1
