"""How genes change by chance (López Pozuelo 2015, section 3.8; Morsomme 2019, section 3.4.2.2).

Who mutates: at the rate, a whole genome changes one random gene, or every gene decides for itself. When: with
crossover only, without crossover only, or either way. How: redraw (any value, perhaps the same), flip (a choice takes
another allele, a real gene x becomes 1 - x), gaussian (a normal step, stopped at 0 and 1), corner (0 or 1). Gaussian
and corner redraw genes that are choices.
"""

import math

import numpy as np
import numpy.typing as npt

from cardwin.kernel import kernel
from cardwin.rng import Stream, child, draw_below, draw_normal, draw_uniform

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

NEVER = 1e9  # genes; no genome is as long
REDRAW, FLIP, GAUSSIAN, CORNER = range(4)
EITHER, WITH_CROSSOVER, WITHOUT_CROSSOVER = range(3)


@kernel
def changed(value: float, alleles: int, how: int, step: float, stream: Stream) -> float:
    """One gene's new value."""
    if alleles > 0:
        if how == FLIP and alleles > 1:
            return (int(value) + 1 + draw_below(stream, alleles - 1)) % alleles * 1.0
        return draw_below(stream, alleles) * 1.0
    if how == FLIP:
        return 1.0 - value
    if how == GAUSSIAN:
        moved = value + step * draw_normal(stream)
        return 0.0 if moved < 0.0 else min(moved, 1.0)
    if how == CORNER:
        return draw_below(stream, 2) * 1.0
    return draw_uniform(stream)


@kernel
def distance(rate: float, stream: Stream) -> int:
    """How many genes stay as they are before the next that changes: one draw for a change, not for every gene."""
    if rate >= 1.0:
        return 0
    far = math.log(1.0 - draw_uniform(stream)) / math.log(1.0 - rate) if rate > 0.0 else NEVER
    return int(min(far, NEVER))


@kernel
def mutate(
    rate: float,
    each_gene: bool,
    how: int,
    when: int,
    step: float,
    alleles: Ints,
    key: int,
    start: int,
    stop: int,
    children: Floats,
    crossed: Flags,
) -> None:
    """Change the children's rows start..stop in place."""
    stream = np.zeros(2, dtype=np.int64)
    genes = children.shape[1]
    for row in range(start, stop):
        if (when == WITH_CROSSOVER and not crossed[row]) or (when == WITHOUT_CROSSOVER and crossed[row]):
            continue
        stream[0], stream[1] = child(key, row), 0
        if each_gene:
            gene = distance(rate, stream)
            while gene < genes:
                children[row, gene] = changed(children[row, gene], alleles[gene], how, step, stream)
                gene += 1 + distance(rate, stream)
        elif draw_uniform(stream) < rate:
            gene = draw_below(stream, genes)
            children[row, gene] = changed(children[row, gene], alleles[gene], how, step, stream)
