"""Running other people's programs inside the sandbox: commands that connect to a socket, and Python files.

A command is started in a writable copy of its folder and exchanges lines with its adapter over a socket. Both share a
sandbox, so no time limit is needed here: the match ends the whole sandbox if an answer is late. The program's output is
discarded, except for its last lines, which may contain the reason for its end.
"""

import importlib
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError, shorten, unknown_name
from cardwin.core.rng import Stream, draw_below
from cardwin.players.adapters.adapter import ProgramError

LOOPBACK = "127.0.0.1"
MOST_LINE = 2**16  # bytes
MOST_COPIED = 2**27  # bytes of a folder that is copied
POLL_INTERVAL = 0.05  # seconds between two checks of a program that should connect
EXIT_TIME = 1.0  # seconds to exit, once its line is closed
SEEDS = 2**31


def writable_copy(folder: Path) -> Path:
    """Return a copy of a folder in which the program may write."""
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    if size > MOST_COPIED:
        raise InputError(f"expected a program's folder of at most {MOST_COPIED:,} bytes, got {size:,}")
    copy = Path(tempfile.mkdtemp()) / "program"
    shutil.copytree(folder, copy, symlinks=True, copy_function=shutil.copy)
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o200)
    return copy


def environment() -> dict[str, str]:
    """Return the environment variables of a program, with our interpreter as the first `python3`."""
    paths = [str(Path(sys.executable).parent), "/usr/local/bin", *os.defpath.split(os.pathsep)]
    passed = {name: value for name, value in os.environ.items() if name in ("LANG", "USER", "HOME", "TMPDIR")}
    return passed | {"PATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}


class Program:
    """A running program in its own process group; its last lines of output are stored."""

    def __init__(self, words: Sequence[str], folder: Path) -> None:
        self.words = list(words)
        try:
            self._process = subprocess.Popen(  # noqa: S603  inside the sandbox
                self.words,
                cwd=folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
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
        """Return the exit code, or None if the program still runs."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    @property
    def ending(self) -> str:
        """The reason for the program's end: its exit code and its last line."""
        code = self.wait(EXIT_TIME)
        self._reader.join(EXIT_TIME)
        last = self._last[-1].decode("utf-8", "replace") if self._last else ""
        return f"{'closed its line' if code is None else f'ended with code {code}'}{f': {last}' if last else ''}"

    def stop(self) -> None:
        """End the program and what it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, 9)
        self._process.wait()
        self._reader.join(EXIT_TIME)


def run_to_end(words: Sequence[str], folder: Path) -> None:
    """Run a build command, and raise an InputError if it fails."""
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
            raise ProgramError(self._reason()) from None

    def receive(self) -> str:
        """Return the next line, without its end."""
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
                raise ProgramError(self._reason())
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace").strip()

    def _reason(self) -> str:
        return "closed its connection" if self.program is None else f"the program {self.program.ending}"

    def close(self) -> None:
        """Close the connection and end the program."""
        self.socket.close()
        if self.program is not None:
            self.program.stop()


def listening(host: str = LOOPBACK, port: int = 0) -> socket.socket:
    """Return a socket that waits for a program."""
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
    """Start a program and wait until it connects; `{host}` and `{port}` in its words are replaced.

    If no word contains `{port}`, `port_words` are appended.
    """
    with listening() as server:
        values = {"{host}": LOOPBACK, "{port}": str(server.getsockname()[1])}
        command = [*words, *(() if any("{port}" in word for word in words) else port_words)]
        for name, value in values.items():
            command = [word.replace(name, value) for word in command]
        program = Program(command, folder)
        server.settimeout(POLL_INTERVAL)
        while True:
            try:
                connection, _ = server.accept()
                break
            except TimeoutError:
                if program.wait(0) is not None:
                    raise InputError(f"expected the program to connect to its port, but it {program.ending}") from None
    connection.settimeout(None)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Lines(connection, program)


# Python files, inside the sandbox


def in_writable_copy(folder: Path) -> None:
    """Make a writable copy of the program's folder the working folder, and the first entry of the import path."""
    copy = writable_copy(folder)
    os.chdir(copy)
    sys.path.insert(0, str(copy))


def module_from(file: Path) -> Any:
    """Return the module of a file, whose folder is added to the import path."""
    sys.path.insert(0, str(file.resolve().parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise InputError(f"expected a Python file, got {file.name}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def named_in(module: Any, name: str, fits: Callable[[Any], bool]) -> Any:
    """Return the object of a module with this name; the error suggests names whose values fit."""
    if not hasattr(module, name):
        near = [other for other, value in vars(module).items() if not other.startswith("_") and fits(value)]
        raise unknown_name(f"name in {module.__name__}", name, near)
    return getattr(module, name)


def seed_generators(rng: Stream) -> None:
    """Seed the generators that the program may use, so that the same seed repeats its decisions."""
    seed = int(draw_below(rng, SEEDS))
    for name in ("random", "numpy.random"):
        if name in sys.modules:
            sys.modules[name].seed(seed)
