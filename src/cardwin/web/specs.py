"""Who a browser may name: registered players and policies, and champions under the runs folder. Never code or files."""

from collections.abc import Sequence
from pathlib import Path

from cardwin.arena.interactive.table import PERSON
from cardwin.core.errors import InputError
from cardwin.games.base import Game
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.untrusted import named_game, named_player, named_policy
from cardwin.runs.champions import PREFIX, champion


def allowed(home: Path, game: Game, spec: str) -> str:
    """The specification that plays what a browser named, or an error."""
    if spec.startswith(PREFIX):
        found = champion(home, spec)
        if (found.game is None) != isinstance(game, HoldemGame):
            raise InputError(f"{spec} plays {found.game or 'hold’em'}, not {game.name}")
        return found.given
    return named_player(spec) if isinstance(game, HoldemGame) else named_policy(game, spec)


def seated(home: Path, game: str, specs: Sequence[str]) -> tuple[str, list[str]]:
    """The name of a game and the specifications of those who sit at a table, people as they are."""
    rules = named_game(game)
    return rules.name, [spec if spec == PERSON else allowed(home, rules, spec) for spec in specs]
