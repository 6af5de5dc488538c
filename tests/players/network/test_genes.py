"""Genes of normalised inputs: the same sums of the hidden nodes, by a network with ordinary weights."""

import numpy as np
import pytest

from cardwin.arena.live_table import LiveTable
from cardwin.core.rng import generator_of
from cardwin.games.holdem import holdem_game
from cardwin.players.network.decision import (
    FACTORS,
    MEANS,
    NORMALISED,
    SHARE,
    SHARED,
    STATISTICS,
    WEIGHTS,
    Shape,
    count_genes,
    weights_of,
)
from cardwin.players.network.inputs import INPUTS
from cardwin.players.network.player import NetworkPlayer
from cardwin.players.registry import player

SHAPE = Shape()


def hidden_sums(row: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """The sums of the hidden nodes before their activation, (20,)."""
    hidden = row[: SHAPE.split].reshape(SHAPE.inputs + 1, SHAPE.hidden)
    return np.asarray(inputs @ hidden[:-1] + hidden[-1])


def test_a_network_sees_its_inputs_centred_and_scaled() -> None:
    rng = generator_of(3)
    genes = rng.uniform(-0.5, 0.5, (4, SHAPE.weights)).astype(np.float32)
    weights = weights_of(genes, SHAPE, NORMALISED)
    assert weights.dtype == np.float32
    assert weights.shape == genes.shape
    for row, own in zip(weights, genes, strict=True):
        inputs = rng.uniform(0, 1, SHAPE.inputs)
        assert np.allclose(hidden_sums(row, inputs), hidden_sums(own, (inputs - MEANS) * FACTORS), atol=2e-5)
    assert np.array_equal(weights[:, SHAPE.split :], genes[:, SHAPE.split :])


def test_one_row_is_mapped_like_many() -> None:
    genes = generator_of(1).uniform(-1, 1, (3, SHAPE.weights)).astype(np.float32)
    assert np.array_equal(weights_of(genes[1], SHAPE, NORMALISED), weights_of(genes, SHAPE, NORMALISED)[1])


def test_weights_are_genes_as_they_are() -> None:
    genes = generator_of(1).uniform(-1, 1, (3, SHAPE.weights)).astype(np.float32)
    assert np.shares_memory(weights_of(genes, SHAPE, WEIGHTS), genes)


def test_shared_genes_are_one_for_all_seats_but_the_first_two() -> None:
    count = count_genes(SHAPE, SHARED)
    assert count == (8 + 3 + 3 + 1) * 20 + 63
    genes = generator_of(2).uniform(-0.5, 0.5, (2, count)).astype(np.float32)
    weights = weights_of(genes, SHAPE, SHARED)
    assert weights.shape == (2, SHAPE.weights)
    hidden = dict(zip(INPUTS, weights[0, : SHAPE.split].reshape(-1, SHAPE.hidden), strict=False))
    for group in ("chips", "aggression", "recent"):
        seats = [hidden[f"{group}_{seat}"] for seat in range(10)]
        assert all(np.array_equal(seats[2], other) for other in seats[3:])
        assert not np.allclose(seats[1], seats[2])
        assert not np.allclose(seats[0], seats[1])
    assert np.array_equal(weights[:, SHAPE.split :], genes[:, -63:])
    assert weights_of(genes[:0], SHAPE, SHARED).shape == (0, SHAPE.weights)  # a hall that is empty


def test_shared_genes_written_out_are_normalised_ones() -> None:
    genes = np.zeros(count_genes(SHAPE, SHARED), np.float32)
    genes[:300] = np.repeat(np.arange(15), 20) / 10
    own = np.concatenate(
        [np.repeat([0, 1, 2, 3, 4, 5, 6, *[7] * 8, 8, 9, *[10] * 8, 11, 12, *[13] * 8, 14], 20) / 10, np.zeros(63)]
    )
    assert np.array_equal(weights_of(genes, SHAPE, SHARED), weights_of(own.astype(np.float32), SHAPE, NORMALISED))


def test_nine_other_seats_together_count_as_one_input() -> None:
    deviations = dict(zip(INPUTS, FACTORS, strict=True))
    others = [deviations[f"aggression_{seat}"] for seat in range(1, 10)]
    assert np.isclose(np.sqrt(np.square(others).sum()), deviations["aggression_0"])


def test_the_statistics_are_those_of_inputs_at_mixed_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Normalised inputs have means near 0 and deviations near 1, those of other seats near a third."""
    game, rng = holdem_game("holdem-nl", {}), generator_of(5)
    seen: list[np.ndarray] = []
    act = NetworkPlayer.act

    def noted(self: NetworkPlayer, view: object, stream: object) -> object:
        action = act(self, view, stream)  # type: ignore[arg-type]
        seen.append(self._networks.inputs[: len(INPUTS)].copy())
        return action

    monkeypatch.setattr(NetworkPlayer, "act", noted)
    others = ["fold", "call", "raise", "random", "all-in", "net:by-hand", "net:large-hof", "net:baseline"]
    for table in range(40):
        seats = int(rng.choice([9, 9, 9, 9, 2, 3, 4, 6]))
        names = ["net:by-hand" if table % 2 else "net:large-hof", *rng.choice(others, seats - 1).tolist()]
        at = LiveTable(game, [player(name) for name in names], in_python=True)
        for hand in range(12):
            stacks = (game.stack * np.exp(rng.normal(0, 0.7 * (table % 4 > 1), seats))).clip(500, 60_000)
            at.play([int(chips) for chips in stacks], hand % seats, int(rng.integers(2**60)))
    normalised = (np.array(seen) - MEANS) * FACTORS
    own = np.array([name in STATISTICS for name in INPUTS])
    there = np.array([not name.endswith("_9") for name in INPUTS])  # no table has ten seats
    assert np.abs(normalised[:, own].mean(axis=0)).max() < 0.5
    assert np.abs(normalised[:, ~own & there].mean(axis=0)).max() < 0.5
    assert 0.5 < normalised[:, own].std(axis=0).min() < normalised[:, own].std(axis=0).max() < 1.6
    assert normalised[:, ~own & there].std(axis=0).min() > 0.25 * SHARE
    assert normalised[:, ~own & there].std(axis=0).max() < 1.4 * SHARE
