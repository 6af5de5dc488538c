"""Executors: `map(job, items)` gives the result of a job for each item, in the order of the items.

Results do not depend on the number of workers: a job draws from the key of its item, and items are independent. Kernels
release the interpreter's lock, so threads run them side by side; players written in Python need processes, to which
jobs and items travel by name and value. A cluster is one more class with the same `map`. Nothing else in the package
makes a pool.

A job must not call `map` of the executor that runs it: it would wait for itself.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from types import ModuleType, TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from cardwin.core.errors import InputError

Item = TypeVar("Item")
Done = TypeVar("Done")

MOST_WORKERS = 1024
CHUNK = 2048  # rows that are done together; even, so that no pair of children is cut


class Executor(Protocol):
    """Does jobs; use it in a `with` block, which ends its workers."""

    @property
    def workers(self) -> int:
        """How many jobs run side by side."""

    @property
    def shares_memory(self) -> bool:
        """Whether jobs may write into the caller's arrays."""

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """What `job` makes of each item, in order; nothing begins before the first result is asked for.

        When results are no longer wanted, after an interrupt say, work that has not begun is dropped.
        """

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...


class Serial:
    """This thread, one item after the other."""

    workers = 1
    shares_memory = True

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """See `Executor`."""
        return map(job, items)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass


class Threads:
    """Threads of this process, for kernels."""

    shares_memory = True

    def __init__(self, workers: int) -> None:
        self.workers = checked(workers)
        self._pool = ThreadPoolExecutor(self.workers)
        self._known: set[object] = set()

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """See `Executor`. The very first item of a job is done alone: it may compile, which is not for two."""
        waiting = list(items)
        code = getattr(getattr(job, "func", job), "__code__", job)
        if code not in self._known:
            self._known.add(code)
            yield from map(job, waiting[:1])
            waiting = waiting[1:]
        yield from self._pool.map(job, waiting)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=True)


class Processes:
    """Processes of our own, for players written in Python.

    A job is a function of a module, or a `partial` of one; items and results are plain values. Whoever is named in
    them is built anew in the worker. Each job runs in its process's main thread, where alarms work.
    """

    shares_memory = False

    def __init__(self, workers: int) -> None:
        self.workers = checked(workers)
        self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"), initializer=_begin_worker)

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """See `Executor`."""
        from cardwin.core.kernel import note_worker

        with _hidden_main():
            results = self._pool.map(_Timed(job), items)
        try:
            for result, process, compiled in results:
                note_worker(process, compiled)
                yield result
        except BrokenProcessPool:
            raise InputError("a worker process ended by itself: with one worker you will see why") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=True)


class _Timed(Generic[Item, Done]):
    """A job that also says in which process it ran, and how long that process has compiled."""

    def __init__(self, job: Callable[[Item], Done]) -> None:
        self.job = job

    def __call__(self, item: Item) -> tuple[Done, int, float]:
        from cardwin.core.kernel import compile_seconds

        return self.job(item), os.getpid(), compile_seconds()


def executor_of(workers: int, *, in_python: bool = False) -> Executor:
    """So many workers: threads, or processes where the work is done in Python."""
    if checked(workers) == 1:
        return Serial()
    return Processes(workers) if in_python else Threads(workers)


def chunks(rows: int) -> Sequence[tuple[int, int]]:
    """The chunks of so many rows: the first of each, and the one after its last."""
    return [(start, min(start + CHUNK, rows)) for start in range(0, rows, CHUNK)]


def for_rows(executor: Executor, work: Callable[[int, int], object], rows: int) -> None:
    """Call `work(start, stop)` for every chunk of rows; it writes into the caller's arrays.

    What is done for a row never depends on its chunk.
    """
    parts = chunks(rows)
    if executor.workers == 1 or not executor.shares_memory or len(parts) < 2:
        for start, stop in parts:
            work(start, stop)
        return
    for _ in executor.map(_Rows(work), parts):
        pass


class _Rows:
    """Rows of work as a job, known by the function behind it."""

    def __init__(self, work: Callable[[int, int], object]) -> None:
        self.work = work
        self.__code__ = getattr(work, "__code__", work)

    def __call__(self, part: tuple[int, int]) -> None:
        self.work(*part)


def checked(workers: int) -> int:
    """The number of workers, if it is one."""
    if not 1 <= workers <= MOST_WORKERS:
        raise InputError(f"{workers} workers: at least 1 is needed, and at most {MOST_WORKERS}")
    return workers


def _begin_worker() -> None:
    """An interrupt is for the process that started this one, which then ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _hidden_main() -> Iterator[Any]:
    """Start processes without the caller's main script, which they would otherwise run again.

    Jobs come from modules, so nobody misses it, and a plain script needs no guard around its calls.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
