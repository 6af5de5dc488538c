"""Every hold'em player by name; a specification such as `random` or `loki:model=specific` builds one.

A kind of player is a folder of `players/` and a line of `PLAYERS`: its name, and where its `PlayerKind` is, which is
loaded when a player of that kind is first wanted. Matches, the gallery, the list of champions, `explain` and the page
read everything about a kind from there.

`python:module:Class` builds a player from code outside the package, and `pokerbots:FOLDER` and others (`specs`) from
programs of other people: for commands and calls, never from files.
"""

import sys
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from cardwin.core.errors import InputError, short, unknown
from cardwin.core.registry import Registry, load
from cardwin.games.specs import Parameters, load_from_module, reject_unknown_parameters, split_spec
from cardwin.players.champions import names as shipped
from cardwin.players.kind import ForeignKind, HoldemPlayer, PlayerKind
from cardwin.players.specs import PROGRAM_KINDS, is_program, is_untrusted, read_program

GROUP = "cardwin.players"  # entry points

# One line adds a kind of player.
PLAYERS: Registry[PlayerKind] = Registry(
    texts={
        "fold": "cardwin.players.robots.static:FOLD_KIND",
        "call": "cardwin.players.robots.static:CALL_KIND",
        "raise": "cardwin.players.robots.static:RAISE_KIND",
        "all-in": "cardwin.players.robots.static:ALL_IN_KIND",
        "random": "cardwin.players.robots.static:RANDOM_KIND",
        "call-or-raise": "cardwin.players.robots.static:CALL_OR_RAISE_KIND",
        "blind": "cardwin.players.robots.blind:BLIND_KIND",
        "standard": "cardwin.players.robots.robot:STANDARD_KIND",
        "v1": "cardwin.players.robots.robot:V1_KIND",
        "v2": "cardwin.players.robots.learner:V2_KIND",
        "v3": "cardwin.players.robots.learner:V3_KIND",
        "matrix": "cardwin.players.robots.robot:MATRIX_KIND",
        "net": "cardwin.players.network.atlas:KIND",
        "loki": "cardwin.players.loki.files:KIND",
        "xcs": "cardwin.players.xcs.player:KIND",
        "cfr": "cardwin.players.cfr.player:KIND",
        "nearest-neighbour": "cardwin.players.nearest_neighbour.player:KIND",
    }
)


def champions() -> list[str]:
    """Return the specifications of all shipped champions."""
    return [f"{name}:{file}" for name, kind in PLAYERS.items() if kind.suffix for file in shipped(kind.suffix)]


def kind_of_file(saved_as: str) -> str | None:
    """Return the kind whose files have this in their metadata, or None."""
    return next((name for name, kind in PLAYERS.items() if (kind.saved_as or name) == saved_as), None)


def player(spec: str) -> HoldemPlayer:
    """Build the player that a specification names; each call builds a new one.

    Raises:
        InputError: the specification names no player, or one that cannot be built.

    """
    if spec in _LOCAL:
        return _LOCAL[spec]()
    if is_program(spec):
        return _program(spec)
    if is_untrusted(spec):
        return _from_python(spec)
    name = spec.partition(":")[0]
    if name not in PLAYERS:
        if (point := installed().get(name)) is not None:
            return _build_foreign(spec, point.load)
        others = [kind.form for kind in PROGRAM_KINDS.values()]
        raise unknown("player", name, [*PLAYERS, *installed(), "python:module:Class", *others])
    kind, parameters = PLAYERS[name], parameters_of(spec)
    reject_unknown_parameters(name, parameters, kind.parameters)
    return kind.build(parameters)


def parameters_of(spec: str) -> Parameters:
    """Return the texts of a registered player's parameters by name."""
    kind = PLAYERS[spec.partition(":")[0]]
    return split_spec(_with_main_parameter(spec, kind), "player", "threshold=1.2")[1]


def _with_main_parameter(spec: str, kind: PlayerKind) -> str:
    """Return the specification with the name of its main parameter, if that is omitted."""
    name, _, rest = spec.partition(":")
    value = rest.partition(",")[0]
    if not kind.main_parameter or not value or value.partition("=")[0] in kind.parameters:
        return spec
    # A file's name may have an equals sign, an unknown parameter has no dot or slash before it.
    if "=" in value and not set("./") & set(value.partition("=")[0]):
        return spec
    return f"{name}:{kind.main_parameter}={rest}"


_LOCAL: dict[str, Callable[[], HoldemPlayer]] = {}  # classes and objects that were given to a call of the API


def spec_of(player: str | type[HoldemPlayer] | HoldemPlayer) -> str:
    """Return a specification for a player that is a text, a class or an object.

    A class is instantiated for every seat. An object is copied in its current state, so that a match can be repeated.
    """
    if isinstance(player, str):
        return player
    if isinstance(player, ForeignKind):
        spec = f"python:{player.name}"
        importable = getattr(sys.modules.get(player.__module__), player.__qualname__, None)
        if importable is not player or player.__module__ == "__main__":
            _LOCAL[spec] = player
        return spec
    kind = player if isinstance(player, type) else type(player)
    if not callable(getattr(player, "act", None)):
        raise InputError(f"{short(player)} is no player: a name, or a class or object with act(view, rng), is one")
    spec = f"python:{kind.__module__}:{kind.__qualname__}"
    if isinstance(player, type):
        # A class that other processes cannot import (from a script or a function) is stored here.
        importable = getattr(sys.modules.get(kind.__module__), kind.__qualname__, None)
        if importable is not kind or kind.__module__ == "__main__":
            _LOCAL[spec] = player
        return spec
    spec = f"{spec}@{len(_LOCAL) + 1}"
    _LOCAL[spec] = partial(deepcopy, deepcopy(player))
    return spec


def is_local(spec: str) -> bool:
    """Return whether a player can be built in this process only."""
    return spec in _LOCAL


def is_installed(spec: str) -> bool:
    """Return whether another installed package offers the player."""
    name = spec.partition(":")[0]
    return name not in PLAYERS and not is_untrusted(spec) and name in installed()


def _from_python(spec: str) -> HoldemPlayer:
    wanted = "python:module:Class is needed, such as python:my_players:Bluffer"
    kind = load_from_module(
        spec, "player", wanted, lambda _, value: hasattr(value, "act") or isinstance(value, ForeignKind)
    )
    return _build_foreign(spec, lambda: kind)


def _program(spec: str) -> HoldemPlayer:
    """Build the adapter of a program, which belongs into the sandbox or is for a server elsewhere."""
    read = read_program(spec)
    adapter: HoldemPlayer = load(PROGRAM_KINDS[read.kind].adapter)(read)
    return adapter


def installed() -> dict[str, EntryPoint]:
    """Return the players that installed packages offer, as entry points of the group `cardwin.players`.

    Each is a class, or a `ForeignKind`.
    """
    return {point.name: point for point in entry_points(group=GROUP)}


def _build_foreign(spec: str, find: Callable[[], Any]) -> HoldemPlayer:
    """Build a player from code outside the package."""
    try:
        kind = find()
        parameters = {} if spec.startswith("python:") else split_spec(spec, "player", "aggression=.7")[1]
        if not isinstance(kind, ForeignKind):
            reject_unknown_parameters(spec.partition(":")[0], parameters, ())
        player: HoldemPlayer = kind(**parameters)
    except InputError:
        raise
    except Exception as error:  # code outside the package may raise anything
        raise InputError(f"{spec!r} cannot be built: {type(error).__name__}: {error}") from error
    if not hasattr(player, "act"):
        raise InputError(f"{spec!r} is no player: it needs act(view, rng)")
    return player
