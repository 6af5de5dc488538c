"""Shares of independent trials, with exact intervals."""

import pytest
from scipy.stats import binomtest

from cardwin.stats.shares import share_of


@pytest.mark.parametrize(("count", "n"), [(12, 60), (0, 20), (8, 8), (1, 3)])
def test_the_interval_is_clopper_and_pearson_s(count: int, n: int) -> None:
    known = binomtest(count, n).proportion_ci(method="exact")
    assert share_of(count, n).ci95 == pytest.approx((known.low, known.high))
    assert share_of(count, n).mean == count / n


@pytest.mark.parametrize(("count", "n"), [(-1, 3), (4, 3), (0, 0)])
def test_what_is_no_share_is_refused(count: int, n: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        share_of(count, n)
