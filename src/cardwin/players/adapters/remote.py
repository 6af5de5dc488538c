"""Players that are remote servers: an HTTP server, or a client that connects to a port of ours.

They run outside the sandbox: we cannot limit what they see and reach. Their answers are limited like those of other
programs: a time for each decision, a size, and a fault for every invalid answer.
"""

import time
from collections.abc import Callable
from typing import Any

from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.formats.small_states import SmallPosition
from cardwin.games.holdem.events import Dealt, Event
from cardwin.games.holdem.view import HoldemView
from cardwin.players.adapters.acpc import AcpcClient, client_at_port, listen_for
from cardwin.players.adapters.adapter import ProgramError
from cardwin.players.adapters.http_json import JsonServer
from cardwin.players.base import EndedError, OverdueError
from cardwin.players.sandbox.messages import NO_LIMIT
from cardwin.players.specs import read_program, waits_for_client


class RemotePlayer:
    """A remote server, with a time limit in seconds for each decision."""

    own_timer = True  # the referee needs no alarm
    sees_cards = True

    def __init__(self, adapter: JsonServer | AcpcClient, limit: float | None) -> None:
        self._adapter, self._limit = adapter, limit or NO_LIMIT

    def watch(self, event: Event | Dealt | SmallPosition) -> None:
        """Pass an event on."""
        self._in_time(lambda: self._adapter.watch(event))

    def act(self, view: HoldemView | SmallPosition, rng: Stream) -> Action:
        """Return the server's answer; any failure is an exception."""
        action: Action = self._in_time(lambda: self._adapter.act(view, rng))
        return action

    def explain(self) -> dict[str, Any]:
        """Return the server's last answer."""
        return self._adapter.explain()

    def use_betting(self, limit: bool) -> None:
        """Set whether the game is limit or no-limit."""
        if isinstance(self._adapter, AcpcClient):
            self._adapter.use_betting(limit)

    def close(self) -> None:
        """Close the connection, if there is one."""
        self._adapter.close()

    def _in_time(self, call: Callable[[], Any]) -> Any:
        """Return the result of a call within the limit; a failure becomes an exception that the referee handles."""
        self._adapter.until = time.monotonic() + self._limit
        try:
            return call()
        except TimeoutError:
            raise OverdueError from None
        except ProgramError as error:
            raise EndedError(str(error)) from None


def remote_player(spec: str, limit: float | None) -> RemotePlayer:
    """Return the player of a specification such as http:URL or acpc:PORT, once it is connected.

    Args:
        spec: The specification.
        limit: Seconds for each decision, or None.

    Raises:
        InputError: no server answers, or no client connects.

    """
    program = read_program(spec)
    if program.kind == "acpc":
        return RemotePlayer(client_at_port(program), limit)
    server = JsonServer(program, limit)
    try:
        server.check_connection()
    except (TimeoutError, ProgramError) as error:
        raise InputError(f"{spec}: no server answers there, {str(error) or 'it does not accept in time'}") from None
    return RemotePlayer(server, limit)


def open_port(spec: str) -> None:
    """Open the port of a client that has to connect, so that it may do so before its seat is built."""
    if waits_for_client(spec):
        listen_for(read_program(spec))
