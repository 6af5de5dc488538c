"""Do two populations settle in an equilibrium? (5.1.2, 6.1.) Over many seeds.

The document judged members by games played out: one game against each of the other population's 1,010 members. So its
claims are judged in that condition; runs by exact fitness are shown beside them and have no verdict.

Fixed before the runs, besides the rule of rest.py for "settled": the document shows one run of each game. It "comes to
rest" if more than a third of our runs settle, and "never" does if fewer do: no share is both. A third is the smallest
round share that ten runs, the fewest of any game at scale hour, can tell from none. "No bluffing" and "no sandbagging"
mean that the jack is bet, or the king checked, at most a twentieth of the time. These margins are in the register.
"""

from collections.abc import Iterator
from typing import Any

from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo import settling_pictures
from cardwin.papers.lopez_pozuelo.answers import PLAYED
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_1, COEVOLVED_2
from cardwin.papers.lopez_pozuelo.rest import NEAR, STILL, Group, Rest, bound_of, of_preset, references
from cardwin.papers.sample import SHARES, Sample, sample, spread
from cardwin.stats.intervals import Share

RESTS = "co-evolution comes to rest in an equilibrium, share of runs"
BY_VALUE, PLAYED_OUT = "exact fitness", "games played out"
KUHN = "lopez-coevolution"
SMALL: dict[str, Any] = {"population": {"size": 101}, "generations": 200}


def settling(context: Context) -> Iterator[Sample]:
    """The document's own co-evolution, in games played out and by exact fitness."""
    by_value = of_preset(context, KUHN, context.pick(4, 30, 60, 60), context.pick(SMALL, {}, {}, {}))
    groups = {
        PLAYED_OUT: played(context, KUHN, context.pick(2, 12, 40, 60), context.pick(1, 4, 8, 8)),
        BY_VALUE: Group(by_value, STILL),
    }
    settling_pictures.family(context, groups)
    settling_pictures.by_generation(context, groups)
    own = groups[PLAYED_OUT]
    yield comes_to_rest(f"{RESTS}, {PLAYED_OUT}", own)
    yield sample(f"{RESTS}, {BY_VALUE}", groups[BY_VALUE].share, of=share_text(groups[BY_VALUE].share))
    yield sample("population 1's average fitness over the last fifth", spread([one.mean for one in own.runs]))
    yield from deceptions(own.runs)
    for how, group in groups.items():
        yield from _at_rest(how, group)


def played(context: Context, preset: str, seeds: int, reference_seeds: int, least: float = STILL) -> Group:
    """Runs of a preset in games played out, with the bound that its references give."""
    changes = {"fitness": PLAYED, **context.pick(SMALL, {}, {}, {})}
    begun = references(context, preset, reference_seeds, changes)
    return Group(of_preset(context, preset, seeds, changes), bound_of(begun, least))


def comes_to_rest(name: str, group: Group) -> Sample:
    """Figures 5.3, E.1, E.3, E.5: the share of runs that settle."""
    return sample(name, group.share, of=share_text(group.share), still=group.still, near=NEAR)


def share_text(share: Share) -> str:
    """A share in words."""
    return f"{share.count} of {share.n}"


def deceptions(runs: list[Rest]) -> Iterator[Sample]:
    """6.1: whether co-evolved players bet their lowest card or check their highest, ours and the printed ones."""
    right = {(0, "B_J"): "0 to 1/3", (1, "B_J"): "1/3", (0, "B_K"): "0 to 1", (1, "B_K"): "1"}
    for (seat, gene), equilibria in right.items():
        place = 0 if gene == "B_J" else 2
        what = "bluffs, share of the jacks bet" if gene == "B_J" else "sandbags, share of the kings checked"
        bets = [float(run.genes[seat, place]) for run in runs]
        printed = float((COEVOLVED_1, COEVOLVED_2)[seat].genes.split(",")[place])
        yield sample(
            f"co-evolved player {seat + 1} {what}", spread([abs(bet - place / 2) for bet in bets], SHARES),
            exact=f"equilibria: {gene} {equilibria}", gene=gene, printed=printed,
        )  # fmt: skip


def _at_rest(how: str, group: Group) -> Iterator[Sample]:
    """Properties of the runs that settled, and of those that did not."""
    for words, runs in (("settled", group.settled), ("did not settle", group.moving)):
        for what, values in (
            ("fitness", [one.mean for one in runs]),
            ("deviation of fitness", [one.spread for one in runs]),
            ("exploitability of the averages", [one.exploitability for one in runs]),
            ("variety of the mixing genes", [one.variety for one in runs]),
        ):
            if runs:
                name = f"{what} over the last fifth, runs that {words}, {how}"
                yield sample(name, spread(values), still=group.still, near=NEAR)
