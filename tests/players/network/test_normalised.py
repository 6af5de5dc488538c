"""Genes of normalised inputs: the same sums of the hidden nodes, by a network with ordinary weights."""

import numpy as np

from cardwin.core.rng import generator_of
from cardwin.players.network.forward import Shape
from cardwin.players.network.inputs import INPUTS
from cardwin.players.network.normalised import FACTORS, MEANS, weights_of

SHAPE = Shape()


def hidden_sums(row: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """The sums of the hidden nodes before their activation, (20,)."""
    hidden = row[: SHAPE.split].reshape(SHAPE.inputs + 1, SHAPE.hidden)
    return np.asarray(inputs @ hidden[:-1] + hidden[-1])


def test_a_network_sees_its_inputs_centred_and_scaled() -> None:
    rng = generator_of(3)
    genes = rng.uniform(-0.5, 0.5, (4, SHAPE.weights)).astype(np.float32)
    weights = weights_of(genes, SHAPE)
    assert weights.dtype == np.float32
    assert weights.shape == genes.shape
    for row, own in zip(weights, genes, strict=True):
        inputs = rng.uniform(0, 1, SHAPE.inputs)
        assert np.allclose(hidden_sums(row, inputs), hidden_sums(own, (inputs - MEANS) * FACTORS), atol=2e-5)
    assert np.array_equal(weights[:, SHAPE.split :], genes[:, SHAPE.split :])


def test_one_row_is_mapped_like_many() -> None:
    genes = generator_of(1).uniform(-1, 1, (3, SHAPE.weights)).astype(np.float32)
    assert np.array_equal(weights_of(genes[1], SHAPE), weights_of(genes, SHAPE)[1])


def test_nine_other_seats_together_count_as_one_input() -> None:
    deviations = dict(zip(INPUTS, FACTORS, strict=True))
    others = [deviations[f"aggression_{seat}"] for seat in range(1, 10)]
    assert np.isclose(np.sqrt(np.square(others).sum()), deviations["aggression_0"])
