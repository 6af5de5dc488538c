"""Pictures of the counter-strategies of counter.py: winnings and genes, printed, ours and exact."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.answers import LATE, Answer
from cardwin.papers.lopez_pozuelo.published import Variant
from cardwin.reports import chromosomes, html
from cardwin.solvers import exact


def show(context: Context, variant: Variant, found: list[Answer]) -> None:
    """All pictures of one game."""
    _table(context, found)
    name = found[0].tree.game.name.replace(":", "-").replace("=", "").replace("/", "-")
    _picture_of_winnings(context, f"fittest-{name}", found)
    _picture_of_genes(context, f"genes-{name}", variant, found)


def _table(context: Context, found: list[Answer]) -> None:
    header = ["against", "evolved by exact fitness", "95% interval", "seeds", "exact best response", "genes"]
    rows = [
        [
            answer.title,
            answer.value.mean,
            "" if answer.value.ci95 is None else " to ".join(f"{end:.4f}" for end in answer.value.ci95),
            answer.value.n,
            exact.short_fraction(answer.response.value),
            answer.layout.line(chromosomes.marks(answer.genes)),
        ]
        for answer in found
    ]
    context.table("What evolution finds with exact fitness", header, rows)


def _picture_of_winnings(context: Context, name: str, found: list[Answer]) -> None:
    figure = html.figure(9, 3.6)
    axes = figure.subplots()
    x = np.arange(len(found))
    exactly = [float(answer.response.value) for answer in found]
    printed = [np.nan if answer.case.won is None else answer.case.won for answer in found]
    axes.bar(x, exactly, 0.7, color="#c9d6ea", label="exact: the most that can be won")
    axes.plot(x - 0.12, printed, "x", color="#b42318", ms=8, mew=2, label="printed")
    axes.errorbar(
        x + 0.12, [one.played_runs.mean for one in found], _halves(found), fmt="o", color="#1d4f91", ms=5, capsize=2,
        label="ours, sampled games, 95% over seeds",
    )  # fmt: skip
    axes.set_xticks(x, [answer.title.replace(", ", "\n") for answer in found], fontsize=7)
    axes.set_ylabel("chips a game")
    html.legend_outside(figure, axes, 3)
    axes.spines[["top", "right"]].set_visible(False)
    curves: dict[str, Iterable[Any]] = {
        "case": [answer.title for answer in found],
        "printed": ["" if answer.case.won is None else answer.case.won for answer in found],
        "played": [one.played_runs.mean for one in found],
        "exact": exactly,
    }
    caption = f"{found[0].tree.game.name}: the fittest of all generations. Anything above the bars is selected noise."
    context.picture(name, figure, caption, curves)


def _halves(found: list[Answer]) -> list[float]:
    return [
        0.0 if (terminals := answer.played_runs.ci95) is None else (terminals[1] - terminals[0]) / 2 for answer in found
    ]


def _picture_of_genes(context: Context, name: str, variant: Variant, found: list[Answer]) -> None:
    lay = found[0].layout
    rows = [answer for answer in found if answer.case.marks] or found
    shown = ["printed", "ours", "exact"] if rows[0].case.marks else ["ours", "exact"]
    figure = html.figure(1.25 * len(rows) + 0.5, len(shown) * (0.35 + 0.17 * len(lay.rows)) + 0.5)
    for line, (axes, what) in enumerate(zip(figure.subplots(len(shown), 1), shown, strict=True)):
        middles = chromosomes.heat_maps(axes, lay, [_panel(answer, what) for answer in rows])
        axes.set_ylabel(what, fontsize=8)
        if not line:
            for middle, answer in zip(middles, rows, strict=True):
                axes.text(middle, -0.7, answer.title.replace(", ", "\n"), ha="center", va="bottom", fontsize=7)
    curves: dict[str, Sequence[object]] = {"gene": found[0].tree.sequences[0].gene_names}
    for answer in rows:
        curves |= {f"{answer.title}: ours": answer.genes.tolist(), f"{answer.title}: exact": answer.response.forced}
        curves |= {f"{answer.title}: printed": answer.case.marks or []}
    caption = (
        f"{variant.place}, {found[0].tree.game.name}: counter-strategies. Ours is the mean of the fittest of the "
        f"last {LATE} generations, by exact fitness; the stars are forced only where they are reached."
    )
    context.picture(name, figure, caption, curves)


def _panel(answer: Answer, what: str) -> tuple[Floats, list[str]]:
    """One chromosome of the picture: genes and marks."""
    if what == "ours":
        return answer.genes, chromosomes.marks(answer.genes)
    marks = answer.case.marks or [] if what == "printed" else answer.response.forced
    return chromosomes.values_of(marks), marks
