"""The evolution strategy: it climbs where fitness is noisy, and its state is complete."""

from dataclasses import replace

import numpy as np
import pytest

from cardwin.core.errors import InputError
from cardwin.core.rng import generator_of
from cardwin.evolution import SEARCHERS, Genome, SearchSettings
from cardwin.evolution.evolution_strategy import EvolutionStrategy, centred_ranks

GENES, PAIRS = 20, 10
SETTINGS = SearchSettings(sigma=0.3, rate=0.1, rate_end=0.02, horizon=150)


def searcher(members: int = 2 * PAIRS + 1, key: int = 3) -> EvolutionStrategy:
    first = generator_of(key).uniform(-1, 1, (members, GENES))
    return EvolutionStrategy(Genome.unbounded(GENES), first, SETTINGS, key)


def fitness_of(members: np.ndarray, noise: np.ndarray) -> np.ndarray:
    return np.asarray(-((members - 2.0) ** 2).sum(axis=1) + noise)


def test_it_finds_an_optimum_under_noise_that_random_search_does_not() -> None:
    search, rng = searcher(), generator_of(9)
    tried = []
    for _ in range(150):
        members = search.ask()
        noise = 3 * rng.standard_normal(len(members))
        tried.append(members[np.argmax(fitness_of(members, noise))])
        search.tell(fitness_of(members, noise))
    found = -fitness_of(search.ask()[-1:], np.zeros(1))[0]
    drawn = rng.uniform(-1, 1, (150 * (2 * PAIRS + 1), GENES)) * 4
    luckiest = drawn[np.argmax(fitness_of(drawn, 3 * rng.standard_normal(len(drawn))))]
    assert found < 2.0
    assert found < 0.1 * -fitness_of(luckiest[None], np.zeros(1))[0]


def test_pairs_are_antithetic_and_the_last_member_is_the_average_of_means() -> None:
    search = searcher()
    members = search.ask()
    middle = (members[:PAIRS] + members[PAIRS : 2 * PAIRS]) / 2
    assert np.allclose(middle, search.mean)
    assert np.array_equal(members[-1], search.average)
    assert search.champion == 2 * PAIRS


def test_the_step_falls_to_its_end() -> None:
    search = searcher()
    assert search.rate == pytest.approx(0.1)
    for _ in range(200):
        search.tell(np.arange(2 * PAIRS + 1.0))
    assert search.rate == pytest.approx(0.02)


def test_sigma_falls_with_the_step_if_it_has_an_end() -> None:
    search = searcher()
    search.settings = replace(SETTINGS, sigma_end=0.1)
    apart = []
    for _ in range(200):
        search.tell(np.arange(2 * PAIRS + 1.0))
        members = search.ask()
        apart.append((members[:PAIRS] - members[PAIRS : 2 * PAIRS]).std() / 2)
    assert apart[0] == pytest.approx(0.3, rel=0.2)
    assert np.mean(apart[-20:]) == pytest.approx(0.1, rel=0.1)
    assert searcher().sigma == SETTINGS.sigma
    with pytest.raises(ValueError, match="sigma_end must be 0 or more"):
        replace(SETTINGS, sigma_end=-1)


def test_a_loaded_state_goes_on_as_if_never_stopped() -> None:
    one, rng = searcher(), generator_of(1)
    for _ in range(5):
        one.tell(rng.standard_normal(2 * PAIRS + 1))
    other = searcher()
    other.load(one.state())
    assert np.array_equal(one.ask(), other.ask())
    fitness = rng.standard_normal(2 * PAIRS + 1)
    one.tell(fitness)
    other.tell(fitness)
    assert np.array_equal(one.ask(), other.ask())


def test_what_it_cannot_search_is_refused() -> None:
    assert SEARCHERS["evolution-strategy"] is EvolutionStrategy
    with pytest.raises(InputError, match="3 or more"):
        searcher(members=2)
    assert searcher(members=10).ask().shape == (10, GENES)


def test_ranks_are_centred() -> None:
    assert centred_ranks(np.array([3.0, 1.0, 2.0])).tolist() == [0.5, -0.5, 0.0]
