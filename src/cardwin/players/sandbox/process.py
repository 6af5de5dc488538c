"""Untrusted players, each in its own process, so that nothing it does there affects the match.

A host process is started clean (`host`), loads the package once and forks a process for each player, so that
players inherit nothing of ours: no cards, no keys, no seed. Messages are exchanged over a socket: a view, the
player's random stream and the events since its last decision are sent, an action comes back, all as JSON, which is read
as data and never as code. A player that does not answer in time is killed and restarted for its next decision. A player
that ends its process, fills its memory, prints, closes files or changes signal handlers affects only itself.

It is not a full sandbox. The process can open files and sockets like any program that you start, and with
administrator rights it can read other processes. Systems without fork have to run such players in
the match's process.
"""

import atexit
import ctypes
import dataclasses
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.view import HoldemView

HOST_LEAVES = 2.0  # seconds to exit, once notified
BUILD_LIMIT = 20.0  # seconds for a player's module and constructor
MEMORY = 2**30  # bytes that a player may use beyond the package's own memory
MOST_ANSWER = 2**16
NO_LIMIT = 10.0**9
_LENGTH = struct.Struct("!I")
_KEEP_PRIVATE = 4  # prctl's PR_SET_DUMPABLE


class OverdueError(Exception):
    """The player did not answer in time."""


class EndedError(Exception):
    """The player's process ended."""


def send(line: socket.socket, content: bytes, seconds: float) -> None:
    """Send a message, preceded by its length."""
    line.settimeout(seconds)
    line.sendall(_LENGTH.pack(len(content)) + content)


def receive(line: socket.socket, seconds: float, most: int) -> bytes:
    """The next message, complete, within this number of seconds."""
    until = time.monotonic() + seconds
    (size,) = _LENGTH.unpack(_exactly(line, _LENGTH.size, until))
    if size > most:
        raise EndedError(f"its process sent {size} bytes, which is no answer")
    return _exactly(line, size, until)


def _exactly(line: socket.socket, size: int, until: float) -> bytes:
    content = b""
    while len(content) < size:
        line.settimeout(max(until - time.monotonic(), 1e-6))
        part = line.recv(size - len(content))
        if not part:
            raise EndedError("its process ended")
        content += part
    return content


class _Host:
    """The host process, which forks the players' processes; started on first use."""

    def __init__(self) -> None:
        if not hasattr(os, "fork"):
            raise InputError("this system cannot fork: players from code outside the package have to run in process")
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", "cardwin.players.sandbox.host", str(theirs.fileno())]
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process = subprocess.Popen(  # noqa: S603  our own module
            command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
        )  # fmt: skip
        theirs.close()
        self._line, self._lock = ours, threading.Lock()
        _close_our_memory()
        atexit.register(self._end)

    def _end(self) -> None:
        """Stop the host, which exits once the other end of its socket is closed."""
        self._line.close()
        try:
            self._process.wait(HOST_LEAVES)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def alive(self) -> bool:
        """Whether players can still be started."""
        return self._process.poll() is None

    def start(self) -> tuple[int, socket.socket]:
        """A new process, by its id, and the socket to it."""
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            socket.send_fds(self._line, [b"!"], [theirs.fileno()])
            return int(receive(self._line, BUILD_LIMIT, MOST_ANSWER)), ours


def _close_our_memory() -> None:
    """Ask the operating system, where it can, to prevent other processes of this user from reading this one."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_KEEP_PRIVATE, 0, 0, 0, 0)


_host: _Host | None = None
_host_lock = threading.Lock()


def _the_host() -> _Host:
    global _host
    with _host_lock:
        if _host is None or not _host.alive:
            _host = _Host()
        return _host


def _end(number: int, line: socket.socket) -> None:
    """Kill a player's process and all processes that it started."""
    line.close()
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(number, signal.SIGKILL)


def written(event: Event) -> list[Any]:
    """An event as JSON: its name and its fields, an action as a name and an amount."""
    fields = (getattr(event, field.name) for field in dataclasses.fields(event))
    return [type(event).__name__, *([one.name, one.amount] if isinstance(one, Action) else one for one in fields)]


class _Shown:
    """A value that a player returned, of which only the text was transmitted."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class IsolatedPlayer:
    """The player of a `python:` specification, in its own process; `limit` is seconds an action."""

    def __init__(self, spec: str, limit: float | None = None) -> None:
        self.spec = spec
        self._limit = limit or NO_LIMIT
        self._events: list[Event] = []
        self._line: socket.socket | None = None
        self._stop: weakref.finalize[Any, Any] | None = None
        able = self._start()
        if "watch" in able:
            self.watch = self._events.append  # sent with the next question
        if "explain" in able:
            self.explain = self._explain
        self.stateless = "stateless" in able

    def _start(self) -> list[str]:
        """Start a process and build the player there; return its optional methods."""
        number, self._line = _the_host().start()
        self._stop = weakref.finalize(self, _end, number, self._line)
        about = {"spec": self.spec, "path": sys.path, "memory": MEMORY, "folder": str(Path.cwd())}
        try:
            answer = self._ask(about, BUILD_LIMIT)
        except OverdueError:
            raise InputError(f"{self.spec!r} took more than {BUILD_LIMIT:g} s to be built") from None
        except EndedError as error:
            raise InputError(f"{self.spec!r} cannot be built: {error}") from None
        if "refused" in answer:
            self.close()
            raise InputError(str(answer["refused"]))
        return [str(name) for name in answer.get("able", [])]

    def close(self) -> None:
        """End the process."""
        if self._stop is not None:
            self._stop()
        self._line = None

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """The player's answer; any failure of its process is an exception."""
        if self._line is None:
            try:
                self._start()
            except InputError as error:
                raise EndedError(str(error)) from None
        events, self._events[:] = list(self._events), []
        question = {"row": view.row, "rng": (int(rng[0]), int(rng[1])), "events": [written(one) for one in events]}
        answer = self._ask(question, self._limit)
        counter = answer.get("counter")
        if isinstance(counter, int) and 0 <= counter < 2**62:
            rng[1] = counter
        if "failed" in answer:
            raise EndedError(str(answer["failed"])[:200])
        action: Any = _Shown(str(answer.get("other")))  # the referee handles invalid answers
        if isinstance(answer.get("name"), str):
            action = Action(answer["name"], answer.get("amount", 0))
        return action  # type: ignore[no-any-return]

    def _explain(self) -> dict[str, Any] | str:
        if self._line is None:
            return ""
        try:
            said = self._ask({"explain": True}, min(self._limit, BUILD_LIMIT))
        except OverdueError:
            return "no explanation in time"
        explanation = said.get("explanation")
        return explanation if isinstance(explanation, dict) else str(said.get("failed", explanation))[:500]

    def _ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a question; a process that does not answer is ended."""
        if self._line is None:
            raise EndedError("its process ended")
        try:
            send(self._line, json.dumps(question).encode(), seconds)
            answer = json.loads(receive(self._line, seconds, MOST_ANSWER))
        except TimeoutError:
            self.close()
            raise OverdueError from None
        except (EndedError, OSError, ValueError, RecursionError) as error:
            self.close()
            raise EndedError(str(error) if isinstance(error, EndedError) else "its process ended") from None
        if not isinstance(answer, dict):
            self.close()
            raise EndedError("its process sent what is no answer")
        return answer
