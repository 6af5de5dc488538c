"""Bet sizes of a network (the document's figure 2 and Table 3): densities of the three sizes, and sampled bets.

The shares of Table 3 and the continuous densities are settings, which our sampler has to reproduce: they are shown
beside the samples, without a verdict. What the document says about them is judged: whether text and table agree, and
whether the deviations that make the densities continuous allow a small bet to be the whole stack, and a large one to be
the smallest bet. The tails contradict this: they are 46 and 24 deviations away.
"""

import math
from collections.abc import Iterator

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.rng import stream_of
from cardwin.papers import Context
from cardwin.papers.sample import Sample, sample
from cardwin.players.network.decision import LARGE, MEDIUM, SIZES, SMALL, TABLE_3, BetSizes, density, draw_share
from cardwin.reports import html
from cardwin.stats.intervals import share_of

JOINTS = {SMALL: (TABLE_3.lo_upper,), MEDIUM: (TABLE_3.med_lower, TABLE_3.med_upper), LARGE: (TABLE_3.hi_point,)}


def drawn_shares(context: Context, sizes: BetSizes, draws: int) -> list[Floats]:
    """Draw samples of small, medium and large bets, (draws,) each, as shares of the stack."""
    rng = stream_of(context.key("bets"))
    return [np.array([draw_share(sizes, size, rng) for _ in range(draws)]) for size in range(len(SIZES))]


def parts_of(drawn: list[Floats], table: BetSizes) -> dict[str, Floats]:
    """Return for each part of Table 3 whether each sample is in it, (draws,)."""
    small, medium, large = drawn
    rest = large[large != 1.0]
    return {
        "small bets inside their range": small <= table.lo_upper,
        "medium bets inside theirs": (medium >= table.med_lower) & (medium <= table.med_upper),
        "medium bets below": medium < table.med_lower,
        "large bets all-in": large == 1.0,
        "other large bets above their point": rest > table.hi_point,
    }


def bet_sizes(context: Context) -> Iterator[Sample]:
    """Sample bets, compute the steps of the densities at the joints, and compare the text with Table 3."""
    drawn = drawn_shares(context, TABLE_3, context.pick(20_000, 200_000, 1_000_000, 1_000_000))
    _show(context, drawn)
    for name, inside in parts_of(drawn, TABLE_3).items():
        yield sample(name, share_of(int(inside.sum()), len(inside)))
    for size, joints in JOINTS.items():
        for joint in joints:
            below, above = (density(TABLE_3, size, joint + side * 1e-9) for side in (-1, 1))
            step = abs(above - below) / above
            yield sample(f"step of the density of {SIZES[size]} bets at {joint:g} of the stack", exact=step)
    yield sample("large bets all-in, in the text", exact=TABLE_3.hi_all_in)
    yield sample("middle of large bets, below figure 2", exact=TABLE_3.hi_point)
    weight, away = 1 - TABLE_3.lo_inside, (1 - TABLE_3.lo_upper) / TABLE_3.lo_sigma
    yield _tail("a small bet reaches the whole stack: probability", weight, away)
    weight, away = (1 - TABLE_3.hi_all_in) * (1 - TABLE_3.hi_above), TABLE_3.hi_point / TABLE_3.hi_sigma_lo
    yield _tail("a large bet reaches the smallest one: probability", weight, away)


def _tail(name: str, weight: float, away: float) -> Sample:
    """Return the probability of a half-normal part with this weight beyond a number of deviations."""
    return sample(name, exact=weight * math.erfc(away / math.sqrt(2)), away=away)


def _show(context: Context, drawn: list[Floats]) -> None:
    figure = html.figure(11, 3.2)
    shares = np.linspace(-0.05, 1.05, 1101)
    curves = {"share": shares}
    for size, (axes, draws) in enumerate(zip(figure.subplots(1, len(SIZES)), drawn, strict=True)):
        exact = np.array([density(TABLE_3, size, share) for share in shares])
        shown = draws[draws != 1.0] if size == LARGE else draws
        weights = np.full(len(shown), 1 / (len(draws) * 0.005))
        axes.hist(shown, np.arange(-0.05, 1.05, 0.005), weights=weights, color="#d0d5dd")
        axes.plot(shares, exact, color="#1d4f91", lw=1.2)
        for joint in JOINTS[size]:
            axes.axvline(joint, color="#b42318", lw=0.8, ls=":")
        axes.set(xlabel="share of the stack", title=SIZES[size], xlim=(-0.05, 1.05 if size == LARGE else 0.5))
        curves[SIZES[size]] = exact
    caption = (
        "Densities of small, medium and large bets (line) over the samples (bars); dotted where a uniform and a "
        "half-normal part, or two half-normal ones, meet. A tenth of the large bets is all-in and not shown."
    )
    context.picture("bet-sizes", figure, caption, curves)
