"""Rules only: states, legal actions, chance and payoffs."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from cardwin.core.errors import unknown_name
from cardwin.core.registry import Registry
from cardwin.games import plugins
from cardwin.games.base import Action, Game
from cardwin.games.parameters import Parameters, split_spec

if TYPE_CHECKING:
    from cardwin.games.holdem.game import HoldemGame

__all__ = ["GAMES", "HOLDEM_GAMES", "SMALL_GAMES", "Action", "Game", "game", "is_holdem", "names_holdem"]


Build: TypeAlias = Callable[[str, Parameters, str], Game]

# One line adds a game: its name, and where the function is that builds it from its name and parameters.
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
    """The game that a specification names, such as `kuhn`, `onecard:cards=6,bets=0/3/9,ante=1` or `holdem-nl`.

    A plug-in game is found once it is built (`plugins`); games of installed packages are found by their names.
    """
    if spec.partition(":")[0] not in GAMES and (found := plugins.plugin_game(spec)) is not None:
        return found
    name, parameters = split_spec(spec)
    if name not in GAMES:
        raise unknown_name("game", name, [*GAMES, *plugins.installed(), "python:module:build", "openspiel:NAME"])
    return (SMALL_GAMES if name in SMALL_GAMES else HOLDEM_GAMES)[name](name, parameters, spec)


def names_holdem(spec: str) -> bool:
    """Return whether a specification names a game of hold'em, which kernels play; other games are enumerated."""
    return spec.partition(":")[0] in HOLDEM_GAMES


def is_holdem(game: Game) -> TypeGuard["HoldemGame"]:
    """Return whether a game is hold'em, which kernels play; other games are enumerated."""
    return names_holdem(game.name)
