"""Shares of independent trials, with exact intervals."""

import numpy as np
import pytest
from scipy.stats import binomtest

from cardwin.stats.intervals import bounded_mean, share_of


@pytest.mark.parametrize(("count", "n"), [(12, 60), (0, 20), (8, 8), (1, 3)])
def test_the_interval_is_clopper_and_pearson_s(count: int, n: int) -> None:
    known = binomtest(count, n).proportion_ci(method="exact")
    assert share_of(count, n).ci95 == pytest.approx((known.low, known.high))
    assert share_of(count, n).mean == count / n


@pytest.mark.parametrize(("count", "n"), [(-1, 3), (4, 3), (0, 0)])
def test_what_is_no_share_is_refused(count: int, n: int) -> None:
    with pytest.raises(ValueError, match="invalid share"):
        share_of(count, n)


@pytest.mark.parametrize("any_stop", [False, True])
def test_a_style_s_shares_have_intervals_within_0_and_1(any_stop: bool) -> None:
    draw = np.random.default_rng(1)
    for n in (1, 2, 3, 10, 300):
        for chance in (0.0, 0.01, 0.5, 0.99, 1.0):
            found = bounded_mean((draw.random(n) < chance).astype(np.float64), (0.0, 1.0), any_stop=any_stop)
            assert 0 <= found.low <= found.mean <= found.high <= 1
