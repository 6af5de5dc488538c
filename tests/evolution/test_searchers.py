"""Searchers learn: they reach a known optimum, beat random search, and go on from a saved state bit for bit."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from cardwin.evolution import CMA, Genetic, Genome, Hall, Searcher, Settings, random_population

Floats = npt.NDArray[np.float64]
TARGET = np.array([0.0, 1.0, 0.25, 1.0, 0.0, 0.7, 0.0, 1.0])
WEIGHTED = {"crossover": "many-parent", "selection": "exponential", "parents": 0.5, "elites": 1}


def score(population: Floats) -> Floats:
    """0 at the target, below elsewhere."""
    return np.asarray(-np.abs(population - TARGET).sum(axis=1))


def genetic(key: int = 1, **changes: object) -> Genetic:
    genome = Genome.real(len(TARGET))
    settings = Settings(**changes)  # type: ignore[arg-type]
    return Genetic(genome, random_population(genome, 100, key), settings, key)


SEARCHERS: dict[str, Callable[[int], Searcher]] = {
    "default": lambda key: genetic(key),
    "rank one-point": lambda key: genetic(key, selection="rank", crossover="one-point"),
    "roulette": lambda key: genetic(key, selection="roulette", shift=8.0, mutation_rate=0.05),
    "blend drawn": lambda key: genetic(key, selection="blend", shift=8.0, resemblance="drawn"),
    "selective": lambda key: genetic(key, crossover="selective"),
    "many-parent": lambda key: genetic(key, **WEIGHTED),
    "twins": lambda key: genetic(key, twins=True, mutation="redraw", mutation_of="genome"),
    "cma-es": lambda key: CMA(Genome.real(len(TARGET)), 20, key),
}


def search(searcher: Searcher, generations: int) -> float:
    best = -np.inf
    for _ in range(generations):
        fitness = score(searcher.ask())
        best = max(best, float(fitness.max()))
        searcher.tell(fitness)
    return best


@pytest.mark.parametrize("name", SEARCHERS)
def test_search_beats_random_search(name: str) -> None:
    draws = random_population(Genome.real(len(TARGET)), 100 * 60, 9)
    by_chance = float(score(draws).max())
    for key in range(3):
        assert search(SEARCHERS[name](key), 60) > by_chance / 3


def test_default_settings_come_close_to_the_optimum() -> None:
    for key in range(3):
        assert search(genetic(key), 200) > -0.02


def test_cma_comes_close_to_the_optimum() -> None:
    assert search(CMA(Genome.real(len(TARGET)), 20, 3), 300) > -0.01


@pytest.mark.parametrize("name", SEARCHERS)
def test_a_saved_search_goes_on_bit_for_bit(name: str) -> None:
    straight, stopped = SEARCHERS[name](5), SEARCHERS[name](5)
    search(straight, 17)
    search(stopped, 10)
    resumed = SEARCHERS[name](5)
    resumed.load({key: array.copy() for key, array in stopped.state().items()})
    search(resumed, 7)
    assert resumed.ask().tobytes() == straight.ask().tobytes()
    assert resumed.parents.tobytes() == straight.parents.tobytes()


@pytest.mark.parametrize("name", SEARCHERS)
def test_members_stay_in_range_and_asking_changes_nothing(name: str) -> None:
    searcher = SEARCHERS[name](2)
    size = len(searcher.ask())
    for _ in range(5):
        asked = searcher.ask()
        assert asked.tobytes() == searcher.ask().tobytes()
        assert asked.shape == (size, len(TARGET))
        assert asked.min() >= 0
        assert asked.max() <= 1
        assert searcher.parents.shape == (size, 2)
        assert searcher.parents.max() < size
        searcher.tell(score(asked))


def test_no_twins_unless_allowed() -> None:
    searcher = genetic(mutation="corner", mutation_rate=0.3)
    search(searcher, 30)
    assert len(np.unique(searcher.ask(), axis=0)) == 100


def test_fewer_genomes_than_places_still_ends() -> None:
    genome = Genome.choices([2, 2])
    searcher = Genetic(genome, random_population(genome, 30, 1), Settings(elites=1), 1)
    searcher.tell(searcher.ask().sum(axis=1))
    assert searcher.ask().shape == (30, 2)
    assert len(np.unique(searcher.ask(), axis=0)) == 4


def test_elites_survive_unchanged_and_know_their_parent() -> None:
    searcher = genetic(elites=3)
    before, fitness = searcher.ask().copy(), score(searcher.ask())
    searcher.tell(fitness)
    best = np.argsort(-fitness, kind="stable")[:3]
    assert (searcher.ask()[:3] == before[best]).all()
    assert searcher.parents[:3].tolist() == [[place, -1] for place in best]


def test_children_come_from_their_parents() -> None:
    searcher = genetic(mutation_rate=0.0, elites=0, twins=True)
    before = searcher.ask().copy()
    searcher.tell(score(before))
    for genome, (mother, father) in zip(searcher.ask(), searcher.parents, strict=True):
        assert ((genome == before[mother]) | (genome == before[father])).all()
        assert father >= 0 or (genome == before[mother]).all()


def test_blocks_in_any_order_change_nothing() -> None:
    def backwards(work: Callable[[int, int], object], rows: int) -> None:
        for start in reversed(range(0, rows, 10)):
            work(start, min(start + 10, rows))

    usual, odd = genetic(4), genetic(4)
    odd.blocks = backwards
    search(usual, 5)
    search(odd, 5)
    assert usual.ask().tobytes() == odd.ask().tobytes()


@pytest.mark.parametrize(
    "wrong", [{"mutation_rate": 2.0}, {"tournament": 0}, {"step": 0.0}, {"crossover": "many-parent"}, {"elites": -1}]
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Settings(**wrong)  # type: ignore[arg-type]


def test_an_endless_hall_is_the_weighted_mean_of_all() -> None:
    vectors = random_population(Genome.real(4), 20, 3)
    for growth in (0.0, 1.0):
        hall = Hall(4, growth=growth)
        for vector in vectors:
            hall.add(vector)
        weights = np.arange(1, 21.0) ** growth
        assert np.allclose(hall.average, weights @ vectors / weights.sum())


@pytest.mark.parametrize(
    ("replacement", "left"), [("oldest", {2.0, 3.0, 4.0}), ("weakest", {2.0, 3.0, 4.0}), ("random", None)]
)
def test_a_full_hall_replaces_by_its_rule(replacement: str, left: set[float] | None) -> None:
    hall = Hall(1, cap=3, replacement=replacement, key=1)
    for number in range(5):
        hall.add(np.array([float(number)]), fitness=float(number))
    members = set(hall.members.ravel().tolist())
    assert len(members) == 3
    assert 4.0 in members
    assert left is None or members == left
    again = Hall(1, cap=3, replacement=replacement, key=1)
    again.load(hall.state())
    for each in (hall, again):
        each.add(np.array([9.0]), 9.0)
    assert again.average.tobytes() == hall.average.tobytes()
