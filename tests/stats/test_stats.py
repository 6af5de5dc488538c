"""Intervals, tests and styles against numbers known otherwise."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from cardwin.core.rng import generator_of
from cardwin.stats.intervals import block_means, mean_interval
from cardwin.stats.style import SeenDecision, SeenHand, style_of
from leagues import Meeting, ratings


def test_students_interval_agrees_with_scipy() -> None:
    sample = generator_of(1).normal(3, 2, 40)
    ours = mean_interval(sample)
    theirs = scipy_stats.t.interval(0.95, 39, sample.mean(), scipy_stats.sem(sample))
    assert (ours.low, ours.high) == pytest.approx(theirs)
    assert (ours.method, ours.n) == ("t", 40)
    assert mean_interval(sample, 0.5).ci95 == pytest.approx(2 * ours.ci95)


def test_extremes_of_a_sample() -> None:
    assert mean_interval(np.zeros(5)).method == "no spread"
    assert math.isinf(mean_interval(np.ones(1)).ci95)


def test_lopsided_samples_are_bootstrapped_and_cover_better() -> None:
    misses = {"ours": 0, "t": 0}
    for seed in range(60):
        sample = generator_of(seed).lognormal(0, 1.5, 40)
        mean = math.exp(1.5**2 / 2)
        ours = mean_interval(sample)
        half = 2.0227 * sample.std(ddof=1) / math.sqrt(40)
        misses["ours"] += not ours.low <= mean <= ours.high
        misses["t"] += abs(sample.mean() - mean) > half
    assert mean_interval(generator_of(0).lognormal(0, 1.5, 40)).method == "bootstrap"
    assert misses["ours"] < misses["t"]


def test_blocks_are_means_of_rows() -> None:
    assert block_means(np.array([[1, 2], [3, 4], [5, 6], [7, 8]]), 2).tolist() == [[2, 3], [6, 7]]


def test_ratings_put_winners_first_and_are_sure_after_many_meetings() -> None:
    meetings = [Meeting((0, 1, 2), (3.0, 2.0, 1.0)) for _ in range(30)]
    best, middle, last = ratings(meetings, 3)
    assert best.mu > middle.mu > last.mu
    assert best.sigma < 8
    assert best.ordinal == best.mu - 3 * best.sigma


def test_style_by_hand() -> None:
    hands = [
        SeenHand(
            (0, 1),
            (
                SeenDecision(0, 0, "raise", False),
                SeenDecision(1, 0, "call", True),
                SeenDecision(0, 1, "bet", False, 0.2),
                SeenDecision(1, 1, "fold", True),
            ),
            (),
        ),
        SeenHand(
            (0, 1),
            (
                SeenDecision(1, 0, "call", False),
                SeenDecision(0, 0, "check", False),
                SeenDecision(0, 1, "bet", False, 0.9),
                SeenDecision(1, 1, "call", True),
            ),
            (0, 1),
        ),
    ]
    bold, meek = style_of(0, hands), style_of(1, hands)
    assert (bold.hands, bold.vpip, bold.pfr, bold.aggression, bold.bluff) == (2, 0.5, 0.5, None, 0.5)
    assert (meek.vpip, meek.pfr, meek.aggression, meek.showdown) == (1.0, 0.0, 0.0, 0.5)
    assert meek.fold_to_bet == pytest.approx(1 / 3)
    assert style_of(2, hands).vpip is None
