"""Bet sizes of a network (the document's figure 2 and Table 3): densities of the three sizes, and sampled bets.

The shares of Table 3 and the continuous densities are settings, which our sampler has to reproduce: they are shown
beside the samples, without a verdict. Judged is what the document says of them: text and table against each other, and
that the deviations which make the densities continuous leave a small bet the possibility of the whole stack, and a
large one that of the smallest bet. The tails contradict this: they are 46 and 24 deviations away.
"""

import math
from collections.abc import Iterator

import numpy as np

from cardwin.core.rng import stream_of
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.register import register
from cardwin.players.network.bet_sizes import LARGE, MEDIUM, SIZES, SMALL, TABLE_3, BetSizes, density, draw_share
from cardwin.reports import html
from cardwin.runs.problems.tournament.play import Floats
from cardwin.stats.shares import share_of

TEXT_ALL_IN, TEXT_POINT = 0.05, 0.35  # what the text says where Table 3 has HiAllIn and HiPoint
JOINTS = {
    SMALL: (TABLE_3.lo_upper,), MEDIUM: (TABLE_3.med_lower, TABLE_3.med_upper), LARGE: (TABLE_3.hi_point,),
}  # fmt: skip


def drawn_shares(context: Context, sizes: BetSizes, draws: int) -> list[Floats]:
    """Samples of small, medium and large bets, (draws,) each, as shares of the stack."""
    rng = stream_of(context.key("bets"))
    return [np.array([draw_share(sizes, size, rng) for _ in range(draws)]) for size in range(len(SIZES))]


def parts_of(drawn: list[Floats], table: BetSizes) -> dict[str, tuple[float, Floats]]:
    """Each part of Table 3: its printed share, and for every sample whether it is in that part."""
    small, medium, large = drawn
    rest = large[large != 1.0]
    return {
        "small bets inside their range": (table.lo_inside, small <= table.lo_upper),
        "medium bets inside theirs": (table.med_inside, (medium >= table.med_lower) & (medium <= table.med_upper)),
        "medium bets below": (table.med_out_lo, medium < table.med_lower),
        "large bets all-in": (table.hi_all_in, large == 1.0),
        "other large bets above their point": (table.hi_above, rest > table.hi_point),
    }


def experiments(context: Context) -> Iterator[Finding]:
    """Sample, compare with Table 3, and compute the steps at the joints."""
    drawn = drawn_shares(context, TABLE_3, context.pick(20_000, 200_000, 1_000_000, 1_000_000))
    _show(context, drawn)
    for name, (printed, fell) in parts_of(drawn, TABLE_3).items():
        share = share_of(int(fell.sum()), len(fell))
        yield Finding("Table 3", name, published=printed, measured=share.mean, ci95=share.ci95,
                      over=f"{len(fell):,} draws", verdict=None)  # fmt: skip
    for size, joints in JOINTS.items():
        for joint in joints:
            below, above = (density(TABLE_3, size, joint + side * 1e-9) for side in (-1, 1))
            step = abs(above - below) / above
            yield Finding("section 4.3", f"step of the density of {SIZES[size]} bets at {joint:g} of the stack",
                          published=0.0, exact=step, verdict=None,
                          reason="relative; deviations follow from it")  # fmt: skip
    yield from _said_of_them()


def _said_of_them() -> Iterator[Finding]:
    """What the text says of the sizes, beside Table 3."""
    for name, said, table in (
        ("large bets all-in, in the text", TEXT_ALL_IN, TABLE_3.hi_all_in),
        ("middle of large bets, below figure 2", TEXT_POINT, TABLE_3.hi_point),
    ):
        regions = verdicts.within(table, register(__package__).margin(name))
        yield Finding("section 4.3", name, published=said, exact=table, verdict=verdicts.judge(regions, said),
                      reason="exact: what Table 3 has")  # fmt: skip
    for name, weight, away, words in (
        ("a small bet reaches the whole stack: probability", 1 - TABLE_3.lo_inside,
         (1 - TABLE_3.lo_upper) / TABLE_3.lo_sigma, "low, but possible"),
        ("a large bet reaches the smallest one: probability", (1 - TABLE_3.hi_all_in) * (1 - TABLE_3.hi_above),
         TABLE_3.hi_point / TABLE_3.hi_sigma_lo, "possible, to bluff"),
    ):  # fmt: skip
        reach = weight * math.erfc(away / math.sqrt(2))
        regions = verdicts.share_above(register(__package__).margin(name))
        yield Finding("section 4.3", name, published=words, exact=reach, verdict=verdicts.judge(regions, reach),
                      reason=f"{away:.0f} deviations away if the density is continuous: the text contradicts "
                             "itself")  # fmt: skip


def _show(context: Context, drawn: list[Floats]) -> None:
    figure = html.figure(11, 3.2)
    places = np.linspace(-0.05, 1.05, 1101)
    curves = {"share": places}
    for size, (axes, draws) in enumerate(zip(figure.subplots(1, len(SIZES)), drawn, strict=True)):
        exact = np.array([density(TABLE_3, size, place) for place in places])
        shown = draws[draws != 1.0] if size == LARGE else draws
        weights = np.full(len(shown), 1 / (len(draws) * 0.005))
        axes.hist(shown, np.arange(-0.05, 1.05, 0.005), weights=weights, color="#d0d5dd")
        axes.plot(places, exact, color="#1d4f91", lw=1.2)
        for joint in JOINTS[size]:
            axes.axvline(joint, color="#b42318", lw=0.8, ls=":")
        axes.set(xlabel="share of the stack", title=SIZES[size], xlim=(-0.05, 1.05 if size == LARGE else 0.5))
        axes.spines[["top", "right"]].set_visible(False)
        curves[SIZES[size]] = exact
    caption = (
        "Densities of small, medium and large bets (line) over the samples (bars); dotted where a uniform and a "
        "half-normal part, or two half-normal ones, meet. A tenth of the large bets is all-in and not shown."
    )
    context.picture("bet-sizes", figure, caption, curves)
