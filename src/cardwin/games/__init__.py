"""Rules only: states, legal actions, chance and payoffs."""

from collections.abc import Callable
from functools import cache

from cardwin.errors import InputError, unknown
from cardwin.games import kuhn, leduc, onecard
from cardwin.games.base import Action, Game
from cardwin.games.parameters import Parameters, split_spec

__all__ = ["SMALL_GAMES", "Action", "Game", "game"]

# One line adds a game: its presets' names and what builds it.
SMALL_GAMES: dict[str, Callable[[str, Parameters, str], Game]] = {
    **dict.fromkeys(kuhn.PRESETS, kuhn.kuhn),
    **dict.fromkeys(onecard.PRESETS, onecard.onecard),
    **dict.fromkeys(leduc.PRESETS, leduc.leduc),
}


@cache
def game(spec: str) -> Game:
    """The small game that a specification names, such as `kuhn` or `onecard:cards=6,bets=0/3/9,ante=1`."""
    name, parameters = split_spec(spec)
    if name not in SMALL_GAMES:
        if name.startswith("holdem"):
            raise InputError(f"{name} is too large to enumerate: this needs a small game, {', '.join(SMALL_GAMES)}")
        raise unknown("game", name, SMALL_GAMES)
    return SMALL_GAMES[name](name, parameters, spec)
