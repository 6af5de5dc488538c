"""Co-evolution in the wider games (5.3.4, Appendix E): who is ahead, whether they settle, and where the genes tend.

Fixed before the runs: the second player is ahead if population 1's average fitness over the last fifth is below
zero by its whole interval, and not always if population 1 is ahead in more than `RARELY` of the generations;
"never an equilibrium" is judged as in settling.py.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from cardwin.games import game as game_of
from cardwin.papers import Context, Finding
from cardwin.papers import old_rules as verdicts
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_TABLES
from cardwin.papers.lopez_pozuelo.rest import Rest, late, rest_of, settled_share, share_text
from cardwin.papers.lopez_pozuelo.rivalry import draw
from cardwin.papers.lopez_pozuelo.settling import RARELY, SELDOM
from cardwin.papers.trials import mean_over, preset_with, spread, trials
from cardwin.reports import chromosomes, html
from cardwin.runs.problems.small_game import seats
from cardwin.runs.reader import RunData
from cardwin.solvers import answers
from cardwin.solvers.tree import tree_of


def variants(context: Context) -> Iterator[Finding]:
    """Appendix E: the wider games, their curves and tables."""
    seeds, last = context.pick(1, 17, 20, 20), context.pick(100, 1000, 1000, 1000)
    runs: dict[str, list[RunData]] = {}
    for game in COEVOLVED_TABLES:
        preset = "lopez-co" + game.replace("kuhn", "evolution")
        chosen = [preset_with(preset, context.key(preset, n), {"generations": last}) for n in range(seeds)]
        runs[game] = trials(chosen, context.workers)
    caption = "Figures E.1, E.3 and E.5: co-evolution in the wider games, one run each."
    draw(context, "coevolution-variants", [own[0] for own in runs.values()], caption)
    _tables(context, runs)
    for figure, (game, own) in zip(("E.1", "E.3", "E.5"), runs.items(), strict=True):
        yield from ahead(f"Figure {figure}", game, own)
        yield settles(f"Figure {figure}", game, [rest_of(run) for run in own])


def ahead(place: str, game: str, runs: list[RunData]) -> Iterator[Finding]:
    """Who is ahead, and whether always."""
    ours = spread([late(seats(run)[0].metrics["mean"]).mean() for run in runs])
    value = answers.game_value(game_of(game))
    yield Finding(
        place,
        f"{game}, the second player is ahead (population 1's average)",
        published="below 0",
        **mean_over(ours, "seeds"),
        exact=float(value),
        verdict=verdicts.below(ours.ci95),
        reason=f"the last fifth of the generations; in equilibrium {value}",
    )
    often = spread([(seats(run)[0].metrics["mean"] > 0).mean() for run in runs], shares=True)
    yield Finding(
        place,
        f"{game}, population 1 sometimes prevails, share of generations",
        published="sometimes",
        **mean_over(often, "seeds"),
        verdict=verdicts.happens(often.ci95, RARELY),
    )


def settles(place: str, game: str, found: list[Rest]) -> Finding:
    """Whether any run settles."""
    share = settled_share(found)
    return Finding(
        place,
        f"{game}, co-evolution comes to rest, share of runs",
        published="never",
        **mean_over(share, "seeds"),
        verdict=verdicts.hardly_happens(share.ci95, SELDOM),
        reason=f"{share_text(share)} settle",
    )


def _tables(context: Context, runs: dict[str, list[RunData]]) -> None:
    figure = html.figure(9, 6.6)
    grid = figure.subplots(3, 6, height_ratios=[6, 4, 12])
    curves: dict[str, Iterable[Any]] = {}
    for line, (game, own) in enumerate(runs.items()):
        tree = tree_of(game_of(game))
        settled = answers.equilibrium(tree.game)
        for seat in (0, 1):
            lay = chromosomes.layout(tree.sequences[seat].gene_names)
            ours = np.concatenate([late(seats(run)[seat].arrays["champion"]) for run in own]).mean(axis=0)
            printed = COEVOLVED_TABLES[game][seat].replace("/", " ").split()
            right = [float(gene) for gene in settled.genes(seat)]
            panels = {
                "printed": (chromosomes.values_of(printed), printed),
                "ours": (ours, chromosomes.marks(ours)),
                "equilibrium": (np.array(right), None),
            }
            for column, (what, (values, marks)) in enumerate(panels.items()):
                axes = grid[line, 3 * seat + column]
                chromosomes.heat_map(axes, lay, values, marks)
                axes.set_title(f"{game}, {seat + 1}\n{what}", fontsize=7)
                if column:
                    axes.set_yticks([])
            curves |= {f"{game} gene": tree.sequences[seat].gene_names, f"{game} {seat + 1} printed": printed}
            curves |= {f"{game} {seat + 1} ours": ours.tolist(), f"{game} {seat + 1} equilibrium": right}
    caption = (
        "Figures E.2, E.4 and E.6: where co-evolution tends, by seat; ours is the mean of the fittest of the last "
        "fifth of the generations. The equilibrium is one of many: genes behind choices never made are 0 in it."
    )
    context.picture("coevolution-variants-genes", figure, caption, curves)
