"""No twins: a generation admits a genome once. Rows are hashed, which costs a hundredth of sorting them."""

import numpy as np
import numpy.typing as npt

from cardwin.kernel import kernel
from cardwin.luck import bits_at

Ints = npt.NDArray[np.int64]


def empty_table(size: int) -> Ints:
    """Room for `size` genomes, half empty or more: -1 where nobody is."""
    return np.full(1 << (2 * size).bit_length(), -1, dtype=np.int64)


@kernel
def admit(bits: Ints, kept: Ints, count: int, table: Ints, chosen: Ints) -> int:
    """Copy rows of `bits` (rows, genes) that `kept` (size, genes) does not hold yet to it, until it is full.

    `count` rows of it are taken; `chosen` (size,) notes which row each came from. Returns the new count.
    """
    mask = len(table) - 1
    genes = bits.shape[1]
    for row in range(bits.shape[0]):
        if count == len(kept):
            break
        slot = 0
        for gene in range(genes):
            slot = bits_at(slot, bits[row, gene])
        slot &= mask
        twin = False
        while table[slot] >= 0 and not twin:
            twin = True
            for gene in range(genes):
                if kept[table[slot], gene] != bits[row, gene]:
                    twin = False
                    break
            if not twin:
                slot = (slot + 1) & mask
        if not twin:
            table[slot] = count
            for gene in range(genes):
                kept[count, gene] = bits[row, gene]
            chosen[count] = row
            count += 1
    return count
