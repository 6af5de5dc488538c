"""Do two populations settle in an equilibrium? (5.1.2, 6.1.) Over many seeds, and at which noise and mutation.

The document judged members by games played out: one game against each of the other population's 1,010 members. So its
claims are judged in that condition; runs by exact fitness are shown beside them and have no verdict.

Fixed before the runs, besides the rule of rest.py for "settled": the document shows one run of each game. It "comes to
rest" if more than a third of our runs settle, and "never" does if fewer do: no share is both. A third is the smallest
round share that ten runs, the fewest of any game at scale hour, can tell from none. "No bluffing" and "no sandbagging"
mean that the jack is bet, or the king checked, at most a twentieth of the time. These margins are in the register.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.lopez_pozuelo import settling_pictures
from cardwin.papers.lopez_pozuelo.answers import PLAYED
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_1, COEVOLVED_2
from cardwin.papers.lopez_pozuelo.rest import NEAR, STILL, Group, Rest, bound_of, of_preset, references
from cardwin.papers.register import register
from cardwin.papers.trials import SHARES, judged, mean_over, spread
from cardwin.stats.shares import Share, share_of

REGISTER = register(__package__)
RESTS = "co-evolution comes to rest in an equilibrium, share of runs"
AVERAGE = "population 1's average fitness over the last fifth"
BY_VALUE, PLAYED_OUT = "exact fitness", "games played out"
KUHN = "lopez-coevolution"
MUTATIONS = (0.002, 0.01, 0.05, 0.2)
GAMES = (101, 1010, 10_100)  # by which a member is judged in the map, besides exactly
SMALL: dict[str, Any] = {"population": {"size": 101}, "generations": 200}


def settling(context: Context) -> Iterator[Finding]:
    """The document's own co-evolution, in games played out and by exact fitness; and which settings make it settle."""
    groups = {
        PLAYED_OUT: played(context, KUHN, context.pick(2, 12, 40, 60), context.pick(1, 4, 8, 8)),
        BY_VALUE: Group(of_preset(context, KUHN, context.pick(4, 30, 60, 60), context.pick(SMALL, {}, {}, {})), STILL),
    }
    settling_pictures.family(context, groups)
    settling_pictures.by_generation(context, groups)
    own = groups[PLAYED_OUT]
    yield comes_to_rest(own)
    yield Finding(
        "Figure 5.3",
        f"{RESTS}, {BY_VALUE}",
        **mean_over(groups[BY_VALUE].share, "seeds"),
        verdict=None,
        reason=f"{share_text(groups[BY_VALUE].share)} runs settle; the document did not compute fitness exactly",
    )
    yield average(own.runs)
    yield from deceptions(own.runs)
    for how, group in groups.items():
        yield from _at_rest(how, group)
    yield from _map(context)


def played(context: Context, preset: str, seeds: int, reference_seeds: int, least: float = STILL) -> Group:
    """Runs of a preset in games played out, with the bound that its references give."""
    changes = {"fitness": PLAYED, **context.pick(SMALL, {}, {}, {})}
    begun = references(context, preset, reference_seeds, changes)
    return Group(of_preset(context, preset, seeds, changes), bound_of(begun, least))


def comes_to_rest(group: Group) -> Finding:
    """Figure 5.3, judged by the share of runs."""
    share, name = group.share, f"{RESTS}, {PLAYED_OUT}"
    common = REGISTER.margin(name)
    regions = verdicts.share_above(common)
    return Finding(
        "Figure 5.3",
        name,
        published="after some 800 generations",
        **mean_over(share, "seeds"),
        **judged(regions, share),
        reason=(
            f"{share_text(share)} runs settle: fitness within {group.still:.4f} over the last fifth, what this "
            f"noise leaves, and averages with an exploitability of at most {NEAR}. True above {common:.2f}"
        ),
    )


def share_text(share: Share) -> str:
    """A share in words."""
    return f"{share.count} of {share.n}"


def average(runs: list[Rest]) -> Finding:
    """Population 1's fitness at the end."""
    everyone = spread([one.mean for one in runs])
    return Finding(
        "5.1.2",
        AVERAGE,
        published=-0.055,
        **mean_over(everyone, "seeds"),
        exact=-1 / 18,
        **judged(verdicts.within(-0.055, REGISTER.margin(AVERAGE)), everyone),
        reason="games played out; all runs, settled or not",
    )


def deceptions(runs: list[Rest]) -> Iterator[Finding]:
    """6.1: whether co-evolved players bet their lowest card or check their highest, ours and the printed ones."""
    right = {(0, "B_J"): "0 to 1/3", (1, "B_J"): "1/3", (0, "B_K"): "0 to 1", (1, "B_K"): "1"}
    for (seat, gene), equilibria in right.items():
        place = 0 if gene == "B_J" else 2
        what, counted = ("bluffs", "jacks bet") if gene == "B_J" else ("sandbags", "kings checked")
        bets = [float(run.genes[seat, place]) for run in runs]
        ours = spread(bets if gene == "B_J" else [1 - bet for bet in bets], SHARES)
        printed = float((COEVOLVED_1, COEVOLVED_2)[seat].genes.split(",")[place])
        name = f"co-evolved player {seat + 1} {what}, share of the {counted}"
        yield Finding(
            "6.1",
            name,
            published="no",
            **mean_over(ours, "seeds"),
            exact=f"equilibria: {gene} {equilibria}",
            **judged(verdicts.at_most(REGISTER.margin(name)), ours),
            reason=f"its own champion has {gene} = {printed:g}",
        )


def _at_rest(how: str, group: Group) -> Iterator[Finding]:
    """Properties of the runs that settled, and of those that did not."""
    for words, runs in (("settled", group.settled), ("did not settle", group.moving)):
        if not runs:
            continue
        for what, values, reason in (
            ("fitness", [one.mean for one in runs], "-1/18 in an equilibrium"),
            ("deviation of fitness", [one.spread for one in runs], f"settled: at most {group.still:.4f}"),
            ("exploitability of the averages", [one.exploitability for one in runs], f"settled: at most {NEAR}"),
            ("variety of the mixing genes", [one.variety for one in runs], "standard deviation of B_J, B_K and C_Q"),
        ):
            yield Finding(
                "5.1.2",
                f"{what} over the last fifth, runs that {words}, {how}",
                **mean_over(spread(values), "seeds"),
                verdict=None,
                reason=reason,
            )


def _map(context: Context) -> Iterator[Finding]:
    """The share that settles by mutation rate and by the number of games that judge a member."""
    seeds, begun = context.pick(1, 3, 10, 40), context.pick(1, 3, 5, 8)
    games = context.pick(GAMES[1:2], GAMES, GAMES, GAMES)
    rates = context.pick(MUTATIONS[:2], MUTATIONS, MUTATIONS, MUTATIONS)
    base: dict[str, Any] = context.pick({**SMALL, "generations": 100}, {}, {}, {})
    cells: dict[tuple[str, float], Share] = {}
    for number in (*games, None):
        noise: dict[str, Any] = {} if number is None else {"fitness": {"play": "pooled", "games": number}}
        still = STILL if number is None else bound_of(references(context, KUHN, begun, {**base, **noise}))
        for rate in rates:
            runs = of_preset(context, KUHN, seeds, {**base, **noise, "search": {"mutation_rate": rate}})
            cells["exact" if number is None else f"{number:,}", rate] = Group(runs, still).share
    settling_pictures.map_of_shares(context, cells)
    for words, key in (("mutation rate", 1), ("games of a member", 0)):
        pooled = _margins(cells, key)
        yield Finding(
            "5.1.2",
            f"share of runs that settle by {words}",
            measured=", ".join(f"{value}: {share_text(share)}" for value, share in pooled.items()),
            over=f"{seeds} seeds a cell",
            verdict=None,
        )


def _margins(cells: Mapping[tuple[str, float], Share], key: int) -> dict[Any, Share]:
    """Shares by one of the two settings, pooled over the values of the other."""
    pooled: dict[Any, list[Share]] = {}
    for cell, share in cells.items():
        pooled.setdefault(cell[key], []).append(share)
    return {value: share_of(sum(s.count for s in own), sum(s.n for s in own)) for value, own in pooled.items()}
