"""Players that are servers elsewhere: an HTTP server, or a client that connects to a port of ours.

They have no walls: what they can see and reach is not ours to limit. Their answers are limited as those of others are:
a time for each decision, a size, and a fault for everything that is no answer.
"""

import time
from collections.abc import Callable
from typing import Any

from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import Action, Game
from cardwin.games.holdem.events import Dealt, Event
from cardwin.games.holdem.view import HoldemView
from cardwin.players.adapters.acpc import AcpcClient, client_at_port, listen_for
from cardwin.players.adapters.adapter import ProgramError
from cardwin.players.adapters.http_json import JsonServer
from cardwin.players.adapters.small import SmallAcpc, SmallAdapter, SmallJson, check_small
from cardwin.players.base import EndedError, OverdueError
from cardwin.players.sandbox.messages import NO_LIMIT
from cardwin.players.specs import read_program, waits_for_client


class RemotePlayer:
    """A server elsewhere, with a time limit in seconds for each decision."""

    own_timer = True  # the referee needs no alarm
    sees_cards = True

    def __init__(self, adapter: JsonServer | AcpcClient, limit: float | None) -> None:
        self._adapter, self._limit = adapter, limit or NO_LIMIT

    def watch(self, event: Event | Dealt) -> None:
        """Pass an event on."""
        self._guarded(lambda: self._adapter.watch(event))

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """The server's answer; any failure is an exception."""
        action: Action = self._guarded(lambda: self._adapter.act(view, rng))
        return action

    def explain(self) -> dict[str, Any]:
        """What the server answered."""
        return self._adapter.explain()

    def plays(self, limit: bool) -> None:
        """Say which game is played: limit or no-limit."""
        if isinstance(self._adapter, AcpcClient):
            self._adapter.plays(limit)

    def close(self) -> None:
        """Close the connection, if there is one."""
        self._adapter.close()

    def _guarded(self, call: Any) -> Any:
        return _in_time(self._adapter, self._limit, call)


class RemoteSmallPlayer:
    """A server elsewhere at a table of a small game; `timed` is what has the time of its answer."""

    own_timer = True

    def __init__(self, adapter: SmallAdapter, timed: JsonServer | AcpcClient, limit: float | None) -> None:
        self._adapter, self._timed, self._limit = adapter, timed, limit or NO_LIMIT

    def show(self, line: str) -> None:
        """Show a line of what the seat knows."""
        _in_time(self._timed, self._limit, lambda: self._adapter.show(line))

    def decide(self, line: str, rng: Stream) -> Action:
        """The server's answer; any failure is an exception."""
        action: Action = _in_time(self._timed, self._limit, lambda: self._adapter.act(line, rng))
        return action

    def close(self) -> None:
        """Close the connection, if there is one."""
        self._adapter.close()


def _in_time(timed: JsonServer | AcpcClient, limit: float, call: Callable[[], Any]) -> Any:
    """The result of a call within the limit; a failure of the server is an exception that the referee knows."""
    timed.until = time.monotonic() + limit
    try:
        return call()
    except TimeoutError:
        raise OverdueError from None
    except ProgramError as error:
        raise EndedError(str(error)) from None


def server_elsewhere(spec: str, limit: float | None) -> RemotePlayer:
    """The player of a specification such as http:URL or acpc:PORT."""
    return RemotePlayer(_server(spec, limit), limit)


def small_server(spec: str, game: Game, limit: float | None) -> RemoteSmallPlayer:
    """The same for a table of a small game."""
    check_small(spec, game)
    server = _server(spec, limit)
    adapter = SmallAcpc(game, server) if isinstance(server, AcpcClient) else SmallJson(game, server)
    return RemoteSmallPlayer(adapter, server, limit)


def _server(spec: str, limit: float | None) -> JsonServer | AcpcClient:
    """A server that can be reached, or the next client."""
    read = read_program(spec)
    if read.kind == "acpc":
        return client_at_port(read)
    server = JsonServer(read, limit)
    try:
        server.reach()
    except (TimeoutError, ProgramError) as error:
        raise InputError(f"{spec}: no server answers there, {str(error) or 'it does not accept in time'}") from None
    return server


def prepare(spec: str) -> None:
    """Open the port of a client that has to connect, so that it may do so before its seat is built."""
    if waits_for_client(spec):
        listen_for(read_program(spec))
