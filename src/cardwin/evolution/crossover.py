"""How parents make children (López Pozuelo 2015, section 3.7; Morsomme 2019, section 3.4.2).

Rows 2i and 2i+1 of the children come from rows 2i and 2i+1 of the drawn parents: first the parents are copied, then,
at the crossover rate, the pair is crossed. `crossed` says which pairs were.

- one-point: the pair swaps its tails, cut anywhere but at 0, which would cross nothing.
- uniform: each gene is swapped with the chance `resemblance`, or with a chance drawn for each pair.
- selective (Vekaria and Clack 1998): each gene carries a dominance; the first child gets the dominant gene of each
  pair, the second the other. Genes that came over to a child fitter than its parents gain dominance by that much.
- many-parent: every gene of every child has its own parent, drawn from the wheel.
"""

import numpy as np
import numpy.typing as npt

from cardwin.evolution.selection import spin
from cardwin.kernel import kernel
from cardwin.rng import child, draw_below, draw_uniform

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

DRAWN = -1.0  # the resemblance that is drawn anew for every pair


@kernel
def copy_parents(old: Floats, parents: Ints, start: int, stop: int, children: Floats) -> None:
    """Each child a copy of its own parent."""
    for row in range(start, stop):
        for gene in range(old.shape[1]):
            children[row, gene] = old[parents[row], gene]


@kernel
def cross_one_point(rate: float, key: int, start: int, stop: int, children: Floats, crossed: Flags) -> None:
    """Swap the tails of neighbouring rows."""
    stream = np.zeros(2, dtype=np.int64)
    genes = children.shape[1]
    for row in range(start, stop - 1, 2):
        stream[0], stream[1] = child(key, row), 0
        crosses = draw_uniform(stream) < rate and genes > 1
        crossed[row] = crossed[row + 1] = crosses
        if crosses:
            for gene in range(1 + draw_below(stream, genes - 1), genes):
                held = children[row, gene]
                children[row, gene] = children[row + 1, gene]
                children[row + 1, gene] = held


@kernel
def cross_uniform(
    rate: float, resemblance: float, key: int, start: int, stop: int, children: Floats, crossed: Flags
) -> None:
    """Swap single genes of neighbouring rows."""
    stream = np.zeros(2, dtype=np.int64)
    for row in range(start, stop - 1, 2):
        stream[0], stream[1] = child(key, row), 0
        crosses = draw_uniform(stream) < rate
        crossed[row] = crossed[row + 1] = crosses
        if crosses:
            chance = draw_uniform(stream) if resemblance < 0.0 else resemblance
            for gene in range(children.shape[1]):
                # Equal genes need no draw, and in a population that has converged most are equal.
                if children[row, gene] != children[row + 1, gene] and draw_uniform(stream) < chance:
                    held = children[row, gene]
                    children[row, gene] = children[row + 1, gene]
                    children[row + 1, gene] = held


@kernel
def cross_selectively(
    rate: float, key: int, start: int, stop: int, children: Floats, dominance: Floats, crossed: Flags, came: Flags
) -> None:
    """Put the dominant gene of each pair into the first child; `came` (rows, genes) marks the genes that moved."""
    stream = np.zeros(2, dtype=np.int64)
    for row in range(start, stop - 1, 2):
        stream[0], stream[1] = child(key, row), 0
        crosses = draw_uniform(stream) < rate
        crossed[row] = crossed[row + 1] = crosses
        for gene in range(children.shape[1]):
            moves = crosses and dominance[row + 1, gene] > dominance[row, gene]
            came[row, gene] = came[row + 1, gene] = moves and children[row, gene] != children[row + 1, gene]
            if moves:
                held, strength = children[row, gene], dominance[row, gene]
                children[row, gene], dominance[row, gene] = children[row + 1, gene], dominance[row + 1, gene]
                children[row + 1, gene], dominance[row + 1, gene] = held, strength


@kernel
def gather_from_many(
    old: Floats, cumulative: Floats, able: Ints, key: int, start: int, stop: int, children: Floats, parents: Ints
) -> None:
    """Every gene from a parent of its own; the first gene's parent stands for all in `parents` (rows,)."""
    stream = np.zeros(2, dtype=np.int64)
    for row in range(start, stop):
        stream[0], stream[1] = child(key, row), 0
        for gene in range(old.shape[1]):
            parent = able[spin(cumulative, draw_uniform(stream))]
            children[row, gene] = old[parent, gene]
            if gene == 0:
                parents[row] = parent
