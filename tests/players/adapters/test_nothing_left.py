"""After whatever a program, a dealer or a server did wrong, nothing is left running and no port is left open."""

import contextlib
import json
import os
import socket
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cardwin.arena.match import MatchOptions, match
from cardwin.core.errors import InputError
from cardwin.games.holdem import holdem_game
from cardwin.players.adapters.adapter import ProgramError
from cardwin.players.adapters.http_json import MOST_ANSWER, JsonServer
from cardwin.players.specs import Untrusted, read_program
from loopback import JsonHandler, serving
from support import answer, process, refusal

NL = holdem_game("holdem-nl", {})
LARGE = 10_000_000  # bytes
GONE = 10.0  # seconds in which a killed process disappears

# A client that starts a process of its own, greets, and then does what its first argument says.
CLIENT = """
import socket, subprocess, sys, time

subprocess.Popen(["sleep", "1000"])
line = socket.create_connection((sys.argv[-2], int(sys.argv[-1])))
line.sendall(b"VERSION:2.0.0\\r\\n")
how = sys.argv[1]
line.recv(1000)
if how == "crash":
    sys.exit(3)
while how == "flood":
    line.sendall(b"MATCHSTATE:9:9::|:c\\r\\n" * 1000)
while how == "long":
    line.sendall(b"M" * 100_000)
while how == "print":
    print("m" * 100_000)
if how == "nonsense":
    line.sendall(b"hello\\r\\n" * 100)
time.sleep(1000)
"""


def below(parent: int) -> set[int]:
    """The processes that a process has started, and those that these have started."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                state, above = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
                if state != "Z":
                    children.setdefault(int(above), []).append(int(folder.name))
    found, ahead = set[int](), [parent]
    while ahead:
        ahead += (more := children.get(ahead.pop(), []))
        found |= set(more)
    return found


@contextlib.contextmanager
def nothing_left() -> Iterator[None]:
    """What runs below this process is the same before and after: the host of the sandbox, which ends with us."""
    with contextlib.suppress(InputError):
        match(
            NL, ["python:nowhere:Nobody", "call"], 2, 1, options=MatchOptions(untrusted=Untrusted())
        )  # so that the host runs
    before = below(os.getpid())
    yield
    until = time.monotonic() + GONE
    while (left := below(os.getpid()) - before) and time.monotonic() < until:
        time.sleep(0.05)
    assert not left, [Path(f"/proc/{one}/cmdline").read_bytes() for one in left]


linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are listed by /proc")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "client.py").write_text(CLIENT)
    (tmp_path / "caller.py").write_text(
        "class Caller:\n    def act(self, view, rng):\n        return view.legal_actions[0]\n"
    )
    lines = "stack = 20000 20000\nblind = 100 50\nfirstPlayer = 2 1 1 1"
    cards = "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1"
    (tmp_path / "a.game").write_text(
        f"GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\n{lines}\n{cards}\nEND GAMEDEF\n"
    )
    return tmp_path


BAD = {
    "crash": "ended with code 3", "hang": "took more than 0.3 s", "nonsense": "hello as an answer",
    "flood": "do not answer the state", "long": "a line of more than", "print": "took more than 0.3 s",
}  # fmt: skip


@linux
@pytest.mark.parametrize(
    ("game", "how"), [*(("holdem-nl", how) for how in BAD), *(("kuhn", how) for how in list(BAD)[:4])]
)
def test_programs_that_misbehave(folder: Path, game: str, how: str) -> None:
    reason = BAD[how]
    other = "uniform" if game == "kuhn" else "call"
    words = ["match", f"acpc:python3 bot/client.py {how} {{host}} {{port}}", other, "--game", game, "--hands", "2"]
    with nothing_left():
        found = answer(*words, "--seed", "1", "--time-limit", "0.3" if "0.3" in reason else "5", cwd=folder)
    assert found["players"][0]["faults"] > 0
    assert reason in found["faults"][0]


def flood(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            connection.sendall(b"# more\r\n" * 1000)


def silent(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.recv(10)


def early(connection: socket.socket) -> None:
    connection.sendall(b"MATCHSTATE:0:0:c:AhKh|\r\n")
    connection.recv(1000)


@linux
@pytest.mark.parametrize(
    ("talk", "reason"),
    [
        (silent, "sent nothing for 0.3 s"),
        (lambda one: one.sendall(b"hello\r\n"), "expected MATCHSTATE"),
        (early, "closed the connection before the end of a hand"),
        (flood, "lines that are not states"),
    ],
)
def test_dealers_that_misbehave_while_a_program_of_ours_sits_there(
    folder: Path, talk: Callable[[socket.socket], None], reason: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, nothing_left():

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(100)
                talk(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        port = str(server.getsockname()[1])
        words = ["127.0.0.1", port, "--game", "a.game", "--player", "python:caller:Caller", "--wait", "0.3"]
        assert reason in refusal("connect", *words, cwd=folder)
        thread.join(10)
        assert not thread.is_alive()


class Endless(JsonHandler):
    """Answers the first request with ten megabytes, the others with a check or a call."""

    first = True

    def answer(self, question: dict[str, Any]) -> None:
        self.send_response(200)
        self.end_headers()
        if Endless.first:
            Endless.first = False
            with contextlib.suppress(ConnectionError):
                for _ in range(LARGE // 100_000):
                    self.wfile.write(b" " * 100_000)
            return
        names = {one["name"] for one in question["legal_actions"]}
        self.wfile.write(json.dumps({"action": "check" if "check" in names else "call"}).encode())


@linux
def test_an_answer_of_ten_megabytes_is_one_fault_and_is_not_kept() -> None:
    with serving(Endless) as address:
        url = f"{address}/act"
        Endless.first = True
        with nothing_left():
            found = answer("match", url, "call", "--hands", "10", "--seed", "1")
        assert found["players"][0]["faults"] == 1
        assert f"more than {MOST_ANSWER} bytes" in found["faults"][0]
        Endless.first, one = True, JsonServer(read_program(url))
        tracemalloc.start()
        with pytest.raises(ProgramError, match=f"more than {MOST_ANSWER} bytes"):
            one.post(b'{"legal_actions": []}')
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 4 * MOST_ANSWER + 200_000  # the server's own piece of 100,000 bytes is in this process too


@linux
def test_a_command_that_has_ended_leaves_no_process_and_no_port(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    done = process("match", "acpc:python3 bot/client.py hang {host} {port}", f"acpc:{port},wait=1", "--hands", "2",
                   cwd=folder)  # fmt: skip
    assert done.returncode == 2
    assert "no client connected within 1 s" in done.stderr
    until = time.monotonic() + GONE
    mark = str(folder).encode()
    while (left := _those_in(mark)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not left
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 1).close()


def _those_in(mark: bytes) -> list[str]:
    """The processes whose working folder or command has this text, apart from this one."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            with contextlib.suppress(OSError):
                where = str((folder / "cwd").readlink()).encode()
                if mark in where or mark in (folder / "cmdline").read_bytes():
                    found.append(folder.name)
    return found
