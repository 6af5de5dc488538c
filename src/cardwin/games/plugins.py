"""Plug-in games: `python:module:build` from a module in the working folder, or an entry point of an installed package.

`build(name)` receives the specification and returns a game of that name (see `base`); a dataclass whose first field is
its name is enough. Building runs code: commands and calls request it by `build_plugin`; files and pages, which only
look a game up, never do. A package offers games as entry points of the group `cardwin.games`. `openspiel:NAME` is a
game of OpenSpiel, if that is installed.
"""

import importlib
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from cardwin.core.errors import InputError, unknown_name
from cardwin.games.base import Game, has_public_betting

PREFIX = "python:"
OPENSPIEL = "openspiel:"
GROUP = "cardwin.games"
NEEDED = ("name", "title", "gene_order", "start")
_BUILT: dict[str, Game] = {}


def installed() -> dict[str, EntryPoint]:
    """The games of installed packages, by name."""
    return {one.name: one for one in entry_points(group=GROUP)}


def from_module(spec: str, what: str, wanted: str, fits: Callable[[str, object], bool]) -> Any:
    """The object that the specification names; `fits` selects the names of the module to suggest if it is missing."""
    parts = spec.split(":")
    if len(parts) != 3:
        raise InputError(f"{spec!r}: {wanted}")
    # The user's module is in the working folder.
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = importlib.import_module(parts[1])
    except Exception as error:  # code outside the package may raise anything
        raise InputError(f"{spec!r} cannot be built: {type(error).__name__}: {error}") from error
    if not hasattr(module, parts[2]):
        raise unknown_name(
            f"{what} of {parts[1]}", parts[2], [name for name, one in vars(module).items() if fits(name, one)]
        )
    return getattr(module, parts[2])


def build_plugin(spec: str) -> None:
    """Build a plug-in game, so that `game` finds it from now on."""
    if spec in _BUILT:
        return
    wanted = "python:module:build is needed, such as python:my_games:build"
    build = from_module(spec, "game", wanted, lambda name, _: not name.startswith("_"))
    _BUILT[spec] = _checked(spec, build)


def plugin_game(spec: str) -> Game | None:
    """A plug-in game that was built, or that a package offers; None if there is none of that name."""
    if spec in _BUILT:
        return _BUILT[spec]
    if spec.startswith(PREFIX):
        raise InputError(f"{spec} runs code: name it as a command's game (or --trust it), not in a file or on the page")
    if spec.startswith(OPENSPIEL):
        return _of_openspiel(spec)
    if (point := installed().get(spec)) is None:
        return None
    try:
        build = point.load()
    except Exception as error:
        raise InputError(f"{spec}, of {point.value}, cannot be built: {type(error).__name__}: {error}") from error
    _BUILT[spec] = _checked(spec, build)
    return _BUILT[spec]


def _of_openspiel(spec: str) -> Game:
    """A game of OpenSpiel, by the adapter that knows that library."""
    try:
        adapter = importlib.import_module("cardwin.interop.openspiel")
    except ModuleNotFoundError as error:
        raise InputError(f"{spec} needs OpenSpiel: pip install 'cardwin[openspiel]' ({error})") from None
    made: Game = adapter.openspiel_game(spec)
    return made


def _checked(spec: str, build: Any) -> Game:
    try:
        game = build(spec)
        missing = [name for name in NEEDED if not hasattr(game, name)]
        hash(game)
        if not missing and has_public_betting(game):
            missing = [name for name in ("redeal", "strengths") if not hasattr(game.start(), name)]
    except Exception as error:
        raise InputError(f"{spec!r} cannot be built: {type(error).__name__}: {error}") from error
    if missing:
        raise InputError(f"{spec!r} is no game: it has no {', '.join(missing)}")
    if game.name != spec:
        raise InputError(f"{spec!r} calls itself {game.name!r}: build(name) should use the name that it is given")
    made: Game = game
    return made
