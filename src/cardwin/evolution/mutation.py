"""Mutation operators (López Pozuelo 2015, section 3.8; Morsomme 2019, 3.4.2.2; Nicolai and Hilderman, 4.4).

Unit: the rate applies to whole genomes, of which one random gene changes, or to every gene separately. Condition: with
crossover only, without crossover only, or always. Kind: redraw (any value of a first generation, perhaps the same),
flip (a choice takes another allele, a real gene goes to the other side of its first range's middle), gaussian (a
normal step of standard deviation sigma, clipped to the bounds), corner (one end of the first range). Gaussian
and corner redraw genes that are choices.
"""

import math

import numpy as np

from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, child, draw_below, draw_normal, draw_uniform
from cardwin.evolution.breeding import MUTATIONS, Breeding, Flags, Floats, Ints, Rows
from cardwin.evolution.genome import HIGH, LOW, START_HIGH, START_LOW, Genome, Population

NEVER = 1e9  # longer than any genome
REDRAW, FLIP, GAUSSIAN, CORNER = range(4)
EITHER, WITH_CROSSOVER, WITHOUT_CROSSOVER = range(3)
WHEN = {"either": EITHER, "with-crossover": WITH_CROSSOVER, "without-crossover": WITHOUT_CROSSOVER}


@kernel
def changed(value: float, alleles: int, limits: Floats, gene: int, how: int, sigma: float, stream: Stream) -> float:
    """One gene's new value. limits (4, genes) as a genome has them."""
    if alleles > 0:
        if how == FLIP and alleles > 1:
            return (int(value) + 1 + draw_below(stream, alleles - 1)) % alleles * 1.0
        return draw_below(stream, alleles) * 1.0
    if how == GAUSSIAN:
        return float(min(max(value + sigma * draw_normal(stream), limits[LOW, gene]), limits[HIGH, gene]))
    first, last = float(limits[START_LOW, gene]), float(limits[START_HIGH, gene])
    if how == FLIP:
        return float(min(max(first + last - value, limits[LOW, gene]), limits[HIGH, gene]))
    if how == CORNER:
        return last if draw_below(stream, 2) == 1 else first
    return min(first + (last - first) * draw_uniform(stream), last)


@kernel
def distance(rate: float, stream: Stream) -> int:
    """How many genes stay unchanged before the next mutation (geometric): one draw a mutation, not one a gene."""
    if rate >= 1.0:
        return 0
    far = math.log(1.0 - draw_uniform(stream)) / math.log(1.0 - rate) if rate > 0.0 else NEVER
    return int(min(far, NEVER))


@kernel
def mutate(
    rate: float, each_gene: bool, how: int, when: int, sigma: float, alleles: Ints, limits: Floats,
    key: int, start: int, stop: int, children: Population, crossed: Flags,
) -> None:  # fmt: skip
    """Change the children's rows start..stop in place."""
    stream = np.zeros(2, dtype=np.int64)
    genes = children.shape[1]
    for row in range(start, stop):
        if (when == WITH_CROSSOVER and not crossed[row]) or (when == WITHOUT_CROSSOVER and crossed[row]):
            continue
        stream[0], stream[1] = child(key, row), 0
        gene = -1
        if each_gene:
            gene = distance(rate, stream)
        elif draw_uniform(stream) < rate:
            gene = draw_below(stream, genes)
        while 0 <= gene < genes:
            value = float(children[row, gene])  # float64 whatever the dtype
            children[row, gene] = changed(value, alleles[gene], limits, gene, how, sigma, stream)
            gene = gene + 1 + distance(rate, stream) if each_gene else -1


def by_genes(how: int) -> Rows:
    """A mutation that changes single genes by one of the kernel's kinds."""

    def change(work: Breeding, key: int, start: int, stop: int) -> None:
        kind = work.settings
        rates = kind.mutation_rate, kind.mutation_of == "gene", how, WHEN[kind.mutation_when], kind.sigma
        genome, children = work.genome, work.offspring.genomes
        mutate(*rates, genome.alleles, genome.limits, key, start, stop, children, work.crossed)

    return change


MUTATIONS["redraw"] = by_genes(REDRAW)
MUTATIONS["flip"] = by_genes(FLIP)
MUTATIONS["gaussian"] = by_genes(GAUSSIAN)
MUTATIONS["corner"] = by_genes(CORNER)


def redraw_one(genome: Genome, genomes: Population, key: int) -> None:
    """Redraw one gene of every genome (rows, genes), in place."""
    everybody = np.ones(len(genomes), dtype=np.bool_)
    kind = 1.0, False, REDRAW, EITHER, 1.0, genome.alleles, genome.limits
    mutate(*kind, key, 0, len(genomes), genomes, everybody)
    genomes[:] = genome.hold(genomes)
