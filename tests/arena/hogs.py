"""Players that take the machine instead of playing. `test_fair_machines` copies this file into the players' folder.

`attempt` returns what the attack got, as a text; an exception means that it got nothing.
"""

import ctypes
import fcntl
import mmap
import os
import signal
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from cardwin.core.rng import Stream
from cardwin.games.base import CALL, CHECK, Action
from cardwin.games.holdem.view import HoldemView

LIBC = ctypes.CDLL(None, use_errno=True)
MEGABYTE = 2**20


def called(name: str, *arguments: object) -> int:
    """The result of a C function, which must not be negative."""
    result: int = getattr(LIBC, name)(*(ctypes.c_long(one) if isinstance(one, int) else one for one in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def spin(seconds: float = 1e9) -> None:
    """Use this many seconds of the processor."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        sum(range(1000))


class Honest:
    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        return CALL if view.to_call else CHECK


class Thinker(Honest):
    """Needs 50 ms of the processor for every decision."""

    def act(self, view: HoldemView, rng: Stream) -> Action:
        spin(0.05)
        return super().act(view, rng)


class Attack(Honest):
    """Attempts something at its first decision, and explains what it found."""

    found = ""

    def attempt(self) -> object:
        raise NotImplementedError

    def act(self, view: HoldemView, rng: Stream) -> Action:
        if not self.found:
            try:
                self.found = str(self.attempt())
            except (Exception, SystemExit) as error:
                self.found = f"failed: {type(error).__name__}: {error}"
        return super().act(view, rng)

    def explain(self) -> str:
        return self.found


class Children(Attack):
    """Starts as many children as it can, each of which does its work and waits."""

    count = 28

    def work(self) -> None:
        raise NotImplementedError

    def attempt(self) -> object:
        started = 0
        for _ in range(self.count):
            try:
                pid = os.fork()
            except OSError:
                break
            if pid == 0:
                with suppress(OSError):
                    os.setsid()
                with suppress(BaseException):
                    self.work()
                    time.sleep(1000)
                os._exit(0)
            started += 1
        return f"{started} children"


# --- the processor


class SpinsInSessions(Children):
    """Row 1 of issue 45: every session has a share of the processor, and this player has 28."""

    def work(self) -> None:
        spin()


class SpinsInThreads(Attack):
    def attempt(self) -> object:
        for _ in range(6):
            threading.Thread(target=spin, daemon=True).start()
        return "6 threads"


class SpinsBetween(Honest):
    """A thread computes as long as the player is not asked, and rests while it is."""

    asked = False
    thread: threading.Thread | None = None

    def spin(self) -> None:
        while True:
            if self.asked:
                time.sleep(0.001)
            else:
                spin(0.005)

    def act(self, view: HoldemView, rng: Stream) -> Action:
        self.asked = True
        if self.thread is None:
            self.thread = threading.Thread(target=self.spin, daemon=True)
            self.thread.start()
        time.sleep(0.01)
        self.asked = False
        return super().act(view, rng)


class ForksChains(Children):
    """Each process lives for a moment and is replaced by its child: nobody waits for any, and a list misses them."""

    count = 4

    def work(self) -> None:
        while True:
            spin(0.02)
            if os.fork():
                os._exit(0)


class FeignsWaiting(Attack):
    """Sleeps for ever, beside threads of the lowest priority that wait for a core, so that it seems to wait."""

    def attempt(self) -> object:
        def wait() -> None:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
            spin()

        for _ in range(4):
            threading.Thread(target=wait, daemon=True).start()
        time.sleep(1000)
        return "slept"


class ThinksInParallel(Honest):
    """Lets children think for longer than its limit, each for less."""

    def act(self, view: HoldemView, rng: Stream) -> Action:
        pids = []
        for _ in range(4):
            pid = os.fork()
            if pid == 0:
                spin(0.25)
                os._exit(0)
            pids.append(pid)
        for pid in pids:
            os.waitpid(pid, 0)
        return super().act(view, rng)


class RaisesPriority(Attack):
    def attempt(self) -> object:
        got = []
        tries: dict[str, Callable[[], object]] = {
            "nice": lambda: os.nice(-5),
            "fifo": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
            "round robin": lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1)),
            "others": lambda: os.setpriority(os.PRIO_USER, 0, -5),
            "real-time disk": lambda: called("syscall", 251, 1, 0, 1 << 13),
        }
        for name, attempt in tries.items():
            with suppress(OSError):
                attempt()
                got.append(name)
        if not got:
            raise PermissionError("no priority")
        return got


# --- memory


class FillsSegments(Attack):
    """Row 2 of issue 45: a segment of System V stays when it is detached, and counts for no process."""

    def attempt(self) -> object:
        shmat, shmdt = LIBC.shmat, LIBC.shmdt
        shmat.restype, shmat.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
        shmdt.argtypes = [ctypes.c_void_p]
        for _ in range(10):
            segment = called("shmget", 0, 40 * MEGABYTE, 0o1600)
            address = shmat(segment, None, 0)
            ctypes.memset(address, 1, 40 * MEGABYTE)
            shmdt(address)
        return "400 MB"


class FillsMemoryFiles(Attack):
    def attempt(self) -> object:
        self.files = [os.memfd_create("x") for _ in range(30)]
        for file in self.files:
            for _ in range(13):
                os.write(file, bytes(MEGABYTE))
        return "390 MB"


class FillsInChildren(Children):
    count = 8

    def work(self) -> None:
        self.block = bytearray(os.urandom(16)) * (50 * MEGABYTE // 16)


class FillsSharedMappings(Children):
    """Shared anonymous memory is a file that belongs to no process."""

    count = 8

    def work(self) -> None:
        self.block = mmap.mmap(-1, 50 * MEGABYTE)
        for start in range(0, 50 * MEGABYTE, 4096):
            self.block[start] = 1


class FillsDeletedFiles(Attack):
    """Files that are deleted while they are open have no name, and as much room as others."""

    def attempt(self) -> object:
        written = 0
        self.files = []
        with suppress(OSError):
            for number in range(40):
                file = os.open(f"/tmp/{number}", os.O_RDWR | os.O_CREAT)  # noqa: S108
                os.unlink(f"/tmp/{number}")  # noqa: PTH108, S108
                self.files.append(file)
                for _ in range(4):
                    written += os.write(file, bytes(MEGABYTE))
        if written <= 20 * MEGABYTE:
            raise MemoryError(f"{written // MEGABYTE} MB")
        return f"{written // MEGABYTE} MB"


class HoldsPipes(Children):
    """Pipes and sockets hold memory of the kernel."""

    def work(self) -> None:
        self.lines = []
        with suppress(OSError):
            while True:
                for line in socket.socketpair():
                    line.setblocking(False)
                    self.lines.append(line)
                    with suppress(OSError):
                        while True:
                            line.send(bytes(65536))

    def attempt(self) -> object:
        self.pipes = []
        with suppress(OSError):
            while True:
                read, write = os.pipe()
                self.pipes.append(read)
                os.set_blocking(write, False)
                with suppress(OSError):
                    fcntl.fcntl(write, 1031, MEGABYTE)  # F_SETPIPE_SZ
                with suppress(OSError):
                    while True:
                        os.write(write, bytes(65536))
        for read in self.pipes[-8:]:
            os.close(read)
        return super().attempt()


# --- processes


class DoubleForks(Attack):
    """Grandchildren whose parents have ended belong to nobody that it waits for."""

    def attempt(self) -> object:
        started = 0
        with suppress(OSError):
            for _ in range(64):
                pid = os.fork()
                if pid == 0:
                    with suppress(OSError):
                        for _ in range(64):
                            if os.fork() == 0:
                                called("prctl", 15, b"cardwin-orphan", 0, 0, 0)  # PR_SET_NAME
                                time.sleep(1000)
                    os._exit(0)
                os.waitpid(pid, 0)
                started += 1
        return "forked"


class SendsSignals(Attack):
    """Stops, interrupts and ends whatever it can reach, from a child, and continues what was stopped."""

    def attempt(self) -> object:
        if os.fork() == 0:
            while True:
                for number in (signal.SIGSTOP, signal.SIGCONT, signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
                    for target in (-1, -os.getpgid(1), *range(2, 60)):
                        if target != os.getpid():
                            with suppress(OSError):
                                os.kill(target, number)
        return "sent"


class EndsByTracing(Honest):
    """Row 3 of issue 45: a child traces it and ends, with which the kernel ends what it traced."""

    def act(self, view: HoldemView, rng: Stream) -> Action:
        called("prctl", 4, 1, 0, 0, 0)  # PR_SET_DUMPABLE
        with suppress(OSError):
            called("prctl", 0x59616D61, -1, 0, 0, 0)  # PR_SET_PTRACER, for Yama
        read, write = os.pipe()
        if os.fork() == 0:
            with suppress(OSError):
                called("ptrace", 0x4206, os.getppid(), 0, 0x100000)  # PTRACE_SEIZE, PTRACE_O_EXITKILL
                os.write(write, b"x")
            os._exit(0)
        os.close(write)
        if os.read(read, 1):
            time.sleep(10)
        os.close(read)
        with suppress(OSError):
            os.wait()
        return super().act(view, rng)


class EndsAtStart(Honest):
    """Can be built once."""

    def __init__(self) -> None:
        os._exit(5)


class Exits(Honest):
    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        os._exit(3)


class Drips(Honest):
    """Sends its answer byte by byte, each of them in time."""

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        line = socket.socket(fileno=3)
        for byte in struct.pack("<I", 1000) + b" " * 1000:
            line.send(bytes([byte]))
            time.sleep(0.1)
        raise RuntimeError("never here")
