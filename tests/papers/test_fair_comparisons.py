"""Comparisons that do not flatter: the null of the forgetting report, and what peers are given to do."""

import random

import numpy as np
import pytest

from cardwin.analysis import cycles
from cardwin.core.rng import generator_of, key_of
from cardwin.games import game
from cardwin.solvers import plans
from cardwin.solvers.tree import tree_of
from speed import evolve as bench


def test_random_champions_are_not_said_to_circle() -> None:
    """In kuhn-full they have about 7% of triples in a circle, which a fixed limit of 5% called circling."""
    tree = tree_of(game("kuhn-full"))
    called = []
    for number in range(20):
        draw = generator_of(key_of(number, "champions"))
        first, second = (
            plans.plans(seqs, plans.behaviours(seqs, draw.random((40, seqs.genes)))) for seqs in tree.sequences
        )
        memory = cycles.remember(tree, first, second, np.arange(40))
        assert memory.cycles > 0.03
        called.append(memory.circling)
    assert sum(called) <= 4  # 5% of 20 is 1


def test_a_ring_circles_whatever_chance_gives() -> None:
    turn = 2 * np.pi * np.subtract.outer(np.arange(40), np.arange(40)) / 40
    ring = cycles.Memory(np.arange(40), np.sin(turn), cycles.random_cycles(tree_of(game("kuhn-full")), 40, 20))
    assert ring.circling
    assert "cycle: each beats" in cycles.summarise(ring, (None, None))


def test_the_peers_linear_fitness_is_that_of_all_pairs() -> None:
    draw = random.Random(1)
    genes = [[[draw.random() for _ in range(6)] for _ in range(20)] for _ in range(2)]
    firsts, seconds = bench._plans(genes[0], 0), bench._plans(genes[1], 1)
    for linear, pairs in zip(bench._against_the_mean(firsts, seconds), bench._all_pairs(firsts, seconds), strict=True):
        assert linear == pytest.approx(pairs)
