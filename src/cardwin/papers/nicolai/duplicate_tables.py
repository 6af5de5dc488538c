"""Champions of the four controls at nine-seat duplicate tables with eight benchmarks (the document's figure 7).

Claims about ways to evolve are judged by intervals over seeds: one evolution of each kind cannot tell, whatever the
number of tables. A player out-ranks a control if the interval of the difference is on that side of 0, and perhaps if it
covers 0. The document's t-tests are about champions: these are judged over tables.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cardwin.papers import Context
from cardwin.papers.evolutions import Evolved
from cardwin.papers.nicolai.champion_fitness import stated_fitness
from cardwin.papers.nicolai.comparisons import claims
from cardwin.papers.nicolai.controls import CONTROLS, benchmarks, champion_names, champions, size_of
from cardwin.papers.nicolai.seatings import AGENTS, FOLDER, PUBLISHED, Seating, estimate, sit
from cardwin.papers.sample import Sample
from cardwin.reports import html


def duplicate_tables(context: Context) -> Iterator[Sample]:
    """Evolve the controls, play their champions at duplicate tables, and yield what the claims are about."""
    size = size_of(context)
    seatings: dict[str, list[Seating]] = {name: [] for name in PUBLISHED}
    folders: list[Seating] = []
    runs: dict[str, Evolved] = {}
    for number in range(size.seeds):
        others = benchmarks(context, number)
        folders.append(sit(context, FOLDER, others, number))
        for name, control in CONTROLS.items():
            run = runs[f"{name} {number}"] = champions(context, name, control, number)
            for label, population in zip(champion_names(name, control), control.champions, strict=True):
                seatings[label].append(sit(context, f"net:{run.champions[population]}", others, number))
    context.text(
        f"{'One seed' if size.seeds == 1 else f'{size.seeds} seeds'}; populations of {size.population} (Baseline, "
        f"LargeHOF) and {size.population // 2}, {size.generations} generations of {size.tournaments} tournaments; "
        f"champions chosen in a final of {size.final:,} fresh tournaments; {size.tables:,} duplicate tables of nine "
        "tournaments for each champion."
    )
    _show(context, seatings, folders)
    rows = [[name, run.digest, run.answer["seconds"] / 60] for name, run in runs.items()]
    context.table("Evolutions", ["evolution", "digest", "minutes"], rows)
    yield from claims(seatings, folders)
    yield from stated_fitness(context, runs)


def _show(context: Context, seatings: Mapping[str, Sequence[Seating]], folders: Sequence[Seating]) -> None:
    """Draw figure 7 and show its numbers."""
    means = {name: np.mean([seating.means for seating in rows], axis=0) for name, rows in seatings.items()}
    figure = html.figure(11, 4.6)
    axes = figure.subplots()
    width = 0.8 / len(means)
    for number, (name, row) in enumerate(means.items()):
        x = np.arange(len(AGENTS)) + (number - (len(means) - 1) / 2) * width
        intervals = [estimate([seating.places[:, k] for seating in seatings[name]])[1] for k in range(len(AGENTS))]
        bars = [0.0 if interval is None else (interval[1] - interval[0]) / 2 for interval in intervals]
        axes.bar(x, row, width, yerr=bars, error_kw={"lw": 0.8, "ecolor": "#475467"}, label=name)
        axes.plot([x[0]], [PUBLISHED[name]], "k_", ms=9, mew=2, label="published" if number == 0 else None)
    axes.set_xticks(range(len(AGENTS)), AGENTS, fontsize=8)
    axes.set(ylabel="mean rank of 9 (1 is best)", ylim=(1, 9))
    axes.legend(fontsize=7, frameon=False, ncols=3)
    caption = (
        "Mean ranks at each control's duplicate tables, as in the document's figure 7, with 95% intervals; its printed "
        "ranks are dashes."
    )
    context.picture("figure-7", figure, caption, {"agent": AGENTS, **means})
    for title, attribute in (("win share", "wins"), ("mbb per hand", "mbb")):
        rows: list[list[str | float | None]] = [
            [name, *np.mean([getattr(seating, attribute) for seating in played], axis=0).tolist()]
            for name, played in {**seatings, "a second Folder": folders}.items()
        ]
        context.table(f"At the same tables: {title}", ["control", *AGENTS], rows)
    context.table("Mean ranks", ["control", *AGENTS], [[name, *row.tolist()] for name, row in means.items()])
