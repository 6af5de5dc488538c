"""Which bots of a folder can be seated: each is started once in its sandbox, and ended again."""

from pathlib import Path

from cardwin.core.errors import InputError
from cardwin.games.base import Game
from cardwin.players.adapters.discovery import Found, find_bots
from cardwin.players.sandbox.process import IsolatedPlayer
from cardwin.players.sandbox.small_process import IsolatedSmallPlayer
from cardwin.players.sandbox.walls import require_walls


def seated_bots(folder: Path, limit: float | None, allow_weak: bool = False, small: Game | None = None) -> Found:
    """The bots that start, for a small game if one is given, and what was skipped: not recognised, not complete, or
    unable to start.
    """
    found = find_bots(folder)
    if not found.specs:
        return found
    require_walls(allow_weak)
    able, skipped = list[str](), list(found.skipped)
    for spec in found.specs:
        try:
            (IsolatedPlayer(spec, limit) if small is None else IsolatedSmallPlayer(spec, small, limit)).close()
        except InputError as error:
            skipped.append((spec, str(error).removeprefix(f"{spec}: ")))
        else:
            able.append(spec)
    return Found(tuple(able), tuple(skipped))
