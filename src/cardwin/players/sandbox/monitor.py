"""The monitor of one player's process: starts it, discards what it prints, ends it, and reports how it ended.

The monitor ends the player's process, and all that it started, as soon as its own socket is closed; so nothing is left
if the match itself is killed. It lives outside the player's pid namespace, where the player cannot reach it.
"""

import json
import os
import resource
import select
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from cardwin.players.sandbox.box import Walls, enter_pid_namespace
from cardwin.players.sandbox.messages import MOST_QUESTION, Line

FIRST_TO_END = "1000"  # oom_score_adj: where memory runs out, the kernel ends players first
Serve = Callable[[Line, Walls, dict[str, Any], str, int], NoReturn]


def monitor(line: socket.socket, control: socket.socket, serve: Serve) -> None:
    """Start a process that runs `serve`, and watch it until it ends or the match closes `control`."""
    about = json.loads(Line(line).receive(MOST_QUESTION))
    walls = Walls(frozenset(about["without"]))
    base, (output, printed) = tempfile.mkdtemp(prefix="cardwin-"), os.pipe()
    wakened, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_END, encoding="ascii")
    enter_pid_namespace(walls)
    number = os.getpid()
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        serve(Line(_alone(line, printed)), walls, about, base, number)
    line.close()
    os.close(printed)
    _watch(child, wakened, control, output)
    ended = _how_it_ended(child)
    shutil.rmtree(base, ignore_errors=True)
    with suppress(OSError):
        Line(control).send(json.dumps(ended).encode())


def _alone(line: socket.socket, printed: int) -> socket.socket:
    """Leave the session, and keep no open file but the line and standard files that lead nowhere."""
    os.setsid()
    nothing, write = os.pipe()
    os.close(write)
    high = max(nothing, printed, write, line.fileno()) + 1  # above all that is used below
    for descriptor, place in ((nothing, high), (printed, high + 1), (line.detach(), high + 2)):
        os.dup2(descriptor, place)
    for place, descriptor in enumerate((high, high + 1, high + 1, high + 2)):
        os.dup2(descriptor, place)
    os.closerange(4, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return socket.socket(fileno=3)


def _watch(child: int, wakened: socket.socket, control: socket.socket, output: int) -> None:
    """Return once the process has ended; end it when `control` is closed."""
    waiting: list[Any] = [wakened, control, output]
    while True:
        ready, _, _ = select.select(waiting, [], [])
        if wakened in ready:
            wakened.recv(64)
            if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                return
        if output in ready and not os.read(output, 2**16):
            waiting.remove(output)
        if control in ready:
            waiting.remove(control)
            _kill(child)


def _kill(child: int) -> None:
    """Kill a process and its group; in a pid namespace the kernel ends everything else there."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)


def _how_it_ended(child: int) -> dict[str, Any]:
    """The signal that ended the process, 0 if none, and whether the process itself may have caused it."""
    own = _asked_for_it(child)
    _, status = os.waitpid(child, 0)
    _kill(child)  # its group, where it has no pid namespace
    return {"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, "own": own}


def _asked_for_it(child: int) -> bool:
    """Whether an ended process had restricted itself so that the kernel kills it (seccomp, CPU time)."""
    try:
        status = Path(f"/proc/{child}/status").read_text(encoding="utf-8")
        limits = Path(f"/proc/{child}/limits").read_text(encoding="utf-8")
    except OSError:
        return False
    seccomp = status.partition("Seccomp:")[2].split()[:1]
    seconds = limits.partition("Max cpu time")[2].split()[:2]
    return seccomp not in ([], ["0"]) or "unlimited" not in seconds[:1]
