"""A small game's evolution at one generation: champions beside the best response and the nearest equilibrium."""

from typing import Any

import numpy as np

from cardwin.analysis import cycles
from cardwin.core.arrays import Floats
from cardwin.games import game
from cardwin.players.small_games import policies
from cardwin.reports.small_game import Report, quick_response
from cardwin.runs.problems.small_game import HALL, POPULATION, SEATS
from cardwin.runs.reader import RunData
from cardwin.solvers import equilibria, plans
from cardwin.solvers.tree import tree_of

MAX_SAMPLED = 60  # sampled generations in a picture


def champion_at(report: Report, index: int) -> dict[str, Any]:
    """Return the champions of a recorded generation, beside the best response and an equilibrium.

    For each seat and information set these are action probabilities. The equilibrium is the nearest one if the game is
    small, with its `distance`. The response is to fixed opponents, or to the other seat's average member of that
    generation.

    Args:
        report: The run.
        index: The index of the recorded generation.

    """
    tree = tree_of(game(report.experiment.game))
    seats = []
    for seat in report.seats:
        seqs = tree.sequences[seat]
        met = _opponents_plan(report, seat, index)
        genes = quick_response(seqs, plans.gradient(tree, seat, met))
        response = plans.behaviours(seqs, genes[None])[0]
        plan = report.champion_plan(seat, index)
        champion = plans.behaviour_of(seqs, plan)
        near = report.nearest(seat, champion)
        equal = equilibria.equilibrium(tree.game).behaviour(seat) if near is None else near.behaviour
        seats.append(
            {
                "seat": seat + 1,
                "against": _opponents_text(report, seat),
                "exploitability": _game_value(report, seat) + plans.best_response_value(tree, 1 - seat, plan),
                "value": float(plan @ plans.gradient(tree, seat, met)),
                "most": plans.best_response_value(tree, seat, met),
                "distance": None if near is None else near.distance,
                "sets": [
                    {
                        "knows": knows,
                        "actions": [str(action) for action in actions],
                        "champion": _cut(champion, first, count),
                        "response": _cut(response, first, count),
                        "equilibrium": _cut(equal, first, count),
                    }
                    for knows, actions, (_, first, count) in zip(
                        seqs.infosets, seqs.actions, seqs.layout.tolist(), strict=True
                    )
                ],
            }
        )
    return {"game": tree.game.name, "seats": seats}


def _game_value(report: Report, seat: int) -> float:
    """Return the game's value to a seat."""
    value = float(equilibria.game_value(report.tree.game))
    return value if seat == 0 else -value


def _opponents_text(report: Report, seat: int) -> str:
    """Return the opponents of the best response, in words."""
    against = report.experiment.opponents[seat].against
    names = ("the other seat's average member" if name in (POPULATION, HALL) else name for name in against)
    return " and ".join(dict.fromkeys(names))


def _opponents_plan(report: Report, seat: int, index: int) -> Floats:
    """Return the plan (sequences,) of a seat's fixed opponents, or of the other seat's average member at that time."""
    other, met = 1 - seat, []
    for name in report.experiment.opponents[seat].against:
        if name in (POPULATION, HALL):
            met.append(report.seats[other].arrays["average"][index])
        else:
            met.append(policies.policy(report.tree.game, name).plan(other))
    average: Floats = np.mean(met, axis=0)
    return average


def _cut(behaviour: Floats, first: int, count: int) -> list[float]:
    return [float(p) for p in behaviour[first : first + count]]


def memory_of(data: RunData, report: Report) -> dict[str, Any]:
    """Return the champions of sampled generations against each other: seat 1's chips, rows first, and a summary."""
    generations = report.seats[0].generation
    chosen = np.unique(np.linspace(0, len(generations) - 1, min(MAX_SAMPLED, len(generations))).astype(np.int64))
    first, second = (report.champion_plans(seat)[chosen] for seat in (0, 1))
    memory = cycles.remember(report.tree, first, second, generations[chosen])
    averages = [data.populations[name].arrays["average"] for name in SEATS]
    periods = cycles.period(averages[0]), cycles.period(averages[1])
    return {
        "generations": memory.generations.tolist(),
        "scores": memory.scores.tolist(),
        "said": cycles.summarise(memory, periods),
    }
