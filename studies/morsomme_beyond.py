"""Morsomme (2019): extensions that the script leaves to another one: mixed strategies, and no cleaning."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from cardwin.papers import Context
from cardwin.papers.evolutions import evolve_all, preset_with
from cardwin.papers.sample import Sample, sample, spread
from cardwin.reports import html
from cardwin.runs.problems.small_game import seats
from cardwin.runs.reader import RunData
from study import main


def beyond(context: Context) -> Iterator[Sample]:
    """Measure extensions that the script leaves to another one: mixed strategies, and no cleaning."""
    last, seeds = context.pick(100, 300, 1000, 1000), context.pick(4, 6, 20, 20)
    terminals = {}
    for preset in ("morsomme", "morsomme-unclean", "morsomme-stochastic", "morsomme-hall"):
        changes = {"generations": last, "record_members": False}
        runs = evolve_all([preset_with(preset, context.key(preset, n), changes) for n in range(seeds)], context.workers)
        terminals[preset] = runs
        for what, column in (("population's average", "average_exploitability"),
                             ("hall of fame", "hall_exploitability")):  # fmt: skip
            gaps = [np.mean([s.metrics[column][last // 2 :].mean() for s in seats(run).values()]) for run in runs]
            name = f"{runs[0].experiment.title}, exploitability of the {what}"
            reason = f"what a seat gives away to a perfect opponent, mean of the second half of {last} generations"
            gap = spread([float(gap) for gap in gaps])
            yield sample(name, gap, place="ours", over="seeds", exact=0.0, reason=reason)
    _draw_steps(context, terminals)


def _draw_steps(context: Context, terminals: dict[str, list[RunData]]) -> None:
    figure = html.figure(8, 3.4)
    axes = figure.subplots()
    curves: dict[str, Iterable[Any]] = {}
    for (preset, runs), colour in zip(terminals.items(), ("#1d4f91", "#9a5b00", "#b42318", "#2e7d4f"), strict=True):
        line = np.mean([s.metrics["hall_exploitability"] for s in seats(runs[0]).values()], axis=0)
        axes.plot(line, lw=1, color=colour, label=runs[0].experiment.title)
        curves[preset] = line
    axes.set(xlabel="generation", ylabel="exploitability", yscale="log")
    html.legend_outside(figure, axes, 2)
    context.picture("beyond", figure, "Four extensions: the exploitability of the champions' average.", curves)


if __name__ == "__main__":
    main(beyond)
