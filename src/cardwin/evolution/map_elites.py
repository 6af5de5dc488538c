"""MAP-Elites (Mouret and Clune 2015): an archive with the best genome of every cell of a grid of descriptors.

1. A descriptor is a row of numbers that describes how a genome behaves, not how good it is. Edges divide each
   number into bins, and the bins of all numbers into cells; a cell holds one genome.
2. Children are parents drawn equally often from all filled cells, plus normal noise, plus a normal step along the line
   to a second parent (Vassiliades and Mouret 2018). The noise of every other child is in proportion to its genes.
3. The archive itself compares nothing, because fitness is noisy: a stored value that is too high by chance would never
   leave (Justesen, Risi and Mouret 2019). The caller measures the challenger and the incumbent of a cell on the same
   fresh samples, and then calls `put` or `remeasure`; the value of a cell is the mean of all fresh samples of its
   genome.

The grid archive of pyribs (`ribs.archives.GridArchive`) has bins of equal width, compares with the stored value, cannot
lower it, and comes with pandas and scikit-learn; these hundred lines need neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats, Ints
from cardwin.core.rng import child, generator_of
from cardwin.evolution.genome import Population
from cardwin.evolution.searcher import State


@dataclass(frozen=True)
class CellGrid:
    """A grid of descriptors.

    Attributes:
        edges: the rising inner edges of the bins of each descriptor; a number on an edge is in the bin above it.

    """

    edges: tuple[tuple[float, ...], ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of bins of each descriptor."""
        return tuple(len(inner) + 1 for inner in self.edges)

    def cell_of(self, descriptor: Sequence[float]) -> int:
        """Return the number of the cell that a descriptor lies in."""
        pairs = zip(self.edges, descriptor, strict=True)
        return self.number([int(np.searchsorted(inner, value, "right")) for inner, value in pairs])

    def number(self, bins: Sequence[int]) -> int:
        """Return the number of the cell with these bins."""
        return int(np.ravel_multi_index(tuple(bins), self.shape))

    def bins(self, cell: int) -> tuple[int, ...]:
        """Return the bins of a cell."""
        return tuple(map(int, np.unravel_index(cell, self.shape)))

    def nearest(self, cell: int, others: Sequence[int]) -> int:
        """Return the cell among others that is the fewest bins away; ties go to the first."""
        bins = np.array([self.bins(other) for other in others])
        return others[int(np.argmin(np.abs(bins - self.bins(cell)).sum(axis=1)))]


class CellArchive:
    """The genomes of filled cells, in the order in which the cells were filled.

    cells (filled,) are numbers of the grid; genomes (filled, genes); values (filled,) are means over samples (filled,).
    """

    def __init__(self, genes: int, dtype: npt.DTypeLike = np.float32) -> None:
        self.cells: Ints = np.zeros(0, np.int64)
        self.genomes: Population = np.zeros((0, genes), dtype)
        self.values: Floats = np.zeros(0)
        self.samples: Ints = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self.cells)

    def row(self, cell: int) -> int | None:
        """Return the row of a cell, or None if it is empty."""
        rows = np.flatnonzero(self.cells == cell)
        return int(rows[0]) if len(rows) else None

    def put(self, cell: int, genome: Population, value: float, samples: int) -> None:
        """Fill a cell, or replace its genome."""
        row = self.row(cell)
        if row is None:
            row = len(self)
            self.cells = np.append(self.cells, cell)
            self.genomes = np.concatenate([self.genomes, genome[None].astype(self.genomes.dtype)])
            self.values, self.samples = np.append(self.values, value), np.append(self.samples, samples)
        self.genomes[row], self.values[row], self.samples[row] = genome, value, samples

    def remeasure(self, cell: int, value: float, samples: int) -> None:
        """Add fresh samples to a filled cell's value."""
        row = self.row(cell)
        if row is None:
            raise ValueError(f"expected a filled cell, got {cell}, which is empty")
        total = self.samples[row] + samples
        self.values[row] += (value - self.values[row]) * samples / total
        self.samples[row] = total

    def children(self, count: int, sigma: float, line: float, key: int) -> Population:
        """Return children (count, genes); child number i depends on child(key, i) and the archive only.

        Args:
            count: the number of children.
            sigma: the largest standard deviation of the noise.
            line: the standard deviation of the step along the line to a second parent.
            key: the key of the random numbers.

        """
        children = np.empty((count, self.genomes.shape[1]), self.genomes.dtype)
        for number in range(count):
            rng = generator_of(child(key, number))
            first, second = self.genomes[rng.integers(len(self), size=2)].astype(np.float64)
            # Small steps improve a cell, large ones reach others: sizes are spread evenly over a decade. Noise in
            # proportion to the genes leaves unused genes at 0; noise of the same size for all genes can change them.
            size = np.abs(first) if number % 2 else 1.0
            noise = sigma * 10.0 ** -rng.random() * size * rng.standard_normal(len(first))
            children[number] = first + noise + line * rng.standard_normal() * (second - first)
        return children

    def state(self) -> State:
        """Return the complete state."""
        return {name: getattr(self, name).copy() for name in ("cells", "genomes", "values", "samples")}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        self.cells, self.samples = state["cells"].astype(np.int64), state["samples"].astype(np.int64)
        self.values = state["values"].astype(np.float64)
        self.genomes = state["genomes"].astype(self.genomes.dtype)
