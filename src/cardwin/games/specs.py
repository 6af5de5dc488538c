"""Specifications of games and players: names with parameters, and plug-ins.

A specification is a name with parameters, such as `onecard:cards=6,bets=0/3/9,ante=1`, or a plug-in game:

- `python:module:build` is a function of a module in the working folder. `build(name)` receives the specification and
  returns a game of that name (see `base`); a dataclass whose first field is its name is enough. Building runs code:
  commands and calls request it by `build_plugin`; files and pages, which only look a game up, never do.
- Installed packages offer games as entry points of the group `cardwin.games`.
- `openspiel:NAME` is a game of OpenSpiel, if that is installed.
"""

import importlib
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from itertools import pairwise
from typing import Any

from cardwin.core.errors import InputError, unknown_name
from cardwin.games.base import Game, has_public_betting

Parameters = dict[str, str]

PREFIX = "python:"
OPENSPIEL = "openspiel:"
GROUP = "cardwin.games"
REQUIRED_ATTRIBUTES = ("name", "title", "gene_order", "start")
_BUILT: dict[str, Game] = {}


def split_spec(spec: str, kind: str = "game", example: str = "cards=5") -> tuple[str, Parameters]:
    """Split a specification into its name and its parameters.

    Args:
        spec: The specification, such as `kuhn:cards=5`.
        kind: What is specified, for the error message.
        example: A parameter with a value, for the error message.

    Returns:
        The name, and the parameters' values by name.

    Raises:
        InputError: If a parameter has no value or comes twice.

    """
    name, _, rest = spec.partition(":")
    parameters: Parameters = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not equals or not value:
            raise InputError(f"{kind} {spec!r}: expected a parameter and its value such as {example}, got {item!r}")
        if key in parameters:
            raise InputError(f"{kind} {spec!r}: duplicate parameter {key}")
        parameters[key] = value
    return name, parameters


def reject_unknown_parameters(name: str, parameters: Parameters, known: tuple[str, ...]) -> None:
    """Raise an error for the first parameter that a game or a player does not have."""
    for key in parameters:
        if key not in known:
            raise unknown_name(f"parameter of {name}", key, known)


def int_parameter(game: str, name: str, text: str, minimum: int, maximum: int) -> int:
    """Return the value of a parameter, a whole number within bounds."""
    if not (text.isascii() and text.isdigit() and len(text) < 12 and minimum <= int(text) <= maximum):
        raise InputError(f"{game}: expected a whole number from {minimum} to {maximum}, got {name}={text}")
    return int(text)


def rising_int_parameter(game: str, name: str, text: str, minimum: int, maximum: int) -> tuple[int, ...]:
    """Return the value of a parameter, rising whole numbers separated by slashes."""
    numbers = tuple(int_parameter(game, name, item, minimum, maximum) for item in text.split("/"))
    if any(a >= b for a, b in pairwise(numbers)):
        raise InputError(f"{game}: expected rising numbers such as 1/2/10, got {name}={text}")
    return numbers


def installed_games() -> dict[str, EntryPoint]:
    """Return the games of installed packages by name."""
    return {point.name: point for point in entry_points(group=GROUP)}


def load_from_module(spec: str, kind: str, usage: str, suggest: Callable[[str, object], bool]) -> Any:
    """Return the object that a specification `python:module:name` names.

    Args:
        spec: The specification.
        kind: What is loaded, for the error message.
        usage: The message for a specification that does not have three parts.
        suggest: Selects the names of the module, with their objects, that are suggested for an unknown one.

    Raises:
        InputError: If the specification is invalid, the module fails, or it has no such name.

    """
    parts = spec.split(":")
    if len(parts) != 3:
        raise InputError(f"{spec!r}: {usage}")
    # The user's module is in the working folder.
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = importlib.import_module(parts[1])
    except Exception as error:  # code outside the package may raise anything
        raise InputError(f"{spec!r} cannot be built: {type(error).__name__}: {error}") from error
    if not hasattr(module, parts[2]):
        names = [name for name, value in vars(module).items() if suggest(name, value)]
        raise unknown_name(f"{kind} of {parts[1]}", parts[2], names)
    return getattr(module, parts[2])


def build_plugin(spec: str) -> None:
    """Build a plug-in game and register it, so that `cardwin.game` returns it from now on."""
    if spec not in _BUILT:
        usage = "expected python:module:build, such as python:my_games:build"
        _register(spec, load_from_module(spec, "game", usage, lambda name, _: not name.startswith("_")))


def plugin_game(spec: str) -> Game | None:
    """Return a plug-in game that was built, or that a package offers; None if there is none of that name."""
    if spec in _BUILT:
        return _BUILT[spec]
    if spec.startswith(PREFIX):
        raise InputError(f"{spec} runs code: name it as a command's game (or --trust it), not in a file or on the page")
    if spec.startswith(OPENSPIEL):
        try:
            adapter = importlib.import_module("cardwin.interop.openspiel")
        except ModuleNotFoundError as error:
            raise InputError(f"{spec} needs OpenSpiel: pip install 'cardwin[openspiel]' ({error})") from None
        game: Game = adapter.openspiel_game(spec)
        return game
    if (point := installed_games().get(spec)) is None:
        return None
    try:
        build = point.load()
    except Exception as error:
        raise InputError(f"{spec}, of {point.value}, cannot be built: {type(error).__name__}: {error}") from error
    return _register(spec, build)


def _register(spec: str, build: Any) -> Game:
    """Build a game, check that it follows the protocol, and register it."""
    try:
        game: Game = build(spec)
        missing = [name for name in REQUIRED_ATTRIBUTES if not hasattr(game, name)]
        hash(game)
        if not missing and has_public_betting(game):
            missing = [name for name in ("redeal", "strengths") if not hasattr(game.start(), name)]
    except Exception as error:
        raise InputError(f"{spec!r} cannot be built: {type(error).__name__}: {error}") from error
    if missing:
        raise InputError(f"invalid game {spec!r}: missing {', '.join(missing)}")
    if game.name != spec:
        raise InputError(f"invalid game {spec!r}: expected build(name) to use that name, got {game.name!r}")
    _BUILT[spec] = game
    return game
