"""Starts a program in a writable copy of its folder, and talks with it line by line over a socket.

The adapter and the program share a sandbox, so no time limit is needed here: the match ends the whole sandbox when an
answer is late. What the program prints is read and discarded, except for its last lines, which say why it ended.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cardwin.core.errors import InputError, shorten
from cardwin.players.adapters.adapter import ProgramError

LOOPBACK = "127.0.0.1"
MOST_LINE = 2**16  # bytes
MOST_COPIED = 2**27  # bytes of a folder that is copied
LOOK = 0.05  # seconds between two looks at a program that should connect
ENDS = 1.0  # seconds to exit, once its line is closed


def writable_copy(folder: Path) -> Path:
    """A copy of a folder in which the program may write."""
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    if size > MOST_COPIED:
        raise InputError(f"the program's folder has {size:,} bytes: at most {MOST_COPIED:,} are copied")
    copy = Path(tempfile.mkdtemp()) / "program"
    shutil.copytree(folder, copy, symlinks=True, copy_function=shutil.copy)
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o200)
    return copy


def environment() -> dict[str, str]:
    """The variables of a program: our interpreter is the first `python3`, so that installed packages are found."""
    paths = [str(Path(sys.executable).parent), "/usr/local/bin", *os.defpath.split(os.pathsep)]
    wanted = {name: value for name, value in os.environ.items() if name in ("LANG", "USER", "HOME", "TMPDIR")}
    return wanted | {"PATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}


class Program:
    """A running program in its own process group, whose last printed lines are kept."""

    def __init__(self, words: Sequence[str], folder: Path) -> None:
        self.words = list(words)
        try:
            self._process = subprocess.Popen(  # noqa: S603  inside the sandbox
                self.words, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise InputError(f"{shorten(words[0])!r} cannot be started: {error.strerror}") from None
        self._last: deque[bytes] = deque(maxlen=5)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        stream = self._process.stdout
        if stream is not None:
            with suppress(ValueError, OSError), stream:
                while line := stream.readline(MOST_LINE):
                    if line.strip():
                        self._last.append(line.strip()[:300])

    def wait(self, seconds: float | None = None) -> int | None:
        """The exit code, or None if the program still runs."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    @property
    def ending(self) -> str:
        """Why the program ended, by its exit code and its last line."""
        code = self.wait(ENDS)
        self._reader.join(ENDS)
        last = self._last[-1].decode("utf-8", "replace") if self._last else ""
        return f"{'closed its line' if code is None else f'ended with code {code}'}{f': {last}' if last else ''}"

    def stop(self) -> None:
        """End the program and what it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, 9)
        self._process.wait()
        self._reader.join(ENDS)


def run_to_end(words: Sequence[str], folder: Path) -> None:
    """Run a build command; an error says how it failed."""
    program = Program(words, folder)
    if program.wait() != 0:
        raise InputError(f"the build command {shorten(' '.join(words))!r} {program.ending}")


class Lines:
    """A connection over which lines are sent and received."""

    def __init__(self, connection: socket.socket, program: Program | None = None) -> None:
        self.socket, self.program = connection, program
        self._rest = b""

    def send(self, line: str) -> None:
        """Send a line with its end."""
        try:
            self.socket.sendall(line.encode())
        except OSError:
            raise ProgramError(self._why()) from None

    def receive(self) -> str:
        """The next line, without its end."""
        while b"\n" not in self._rest:
            if len(self._rest) > MOST_LINE:
                raise ProgramError(f"sent a line of more than {MOST_LINE} bytes")
            try:
                piece = self.socket.recv(MOST_LINE)
            except TimeoutError:
                raise
            except OSError:
                piece = b""
            if not piece:
                raise ProgramError(self._why())
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace").strip()

    def _why(self) -> str:
        return "closed its connection" if self.program is None else f"the program {self.program.ending}"

    def close(self) -> None:
        """Close the connection and end the program."""
        self.socket.close()
        if self.program is not None:
            self.program.stop()


def listening(host: str = LOOPBACK, port: int = 0) -> socket.socket:
    """A socket that waits for a program."""
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind((host, port))
    except OSError as error:
        server.close()
        raise InputError(f"port {port} cannot be used: {error.strerror}") from None
    server.listen()
    return server


def connected(words: Sequence[str], folder: Path, port_words: Sequence[str] = ("{port}",)) -> Lines:
    """Start a program and wait until it connects; `{host}` and `{port}` in its words say where.

    If no word has them, `port_words` come last.
    """
    with listening() as server:
        places = {"{host}": LOOPBACK, "{port}": str(server.getsockname()[1])}
        named = [*words, *(() if any("{port}" in word for word in words) else port_words)]
        for place, value in places.items():
            named = [word.replace(place, value) for word in named]
        program = Program(named, folder)
        server.settimeout(LOOK)
        while True:
            try:
                connection, _ = server.accept()
                break
            except TimeoutError:
                if program.wait(0) is not None:
                    raise InputError(f"the program {program.ending}; it should connect to its port") from None
    connection.settimeout(None)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Lines(connection, program)
