"""Pictures of settled co-evolution: where in the family of equilibria, from which generation."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.rest import Group
from cardwin.reports import html

COLOURS = ("#1d4f91", "#b42318")
AWAY = "#b9c0cc"


def family(context: Context, groups: Mapping[str, Group]) -> None:
    """Every run's genes over its last fifth, with the equilibria as lines.

    In the first seat those are B_J = a, B_K = 3a, C_Q = a + 1/3 for 0 <= a <= 1/3; in the second one B_J = C_Q = 1/3.
    """
    figure = html.figure(11, 3.8)
    panels = figure.subplots(1, 3)
    places = ((0, 0, 2, "B_J", "B_K"), (0, 0, 4, "B_J", "C_Q"), (1, 0, 4, "B_J", "C_Q"))
    a = np.linspace(0, 1 / 3, 50)
    curves: dict[str, Iterable[Any]] = {"equilibria: B_J": a, "equilibria: B_K": 3 * a, "equilibria: C_Q": a + 1 / 3}
    for axes, (seat, x, y, across, up) in zip(panels, places, strict=True):
        if seat == 0:
            axes.plot(a, 3 * a if up == "B_K" else a + 1 / 3, color="#2e7d4f", lw=3, alpha=0.7, label="equilibria")
        else:
            axes.plot(1 / 3, 1 / 3, "*", color="#2e7d4f", ms=16, alpha=0.7, label="equilibrium")
        for (how, group), mark in zip(groups.items(), "os", strict=True):
            for settled, runs in ((False, group.moving), (True, group.settled)):
                own = np.array([one.genes[seat, [x, y]] for one in runs]).reshape(-1, 2)
                words = f"{'settled' if settled else 'not settled'}, {how}"
                colour = COLOURS[list(groups).index(how)] if settled else AWAY
                axes.plot(own[:, 0], own[:, 1], mark, color=colour, ms=5, alpha=0.8, label=f"{words} ({len(own)})")
                curves[f"player {seat + 1}, {words}: {across}"] = own[:, 0]
                curves[f"player {seat + 1}, {words}: {up}"] = own[:, 1]
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=across, ylabel=up)
        axes.set_title(f"player {seat + 1}", fontsize=9)
    html.legend_outside(figure, panels[0], 3)
    caption = (
        "Where co-evolution of Kuhn poker ends: each run's mean genes over its last fifth. Runs that settle lie on the "
        "family of equilibria; the others cycle around it."
    )
    context.picture("settled-runs", figure, caption, curves)


def by_generation(context: Context, groups: Mapping[str, Group]) -> None:
    """The share of runs whose fitness was stable during the fifth of the run before each generation."""
    figure = html.figure(7, 3.4)
    axes = figure.subplots()
    curves: dict[str, Iterable[Any]] = {}
    for (how, group), colour in zip(groups.items(), COLOURS, strict=True):
        share = np.mean([one.spreads <= group.still for one in group.runs], axis=0)
        label = f"{how}, {len(group.runs)} runs, within {group.still:.4f}"
        axes.plot(group.runs[0].windows, share, color=colour, lw=1.5, label=label)
        curves |= {f"{how}: generation": group.runs[0].windows, f"{how}: share": share}
    axes.set(ylim=(-0.02, 1.02), xlabel="generation", ylabel="share of runs with stable fitness")
    html.legend_outside(figure, axes, 2)
    caption = (
        "When fitness becomes stable: the deviation of population 1's fitness over the fifth of the run before is "
        "within the bound of its noise."
    )
    context.picture("settled-since", figure, caption, curves)
