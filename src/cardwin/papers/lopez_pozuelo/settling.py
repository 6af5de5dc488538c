"""Do two populations settle in an equilibrium? (5.1.2, 5.3.4, Appendix E.) Over many seeds, and under which settings.

Fixed before the runs, besides the rule of rest.py for "settled": the document had one run of each game. That a run
reaches an equilibrium "happens" if the share of ours that settle is above `RARELY`, by its whole 95% interval
(Clopper and Pearson); that it "never" does means that fewer than `SELDOM` do. All runs together agree with its -.055
within .01, those that settle within .005.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from cardwin.papers import Context, Finding
from cardwin.papers import old_rules as verdicts
from cardwin.papers.lopez_pozuelo import settling_pictures
from cardwin.papers.lopez_pozuelo.answers import PLAYED
from cardwin.papers.lopez_pozuelo.rest import NEAR, STILL, Rest, rests, settled_share, share_text
from cardwin.papers.trials import mean_over, preset_with, spread
from cardwin.stats.shares import Share, share_of

RARELY, SELDOM = 0.01, 0.2
RESTS = "co-evolution comes to rest in an equilibrium, share of runs"
HOW = ("exact fitness", "games played out")
MUTATIONS = (0.002, 0.01, 0.05, 0.2)
SIZES = (101, 202, 505, 1010)


def of_preset(context: Context, preset: str, seeds: int, changes: Mapping[str, Any]) -> list[Rest]:
    """Runs of a preset over seeds."""
    name = f"{preset} {sorted(changes.items())}"
    return rests([preset_with(preset, context.key(name, n), changes) for n in range(seeds)], context.workers)


def settling(context: Context) -> Iterator[Finding]:
    """The document's own co-evolution, by exact fitness and in sampled games; and which settings make it settle."""
    sizes: dict[str, Any] = context.pick({"generations": 300}, {}, {}, {})
    small: dict[str, Any] = context.pick({"population": {"size": 101}, "generations": 200}, {}, {}, {})
    by_value = of_preset(context, "lopez-coevolution", context.pick(6, 30, 60, 60), sizes)
    played = of_preset(context, "lopez-coevolution", context.pick(2, 3, 10, 60), {"fitness": PLAYED, **small})
    settling_pictures.family(context, {"exact fitness": by_value, "games played out": played})
    settling_pictures.by_generation(context, {"exact fitness": by_value, "games played out": played})
    for how, found in (("exact fitness", by_value), ("games played out", played)):
        share = settled_share(found)
        yield Finding(
            "Figure 5.3",
            f"{RESTS}, {how}",
            published="after some 800 generations",
            **mean_over(share, "seeds"),
            verdict=verdicts.happens(share.ci95, RARELY),
            reason=(
                f"{share_text(share)} runs settle: fitness within {STILL} over the last fifth, averages that give away "
                f"at most {NEAR}. The figure is a possible run"
            ),
        )
    yield from _at_rest(by_value)
    yield from _map(context)


def _at_rest(found: list[Rest]) -> Iterator[Finding]:
    """Properties of the runs that settled, and of those that did not."""
    everyone = spread([one.mean for one in found])
    yield Finding(
        "5.1.2",
        "population 1's average fitness over the last fifth, all runs",
        published=-0.055,
        **mean_over(everyone, "seeds"),
        exact=-1 / 18,
        verdict=verdicts.close(-0.055, everyone.ci95, 0.01),
        reason="a population that circles loses a little more than one that rests",
    )
    for words, group in (
        ("settled", [one for one in found if one.settled]),
        ("did not settle", [one for one in found if not one.settled]),
    ):
        if not group:
            continue
        mean, away, variety = (
            spread([getattr(one, name) for one in group]) for name in ("mean", "exploitability", "variety")
        )
        over = f"{len(group)} seeds"
        if words == "settled":
            yield Finding(
                "5.1.2",
                "population 1's average fitness where it settled",
                published=-0.055,
                measured=mean.mean,
                ci95=mean.ci95,
                over=over,
                exact=-1 / 18,
                verdict=verdicts.close(-0.055, mean.ci95, 0.005),
                reason="an equilibrium's fitness",
            )
        yield Finding(
            "5.1.2",
            f"exploitability of the averages over the last fifth, runs that {words}",
            measured=away.mean,
            ci95=away.ci95,
            over=over,
            exact=0.0,
            verdict=None,
        )
        yield Finding(
            "5.1.2",
            f"variety of the mixing genes within the populations, runs that {words}",
            measured=variety.mean,
            ci95=variety.ci95,
            over=over,
            verdict=None,
            reason="standard deviation of B_J, B_K and C_Q: variety lets a population turn fast, and overshoot",
        )


def _map(context: Context) -> Iterator[Finding]:
    """The share that settles by mutation rate and population size, with exact and with sampled fitness."""
    seeds = context.pick((1, 0), (4, 3), (10, 5), (60, 60))
    sizes = context.pick(((101,), ()), (SIZES, SIZES[:2]), (SIZES, SIZES[:3]), (SIZES, SIZES))
    last = context.pick(100, 1000, 1000, 1000)
    rates = context.pick(MUTATIONS[:2], MUTATIONS, MUTATIONS, MUTATIONS)
    shares: dict[str, dict[tuple[int, float], Share]] = {}
    for how, count, some, fitness in zip(HOW, seeds, sizes, ({}, {"fitness": PLAYED}), strict=True):
        cells = [(size, rate) for size in some for rate in rates]
        chosen = [
            preset_with(
                "lopez-coevolution",
                context.key("map", how, size, str(rate), n),
                {"population": {"size": size}, "search": {"mutation_rate": rate}, "generations": last, **fitness},
            )
            for size, rate in cells
            for n in range(count)
        ]
        found = rests(chosen, context.workers)
        if cells:
            shares[how] = {cell: settled_share(found[n * count : (n + 1) * count]) for n, cell in enumerate(cells)}
    settling_pictures.map_of_shares(context, shares)
    for how, cells_of in shares.items():
        for name, key in (("mutation rate", 1), ("population size", 0)):
            margins_of = _margins(cells_of, key)
            yield Finding(
                "5.1.2",
                f"share of runs that settle by {name}, {how}",
                measured=", ".join(f"{value}: {share_text(share)}" for value, share in margins_of.items()),
                over=f"{next(iter(cells_of.values())).n} seeds a cell",
                verdict=None,
            )


def _margins(cells: Mapping[tuple[int, float], Share], key: int) -> dict[float, Share]:
    """Shares by one of the two settings, pooled over the values of the other."""
    values = dict.fromkeys(cell[key] for cell in cells)
    return {
        value: share_of(
            sum(share.count for cell, share in cells.items() if cell[key] == value),
            sum(share.n for cell, share in cells.items() if cell[key] == value),
        )
        for value in values
    }
