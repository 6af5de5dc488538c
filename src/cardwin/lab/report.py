"""report.html: a run for people, in one file; every picture also stands beside it as PNG, SVG and CSV.

What it shows: the curves, what each seat became beside the exact best response and an equilibrium, its genes in the
dissertation's notation, its bluffs and sandbags by name, its ancestors, and, where two populations met, what they
have forgotten.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from cardwin.games import game
from cardwin.lab import chromosomes, forgetting, html, plots, store
from cardwin.lab.checkpoint import write_whole
from cardwin.lab.experiment import FAMOUS, LIVING
from cardwin.lab.html import Cell, Grid, Heading, Part, Text
from cardwin.lab.plots import Ancestry
from cardwin.lab.run_data import Reading, read
from cardwin.players import policies
from cardwin.players.policy_features import habits
from cardwin.solvers import answers, plans, populations
from cardwin.solvers.exact import Response, recognised
from cardwin.solvers.policy import Policy, from_arrays
from cardwin.solvers.tree import Floats, Side, Tree, tree_of

EXACTLY = 1000  # sequences of both seats up to which a best response is worked out in fractions
DEPTH = 30


@dataclass(frozen=True, eq=False)
class Story:
    """A run and all that is looked up about it."""

    reading: Reading
    pictures: Path

    @cached_property
    def tree(self) -> Tree:
        """Its game."""
        return tree_of(game(self.reading.plan.game))

    @property
    def choices(self) -> bool:
        """Whether genes are choices."""
        return self.reading.plan.population.genes == "choice"

    @property
    def small(self) -> bool:
        """Whether fractions are quick."""
        return sum(side.sequences for side in self.tree.sides) <= EXACTLY

    @cached_property
    def champions(self) -> Policy:
        """Each evolving seat's champion: the best ever against fixed opponents, otherwise the last."""
        return policies.load(self.reading.folder / "champions" / "champions.json", self.tree.game)

    @cached_property
    def hall(self) -> Policy | None:
        """The halls' averages, where both seats evolved."""
        path = self.reading.folder / "champions" / "hall.json"
        return policies.load(path, self.tree.game) if path.is_file() else None

    def champion_plans(self, seat: int) -> Floats:
        """The champion of every generation, (generations, sequences)."""
        side, genomes = self.tree.sides[seat], self.reading.seats[seat].champions
        convert = populations.behaviours_of_choices if self.choices else plans.behaviours
        return plans.plans(side, convert(side, genomes))

    def faced(self, seat: int) -> Floats:
        """The plan (sequences,) that a seat met in the end, all its opponents in one."""
        other, met = 1 - seat, []
        for name in self.reading.plan.seats[seat].against:
            if name == FAMOUS and self.hall is not None:
                met.append(self.hall.plan(other))
            elif name in (LIVING, FAMOUS):
                met.append(self.reading.seats[other].averages[-1])
            else:
                met.append(policies.policy(self.tree.game, name).plan(other))
        average: Floats = np.mean(met, axis=0)
        return average

    def response(self, seat: int) -> Response | None:
        """The exact best response to what a seat met, where the game is small enough."""
        if not self.small:
            return None
        behaviours = [np.ones(side.sequences) for side in self.tree.sides]
        behaviours[1 - seat] = plans.behaviour_of(self.tree.sides[1 - seat], self.faced(seat))
        return answers.best_response(from_arrays(self.tree, behaviours[0], behaviours[1], "met"), seat)

    def settled(self, seat: int) -> Floats:
        """The population's average plan over the last tenth of the generations, as genes (genes,)."""
        late = self.reading.seats[seat].averages
        plan = late[-max(1, len(late) // 10) :].mean(axis=0)
        return plans.genes_of(self.tree.sides[seat], plans.behaviour_of(self.tree.sides[seat], plan))


def write(folder: Path) -> Path:
    """Write the report and its pictures into the run folder."""
    reading = read(folder)
    story = Story(reading, folder / "pictures")
    title = reading.plan.title or folder.name
    footer = f"{folder.name}, seed {reading.plan.seed}; every picture stands in pictures/ as PNG, SVG and CSV."
    path = folder / "report.html"
    write_whole(path, html.as_html(title, list(parts(story)), footer).encode())
    return path


def parts(story: Story) -> Iterator[Part]:
    """The report, part by part."""
    yield from _facts(story)
    if not story.reading.generations:
        yield Text("No generation is recorded yet.")
        return
    yield from _curves(story)
    if story.reading.answer is not None:
        for seat in story.reading.seats:
            yield from _strategy(story, seat)
    for seat in story.reading.seats:
        yield from _genes_over_time(story, seat)
    yield from _lineages(story)
    yield from _memory(story)


def _facts(story: Story) -> Iterator[Part]:
    plan, answer = story.reading.plan, story.reading.answer
    if plan.about:
        yield Text(plan.about)
    worth = answers.game_value(story.tree.game)
    meets = [
        f"seat {seat + 1} meets {', '.join(_named(name, seat) for name in plan.seats[seat].against)}"
        for seat in plan.evolving
    ]
    rows: list[list[Cell]] = [
        ["game", f"{plan.game}: {story.tree.game.title}"],
        ["the game's value to seat 1", recognised(worth) or f"{float(worth):.6f}"],
        ["who meets whom", "; ".join(meets)],
        ["generations", f"{story.reading.generations:,} of {plan.population.size:,} members a seat"],
        ["fitness", "exact" if plan.fitness.play == "exact" else f"{plan.fitness.games:,} games played out"],
        ["seed", str(plan.seed)],
    ]
    if answer:
        rows += [
            ["exploitability of what is handed over", f"{answer['exploitability']:.6f} chips a game"],
            ["handed over", Path(answer["champions"][0]).name],
            ["digest", answer["digest"]],
        ]
        rows += [[f"best of seat {best['seat']}", f"{best['fitness']:+.5f} chips a game"] for best in answer["best"]]
    else:
        rows.append(["state", story.reading.state])
    yield Grid("", ["", ""], rows)


def _named(name: str, seat: int) -> str:
    return {LIVING: f"seat {2 - seat}'s population", FAMOUS: f"all of seat {2 - seat}'s champions"}.get(
        name, name.title()
    )


def _curves(story: Story) -> Iterator[Part]:
    reading, sampled = story.reading, story.reading.plan.fitness.play == "sampled"
    yield Heading("How it went")
    yield plots.curves(
        reading,
        story.pictures,
        "fitness",
        plots.FITNESS + (plots.PLAYED_OUT if sampled else ()),
        "Fitness: what members earn from those they meet.",
        _most(story),
    )
    if sampled:
        yield from _rng(story)
    yield plots.curves(
        reading,
        story.pictures,
        "exploitability",
        plots.EXPLOITABILITY,
        "Exploitability: what each would give away to a perfect opponent; nobody is below zero.",
        {},
    )


def _most(story: Story) -> dict[str, float]:
    """The most that can be won from fixed opponents; where opponents change there is no such line."""
    seats = story.reading.plan.seats
    fixed = [seat for seat in story.reading.seats if not {LIVING, FAMOUS} & set(seats[seat].against)]
    return {f"the most for seat {s + 1}": plans.best_response_value(story.tree, s, story.faced(s)) for s in fixed}


def _rng(story: Story) -> Iterator[Part]:
    """Name the winner's curse where games were played out."""
    members = story.reading.plan.population.size * story.reading.generations
    for seat, series in story.reading.seats.items():
        top = int(np.argmax(series.numbers["best"]))
        seen, worth = float(series.numbers["best"][top]), float(series.numbers["best_value"][top])
        yield Text(
            f"Seat {seat + 1}'s fittest ever seemed to win {seen:+.4f} a game. It is worth {worth:+.4f}: the rest, "
            f"{seen - worth:+.4f}, is luck, for it was chosen as the luckiest of {members:,} noisy means."
        )


def _strategy(story: Story, seat: int) -> Iterator[Part]:
    side = story.tree.sides[seat]
    layout = chromosomes.layout(side.gene_names)
    response, equal = story.response(seat), answers.equilibrium(story.tree.game)
    panels: dict[str, tuple[Floats, list[str] | None]] = {"champion": (_genes(story.champions, seat), None)}
    if story.hall is not None:
        panels["all champions, averaged"] = (_genes(story.hall, seat), None)
    best = "best response to whom it met"
    if response is not None:
        panels[best] = (chromosomes.values_of(response.forced), response.forced)
    else:
        panels[best] = (_respond(side, plans.gradient(story.tree, seat, story.faced(seat))), None)
    panels["an equilibrium"] = (_genes(equal, seat), None)
    yield Heading(f"What seat {seat + 1} became")
    yield plots.chromosome(story.pictures, seat, layout, panels)
    if response is not None and len(side.gene_names) <= plots.READABLE:
        yield _notation(story, seat, response)
    yield from _habits(story, seat)


def _respond(side: Side, gains: Floats) -> Floats:
    """A best response's genes (genes,) to what each sequence gains (sequences,), in floats: for the larger games."""
    genes, gains = np.zeros(side.genes), gains.copy()
    for parent, first, count in reversed(side.layout.tolist()):
        here = gains[first : first + count]
        for offset in range(count - 1):
            genes[side.gene[first + offset]] = float(here[offset + 1 :].max() > here[offset])
        gains[parent] += here.max()
    return genes


def _genes(policy: Policy, seat: int) -> Floats:
    return np.array([float(gene) for gene in policy.genes(seat)])


def _notation(story: Story, seat: int, response: Response) -> Grid:
    """The dissertation's table: where the population settled, beside what every best response does."""
    layout = chromosomes.layout(story.tree.sides[seat].gene_names)
    ours = layout.texts(chromosomes.marks(story.settled(seat)))
    best = layout.texts(response.forced)
    header = ["", *(f"{card}" for card in layout.columns), "", *(f"{card}, best response" for card in layout.columns)]
    rows: list[list[Cell]] = [[name, *ours[n], "", *best[n]] for n, name in enumerate(layout.rows)]
    return Grid("The population at the end: 0 and 1 have converged, ↓ ↑ tend there, ~ does neither", header, rows)


def _habits(story: Story, seat: int) -> Iterator[Part]:
    said = [f"The champion's {habit}." for habit in habits(story.champions, seat)]
    if story.hall is not None:
        said += [f"The averaged champions' {habit}." for habit in habits(story.hall, seat)]
    yield Text("\n".join(said) if said else "No bluffs and no sandbags.")


def _genes_over_time(story: Story, seat: int) -> Iterator[Part]:
    series, side = story.reading.seats[seat], story.tree.sides[seat]
    names = list(side.gene_names)
    mean, spread = series.gene_mean, series.gene_spread
    if story.choices:
        names, mean = _chances(side, series.averages)
        spread = np.sqrt(mean * (1 - mean))
    yield Heading(f"Seat {seat + 1}'s genes over time")
    yield plots.convergence(story.pictures, seat, names, series.generation, mean, spread)


def _chances(side: Side, averages: Floats) -> tuple[list[str], Floats]:
    """For choices: how much of the population takes each action but the first, (generations, actions)."""
    names, columns = [], []
    for text, actions, (_, first, _) in zip(side.infosets, side.actions, side.layout.tolist(), strict=True):
        for offset, action in enumerate(actions[1:], 1):
            names.append(f"{text}: {action}")
            columns.append(averages[:, first + offset])
    return names, np.stack(columns, axis=1)


def _lineages(story: Story) -> Iterator[Part]:
    yield Heading("Where the champion comes from")
    if story.reading.plan.searcher.endswith("cma-es"):
        yield Text("CMA-ES draws every generation afresh around one point: nobody has parents.")
        return
    if story.reading.plan.search.crossover == "many-parent":
        yield Text("Every element of a child comes from a parent of its own: there are no couples to follow.")
        return
    found = {seat: ancestry(story.reading, seat) for seat in story.reading.seats}
    for seat, line in found.items():
        handed = int(story.reading.seats[seat].generation[-1]) - line.generation
        if handed:
            yield Text(
                f"Seat {seat + 1}'s last champion descends from one bred in generation {line.generation} and since "
                f"then handed on {handed} times without a second parent."
            )
        if len(line.places) > 1:
            yield plots.lineage(story.pictures, seat, line)
        yield from _parents(story, seat)


def ancestry(reading: Reading, seat: int) -> Ancestry:
    """The last champion's ancestors, as far as everybody's parents were kept."""
    series = reading.seats[seat]
    with closing(store.open_to_read(reading.folder / "run.db")) as db:
        generation, place = _birth(db, seat, int(series.generation[-1]), int(series.places[-1]))
        places: list[list[int]] = [[place]]
        links: list[tuple[int, int, int]] = []
        for before in range(min(DEPTH, generation)):
            kept = store.members(db, generation - before, seat)
            if kept is None:
                break
            pairs = [
                (place, int(parent))
                for place in places[-1]
                for parent in set(kept.parents[place].tolist())
                if parent >= 0
            ]
            if not pairs:
                break
            links += [(before, child, parent) for child, parent in pairs]
            places.append(sorted({parent for _, parent in pairs}))
    return Ancestry(generation, places, links)


def _birth(db: sqlite3.Connection, seat: int, generation: int, place: int) -> tuple[int, int]:
    """When and where a member was bred of two parents; until then it, or its one forebear, was only handed on."""
    while generation > 0 and (kept := store.members(db, generation, seat)) is not None:
        known = [int(parent) for parent in kept.parents[place] if parent >= 0]
        if len(known) != 1:
            break
        generation, place = generation - 1, known[0]
    return generation, place


def _parents(story: Story, seat: int) -> Iterator[Part]:
    """The last champion's genes, its parents', and the genes that neither gave it."""
    series, side = story.reading.seats[seat], story.tree.sides[seat]
    names = list(side.infosets) if story.choices else list(side.gene_names)
    said = [_action(side, n) if story.choices else _short for n in range(len(names))]
    parents = [row for row, known in zip(series.parent_genes[-1], series.parents[-1] >= 0, strict=True) if known]
    if not parents or len(names) > plots.READABLE:
        return
    own = series.champions[-1]
    rows: list[list[Cell]] = [["champion", *(tell(gene) for tell, gene in zip(said, own, strict=True))]]
    rows += [
        [f"parent {n}", *(tell(gene) for tell, gene in zip(said, row, strict=True))] for n, row in enumerate(parents, 1)
    ]
    new = [not any(abs(row[n] - gene) < 1e-12 for row in parents) for n, gene in enumerate(own)]
    rows.append(["of neither", *("new" if fresh else "" for fresh in new)])
    if len(names) > 14:
        header, rows = (
            ["", *(str(row[0]) for row in rows)],
            [[name, *(row[n + 1] for row in rows)] for n, name in enumerate(names)],
        )
    else:
        header = ["", *names]
    yield Grid(f"Seat {seat + 1}'s last champion and its parents", header, rows)


def _action(side: Side, number: int) -> Callable[[float], str]:
    """How a choice at one information set is told."""
    return lambda choice: str(side.actions[number][int(choice)])


def _short(gene: float) -> str:
    return f"{gene:.3f}".rstrip("0").rstrip(".")


def _memory(story: Story) -> Iterator[Part]:
    if len(story.reading.seats) < 2:
        return
    yield Heading("What was forgotten")
    first, second = (story.champion_plans(seat) for seat in (0, 1))
    memory = forgetting.remember(story.tree, first, second, story.reading.seats[0].generation)
    back = forgetting.period(story.reading.seats[0].averages), forgetting.period(story.reading.seats[1].averages)
    yield Text(forgetting.said(memory, back))
    yield plots.ancestral(story.pictures, memory)
    yield plots.tournament(story.pictures, memory)
