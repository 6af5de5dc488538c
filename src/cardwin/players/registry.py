"""Every hold'em player by name; a specification such as `random` or `loki:model=specific` builds one.

A kind of player is a folder of `players/` and one entry of `PLAYERS`. Matches, the gallery, the list of champions,
`explain` and the page read everything about a kind from that entry.

`python:module:Class` builds a player from code outside the package, and `pokerbots:FOLDER` and others (`adapters`) from
programs of other people: for commands and calls, never from files.
"""

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, TypeAlias

from cardwin.core.errors import InputError, short, unknown
from cardwin.games.holdem.static_actions import ALL_IN, CALL_OR_RAISE, FOLDER, RAISER, RANDOM
from cardwin.games.holdem.view import HoldemView
from cardwin.games.parameters import Parameters, only_known, split_spec
from cardwin.games.plugins import from_module
from cardwin.players.adapters.specs import KINDS, has_walls, is_program, read_program
from cardwin.players.base import Player
from cardwin.players.cfr.player import build_cfr
from cardwin.players.champions import names as shipped
from cardwin.players.compiled_plugin import CompiledPlugin
from cardwin.players.loki import files as loki
from cardwin.players.nearest_neighbour.player import build_nearest_neighbour
from cardwin.players.network.atlas import build_network
from cardwin.players.robots import learner, robot
from cardwin.players.robots.blind import BLIND, build_blind
from cardwin.players.robots.parameters import OLD_NAMES as OLD_PARAMETERS
from cardwin.players.robots.static import Static
from cardwin.players.xcs.player import build_xcs

HoldemPlayer: TypeAlias = Player[HoldemView]
MOST_PLAYERS = 1_000_000
GROUP = "cardwin.players"  # entry points
NICOLAI = "[Nicolai and Hilderman](../papers/nicolai.md)"
CHEN = "[Chen (2018)](../papers/chen.md)"
REVELEY = "[Reveley (2002)](../papers/reveley.md)"

log = logging.getLogger("cardwin")


@dataclass(frozen=True)
class Entry:
    """One kind of player.

    `title` is a one-line description, `parameters` are the names that a specification may set, and `build` makes the
    player from their texts. A value without a name is the parameter `first`, such as the name in `net:large-hof`.

    A kind that is stored in files has their `suffix`; the files have `saved_as` in their metadata (the kind's name if
    that is empty). `needs_file`: there is no such player without a file. `example` names a function, as
    "module:function", that writes a file into a folder and returns a specification, for a kind without shipped files;
    `example_about` describes that file.

    `source` (Markdown, seen from docs/gallery) names the kind's origin, and `game` the game that the gallery shows;
    `games` has those of champions that play another one. `heads_up`: it plays with one opponent only.
    """

    title: str
    build: Callable[[Parameters], HoldemPlayer]
    parameters: tuple[str, ...] = ()
    first: str = ""
    suffix: str = ""
    saved_as: str = ""
    needs_file: bool = False
    example: str = ""
    example_about: str = ""
    source: str = ""
    game: str = "holdem-nl"
    games: Mapping[str, str] = field(default_factory=dict)
    heads_up: bool = False

    def make_example(self, folder: Path) -> str:
        """A specification with a file made in the folder."""
        module, _, name = self.example.partition(":")
        spec: str = getattr(import_module(module), name)(folder)
        return spec


# One entry adds a kind of player.
PLAYERS: dict[str, Entry] = {
    "fold": Entry(
        "folds to every bet, checks for free",
        lambda _: Static(FOLDER),
        source=f"a benchmark of {NICOLAI} (Folder) and a robot of {CHEN}",
    ),
    "call": Entry(
        "calls every bet, never bets",
        robot.build_caller,
        ("reraise",),
        source=f"a benchmark of {NICOLAI} (Caller) and a robot of {CHEN}",
    ),
    "raise": Entry(
        "makes the least bet or raise whenever it may",
        lambda _: Static(RAISER),
        source=f"a benchmark of {NICOLAI} (Raiser)",
    ),
    "all-in": Entry("bets everything whenever it may", lambda _: Static(ALL_IN), source=f"a robot of {CHEN}"),
    "random": Entry(
        "takes any legal action, least amounts, with equal chances",
        lambda _: Static(RANDOM),
        source=f"a benchmark of {NICOLAI} (Random) and a robot of {CHEN}",
    ),
    "call-or-raise": Entry(
        "calls or makes the least raise, with equal chances",
        lambda _: Static(CALL_OR_RAISE),
        source=f"a benchmark of {NICOLAI} (CallOrRaise)",
    ),
    "blind": Entry(
        "calls, raises (least amounts) or folds with given probabilities, whatever its cards: blind:call=.3,raise=.7",
        build_blind,
        BLIND.names,
        source="the mixtures whose best responses Johanson, Waugh, Bowling and Zinkevich (2011) computed "
        "([how good is it?](../explanation/how-good.md))",
    ),
    "standard": Entry(
        "Chen's Standard: a chart of starting hands, position, pot odds",
        robot.build_standard,
        robot.STANDARD.names,
        source=f"{CHEN}; its second group of hands is completed by us ([robots](../robots.md))",
    ),
    "v1": Entry(
        "Chen's AI V1: simulated win rate over pot odds, bluffs on or off",
        robot.build_v1,
        robot.V1.names,
        source=f"{CHEN}, AI V1 ([robots](../robots.md))",
    ),
    "v2": Entry(
        "Chen's AI V2: a V1 that learns its threshold while it plays",
        learner.build_v2,
        (*robot.V1.names, *learner.LEARNER_PARAMETERS),
        source=f"{CHEN}, AI V2 ([robots](../robots.md#learning))",
    ),
    "v3": Entry(
        "Chen's AI V3: a V2 that keeps what it learnt, from a file",
        learner.build_v3,
        ("file", *robot.V1.names),
        needs_file=True,
        example="cardwin.players.robots.training:example",
        example_about="after 20 games of 200 rounds against two `standard` and a `call`",
        source=f"{CHEN}, AI V3, which the document left unfinished ([robots](../robots.md#learning))",
    ),
    "matrix": Entry(
        "hand strength x cost: an expert's matrix, or an evolved one by its name or file",
        robot.build_matrix,
        ("file", *robot.MATRIX.names),
        first="file",
        suffix=".json",
        source="Beattie, Nicolai, Gerhard and Hilderman (2007), whose matrices were not published: "
        "these are ours ([networks](../networks.md#matrix-players))",
    ),
    "net": Entry(
        "a network (Nicolai and Hilderman), by its name, its file, or its style (net:atlas/VPIP-PFR-AGGRESSION)",
        build_network,
        ("file",),
        first="file",
        suffix=".safetensors",
        saved_as="network",
        needs_file=True,
        source=f"{NICOLAI}, where not by hand, evolved here at a small size ([networks](../networks.md))",
    ),
    "loki": Entry(
        "Loki of the University of Alberta: hand strength, potential, opponent models (limit hold'em)",
        loki.build_loki,
        loki.PARAMETERS,
        source=f"Papp (1998), for {REVELEY}, section 3 ([Loki](../loki.md))",
        game="holdem-limit",
    ),
    "xcs": Entry(
        "a trained classifier system (after Reveley), by its name or file: rules in words, for limit hold'em",
        build_xcs,
        ("file",),
        first="file",
        suffix=".xcs",
        needs_file=True,
        source=f"{REVELEY}, section 2, trained here ([classifier systems](../xcs.md))",
        game="holdem-limit",
    ),
    "cfr": Entry(
        "a blueprint: heads-up play from counterfactual regret minimisation on buckets of holdings, by name or file",
        build_cfr,
        ("file",),
        first="file",
        suffix=".cfr",
        needs_file=True,
        source="external sampling (Lanctot, Waugh, Zinkevich and Bowling 2009) with linear weights (Brown and Sandholm "
        "2019), trained here ([blueprint](../explanation/blueprint.md))",
        game="holdem-limit",
        games={"nl20": "holdem-nl:stack=2000"},
        heads_up=True,
    ),
    "nearest-neighbour": Entry(
        "does what a player of recorded hands did in the nearest situation, nearest-neighbour:FILE.phh,player=NAME",
        build_nearest_neighbour,
        ("file", "player", "distance"),
        first="file",
        needs_file=True,
        example="cardwin.players.nearest_neighbour.training:example",
        example_about="an imitation of `standard`, after 300 hands of it against `call`",
        source=f"the last idea of {REVELEY}, section 4",
    ),
}

# Names of earlier versions, each accepted for one more version.
OLD_NAMES = {"mimic": "nearest-neighbour"}


def current_spec(spec: str) -> str:
    """The specification with the current name of its kind, and a warning if it is an old one."""
    name, colon, rest = spec.partition(":")
    if name not in OLD_NAMES:
        return spec
    log.warning("%s is now called %s; the next version drops the old name", name, OLD_NAMES[name])
    return f"{OLD_NAMES[name]}{colon}{rest}"


def champions() -> list[str]:
    """The specifications of all shipped champions."""
    return [f"{kind}:{name}" for kind, entry in PLAYERS.items() if entry.suffix for name in shipped(entry.suffix)]


def kind_of_file(saved_as: str) -> str | None:
    """The kind whose files have this in their metadata, or None."""
    return next((kind for kind, entry in PLAYERS.items() if (entry.saved_as or kind) == saved_as), None)


def player(spec: str) -> HoldemPlayer:
    """The player that a specification names; each call builds a new one."""
    if spec in _GIVEN:
        return _GIVEN[spec]()
    if is_program(spec):
        return _program(spec)
    if is_untrusted(spec):
        return _from_python(spec)
    spec = current_spec(spec)
    name = spec.partition(":")[0]
    if name not in PLAYERS:
        if (point := installed().get(name)) is not None:
            return _made(spec, point.load)
        others = [kind.form for kind in KINDS.values()]
        raise unknown("player", name, [*PLAYERS, *installed(), "python:module:Class", *others])
    parameters = parameters_of(spec)
    only_known(name, parameters, PLAYERS[name].parameters)
    return PLAYERS[name].build(parameters)


def parameters_of(spec: str) -> Parameters:
    """The texts of a registered player's parameters by name."""
    entry = PLAYERS[spec.partition(":")[0]]
    _, given = split_spec(named(spec, entry), "player", "threshold=1.2")
    return {name if name in entry.parameters else OLD_PARAMETERS.get(name, name): text for name, text in given.items()}


def named(spec: str, entry: Entry) -> str:
    """The specification with the name of its first parameter, if that is omitted."""
    name, _, rest = spec.partition(":")
    given = rest.partition(",")[0]
    if not entry.first or not given or given.partition("=")[0] in entry.parameters:
        return spec
    # A file's name may have an equals sign, an unknown parameter has no dot or slash before it.
    if "=" in given and not set("./") & set(given.partition("=")[0]):
        return spec
    return f"{name}:{entry.first}={rest}"


_GIVEN: dict[str, Callable[[], HoldemPlayer]] = {}


def spec_of(given: str | type[HoldemPlayer] | HoldemPlayer) -> str:
    """A specification for a player given as a text, a class or an object.

    A class is instantiated for every seat. An object is copied in its current state, so that a match can be repeated.
    """
    if isinstance(given, str):
        return given
    if isinstance(given, CompiledPlugin):
        spec = f"python:{given.name}"
        found = getattr(sys.modules.get(given.__module__), given.__qualname__, None)
        if found is not given or given.__module__ == "__main__":
            _GIVEN[spec] = given
        return spec
    kind = given if isinstance(given, type) else type(given)
    if not callable(getattr(given, "act", None)):
        raise InputError(f"{short(given)} is no player: a name, or a class or object with act(view, rng), is one")
    spec = f"python:{kind.__module__}:{kind.__qualname__}"
    if isinstance(given, type):
        # A class that other processes cannot import (from a script or a function) is stored here.
        found = getattr(sys.modules.get(kind.__module__), kind.__qualname__, None)
        if found is not kind or kind.__module__ == "__main__":
            _GIVEN[spec] = given
        return spec
    spec = f"{spec}@{len(_GIVEN) + 1}"
    _GIVEN[spec] = partial(deepcopy, deepcopy(given))
    return spec


def is_untrusted(spec: str) -> bool:
    """Whether the player is a program that is not part of this package."""
    return spec.startswith("python:") or is_program(spec)


def is_installed(spec: str) -> bool:
    """Return whether another installed package offers the player."""
    name = spec.partition(":")[0]
    return name not in PLAYERS and not is_untrusted(spec) and name in installed()


def needs_walls(spec: str) -> bool:
    """Whether the player is an untrusted program that we start, and not a server elsewhere."""
    return is_untrusted(spec) and (not is_program(spec) or has_walls(spec))


def only_here(spec: str) -> bool:
    """Whether a player can be built in this process only."""
    return spec in _GIVEN


def expand_specs(specs: Sequence[str]) -> list[str]:
    """The specifications with `random*3` expanded to three."""
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
    kind = from_module(
        spec, "player", wanted, lambda _, found: hasattr(found, "act") or isinstance(found, CompiledPlugin)
    )
    return _made(spec, lambda: kind)


ADAPTERS = {
    "acpc": "cardwin.players.adapters.acpc:client",
    "pokerbots": "cardwin.players.adapters.pokerbots:Pokerbot",
    "pypokerengine": "cardwin.players.adapters.pypokerengine:PyPokerEnginePlayer",
    "pettingzoo": "cardwin.players.adapters.pettingzoo:PettingZooPolicy",
    "openspiel": "cardwin.players.adapters.openspiel:OpenSpielBot",
    "http": "cardwin.players.adapters.http_json:JsonServer",
}


def _program(spec: str) -> HoldemPlayer:
    """The adapter of a program, which belongs into the sandbox (`sandbox.process`) or is for a server elsewhere."""
    read = read_program(spec)
    module, _, name = ADAPTERS[read.kind].partition(":")
    made: HoldemPlayer = getattr(import_module(module), name)(read)
    return made


def installed() -> dict[str, EntryPoint]:
    """The players that installed packages offer, as entry points of the group `cardwin.players`: a class each, or a
    compiled player.
    """
    return {one.name: one for one in entry_points(group=GROUP)}


def _made(spec: str, find: Callable[[], Any]) -> HoldemPlayer:
    """A player from code outside the package."""
    try:
        kind = find()
        parameters = {} if spec.startswith("python:") else split_spec(spec, "player", "aggression=.7")[1]
        if not isinstance(kind, CompiledPlugin):
            only_known(spec.partition(":")[0], parameters, ())
        made: HoldemPlayer = kind(**parameters)
    except InputError:
        raise
    except Exception as error:  # code outside the package may raise anything
        raise InputError(f"{spec!r} cannot be built: {type(error).__name__}: {error}") from error
    if not hasattr(made, "act"):
        raise InputError(f"{spec!r} is no player: it needs act(view, rng)")
    return made
