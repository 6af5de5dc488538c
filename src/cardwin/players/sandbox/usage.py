"""What a seat uses of the machine, measured by the match: processor time, time that it waited for a core, memory.

1. **Processor time** is of all the seat's processes: their group counts it, or else the sum over the processes, with
   the children that they waited for.
2. **A decision is late** by rule (`Turn`): its processor time exceeds the limit, or the wall clock exceeds
   `WALL_FACTOR` times the limit without the time that the seat waited for a core, or `LAST_FACTOR` times in any case.
   So a busy machine makes nobody late.
3. **While it is not asked** a seat is stopped (`freezer`, in groups of version 2). Where that is not possible its
   processor time is counted, and it forfeits above `IDLE_SECONDS` and `IDLE_SHARE` of the time.
4. **Memory** is of all processes together: `MemoryWatch` ends a seat above its limit. Memory that they share counts
   once. Memory that no process has mapped cannot exist, because `filters` denies the calls that make it.
"""

import os
import signal
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from cardwin.players.base import ForfeitError

WALL_FACTOR = 4
LAST_FACTOR = 20
IDLE_SECONDS, IDLE_SHARE = 2.0, 0.25
POLLS = 8  # checks of a late decision per time limit
MOST_POLL = 0.25  # seconds between two checks
WATCH = 0.05  # seconds between two checks of the memory
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
CORES = os.cpu_count() or 1
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Stat(NamedTuple):
    """A process in /proc: its id, its parent's, and processor seconds with those of children waited for."""

    pid: int
    parent: int
    seconds: float


def read_stat(pid: int | str | bytes) -> Stat | None:
    """Return what /proc/PID/stat has about a process, or None if it has ended."""
    try:
        with open(f"/proc/{int(pid)}/stat", "rb") as file:  # noqa: PTH123  a Path takes twice as long
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return Stat(int(pid), int(fields[1]), _seconds_in(fields))


def _seconds_in(fields: list[bytes]) -> float:
    """Return the processor seconds in the fields after the name, with those of children waited for."""
    return sum(map(int, fields[11:15])) / TICKS


def descendants(root: int) -> list[Stat]:
    """Return a process and all below it. In a pid namespace these are all processes, since orphans go to the first."""
    first = read_stat(root)
    stats = [] if first is None else [first]
    for stat in stats:  # grows
        stats += [child for pid in _children(stat.pid) if (child := read_stat(pid))]
    return stats


def _children(pid: int) -> list[bytes]:
    """Return the children of all threads of a process; a kernel without CONFIG_PROC_CHILDREN has no list of them."""
    if not os.path.exists("/proc/self/task/self/children") and not os.path.exists(f"/proc/{pid}/task/{pid}/children"):  # noqa: PTH110
        every = [stat for name in os.listdir("/proc") if name.isdecimal() and (stat := read_stat(name))]  # noqa: PTH208
        return [str(stat.pid).encode() for stat in every if stat.parent == pid]
    children: list[bytes] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:  # noqa: PTH123
                children += file.read().split()
    return children


def waited_by_thread(pids: list[int]) -> dict[str, int]:
    """Return the nanoseconds that each thread of these processes has waited for a core, by thread."""
    waited = {}
    for pid in pids:
        with suppress(OSError):
            for thread in Path(f"/proc/{pid}/task").iterdir():
                with suppress(OSError, IndexError):
                    waited[thread.name] = int((thread / "schedstat").read_bytes().split()[1])
    return waited


class SeatUsage:
    """The processes of one seat, as the match sees them.

    Args:
        pidfd: A file of the seat's first process, or -1 if there is none; then nothing is measured.
        group: The folder of its group of version 2, or empty.
        freezes: Whether it is stopped while it is not asked.

    """

    def __init__(self, pidfd: int = -1, group: str = "", freezes: bool = False) -> None:
        self.lock = threading.Lock()  # the watch of the memory runs in another thread
        self._pidfd, self.pid = pidfd, _pid_of(pidfd)
        self.memory_limit, self.over_memory = 0, False
        self._group = group
        self._cpu = self._freeze = -1
        with suppress(OSError):
            self._cpu = os.open(f"{group}/cpu.stat", os.O_RDONLY | os.O_CLOEXEC) if group else -1
        with suppress(OSError):
            self._freeze = os.open(f"{group}/cgroup.freeze", os.O_RDWR | os.O_CLOEXEC) if freezes else -1
        self._stat = -1
        with suppress(OSError):
            self._stat = os.open(f"/proc/{self.pid}/stat", os.O_RDONLY | os.O_CLOEXEC) if self.pid else -1
        self._others = self._last = self._lost = 0.0  # seconds, see `scan`
        self._at = time.monotonic()
        self._seconds = self.idle_seconds = self.idle_time = 0.0
        self._awake = 0

    @property
    def measures(self) -> bool:
        """Whether processor time is measured."""
        return self._cpu >= 0 or self.pid > 0

    @property
    def has_group(self) -> bool:
        """Whether a group counts the processor time of all processes that ever were."""
        return self._cpu >= 0

    def cpu(self) -> float:
        """Return the processor seconds of all the seat's processes so far; without a group, as of the last `scan`."""
        if self._cpu >= 0:
            return int(os.pread(self._cpu, 64, 0).split(None, 2)[1]) / 1e6
        with suppress(OSError):
            return self._first_process() + self._others + self._lost
        return self._last + self._lost

    def _first_process(self) -> float:
        return _seconds_in(os.pread(self._stat, 512, 0).rpartition(b")")[2].split()) if self._stat >= 0 else 0.0

    def scan(self) -> float:
        """Return the processor seconds so far, after a new look at all processes if no group counts them."""
        if self._cpu < 0 and self.pid:
            others = sum(stat.seconds for stat in descendants(self.pid)[1:])
            with suppress(OSError):
                total = self._first_process() + others
                self._lost += max(0.0, self._last - total)  # of processes that have ended and nobody waited for
                self._others, self._last = others, total
        return self.cpu()

    def pids(self) -> list[int]:
        """Return the seat's processes."""
        with suppress(OSError):
            if self._group:
                return [int(pid) for pid in Path(self._group, "cgroup.procs").read_bytes().split()]
        return [stat.pid for stat in descendants(self.pid)] if self.pid else []

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Let the seat run during the block."""
        self._awake += 1
        if self._freeze >= 0 and self._awake == 1:
            os.pwrite(self._freeze, b"0", 0)
        try:
            yield
        finally:
            self._awake -= 1
            if self._freeze >= 0 and self._awake == 0:
                os.pwrite(self._freeze, b"1", 0)

    def sleep(self) -> None:
        """Stop the seat until it is asked."""
        with self.awake():
            pass

    def begin(self) -> float:
        """Note that a question begins, and return the processor seconds so far.

        Raises:
            ForfeitError: the seat has computed too long while it was not asked.

        """
        now, seconds = time.monotonic(), self.cpu()
        if self._freeze < 0:
            self.idle_seconds += seconds - self._seconds
            self.idle_time += now - self._at
            if self.idle_seconds > max(IDLE_SECONDS, IDLE_SHARE * self.idle_time):
                raise ForfeitError(
                    f"computed {self.idle_seconds:.1f} s in the {self.idle_time:.1f} s in which it was not asked"
                )
        return seconds

    def end(self) -> float:
        """Note that a question is answered, and return the processor seconds so far."""
        self._at, self._seconds = time.monotonic(), self.cpu()
        return self._seconds

    def memory(self) -> int:
        """Return the bytes of all processes together; what they share counts once if the kernel lets us read it."""
        pids = self.pids()
        resident = sum(_resident(pid) for pid in pids)
        return resident if resident <= self.memory_limit else sum(_proportional(pid) for pid in pids)

    def kill(self) -> None:
        """End all processes of the seat."""
        if self._pidfd >= 0:
            with suppress(OSError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def close(self) -> None:
        """Close the files."""
        with self.lock:
            for descriptor in (self._cpu, self._freeze, self._pidfd, self._stat):
                if descriptor >= 0:
                    os.close(descriptor)
            self._cpu = self._freeze = self._pidfd = self._stat = -1
            self.pid, self._group = 0, ""


def _pid_of(pidfd: int) -> int:
    """Return the number of a process as this one sees it, or 0."""
    with suppress(OSError, ValueError, IndexError):
        text = Path(f"/proc/self/fdinfo/{pidfd}").read_text(encoding="ascii")
        return max(0, int(text.partition("Pid:")[2].split()[0]))
    return 0


def _resident(pid: int) -> int:
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * _PAGE
    return 0


def _proportional(pid: int) -> int:
    """Return the bytes of a process, of shared pages its share; without the right to read that, of its own pages."""
    for file, names in (("smaps_rollup", (b"Pss:",)), ("status", (b"RssAnon:", b"RssShmem:"))):
        with suppress(OSError):
            lines = [line.split() for line in Path(f"/proc/{pid}/{file}").read_bytes().splitlines()]
            values = [int(line[1]) for line in lines if line and line[0] in names]
            if values:
                return 1024 * sum(values)
    return 0


class Turn:
    """The time of one question, by the rules of this module."""

    def __init__(self, usage: SeatUsage, limit: float) -> None:
        self._usage, self._limit = usage, limit
        self._first = self._seconds = usage.begin()
        self._start, self._waited = time.monotonic(), 0.0
        self._threads: dict[str, int] | None = None

    @property
    def patience(self) -> float:
        """Seconds until the next `check`."""
        if self._threads is None or not self._usage.measures:
            return self._limit
        return min(self._limit / POLLS, MOST_POLL)

    def check(self, answered: bool = False) -> None:
        """Raise TimeoutError if the decision is late, after it was `answered` or before."""
        wall = time.monotonic() - self._start
        if wall * CORES <= self._limit or (answered and not self._usage.measures):
            return
        used = self._usage.scan() - self._seconds
        if not self._usage.measures or used > self._limit or wall > LAST_FACTOR * self._limit:
            raise TimeoutError
        if answered and wall <= self._limit:
            return
        threads = waited_by_thread(self._usage.pids())
        if self._threads is not None:
            waits = [now - self._threads[name] for name, now in threads.items() if name in self._threads]
            self._waited += max(waits, default=0) / 1e9
        self._threads = threads
        if wall - self._waited > WALL_FACTOR * self._limit:
            raise TimeoutError

    def restart(self) -> None:
        """Begin the next question of the same message."""
        self._start, self._waited, self._threads = time.monotonic(), 0.0, None
        self._seconds = self._usage.cpu()

    def spent(self) -> float:
        """End the question, and return its processor seconds; those of the clock if they are not measured."""
        if not self._usage.measures:
            return time.monotonic() - self._start
        return self._usage.end() - self._first


class MemoryWatch:
    """A thread that ends seats whose processes together use more memory than their limit."""

    def __init__(self) -> None:
        self._seats: weakref.WeakSet[SeatUsage] = weakref.WeakSet()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._pid = 0

    def add(self, usage: SeatUsage) -> None:
        """Watch a seat from now on."""
        with self._lock:
            self._seats.add(usage)
            if self._thread is None or not self._thread.is_alive() or self._pid != os.getpid():
                self._pid = os.getpid()
                self._thread = threading.Thread(target=self._run, daemon=True, name="cardwin-memory")
                self._thread.start()

    def _run(self) -> None:
        seen: weakref.WeakKeyDictionary[SeatUsage, float] = weakref.WeakKeyDictionary()
        while True:
            time.sleep(WATCH)
            with self._lock:
                seats = list(self._seats)
            for usage in seats:
                with usage.lock, suppress(OSError, ValueError, IndexError):
                    if usage.has_group:  # a seat that did not run has no more memory than before
                        seconds = usage.cpu()
                        if seen.get(usage) == seconds:
                            continue
                        seen[usage] = seconds
                    usage.scan()
                    if usage.pid and usage.memory() > usage.memory_limit:
                        usage.over_memory = True
                        usage.kill()
            seats.clear()


WATCH_THREAD = MemoryWatch()
