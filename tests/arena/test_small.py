"""Dealing the small games: seeded, fair, and true to the exact values."""

import numpy as np
import pytest

import cardwin
from cardwin.arena.sampled_games import games_of, mean_chips
from cardwin.arena.state_table import play_hand
from cardwin.core.arrays import Floats
from cardwin.games import SMALL_GAMES
from cardwin.games.base import Game
from cardwin.players.small_games.policies import PolicyPlayer
from cardwin.solvers.tree import tree_of


@pytest.mark.parametrize("game", SMALL_GAMES)
def test_same_key_same_hand_and_chips_are_conserved(game: str) -> None:
    rules = cardwin.game(game)
    players = [PolicyPlayer(cardwin.policy(rules, "uniform"))] * 2
    hands = [play_hand(rules, players, key) for key in range(50)]
    assert hands == [play_hand(rules, players, key) for key in range(50)]
    assert all(sum(hand.chips) == 0 for hand in hands)
    assert len({hand.dealt for hand in hands}) > 5


def test_the_deal_does_not_depend_on_who_plays() -> None:
    rules = cardwin.game("leduc")
    pairs = [[PolicyPlayer(cardwin.policy(rules, spec))] * 2 for spec in ("uniform", "equilibrium")]
    for key in range(50):
        first, second = (play_hand(rules, players, key).dealt for players in pairs)
        assert first[:2] == second[:2]


@pytest.mark.parametrize(
    ("game", "first", "second"), [("kuhn", "rational", "bluffer"), ("leduc", "uniform", "equilibrium")]
)
def test_samples_agree_with_exact_values(game: str, first: str, second: str) -> None:
    rules = cardwin.game(game)
    chips = sampled_means(rules, first, second, 2000, 1)
    error = chips.std() / len(chips) ** 0.5
    assert abs(chips.mean() - cardwin.value(rules, first, second)) < 4 * error


def sampled_means(rules: Game, first: str, second: str, samples: int, key: int) -> Floats:
    """Means (samples,) of 100 hands each of two policies."""
    behaviours = cardwin.policy(rules, first).behaviour(0), cardwin.policy(rules, second).behaviour(1)
    means = np.empty(samples)
    members, opponents = np.repeat(behaviours[0][None], samples, axis=0), behaviours[1][None]
    nodes = tree_of(rules).nodes
    mean_chips(nodes, games_of(nodes, 0, 100, key), members, opponents, 0, samples, means)
    return means


def test_samples_are_seeded() -> None:
    rules = cardwin.game("kuhn")
    samples = [sampled_means(rules, "uniform", "uniform", 10, key).tolist() for key in (1, 1, 2)]
    assert samples[0] == samples[1] != samples[2]
