"""Views of a player's behaviour: policies, range grids, playing style."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from cardwin.core.errors import InputError
from cardwin.web.answers import Answer
from cardwin.web.catalogue import settings_of

router = APIRouter(prefix="/api/look", tags=["players"])
Spec = Annotated[str, Query(max_length=2000, description="A registered player or policy, or champion:RUN/FILE.")]
GameName = Annotated[str, Query(max_length=200)]


@router.get("/policy")
def policy(request: Request, game: GameName, spec: Spec, against: Spec = "equilibrium") -> Answer:
    """A policy of a small game: the action probabilities of every information set, which actions are forced, and the
    cost of each mistake against an opponent.
    """
    from cardwin.games.holdem.game import HoldemGame
    from cardwin.players.registry import named_game
    from cardwin.web.policy_view import look_inside
    from cardwin.web.specs import allowed

    rules, home = named_game(game), settings_of(request).home
    if isinstance(rules, HoldemGame):
        raise InputError(f"{rules.name} has too many information sets to list: request its grid")
    return Answer({"spec": spec} | look_inside(rules, allowed(home, rules, spec), allowed(home, rules, against)))


@router.get("/grid")
def range_grid_of(
    request: Request,
    game: GameName,
    spec: Spec,
    seats: Annotated[int, Query(ge=2, le=10)] = 2,
    line: Annotated[str, Query(max_length=1000, description="Actions separated by commas: raise 300,call")] = "",
    board: Annotated[str, Query(max_length=20)] = "",
    hand: Annotated[str, Query(max_length=10, description="Two cards: the action with them and its explanation.")] = "",
    samples: Annotated[int, Query(ge=1, le=512, description="Of each class of hands, if chances are not known.")] = 32,
) -> Answer:
    """What a hold'em player does with every hand after a betting line: exact where the player says its chances,
    otherwise from samples, with intervals. With `hand`, the explanation for one hand.
    """
    from cardwin.analysis import range_grid
    from cardwin.games.holdem.game import HoldemGame
    from cardwin.players.registry import named_game, player
    from cardwin.web.specs import allowed

    rules, home = named_game(game), settings_of(request).home
    if not isinstance(rules, HoldemGame):
        raise InputError(f"{rules.name} has no grid: only hold'em games have one")
    given = allowed(home, rules, spec)
    moves = [move.strip() for move in line.split(",") if move.strip()]
    found, state = range_grid.situation(rules, seats, moves, board)
    answer = {"spec": spec, "line": moves} | range_grid.described(found, state)
    if answer["over"] or answer["missing"]:
        return Answer(answer | {"cells": None})
    if hand:
        return Answer(answer | {"explained": range_grid.explained(player(given), found, state, hand)})
    grid = range_grid.grid_of(player(given), found, state, samples)
    return Answer(answer | {"exact": grid.exact, "samples": grid.samples, "cells": grid.cells})


@router.get("/opponents")
def opponents(game: GameName) -> Answer:
    """The players that ship and play a game, the easiest first: name, a line, strength with its interval, style."""
    from cardwin.analysis.yardsticks.opponents import opponents as rated
    from cardwin.analysis.yardsticks.opponents import policy_opponents
    from cardwin.games.holdem.game import HoldemGame
    from cardwin.players.registry import named_game

    rules = named_game(game)
    found = rated(rules.name) if isinstance(rules, HoldemGame) else policy_opponents(rules)
    return Answer({"game": rules.name, "opponents": [one.as_dict() for one in found]})


@router.get("/atlas")
def atlas() -> Answer:
    """The atlas of styles that comes with Cardwin: every cell with its style, its value and its specification."""
    from cardwin.players.network.atlas import shipped_atlas

    return Answer(shipped_atlas())


@router.get("/yardsticks")
def yardsticks() -> Answer:
    """How good every player is, as kept: local best response, exact value, result against a blueprint."""
    from cardwin.analysis.yardsticks import players_table

    table = players_table.read()
    return Answer(
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
) -> Answer:
    """The playing style of a hold'em player: the usual statistics, each with an interval."""
    from cardwin.analysis.playing_style import style as style_of
    from cardwin.games.holdem.game import HoldemGame
    from cardwin.players.registry import named_game
    from cardwin.web.specs import allowed

    rules, home = named_game(game), settings_of(request).home
    if not isinstance(rules, HoldemGame):
        raise InputError(f"{rules.name} is a small game: its policies are shown exactly, without samples")
    specs = allowed(home, rules, spec), allowed(home, rules, against)
    return Answer({"spec": spec} | style_of(rules, specs[0], [specs[1]], hands) | {"against": [against]})
