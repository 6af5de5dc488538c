"""The report of a small game's evolution.

It shows the curves, each seat's strategy beside the exact best response and the nearest equilibrium, its genes
in the dissertation's notation, its bluffs and sandbags by name, its ancestors, and, if two populations evolved, what
they have forgotten.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.analysis import cycles
from cardwin.core.arrays import Floats
from cardwin.core.report_parts import Cell, Grid, Heading, Part, Text
from cardwin.games import game
from cardwin.players.small_games import policies
from cardwin.players.small_games.policies import habits
from cardwin.reports import chromosomes, html, plots
from cardwin.runs.problems.small_game import HALL, POPULATION, SEATS, SmallGameExperiment, experiment_of
from cardwin.runs.reader import RunData, Series, ancestry
from cardwin.solvers import equilibria, plans
from cardwin.solvers.exact import Response, short_fraction
from cardwin.solvers.linear_program import NearestEquilibrium
from cardwin.solvers.policy import Policy, from_arrays
from cardwin.solvers.tree import Sequences, Tree, tree_of

MAX_EXACT = 1000  # sequences of both seats up to which a best response is computed in fractions


@dataclass(frozen=True, eq=False)
class Report:
    """A run and values derived from it."""

    data: RunData
    experiment: SmallGameExperiment
    pictures: Path

    @property
    def seats(self) -> Mapping[int, Series]:
        """The recorded series of each evolving seat (0, 1)."""
        return {SEATS.index(name): series for name, series in self.data.populations.items()}

    @cached_property
    def tree(self) -> Tree:
        """The game tree."""
        return tree_of(game(self.experiment.game))

    @property
    def small(self) -> bool:
        """Whether computing in fractions is fast."""
        return sum(seqs.count for seqs in self.tree.sequences) <= MAX_EXACT

    @cached_property
    def champions(self) -> Policy:
        """Each evolving seat's champion: the best ever against fixed opponents, otherwise the last."""
        return policies.load(self.data.folder / "champions" / "champions.json", self.tree.game)

    @cached_property
    def hall(self) -> Policy | None:
        """The halls' averages, if both seats evolved."""
        path = self.data.folder / "champions" / "hall.json"
        return policies.load(path, self.tree.game) if path.is_file() else None

    def champion_plans(self, seat: int) -> Floats:
        """Return the champion of every generation, (generations, sequences)."""
        return self._plans(seat, self.seats[seat].arrays["champion"])

    def champion_plan(self, seat: int, index: int) -> Floats:
        """Return the champion of a recorded generation, (sequences,)."""
        plan: Floats = self._plans(seat, self.seats[seat].arrays["champion"][index][None])[0]
        return plan

    def _plans(self, seat: int, genomes: Floats) -> Floats:
        convert = plans.behaviours_of_choices if self.experiment.choices else plans.behaviours
        return plans.plans(self.tree.sequences[seat], convert(self.tree.sequences[seat], genomes))

    def opponents_plan(self, seat: int) -> Floats:
        """Return the average plan (sequences,) of a seat's opponents at the end."""
        other, met = 1 - seat, []
        for name in self.experiment.opponents[seat].against:
            if name == HALL and self.hall is not None:
                met.append(self.hall.plan(other))
            elif name in (POPULATION, HALL):
                met.append(self.seats[other].arrays["average"][-1])
            else:
                met.append(policies.policy(self.tree.game, name).plan(other))
        average: Floats = np.mean(met, axis=0)
        return average

    def response(self, seat: int) -> Response | None:
        """Return the exact best response to a seat's opponents, if the game is small enough."""
        if not self.small:
            return None
        behaviours = [np.ones(seqs.count) for seqs in self.tree.sequences]
        behaviours[1 - seat] = plans.behaviour_of(self.tree.sequences[1 - seat], self.opponents_plan(seat))
        return equilibria.best_response(from_arrays(self.tree, behaviours[0], behaviours[1], "met"), seat)

    def nearest(self, seat: int, behaviour: Floats) -> NearestEquilibrium | None:
        """Return the seat's equilibrium strategy nearest to a behaviour (sequences,), if the game is small enough."""
        return equilibria.nearest_equilibrium(self.tree, seat, behaviour) if self.small else None

    def late_average(self, seat: int) -> Floats:
        """Return the population's average plan over the last tenth of the generations, as genes (genes,)."""
        late = self.seats[seat].arrays["average"]
        plan = late[-max(1, len(late) // 10) :].mean(axis=0)
        return plans.genes_of(self.tree.sequences[seat], plans.behaviour_of(self.tree.sequences[seat], plan))


def parts(data: RunData, pictures: Path) -> Iterator[Part]:
    """Return the parts of the report."""
    return _parts(Report(data, experiment_of(data), pictures))


def champion_at(data: RunData, index: int) -> dict[str, Any]:
    """Return the champions of a recorded generation, beside the best response and an equilibrium."""
    from cardwin.reports import champion_view

    return champion_view.champion_at(Report(data, experiment_of(data), data.folder), index)


def memory_of(data: RunData) -> dict[str, Any]:
    """Return the results of earlier generations' champions against later ones."""
    from cardwin.reports import champion_view

    return champion_view.memory_of(data, Report(data, experiment_of(data), data.folder))


def _parts(report: Report) -> Iterator[Part]:
    """Yield the report, part by part."""
    yield from _facts(report)
    if not report.data.generations:
        yield Text("No generation is recorded yet.")
        return
    yield from _curves(report)
    if report.data.answer is not None:
        for seat in report.seats:
            yield from _strategy(report, seat)
    for seat in report.seats:
        yield from _genes_over_time(report, seat)
    yield from _lineages(report)
    yield from _memory(report)


def _compare(report: Report, exploitability: float) -> str:
    """Compare an exploitability with an equilibrium's and random play's, in words."""
    seats = report.experiment.evolving
    uniform = policies.policy(report.tree.game, "uniform")
    random_play = equilibria.exploitability(uniform, seats[0] if len(seats) == 1 else None).exploitability
    return (
        f"an equilibrium has 0, taking any legal action with equal probability {random_play:.4f}: this is "
        f"{exploitability / random_play:.1%} of that"
    )


def _facts(report: Report) -> Iterator[Part]:
    experiment, answer = report.experiment, report.data.answer
    value = equilibria.game_value(report.tree.game)
    meets = [
        f"seat {seat + 1} plays {', '.join(_named(name, seat) for name in experiment.opponents[seat].against)}"
        for seat in experiment.evolving
    ]
    play = "exact" if experiment.fitness.play == "exact" else f"{experiment.fitness.games:,} sampled games"
    rows: dict[str, Cell] = {
        "game": f"{experiment.game}: {report.tree.game.title}",
        "the game's value to seat 1": short_fraction(value) or f"{float(value):.6f}",
        "opponents": "; ".join(meets),
        "generations": f"{report.data.generations:,} of {experiment.population.size:,} members per seat",
        "fitness": play,
        "seed": str(experiment.seed),
    }
    if answer:
        rows |= {
            "exploitability of the champion": f"{answer['exploitability']:.6f} chips per hand",
            "is that good?": _compare(report, answer["exploitability"]),
            "champion": Path(answer["champions"][0]).name,
            "digest": answer["digest"],
        }
        rows |= {f"best of seat {best['seat']}": f"{best['fitness']:+.5f} chips per hand" for best in answer["best"]}
    else:
        rows["state"] = report.data.state
    yield html.facts(rows)


def _named(name: str, seat: int) -> str:
    known = {POPULATION: f"seat {2 - seat}'s population", HALL: f"all of seat {2 - seat}'s champions"}
    return known.get(name, name.title())


def _curves(report: Report) -> Iterator[Part]:
    sampled = report.experiment.fitness.play != "exact"
    yield Heading("How it went")
    lines = plots.FITNESS + (plots.PLAYED_OUT if sampled else ())
    caption = "Fitness: the mean result of members against their opponents."
    yield plots.curves(report.seats, report.pictures, "fitness", lines, caption, _maximum(report))
    if sampled:
        yield from _selection_noise(report)
    caption = "Exploitability: the game's value minus the result against a best response; it is never below zero."
    yield plots.curves(report.seats, report.pictures, "exploitability", plots.EXPLOITABILITY, caption, {})


def _maximum(report: Report) -> dict[str, float]:
    """Return the maximum value against fixed opponents; against changing opponents there is no such line."""
    opponents = report.experiment.opponents
    fixed = [seat for seat in report.seats if not {POPULATION, HALL} & set(opponents[seat].against)]
    values = {seat: plans.best_response_value(report.tree, seat, report.opponents_plan(seat)) for seat in fixed}
    return {f"maximum for seat {seat + 1}": value for seat, value in values.items()}


def _selection_noise(report: Report) -> Iterator[Part]:
    """Explain the selection bias (winner's curse) of sampled games."""
    members = report.experiment.population.size * report.data.generations
    for seat, series in report.seats.items():
        top = int(np.argmax(series.metrics["best"]))
        seen, value = float(series.metrics["best"][top]), float(series.metrics["best_value"][top])
        yield Text(
            f"Seat {seat + 1}'s fittest ever won {seen:+.4f} per game. Its exact value is {value:+.4f}; the rest, "
            f"{seen - value:+.4f}, is noise, because it was selected as the best of {members:,} noisy means."
        )


def _strategy(report: Report, seat: int) -> Iterator[Part]:
    seqs = report.tree.sequences[seat]
    layout = chromosomes.layout(seqs.gene_names)
    response = report.response(seat)
    panels: dict[str, tuple[Floats, list[str] | None]] = {"champion": (_genes(report.champions, seat), None)}
    if report.hall is not None:
        panels["all champions, averaged"] = (_genes(report.hall, seat), None)
    best = "best response to its opponents"
    if response is not None:
        panels[best] = (chromosomes.values_of(response.forced), response.forced)
    else:
        panels[best] = (quick_response(seqs, plans.gradient(report.tree, seat, report.opponents_plan(seat))), None)
    equal = report.nearest(seat, (report.hall or report.champions).behaviour(seat))
    if equal is not None:
        panels["the nearest equilibrium"] = (plans.genes_of(seqs, equal.behaviour), None)
    else:
        panels["an equilibrium"] = (_genes(equilibria.equilibrium(report.tree.game), seat), None)
    yield Heading(f"What seat {seat + 1} became")
    yield plots.chromosome(report.pictures, seat, layout, panels)
    if equal is not None:
        yield Text(_distance_text(report, seat, equal))
    if response is not None and len(seqs.gene_names) <= plots.MAX_NUMBERED:
        yield _notation(report, seat, response)
    yield from _habits(report, seat)


def _distance_text(report: Report, seat: int, equal: NearestEquilibrium) -> str:
    """Return which equilibrium is shown, its distance, and the distance of random play for comparison."""
    compared = "its averaged champions" if report.hall is not None else "its champion"
    uniform = policies.policy(report.tree.game, "uniform").behaviour(seat)
    random_play = equilibria.nearest_equilibrium(report.tree, seat, uniform).distance
    return (
        f"Of all the equilibrium strategies that seat {seat + 1} has, the one shown is nearest to {compared}: "
        f"{equal.distance:.4f} away; taking legal actions with equal probability is {random_play:.4f} away from its "
        "own nearest. (Distance of realisation plans: the root of the summed squared differences. "
        "At sets that the equilibrium does not reach, it is shown with the same actions.)"
    )


def quick_response(seqs: Sequences, action_values: Floats) -> Floats:
    """Return a best response's genes (genes,) to action values (sequences,), in floats: for the larger games."""
    genes, action_values = np.zeros(seqs.genes), action_values.copy()
    for parent, first, count in reversed(seqs.layout.tolist()):
        values = action_values[first : first + count]
        for offset in range(count - 1):
            genes[seqs.gene[first + offset]] = float(values[offset + 1 :].max() > values[offset])
        action_values[parent] += values.max()
    return genes


def _genes(policy: Policy, seat: int) -> Floats:
    return np.array([float(gene) for gene in policy.genes(seat)])


def _notation(report: Report, seat: int, response: Response) -> Grid:
    """Return the dissertation's table: the population at the end, beside the best responses."""
    layout = chromosomes.layout(report.tree.sequences[seat].gene_names)
    ours = layout.texts(chromosomes.marks(report.late_average(seat)))
    best = layout.texts(response.forced)
    header = ["", *(f"{card}" for card in layout.columns), "", *(f"{card}, best response" for card in layout.columns)]
    rows: list[list[Cell]] = [[name, *ours[n], "", *best[n]] for n, name in enumerate(layout.rows)]
    return Grid("The population at the end: 0 and 1 have converged, ↓ ↑ tend there, ~ does neither", header, rows)


def _habits(report: Report, seat: int) -> Iterator[Part]:
    sentences = [f"The champion's {habit}." for habit in habits(report.champions, seat)]
    if report.hall is not None:
        sentences += [f"The averaged champions' {habit}." for habit in habits(report.hall, seat)]
    yield Text("\n".join(sentences) or "No bluffs and no sandbags.")


def _genes_over_time(report: Report, seat: int) -> Iterator[Part]:
    series, seqs = report.seats[seat], report.tree.sequences[seat]
    names = list(seqs.gene_names)
    mean, spread = series.arrays["gene_mean"], series.arrays["gene_spread"]
    if report.experiment.choices:
        names, mean = _chances(seqs, series.arrays["average"])
        spread = np.sqrt(mean * (1 - mean))
    yield Heading(f"Seat {seat + 1}'s genes over time")
    yield plots.convergence(report.pictures, seat, names, series.generation, mean, spread)


def _chances(seqs: Sequences, averages: Floats) -> tuple[list[str], Floats]:
    """Return the share of the population that takes each action except the first (generations, actions)."""
    names, columns = [], []
    for text, actions, (_, first, _) in zip(seqs.infosets, seqs.actions, seqs.layout.tolist(), strict=True):
        for offset, action in enumerate(actions[1:], 1):
            names.append(f"{text}: {action}")
            columns.append(averages[:, first + offset])
    return names, np.stack(columns, axis=1)


def _lineages(report: Report) -> Iterator[Part]:
    yield Heading("Where the champion comes from")
    if report.experiment.searcher.endswith("cma-es"):
        yield Text("CMA-ES samples every generation around one point: members have no parents.")
        return
    if report.experiment.search.crossover == "many-parent":
        yield Text("Every gene of a child comes from a different parent: there are no pairs of parents to follow.")
        return
    for seat, series in report.seats.items():
        line = ancestry(series)
        if copies := int(series.generation[-1]) - line.generation:
            yield Text(
                f"Seat {seat + 1}'s last champion descends from one bred in generation {line.generation} and since "
                f"then copied {copies} times without a second parent."
            )
        if len(line.places) > 1:
            yield plots.lineage(report.pictures, seat, line)
        yield from _parents(report, seat)


def _parents(report: Report, seat: int) -> Iterator[Part]:
    """Yield the last champion's genes, its parents' genes, and the genes that come from neither."""
    series, seqs = report.seats[seat], report.tree.sequences[seat]
    names = list(seqs.infosets) if report.experiment.choices else list(seqs.gene_names)
    text_of = [_action(seqs, n) if report.experiment.choices else _short for n in range(len(names))]
    genes, known = series.arrays["parent_genes"][-1], series.arrays["champion_parents"][-1] >= 0
    parents = [row for row, is_known in zip(genes, known, strict=True) if is_known]
    if not parents or len(names) > plots.MAX_NUMBERED:
        return
    champion = series.arrays["champion"][-1]
    shown = {"champion": champion, **{f"parent {n}": row for n, row in enumerate(parents, 1)}}
    rows: list[list[Cell]] = [
        [name, *(text(gene) for text, gene in zip(text_of, row, strict=True))] for name, row in shown.items()
    ]
    new = [not any(abs(row[n] - gene) < 1e-12 for row in parents) for n, gene in enumerate(champion)]
    rows.append(["of neither", *("new" if is_new else "" for is_new in new)])
    if len(names) > 14:
        header = ["", *(str(row[0]) for row in rows)]
        rows = [[name, *(row[n + 1] for row in rows)] for n, name in enumerate(names)]
    else:
        header = ["", *names]
    yield Grid(f"Seat {seat + 1}'s last champion and its parents", header, rows)


def _action(seqs: Sequences, number: int) -> Callable[[float], str]:
    """Return the text for a choice at one information set."""
    return lambda choice: str(seqs.actions[number][int(choice)])


def _short(gene: float) -> str:
    return f"{gene:.3f}".rstrip("0").rstrip(".")


def _memory(report: Report) -> Iterator[Part]:
    if len(report.seats) < 2:
        return
    yield Heading("What was forgotten")
    first, second = (report.champion_plans(seat) for seat in (0, 1))
    memory = cycles.remember(report.tree, first, second, report.seats[0].generation)
    back = cycles.period(report.seats[0].arrays["average"]), cycles.period(report.seats[1].arrays["average"])
    yield Text(cycles.summarise(memory, back))
    yield plots.ancestral(report.pictures, memory)
    yield plots.tournament(report.pictures, memory)
