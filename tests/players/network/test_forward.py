"""The forward pass against NumPy, whatever the activation, the size and the place among others."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from cardwin.core.arrays import Singles
from cardwin.core.errors import InputError
from cardwin.core.rng import generator_of
from cardwin.players.network.decision import ACTIVATIONS, Shape, forward, soft_tanh

HIDDEN: dict[str, Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]] = {
    "tanh": np.tanh,
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.maximum(x, 0),
}


def numpy_forward(shape: Shape, row: Singles, inputs: Singles) -> Singles:
    hidden, out = shape.layers(row)
    first = np.array(hidden["weights"]) @ inputs + np.array(hidden["biases"])
    sums = np.array(out["weights"]) @ HIDDEN[shape.activation](first) + np.array(out["biases"])
    chances: Singles = np.exp(sums - sums.max())
    chances /= chances.sum()
    return chances


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("hidden", [1, 5, 20, 64])
def test_the_same_likelihoods_as_numpy(activation: str, hidden: int) -> None:
    rng, shape = generator_of(hidden), Shape(hidden=hidden, activation=activation)
    population = rng.normal(0, 1, (4, shape.weights)).astype(np.float32)
    given = np.ones(36, np.float32)
    for trial in range(20):
        given[:35] = rng.uniform(-1, 2, 35)
        number = trial % len(population)
        out = np.zeros(3, np.float32)
        forward(population.reshape(-1), number * shape.weights, shape.code, given, np.zeros(hidden, np.float32), out)
        assert np.abs(out - numpy_forward(shape, population[number], given[:35])).max() < 2e-6
        assert abs(float(out.sum()) - 1) < 1e-6


def test_the_paper_has_783_weights_and_their_order_is_told() -> None:
    shape = Shape()
    row = np.arange(783, dtype=np.float32)
    hidden, out = shape.layers(row)
    assert shape.weights == 783
    assert np.array(hidden["weights"]).shape == (20, 35)
    assert hidden["weights"][3][2] == 2 * 20 + 3  # type: ignore[index]  # input 2 into node 3
    assert hidden["biases"] == list(range(700, 720))
    assert np.array(out["weights"]).shape == (3, 20)
    assert out["biases"] == [780, 781, 782]


def test_the_quick_tangent_is_within_a_millionth() -> None:
    points = np.linspace(-12, 12, 4001, dtype=np.float32)
    assert max(abs(float(soft_tanh(np.float32(x))) - np.tanh(np.float32(x))) for x in points) < 1e-6


def test_shapes_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="sine"):
        Shape(activation="sine")
    with pytest.raises(InputError, match="got 65"):
        Shape(hidden=65)


def test_large_sums_stay_likelihoods() -> None:
    shape, out = Shape(), np.zeros(3, np.float32)
    forward(np.full(783, 50, np.float32), 0, shape.code, np.ones(36, np.float32), np.zeros(20, np.float32), out)
    assert np.abs(out - 1 / 3).max() < 1e-6


def test_vector_instructions_give_the_same_bits_as_single_sums() -> None:
    """35-20-3 with tanh has its own code when compiled; here are the sums one by one, in single precision."""
    rng, shape, one = generator_of(4), Shape(), np.float32
    for _ in range(20):
        row, given = rng.normal(0, 1, shape.weights).astype(one), rng.uniform(-1, 2, 36).astype(one)
        hidden, out = np.zeros(20, one), np.zeros(3, one)
        forward(np.concatenate([row, row]), shape.weights, shape.code, given, hidden, out)
        layer, last = row[: shape.split].reshape(36, 20), row[shape.split :].reshape(21, 3)
        sums = np.zeros(20, one)
        for a in range(0, 36, 4):
            parts = given[a : a + 4, None] * layer[a : a + 4]
            sums += (parts[0] + parts[1]) + (parts[2] + parts[3])
        expected = np.array([soft_tanh(x) for x in sums], one)
        assert hidden.tobytes() == expected.tobytes()
        total = last[20].copy()
        for node in range(20):
            total += expected[node] * last[node]
        powers = np.array([math.exp(x) for x in total - total.max()], one)
        assert np.abs(out - powers / powers.sum()).max() < 2e-7
