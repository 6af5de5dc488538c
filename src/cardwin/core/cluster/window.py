"""Jobs of a cluster: sized, sent through a window, tried again, and put in order. It knows nothing of Ray.

1. A job is a whole number of consecutive items. Items are fixed blocks of work whose results are returned one by one,
   so the size of a job cannot change a result.
2. A job takes about `TARGET` seconds by the measured cost of an item, and its answer stays below `ANSWER` bytes
   unless that took less than `SHORTEST` seconds. Towards the end jobs become smaller, so that all cores end together.
3. At most `AHEAD` jobs a core are pending, never all at once; on a node that has not done such work yet, one job, which
   compiles or loads its kernels.
4. When everything has been sent and cores are free, a job that takes `LATE` times as long as expected is sent once
   more, and the first answer counts.
5. A job whose worker or node is lost is sent again, `TRIES` times in all.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from cardwin.core.errors import InputError

Item = TypeVar("Item")

TARGET = 2.0  # seconds of a job
SHORTEST = 0.5  # seconds of a job towards the end, or if answers are large
ANSWER = 90_000  # bytes of an answer: Ray returns up to 100 kB with the reply, without its object store
AHEAD = 2  # pending jobs a core
LATE = 3.0  # times the expected seconds
SOONEST = 1.0  # seconds before a job can be late
TRIES = 4
POLL = 0.5  # seconds until the window is looked at again if nothing has finished
PATIENCE = 60.0  # seconds without any node


@dataclass
class Cost:
    """The measured cost of an item of one kind of work: seconds and bytes, moving averages; 0 if nothing is known."""

    seconds: float = 0.0
    size: float = 0.0

    def note(self, items: int, seconds: float, size: int) -> None:
        """A job of so many items took this long and answered with so many bytes."""
        share = 0.3 if self.seconds else 1.0
        self.seconds += share * (seconds / items - self.seconds)
        self.size += share * (size / items - self.size)

    def items(self, left: int, cores: int) -> int:
        """The number of items of the next job, of those that are left."""
        if not self.seconds:
            return 1
        wanted = TARGET / self.seconds
        fair, least = left / (2 * max(cores, 1)), SHORTEST / self.seconds
        wanted = min(wanted, max(fair, min(least, left / max(cores, 1))))
        if self.size:
            wanted = min(wanted, max(ANSWER / self.size, least))
        return max(1, min(left, int(wanted)))


@dataclass(frozen=True)
class Reply:
    """The answer of a job: the results of its items, its seconds, its bytes, and the node that did it."""

    results: Sequence[Any]
    seconds: float
    size: int
    node: str
    hands: int = 0


@dataclass
class Job(Generic[Item]):
    """Consecutive items, from number `first` on, and when they were sent last."""

    first: int
    items: Sequence[Item]
    sent: float = 0.0
    tries: int = 0
    doubled: bool = False


class Backend(Protocol):
    """What carries the jobs out."""

    def cores(self) -> int:
        """How many jobs can run in parallel."""

    def room(self) -> int:
        """How many jobs may be pending."""

    def send(self, job: Job[Any], again: bool) -> Any:
        """Send a job; `again`: prefer a fast node. Returns a handle."""

    def wait(self, handles: Sequence[Any], seconds: float) -> Sequence[Any]:
        """The handles that have finished, after this time at the latest."""

    def fetch(self, handle: Any) -> Reply | None:
        """The answer of a finished job; None if its worker or node was lost. Errors of the job are raised."""

    def drop(self, handles: Sequence[Any]) -> None:
        """Cancel jobs that are no longer wanted."""


@dataclass
class Window(Generic[Item]):
    """The jobs of one `map`: `results()` gives the result of every item, in order."""

    backend: Backend
    items: Sequence[Item]
    cost: Cost
    clock: Callable[[], float] = time.monotonic
    next_item: int = 0
    pending: dict[Any, Job[Item]] = field(default_factory=dict)
    done: dict[int, Any] = field(default_factory=dict)
    alone_since: float | None = None

    def results(self) -> Iterator[Any]:
        """Send jobs, wait, and yield results as soon as all earlier ones are there."""
        number = 0
        try:
            while number < len(self.items):
                self._fill()
                for handle in self.backend.wait(list(self.pending), POLL):
                    self._take(handle)
                while number in self.done:
                    yield self.done.pop(number)
                    number += 1
        finally:
            self.backend.drop(list(self.pending))

    def _fill(self) -> None:
        """Send as many jobs as the window takes; late ones once more."""
        cores = self.backend.cores()
        self._refuse_emptiness(cores)
        room = self.backend.room()
        while self.next_item < len(self.items) and len(self.pending) < room:
            count = self.cost.items(len(self.items) - self.next_item, cores)
            self._send(Job(self.next_item, self.items[self.next_item : self.next_item + count]))
            self.next_item += count
        if self.next_item == len(self.items):
            for job in self._late(cores - len(self.pending)):
                job.doubled = True
                self._send(job, again=True)

    def _send(self, job: Job[Item], again: bool = False) -> None:
        job.sent = self.clock()
        self.pending[self.backend.send(job, again)] = job

    def _late(self, free: int) -> list[Job[Item]]:
        """The jobs that have taken longest beyond what was expected, as many as there are free cores."""
        now = self.clock()
        late = [
            job
            for job in self.pending.values()
            if not job.doubled and now - job.sent > max(SOONEST, LATE * self.cost.seconds * len(job.items))
        ]
        return sorted(late, key=lambda job: job.sent)[: max(free, 0)] if self.cost.seconds else []

    def _take(self, handle: Any) -> None:
        """Keep the results of a finished job; send a lost one again."""
        job = self.pending.pop(handle)
        reply = self.backend.fetch(handle)
        if any(job is other for other in self.pending.values()) and reply is None:
            return  # its second submission is still there
        if reply is None:
            job.tries += 1
            if job.tries >= TRIES:
                raise InputError(
                    f"a job was lost {TRIES} times with its worker: it may need more memory than a node has, or crash; "
                    "--workers 1 instead of --cluster shows the error"
                )
            self._send(job, again=True)
            return
        self.cost.note(len(job.items), reply.seconds, reply.size)
        for place, result in enumerate(reply.results):
            self.done.setdefault(job.first + place, result)
        for other in [other for other, same in self.pending.items() if same is job]:
            del self.pending[other]  # the slower of two submissions: its answer is not waited for

    def _refuse_emptiness(self, cores: int) -> None:
        """Raise an error if the cluster has had no core for long."""
        now = self.clock()
        if cores:
            self.alone_since = None
        elif self.alone_since is None:
            self.alone_since = now
        elif now - self.alone_since > PATIENCE:
            raise InputError(f"no node of the cluster has been left for {PATIENCE:.0f} s: add one and resume the run")
