"""Specifications from untrusted users, such as a page in a browser: they may only name what is registered.

Code outside the package (`python:…`) and files are rejected: as a player, as a parameter and as a policy.
"""

from cardwin.core.errors import InputError, shorten, unknown_name
from cardwin.games import GAMES, SMALL_GAMES
from cardwin.games import game as game_of
from cardwin.games.base import Game
from cardwin.players.champions import names as shipped
from cardwin.players.small_games.kuhn_models import models

LONGEST = 2000
MOST_ROLLOUTS = 1000  # a decision, for untrusted users


def named_game(spec: str) -> Game:
    """A game by the name of a registered one; hold'em games may have parameters, which are cheap."""
    name = spec.partition(":")[0]
    if name not in GAMES or (name in SMALL_GAMES and spec != name):
        raise unknown_name("game", shorten(spec), GAMES)
    return game_of(spec)


def named_player(spec: str) -> str:
    """A hold'em player's specification, rejected if it names code or a file."""
    from cardwin.players.network.atlas import SHIPPED
    from cardwin.players.registry import PLAYERS, parameters_of

    name = spec.partition(":")[0]
    if len(spec) > LONGEST or name not in PLAYERS:
        raise unknown_name("player", shorten(name), PLAYERS)
    parameters = parameters_of(spec)
    file = parameters.get("file")
    suffix = PLAYERS[name].suffix
    in_atlas = name == "net" and file is not None and file.startswith(f"{SHIPPED}/")
    if file is not None and not in_atlas and (not suffix or file not in shipped(suffix)):
        raise InputError(f"{shorten(spec)} names a file: from here only players that come with Cardwin can be named")
    if (
        len(parameters.get("rollouts", "")) > len(str(MOST_ROLLOUTS))
        or float(parameters.get("rollouts", 0)) > MOST_ROLLOUTS
    ):
        raise InputError(f"{shorten(spec)}: from here a player may simulate {MOST_ROLLOUTS} times a decision at most")
    return spec


def named_policy(game: Game, spec: str) -> str:
    """A small game's policy, rejected if it names a file."""
    if len(spec) > LONGEST or not (spec.startswith("genes:") or spec.lower() in policy_names(game)):
        raise unknown_name(f"policy for {game.name}", shorten(spec), policy_names(game))
    return spec


def policy_names(game: Game) -> list[str]:
    """The named policies of a small game."""
    return ["equilibrium", "uniform", *models(game)]
