"""The host: loads the package once, forks a process for each player, and watches these processes.

1. For every pair of sockets that it receives, it forks a process in a pid namespace and control groups (`groups`) of
   its own; `serve` runs there, with the first socket. On the second one the host sends a file of the process. It
   receives neither the player nor any information about the match.
2. It discards the output of the process.
3. It kills the process, and all that it started, as soon as the second socket is closed; so no process is left if the
   match itself is killed. A player cannot reach the host, which is outside its namespaces.
4. It reports the end of the process on the second socket.

The host is the first process of a pid namespace itself, so that the kernel ends all players with it. That and, for
users other than root, a user namespace give it the right to make further ones.
"""

import gc
import json
import os
import resource
import selectors
import shutil
import signal
import socket
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from cardwin.core.rng import draw_below, stream_of
from cardwin.players.sandbox import layout
from cardwin.players.sandbox import system_calls as linux
from cardwin.players.sandbox.box import Walls
from cardwin.players.sandbox.groups import HostGroups, SeatGroups, find_trees
from cardwin.players.sandbox.messages import Line
from cardwin.players.sandbox.serve import serve

MOST_REQUEST = 2**12  # bytes
HOSTS, SEATS = 50_000, 4096  # numbers of hosts and of their seats, of which a seat's own number is made


@dataclass(frozen=True)
class Child:
    """A player's process: its id, the socket for its end, its output, its folder, and its groups."""

    pid: int
    control: socket.socket
    output: int
    folder: str
    groups: SeatGroups


class Host:
    """The host process. `line` is the socket to the match, `own_namespace` whether there is a user namespace."""

    def __init__(self, line: socket.socket, own_namespace: bool, pid: int) -> None:
        self._line, self._own_namespace, self._pid = line, own_namespace, pid
        self._children: dict[int, Child] = {}
        self._started = 0
        self._groups = HostGroups(*find_trees())
        self._pids = os.open("/proc/self/ns/pid", os.O_RDONLY) if sys.platform == "linux" else -1
        self._selector = selectors.DefaultSelector()
        self._selector.register(line, selectors.EVENT_READ, self._start)
        self._woken, wakes = socket.socketpair()
        for end in (self._woken, wakes):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes.detach(), warn_on_full_buffer=False)
        self._selector.register(self._woken, selectors.EVENT_READ, self._reap)

    def run(self) -> NoReturn:
        """Serve until the match closes its socket."""
        while True:
            for key, _ in self._selector.select():
                if self._selector.get_map().get(key.fd) is key:  # another event may have removed it
                    key.data()

    def _start(self) -> None:
        """Fork a process for the two sockets that are received."""
        request, descriptors, _, _ = socket.recv_fds(self._line, MOST_REQUEST, 2)
        if not descriptors:
            for child in self._children.values():
                _kill(child.pid)
                self._forget(child, _exit_report(child.pid))
            self._groups.close()
            os._exit(0)
        about = json.loads(request)
        line, control = (socket.socket(fileno=descriptor) for descriptor in descriptors)
        (output, printed), folder, walls = os.pipe(), tempfile.mkdtemp(prefix="cardwin-"), Walls()
        walls.own_namespace = self._own_namespace
        walls.without = frozenset(about["without"])
        self._started += 1
        groups = self._groups.seat(self._started, about["memory"], walls.without)
        walls.states |= groups.states
        number = self._pid % HOSTS * SEATS + self._started % SEATS
        inside = walls.attempt("pid-namespace", lambda: linux.unshare(linux.CLONE_NEWPID))
        pid = os.fork()
        if pid == 0:
            _enter(groups, walls)
            serve(Line(_detach(line, printed)), walls, folder, number)
        if inside:
            linux.enter(self._pids, linux.CLONE_NEWPID)  # back, for the next one
        line.close()
        os.close(printed)
        _send_started(control, pid, groups)
        self._watch(Child(pid, control, output, folder, groups))

    def _watch(self, child: Child) -> None:
        def drain() -> None:
            if not os.read(child.output, 2**16):
                self._selector.unregister(child.output)

        def end() -> None:
            self._selector.unregister(child.control)
            _kill(child.pid)

        self._children[child.pid] = child
        self._selector.register(child.output, selectors.EVENT_READ, drain)
        self._selector.register(child.control, selectors.EVENT_READ, end)

    def _reap(self) -> None:
        """Report the processes that have ended."""
        with suppress(BlockingIOError):
            self._woken.recv(2**12)
        while self._children and (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
            report = _exit_report(ended.si_pid)
            if (child := self._children.pop(ended.si_pid, None)) is not None:
                self._forget(child, report)

    def _forget(self, child: Child, report: dict[str, Any]) -> None:
        for descriptor in (child.output, child.control):
            with suppress(KeyError):
                self._selector.unregister(descriptor)
        os.close(child.output)
        shutil.rmtree(child.folder, ignore_errors=True)
        report["memory"] = child.groups.out_of_memory()
        child.groups.remove()
        with suppress(OSError):
            Line(child.control).send(json.dumps(report).encode())
        child.control.close()


def _enter(groups: SeatGroups, walls: Walls) -> None:
    """Move this process into its groups, or note that they do not stand."""
    try:
        groups.enter()
    except OSError as error:
        walls.states |= dict.fromkeys(groups.states, f"absent: {error.strerror}")


def _send_started(control: socket.socket, pid: int, groups: SeatGroups) -> None:
    """Send a file of a started process, by which the match sees it, and its group of version 2."""
    group = str(groups.unified or "")
    about = json.dumps({"group": group, "freezes": bool(group)}).encode()
    pidfds = [os.pidfd_open(pid)] if hasattr(os, "pidfd_open") else []
    with suppress(OSError):
        socket.send_fds(control, [about], pidfds)
    for pidfd in pidfds:
        os.close(pidfd)


def _detach(line: socket.socket, printed: int) -> socket.socket:
    """Leave the session, and close all files except the line and standard files without effect."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    empty, write = os.pipe()
    high = max(empty, write, printed, line.fileno()) + 1  # above all descriptors that are used below
    for descriptor, target in ((empty, high), (printed, high + 1), (line.detach(), high + 2)):
        os.dup2(descriptor, target)
    for target, descriptor in enumerate((high, high + 1, high + 1, high + 2)):
        os.dup2(descriptor, target)
    os.closerange(4, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return socket.socket(fileno=3)


def _kill(pid: int) -> None:
    """Kill a process and its group; the kernel ends everything else in its pid namespace."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _exit_report(pid: int) -> dict[str, Any]:
    """Return the signal that ended a process, 0 if none, and whether the process may have caused it itself."""
    is_own = _restricted_itself(pid)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)  # its remaining processes, if it has no pid namespace
    _, status = os.waitpid(pid, 0)
    return {"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, "own": is_own}


def _restricted_itself(pid: int) -> bool:
    """Return whether an ended process had restricted itself so that the kernel kills it (seccomp, CPU time)."""
    try:
        opened = os.pidfd_open(pid)
        outside = Path(f"/proc/self/fdinfo/{opened}").read_text(encoding="ascii").partition("Pid:")[2].split()[0]
        os.close(opened)
        status = Path(f"/proc/{outside}/status").read_text(encoding="utf-8")
        limits = Path(f"/proc/{outside}/limits").read_text(encoding="utf-8")
    except (OSError, AttributeError, IndexError):
        return False
    filters = status.partition("Seccomp_filters:")[2].split()[:1]  # one of them is ours
    strict = status.partition("Seccomp:")[2].split()[:1] not in ([], ["0"], ["2"])  # or dead by a filter
    seconds = limits.partition("Max cpu time")[2].split()[:1]
    return strict or filters not in ([], ["0"], ["1"]) or seconds not in ([], ["unlimited"])


def _enter_namespaces() -> bool:
    """Continue as the first process of a pid namespace, if possible; return whether in a user namespace."""
    own_namespace = not linux.can_administer()
    trial = os.fork()  # a system may give a namespace without the rights in it, which could not be undone
    if trial == 0:
        with suppress(BaseException):
            _unshare(own_namespace)
            linux.unshare(linux.CLONE_NEWNS)
            linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
            os._exit(0)
        os._exit(1)
    if os.waitpid(trial, 0)[1] != 0:
        return False
    _unshare(own_namespace)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        os._exit(0)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    return own_namespace


def _unshare(own_namespace: bool) -> None:
    if own_namespace:
        linux.new_user_namespace()
    linux.unshare(linux.CLONE_NEWPID)


def main(descriptor: str, namespaces: str) -> None:
    """Run a host on the socket with this number."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pid, own_namespace = os.getpid(), False  # in its own pid namespace every host is number 1
    if sys.platform == "linux":
        own_namespace = namespaces == "True" and _enter_namespaces()
        linux.prctl(linux.PR_SET_DUMPABLE, 0)
    draw_below(stream_of(0), 2)  # loaded once, for all players
    layout.libraries()
    gc.freeze()  # a collection in a player's process would copy all memory that it shares with this one
    Host(socket.socket(fileno=int(descriptor)), own_namespace, pid).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
