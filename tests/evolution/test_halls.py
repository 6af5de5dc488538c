"""Halls of fame keep whom their rule says, in any dtype, and go on from a saved state."""

import numpy as np
import numpy.typing as npt
import pytest

from cardwin.evolution import REPLACEMENTS, Genome, Hall, RunningAverage, random_population


def add(hall: Hall, *numbers: float) -> None:
    """Members of one number each, as fit as it is large."""
    hall.add(np.array(numbers, dtype=np.float32)[:, None], np.array(numbers, dtype=np.float64))


def kept(hall: Hall) -> list[float]:
    return sorted(hall.members.ravel().tolist())


@pytest.mark.parametrize("growth", [0.0, 1.0])
def test_a_running_average_is_the_weighted_mean_of_all(growth: float) -> None:
    vectors = random_population(Genome.real(4), 20, 3)
    hall = RunningAverage(4, growth)
    for vector in vectors:
        hall.add(vector[None], np.zeros(1))
    weights = np.arange(1, 21.0) ** growth
    assert np.allclose(hall.average, weights @ vectors / weights.sum())
    again = RunningAverage(4, growth)
    again.load(hall.state())
    assert again.average.tobytes() == hall.average.tobytes()
    assert again.count == 20


@pytest.mark.parametrize("growth", [0.0, 2.0])
def test_a_hall_s_average_is_that_of_its_members(growth: float) -> None:
    hall = Hall(1, 3, growth=growth)
    for number in range(5):
        add(hall, float(number))
        weights = np.arange(1, number + 2.0)[-3:] ** growth
        assert np.allclose(hall.average, (weights * np.arange(number + 1)[-3:]).sum() / weights.sum())


@pytest.mark.parametrize("name", REPLACEMENTS)
def test_every_rule_keeps_capacity_dtype_and_state(name: str) -> None:
    hall, vectors = Hall(3, 7, name, np.float32, key=1), random_population(Genome.real(4), 60, 3).astype(np.float32)
    assert hall.members.shape == (0, 3)
    for start in range(0, 60, 4):
        again = Hall(3, 7, name, np.float32, key=1)
        again.load({key: array.copy() for key, array in hall.state().items()})
        for each in (hall, again):
            each.add(vectors[start : start + 4, :3], vectors[start : start + 4, 3].astype(np.float64))
        assert len(hall.members) == min(start + 4, 7)
        assert hall.members.dtype == np.float32
        assert again.members.tobytes() == hall.members.tobytes()
        assert again.numbers.tolist() == hall.numbers.tolist()
        assert (hall.members[:, None] == vectors[None, :, :3]).all(axis=2).any(axis=1).all()
    assert hall.count >= 7


@pytest.mark.parametrize("name", REPLACEMENTS)
def test_more_newcomers_than_places_or_no_places(name: str) -> None:
    hall = Hall(1, 3, name)
    add(hall, 1, 5, 2, 4, 3)
    assert kept(hall) == [3, 4, 5]
    add(hall, 9, 6, 8, 7)
    assert kept(hall) == [7, 8, 9]
    closed = Hall(1, 0, name)
    add(closed, 1, 2)
    assert closed.members.shape == (0, 1)


@pytest.mark.parametrize(
    ("replacement", "left"), [("oldest", {2.0, 3.0, 4.0}), ("weakest", {2.0, 3.0, 4.0}), ("random", None)]
)
def test_a_full_hall_replaces_by_its_rule(replacement: str, left: set[float] | None) -> None:
    hall = Hall(1, 3, replacement, key=1)
    for number in range(5):
        add(hall, float(number))
    members = set(kept(hall))
    assert len(members) == 3
    assert 4.0 in members
    assert left is None or members == left


def test_the_oldest_leave_first_and_the_weakest_leave_even_for_weaker_ones() -> None:
    oldest, weakest = Hall(1, 3, "oldest"), Hall(1, 3, "weakest")
    for hall in (oldest, weakest):
        add(hall, 5)
        add(hall, 6, 7)
        add(hall, 1)
    assert kept(oldest) == [1, 6, 7]
    assert kept(weakest) == [1, 6, 7]
    add(oldest, 0)
    add(weakest, 0)
    assert kept(oldest) == [0, 1, 6]
    assert kept(weakest) == [0, 6, 7]


def replace(hall: list[float], players: list[float], players_kept: int) -> list[float]:
    """The document's REPLACE, Figure 6, as it stands there: ranks, 0 the best, both lists sorted."""
    hall = sorted(hall)
    j = 0
    for i in range(players_kept):
        place = len(hall) - players_kept + i
        if hall[place] > players[j]:
            hall[place] = players[j]
            j += 1
    return hall


@pytest.mark.parametrize("seed", range(20))
def test_futility_is_the_document_s_replace(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ranks = rng.permutation(30)
    if seed % 2:
        ranks = ranks // 3  # ties
    hall_ranks, player_ranks = ranks[:10], np.sort(ranks[10:])[:4]
    hall = Hall(1, 10, "futility")
    entered: npt.NDArray[np.float64] = rng.random(10)
    hall.add(hall_ranks[np.argsort(-entered)].astype(float)[:, None], np.sort(entered)[::-1])
    hall.set_fitness(-hall.members.ravel())  # as they stand in this generation, whatever brought them in
    hall.add(player_ranks.astype(float)[:, None], -player_ranks.astype(float))
    assert kept(hall) == sorted(replace([*hall_ranks], [*player_ranks], 4))


def test_futility_leaves_the_best_alone_and_lets_nobody_worse_in() -> None:
    hall = Hall(1, 4, "futility")
    add(hall, 10, 20, 30, 40)
    add(hall, 1, 2)
    assert kept(hall) == [10, 20, 30, 40]
    add(hall, 35, 15)  # 35 takes the third place, 15 the last
    assert kept(hall) == [15, 30, 35, 40]
    add(hall, 18)
    assert kept(hall) == [18, 30, 35, 40]
    assert hall.count == 7


def test_with_futility_equals_do_not_replace_each_other() -> None:
    hall = Hall(1, 2, "futility")
    add(hall, 10, 20)
    hall.add(np.array([[99.0]]), np.array([10.0]))  # as fit as the hall's last member
    assert kept(hall) == [10, 20]
    assert hall.count == 2


def test_an_unknown_rule_is_answered_with_all() -> None:
    with pytest.raises(ValueError, match=r"futility, oldest, random, weakest.*'best'"):
        Hall(3, 4, "best")
