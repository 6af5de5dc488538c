"""Rules only: states, legal actions, chance and payoffs."""

from collections.abc import Callable
from functools import cache

from cardwin.core.errors import unknown
from cardwin.games import plugins
from cardwin.games.base import Action, Game
from cardwin.games.parameters import Parameters, split_spec
from cardwin.games.small import kuhn, leduc, onecard

__all__ = ["GAMES", "HOLDEM_GAMES", "SMALL_GAMES", "Action", "Game", "game"]


def _holdem(name: str, parameters: Parameters, spec: str) -> Game:  # noqa: ARG001  the builders share one shape
    # Hold'em imports the compiler, which small games do not need.
    from cardwin.games.holdem.game import holdem_game

    return holdem_game(name, parameters)


# One line adds a game: the names of its presets and its builder.
SMALL_GAMES: dict[str, Callable[[str, Parameters, str], Game]] = {
    **dict.fromkeys(kuhn.PRESETS, kuhn.kuhn),
    **dict.fromkeys(onecard.PRESETS, onecard.onecard),
    **dict.fromkeys(leduc.PRESETS, leduc.leduc),
}
HOLDEM_GAMES = dict.fromkeys(("holdem-nl", "holdem-limit", "holdem-simple"), _holdem)
GAMES = SMALL_GAMES | HOLDEM_GAMES


@cache
def game(spec: str) -> Game:
    """The game that a specification names, such as `kuhn`, `onecard:cards=6,bets=0/3/9,ante=1` or `holdem-nl`.

    A plug-in game is found once it is built (`plugins`); games of installed packages are found by their names.
    """
    if spec.partition(":")[0] not in GAMES and (found := plugins.plugin_game(spec)) is not None:
        return found
    name, parameters = split_spec(spec)
    if name not in GAMES:
        raise unknown("game", name, [*GAMES, *plugins.installed(), "python:module:build", "openspiel:NAME"])
    return GAMES[name](name, parameters, spec)
