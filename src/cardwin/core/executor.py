"""Executors: `map(job, items)` yields the result of a job for each item, in the order of the items.

Results do not depend on the number of workers, because a job draws from the key of its item and items are independent.
Kernels release the interpreter's lock, so threads run them in parallel. Players written in Python need processes; jobs
and items are pickled for them. A Ray cluster (`core.cluster`) is one more class with the same `map`. No other module of
the package creates a pool.

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
    """Runs jobs. Use it in a `with` block, which stops its workers."""

    @property
    def workers(self) -> int:
        """The number of jobs that run in parallel."""

    @property
    def shares_memory(self) -> bool:
        """Whether jobs can write into the caller's arrays."""

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """Yield the result of `job` for each item, in order.

        No job starts before the first result is requested. If the caller stops early, for example after an interrupt,
        jobs that have not started are cancelled.

        Args:
            job: a function of one item. Worker processes need a function of a module, or a `partial` of one.
            items: the items. Worker processes pickle them, and the results.

        Yields:
            One result per item.

        """

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...


class _Context:
    """The `with` block of an executor. Its end cancels jobs that have not started and stops the pool, if any."""

    _pool: ThreadPoolExecutor | ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


class Serial(_Context):
    """Runs items in this thread, one after the other."""

    workers = 1
    shares_memory = True

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """See `Executor`."""
        return map(job, items)


class Threads(_Context):
    """Threads of this process, for kernels."""

    shares_memory = True
    _pool: ThreadPoolExecutor

    def __init__(self, workers: int) -> None:
        self.workers = validate_workers(workers)
        self._pool = ThreadPoolExecutor(self.workers)
        self._known: set[object] = set()

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """Yield results as `Executor.map` does. The first item of a job runs alone, because it may compile."""
        remaining = list(items)
        code = getattr(getattr(job, "func", job), "__code__", job)
        if code not in self._known:
            self._known.add(code)
            yield from map(job, remaining[:1])
            remaining = remaining[1:]
        yield from self._pool.map(job, remaining)


class Processes(_Context):
    """Worker processes, for players written in Python.

    A job is a function of a module, or a `partial` of one; items and results are picklable. Players named in them
    are built in the worker. Each job runs in the main thread of its process, where alarms work.
    """

    shares_memory = False
    _pool: ProcessPoolExecutor

    def __init__(self, workers: int) -> None:
        self.workers = validate_workers(workers)
        self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"), initializer=_begin_worker)

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """Yield results as `Executor.map` does; an error of a job is raised here."""
        from cardwin.core.kernel import record_compile_seconds

        with _hidden_main():
            results = self._pool.map(_Timed(job), items)
        try:
            for result, process, compiled in results:
                record_compile_seconds(process, compiled)
                yield result
        except BrokenProcessPool:
            raise InputError("a worker process ended unexpectedly: use one worker to see the error") from None


class _Timed(Generic[Item, Done]):
    """A job that also returns its process id and the seconds that this process has spent compiling."""

    def __init__(self, job: Callable[[Item], Done]) -> None:
        self.job = job

    def __call__(self, item: Item) -> tuple[Done, int, float]:
        from cardwin.core.kernel import compile_seconds

        return self.job(item), os.getpid(), compile_seconds()


class SharedExecutor(_Context):
    """An open executor lent to one of its users. Its workers stay when the user's `with` block ends."""

    def __init__(self, lender: Executor) -> None:
        self.lender, self.workers, self.shares_memory = lender, lender.workers, lender.shares_memory

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """Yield results as `Executor.map` does."""
        return self.lender.map(job, items)


# A number of workers of this machine, or an executor that is open already, such as a cluster.
Workers: TypeAlias = int | Executor


def open_executor(workers: Workers, *, in_python: bool = False) -> Executor:
    """Return an executor for a number of workers, or for an executor that is open already.

    Args:
        workers: a number of workers of this machine, or an open executor. One outside this process, such as a cluster,
            is shared, because it serves Python and kernels.
        in_python: whether the work is done in Python and therefore needs processes. Otherwise threads are used.

    Returns:
        The executor, to be used in a `with` block.

    Raises:
        InputError: the number of workers is invalid.

    """
    if not isinstance(workers, int):
        return open_executor(workers.workers, in_python=in_python) if workers.shares_memory else SharedExecutor(workers)
    if validate_workers(workers) == 1:
        return Serial()
    return Processes(workers) if in_python else Threads(workers)


def worker_count(workers: Workers) -> int:
    """Return the number of jobs that run in parallel."""
    return validate_workers(workers) if isinstance(workers, int) else workers.workers


def thread_count(workers: Workers) -> int:
    """Return the number of threads for work that writes into the caller's arrays and so must stay in this process."""
    if isinstance(workers, int):
        return validate_workers(workers)
    return workers.workers if workers.shares_memory else os.cpu_count() or 1


def row_chunks(rows: int) -> Sequence[tuple[int, int]]:
    """Return the chunks of a number of rows, as (first, last + 1)."""
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
    """Rows of work as a job. The function behind it identifies the job."""

    def __init__(self, work: Callable[[int, int], object]) -> None:
        self.work = work
        self.__code__ = getattr(work, "__code__", work)

    def __call__(self, part: tuple[int, int]) -> None:
        self.work(*part)


def validate_workers(workers: int) -> int:
    """Return the number of workers if it is valid.

    Raises:
        InputError: the number is below 1 or above MAX_WORKERS.

    """
    if not 1 <= workers <= MAX_WORKERS:
        raise InputError(f"invalid number of workers: expected 1 to {MAX_WORKERS}, got {workers}")
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
