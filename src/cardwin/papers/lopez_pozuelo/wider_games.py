"""Co-evolution in the wider games (5.3.3, 5.3.4, Appendix E): the leader, the share that settles, and the genes.

Judged in sampled games, as in the document. Fixed before the runs:
- the second player is ahead if population 1's average fitness over the last fifth is below zero by more than the
  margin of the register, and not always if population 1 is ahead in more than a hundredth of the generations;
- "never an equilibrium" is judged as in convergence_findings.py, by the share of runs that settle. The bound of
  "settled" is that of the game's own reference runs, and at least that of the classic game at the same noise;
- a printed table of genes agrees if the mean fittest of our runs is on the printed side (0 below a half, 1 above) in
  more than nine tenths of the genes printed as 0 or 1;
- "very safe" means that the jack is bet at most as often as "no bluffing" in convergence_findings.py;
- "less signs of convergence" in the full game (5.3.3): against the models, by exact fitness, the share of genes whose
  fittest vary by more than `MIN_DEVIATION` over the last generations, minus that in the classic game.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.evolutions import evolve_all, evolve_seeds, preset_with
from cardwin.papers.lopez_pozuelo.coevolution import draw
from cardwin.papers.lopez_pozuelo.convergence import Group, LastFifth, last_fifth_of, reference_runs, stability_bound
from cardwin.papers.lopez_pozuelo.convergence_findings import KUHN, SMALL, settled_share
from cardwin.papers.lopez_pozuelo.evolved_responses import LAST_GENERATIONS, SAMPLED_GAMES
from cardwin.papers.lopez_pozuelo.published import COEVOLVED_TABLES
from cardwin.papers.lopez_pozuelo.trees_and_models import MODELS
from cardwin.papers.sample import DIFFERENCES, SHARES, Sample, sample, spread
from cardwin.reports import chromosomes, html
from cardwin.runs.problems.small_game import seats
from cardwin.runs.reader import RunData
from cardwin.solvers import equilibria
from cardwin.solvers.tree import tree_of

MIN_DEVIATION = 0.1


def coevolution_variants(context: Context) -> Iterator[Sample]:
    """Evolve two populations in the wider games; yield findings about their curves and tables (Appendix E)."""
    seeds = context.pick((1, 1, 1), (3, 3, 1), (40, 40, 10), (40, 40, 20))
    reference_seeds = context.pick(1, 1, 4, 8)
    small = {**SMALL, "generations": 100}
    changes: dict[str, Any] = {"fitness": SAMPLED_GAMES, **context.pick(small, {}, {}, {})}
    minimum = stability_bound(reference_runs(context, KUHN, context.pick(1, 2, 8, 8), changes))
    groups: dict[str, Group] = {}
    drawn: list[RunData] = []
    for game, count in zip(COEVOLVED_TABLES, seeds, strict=True):
        preset = "lopez-co" + game.replace("kuhn", "evolution")
        bound = stability_bound(reference_runs(context, preset, reference_seeds, changes), minimum)
        runs = evolve_seeds(context, preset, count, changes)
        drawn.append(runs[0])
        groups[game] = group = Group([last_fifth_of(run) for run in runs], bound)
        yield from second_player_lead(game, group.runs)
        yield settled_share(f"{game}, co-evolution comes to rest, share of runs", group)
        yield from bluffs(game, group.runs)
        yield from genes_on_printed_side(game, group.runs)
    caption = "Figures E.1, E.3 and E.5: co-evolution in the wider games, one run each."
    draw(context, "coevolution-variants", drawn, caption)
    _draw_genes(context, groups)
    yield less_convergence(context)


def second_player_lead(game: str, runs: Sequence[LastFifth]) -> Iterator[Sample]:
    """Yield the lead of the second player, and how often the first one is ahead."""
    value, name = equilibria.game_value(game_of(game)), f"{game}, the second player is ahead (population 1's average)"
    yield sample(name, spread([run.mean for run in runs]), exact=float(value), chips=value)
    name = f"{game}, population 1 sometimes prevails, share of generations"
    yield sample(name, spread([run.ahead for run in runs], SHARES))


def bluffs(game: str, runs: Sequence[LastFifth]) -> Iterator[Sample]:
    """Yield how often co-evolved players bluff (5.3.4)."""
    for seat in (0, 1):
        equilibrium_bluff = float(equilibria.equilibrium(game_of(game)).genes(seat)[0])
        yield sample(
            f"{game}, co-evolved player {seat + 1} bluffs, share of the jacks bet",
            spread([float(run.genes[seat, 0]) for run in runs], SHARES),
            table=COEVOLVED_TABLES[game][seat].split()[0],
            exact=f"an equilibrium: B_J {equilibrium_bluff:.3f}",
        )


def genes_on_printed_side(game: str, runs: Sequence[LastFifth]) -> Iterator[Sample]:
    """Yield the share of genes whose mean fittest is on the printed side (tables E.2, E.4 and E.6)."""
    names = tree_of(game_of(game)).sequences[0].gene_names
    for seat in (0, 1):
        printed = _marks(game, seat)
        settled = [i for i, mark in enumerate(printed) if mark in ("0", "1")]
        sides = np.array([[(run.champions[seat, i] > 0.5) == (printed[i] == "1") for i in settled] for run in runs])
        odd = [names[i] for i, share in zip(settled, sides.mean(axis=0), strict=True) if share < 0.5]
        yield sample(
            f"{game}, genes of co-evolved player {seat + 1} on the printed side",
            spread(sides.mean(axis=1), SHARES),
            published=f"{len(settled)} genes at 0 or 1",
            odd=", ".join(odd) or "none",
        )


def _marks(game: str, seat: int) -> list[str]:
    """Return the printed mark of each gene."""
    return COEVOLVED_TABLES[game][seat].replace("/", " ").split()


def less_convergence(context: Context) -> Sample:
    """Compare how many genes still vary in the full game and in the classic one (5.3.3)."""
    full, classic = (_varying_share(context, game, context.pick(2, 5, 12, 20)) for game in ("kuhn-full", "kuhn"))
    name = "kuhn-full, less convergence than the classic game, share of genes that vary"
    return sample(name, spread(full - classic, DIFFERENCES), full=full.mean(), classic=classic.mean())


def _varying_share(context: Context, game: str, seeds: int) -> Floats:
    """Return the share of genes (seeds,) whose fittest vary over the last generations, over all models and seats."""
    cases = [(model, seat) for model in MODELS for seat in (0, 1)]
    chosen = [
        preset_with(f"lopez-{game}-{model}-{seat + 1}", context.key("varying", game, model, seat, n), {})
        for model, seat in cases
        for n in range(seeds)
    ]
    runs = evolve_all(chosen, context.workers)
    shares = [
        (
            seats(run)[cases[number // seeds][1]].arrays["champion"][-LAST_GENERATIONS:].std(axis=0) > MIN_DEVIATION
        ).mean()
        for number, run in enumerate(runs)
    ]
    by_case: Floats = np.array(shares, dtype=np.float64).reshape(len(cases), seeds)
    return np.asarray(by_case.mean(axis=0))


def _draw_genes(context: Context, groups: dict[str, Group]) -> None:
    figure = html.figure(9, 6.6)
    grid = figure.subplots(3, 6, height_ratios=[6, 4, 12])
    curves: dict[str, Iterable[Any]] = {}
    for line, (game, group) in enumerate(groups.items()):
        tree = tree_of(game_of(game))
        settled = equilibria.equilibrium(tree.game)
        for seat in (0, 1):
            layout = chromosomes.layout(tree.sequences[seat].gene_names)
            ours = np.mean([run.champions[seat] for run in group.runs], axis=0)
            printed = _marks(game, seat)
            right = [float(gene) for gene in settled.genes(seat)]
            panels = {
                "printed": (chromosomes.values_of(printed), printed),
                "ours": (ours, chromosomes.marks(ours)),
                "equilibrium": (np.array(right), None),
            }
            for column, (source, (values, marks)) in enumerate(panels.items()):
                axes = grid[line, 3 * seat + column]
                chromosomes.heat_map(axes, layout, values, marks)
                axes.set_title(f"{game}, {seat + 1}\n{source}", fontsize=7)
                if column:
                    axes.set_yticks([])
            curves |= {f"{game} gene": tree.sequences[seat].gene_names, f"{game} {seat + 1} printed": printed}
            curves |= {f"{game} {seat + 1} ours": ours.tolist(), f"{game} {seat + 1} equilibrium": right}
    caption = (
        "Figures E.2, E.4 and E.6: where co-evolution tends, by seat; ours is the mean of the fittest of the last "
        "fifth of the generations. The equilibrium is one of many; .50 also stands for a gene that it never reaches."
    )
    context.picture("coevolution-variants-genes", figure, caption, curves)
