"""How many co-evolving populations settle in an equilibrium (5.1.2, 6.1), over many seeds.

The document judged a member by one sampled game against each of the other population's 1,010 members. So its claims are
judged in that condition. Runs by exact fitness are shown beside them and have no verdict.

Fixed before the runs, besides the rule of convergence.py for "settled": the document shows one run of each game. It
"comes to rest" if more than a third of our runs settle, and "never" does if fewer do, so that no share is both. A third
is the smallest round share that ten runs, the fewest of any game at scale hour, can distinguish from none. "No
bluffing" and "no sandbagging" mean that the jack is bet, or the king checked, at most a twentieth of the time. These
margins are in the register.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.convergence import (
    MAX_EXPLOITABILITY,
    MIN_BOUND,
    Group,
    LastFifth,
    reference_runs,
    run_preset,
    stability_bound,
)
from cardwin.papers.lopez_pozuelo.evolved_responses import SAMPLED_GAMES
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_1, COEVOLVED_2
from cardwin.papers.sample import SHARES, Sample, sample, spread
from cardwin.reports import html
from cardwin.stats.intervals import Share

SHARE_NAME = "co-evolution comes to rest in an equilibrium, share of runs"
EXACT_FITNESS, GAMES_PLAYED_OUT = "exact fitness", "games played out"
KUHN = "lopez-coevolution"
SMALL: dict[str, Any] = {"population": {"size": 101}, "generations": 200}
EQUILIBRIUM_BETS = {(0, "B_J"): "0 to 1/3", (1, "B_J"): "1/3", (0, "B_K"): "0 to 1", (1, "B_K"): "1"}
COLOURS = ("#1d4f91", "#b42318")
UNSETTLED_COLOUR = "#b9c0cc"


def settling(context: Context) -> Iterator[Sample]:
    """Evolve the document's two populations, in sampled games and by exact fitness."""
    by_value = run_preset(context, KUHN, context.pick(4, 30, 60, 60), context.pick(SMALL, {}, {}, {}))
    sampled = run_in_sampled_games(context, KUHN, context.pick(2, 12, 40, 60), context.pick(1, 4, 8, 8))
    exact = Group(by_value, MIN_BOUND)
    groups = {GAMES_PLAYED_OUT: sampled, EXACT_FITNESS: exact}
    draw_final_genes(context, groups)
    draw_settled_share(context, groups)
    yield settled_share(f"{SHARE_NAME}, {GAMES_PLAYED_OUT}", sampled)
    yield sample(f"{SHARE_NAME}, {EXACT_FITNESS}", exact.share, settled=share_text(exact.share))
    yield sample("population 1's average fitness over the last fifth", spread([run.mean for run in sampled.runs]))
    yield from deceptions(sampled.runs)
    for condition, group in groups.items():
        yield from _last_fifth_properties(condition, group)


def run_in_sampled_games(context: Context, preset: str, seeds: int, reference_seeds: int) -> Group:
    """Run a preset in sampled games, with the bound from its reference runs."""
    changes = {"fitness": SAMPLED_GAMES, **context.pick(SMALL, {}, {}, {})}
    bound = stability_bound(reference_runs(context, preset, reference_seeds, changes))
    return Group(run_preset(context, preset, seeds, changes), bound)


def settled_share(name: str, group: Group) -> Sample:
    """Return the share of runs that settle (figures 5.3, E.1, E.3, E.5)."""
    return sample(name, group.share, settled=share_text(group.share), still=group.bound, near=MAX_EXPLOITABILITY)


def share_text(share: Share) -> str:
    """Return a share in words."""
    return f"{share.count} of {share.n}"


def deceptions(runs: list[LastFifth]) -> Iterator[Sample]:
    """Yield how often co-evolved players bet their lowest card and check their highest, ours and printed (6.1).

    Args:
        runs: The last fifth of each run.

    """
    for (seat, gene), equilibria in EQUILIBRIUM_BETS.items():
        index = 0 if gene == "B_J" else 2
        deception = "bluffs, share of the jacks bet" if gene == "B_J" else "sandbags, share of the kings checked"
        bets = [float(run.genes[seat, index]) for run in runs]
        yield sample(
            f"co-evolved player {seat + 1} {deception}",
            spread([abs(bet - index / 2) for bet in bets], SHARES),
            exact=f"equilibria: {gene} {equilibria}",
            gene=gene,
            printed=float((COEVOLVED_1, COEVOLVED_2)[seat].genes.split(",")[index]),
        )


def _last_fifth_properties(condition: str, group: Group) -> Iterator[Sample]:
    """Yield properties of the runs that settled, and of those that did not."""
    for outcome, runs in (("settled", group.settled), ("did not settle", group.unsettled)):
        properties = {
            "fitness": [run.mean for run in runs],
            "deviation of fitness": [run.deviation for run in runs],
            "exploitability of the averages": [run.exploitability for run in runs],
            "variety of the mixing genes": [run.variety for run in runs],
        }
        for title, values in properties.items():
            if runs:
                name = f"{title} over the last fifth, runs that {outcome}, {condition}"
                yield sample(name, spread(values), still=group.bound, near=MAX_EXPLOITABILITY)


def draw_final_genes(context: Context, groups: Mapping[str, Group]) -> None:
    """Draw every run's genes over its last fifth, with the equilibria as lines.

    In the first seat the equilibria are B_J = a, B_K = 3a, C_Q = a + 1/3 for 0 <= a <= 1/3; in the second one B_J =
    C_Q = 1/3.
    """
    figure = html.figure(11, 3.8)
    panels = figure.subplots(1, 3)
    axes_of_panels = ((0, 0, 2, "B_J", "B_K"), (0, 0, 4, "B_J", "C_Q"), (1, 0, 4, "B_J", "C_Q"))
    a = np.linspace(0, 1 / 3, 50)
    curves: dict[str, Iterable[Any]] = {"equilibria: B_J": a, "equilibria: B_K": 3 * a, "equilibria: C_Q": a + 1 / 3}
    for axes, (seat, x, y, across, up) in zip(panels, axes_of_panels, strict=True):
        if seat == 0:
            axes.plot(a, 3 * a if up == "B_K" else a + 1 / 3, color="#2e7d4f", lw=3, alpha=0.7, label="equilibria")
        else:
            axes.plot(1 / 3, 1 / 3, "*", color="#2e7d4f", ms=16, alpha=0.7, label="equilibrium")
        for (condition, group), mark in zip(groups.items(), "os", strict=True):
            for settled, runs in ((False, group.unsettled), (True, group.settled)):
                points = np.array([run.genes[seat, [x, y]] for run in runs]).reshape(-1, 2)
                words = f"{'settled' if settled else 'not settled'}, {condition}"
                colour = COLOURS[list(groups).index(condition)] if settled else UNSETTLED_COLOUR
                label = f"{words} ({len(points)})"
                axes.plot(points[:, 0], points[:, 1], mark, color=colour, ms=5, alpha=0.8, label=label)
                curves[f"player {seat + 1}, {words}: {across}"] = points[:, 0]
                curves[f"player {seat + 1}, {words}: {up}"] = points[:, 1]
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=across, ylabel=up)
        axes.set_title(f"player {seat + 1}", fontsize=9)
    html.legend_outside(figure, panels[0], 3)
    caption = (
        "Where co-evolution of Kuhn poker ends: each run's mean genes over its last fifth. Runs that settle lie on the "
        "family of equilibria; the others cycle around it."
    )
    context.picture("settled-runs", figure, caption, curves)


def draw_settled_share(context: Context, groups: Mapping[str, Group]) -> None:
    """Draw the share of runs whose fitness was stable during the fifth of the run before each generation."""
    figure = html.figure(7, 3.4)
    axes = figure.subplots()
    curves: dict[str, Iterable[Any]] = {}
    for (condition, group), colour in zip(groups.items(), COLOURS, strict=True):
        share = np.mean([run.deviations <= group.bound for run in group.runs], axis=0)
        label = f"{condition}, {len(group.runs)} runs, within {group.bound:.4f}"
        axes.plot(group.runs[0].windows, share, color=colour, lw=1.5, label=label)
        curves |= {f"{condition}: generation": group.runs[0].windows, f"{condition}: share": share}
    axes.set(ylim=(-0.02, 1.02), xlabel="generation", ylabel="share of runs with stable fitness")
    html.legend_outside(figure, axes, 2)
    caption = (
        "When fitness becomes stable: the deviation of population 1's fitness over the fifth of the run before is "
        "within the bound of its noise."
    )
    context.picture("settled-since", figure, caption, curves)
