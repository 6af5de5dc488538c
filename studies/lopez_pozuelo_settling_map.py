"""López Pozuelo (2015): which settings of co-evolution settle, by mutation and by the games that judge a member."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.convergence import MIN_BOUND, Group, reference_runs, run_preset, stability_bound
from cardwin.papers.lopez_pozuelo.convergence_findings import KUHN, SMALL, share_text
from cardwin.papers.sample import Sample, sample
from cardwin.reports import html
from cardwin.stats.intervals import Share, share_of
from study import main

MUTATIONS = (0.002, 0.01, 0.05, 0.2)
GAMES = (101, 1010, 10_100)  # by which a member is judged, besides exactly


def settling_map(context: Context) -> Iterator[Sample]:
    """Measure the share of runs that settle, by mutation rate and number of games per member."""
    seeds, begun = context.pick(1, 3, 10, 40), context.pick(1, 3, 5, 8)
    games = context.pick(GAMES[1:2], GAMES, GAMES, GAMES)
    rates = context.pick(MUTATIONS[:2], MUTATIONS, MUTATIONS, MUTATIONS)
    base: dict[str, Any] = context.pick({**SMALL, "generations": 100}, {}, {}, {})
    cells: dict[tuple[str, float], Share] = {}
    for number in (*games, None):
        noise: dict[str, Any] = {} if number is None else {"fitness": {"play": "pooled", "games": number}}
        still = (
            MIN_BOUND if number is None else stability_bound(reference_runs(context, KUHN, begun, {**base, **noise}))
        )
        for rate in rates:
            runs = run_preset(context, KUHN, seeds, {**base, **noise, "search": {"mutation_rate": rate}})
            cells["exact" if number is None else f"{number:,}", rate] = Group(runs, still).share
    _draw(context, cells)
    for words, key in (("mutation rate", 1), ("games of a member", 0)):
        text = ", ".join(f"{value}: {share_text(share)}" for value, share in _pooled(cells, key).items())
        over = f"{seeds} seeds a cell"
        yield sample(f"share of runs that settle by {words}", text, place="5.1.2", over=over)


def _pooled(cells: Mapping[tuple[str, float], Share], key: int) -> dict[Any, Share]:
    """Return shares by one of the two settings, pooled over the values of the other."""
    groups: dict[Any, list[Share]] = {}
    for cell, share in cells.items():
        groups.setdefault(cell[key], []).append(share)
    return {value: share_of(sum(s.count for s in own), sum(s.n for s in own)) for value, own in groups.items()}


def _draw(context: Context, cells: Mapping[tuple[str, float], Share]) -> None:
    """Draw the share of runs that settle: a cell per number of games that judge a member and mutation rate."""
    figure = html.figure(6, 3.4)
    axes = figure.subplots()
    games, rates = list(dict.fromkeys(cell[0] for cell in cells)), list(dict.fromkeys(cell[1] for cell in cells))
    grid = np.array([[cells[number, rate].mean for rate in rates] for number in games])
    axes.imshow(grid, cmap="Blues", vmin=0, vmax=1.2, aspect="auto", origin="lower")
    for (number, rate), share in cells.items():
        dark = "white" if share.mean > 0.6 else "#20242c"
        at = rates.index(rate), games.index(number)
        axes.text(*at, f"{share.count}/{share.n}", ha="center", va="center", fontsize=9, color=dark)
    axes.set_xticks(range(len(rates)), [str(rate) for rate in rates])
    axes.set_yticks(range(len(games)), games)
    axes.set(xlabel="mutation rate of a chromosome", ylabel="games that judge a member")
    curves: dict[str, Iterable[Any]] = {
        "games": [cell[0] for cell in cells],
        "mutation": [cell[1] for cell in cells],
        "settled": [share.count for share in cells.values()],
        "runs": [share.n for share in cells.values()],
    }
    caption = (
        "How many runs settle, by mutation and by noise: a member's fitness is exact, or its mean over this many games "
        "against members drawn at random. The document: about 1,010 games, and .01."
    )
    context.picture("settling-map", figure, caption, curves)


if __name__ == "__main__":
    main(settling_map, "settling")
