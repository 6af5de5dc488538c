"""Who does the work: this thread, or several that take chunks of rows. Kernels release the lock."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from cardwin.evolution.chunks import ranges, serial


class Workers:
    """So many threads. Results do not depend on how many: a row's work never depends on its chunk."""

    def __init__(self, count: int = 1) -> None:
        self.count = count
        self.pool = ThreadPoolExecutor(count) if count > 1 else None

    def chunks(self, work: Callable[[int, int], object], rows: int) -> None:
        """Call `work(start, stop)` for every chunk of rows."""
        parts = list(ranges(rows))
        if self.pool is None or len(parts) < 2:
            serial(work, rows)
        else:
            list(self.pool.map(lambda part: work(*part), parts))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)


def usual_workers() -> int:
    """One thread for each core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
