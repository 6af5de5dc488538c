"""Work cut into blocks of rows: what is done for a row never depends on its block, so any hands may do any block."""

from collections.abc import Callable, Iterator
from typing import Protocol

BLOCK = 2048


class Blocks(Protocol):
    """Calls `work(start, stop)` for every block of `rows` rows, in any order and by any number of threads."""

    def __call__(self, work: Callable[[int, int], object], rows: int) -> None:
        """Return when all blocks are done."""


def ranges(rows: int) -> Iterator[tuple[int, int]]:
    """The blocks' first and last-but-one rows. Even, so that no pair of children is cut."""
    return ((start, min(start + BLOCK, rows)) for start in range(0, rows, BLOCK))


def serial(work: Callable[[int, int], object], rows: int) -> None:
    """One block after the other, in this thread."""
    for start, stop in ranges(rows):
        work(start, stop)
