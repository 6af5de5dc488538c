"""Views of players: policies of small games, range grids, playing style; and the players that a browser may name.

A browser may name registered players and policies, champions of runs, and programs that the operator named. It can
never name other code or files.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from cardwin.arena.interactive_table import PERSON
from cardwin.core.errors import InputError
from cardwin.games import is_holdem
from cardwin.games.base import Game
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.registry import named_game, named_player, named_policy
from cardwin.runs.champions import PREFIX, champion
from cardwin.solvers.policy import InfosetReport, Policy
from cardwin.web.responses import JsonResponse
from cardwin.web.settings import settings_of

router = APIRouter(prefix="/api/look", tags=["players"])
MAX_LEAKS = 5  # listed
Spec = Annotated[str, Query(max_length=2000, description="A registered player or policy, or champion:RUN/FILE.")]
GameName = Annotated[str, Query(max_length=200)]


@router.get("/policy")
def policy(request: Request, game: GameName, spec: Spec, against: Spec = "equilibrium") -> JsonResponse:
    """Return a policy of a small game: action probabilities, forced actions, and the cost of each mistake."""
    rules, home = named_game(game), settings_of(request).home
    if is_holdem(rules):
        raise InputError(f"expected a small game, got {rules.name}, which has too many information sets: use the grid")
    view = policy_view(rules, resolve_player(home, rules, spec), resolve_player(home, rules, against))
    return JsonResponse({"spec": spec} | view)


@router.get("/grid")
def range_grid_of(
    request: Request,
    game: GameName,
    spec: Spec,
    seats: Annotated[int, Query(ge=2, le=10)] = 2,
    line: Annotated[str, Query(max_length=1000, description="Actions separated by commas: raise 300,call")] = "",
    board: Annotated[str, Query(max_length=20)] = "",
    hand: Annotated[str, Query(max_length=10, description="Two cards: the action with them and its explanation.")] = "",
    samples: Annotated[int, Query(ge=1, le=512, description="Per class of hands, if chances are not known.")] = 32,
) -> JsonResponse:
    """Return what a hold'em player does with every hand after a betting line.

    It is exact if the player gives its probabilities, otherwise sampled, with intervals. With `hand` the answer is the
    explanation for these two cards.
    """
    from cardwin.analysis import range_grid
    from cardwin.players.registry import player

    rules = _holdem_game(game, "a grid")
    named = resolve_player(settings_of(request).home, rules, spec)
    moves = [move.strip() for move in line.split(",") if move.strip()]
    situation, state = range_grid.situation(rules, seats, moves, board)
    answer = {"spec": spec, "line": moves} | range_grid.described(situation, state)
    if answer["over"] or answer["missing"]:
        return JsonResponse(answer | {"cells": None})
    if hand:
        return JsonResponse(answer | {"explained": range_grid.explained(player(named), situation, state, hand)})
    grid = range_grid.grid_of(player(named), situation, state, samples)
    return JsonResponse(answer | {"exact": grid.exact, "samples": grid.samples, "cells": grid.cells})


@router.get("/opponents")
def opponents(game: GameName) -> JsonResponse:
    """Return the included players of a game, the easiest first: name, a line, strength with its interval, style."""
    from cardwin.analysis.opponents import opponents as rated
    from cardwin.analysis.opponents import policy_opponents

    rules = named_game(game)
    rows = rated(rules.name) if is_holdem(rules) else policy_opponents(rules)
    return JsonResponse({"game": rules.name, "opponents": [opponent.as_dict() for opponent in rows]})


@router.get("/atlas")
def atlas() -> JsonResponse:
    """Return the included atlas of styles: every cell with its style, its value and its specification."""
    from cardwin.players.network.atlas import shipped_atlas

    return JsonResponse(shipped_atlas())


@router.get("/yardsticks")
def yardsticks() -> JsonResponse:
    """Return the stored yardsticks of every player: local best response, exact value, result against a blueprint."""
    from cardwin.analysis import players_table

    table = players_table.read()
    return JsonResponse(
        {
            "unit": table["unit"],
            "header": players_table.HEADER,
            "players": table["players"],
            "cells": [players_table.cells(row) for row in table["players"]],
        }
    )


@router.get("/style")
def style(
    request: Request,
    game: GameName,
    spec: Spec,
    against: Spec = "call",
    hands: Annotated[int, Query(ge=2, le=1000)] = 300,
) -> JsonResponse:
    """Return the playing style of a hold'em player: the common statistics, each with an interval."""
    from cardwin.analysis.playing_style import style as style_of

    rules, home = _holdem_game(game, "a playing style"), settings_of(request).home
    specs = resolve_player(home, rules, spec), resolve_player(home, rules, against)
    return JsonResponse({"spec": spec} | style_of(rules, specs[0], [specs[1]], hands) | {"against": [against]})


def _holdem_game(name: str, view: str) -> HoldemGame:
    rules = named_game(name)
    if not is_holdem(rules):
        raise InputError(f"expected a hold'em game, got {rules.name}: small games are shown exactly, without {view}")
    return rules


def resolve_player(home: Path, game: Game, spec: str, seats: Sequence[str] = ()) -> str:
    """Return the specification of the player that a browser named.

    Args:
        home: The folder of runs.
        game: The game that the player should play.
        spec: A registered player or policy, or champion:RUN/FILE.
        seats: Programs that the operator of the page named (`cardwin serve --seat`).

    Raises:
        InputError: The browser may not name this player, or the player does not play this game.

    """
    if spec in seats and is_holdem(game):
        return spec
    if spec.startswith(PREFIX):
        named = champion(home, spec)
        if (named.game is None) != is_holdem(game):
            raise InputError(f"expected a player of {game.name}, got {spec}, which plays {named.game or 'hold’em'}")
        return named.local_spec
    return named_player(spec) if is_holdem(game) else named_policy(game, spec)


def resolve_players(home: Path, game: str, specs: Sequence[str], seats: Sequence[str] = ()) -> tuple[str, list[str]]:
    """Return the name of a game and the specifications of its players; `person` stays as it is."""
    rules = named_game(game)
    return rules.name, [spec if spec == PERSON else resolve_player(home, rules, spec, seats) for spec in specs]


def policy_view(game: Game, spec: str, against: str) -> dict[str, Any]:
    """Return a policy against an opponent: for each seat that both have, the sets, the largest leaks, and the value."""
    from cardwin.players.small_games.policies import policy as policy_of
    from cardwin.solvers import equilibria

    shown, other = policy_of(game, spec), policy_of(game, against)
    seats = [_seat_view(shown, seat, other) for seat in shown.seats if 1 - seat in other.seats]
    view: dict[str, Any] = {"game": game.name, "title": game.title, "against": against, "seats": seats}
    if len(shown.seats) == 2:
        result = equilibria.exploitability(shown)
        view |= {"exploitability": result.exploitability, "value": result.value}
    return view


def _seat_view(shown: Policy, seat: int, other: Policy) -> dict[str, Any]:
    from cardwin.players.small_games.policies import habits
    from cardwin.solvers import equilibria
    from cardwin.solvers.exact import short_fraction
    from cardwin.solvers.policy import inspect_policy

    sets = inspect_policy(shown, seat, other)
    best = equilibria.best_response(other, seat)
    lost = sum(infoset.loss for infoset in sets)
    leaks = sorted((infoset for infoset in sets if infoset.loss > 0), key=lambda infoset: -infoset.loss)[:MAX_LEAKS]
    return {
        "seat": seat + 1,
        "value": float(best.value - lost),
        "best": float(best.value),
        "best_fraction": short_fraction(best.value),
        "ev_loss": float(lost),
        "habits": [str(habit) for habit in habits(shown, seat)],
        "leaks": [{"knows": infoset.knows, "loss": float(infoset.loss)} for infoset in leaks],
        "sets": [_infoset_view(infoset) for infoset in sets],
    }


def _infoset_view(infoset: InfosetReport) -> dict[str, Any]:
    choices = [
        {
            "action": choice.action,
            "p": float(choice.probability),
            "cost": None if choice.cost is None else float(choice.cost),
        }
        for choice in infoset.choices
    ]
    loss = {"forced": infoset.forced, "loss": float(infoset.loss)}
    return {"knows": infoset.knows, "reach": float(infoset.reach), **loss, "choices": choices}
