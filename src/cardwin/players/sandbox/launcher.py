"""Starting players' processes by a host process, which starts clean, loads the package once, and forks.

The host receives no environment of ours, no command line with a seed and no open file, so that players inherit nothing.
"""

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

from cardwin.core.errors import InputError
from cardwin.core.files import cache_folder
from cardwin.players.base import EndedError
from cardwin.players.sandbox import layout
from cardwin.players.sandbox import system_calls as linux
from cardwin.players.sandbox.messages import MOST_ANSWER, Line
from cardwin.players.sandbox.usage import WATCH_THREAD, SeatUsage
from cardwin.players.sandbox.walls import NAMESPACES, STANDS

HOST_LEAVES = 2.0  # seconds to exit, once notified
BUILD_LIMIT = 60.0  # seconds for a player's module and constructor: on a busy machine large libraries take long
PROGRAM_LIMIT = 60.0  # the same for a program of other people, which may have a build command
REPORT_LIMIT = 2.0  # seconds for the host to report how a process ended
MEMORY = 2**30  # bytes that a player may use beyond the package's own memory
MOST_STARTED = 2**14  # bytes of a message
PASSED = (
    "CARDWIN_CGROUP",
    "NUMBA_DISABLE_JIT",
    "NUMBA_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "PYTHONHASHSEED",
)
WITHOUT: frozenset[str] = frozenset()  # walls that tests remove


class _Host:
    """The host process: with a minimal environment if it is `bare`, with `namespaces` if it may; tests do without."""

    def __init__(self, bare: bool, namespaces: bool) -> None:
        if not hasattr(os, "fork"):
            raise InputError(
                "this system cannot fork, so players from code outside the package have no sandbox: --in-process plays "
                "them in the match's own process"
            )
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-P", "-m", "cardwin.players.sandbox.host"]
        command += [str(theirs.fileno()), str(namespaces)]
        self._process = subprocess.Popen(  # noqa: S603  our own module
            command,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd="/",
            env=_environment() if bare else {**os.environ, **_environment()},
            start_new_session=True,
        )
        theirs.close()
        self._line, self._lock = ours, threading.Lock()
        if sys.platform == "linux":
            linux.prctl(linux.PR_SET_DUMPABLE, 0)  # nor can other processes of this user read this one
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

    def start(self, without: frozenset[str]) -> tuple[Line, Line, SeatUsage]:
        """Start a process.

        Args:
            without: Walls that are not raised.

        Returns:
            The line to the process, the host's line for its end, and its use of the machine.

        """
        (line, its_line), (control, its_control) = socket.socketpair(), socket.socketpair()
        request = json.dumps({"memory": MEMORY, "without": sorted(without)}).encode()
        with self._lock, its_line, its_control:
            socket.send_fds(self._line, [request], [its_line.fileno(), its_control.fileno()])
        control.settimeout(BUILD_LIMIT)
        try:
            started, descriptors, _, _ = socket.recv_fds(control, MOST_STARTED, 1)
            about = json.loads(started)
        except (OSError, ValueError):
            about, descriptors = {"group": "", "freezes": False}, []
        usage = SeatUsage(descriptors[0] if descriptors else -1, about["group"], about["freezes"])
        return Line(line), Line(control), usage


def _environment() -> dict[str, str]:
    paths = os.pathsep.join([str(layout.PACKAGE.parent), *layout.packages()])
    passed = {name: os.environ[name] for name in PASSED if name in os.environ}
    return {"PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONPATH": paths, "CARDWIN_CACHE": str(cache_folder()), **passed}


_hosts: dict[tuple[bool, bool], _Host] = {}
_hosts_lock = threading.Lock()


def _the_host(without: frozenset[str]) -> _Host:
    kind = ("environment" not in without, not without >= NAMESPACES)
    with _hosts_lock:
        if kind not in _hosts or not _hosts[kind].alive:
            _hosts[kind] = _Host(*kind)
        return _hosts[kind]


class Process:
    """A process behind its walls: the line to it, the host's line for its end, and which walls stand."""

    def __init__(self, line: Line, control: Line, usage: SeatUsage, without: frozenset[str]) -> None:
        self.line, self._control, self.usage, self._without = line, control, usage, without
        self.walls: dict[str, str] = {}

    def ask(self, content: object, seconds: float) -> dict[str, Any]:
        """Return the answer to a message in JSON."""
        with self.usage.awake():
            self.line.send(json.dumps(content).encode(), seconds)
            answer = json.loads(self.line.receive(MOST_ANSWER, seconds))
        if not isinstance(answer, dict):
            raise EndedError("its process sent an invalid answer")
        return answer

    def killed_from_outside(self) -> bool:
        """Return whether the process has ended because another one killed it, or the host."""
        try:
            ended = json.loads(self._control.receive(MOST_ANSWER, REPORT_LIMIT))
        except TimeoutError:  # it has only closed its line
            return False
        except (EndedError, OSError):
            return True
        self.usage.over_memory |= bool(ended["memory"])
        return bool(ended["signal"] == 9 and not ended["own"] and not self.usage.over_memory)

    @property
    def reason(self) -> str:
        """Why the process was ended, if the match or its group has ended it."""
        return f"used more than {MEMORY / 2**20:.0f} MB in all its processes" if self.usage.over_memory else ""

    def watch(self) -> None:
        """Watch the memory of all its processes if nothing else limits it, and note the walls that this match is."""
        self.walls["cpu-time"] = STANDS if self.usage.measures else "absent: needs /proc of Linux"
        if self.walls["memory-group"] == STANDS:
            self.walls["memory-watch"] = "absent: memory-group stands"
        elif "memory-watch" in self._without:
            self.walls["memory-watch"] = "absent: removed by a test"
        elif self.walls["seccomp"] != STANDS or not self.usage.pid:
            self.walls["memory-watch"] = "absent: needs seccomp and /proc"
        else:
            self.walls["memory-watch"] = STANDS
            self.usage.memory_limit = MEMORY + self.usage.memory()
            WATCH_THREAD.add(self.usage)

    def close(self) -> None:
        """End the process and all that it started."""
        self.line.close()
        self._control.close()
        self.usage.close()


def launch(
    files: Sequence[tuple[str, str]], without: frozenset[str], program: bool = False, loopback: bool = False
) -> Process:
    """Start a process behind all walls except those in `without`.

    Args:
        files: The player's files, by their names in the sandbox.
        without: Names of walls.
        program: As in `box.Needs`.
        loopback: As in `box.Needs`.

    Raises:
        InputError: the sandbox cannot be started.

    """
    process = Process(*_the_host(without).start(without), without)
    request = {"files": files, "without": sorted(without), "memory": MEMORY, "program": program, "loopback": loopback}
    try:
        answer = process.ask(request, BUILD_LIMIT)
    except (EndedError, OSError, ValueError) as error:
        process.close()
        raise InputError(f"the sandbox cannot be started: {str(error) or type(error).__name__}") from None
    if "refused" not in answer:
        process.walls = answer["walls"]
        process.watch()
        return process
    process.close()
    if "mount-namespace" in without:
        raise InputError(str(answer["refused"]))
    weaker = launch(files, without | {"mount-namespace"}, program, loopback)
    weaker.walls["mount-namespace"] = f"absent: {answer['refused']}"
    return weaker
