"""No duplicates: a generation admits a genome once. Rows are hashed, which takes a hundredth of the time of sorting."""

from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at
from cardwin.evolution.genome import Population

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[Any]  # the genes' bits as integers

NUMBER_BITS = 31
NUMBERS = (1 << NUMBER_BITS) - 1


@kernel
def _same(row: Bits, other: Bits) -> bool:
    for gene in range(len(row)):  # noqa: SIM110  kernels do not support generators
        if row[gene] != other[gene]:
            return False
    return True


@kernel
def _admit(bits: Bits, kept: Bits, count: int, seen: int, table: Ints, chosen: Ints) -> int:
    """Copy rows of `bits` (rows, genes) to `kept` (size, genes) that are not in it yet, until it is full.

    `count` rows of it are used; `chosen` (size,) stores the source row of each, counted from `seen`. An entry of the
    hash table holds a row's number and some bits of its hash, so that few rows are compared in full. Returns the
    new count.
    """
    mask = len(table) - 1
    for row in range(bits.shape[0]):
        if count == len(kept):
            break
        mark = 0
        for gene in range(bits.shape[1]):
            mark = bits_at(mark, bits[row, gene])
        slot, mark = mark & mask, mark >> NUMBER_BITS << NUMBER_BITS
        known = False
        while table[slot] >= 0:
            number = table[slot] & NUMBERS
            known = table[slot] - number == mark and _same(kept[number], bits[row])
            if known:
                break
            slot = (slot + 1) & mask
        if not known:
            table[slot] = mark + count
            kept[count] = bits[row]
            chosen[count] = seen + row
            count += 1
    return count


class UniqueFilter:
    """A generation that is being filled: it has `count` genomes of (size, genes), from `seen` children.

    chosen (size,) is the index of each among all children seen.
    """

    def __init__(self, shape: tuple[int, ...], dtype: npt.DTypeLike = np.float64) -> None:
        self.genomes = np.empty(shape, dtype)
        self.bits = np.int32 if self.genomes.itemsize == 4 else np.int64  # genes are compared bit by bit
        self.chosen = np.empty(shape[0], dtype=np.int64)
        self.table = np.full(1 << (2 * shape[0]).bit_length(), -1, dtype=np.int64)  # -1 is empty
        self.count = self.seen = 0

    def admit(self, children: Population) -> int:
        """Add children that are not in it yet, while there is space. Returns the new count."""
        bits, kept = children.view(self.bits), self.genomes.view(self.bits)
        self.count = _admit(bits, kept, self.count, self.seen, self.table, self.chosen)
        self.seen += len(children)
        return self.count
