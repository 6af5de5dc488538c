"""Executors: `map(job, items)` gives the result of a job for each item, in the order of the items.

Results do not depend on the number of workers: a job draws from the key of its item, and items are independent. Kernels
release the interpreter's lock, so threads run them in parallel. Players written in Python need processes;
jobs and items are pickled for them. A Ray cluster (`core.cluster`) is one more class with the same `map`. Nothing else
in the package creates a pool.

A job must not call `map` of the executor that runs it, because it would deadlock.
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
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

from cardwin.core.errors import InputError

Item = TypeVar("Item")
Done = TypeVar("Done")

MAX_WORKERS = 1024
CHUNK = 2048  # rows evaluated together; even, so that no pair of children is split


class Executor(Protocol):
    """Runs jobs; use it in a `with` block, which stops its workers."""

    @property
    def workers(self) -> int:
        """How many jobs run in parallel."""

    @property
    def shares_memory(self) -> bool:
        """Whether jobs can write into the caller's arrays."""

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """The result of `job` for each item, in order; no job starts before the first result is requested.

        If the caller stops early, after an interrupt for example, jobs that have not started are cancelled.
        """

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...


class Serial:
    """Runs items in this thread, one after the other."""

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
        self.workers = validate_workers(workers)
        self._pool = ThreadPoolExecutor(self.workers)
        self._known: set[object] = set()

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """See `Executor`. The first item of a job runs alone, because it may compile."""
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
    """Worker processes, for players written in Python.

    A job is a function of a module, or a `partial` of one; items and results are picklable. Players named in them
    are built in the worker. Each job runs in the main thread of its process, where alarms work.
    """

    shares_memory = False

    def __init__(self, workers: int) -> None:
        self.workers = validate_workers(workers)
        self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"), initializer=_begin_worker)

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """See `Executor`."""
        from cardwin.core.kernel import record_compile_seconds

        with _hidden_main():
            results = self._pool.map(_Timed(job), items)
        try:
            for result, process, compiled in results:
                record_compile_seconds(process, compiled)
                yield result
        except BrokenProcessPool:
            raise InputError("a worker process ended unexpectedly: use one worker to see the error") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=True)


class _Timed(Generic[Item, Done]):
    """A job that also returns its process id and the seconds that this process has spent compiling."""

    def __init__(self, job: Callable[[Item], Done]) -> None:
        self.job = job

    def __call__(self, item: Item) -> tuple[Done, int, float]:
        from cardwin.core.kernel import compile_seconds

        return self.job(item), os.getpid(), compile_seconds()


class SharedExecutor:
    """An open executor as seen by one of its users: the same workers, which stay when the user's `with` block ends."""

    def __init__(self, lender: Executor) -> None:
        self.lender, self.workers, self.shares_memory = lender, lender.workers, lender.shares_memory

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """See `Executor`."""
        return self.lender.map(job, items)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass


# A number of workers of this machine, or an executor that is open already, such as a cluster.
Workers: TypeAlias = int | Executor


def open_executor(workers: Workers, *, in_python: bool = False) -> Executor:
    """An executor with this number of workers: threads, or processes if the work is done in Python.

    An open executor outside this process is borrowed: it works for Python and for kernels.
    """
    if not isinstance(workers, int):
        return open_executor(workers.workers, in_python=in_python) if workers.shares_memory else SharedExecutor(workers)
    if validate_workers(workers) == 1:
        return Serial()
    return Processes(workers) if in_python else Threads(workers)


def worker_count(workers: Workers) -> int:
    """How many jobs run in parallel."""
    return validate_workers(workers) if isinstance(workers, int) else workers.workers


def thread_count(workers: Workers) -> int:
    """The number of threads for work that must stay in this process, because it writes into the caller's arrays."""
    if isinstance(workers, int):
        return validate_workers(workers)
    return workers.workers if workers.shares_memory else os.cpu_count() or 1


def row_chunks(rows: int) -> Sequence[tuple[int, int]]:
    """The chunks of this number of rows, as (first, last + 1)."""
    return [(start, min(start + CHUNK, rows)) for start in range(0, rows, CHUNK)]


def run_rows(executor: Executor, work: Callable[[int, int], object], rows: int) -> None:
    """Call `work(start, stop)` for every chunk of rows; it writes into the caller's arrays.

    The result for a row does not depend on its chunk.
    """
    parts = row_chunks(rows)
    if executor.workers == 1 or not executor.shares_memory or len(parts) < 2:
        for start, stop in parts:
            work(start, stop)
        return
    for _ in executor.map(_Rows(work), parts):
        pass


class _Rows:
    """Rows of work as a job, identified by the function behind it."""

    def __init__(self, work: Callable[[int, int], object]) -> None:
        self.work = work
        self.__code__ = getattr(work, "__code__", work)

    def __call__(self, part: tuple[int, int]) -> None:
        self.work(*part)


def validate_workers(workers: int) -> int:
    """The number of workers, checked."""
    if not 1 <= workers <= MAX_WORKERS:
        raise InputError(f"{workers} workers: the number must be 1 to {MAX_WORKERS}")
    return workers


def _begin_worker() -> None:
    """Ignore interrupts: the parent process handles them and then stops this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _hidden_main() -> Iterator[Any]:
    """Start processes without the caller's main script, which they would otherwise run again.

    Jobs come from modules, so the main script is not needed, and a script needs no `__main__` guard.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
