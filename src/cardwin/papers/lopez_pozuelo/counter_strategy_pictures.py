"""Pictures of counter-strategies (counter_strategies.py): winnings and genes, printed, ours and exact."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.evolved_responses import LAST_GENERATIONS, EvolvedResponse
from cardwin.papers.lopez_pozuelo.published import Variant
from cardwin.reports import chromosomes, html
from cardwin.solvers import exact


def show(context: Context, variant: Variant, responses: list[EvolvedResponse]) -> None:
    """Add the table and the pictures of one game to the report."""
    _table(context, responses)
    name = responses[0].tree.game.name.replace(":", "-").replace("=", "").replace("/", "-")
    _picture_of_winnings(context, f"fittest-{name}", responses)
    _picture_of_genes(context, f"genes-{name}", variant, responses)


def _table(context: Context, responses: list[EvolvedResponse]) -> None:
    header = ["against", "evolved by exact fitness", "95% interval", "seeds", "exact best response", "genes"]
    rows = [
        [
            evolved.title,
            evolved.exact_runs.mean,
            "" if evolved.exact_runs.ci95 is None else " to ".join(f"{end:.4f}" for end in evolved.exact_runs.ci95),
            evolved.exact_runs.n,
            exact.short_fraction(evolved.response.value),
            evolved.layout.line(chromosomes.marks(evolved.genes)),
        ]
        for evolved in responses
    ]
    context.table("What evolution finds with exact fitness", header, rows)


def _picture_of_winnings(context: Context, name: str, responses: list[EvolvedResponse]) -> None:
    figure = html.figure(9, 3.6)
    axes = figure.subplots()
    x = np.arange(len(responses))
    exactly = [float(evolved.response.value) for evolved in responses]
    printed = [np.nan if evolved.case.won is None else evolved.case.won for evolved in responses]
    axes.bar(x, exactly, 0.7, color="#c9d6ea", label="exact: the most that can be won")
    axes.plot(x - 0.12, printed, "x", color="#b42318", ms=8, mew=2, label="printed")
    sampled = [evolved.sampled_runs.mean for evolved in responses]
    label = "ours, sampled games, 95% over seeds"
    axes.errorbar(x + 0.12, sampled, _halves(responses), fmt="o", color="#1d4f91", ms=5, capsize=2, label=label)
    axes.set_xticks(x, [evolved.title.replace(", ", "\n") for evolved in responses], fontsize=7)
    axes.set_ylabel("chips per game")
    html.legend_outside(figure, axes, 3)
    axes.spines[["top", "right"]].set_visible(False)
    curves: dict[str, Iterable[Any]] = {
        "case": [evolved.title for evolved in responses],
        "printed": ["" if evolved.case.won is None else evolved.case.won for evolved in responses],
        "played": sampled,
        "exact": exactly,
    }
    caption = (
        f"{responses[0].tree.game.name}: the fittest of all generations. Anything above the bars is selected noise."
    )
    context.picture(name, figure, caption, curves)


def _halves(responses: list[EvolvedResponse]) -> list[float]:
    """Return half the width of each response's interval; 0 for a single run."""
    intervals = [evolved.sampled_runs.ci95 or (0.0, 0.0) for evolved in responses]
    return [(high - low) / 2 for low, high in intervals]


def _picture_of_genes(context: Context, name: str, variant: Variant, responses: list[EvolvedResponse]) -> None:
    layout = responses[0].layout
    rows = [evolved for evolved in responses if evolved.case.marks] or responses
    shown = ["printed", "ours", "exact"] if rows[0].case.marks else ["ours", "exact"]
    figure = html.figure(1.25 * len(rows) + 0.5, len(shown) * (0.35 + 0.17 * len(layout.rows)) + 0.5)
    for line, (axes, source) in enumerate(zip(figure.subplots(len(shown), 1), shown, strict=True)):
        middles = chromosomes.heat_maps(axes, layout, [_panel(evolved, source) for evolved in rows])
        axes.set_ylabel(source, fontsize=8)
        if not line:
            for middle, evolved in zip(middles, rows, strict=True):
                axes.text(middle, -0.7, evolved.title.replace(", ", "\n"), ha="center", va="bottom", fontsize=7)
    curves: dict[str, Sequence[object]] = {"gene": responses[0].tree.sequences[0].gene_names}
    for evolved in rows:
        curves |= {f"{evolved.title}: ours": evolved.genes.tolist(), f"{evolved.title}: exact": evolved.response.forced}
        curves |= {f"{evolved.title}: printed": evolved.case.marks or []}
    caption = (
        f"{variant.section}, {responses[0].tree.game.name}: counter-strategies. Ours is the mean of the fittest of the "
        f"last {LAST_GENERATIONS} generations, by exact fitness; the stars are forced only where they are reached."
    )
    context.picture(name, figure, caption, curves)


def _panel(evolved: EvolvedResponse, source: str) -> tuple[Floats, list[str]]:
    """Return one chromosome of the picture: genes and marks."""
    if source == "ours":
        return evolved.genes, chromosomes.marks(evolved.genes)
    marks = evolved.case.marks or [] if source == "printed" else evolved.response.forced
    return chromosomes.values_of(marks), marks
