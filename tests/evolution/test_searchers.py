"""Searchers learn: every one that is registered, with every operator that is, goes through the same battery."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError
from cardwin.core.rng import child, draw_normal, stream_of
from cardwin.evolution import (
    CROSSOVERS,
    MUTATIONS,
    SEARCHERS,
    SELECTIONS,
    STARTS,
    Breeding,
    Crossover,
    Genetic,
    Genome,
    SearchSettings,
    first_population,
    in_pairs,
    random_population,
)
from cardwin.evolution.cma import CMA
from evolution.battery import CASES, GENES, GENOMES, Case, score_on, search

UNIT = GENOMES["probabilities"]


def genetic(key: int = 1, **changes: object) -> Genetic:
    settings = SearchSettings(**changes)  # type: ignore[arg-type]
    return Genetic(UNIT, random_population(UNIT, 100, key), settings, key)


@pytest.mark.parametrize("kind", GENOMES)
@pytest.mark.parametrize("name", CASES)
def test_search_comes_three_times_as_close_as_random_search(name: str, kind: str) -> None:
    genome = GENOMES[kind]
    score = score_on(genome)
    by_chance = float(score(random_population(genome, 100 * 60, 9)).max())
    for key in range(2):
        assert search(CASES[name].start(genome, key), 60, score) > by_chance / 3


@pytest.mark.parametrize("kind", GENOMES)
@pytest.mark.parametrize("name", CASES)
def test_a_saved_search_goes_on_bit_for_bit(name: str, kind: str) -> None:
    genome, case = GENOMES[kind], CASES[name]
    score, straight, stopped = score_on(genome), case.start(genome, 5), case.start(genome, 5)
    search(straight, 9, score)
    search(stopped, 5, score)
    saved = {key: array.copy() for key, array in stopped.state().items()}
    search(stopped, 1, score)  # what was saved must not go on with it
    resumed = case.start(genome, 5)
    resumed.load(saved)
    search(resumed, 4, score)
    assert resumed.ask().tobytes() == straight.ask().tobytes()
    assert resumed.parents.tobytes() == straight.parents.tobytes()
    assert case.start(genome, 6).ask().tobytes() != case.start(genome, 5).ask().tobytes()


@pytest.mark.parametrize("kind", GENOMES)
@pytest.mark.parametrize("name", CASES)
def test_bounds_dtype_and_duplicates_are_kept(name: str, kind: str) -> None:
    genome, case = GENOMES[kind], CASES[name]
    searcher, score = case.start(genome, 2), score_on(genome)
    for _ in range(6):
        asked = searcher.ask()
        assert asked is searcher.ask()
        assert asked.shape == (case.size, GENES)
        assert asked.dtype == genome.dtype
        assert asked.flags.c_contiguous
        assert np.isfinite(asked).all()
        assert (asked >= genome.limits[0]).all()
        assert (asked <= genome.limits[1]).all()
        assert case.changes.get("duplicates") or len(np.unique(asked, axis=0)) == case.size
        assert searcher.parents.shape == (case.size, 2)
        assert searcher.parents.min() >= -1
        assert searcher.parents.max() < case.size
        searcher.tell(score(asked))


@pytest.mark.parametrize("name", CASES)
def test_chunks_in_any_order_change_nothing(name: str) -> None:
    def backwards(work: Callable[[int, int], object], rows: int) -> None:
        for start in reversed(range(0, rows, 10)):
            work(start, min(start + 10, rows))

    score = score_on(UNIT)
    usual, odd = CASES[name].start(UNIT, 4), CASES[name].start(UNIT, 4, backwards)
    search(usual, 4, score)
    search(odd, 4, score)
    assert usual.ask().tobytes() == odd.ask().tobytes()


def test_default_settings_come_close_to_the_optimum() -> None:
    for key in range(3):
        assert search(genetic(key), 200, score_on(UNIT)) > -0.02


def test_cma_comes_close_to_the_optimum() -> None:
    assert search(CASES["cma-es"].start(UNIT, 3), 300, score_on(UNIT)) > -0.01


@pytest.mark.parametrize("name", ["genetic", "cma-es", "sep-cma-es", "kept players"])
def test_unbounded_genes_go_where_no_first_generation_was(name: str) -> None:
    def score(population: Floats) -> Floats:
        return np.asarray(-np.abs(population.astype(np.float64) - 9.0).sum(axis=1))

    searcher = CASES[name].start(GENOMES["weights"], 1)
    assert score(searcher.ask()).max() < -8 * 8.0
    assert search(searcher, 200, score) > -8 * 0.5


def test_separable_cma_takes_a_network_s_weights() -> None:
    genome = Genome.unbounded(800, dtype=np.float32)
    searcher = Case("sep-cma-es", {"sigma": 0.3}, size=30).start(genome, 1)

    def score(population: Floats) -> Floats:
        return np.asarray(-(population.astype(np.float64) ** 2).sum(axis=1))

    start = score(searcher.ask()).max()
    assert search(searcher, 100, score) > 0.9 * start
    assert searcher.ask().dtype == np.float32


def test_cma_refuses_genes_that_are_choices_or_held() -> None:
    for genome in (Genome.choices([2, 3]), replace(UNIT, held=np.array([1.0, *[np.nan] * 7]))):
        with pytest.raises(InputError, match="genes"):
            CMA(genome, random_population(genome, 10, 1), SearchSettings(), 1)


def test_fewer_genomes_than_places_still_ends() -> None:
    genome = Genome.choices([2, 2])
    searcher = Genetic(genome, random_population(genome, 30, 1), SearchSettings(elites=1), 1)
    searcher.tell(searcher.ask().sum(axis=1))
    assert searcher.ask().shape == (30, 2)
    assert len(np.unique(searcher.ask(), axis=0)) == 4


@pytest.mark.parametrize("name", CROSSOVERS)
def test_choices_stay_alleles_and_held_genes_stay(name: str) -> None:
    genome = replace(Genome.choices([6, 2, 3] * 3), held=np.array([np.nan, 1.0, np.nan] * 3))
    searcher = Genetic(genome, first_population(genome, 60, 1), SearchSettings(crossover=name, elites=1), 1)
    for _ in range(5):
        searcher.tell(searcher.ask().sum(axis=1))
    assert set(searcher.ask()[:, 0]) <= set(range(6))
    assert set(searcher.ask()[:, 1]) == {1.0}
    assert set(searcher.ask()[:, 8]) <= set(range(3))


def test_elites_survive_unchanged_and_know_their_parent() -> None:
    searcher = genetic(elites=3)
    before, fitness = searcher.ask().copy(), score_on(UNIT)(searcher.ask())
    searcher.tell(fitness)
    best = np.argsort(-fitness, kind="stable")[:3]
    assert (searcher.ask()[:3] == before[best]).all()
    assert searcher.parents[:3].tolist() == [[place, -1] for place in best]
    with pytest.raises(InputError, match="population"):
        genetic(elites=100)


@pytest.mark.parametrize("crossover", ["uniform", "one-point", "selective"])
def test_children_come_from_their_parents(crossover: str) -> None:
    searcher = genetic(mutation_rate=0.0, elites=0, duplicates=True, crossover=crossover)
    before = searcher.ask().copy()
    searcher.tell(score_on(UNIT)(before))
    for genome, (mother, father) in zip(searcher.ask(), searcher.parents, strict=True):
        assert ((genome == before[mother]) | (genome == before[father])).all()
        assert father >= 0 or (genome == before[mother]).all()


def test_own_operators_and_searchers_need_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def best_half(fitness: Floats, settings: SearchSettings) -> Floats:  # noqa: ARG001
        return (fitness >= np.median(fitness)).astype(np.float64)

    def middle(work: Breeding, key: int, start: int, stop: int) -> None:  # noqa: ARG001
        pairs = work.offspring.genomes[start:stop].reshape(-1, 2, GENES)
        pairs[:] = pairs.mean(axis=1, keepdims=True)
        work.crossed[start:stop] = True

    def creep(work: Breeding, key: int, start: int, stop: int) -> None:
        for row in range(start, stop):
            genes = work.offspring.genomes[row]
            genes += 0.1 * np.sign(draw_normal(stream_of(child(key, row)))) * (np.arange(GENES) == row % GENES)
            np.clip(genes, 0, 1, out=genes)

    monkeypatch.setitem(SELECTIONS, "best-half", best_half)
    monkeypatch.setitem(CROSSOVERS, "middle", Crossover(in_pairs(middle)))
    monkeypatch.setitem(MUTATIONS, "creep", creep)
    monkeypatch.setitem(SEARCHERS, "patient", Genetic)
    monkeypatch.setitem(STARTS, "middle", lambda genome, size, _: np.full((size, genome.genes), 0.5))
    own = Case("patient", {"selection": "best-half", "crossover": "middle", "mutation": "creep"})
    searcher, score = own.start(replace(UNIT, start="middle"), 1), score_on(UNIT)
    start = score(searcher.ask()).max()
    assert search(searcher, 30, score) > start / 2


@pytest.mark.parametrize(
    ("wrong", "clue"),
    [
        ({"mutation_rate": 2.0}, "mutation_rate"),
        ({"tournament": 0}, "tournament"),
        ({"sigma": 0.0}, "sigma"),
        ({"parent_count": 0.0}, "parent_count"),
        ({"elites": -1}, "elites"),
        ({"crossover": "none"}, "crossover must be one of many-parent, one-point, .*, got 'none'"),
        ({"selection": "best"}, "selection must be one of .*tournament"),
        ({"mutation": "big"}, "mutation must be one of corner, flip"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, object], clue: str) -> None:
    with pytest.raises(ValueError, match=clue):
        SearchSettings(**wrong)  # type: ignore[arg-type]
