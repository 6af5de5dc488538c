"""Players that attack instead of playing. `test_attacks` copies this file beside a `targets.py` that names the targets.

`attempt` returns what the attack got, as a text; an exception means that it got nothing.
"""

import ctypes
import fcntl
import gc
import itertools
import mmap
import os
import signal
import socket
import struct
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from targets import TARGET  # type: ignore[import-not-found]

import cardwin
from cardwin.cards.ranks import rank_five
from cardwin.core.rng import Stream
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem.view import HoldemView

LIBC = ctypes.CDLL(None, use_errno=True)
MESSAGE = "AhAd"
NUMBER = 52_013  # a port, a key of shared memory, part of a name
SHARED = f"{cardwin.__path__[0]}/py.typed"  # a file that every seat can read
ADD_KEY, REQUEST_KEY = (248, 249) if os.uname().machine == "x86_64" else (217, 218)
SESSION_KEYRING = -3


def called(name: str, *arguments: object) -> int:
    """The result of a C function, which must not be negative."""
    result: int = getattr(LIBC, name)(*(ctypes.c_long(one) if isinstance(one, int) else one for one in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class Attack:
    """Attempts something at its first decision, and says what it found."""

    found = "nothing"

    def attempt(self) -> object:
        raise NotImplementedError

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        try:
            self.found = str(self.attempt())
        except (Exception, SystemExit) as error:
            self.found = f"failed: {type(error).__name__}: {error}"
        return CALL if view.to_call else CHECK

    def explain(self) -> str:
        return self.found


# --- files and processes outside


class ListsRuns(Attack):
    def attempt(self) -> object:
        return sorted(path.name for path in Path(TARGET["runs"]).iterdir())


class ReadsLog(Attack):
    def attempt(self) -> object:
        return Path(TARGET["log"]).read_text()


class WritesIntoRun(Attack):
    def attempt(self) -> object:
        Path(TARGET["runs"], "forged").write_text("x")
        return "written"


class EditsPackage(Attack):
    def attempt(self) -> object:
        with open(cardwin.__file__, "ab"):  # nothing is written: opened for writing is enough  # noqa: PTH123
            return "opened"


class EditsItself(Attack):
    def attempt(self) -> object:
        with open(__file__, "ab"):  # noqa: PTH123
            return "opened"


class ReadsCommandLines(Attack):
    def attempt(self) -> object:
        for process in Path("/proc").iterdir():
            words = (process / "cmdline").read_bytes().split(b"\0") if process.name.isdecimal() else []
            if b"--seed" in words and words[words.index(b"--seed") + 1].decode() == TARGET["seed"]:
                return TARGET["seed"]
        raise LookupError("no seed in any command line")


class ReadsEnvironment(Attack):
    def attempt(self) -> object:
        block: Any = ctypes.POINTER(ctypes.c_char_p).in_dll(LIBC, "environ")
        names = {text.decode().partition("=")[0] for text in itertools.takewhile(bool, block)}
        return sorted(names | set(os.environ))


class KillsOutside(Attack):
    def attempt(self) -> object:
        os.kill(TARGET["pid"], signal.SIGKILL)
        return "killed"


class KillsNeighbours(Attack):
    """Sends SIGKILL to processes with numbers near its own; only in a namespace, where these are players."""

    def attempt(self) -> object:
        own = os.getpid()
        if own > 200 or Path("/proc").exists():
            raise LookupError("these may be anybody's processes")
        killed = 0
        for pid in range(max(own - 8, 2), own + 8):
            try:
                os.kill(pid, signal.SIGKILL * (pid != own))
                killed += pid != own
            except OSError:
                pass
        if not killed:
            raise LookupError("nobody to kill")
        return "killed"


class ReadsMemory(Attack):
    def attempt(self) -> object:
        buffer = ctypes.create_string_buffer(TARGET["size"])
        ours = struct.pack("<QQ", ctypes.addressof(buffer), TARGET["size"])
        theirs = struct.pack("<QQ", TARGET["address"], TARGET["size"])
        called("process_vm_readv", TARGET["pid"], ours, 1, theirs, 1, 0)
        return buffer.raw.decode()


class Traces(Attack):
    def attempt(self) -> object:
        called("ptrace", 16, TARGET["pid"], 0, 0)  # PTRACE_ATTACH
        os.waitpid(TARGET["pid"], 0x40000000)  # __WALL
        called("ptrace", 17, TARGET["pid"], 0, 0)  # PTRACE_DETACH
        return "traced"


class SearchesObjects(Attack):
    """Looks for tables, other views and names of folders in all objects of its process."""

    def attempt(self) -> object:
        gc.collect()
        objects = gc.get_objects()
        found = {type(one).__name__ for one in objects} & {"LiveTable", "IsolatedPlayer"}
        found |= {"views"} if sum(isinstance(one, HoldemView) for one in objects) > 1 else set()  # besides its own
        held = [value for one in objects if isinstance(one, list | tuple) for value in one if isinstance(value, str)]
        if not found and TARGET["folder"] + "/attackers.py" not in held:
            raise LookupError("nothing")
        return sorted(found)


# --- the machine


class Mounts(Attack):
    def attempt(self) -> object:
        called("mount", b"none", tempfile.gettempdir().encode(), b"tmpfs", 0, b"size=100g")
        return "mounted"


class EntersUserNamespace(Attack):
    def attempt(self) -> object:
        called("unshare", 0x10000000)
        return "entered"


class Forks(Attack):
    """A small fork bomb, whose parts leave the session and end by themselves after a while."""

    def attempt(self) -> object:
        for count in range(48):
            try:
                pid = os.fork()
            except OSError:
                return count
            if pid == 0:
                os.setsid()
                called("prctl", 15, b"cardwin-bomb", 0, 0, 0)  # PR_SET_NAME
                time.sleep(4)
                os._exit(0)
        return "48 forks"


class FillsDisk(Attack):
    def attempt(self) -> object:
        folder = Path(tempfile.mkdtemp())
        for number in range(6):
            (folder / str(number)).write_bytes(bytes(2**23))
        return "48 MB"


class FillsMemory(Attack):
    def attempt(self) -> object:
        return len(bytearray(2**31))


class Answers(Attack):
    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        return Action("x" * 10**8)


# --- messages to another seat: the first player of a class that acts leaves one, the second finds it


class Channel(Attack):
    """Looks for the message, and leaves it if there is none."""

    kept: Any = None

    def attempt(self) -> object:
        try:
            found = self.find()
        except (OSError, LookupError, ValueError) as error:
            self.kept = self.leave()
            return f"left, after {error}"
        return found

    def find(self) -> str:
        raise NotImplementedError

    def leave(self) -> object:
        raise NotImplementedError


class File(Channel):
    def path(self) -> Path:
        raise NotImplementedError

    def find(self) -> str:
        return self.path().read_text()

    def leave(self) -> object:
        return self.path().write_text(MESSAGE)


class TemporaryFile(File):
    def path(self) -> Path:
        return Path("/tmp", TARGET["name"])  # noqa: S108


class OwnFolderFile(File):
    def path(self) -> Path:
        return Path(TARGET["folder"], "left.txt")


class SharedMemoryFile(File):
    def path(self) -> Path:
        return Path("/dev/shm", TARGET["name"])  # noqa: S108


class AbstractSocket(Channel):
    def find(self) -> str:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect("\0" + TARGET["name"])
        return MESSAGE

    def leave(self) -> object:
        line = socket.socket(socket.AF_UNIX)
        line.bind("\0" + TARGET["name"])
        line.listen()
        return line


class Loopback(Channel):
    def find(self) -> str:
        socket.create_connection(("127.0.0.1", NUMBER), 1).close()
        return MESSAGE

    def leave(self) -> object:
        return socket.create_server(("127.0.0.1", NUMBER))


class Datagrams(Channel):
    """An address that is in use is the message."""

    def find(self) -> str:
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            line.bind(("127.0.0.1", NUMBER))
        except OSError:
            return MESSAGE
        line.close()
        raise LookupError("nobody listens")

    def leave(self) -> object:
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        line.bind(("127.0.0.1", NUMBER))
        return line


class SystemVMemory(Channel):
    def find(self) -> str:
        called("shmget", NUMBER, 4096, 0)
        return MESSAGE

    def leave(self) -> object:
        return called("shmget", NUMBER, 4096, 0o1666)


class MessageQueue(Channel):
    def find(self) -> str:
        called("mq_open", b"/" + TARGET["name"].encode(), os.O_RDONLY, 0, 0)
        return MESSAGE

    def leave(self) -> object:
        return called("mq_open", b"/" + TARGET["name"].encode(), os.O_RDWR | os.O_CREAT, 0o666, None)


class Locks(Channel):
    """Every seat can read the package: a lock on one of its files is the message."""

    def find(self) -> str:
        with open(SHARED, "rb") as file:  # noqa: PTH123
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return MESSAGE
        raise LookupError("not locked")

    def leave(self) -> object:
        file = open(SHARED, "rb")  # noqa: PTH123, SIM115
        fcntl.flock(file, fcntl.LOCK_EX)
        return file


class Watches(Attack):
    """Watches a file of the package, after it has opened it, which another seat may watch."""

    kept = -1

    def attempt(self) -> object:
        if self.kept < 0:
            Path(SHARED).read_bytes()
            self.kept = called("inotify_init1", os.O_NONBLOCK)
            called("inotify_add_watch", self.kept, SHARED.encode(), 0x20)  # IN_OPEN
            return "watching"
        return MESSAGE if os.read(self.kept, 4096) else "nothing"


class Keyring(Channel):
    def find(self) -> str:
        called("syscall", REQUEST_KEY, b"user", TARGET["name"].encode(), None, 0)
        return MESSAGE

    def leave(self) -> object:
        return called("syscall", ADD_KEY, b"user", TARGET["name"].encode(), b"AhAd", 4, SESSION_KEYRING)


# --- in a match


class Sharer:
    """Writes down its cards and the board. Whoever meets the same flop in another seating knows how that deal ends."""

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        board, hole = list(view.board), list(view.hole)
        try:
            if len(board) == 5:
                with Path("/tmp", TARGET["name"]).open("a") as notes:  # noqa: S108
                    notes.write(" ".join(map(str, [view.seat, *hole, *board])) + "\n")
            for seat, first, second, *seen in self.notes() if len(board) >= 3 and view.min_raise_to else ():
                if seat != view.seat and seen[:3] == board[:3] and best(hole + seen) < best([first, second, *seen]):
                    return Action("raise" if view.current_bet else "bet", view.max_raise_to)
        except OSError:
            pass
        return CALL if view.to_call else CHECK

    @staticmethod
    def notes() -> Iterator[list[int]]:
        for line in Path("/tmp", TARGET["name"]).read_text().splitlines():  # noqa: S108
            yield [int(word) for word in line.split()]


def best(cards: list[int]) -> int:
    """The rank of the best five of seven cards, 1 the best."""
    return min(rank_five(*five) for five in itertools.combinations(cards, 5))


class Killer:
    """Folds, and kills the rival's process at every decision."""

    def act(self, view: HoldemView, rng: Stream) -> Action:
        KillsNeighbours().act(view, rng)
        return FOLD if view.to_call else CHECK


class Honest:
    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        return CALL if view.to_call else CHECK


class EndsByCpuLimit(Honest):
    """Makes the kernel kill it, as if somebody outside had."""

    def act(self, view: HoldemView, rng: Stream) -> Action:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (0, 1))
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        until = time.process_time() + 3
        while time.process_time() < until:
            mmap.mmap(-1, 4096).close()
        return super().act(view, rng)


class EndsBySeccomp(Honest):
    def act(self, view: HoldemView, rng: Stream) -> Action:
        called("prctl", 22, 1, 0, 0, 0)  # PR_SET_SECCOMP, strict: any further system call is the end
        os.getppid()
        return super().act(view, rng)
