"""Each operator does what its document says, on whole populations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwin.errors import InputError
from cardwin.evolution import Genome, random_population, selection, uniform_population
from cardwin.evolution.crossover import cross_one_point, cross_selectively, cross_uniform, gather_from_many
from cardwin.evolution.genome import describe
from cardwin.evolution.mutation import CORNER, EITHER, FLIP, GAUSSIAN, REDRAW, WITH_CROSSOVER, WITHOUT_CROSSOVER, mutate
from cardwin.evolution.twins import Nursery


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
    population = random_population(Genome(np.array([6, 2, 3]), held), 600, key=2)
    assert set(population[:, 0]) == set(range(6))
    assert set(population[:, 1]) == {1.0}
    assert set(population[:, 2]) == set(range(3))


def drawn_shares(
    weights: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    parents = np.empty(40_000, dtype=np.int64)
    selection.draw_by_wheel(selection.wheel(weights), np.arange(len(weights)), 3, 0, len(parents), parents)
    return np.bincount(parents, minlength=len(weights)) / len(parents)


def test_roulette_draws_by_fitness_plus_the_largest_loss() -> None:
    fitness = np.array([-2.0, -1.0, 0.0, 1.0])
    assert np.allclose(drawn_shares(selection.roulette(fitness, 2.0)), [0, 1 / 6, 2 / 6, 3 / 6], atol=0.01)


def test_rank_can_draw_the_fittest_and_shares_ties() -> None:
    weights = selection.rank(np.array([5.0, -1.0, 5.0, 7.0]))
    assert weights.tolist() == [2.5, 1, 2.5, 4]


def test_blend_lies_half_way() -> None:
    fitness = np.array([0.0, 1.0, 3.0])
    blended = selection.blend(fitness, 0.0)
    expected = (selection.rank(fitness) / 6 + fitness / 4) / 2
    assert np.allclose(blended / blended.sum(), expected)


def test_nobody_with_weight_means_everybody_alike() -> None:
    assert np.allclose(selection.wheel(np.zeros(4)), [0.25, 0.5, 0.75, 1])


def test_tournament_of_two_favours_the_fittest_as_theory_says() -> None:
    fitness = np.arange(4.0)
    parents = np.empty(40_000, dtype=np.int64)
    selection.draw_by_tournament(fitness, np.arange(4), 2, 5, 0, len(parents), parents)
    assert np.allclose(np.bincount(parents) / len(parents), np.array([1, 3, 5, 7]) / 16, atol=0.01)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=50), st.data())
def test_fittest_is_a_stable_sort_cut_short(fitness: list[float], data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(fitness)))
    values = np.array(fitness)
    assert selection.fittest(values, count).tolist() == np.argsort(-values, kind="stable")[:count].tolist()


def couple(genes: int = 8, pairs: int = 500) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
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


def test_uniform_crossover_swaps_as_many_genes_as_resemblance_says() -> None:
    for resemblance, spread in ((0.5, 0.18), (0.2, 0.15), (-1.0, 0.33)):
        children, crossed = couple(), np.zeros(1000, dtype=np.bool_)
        cross_uniform(1.0, resemblance, 9, 0, 1000, children, crossed)
        swapped = children[0::2].mean(axis=1)
        assert abs(swapped.mean() - (0.5 if resemblance < 0 else resemblance)) < 0.04
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
    children, parents = np.empty((400, 50)), np.empty(400, dtype=np.int64)
    cumulative = selection.wheel(np.array([1.0, 2.0, 5.0]))
    gather_from_many(old, cumulative, np.arange(3), 4, 0, 400, children, parents)
    assert np.allclose(np.bincount(children.astype(int).ravel()) / children.size, [1 / 8, 2 / 8, 5 / 8], atol=0.02)
    assert (parents == children[:, 0]).all()


def mutated(
    rate: float, each: bool, how: int, when: int = EITHER, alleles: int = 0, value: float = 0.5
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.float64]], np.ndarray[tuple[int, ...], np.dtype[np.bool_]]]:
    children = np.full((2000, 10), value)
    crossed = np.arange(2000) % 2 == 0
    mutate(rate, each, how, when, 0.3, np.full(10, alleles, dtype=np.int64), 6, 0, 2000, children, crossed)
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


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 2), min_size=2, max_size=2), min_size=1, max_size=60), st.integers(1, 12))
def test_the_nursery_admits_each_genome_once_in_order(children: list[list[int]], size: int) -> None:
    nursery = Nursery((size, 2))
    half = len(children) // 2
    nursery.admit(np.array(children[:half], dtype=float).reshape(-1, 2))
    count = nursery.admit(np.array(children[half:], dtype=float).reshape(-1, 2))
    expected = list(dict.fromkeys(map(tuple, children)))[:size]
    assert count == len(expected)
    assert [tuple(row) for row in nursery.genomes[:count]] == expected
    assert [tuple(children[row]) for row in nursery.chosen[:count]] == expected


def test_describe_is_mean_and_spread() -> None:
    population = random_population(Genome.real(5), 300, key=8)
    mean, spread = describe(population)
    assert np.allclose(mean, population.mean(axis=0))
    assert np.allclose(spread, population.std(axis=0))
