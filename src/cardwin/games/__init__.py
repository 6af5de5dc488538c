"""Rules only: states, legal actions, chance and payoffs."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from cardwin.core.errors import unknown_name
from cardwin.core.registry import Registry
from cardwin.games.base import Action, Game
from cardwin.games.specs import Parameters, installed_games, plugin_game, split_spec

if TYPE_CHECKING:
    from cardwin.games.holdem.game import HoldemGame

__all__ = ["GAMES", "HOLDEM_GAMES", "SMALL_GAMES", "Action", "Game", "game", "is_holdem", "names_holdem"]


Build: TypeAlias = Callable[[str, Parameters, str], Game]

# To add a game, add a line: its name, and the function that builds it from its name, parameters and specification.
SMALL_GAMES: Registry[Build] = Registry(
    texts={
        **dict.fromkeys(
            ("kuhn", "kuhn-breadth", "kuhn-depth", "kuhn-full", "kuhn-13"), "cardwin.games.small.kuhn:kuhn"
        ),
        **dict.fromkeys(("onecard", "onecard-10"), "cardwin.games.small.onecard:onecard"),
        "leduc": "cardwin.games.small.leduc:leduc",
    }
)
HOLDEM_GAMES: Registry[Build] = Registry(
    texts=dict.fromkeys(("holdem-nl", "holdem-limit", "holdem-simple"), "cardwin.games.holdem.game:build_holdem")
)
GAMES = (*SMALL_GAMES, *HOLDEM_GAMES)


@cache
def game(spec: str) -> Game:
    """Return the game that a specification names.

    Args:
        spec: Such as `kuhn`, `onecard:cards=6,bets=0/3/9,ante=1` or `holdem-nl`, the name of an installed package's
            game, or a plug-in game that was built before (see `specs`).

    Raises:
        InputError: If the name or a parameter is unknown or invalid.

    """
    if spec.partition(":")[0] not in GAMES and (plugin := plugin_game(spec)) is not None:
        return plugin
    name, parameters = split_spec(spec)
    if name not in GAMES:
        raise unknown_name("game", name, [*GAMES, *installed_games(), "python:module:build", "openspiel:NAME"])
    return (SMALL_GAMES if name in SMALL_GAMES else HOLDEM_GAMES)[name](name, parameters, spec)


def names_holdem(spec: str) -> bool:
    """Return whether a specification names a game of hold'em, which kernels play; other games are enumerated."""
    return spec.partition(":")[0] in HOLDEM_GAMES


def is_holdem(game: Game) -> TypeGuard["HoldemGame"]:
    """Return whether a game is hold'em, which kernels play; other games are enumerated."""
    return names_holdem(game.name)
