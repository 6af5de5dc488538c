"""Building players from specifications: here, or in processes of their own where they are untrusted."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from cardwin.core.errors import InputError
from cardwin.games.base import Game
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import is_local, player
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

STARTS = 3  # attempts to start a program
SMALL_GAMES = ("kuhn", "leduc")  # those that programs know

_STARTED: set[str] = set()  # programs that were started once; a league would otherwise start each for every pair

Makers: TypeAlias = Sequence[Callable[[], HoldemPlayer]]


@dataclass(frozen=True)
class PlayerBuilder:
    """Builds the player of a specification, here or in another process; an untrusted one in its own process.

    Attributes:
        spec: The specification.
        untrusted: How the player is run if it is untrusted.
        game: The name of the small game that an untrusted player sits at, or empty for hold'em.

    """

    spec: str
    untrusted: Untrusted = TRUSTED
    game: str = ""

    def __call__(self) -> HoldemPlayer:
        """Build a new player."""
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
    """Raise an error if a program does not know a small game."""
    if game.name not in SMALL_GAMES:
        raise InputError(f"{spec}: programs play {' and '.join(SMALL_GAMES)}; {game.name} is played by policies")
    if is_program(spec) and not PROGRAM_KINDS[kind := read_program(spec).kind].small_games:
        forms = ", ".join(known.form for known in PROGRAM_KINDS.values() if known.small_games)
        raise InputError(f"{spec}: {kind} bots know Texas hold'em only; {game.name} is played by {forms}")


def makers_of(specs: Sequence[str], untrusted: Untrusted = TRUSTED) -> Makers:
    """Return a function for each specification that builds its player.

    Args:
        specs: Specifications.
        untrusted: How untrusted players are run.

    Raises:
        InputError: a name is unknown, a player cannot be built, or the sandbox is incomplete.

    """
    if any(map(untrusted.needs_walls, specs)):
        from cardwin.players.sandbox.walls import require_walls

        require_walls(untrusted.allow_weak_sandbox)
    makers: list[Callable[[], HoldemPlayer]] = [
        partial(player, spec) if is_local(spec) else PlayerBuilder(spec, untrusted) for spec in specs
    ]
    for spec, make in dict(zip(specs, makers, strict=True)).items():
        if waits_for_client(spec):
            from cardwin.players.adapters.remote import open_port

            open_port(spec)
        elif not is_program(spec) or spec not in _STARTED:
            make()
            _STARTED.add(spec)
    return makers
