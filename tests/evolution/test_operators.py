"""Each operator does what its document says, on whole populations."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwin.core.errors import InputError
from cardwin.core.rng import child, stream_of
from cardwin.evolution import (
    Genome,
    SearchSettings,
    first_population,
    genetic,
    random_population,
    uniform_population,
    variation,
)
from cardwin.evolution.genetic import UniqueFilter
from cardwin.evolution.hall import describe
from cardwin.evolution.variation import (
    CORNER,
    EITHER,
    FLIP,
    GAUSSIAN,
    REDRAW,
    WITH_CROSSOVER,
    WITHOUT_CROSSOVER,
    cross_one_point,
    cross_selectively,
    cross_uniform,
    draw_different,
    gather_from_many,
    mutate,
    sum_by_weight,
)

Array = npt.NDArray[Any]
NO_WHEEL = np.zeros(0)
NETWORK = Genome.unbounded(12, dtype=np.float32)


def test_uniform_start_holds_every_value_equally_often() -> None:
    population = uniform_population(Genome.real(6), 1010, key=1)
    for gene in population.T:
        values, counts = np.unique(gene, return_counts=True)
        assert np.allclose(values, np.arange(101) / 100)
        assert (counts == 10).all()
    assert not np.array_equal(population[:, 0], population[:, 1])


def test_uniform_start_refuses_a_size_that_does_not_divide() -> None:
    with pytest.raises(InputError, match="101"):
        uniform_population(Genome.real(6), 1000, key=1)


def test_choices_are_whole_alleles_and_held_genes_stay() -> None:
    held = np.array([np.nan, 1.0, np.nan])
    population = random_population(replace(Genome.choices([6, 2, 3]), held=held), 600, key=2)
    assert set(population[:, 0]) == set(range(6))
    assert set(population[:, 1]) == {1.0}
    assert set(population[:, 2]) == set(range(3))


def test_first_generations_keep_to_their_range_and_dtype() -> None:
    weights = random_population(NETWORK, 4000, 1)
    assert weights.dtype == np.float32
    assert -1 <= weights.min() < -0.99
    assert 0.99 < weights.max() <= 1
    assert abs(weights.mean()) < 0.01
    normal = first_population(replace(NETWORK, start="normal", spread=0.2), 4000, 1)
    assert normal.dtype == np.float32
    assert abs(normal.std() - 0.2) < 0.005
    bounded = first_population(Genome.real(5, -3.0, 0.1, start="normal", spread=9.0, dtype=np.float32), 400, 1)
    assert bounded.min() == -3
    assert bounded.max() == np.float32(0.1)
    half = random_population(Genome.real(3, 2.0, np.inf, spread=4.0), 4000, 1)
    assert 2 <= half.min() < 2.01
    assert 9.99 < half.max() <= 10


def test_given_members_take_the_first_places() -> None:
    given = np.ones((2, 12))
    population = first_population(NETWORK, 5, 1, given)
    assert (population[:2] == 1).all()
    assert (population[2:] == random_population(NETWORK, 5, 1)[2:]).all()
    assert first_population(NETWORK, 1, 1, given).shape == (1, 12)
    with pytest.raises(InputError, match=r"\(n, 12\), got \(2, 3\)"):
        first_population(NETWORK, 5, 1, np.ones((2, 3)))
    with pytest.raises(InputError, match="bounds"):
        first_population(Genome.real(3), 5, 1, np.full((2, 3), 1.5))


@pytest.mark.parametrize(
    ("wrong", "clue"),
    [
        ({"start": "zero"}, "start must be one of random, uniform, normal, got 'zero'"),
        ({"dtype": np.int64}, "dtype must be float32 or float64, got int64"),
        ({"low": 2.0}, "low bounds"),
        ({"spread": 0.0}, "spread"),
    ],
)
def test_a_genome_that_makes_no_sense_is_refused(wrong: dict[str, Any], clue: str) -> None:
    with pytest.raises(InputError, match=clue):
        Genome.real(3, **wrong)


def drawn_shares(weights: Array) -> Array:
    parents = np.empty((40_000, 2), dtype=np.int64)
    fitness, everybody = np.zeros(len(weights)), np.arange(len(weights))
    variation.draw_parents(fitness, everybody, genetic.wheel(weights), 4, 3, 0, len(parents), parents)
    shares: Array = np.bincount(parents[:, 0], minlength=len(weights)) / len(parents)
    return shares


def test_roulette_draws_by_fitness_plus_the_largest_loss() -> None:
    fitness = np.array([-2.0, -1.0, 0.0, 1.0])
    assert np.allclose(
        drawn_shares(genetic.roulette(fitness, SearchSettings(shift=2.0))), [0, 1 / 6, 2 / 6, 3 / 6], atol=0.01
    )


def test_rank_can_draw_the_fittest_and_shares_ties() -> None:
    weights = genetic.rank(np.array([5.0, -1.0, 5.0, 7.0]), SearchSettings())
    assert weights.tolist() == [2.5, 1, 2.5, 4]


def test_blend_lies_half_way() -> None:
    fitness = np.array([0.0, 1.0, 3.0])
    blended = genetic.blend(fitness, SearchSettings())
    expected = (genetic.rank(fitness, SearchSettings()) / 6 + fitness / 4) / 2
    assert np.allclose(blended / blended.sum(), expected)


def test_nobody_with_weight_means_everybody_alike() -> None:
    assert np.allclose(genetic.wheel(np.zeros(4)), [0.25, 0.5, 0.75, 1])


def test_tournament_of_two_favours_the_fittest_as_theory_says() -> None:
    fitness = np.arange(4.0)
    parents = np.empty((40_000, 2), dtype=np.int64)
    variation.draw_parents(fitness, np.arange(4), NO_WHEEL, 2, 5, 0, len(parents), parents)
    assert np.allclose(np.bincount(parents[:, 0]) / len(parents), np.array([1, 3, 5, 7]) / 16, atol=0.01)


def test_truncation_takes_the_best_share_alike() -> None:
    fitness = np.arange(10.0)
    pool = genetic.pool_of(fitness, SearchSettings(selection="truncation", parents=0.3))
    assert pool.eligible.tolist() == [9, 8, 7]
    assert np.allclose(pool.wheel, [1 / 3, 2 / 3, 1])


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=50), st.data())
def test_fittest_is_a_stable_sort_cut_short(fitness: list[float], data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(fitness)))
    values = np.array(fitness)
    assert genetic.fittest(values, count).tolist() == np.argsort(-values, kind="stable")[:count].tolist()


def couple(genes: int = 8, pairs: int = 500) -> Array:
    """Zeros mated with ones."""
    return np.tile(np.array([[0.0], [1.0]]), (pairs, genes))


def test_one_point_swaps_tails_and_never_cuts_at_the_start() -> None:
    children, crossed = couple(), np.zeros(1000, dtype=np.bool_)
    cross_one_point(1.0, 1, 0, 1000, children, crossed)
    assert crossed.all()
    assert (children[0::2, 0] == 0).all()
    assert (np.diff(children[0::2], axis=1) >= 0).all()
    assert set(children[0::2].sum(axis=1)) == set(range(1, 8))
    assert (children[0::2] + children[1::2] == 1).all()


def test_crossover_happens_at_its_rate() -> None:
    children, crossed = couple(), np.zeros(1000, dtype=np.bool_)
    cross_uniform(0.7, 0.5, 1, 0, 1000, children, crossed)
    assert abs(crossed.mean() - 0.7) < 0.06
    assert (children[0::2][~crossed[0::2]] == 0).all()


def test_uniform_crossover_swaps_as_many_genes_as_it_should() -> None:
    for chance, spread in ((0.5, 0.18), (0.2, 0.15), (-1.0, 0.33)):
        children, crossed = couple(), np.zeros(1000, dtype=np.bool_)
        cross_uniform(1.0, chance, 9, 0, 1000, children, crossed)
        swapped = children[0::2].mean(axis=1)
        assert abs(swapped.mean() - (0.5 if chance < 0 else chance)) < 0.04
        assert abs(swapped.std() - spread) < 0.04
        assert (children[0::2] + children[1::2] == 1).all()


def test_selective_crossover_gathers_dominant_genes_in_the_first_child() -> None:
    children = couple(pairs=1, genes=3)
    dominance = np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.5]])
    crossed, came = np.zeros(2, dtype=np.bool_), np.zeros((2, 3), dtype=np.bool_)
    cross_selectively(1.0, 1, 0, 2, children, dominance, crossed, came)
    assert children.tolist() == [[0, 1, 0], [1, 0, 1]]
    assert dominance.tolist() == [[0.9, 0.8, 0.5], [0.2, 0.1, 0.5]]
    assert came.tolist() == [[False, True, False]] * 2


def test_many_parents_give_genes_in_proportion_to_their_weight() -> None:
    old = np.arange(3.0)[:, None] * np.ones((1, 50))
    children, parents = np.empty((400, 50)), np.empty((400, 2), dtype=np.int64)
    cumulative = genetic.wheel(np.array([1.0, 2.0, 5.0]))
    gather_from_many(old, np.zeros(3), np.arange(3), cumulative, 4, 4, 0, 400, children, parents)
    assert np.allclose(np.bincount(children.astype(int).ravel()) / children.size, [1 / 8, 2 / 8, 5 / 8], atol=0.02)
    for genes, (most, second) in zip(children.astype(int), parents, strict=True):
        counts = np.bincount(genes, minlength=3)
        assert counts[most] == counts.max()
        assert counts[second] == np.sort(counts)[1]
        assert most != second


def test_one_parent_of_all_genes_is_alone_in_the_record() -> None:
    children, parents = np.empty((4, 5)), np.empty((4, 2), dtype=np.int64)
    gather_from_many(np.ones((3, 5)), np.zeros(3), np.array([2]), NO_WHEEL, 1, 4, 0, 4, children, parents)
    assert parents.tolist() == [[2, -1]] * 4


def summed(
    old: Array, eligible: list[int], mean: float, rows: int = 2000, genome: Genome | None = None
) -> tuple[Array, Array, Array]:
    genome = genome or Genome.unbounded(old.shape[1])
    children = np.empty((rows, old.shape[1]), old.dtype)
    parents, crossed = np.empty((rows, 2), dtype=np.int64), np.zeros(rows, dtype=np.bool_)
    draw = np.zeros(len(old)), np.array(eligible), np.arange(1, len(eligible) + 1) / len(eligible), 4, mean
    sum_by_weight(old, *draw, genome.alleles, genome.limits, 7, 0, rows, children, parents, crossed)
    return children, parents, crossed


def test_weighted_sum_mixes_its_parents_by_weights_that_sum_to_one() -> None:
    # A gene for each member, 1 in that member only: a child's genes are its parents' weights.
    children, parents, crossed = summed(np.eye(6), [0, 2, 3, 5], 2.0)
    assert np.allclose(children.sum(axis=1), 1)
    assert (children >= 0).all()
    assert (children[:, [1, 4]] == 0).all()
    assert ((children > 0).sum(axis=1) > 1).tolist() == crossed.tolist()
    order = np.argsort(-children, axis=1, kind="stable")
    assert (parents[:, 0] == order[:, 0]).all()
    assert (parents[crossed, 1] == order[crossed, 1]).all()
    assert (parents[~crossed, 1] == -1).all()


def test_the_number_of_parents_is_exponential_rounded_up_and_never_more_than_there_are() -> None:
    drawn = np.empty(8, dtype=np.int64)
    everybody, wheel = np.arange(8), np.arange(1, 9) / 8
    counts = np.array(
        [draw_different(np.zeros(8), everybody, wheel, 4, 3.0, stream_of(child(1, i)), drawn) for i in range(20_000)]
    )
    shares = np.bincount(counts, minlength=9)[1:] / len(counts)
    expected = np.exp(-np.arange(8) / 3) - np.exp(-np.arange(1, 9) / 3)
    expected[-1] = np.exp(-7 / 3)  # all who would have more have all
    assert np.allclose(shares, expected, atol=0.01)
    assert len(set(drawn[: counts[-1]])) == counts[-1]


def test_weighted_sum_as_in_the_document_s_example_keeps_dtype_bounds_and_choices() -> None:
    children, _, crossed = summed(np.array([[1.0], [-1.0]], dtype=np.float32), [0, 1], 1e9)
    assert children.dtype == np.float32
    assert crossed.all()
    assert (np.abs(children) < 1).all()
    assert np.allclose(np.histogram(children, bins=2, range=(-1, 1))[0] / 2000, 0.5, atol=0.05)
    mixed = replace(Genome.real(2, 0.0, 1.0), alleles=np.array([0, 5]), high=np.array([1.0, 4.0]))
    old = np.array([[1.0, 4.0], [1.0, 2.0], [1.0, 0.0]])
    children, parents, _ = summed(old, [0, 1, 2], 5.0, genome=mixed)
    assert (children[:, 0] <= 1).all()
    assert (children[:, 1] == old[parents[:, 0], 1]).all()


def mutated(
    rate: float,
    each: bool,
    how: int,
    when: int = EITHER,
    alleles: int = 0,
    value: float = 0.5,
    genome: Genome | None = None,
    sigma: float = 0.3,
) -> tuple[Array, Array]:
    genome = genome or (Genome.choices([alleles] * 10) if alleles else Genome.real(10))
    children = np.full((2000, genome.genes), value, genome.dtype)
    crossed = np.arange(2000) % 2 == 0
    mutate(rate, each, how, when, sigma, genome.alleles, genome.limits, 6, 0, 2000, children, crossed)
    return children, crossed


def test_a_genome_changes_one_gene_and_a_gene_changes_alone() -> None:
    by_genome, _ = mutated(0.25, False, REDRAW)
    changes = (by_genome != 0.5).sum(axis=1)
    assert set(changes) == {0, 1}
    assert abs(changes.mean() - 0.25) < 0.03
    by_gene, _ = mutated(0.25, True, REDRAW)
    assert np.allclose((by_gene != 0.5).mean(axis=0), 0.25, atol=0.04)
    assert (mutated(1.0, True, REDRAW)[0] != 0.5).all()
    assert (mutated(0.0, True, REDRAW)[0] == 0.5).all()


@pytest.mark.parametrize(("when", "touched"), [(WITH_CROSSOVER, True), (WITHOUT_CROSSOVER, False)])
def test_mutation_may_depend_on_crossover(when: int, touched: bool) -> None:
    children, crossed = mutated(1.0, False, REDRAW, when)
    assert ((children != 0.5).any(axis=1) == (crossed == touched)).all()


def test_how_genes_change() -> None:
    assert set(np.unique(mutated(1.0, True, CORNER)[0])) == {0.0, 1.0}
    assert np.allclose(mutated(1.0, True, FLIP, value=0.3)[0], 0.7)
    gaussian = mutated(1.0, True, GAUSSIAN)[0]
    assert gaussian.min() >= 0
    assert gaussian.max() <= 1
    assert abs(gaussian.std() - 0.27) < 0.03
    assert set(np.unique(mutated(1.0, True, FLIP, alleles=3, value=1)[0])) == {0.0, 2.0}
    redrawn = mutated(1.0, True, REDRAW, alleles=2, value=1)[0]
    assert abs((redrawn == 1).mean() - 0.5) < 0.02  # half of the redraws change nothing


def test_unbounded_genes_are_moved_by_gaussian_noise_that_nothing_stops() -> None:
    moved, _ = mutated(1.0, True, GAUSSIAN, value=5.0, genome=NETWORK, sigma=2.0)
    assert moved.dtype == np.float32
    assert abs(moved.mean() - 5) < 0.05
    assert abs(moved.std() - 2) < 0.05
    few, _ = mutated(0.05, True, GAUSSIAN, value=5.0, genome=NETWORK, sigma=2.0)
    assert abs((few != 5).mean() - 0.05) < 0.01


def test_other_mutations_know_the_first_range_of_other_genomes() -> None:
    wide = Genome.real(10, -3.0, 5.0)
    assert set(np.unique(mutated(1.0, True, CORNER, genome=wide)[0])) == {-3.0, 5.0}
    assert (mutated(1.0, True, FLIP, value=4.0, genome=wide)[0] == -2).all()
    assert (mutated(1.0, True, FLIP, value=4.0, genome=NETWORK)[0] == -4).all()
    assert set(np.unique(mutated(1.0, True, CORNER, genome=NETWORK)[0])) == {-1.0, 1.0}
    redrawn = mutated(1.0, True, REDRAW, genome=wide)[0]
    assert abs(redrawn.mean() - 1) < 0.05
    assert redrawn.max() > 4.9


@settings(deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 2), min_size=2, max_size=2), min_size=1, max_size=60),
    st.integers(1, 12),
    st.sampled_from(["f4", "f8"]),
)
def test_the_filter_admits_each_genome_once_in_order(children: list[list[int]], size: int, dtype: str) -> None:
    unique = UniqueFilter((size, 2), dtype)
    half = len(children) // 2
    unique.admit(np.array(children[:half], dtype=dtype).reshape(-1, 2))
    count = unique.admit(np.array(children[half:], dtype=dtype).reshape(-1, 2))
    expected = list(dict.fromkeys(map(tuple, children)))[:size]
    assert count == len(expected)
    assert [tuple(row) for row in unique.genomes[:count]] == expected
    assert [tuple(children[row]) for row in unique.sources[:count]] == expected


def test_describe_is_mean_and_spread() -> None:
    population = random_population(Genome.real(5), 300, key=8)
    mean, spread = describe(population)
    assert np.allclose(mean, population.mean(axis=0))
    assert np.allclose(spread, population.std(axis=0))
    assert np.allclose(describe(population.astype(np.float32))[1], spread, atol=1e-6)
