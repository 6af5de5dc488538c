"""A view of a small game's policy: every information set, which actions are forced, what mistakes cost."""

from typing import Any

from cardwin.games.base import Game
from cardwin.players.small_games.policies import policy
from cardwin.players.small_games.policy_features import habits
from cardwin.solvers import equilibria
from cardwin.solvers.exact import short_fraction
from cardwin.solvers.policy import InfosetReport, Policy, inspect_policy

LEAKS = 5


def look_inside(game: Game, spec: str, against: str) -> dict[str, Any]:
    """A policy against an opponent: for each seat that both have, the sets, the largest leaks, and the value."""
    own, other = policy(game, spec), policy(game, against)
    seats = [_seat(own, seat, other) for seat in own.seats if 1 - seat in other.seats]
    found: dict[str, Any] = {"game": game.name, "title": game.title, "against": against, "seats": seats}
    if len(own.seats) == 2:
        judged = equilibria.exploitability(own)
        found |= {"exploitability": judged.exploitability, "value": judged.value}
    return found


def _seat(own: Policy, seat: int, other: Policy) -> dict[str, Any]:
    sets = inspect_policy(own, seat, other)
    best = equilibria.best_response(other, seat)
    lost = sum(one.loss for one in sets)
    worst = sorted((one for one in sets if one.loss > 0), key=lambda one: -one.loss)[:LEAKS]
    return {
        "seat": seat + 1,
        "value": float(best.value - lost),
        "best": float(best.value),
        "best_fraction": short_fraction(best.value),
        "ev_loss": float(lost),
        "habits": [str(habit) for habit in habits(own, seat)],
        "leaks": [{"knows": one.knows, "loss": float(one.loss)} for one in worst],
        "sets": [_infoset_json(one) for one in sets],
    }


def _infoset_json(one: InfosetReport) -> dict[str, Any]:
    return {
        "knows": one.knows,
        "reach": float(one.reach),
        "forced": one.forced,
        "loss": float(one.loss),
        "choices": [
            {
                "action": choice.action,
                "p": float(choice.probability),
                "cost": None if choice.cost is None else float(choice.cost),
            }
            for choice in one.choices
        ],
    }
