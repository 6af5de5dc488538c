"""López Pozuelo (2015): possible explanations of figures that no strategy reaches: searches over single changes.

The grids were fixed before the search. Two things were not: the condition that no printed gene may contradict was added
after the first search, and that the averages are of many matches was inferred from the document's other eight.

- A winning beyond noise: every gene of the model, one at a time, at 0, 1/4, 1/2, 3/4 or 1. A change fits
  if the maximum against the changed model is at most what was printed, the best of 101,000 noisy means reaches it, and
  no gene printed beside it contradicts the best response.
- Averages that a printed chromosome does not win: every gene of it, and every two, on a grid of hundredths. A
  chromosome fits if it wins all four averages as they are printed.
- "Up to": of how many matches the best is as far above the printed average as printed, in standard errors.

A change that fits is a possible explanation, not a proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from scipy.special import ndtr

from cardwin.core.arrays import Floats
from cardwin.core.report_parts import Cell
from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.counter_strategies import MEANS, ROUNDING, conflicts
from cardwin.papers.lopez_pozuelo.evolved_responses import game_deviation, standard_error
from cardwin.papers.lopez_pozuelo.published import BREADTH, COEVOLVED_1, COEVOLVED_2, FULL, MIXED_1, Case, Player
from cardwin.papers.sample import Sample, sample, spread
from cardwin.papers.verdicts import selection_bias
from cardwin.players.small_games.policies import policy
from cardwin.solvers import equilibria, plans
from cardwin.solvers.policy import Policy
from cardwin.solvers.tree import tree_of
from study import main

STEPS = [Fraction(n, 4) for n in range(5)]
MATCH = 1000  # games of a match, as the document says


@dataclass(frozen=True)
class Change:
    """One gene of a model at another value, and the maximum that can then be won."""

    gene: str
    value: Fraction
    most: float
    error: float
    contradicted: int  # genes printed beside the figure

    def reaches(self, printed: float) -> bool:
        """Return whether the best of all noisy means reaches what was printed, from below."""
        return self.most - ROUNDING <= printed <= self.most + selection_bias(self.error, MEANS) + ROUNDING


def single_changes(game: str, case: Case) -> Iterator[Change]:
    """Yield every gene of the case's model at every other value of the grid."""
    tree = tree_of(game_of(game))
    other = 1 - case.seat
    genes = policy(tree.game, case.model).genes(other)
    for place, name in enumerate(tree.sequences[other].gene_names):
        for value in STEPS:
            if value != genes[place]:
                changed = [*genes[:place], value, *genes[place + 1 :]]
                yield _change(policy(tree.game, "genes:" + ",".join(map(str, changed))), case, name, value)


def _change(opponent: Policy, case: Case, name: str, value: Fraction) -> Change:
    response = equilibria.best_response(opponent, case.seat)
    error = standard_error(opponent.tree, case.seat, response, opponent)
    wrong = conflicts(case.marks or [], response.forced)
    return Change(name, value, float(response.value), error, len(wrong))


def impossible(context: Context) -> Iterator[Sample]:
    """Measure the three winnings that noise does not explain: 1.24, 2.82 and 3.82."""
    cases = [(BREADTH, one) for one in BREADTH.cases if one.won == 1.24]
    cases += [(FULL, one) for one in FULL.cases if one.won in (2.82, 3.82)]
    rows: list[list[Cell]] = []
    for variant, case in cases:
        changes = list(single_changes(variant.game, case))
        reach = [change for change in changes if change.reaches(case.won or 0.0)]
        fit = [change for change in reach if not change.contradicted]
        where = f"{variant.game}, {case.model.title()}, player {case.seat + 1}: {case.won}"
        rows += [[where, f"{one.gene} = {one.value}", one.most, one.error] for one in fit]
        fits = ", ".join(f"{one.gene} = {one.value}" for one in fit)
        yield sample(
            f"{variant.game}, single changes to {case.model.title()} that explain {case.won}, player {case.seat + 1}",
            place=variant.section,
            exact=f"{len(fit)} of {len(changes)}",
            reason=f"{fits or 'none'}; {len(reach)} reach the figure, the others against the genes printed beside it",
        )
    context.table("Changes to one gene of a model that explain a winning", ["figure", "change", "most", "error"], rows)
    yield swapped()


def swapped() -> Sample:
    """Measure whether the two figures against the full game's Bluffer were swapped."""
    tree = tree_of(game_of(FULL.game))
    bluffer = policy(tree.game, "bluffer")
    described = []
    for seat, printed in ((0, 3.82), (1, 2.82)):
        response = equilibria.best_response(bluffer, seat)
        error = standard_error(tree, seat, response, bluffer)
        away = (printed - float(response.value)) / error
        described.append(
            f"{printed} in the {('first', 'second')[seat]} seat is {away:+.1f} standard errors from the most"
        )
    return sample(
        "kuhn-full, the Bluffer's two figures in each other's place",
        place=FULL.section,
        exact="; ".join(described),
        reason="the luckiest of 101,000 means lies about 4.3 standard errors up",
    )


def chromosomes_that_fit(player: Player) -> list[tuple[tuple[str, ...], Floats]]:
    """Return which one or two genes of a printed chromosome, at which values (k, one or two), give all its averages."""
    tree = tree_of(game_of("kuhn"))
    seqs = tree.sequences[player.seat]
    own = np.array([float(gene) for gene in policy(tree.game, "genes:" + player.genes).genes(player.seat)])
    grid = np.arange(101) / 100
    slopes = {m: plans.gradient(tree, player.seat, policy(tree.game, m).plan(1 - player.seat)) for m in player.against}
    found = []
    for count in (1, 2):
        for places in combinations(range(seqs.genes), count):
            values = np.stack(np.meshgrid(*[grid] * count, indexing="ij"), axis=-1).reshape(-1, count)
            genomes = np.repeat(own[None], len(values), axis=0)
            genomes[:, places] = values
            made = plans.plans(seqs, plans.behaviours(seqs, genomes))
            off = [np.abs(made @ slopes[model] - average) for model, (average, _) in player.against.items()]
            if (good := np.max(off, axis=0) <= ROUNDING).any():
                found.append((tuple(seqs.gene_names[place] for place in places), values[good]))
    return found


def averages(context: Context) -> Iterator[Sample]:
    """Measure which chromosomes win the mixed player's four averages."""
    found = chromosomes_that_fit(MIXED_1)
    rows: list[list[Cell]] = [
        [", ".join(names), *(" to ".join(f"{end:.2f}" for end in (column.min(), column.max())) for column in values.T)]
        for names, values in found
    ]
    header = ["genes changed", "first between", "second between"]
    context.table("Chromosomes that win the mixed player's four averages", header, rows)
    described = "; ".join(f"{row[0]} at {' and '.join(map(str, row[1:]))}" for row in rows)
    yield sample(
        "changes to the printed mixed player that earn all its averages",
        place="5.1.3",
        exact=f"{len(found)} of 6 single genes and 15 pairs",
        reason=described or "no one or two genes",
    )


def best_of(z: float) -> float:
    """Return the number of normal means whose maximum has the median z."""
    return float(np.log(0.5) / np.log(ndtr(z)))


def matches_needed(context: Context) -> Iterator[Sample]:
    """Compute the number of matches that the "up to" figures need."""
    tree = tree_of(game_of("kuhn"))
    rows: list[list[Cell]] = []
    heights = []
    for player in (COEVOLVED_1, COEVOLVED_2, MIXED_1):
        own = policy(tree.game, "genes:" + player.genes)
        for model, (average, most) in player.against.items():
            other = policy(tree.game, model).behaviour(1 - player.seat)
            error = game_deviation(tree, player.seat, own.genes(player.seat), other) / MATCH**0.5
            heights.append((most - average) / error)
            rows.append([f"{player.name} against {model.title()}", average, most, error, heights[-1]])
    header = ["who", "on average", "up to", "standard error of 1,000 games", "standard errors apart"]
    context.table("The best match, above the average", header, rows)
    found = spread(heights)
    low, high = found.ci95 or (found.mean, found.mean)
    needed = [f"{best_of(z):,.0f}" for z in (found.mean, low, high)]
    yield sample(
        "standard errors from the printed averages up to the printed luckiest matches",
        found,
        place="5.1.2",
        over="printed pairs",
        reason=(
            f"the luckiest of about {needed[0]} matches of 1,000 games lies so far up (interval {needed[1]} to "
            f"{needed[2]}). The document names no number of matches; its program judges 101,000 means in one run"
        ),
    )


def explained(context: Context) -> Iterator[Sample]:
    """Yield the samples of all explanations."""
    yield from impossible(context)
    yield from averages(context)
    yield from matches_needed(context)


if __name__ == "__main__":
    main(explained)
