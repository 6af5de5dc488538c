"""Co-evolution in the wider games (5.3.3, 5.3.4, Appendix E): who is ahead, do they settle, and where the genes tend.

Judged in games played out, as the document did it. Fixed before the runs:
- the second player is ahead if population 1's average fitness over the last fifth is below zero by more than the
  margin of the register, and not always if population 1 is ahead in more than a hundredth of the generations;
- "never an equilibrium" is judged as in settling.py, by the share of runs that settle. The bound of "settled" is that
  of the game's own references, and at least that of the classic game at the same noise;
- a printed table of genes agrees if the mean fittest of our runs is on the printed side (0 below a half, 1 above) in
  more than nine tenths of the genes printed as 0 or 1;
- "very safe" means that the jack is bet at most as often as "no bluffing" does in settling.py;
- "less signs of convergence" in the full game (5.3.3): against the models, by exact fitness, the share of genes whose
  fittest still vary by more than `VARIES` over the last generations, minus that in the classic game.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.answers import LATE, PLAYED
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_TABLES
from cardwin.papers.lopez_pozuelo.rest import Group, Rest, bound_of, references, rest_of
from cardwin.papers.lopez_pozuelo.rivalry import draw
from cardwin.papers.lopez_pozuelo.rules import NAMES
from cardwin.papers.lopez_pozuelo.settling import KUHN, SMALL, comes_to_rest
from cardwin.papers.sample import DIFFERENCES, SHARES, Sample, sample, spread
from cardwin.papers.trials import preset_with, trials
from cardwin.reports import chromosomes, html
from cardwin.runs.problems.small_game import seats
from cardwin.runs.reader import RunData
from cardwin.solvers import equilibria
from cardwin.solvers.tree import tree_of

VARIES = 0.1


def variants(context: Context) -> Iterator[Sample]:
    """Appendix E: the wider games, their curves and tables."""
    seeds = context.pick((1, 1, 1), (3, 3, 1), (40, 40, 10), (40, 40, 20))
    begun = context.pick(1, 1, 4, 8)
    changes: dict[str, Any] = {"fitness": PLAYED, **context.pick({**SMALL, "generations": 100}, {}, {}, {})}
    least = bound_of(references(context, KUHN, context.pick(1, 2, 8, 8), changes))
    groups: dict[str, Group] = {}
    drawn: list[RunData] = []
    for game, count in zip(COEVOLVED_TABLES, seeds, strict=True):
        preset = "lopez-co" + game.replace("kuhn", "evolution")
        still = bound_of(references(context, preset, begun, changes), least)
        runs = trials([preset_with(preset, context.key(preset, n), changes) for n in range(count)], context.workers)
        drawn.append(runs[0])
        groups[game] = group = Group([rest_of(run) for run in runs], still)
        yield from ahead(game, group.runs)
        yield comes_to_rest(f"{game}, co-evolution comes to rest, share of runs", group)
        yield from safe(game, group.runs)
        yield from tends(game, group.runs)
    caption = "Figures E.1, E.3 and E.5: co-evolution in the wider games, one run each."
    draw(context, "coevolution-variants", drawn, caption)
    _tables(context, groups)
    yield unstable(context)


def ahead(game: str, runs: Sequence[Rest]) -> Iterator[Sample]:
    """Who is ahead, and whether always."""
    value, name = equilibria.game_value(game_of(game)), f"{game}, the second player is ahead (population 1's average)"
    yield sample(name, spread([run.mean for run in runs]), exact=float(value), chips=value)
    name = f"{game}, population 1 sometimes prevails, share of generations"
    yield sample(name, spread([run.ahead for run in runs], SHARES))


def safe(game: str, runs: Sequence[Rest]) -> Iterator[Sample]:
    """5.3.4: whether co-evolved players do without bluffs."""
    for seat in (0, 1):
        yield sample(
            f"{game}, co-evolved player {seat + 1} bluffs, share of the jacks bet",
            spread([float(run.genes[seat, 0]) for run in runs], SHARES), table=COEVOLVED_TABLES[game][seat].split()[0],
            exact=f"an equilibrium: B_J {float(equilibria.equilibrium(game_of(game)).genes(seat)[0]):.3f}",
        )  # fmt: skip


def tends(game: str, runs: Sequence[Rest]) -> Iterator[Sample]:
    """Tables E.2, E.4 and E.6: whether our fittest are on the printed side."""
    names = tree_of(game_of(game)).sequences[0].gene_names
    for seat in (0, 1):
        printed = COEVOLVED_TABLES[game][seat].replace("/", " ").split()
        settled = [i for i, mark in enumerate(printed) if mark in ("0", "1")]
        sides = np.array([[(run.champions[seat, i] > 0.5) == (printed[i] == "1") for i in settled] for run in runs])
        odd = [names[i] for i, share in zip(settled, sides.mean(axis=0), strict=True) if share < 0.5]
        yield sample(
            f"{game}, genes of co-evolved player {seat + 1} on the printed side", spread(sides.mean(axis=1), SHARES),
            published=f"{len(settled)} genes at 0 or 1", odd=", ".join(odd) or "none",
        )  # fmt: skip


def unstable(context: Context) -> Sample:
    """5.3.3: less convergence with 36 genes than with 6."""
    full, classic = (_varying(context, game, context.pick(2, 5, 12, 20)) for game in ("kuhn-full", "kuhn"))
    name = "kuhn-full, less convergence than the classic game, share of genes that vary"
    return sample(name, spread(full - classic, DIFFERENCES), full=full.mean(), classic=classic.mean())


def _varying(context: Context, game: str, seeds: int) -> Floats:
    """The share of genes (seeds,) whose fittest vary over the last generations, over all models and seats."""
    cases = [(model, seat) for model in NAMES for seat in (0, 1)]
    chosen = [
        preset_with(f"lopez-{game}-{model}-{seat + 1}", context.key("varying", game, model, seat, n), {})
        for model, seat in cases
        for n in range(seeds)
    ]
    runs = trials(chosen, context.workers)
    shares = [
        (seats(run)[cases[number // seeds][1]].arrays["champion"][-LATE:].std(axis=0) > VARIES).mean()
        for number, run in enumerate(runs)
    ]
    by_case: Floats = np.array(shares, dtype=np.float64).reshape(len(cases), seeds)
    return np.asarray(by_case.mean(axis=0))


def _tables(context: Context, groups: dict[str, Group]) -> None:
    figure = html.figure(9, 6.6)
    grid = figure.subplots(3, 6, height_ratios=[6, 4, 12])
    curves: dict[str, Iterable[Any]] = {}
    for line, (game, group) in enumerate(groups.items()):
        tree = tree_of(game_of(game))
        settled = equilibria.equilibrium(tree.game)
        for seat in (0, 1):
            lay = chromosomes.layout(tree.sequences[seat].gene_names)
            ours = np.mean([run.champions[seat] for run in group.runs], axis=0)
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
        "fifth of the generations. The equilibrium is one of many; .50 also stands for a gene that it never reaches."
    )
    context.picture("coevolution-variants-genes", figure, caption, curves)
