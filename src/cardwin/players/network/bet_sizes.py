"""The bet sizes of a network once it has chosen to raise (Nicolai and Hilderman, GET_BET_AMOUNT and Table 3).

A raise is small, medium or large; its size is a share of the stack. Inside its typical range a share is uniform,
outside half-normal, with deviations that make the density continuous at the ends of the range:

- small: 0 to .06 in 70% of the draws, above in 30%;
- medium: .10 to .20 in 60%, below in 10%, above in 30%;
- large: all-in in 10%; otherwise above .30 in 95% and below in 5%. There is no uniform part, so continuity leaves one
  deviation free. Ours: the whole stack is three deviations above .30.

If text and table differ (5% all-in, .35, and a small bet of up to 10% of the stack), the table's numbers are used.
Figure 2 has no all-in branch, the text has one: it comes first. The paper does not publish how a size is chosen. Ours
depends on the probability of a raise: up to `MEDIUM_FROM` it is small, up to `LARGE_FROM` medium, beyond large.
"""

import math
from typing import NamedTuple

from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, draw_normal, draw_uniform

SIZES = ("small", "medium", "large")
SMALL, MEDIUM, LARGE = range(len(SIZES))
MEDIUM_FROM, LARGE_FROM = 0.5, 0.8


class BetSizes(NamedTuple):
    """Table 3 under its own names, and the deviations derived from it."""

    lo_upper: float = 0.06
    lo_inside: float = 0.7
    med_lower: float = 0.1
    med_upper: float = 0.2
    med_inside: float = 0.6
    med_out_lo: float = 0.1
    hi_point: float = 0.3
    hi_above: float = 0.95
    hi_all_in: float = 0.1
    medium_from: float = MEDIUM_FROM
    large_from: float = LARGE_FROM
    lo_sigma: float = 0.0
    med_sigma_lo: float = 0.0
    med_sigma_hi: float = 0.0
    hi_sigma_lo: float = 0.0
    hi_sigma_hi: float = 0.0


def continuous(table: BetSizes) -> BetSizes:
    """Return the table with deviations that make the densities continuous.

    A half-normal tail of weight w has the density 2 w / (sigma sqrt(2 pi)) where it begins.
    """

    def sigma(weight: float, density: float) -> float:
        return 2 * weight / (density * math.sqrt(2 * math.pi))

    small = table.lo_inside / table.lo_upper
    medium = table.med_inside / (table.med_upper - table.med_lower)
    above = (1 - table.hi_point) / 3
    return table._replace(
        lo_sigma=sigma(1 - table.lo_inside, small),
        med_sigma_lo=sigma(table.med_out_lo, medium),
        med_sigma_hi=sigma(1 - table.med_inside - table.med_out_lo, medium),
        hi_sigma_hi=above,
        hi_sigma_lo=above * (1 - table.hi_above) / table.hi_above,
    )


TABLE_3 = continuous(BetSizes())


def density(sizes: BetSizes, size: int, share: float) -> float:
    """Return the density of a size at a share of the stack, before it is bounded; without the point of all-ins at 1."""

    def tail(weight: float, sigma: float, distance: float) -> float:
        return 2 * weight * math.exp(-0.5 * (distance / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi))

    if size == SMALL:
        if share > sizes.lo_upper:
            return tail(1 - sizes.lo_inside, sizes.lo_sigma, share - sizes.lo_upper)
        return sizes.lo_inside / sizes.lo_upper if share >= 0 else 0.0
    if size == MEDIUM:
        if share < sizes.med_lower:
            return tail(sizes.med_out_lo, sizes.med_sigma_lo, sizes.med_lower - share)
        if share > sizes.med_upper:
            return tail(1 - sizes.med_inside - sizes.med_out_lo, sizes.med_sigma_hi, share - sizes.med_upper)
        return sizes.med_inside / (sizes.med_upper - sizes.med_lower)
    left = 1 - sizes.hi_all_in
    if share < sizes.hi_point:
        return tail(left * (1 - sizes.hi_above), sizes.hi_sigma_lo, sizes.hi_point - share)
    return tail(left * sizes.hi_above, sizes.hi_sigma_hi, share - sizes.hi_point)


def typical_ranges(sizes: BetSizes) -> dict[str, tuple[float, float]]:
    """Return the range of most bets of each size, as shares of the stack; a large one is bounded by the stack only."""
    return {
        "small": (0.0, sizes.lo_upper),
        "medium": (sizes.med_lower, sizes.med_upper),
        "large": (sizes.hi_point, 1.0),
    }


@kernel
def size_of(sizes: BetSizes, raising: float) -> int:
    """Return small, medium or large, by the probability of a raise."""
    if raising < sizes.medium_from:
        return SMALL
    return MEDIUM if raising < sizes.large_from else LARGE


@kernel(refcount=False)
def draw_share(sizes: BetSizes, size: int, rng: Stream) -> float:
    """Draw the share of the stack to bet; it may be outside 0 to 1, and is then clipped to the legal range."""
    point = draw_uniform(rng)
    if size == SMALL:
        if point < sizes.lo_inside:
            return draw_uniform(rng) * sizes.lo_upper
        return sizes.lo_upper + abs(draw_normal(rng)) * sizes.lo_sigma
    if size == MEDIUM:
        if point < sizes.med_inside:
            return sizes.med_lower + draw_uniform(rng) * (sizes.med_upper - sizes.med_lower)
        if point < sizes.med_inside + sizes.med_out_lo:
            return sizes.med_lower - abs(draw_normal(rng)) * sizes.med_sigma_lo
        return sizes.med_upper + abs(draw_normal(rng)) * sizes.med_sigma_hi
    if point < sizes.hi_all_in:
        return 1.0
    if draw_uniform(rng) < sizes.hi_above:
        return sizes.hi_point + abs(draw_normal(rng)) * sizes.hi_sigma_hi
    return sizes.hi_point - abs(draw_normal(rng)) * sizes.hi_sigma_lo
