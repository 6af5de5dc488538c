"""Cycles among decided pairs: found where there are some, and only there."""

import pytest

from cardwin.stats.intransitivity import (
    cycle_counts,
    cycle_sentence,
    cycles_answer,
    intransitivity,
    shortest_cycle,
)

GAME = ("rock", "paper", "scissors")
ROCK_PAPER_SCISSORS = {(0, 2), (2, 1), (1, 0)}


def test_rock_paper_scissors_is_a_cycle() -> None:
    found = intransitivity(3, ROCK_PAPER_SCISSORS)
    assert (found.decided_triples, found.cyclic_triples, found.share) == (1, 1, 1.0)
    assert cycle_sentence(found, GAME) == (
        "rock beats scissors, scissors beats paper, paper beats rock: no linear order is meaningful"
    )
    answer = cycles_answer(found, GAME)
    assert answer["example"] == ["rock", "scissors", "paper"]
    assert answer["cyclic_share"] == 1.0
    assert cycle_counts(found) == "3 of 3 pairs are decided; 1 of 1 decided triples are cyclic (100%)"


def test_the_example_begins_with_the_first_in_the_order() -> None:
    assert intransitivity(3, ROCK_PAPER_SCISSORS, [1, 2, 0]).example == (1, 0, 2)
    two = ROCK_PAPER_SCISSORS | {(3, 4), (4, 5), (5, 3)}
    assert intransitivity(6, two).example == (0, 2, 1)
    assert intransitivity(6, two, [4, 0, 1, 2, 3, 5]).example == (4, 5, 3)


def test_an_order_has_no_cycle() -> None:
    found = intransitivity(4, {(i, j) for i in range(4) for j in range(i + 1, 4)})
    assert (found.decided_triples, found.cyclic_triples, found.share, found.example) == (4, 0, 0.0, ())
    assert cycle_sentence(found, "abcd") == "no cycle among the decided pairs"


def test_undecided_pairs_decide_no_triple() -> None:
    found = intransitivity(3, {(0, 1), (1, 2)})
    assert (found.decided_triples, found.share, found.example) == (0, None, ())
    assert "could not be seen" in cycle_sentence(found, GAME)
    assert cycle_counts(found) == "2 of 3 pairs are decided"


def test_a_cycle_of_four_can_have_no_cyclic_triple() -> None:
    found = intransitivity(5, {(0, 1), (1, 2), (2, 3), (3, 0), (4, 0)})
    assert (found.cyclic_triples, found.example) == (0, (0, 1, 2, 3))
    assert found.edges == [(0, 1), (1, 2), (2, 3), (3, 0)]
    assert cycle_sentence(found, "abcde").endswith("d beats a: no linear order of these 4 is meaningful")


@pytest.mark.parametrize("extra", [set(), {(3, 0), (3, 1), (3, 2)}, {(0, 3), (3, 4), (4, 2)}])
def test_the_shortest_cycle_is_the_example(extra: set[tuple[int, int]]) -> None:
    assert shortest_cycle(5, ROCK_PAPER_SCISSORS | extra) == (0, 2, 1)
