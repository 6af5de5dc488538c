"""The players that a browser may name: registered players and policies, champions of runs, and programs
that the operator named. Never other code or files.
"""

from collections.abc import Sequence
from pathlib import Path

from cardwin.arena.interactive.table import PERSON
from cardwin.core.errors import InputError
from cardwin.games.base import Game
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.registry import named_game, named_player, named_policy
from cardwin.runs.champions import PREFIX, champion


def allowed(home: Path, game: Game, spec: str, seats: Sequence[str] = ()) -> str:
    """The specification of the player that a browser named; raises InputError if it is not allowed.

    `seats` are programs that the operator of the page named (`cardwin serve --seat`).
    """
    if spec in seats and isinstance(game, HoldemGame):
        return spec
    if spec.startswith(PREFIX):
        found = champion(home, spec)
        if (found.game is None) != isinstance(game, HoldemGame):
            raise InputError(f"{spec} plays {found.game or 'hold’em'}, not {game.name}")
        return found.given
    return named_player(spec) if isinstance(game, HoldemGame) else named_policy(game, spec)


def seated(home: Path, game: str, specs: Sequence[str], seats: Sequence[str] = ()) -> tuple[str, list[str]]:
    """The name of a game and the specifications of its players; `person` is kept."""
    rules = named_game(game)
    return rules.name, [spec if spec == PERSON else allowed(home, rules, spec, seats) for spec in specs]
