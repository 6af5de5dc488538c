"""Work cut into chunks of rows: what is done for a row never depends on its chunk, so any worker may do any chunk."""

from collections.abc import Callable, Iterator
from typing import Protocol

CHUNK = 2048


class Chunks(Protocol):
    """Calls `work(start, stop)` for every chunk of `rows` rows, in any order and by any number of threads."""

    def __call__(self, work: Callable[[int, int], object], rows: int) -> None:
        """Return when all chunks are done."""


def ranges(rows: int) -> Iterator[tuple[int, int]]:
    """The chunks' first and last-but-one rows. Even, so that no pair of children is cut."""
    return ((start, min(start + CHUNK, rows)) for start in range(0, rows, CHUNK))


def serial(work: Callable[[int, int], object], rows: int) -> None:
    """One chunk after the other, in this thread."""
    for start, stop in ranges(rows):
        work(start, stop)
