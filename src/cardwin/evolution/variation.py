"""Variation operators: crossover, then mutation.

After López Pozuelo (2015, sections 3.7 and 3.8), Morsomme (2019, 3.4.2), and Nicolai and Hilderman (4.4).

**Crossover of two parents**: rows 2i and 2i+1 of the children come from rows 2i and 2i+1 of the drawn parents. First
the parents are copied, then the pair is crossed at the crossover rate.

- one-point: the pair swaps its tails, cut anywhere but at 0, which would change nothing.
- uniform: each gene is swapped with the swap probability, or with one that is drawn for each pair.
- selective (Vekaria and Clack 1998): each gene carries a dominance; the first child gets the dominant gene of each
  pair, the second the other. If a child is fitter than its parents, its moved genes gain the difference in dominance.

**Crossover of many parents**, always:

- many-parent: every gene of every child comes from a separately drawn parent.
- weighted-sum: an exponentially distributed number of different parents; random weights, normalised; every gene is
  the weighted sum of theirs. The paper draws a real number of parents: it is rounded up, so that it is at least one,
  and limited to the eligible. A gene that is a choice comes from the parent with the largest weight.

Two of many parents are recorded: those that gave the most genes or had the largest weights, the largest first.

**Mutation**: the rate applies to whole genomes, of which one random gene changes, or to every gene separately; with
crossover only, without crossover only, or always. Kinds: redraw (any value of a first generation, perhaps the same),
flip (a choice takes another allele, a real gene goes to the other side of its first range's middle), gaussian (a
normal step of standard deviation sigma, clipped to the bounds), corner (one end of the first range). Gaussian and
corner redraw genes that are choices.
"""

import math

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, child, draw_below, draw_normal, draw_uniform, generator_of
from cardwin.evolution.breeding import CROSSOVERS, MUTATIONS, Breeding, Crossover, Flags, Memory, Rows
from cardwin.evolution.genome import HIGH, LOW, START_HIGH, START_LOW, Genome, Population

RANDOM_PROBABILITY = -1.0  # marks a swap probability that is drawn for every pair
TRIES = 16  # draws for each further parent that must differ; if all fail, the child has fewer parents


@kernel
def spin(cumulative: Floats, point: float) -> int:
    """Return the index on the wheel for a point in [0, 1)."""
    return min(int(np.searchsorted(cumulative, point, side="right")), len(cumulative) - 1)


@kernel
def draw_parent(fitness: Floats, eligible: Ints, cumulative: Floats, size: int, stream: Stream) -> int:
    """Draw an eligible parent: from the wheel, or the winner of a tournament of `size` if there is no wheel."""
    if len(cumulative) > 0:
        return int(eligible[spin(cumulative, draw_uniform(stream))])
    best = eligible[draw_below(stream, len(eligible))]
    for _ in range(size - 1):
        rival = eligible[draw_below(stream, len(eligible))]
        if fitness[rival] > fitness[best]:
            best = rival
    return int(best)


@kernel
def draw_parents(
    fitness: Floats, eligible: Ints, cumulative: Floats, size: int, key: int, start: int, stop: int, parents: Ints
) -> None:
    """Fill rows start..stop of the first column of parents (rows, 2)."""
    stream = np.zeros(2, dtype=np.int64)
    for row in range(start, stop):
        stream[0], stream[1] = child(key, row), 0
        parents[row, 0] = draw_parent(fitness, eligible, cumulative, size, stream)


@kernel
def copy_parents(old: Population, parents: Ints, start: int, stop: int, children: Population) -> None:
    """Copy to each child its first parent."""
    for row in range(start, stop):
        for gene in range(old.shape[1]):
            children[row, gene] = old[parents[row, 0], gene]


@kernel
def record_partners(crossed: Flags, start: int, stop: int, parents: Ints) -> None:
    """Record a crossed child's second parent, its neighbour's first; other children have none."""
    for row in range(start, stop):
        parents[row, 1] = parents[row ^ 1, 0] if crossed[row] else -1


@kernel
def pair_crosses(rate: float, key: int, row: int, stream: Stream, crossed: Flags) -> bool:
    """Draw whether a row and the next are crossed, and leave the pair's stream positioned for further draws."""
    stream[0], stream[1] = child(key, row), 0
    crosses = draw_uniform(stream) < rate
    crossed[row] = crossed[row + 1] = crosses
    return crosses


@kernel
def swap(children: Population, row: int, gene: int) -> None:
    """Swap a gene of a row and the next."""
    first = children[row, gene]
    children[row, gene] = children[row + 1, gene]
    children[row + 1, gene] = first


@kernel
def cross_one_point(rate: float, key: int, start: int, stop: int, children: Population, crossed: Flags) -> None:
    """Swap the tails of neighbouring rows."""
    stream = np.zeros(2, dtype=np.int64)
    genes = children.shape[1]
    for row in range(start, stop - 1, 2):
        if pair_crosses(rate, key, row, stream, crossed) and genes > 1:
            for gene in range(1 + draw_below(stream, genes - 1), genes):
                swap(children, row, gene)


@kernel
def cross_uniform(
    rate: float, swap_probability: float, key: int, start: int, stop: int, children: Population, crossed: Flags
) -> None:
    """Swap single genes of neighbouring rows."""
    stream = np.zeros(2, dtype=np.int64)
    for row in range(start, stop - 1, 2):
        if pair_crosses(rate, key, row, stream, crossed):
            probability = draw_uniform(stream) if swap_probability < 0.0 else swap_probability
            for gene in range(children.shape[1]):
                # Equal genes need no draw, and in a population that has converged most are equal.
                if children[row, gene] != children[row + 1, gene] and draw_uniform(stream) < probability:
                    swap(children, row, gene)


@kernel
def cross_selectively(
    rate: float, key: int, start: int, stop: int, children: Population, dominance: Floats, crossed: Flags, moved: Flags
) -> None:
    """Put the dominant gene of each pair into the first child; `moved` (rows, genes) marks the swapped genes."""
    stream = np.zeros(2, dtype=np.int64)
    for row in range(start, stop - 1, 2):
        crosses = pair_crosses(rate, key, row, stream, crossed)
        for gene in range(children.shape[1]):
            moves = crosses and dominance[row + 1, gene] > dominance[row, gene]
            moved[row, gene] = moved[row + 1, gene] = moves and children[row, gene] != children[row + 1, gene]
            if moves:
                swap(children, row, gene)
                swap(dominance, row, gene)


@kernel
def gather_from_many(
    old: Population, fitness: Floats, eligible: Ints, cumulative: Floats, size: int,
    key: int, start: int, stop: int, children: Population, parents: Ints,
) -> None:  # fmt: skip
    """Take every gene from a separately drawn parent; the arguments are those of `draw_parents` and `copy_parents`."""
    stream = np.zeros(2, dtype=np.int64)
    genes = old.shape[1]
    drawn, counts = np.zeros(genes, dtype=np.int64), np.zeros(len(old), dtype=np.int32)
    for row in range(start, stop):
        stream[0], stream[1] = child(key, row), 0
        first = -1
        for gene in range(genes):
            drawn[gene] = draw_parent(fitness, eligible, cumulative, size, stream)
            children[row, gene] = old[drawn[gene], gene]
            counts[drawn[gene]] += 1
            if first < 0 or counts[drawn[gene]] > counts[first]:
                first = drawn[gene]
        counts[first] = 0
        second = -1
        for gene in range(genes):
            if counts[drawn[gene]] > (0 if second < 0 else counts[second]):
                second = drawn[gene]
        for gene in range(genes):
            counts[drawn[gene]] = 0
        parents[row, 0], parents[row, 1] = first, second


@kernel
def draw_different(
    fitness: Floats, eligible: Ints, cumulative: Floats, size: int, mean: float, stream: Stream, drawn: Ints
) -> int:
    """Draw an exponential number of different parents (with this mean before rounding up) into `drawn`; return it."""
    target = max(1, math.ceil(min(-mean * math.log(1.0 - draw_uniform(stream)), float(len(eligible)))))
    count = tries = 0
    while count < target and tries < TRIES * target:
        drawn[count] = draw_parent(fitness, eligible, cumulative, size, stream)
        tries += 1
        known = False
        for other in range(count):
            known = known or drawn[other] == drawn[count]
        if not known:
            count += 1
    return count


@kernel
def sum_by_weight(
    old: Population, fitness: Floats, eligible: Ints, cumulative: Floats, size: int, mean: float, alleles: Ints,
    limits: Floats, key: int, start: int, stop: int, children: Population, parents: Ints, crossed: Flags,
) -> None:  # fmt: skip
    """Compute every gene as the weighted sum of several parents', in float64 whatever the dtype.

    alleles (genes,) and limits (4, genes) are the genome's; the other arguments are those of `gather_from_many`.
    """
    stream = np.zeros(2, dtype=np.int64)
    drawn, weights = np.zeros(len(eligible), dtype=np.int64), np.zeros(len(eligible))
    total = np.zeros(old.shape[1])
    for row in range(start, stop):
        stream[0], stream[1] = child(key, row), 0
        count = draw_different(fitness, eligible, cumulative, size, mean, stream, drawn)
        weight_sum, first, second = 0.0, 0, -1
        for number in range(count):
            weights[number] = 1.0 - draw_uniform(stream)  # never 0
            weight_sum += weights[number]
            if weights[number] > weights[first]:
                first, second = number, first
            elif number > 0 and (second < 0 or weights[number] > weights[second]):
                second = number
        parents[row, 0], parents[row, 1] = drawn[first], drawn[second] if second >= 0 else -1
        crossed[row] = count > 1
        total[:] = 0.0
        for number in range(count):
            share = weights[number] / weight_sum
            for gene in range(len(total)):
                total[gene] += share * float(old[drawn[number], gene])
        for gene in range(len(total)):
            if alleles[gene] > 0:
                children[row, gene] = old[drawn[first], gene]
            else:  # rounding may exceed the bounds
                children[row, gene] = min(max(total[gene], limits[LOW, gene]), limits[HIGH, gene])


def in_pairs(cross: Rows) -> Rows:
    """Return a breeding operator that draws and copies parents in pairs, then crosses them.

    Args:
        cross: crosses rows start..stop of the children with random numbers from a key.

    """

    def breed(work: Breeding, key: int, start: int, stop: int) -> None:
        offspring = work.offspring
        draw_parents(*_draw_arguments(work), child(key, 0), start, stop, offspring.parents)
        copy_parents(work.population, offspring.parents, start, stop, offspring.genomes)
        cross(work, child(key, 1), start, stop)
        record_partners(work.crossed, start, stop, offspring.parents)

    return breed


def _draw_arguments(work: Breeding) -> tuple[Floats, Ints, Floats, int]:
    """Return the first arguments of `draw_parents`."""
    return work.pool.fitness, work.pool.eligible, work.pool.wheel, work.pool.tournament


def one_point(work: Breeding, key: int, start: int, stop: int) -> None:
    """Swap tails within pairs."""
    cross_one_point(work.settings.crossover_rate, key, start, stop, work.offspring.genomes, work.crossed)


def uniform(work: Breeding, key: int, start: int, stop: int) -> None:
    """Swap single genes within pairs."""
    settings = work.settings
    probability = RANDOM_PROBABILITY if isinstance(settings.swap_probability, str) else settings.swap_probability
    cross_uniform(settings.crossover_rate, probability, key, start, stop, work.offspring.genomes, work.crossed)


def selective(work: Breeding, key: int, start: int, stop: int) -> None:
    """Collect the dominant genes of pairs."""
    offspring, memory = work.offspring, work.offspring.memory
    copy_parents(work.memory["dominance"], offspring.parents, start, stop, memory["dominance"])
    results = offspring.genomes, memory["dominance"], work.crossed, memory["came"]
    cross_selectively(work.settings.crossover_rate, key, start, stop, *results)
    pairs = work.pool.fitness[offspring.parents[start:stop, 0]].reshape(-1, 2)
    best = np.repeat(pairs.max(axis=1), 2)
    memory["parent_fitness"][start:stop] = np.where(work.crossed[start:stop], best, pairs.ravel())


def first_dominance(shape: tuple[int, ...], key: int) -> Memory:
    """Return random dominance (members, genes); no gene is marked as moved."""
    dominance = generator_of(child(key, -2)).random(shape)
    return {"dominance": dominance, "came": np.zeros(shape, np.bool_), "parent_fitness": np.full(shape[0], np.inf)}


def gain_dominance(memory: Memory, fitness: Floats) -> None:
    """Add to moved genes' dominance how much fitter the member is than its parents; then unmark the moved genes."""
    memory["dominance"] += np.maximum(fitness - memory["parent_fitness"], 0.0)[:, None] * memory["came"]
    memory["came"][:] = False
    memory["parent_fitness"][:] = fitness


def many_parent(work: Breeding, key: int, start: int, stop: int) -> None:
    """Collect genes from all eligible parents."""
    offspring, draw = work.offspring, _draw_arguments(work)
    work.crossed[start:stop] = True
    gather_from_many(work.population, *draw, child(key, 0), start, stop, offspring.genomes, offspring.parents)


def weighted_sum(work: Breeding, key: int, start: int, stop: int) -> None:
    """Sum several parents with random weights."""
    offspring, genome = work.offspring, work.genome
    draw = *_draw_arguments(work), work.settings.parent_count, genome.alleles, genome.limits
    results = offspring.genomes, offspring.parents, work.crossed
    sum_by_weight(work.population, *draw, child(key, 0), start, stop, *results)


CROSSOVERS["one-point"] = Crossover(in_pairs(one_point))
CROSSOVERS["uniform"] = Crossover(in_pairs(uniform))
CROSSOVERS["selective"] = Crossover(in_pairs(selective), first_dominance, gain_dominance)
CROSSOVERS["many-parent"] = Crossover(many_parent)
CROSSOVERS["weighted-sum"] = Crossover(weighted_sum)


NEVER = 1e9  # longer than any genome
REDRAW, FLIP, GAUSSIAN, CORNER = range(4)
EITHER, WITH_CROSSOVER, WITHOUT_CROSSOVER = range(3)
WHEN = {"either": EITHER, "with-crossover": WITH_CROSSOVER, "without-crossover": WITHOUT_CROSSOVER}


@kernel
def mutated(value: float, alleles: int, limits: Floats, gene: int, kind: int, sigma: float, stream: Stream) -> float:
    """Draw one gene's new value; limits (4, genes) are the genome's."""
    if alleles > 0:
        if kind == FLIP and alleles > 1:
            return (int(value) + 1 + draw_below(stream, alleles - 1)) % alleles * 1.0
        return draw_below(stream, alleles) * 1.0
    if kind == GAUSSIAN:
        return float(min(max(value + sigma * draw_normal(stream), limits[LOW, gene]), limits[HIGH, gene]))
    first, last = float(limits[START_LOW, gene]), float(limits[START_HIGH, gene])
    if kind == FLIP:
        return float(min(max(first + last - value, limits[LOW, gene]), limits[HIGH, gene]))
    if kind == CORNER:
        return last if draw_below(stream, 2) == 1 else first
    return min(first + (last - first) * draw_uniform(stream), last)


@kernel
def draw_gap(rate: float, stream: Stream) -> int:
    """Draw the number of genes before the next mutation (geometric): one draw per mutation, not one per gene."""
    if rate >= 1.0:
        return 0
    gap = math.log(1.0 - draw_uniform(stream)) / math.log(1.0 - rate) if rate > 0.0 else NEVER
    return int(min(gap, NEVER))


@kernel
def mutate(
    rate: float, each_gene: bool, kind: int, when: int, sigma: float, alleles: Ints, limits: Floats,
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
            gene = draw_gap(rate, stream)
        elif draw_uniform(stream) < rate:
            gene = draw_below(stream, genes)
        while 0 <= gene < genes:
            value = float(children[row, gene])  # float64 whatever the dtype
            children[row, gene] = mutated(value, alleles[gene], limits, gene, kind, sigma, stream)
            gene = gene + 1 + draw_gap(rate, stream) if each_gene else -1


def mutation_of_kind(kind: int) -> Rows:
    """Return a mutation that changes single genes by one of the kernel's kinds."""

    def change(work: Breeding, key: int, start: int, stop: int) -> None:
        settings, genome = work.settings, work.genome
        each_gene, when = settings.mutation_of == "gene", WHEN[settings.mutation_when]
        rates = settings.mutation_rate, each_gene, kind, when, settings.sigma, genome.alleles, genome.limits
        mutate(*rates, key, start, stop, work.offspring.genomes, work.crossed)

    return change


for _kind, _name in enumerate(("redraw", "flip", "gaussian", "corner")):
    MUTATIONS[_name] = mutation_of_kind(_kind)


def redraw_one(genome: Genome, genomes: Population, key: int) -> None:
    """Redraw one gene of every genome (rows, genes), in place, with random numbers from a key."""
    all_rows = np.ones(len(genomes), dtype=np.bool_)
    rates = 1.0, False, REDRAW, EITHER, 1.0, genome.alleles, genome.limits
    mutate(*rates, key, 0, len(genomes), genomes, all_rows)
    genomes[:] = genome.hold(genomes)
