"""Evolved counter-strategies to fixed models: each case by exact fitness, for the genes, and in sampled games.

The fittest of all generations is the best of as many noisy means as there were members. The exact best response beside
it shows how much of that is noise. Terminals of games are sampled directly (arena/sampled_games.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.evolutions import evolve_all, preset_with
from cardwin.papers.lopez_pozuelo.published import Case, Variant
from cardwin.papers.sample import Spread, spread
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
LAST_GENERATIONS = 20  # whose fittest make the table of genes
SAMPLED_GAMES: dict[str, Any] = {"play": "drawn", "games": GAMES}


@dataclass(frozen=True)
class EvolvedResponse:
    """One case: the exact best response, our runs by exact fitness, and the best of our runs in sampled games.

    Attributes:
        error: The standard error of a best response's mean over `GAMES` games.
        genes: The mean of the fittest of the last generations, by exact fitness (genes,).
        exact_runs: The winnings of the fittest over the runs by exact fitness.
        sampled_runs: The winnings of the fittest over the runs in sampled games.
        means: The number of noisy means of a run in sampled games.

    """

    case: Case
    tree: Tree
    response: Response
    error: float
    genes: Floats
    exact_runs: Spread
    sampled_runs: Spread
    means: int

    @property
    def layout(self) -> Layout:
        """The layout of the genes."""
        return chromosomes.layout(self.tree.sequences[self.case.seat].gene_names)

    @property
    def title(self) -> str:
        """The case in words."""
        return f"{self.case.model.title()}, player {self.case.seat + 1}"


def evolve_responses(context: Context, variant: Variant) -> list[EvolvedResponse]:
    """Evolve a counter-strategy for every case of a game, over several seeds by exact fitness and in sampled games."""
    exact_seeds, sampled_seeds = context.pick(1, 5, 12, 20), context.pick(3, 8, 12, 20)
    small: dict[str, Any] = {"population": {"size": 303}, "generations": 50}
    # At the shortest scale only the classic game is run at the document's size.
    exact_sizes: Mapping[str, Any] = context.pick({} if variant.game == "kuhn" else small, {}, {}, {})
    sampled_sizes: Mapping[str, Any] = context.pick(small, {}, {}, {})
    exact_changes = {"game": variant.game, **exact_sizes}
    sampled_changes = {"game": variant.game, "fitness": SAMPLED_GAMES, **sampled_sizes}
    chosen = []
    for case in variant.cases:
        preset = f"lopez-{variant.game.partition(':')[0]}-{case.model}-{case.seat + 1}"
        chosen += [preset_with(preset, context.key(preset, n), exact_changes) for n in range(exact_seeds)]
        chosen += [preset_with(preset, context.key(preset, "luck", n), sampled_changes) for n in range(sampled_seeds)]
    runs = iter(evolve_all(chosen, context.workers))
    return [
        _evolved_response(case, list(islice(runs, exact_seeds)), list(islice(runs, sampled_seeds)))
        for case in variant.cases
    ]


def _evolved_response(case: Case, exact_runs: list[RunData], sampled_runs: list[RunData]) -> EvolvedResponse:
    tree = tree_of(game_of(experiment_of(exact_runs[0]).game))
    opponent = policy(tree.game, case.model)
    response = equilibria.best_response(opponent, case.seat)
    champions = [seats(run)[case.seat].arrays["champion"][-LAST_GENERATIONS:] for run in exact_runs]
    sampled = experiment_of(sampled_runs[0])
    return EvolvedResponse(
        case,
        tree,
        response,
        error=standard_error(tree, case.seat, response, opponent),
        genes=np.concatenate(champions).mean(axis=0),
        exact_runs=spread([seats(run)[case.seat].metrics["best_value"].max() for run in exact_runs]),
        sampled_runs=spread([seats(run)[case.seat].metrics["best"].max() for run in sampled_runs]),
        means=sampled.population.size * sampled.generations,
    )


def standard_error(tree: Tree, seat: int, response: Response, opponent: Policy) -> float:
    """Return the standard error of the mean of `GAMES` games between a best response and its opponent."""
    return game_deviation(tree, seat, response.genes, opponent.behaviour(1 - seat)) / float(GAMES**0.5)


def game_deviation(tree: Tree, seat: int, genes: Sequence[Any], opponent: Floats) -> float:
    """Return the standard deviation of the chips that a strategy wins in one game.

    Args:
        tree: The game.
        seat: The seat of the strategy.
        genes: The strategy, (genes,).
        opponent: The opponent's behaviour, (sequences,).

    """
    plan, opponents = plan_of(tree, seat, [float(gene) for gene in genes]), tree.sequences[1 - seat]
    pairs = tree.terminals.sequences
    odds = (
        np.array([float(chance) for chance in tree.terminals.chances])
        * plan[pairs[:, seat]]
        * plans.plans(opponents, opponent[None])[0][pairs[:, 1 - seat]]
    )
    chips = np.array(tree.terminals.chips, dtype=np.float64)
    return float(np.sqrt(max(odds @ chips**2 - (odds @ chips) ** 2, 0.0)))


def plan_of(tree: Tree, seat: int, genes: Sequence[float]) -> Floats:
    """Return the plan (sequences,) of genes (genes,)."""
    seqs = tree.sequences[seat]
    plan: Floats = plans.plans(seqs, plans.behaviours(seqs, np.array([genes])))[0]
    return plan


def value_against(tree: Tree, player: Policy, seat: int, model: str) -> Fraction:
    """Return the exact chips per game that a policy wins in a seat against a model."""
    opponent = policy(tree.game, model)
    if seat == 0:
        return exact.value(tree, player.exact(0), opponent.exact(1))
    return -exact.value(tree, opponent.exact(0), player.exact(1))
