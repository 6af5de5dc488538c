"""Sizes of bets: the shares of Table 3, and densities without a step where two parts meet."""

import numpy as np
import numpy.typing as npt
import pytest

from cardwin.core.rng import key_of, stream_of
from cardwin.players.network.decision import LARGE, MEDIUM, SMALL, TABLE_3, BetSizes, continuous, draw_share, size_of

DRAWS = 40_000


@pytest.fixture(scope="module")
def drawn() -> dict[int, npt.NDArray[np.float64]]:
    rng = stream_of(key_of(3))
    return {size: np.array([draw_share(TABLE_3, size, rng) for _ in range(DRAWS)]) for size in (SMALL, MEDIUM, LARGE)}


def share(values: npt.NDArray[np.bool_]) -> float:
    return float(values.mean())


def test_parts_have_the_tables_shares(drawn: dict[int, npt.NDArray[np.float64]]) -> None:
    small, medium, large = drawn.values()
    for found, wanted in (
        (share(small <= 0.06), 0.7),
        (share((medium >= 0.1) & (medium <= 0.2)), 0.6),
        (share(medium < 0.1), 0.1),
        (share(medium > 0.2), 0.3),
        (share(large == 1.0), 0.1),
        (share(large[large != 1.0] > 0.3), 0.95),
    ):
        assert abs(found - wanted) < 4 * (wanted * (1 - wanted) / DRAWS) ** 0.5


@pytest.mark.parametrize(("size", "joint"), [(SMALL, 0.06), (MEDIUM, 0.1), (MEDIUM, 0.2), (LARGE, 0.3)])
def test_densities_have_no_step(drawn: dict[int, npt.NDArray[np.float64]], size: int, joint: float) -> None:
    """As many draws just below a joint as just above, but for luck; the steps of other sigmas would be far larger."""
    width = 0.002
    below = int(((drawn[size] > joint - width) & (drawn[size] <= joint)).sum())
    above = int(((drawn[size] > joint) & (drawn[size] <= joint + width)).sum())
    assert below > 100
    assert abs(below - above) < 4.5 * (below + above) ** 0.5


def test_the_step_would_be_seen(drawn: dict[int, npt.NDArray[np.float64]]) -> None:
    """With twice the deviation there is half the density beyond the joint."""
    rng, wide = stream_of(key_of(4)), TABLE_3._replace(lo_sigma=2 * TABLE_3.lo_sigma)
    values = np.array([draw_share(wide, SMALL, rng) for _ in range(DRAWS)])
    above = int(((values > 0.06) & (values <= 0.062)).sum())
    assert above < 0.7 * int(((drawn[SMALL] > 0.06) & (drawn[SMALL] <= 0.062)).sum())


def test_the_raise_likelihood_says_the_size() -> None:
    assert [size_of(TABLE_3, chance) for chance in (0.1, 0.49, 0.5, 0.79, 0.8, 1.0)] == [
        SMALL, SMALL, MEDIUM, MEDIUM, LARGE, LARGE,
    ]  # fmt: skip


def test_deviations_follow_from_the_table() -> None:
    other = continuous(BetSizes(lo_upper=0.12))
    assert abs(other.lo_sigma / TABLE_3.lo_sigma - 2) < 1e-12
    assert abs(TABLE_3.hi_sigma_hi * 3 - 0.7) < 1e-12
