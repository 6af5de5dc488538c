"""The processes behind `process`: a host that loads the package and forks, and one process for each player.

1. The host receives a socket's file descriptor, forks, and answers with the id of the new process.
2. The new process leaves the host's group, closes its sockets, limits its memory, redirects its standard files to null,
   and builds the player that the first message names.
3. Then it answers requests: it passes on events, acts on a view, or returns an explanation. Answers are JSON.
"""

import json
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cardwin.core.rng import stream_of
from cardwin.games.base import Action
from cardwin.games.holdem import events
from cardwin.games.holdem.view import HoldemView
from cardwin.players.registry import player
from cardwin.players.sandbox.process import NO_LIMIT, receive, send

MOST_QUESTION = 2**26


def host(line: socket.socket) -> None:
    """Fork a player's process for every socket that is received, until the other side is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        _, descriptors, _, _ = socket.recv_fds(line, 1, 1)
        if not descriptors:
            return
        number = os.fork()
        if number == 0:
            line.close()
            try:
                serve(socket.socket(fileno=descriptors[0]))
            finally:
                os._exit(0)
        os.close(descriptors[0])
        send(line, str(number).encode(), NO_LIMIT)


def serve(line: socket.socket) -> None:
    """Run one player."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    about = _next(line)
    os.chdir(about["folder"])
    sys.path[:] = about["path"]
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + about["memory"],) * 2)
    try:
        one = player(about["spec"])
    except (Exception, SystemExit) as error:
        _answer(line, {"refused": str(error)})
        return
    able = [name for name in ("watch", "explain") if callable(getattr(one, name, None))]
    _answer(line, {"able": able + ["stateless"] * bool(getattr(one, "stateless", False))})
    while True:
        _answer(line, _answered(one, _next(line)))


def _next(line: socket.socket) -> dict[str, Any]:
    try:
        question: dict[str, Any] = json.loads(receive(line, NO_LIMIT, MOST_QUESTION))
    except Exception:
        os._exit(0)  # the match has ended
    return question


def _answer(line: socket.socket, answer: dict[str, Any]) -> None:
    send(line, json.dumps(answer).encode(), NO_LIMIT)


def _answered(one: Any, question: dict[str, Any]) -> dict[str, Any]:
    if "explain" in question:
        return _guarded(lambda: {"explanation": _plain(one.explain())})
    stream = stream_of(question["rng"][0])
    stream[1] = question["rng"][1]

    def act() -> dict[str, Any]:
        for event in question["events"]:
            one.watch(read(event))
        action = one.act(HoldemView(tuple(question["row"])), stream)
        if isinstance(action, Action) and isinstance(action.name, str) and isinstance(action.amount, int | float):
            return {"name": action.name, "amount": action.amount}
        return {"other": repr(action)[:80]}

    return _guarded(act) | {"counter": int(stream[1])}


def read(event: list[Any]) -> events.Event:
    """The event that `process.written` wrote."""
    name, *fields = event
    kind = getattr(events, name)
    if name == "Acted":
        fields[1] = Action(*fields[1])
    made: events.Event = kind(*(tuple(one) if isinstance(one, list) else one for one in fields))
    return made


def _plain(explanation: object) -> dict[str, Any] | str:
    """An explanation as JSON can hold it: single numbers and texts by name, or one text."""
    if not isinstance(explanation, Mapping):
        return str(explanation)[:500]
    simple = {str(name): one for name, one in explanation.items() if isinstance(one, int | float | str)}
    return {name: one[:500] if isinstance(one, str) else one for name, one in list(simple.items())[:50]}


def _guarded(answer: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return answer()
    except (Exception, SystemExit) as error:
        return {"failed": f"raised {type(error).__name__}: {str(error)[:80]}"}


if __name__ == "__main__":
    host(socket.socket(fileno=int(sys.argv[1])))
