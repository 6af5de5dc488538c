"""Work split into chunks of rows: a row's result does not depend on its chunk, so any worker may do any chunk."""

from collections.abc import Callable, Iterator
from typing import Protocol

CHUNK = 2048


class Chunks(Protocol):
    """Calls `work(start, stop)` for every chunk of `rows` rows, in any order and by any number of threads."""

    def __call__(self, work: Callable[[int, int], object], rows: int) -> None:
        """Return when all chunks are done."""


def ranges(rows: int) -> Iterator[tuple[int, int]]:
    """The chunks' start and stop rows. Starts are even, so that no pair of children is split."""
    return ((start, min(start + CHUNK, rows)) for start in range(0, rows, CHUNK))


def serial(work: Callable[[int, int], object], rows: int) -> None:
    """One chunk after the other, in this thread."""
    for start, stop in ranges(rows):
        work(start, stop)
