"""Work shared out to threads: kernels release the lock, so they run side by side."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Done = TypeVar("Done")


def spread(work: Callable[[Item], Done], items: Sequence[Item], workers: int) -> Iterator[Done]:
    """What `work` makes of each item, in order. The first is done alone: it may compile, which is not for two.

    When the results are no longer wanted, after an interrupt say, work that has not begun is dropped.
    """
    yield from map(work, items if workers == 1 else items[:1])
    if workers == 1:
        return
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(work, items[1:])
    finally:
        pool.shutdown(cancel_futures=True)
