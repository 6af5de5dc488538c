"""Every player of hold'em by name; a specification such as `random` or `loki:model=specific` builds one.

`python:module:Class` builds a player of anybody's own. It runs code, so it is for commands and calls, never for files.
"""

import sys
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeAlias

from cardwin.errors import InputError, short, unknown
from cardwin.games.holdem.view import HoldemView
from cardwin.games.own import from_module
from cardwin.games.parameters import Parameters, only_known, split_spec
from cardwin.players import kinds, learner, mimic, robots, xcs_player
from cardwin.players.base import Player
from cardwin.players.loki import saved as loki
from cardwin.players.network import saved as saved_networks
from cardwin.players.static import Static

HoldemPlayer: TypeAlias = Player[HoldemView]
MOST_PLAYERS = 1_000_000
GROUP = "cardwin.players"  # entry points


@dataclass(frozen=True)
class Entry:
    """One kind of player: a line for people, the names of its parameters, and what builds it from their texts.

    A text without a name is the parameter `first`, such as the champion's name in `net:large-hof`.
    """

    title: str
    build: Callable[[Parameters], HoldemPlayer]
    parameters: tuple[str, ...] = ()
    first: str = ""


# One line adds a player.
PLAYERS: dict[str, Entry] = {
    "fold": Entry("folds to every bet, checks for free", lambda _: Static(kinds.FOLDER)),
    "call": Entry("calls every bet, never bets", robots.build_caller, ("reraise",)),
    "raise": Entry("makes the least bet or raise whenever it may", lambda _: Static(kinds.RAISER)),
    "all-in": Entry("bets everything whenever it may", lambda _: Static(kinds.ALL_IN)),
    "random": Entry("takes any legal action, least amounts, with equal chances", lambda _: Static(kinds.RANDOM)),
    "call-or-raise": Entry("calls or makes the least raise, with equal chances", lambda _: Static(kinds.CALL_OR_RAISE)),
    "standard": Entry(
        "Chen's Standard: a chart of starting hands, position, pot odds", robots.build_standard, robots.STANDARD.names
    ),
    "v1": Entry("Chen's AI V1: simulated win rate over pot odds, bluffs on or off", robots.build_v1, robots.V1.names),
    "v2": Entry(
        "Chen's AI V2: a V1 that learns its threshold while it plays",
        learner.build_v2,
        (*robots.V1.names, *learner.LEARNER_PARAMETERS),
    ),
    "v3": Entry(
        "Chen's AI V3: a V2 that keeps what it learnt, from a file", learner.build_v3, ("file", *robots.V1.names)
    ),
    "matrix": Entry(
        "hand strength x cost: an expert's matrix, or an evolved one by its name or file",
        robots.build_matrix,
        ("file", *robots.MATRIX.names),
        first="file",
    ),
    "net": Entry(
        "an evolved network (Nicolai and Hilderman), by its name or file",
        saved_networks.build_network,
        ("file",),
        "file",
    ),
    "loki": Entry(
        "Loki of the University of Alberta: hand strength, potential, opponent models (limit hold'em)",
        loki.build_loki,
        loki.PARAMETERS,
    ),
    "xcs": Entry(
        "a trained classifier system (after Reveley), by its name or file: rules in words, for limit hold'em",
        xcs_player.build_xcs,
        ("file",),
        "file",
    ),
    "mimic": Entry(
        "a stand-in: does what a player of recorded hands did in the nearest situation, mimic:FILE.phh,player=NAME",
        mimic.build_mimic,
        ("file", "player", "distance"),
        "file",
    ),
}


def player(spec: str) -> HoldemPlayer:
    """The player that a specification names; each call builds a new one."""
    if spec in _OWN:
        return _OWN[spec]()
    if spec.startswith("python:"):
        return _from_python(spec)
    name = spec.partition(":")[0]
    if name not in PLAYERS:
        if (point := installed().get(spec)) is not None:
            return _made(spec, point.load)
        raise unknown("player", name, [*PLAYERS, *installed(), "python:module:Class"])
    _, parameters = split_spec(named(spec, PLAYERS[name]), "player", "threshold=1.2")
    only_known(name, parameters, PLAYERS[name].parameters)
    return PLAYERS[name].build(parameters)


def named(spec: str, entry: Entry) -> str:
    """The specification with a name for what stands first without one."""
    name, _, rest = spec.partition(":")
    given = rest.partition(",")[0]
    if not entry.first or not given or given.partition("=")[0] in entry.parameters:
        return spec
    # A file's name may have an equals sign, an unknown parameter has no dot or slash before it.
    if "=" in given and not set("./") & set(given.partition("=")[0]):
        return spec
    return f"{name}:{entry.first}={rest}"


_OWN: dict[str, Callable[[], HoldemPlayer]] = {}


def spec_of(given: str | type[HoldemPlayer] | HoldemPlayer) -> str:
    """A specification for whoever is given: a text is one; a class or an object of somebody's own gets one.

    A class is built anew for every seat. An object is copied as it is now, so that a match can be repeated.
    """
    if isinstance(given, str):
        return given
    kind = given if isinstance(given, type) else type(given)
    if not callable(getattr(given, "act", None)):
        raise InputError(f"{short(given)} is no player: a name, or a class or object with act(view, rng), is one")
    spec = f"python:{kind.__module__}:{kind.__qualname__}"
    if isinstance(given, type):
        # What other processes cannot find under its name, a class of a script or within a function, is remembered.
        found = getattr(sys.modules.get(kind.__module__), kind.__qualname__, None)
        if found is not kind or kind.__module__ == "__main__":
            _OWN[spec] = given
        return spec
    spec = f"{spec}@{len(_OWN) + 1}"
    _OWN[spec] = partial(deepcopy, deepcopy(given))
    return spec


def only_here(spec: str) -> bool:
    """Whether a player can be built in this process only."""
    return spec in _OWN


def expand_specs(specs: Sequence[str]) -> list[str]:
    """The specifications with `random*3` written out as three."""
    expanded: list[str] = []
    for spec in specs:
        name, times, count = spec.rpartition("*")
        if not times:
            expanded.append(spec)
        elif count.isdecimal() and 1 <= int(count) <= MOST_PLAYERS:
            expanded += [name] * int(count)
        else:
            raise InputError(f"{spec!r}: a player times a number from 1 to {MOST_PLAYERS}, such as random*3")
    return expanded


def _from_python(spec: str) -> HoldemPlayer:
    wanted = "python:module:Class is needed, such as python:my_players:Bluffer"
    kind = from_module(spec, "player", wanted, lambda _, found: hasattr(found, "act"))
    return _made(spec, lambda: kind)


def installed() -> dict[str, EntryPoint]:
    """The players that installed packages offer, as entry points of the group `cardwin.players`: a class each."""
    return {one.name: one for one in entry_points(group=GROUP)}


def _made(spec: str, find: Callable[[], Any]) -> HoldemPlayer:
    """A player of somebody's own."""
    try:
        made: HoldemPlayer = find()()
    except Exception as error:  # anybody's code may fail in any way
        raise InputError(f"{spec!r} cannot be built: {type(error).__name__}: {error}") from error
    if not hasattr(made, "act"):
        raise InputError(f"{spec!r} is no player: it needs act(view, rng)")
    return made
