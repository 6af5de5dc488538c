"""Evolved counter-strategies to fixed models: each case by exact fitness, for the genes, and in sampled games.

The fittest of all generations is the best of as many noisy means as there were members: the exact best response
beside it shows how much of that is noise. Terminals of games are sampled directly (arena/sampled_games.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.published import Case, Variant
from cardwin.papers.sample import Spread, spread
from cardwin.papers.trials import preset_with, trials
from cardwin.players.small_games.policies import policy
from cardwin.reports import chromosomes
from cardwin.reports.chromosomes import Layout
from cardwin.runs.problems.small_game import experiment_of, seats
from cardwin.runs.reader import RunData
from cardwin.solvers import equilibria, exact, plans
from cardwin.solvers.exact import Response
from cardwin.solvers.policy import Policy
from cardwin.solvers.tree import Tree, tree_of

GAMES = 1010  # as many as the document has members
LATE = 20  # last generations, whose fittest make the table of genes
PLAYED: dict[str, Any] = {"play": "drawn", "games": GAMES}


@dataclass(frozen=True)
class Answer:
    """One case: the exact best response, our runs by exact fitness, and the best of our runs in sampled games.

    error: the standard error of a best response's mean over `GAMES` games.
    """

    case: Case
    tree: Tree
    response: Response
    error: float
    genes: Floats
    value: Spread
    played_runs: Spread
    means: int

    @property
    def layout(self) -> Layout:
        """The layout of the genes."""
        return chromosomes.layout(self.tree.sequences[self.case.seat].gene_names)

    @property
    def title(self) -> str:
        """The case in words."""
        return f"{self.case.model.title()}, player {self.case.seat + 1}"


def answers_to(context: Context, variant: Variant) -> list[Answer]:
    """Evolve every case: several seeds by exact fitness, and in sampled games."""
    seeds, played_seeds = context.pick(1, 5, 12, 20), context.pick(3, 8, 12, 20)
    small: dict[str, Any] = {"population": {"size": 303}, "generations": 50}
    # At the shortest scale only the classic game is run at the document's size.
    sizes: Mapping[str, Any] = context.pick({} if variant.game == "kuhn" else small, {}, {}, {})
    by_value, by_chance = [], []
    for case in variant.cases:
        preset = f"lopez-{variant.game.partition(':')[0]}-{case.model}-{case.seat + 1}"
        here = {"game": variant.game, **sizes}
        played = {"game": variant.game, "fitness": PLAYED, **context.pick(small, {}, {}, {})}
        by_value += [preset_with(preset, context.key(preset, n), here) for n in range(seeds)]
        by_chance += [preset_with(preset, context.key(preset, "luck", n), played) for n in range(played_seeds)]
    runs = trials([*by_value, *by_chance], context.workers)
    played_runs = runs[len(by_value) :]
    return [
        _answer(case, runs[n * seeds : (n + 1) * seeds], played_runs[n * played_seeds : (n + 1) * played_seeds])
        for n, case in enumerate(variant.cases)
    ]


def _answer(case: Case, runs: list[RunData], played_runs: list[RunData]) -> Answer:
    tree = tree_of(game_of(experiment_of(runs[0]).game))
    opponent = policy(tree.game, case.model)
    response = equilibria.best_response(opponent, case.seat)
    late = np.concatenate([seats(run)[case.seat].arrays["champion"][-LATE:] for run in runs])
    played = experiment_of(played_runs[0])
    value, best = (
        spread([seats(run)[case.seat].metrics[name].max() for run in group])
        for name, group in (("best_value", runs), ("best", played_runs))
    )
    error, means = error_of(tree, case.seat, response, opponent), played.population.size * played.generations
    return Answer(case, tree, response, error, late.mean(axis=0), value, best, means)


def error_of(tree: Tree, seat: int, response: Response, opponent: Policy) -> float:
    """The standard error of a mean of `GAMES` games between a best response and its opponent."""
    return deviation(tree, seat, response.genes, opponent.behaviour(1 - seat)) / float(GAMES**0.5)


def deviation(tree: Tree, seat: int, genes: Sequence[Any], opponent: Floats) -> float:
    """The standard deviation of one game's chips with genes (genes,) against a behaviour (sequences,)."""
    own, theirs = plan_of(tree, seat, [float(gene) for gene in genes]), tree.sequences[1 - seat]
    pairs = tree.terminals.sequences
    odds = (
        np.array([float(chance) for chance in tree.terminals.chances])
        * own[pairs[:, seat]]
        * plans.plans(theirs, opponent[None])[0][pairs[:, 1 - seat]]
    )
    chips = np.array(tree.terminals.chips, dtype=np.float64)
    return float(np.sqrt(max(odds @ chips**2 - (odds @ chips) ** 2, 0.0)))


def plan_of(tree: Tree, seat: int, genes: Sequence[float]) -> Floats:
    """The plan (sequences,) of genes (genes,)."""
    seqs = tree.sequences[seat]
    plan: Floats = plans.plans(seqs, plans.behaviours(seqs, np.array([genes])))[0]
    return plan


def value_of(tree: Tree, mine: Policy, seat: int, model: str) -> Fraction:
    """Chips a game of a policy in a seat against a model, exactly."""
    other = policy(tree.game, model)
    if seat == 0:
        return exact.value(tree, mine.exact(0), other.exact(1))
    return -exact.value(tree, other.exact(0), mine.exact(1))
