"""Every hold'em player by name; a specification such as `random` or `loki:model=specific` builds one.

A kind of player is a folder of `players/` and a line of `PLAYERS`: its name, and where its `PlayerKind` is, which is
loaded when a player of that kind is first wanted. Matches, the gallery, the list of champions, `explain` and the page
read everything about a kind from there.

`python:module:Class` builds a player from code outside the package, and `pokerbots:FOLDER` and others (`specs`) from
programs of other people: for commands and calls, never from files. `makers_of` builds players here, or in processes of
their own if they are untrusted. The page's users may only name what is registered (`named_game`, `named_player`,
`named_policy`): code outside the package and files are rejected, as a player, as a parameter and as a policy.
"""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeAlias

from cardwin.core.errors import InputError, shorten, unknown_name
from cardwin.core.registry import Registry, load
from cardwin.games import GAMES, SMALL_GAMES
from cardwin.games import game as game_of
from cardwin.games.base import Game
from cardwin.games.specs import Parameters, load_from_module, reject_unknown_parameters, split_spec
from cardwin.players.base import AbsentPlayer, StartError
from cardwin.players.champions import names as shipped
from cardwin.players.kind import ForeignKind, HoldemPlayer, PlayerKind
from cardwin.players.specs import (
    PROGRAM_KINDS,
    TRUSTED,
    Untrusted,
    is_program,
    is_sandboxed,
    is_untrusted,
    read_program,
    waits_for_client,
)

GROUP = "cardwin.players"  # entry points
STARTS = 3  # attempts to start a program
PROGRAM_GAMES = ("kuhn", "leduc")  # the small games that programs know
MAX_LENGTH = 2000  # characters of a specification from the page
MAX_ROLLOUTS = 1000  # per decision, for users of the page

Makers: TypeAlias = Sequence[Callable[[], HoldemPlayer]]

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
        raise unknown_name("player", name, [*PLAYERS, *installed(), "python:module:Class", *others])
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


_STARTED: set[str] = set()  # programs that were started once; a league would otherwise start each for every pair
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
        raise InputError(
            f"{shorten(player)} is not a player: expected a name, a class or an object with act(view, rng)"
        )
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
    expected = "python:module:Class is needed, such as python:my_players:Bluffer"
    kind = load_from_module(
        spec, "player", expected, lambda _, value: hasattr(value, "act") or isinstance(value, ForeignKind)
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
        raise InputError(f"{spec!r} is not a player: expected act(view, rng)")
    return player


# Building players, here or in processes of their own


@dataclass(frozen=True)
class PlayerBuilder:
    """Builds the player of a specification, here or in another process; an untrusted one in its own process.

    Attributes:
        spec: The specification.
        untrusted: How the player is run if it is untrusted.
        game: The name of the small game that an untrusted player sits at, or empty for hold'em.
        absent_if: Errors after which an untrusted player forfeits instead: its seat is that of an `AbsentPlayer`.

    """

    spec: str
    untrusted: Untrusted = TRUSTED
    game: str = ""
    absent_if: tuple[type[InputError], ...] = ()

    def __call__(self) -> HoldemPlayer:
        """Build a new player."""
        try:
            return self._build()
        except self.absent_if as error:
            return AbsentPlayer(str(error))

    def _build(self) -> HoldemPlayer:
        if is_program(self.spec) and not is_sandboxed(self.spec):
            from cardwin.players.adapters.remote import remote_player

            return remote_player(self.spec, self.untrusted.limit)
        if is_program(self.spec) or (is_untrusted(self.spec) and not self.untrusted.in_process):
            return _start(self.spec, self.untrusted.limit, self.game)
        return player(self.spec)


def _start(spec: str, limit: float | None, game: str) -> HoldemPlayer:
    """Start an untrusted player in its sandbox; a program that fails to start is tried again."""
    from cardwin.players.sandbox.process import IsolatedPlayer

    if spec.startswith("pettingzoo:"):
        from cardwin.players.adapters.pettingzoo import compile_observations

        compile_observations()
    for _ in range(STARTS - 1 if is_program(spec) else 0):
        with suppress(InputError):
            return IsolatedPlayer(spec, limit, game=game)
    return IsolatedPlayer(spec, limit, game=game)


def check_small(spec: str, game: Game) -> None:
    """Raise an InputError if a program does not know a small game."""
    if game.name not in PROGRAM_GAMES:
        raise InputError(f"{spec}: programs play {' and '.join(PROGRAM_GAMES)}; {game.name} is played by policies")
    if is_program(spec) and not PROGRAM_KINDS[kind := read_program(spec).kind].small_games:
        forms = ", ".join(known.form for known in PROGRAM_KINDS.values() if known.small_games)
        raise InputError(f"{spec}: {kind} bots know Texas hold'em only; {game.name} is played by {forms}")


def makers_of(specs: Sequence[str], untrusted: Untrusted = TRUSTED, *, forfeit: bool = False) -> Makers:
    """Return a function for each specification that builds its player. Each is called once, as a check.

    Args:
        specs: Specifications.
        untrusted: How untrusted players are run.
        forfeit: Whether an untrusted player forfeits if its process ends while it is built, or if it cannot be built
            later; a referee has to call it.

    Raises:
        InputError: a name is unknown, a player cannot be built, or the sandbox is incomplete.

    """
    if any(map(untrusted.uses_sandbox, specs)):
        from cardwin.players.sandbox.walls import require_walls

        require_walls(untrusted.allow_weak_sandbox)
    at_check, later = ((StartError,), (InputError,)) if forfeit else ((), ())
    makers, checks = (
        [
            partial(player, spec)
            if is_local(spec)
            else PlayerBuilder(spec, untrusted, absent_if=() if waits_for_client(spec) else absent_if)
            for spec in specs
        ]
        for absent_if in (later, at_check)
    )
    for spec, make in dict(zip(specs, checks, strict=True)).items():
        if waits_for_client(spec):
            from cardwin.players.adapters.remote import open_port

            open_port(spec)
        elif not is_program(spec) or spec not in _STARTED:
            make()
            _STARTED.add(spec)
    return makers


# Specifications from users of the page


def named_game(spec: str) -> Game:
    """Return a registered game by its specification; only hold'em games may have parameters, which are cheap."""
    name = spec.partition(":")[0]
    if name not in GAMES or (name in SMALL_GAMES and spec != name):
        raise unknown_name("game", shorten(spec), GAMES)
    return game_of(spec)


def named_player(spec: str) -> str:
    """Return a hold'em player's specification, unless it names code or a file."""
    from cardwin.players.network.atlas import SHIPPED

    name = spec.partition(":")[0]
    if len(spec) > MAX_LENGTH or name not in PLAYERS:
        raise unknown_name("player", shorten(name), PLAYERS)
    parameters, suffix = parameters_of(spec), PLAYERS[name].suffix
    file, rollouts = parameters.get("file"), parameters.get("rollouts", "0")
    in_atlas = name == "net" and file is not None and file.startswith(f"{SHIPPED}/")
    if file is not None and not in_atlas and (not suffix or file not in shipped(suffix)):
        raise InputError(f"{shorten(spec)} names a file: from here only players that come with Cardwin can be named")
    if len(rollouts) > len(str(MAX_ROLLOUTS)) or float(rollouts) > MAX_ROLLOUTS:
        raise InputError(f"{shorten(spec)}: expected at most {MAX_ROLLOUTS} rollouts per decision")
    return spec


def named_policy(game: Game, spec: str) -> str:
    """Return a small game's policy specification, unless it names a file."""
    names = policy_names(game)
    if len(spec) > MAX_LENGTH or not (spec.startswith("genes:") or spec.lower() in names):
        raise unknown_name(f"policy for {game.name}", shorten(spec), names)
    return spec


def policy_names(game: Game) -> list[str]:
    """Return the named policies of a small game."""
    from cardwin.players.small_games.kuhn_models import models

    return ["equilibrium", "uniform", *models(game)]
