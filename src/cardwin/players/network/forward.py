"""A feed-forward network with one hidden layer, read from one row of weights.

A row holds the hidden layer, (inputs + 1, hidden) with the biases last, then the output layer, (hidden + 1, outputs)
with the biases last: 35-20-3 has 36 x 20 + 21 x 3 = 783 weights. There is no padding, so a row of a population is
a network as it is. The weights of one input are contiguous: all hidden nodes add it at once, four inputs per
pass, which the compiler vectorises without changing the order of any sum. For 35-20-3 with tanh the same operations are
in core/intrinsics.py.

Outputs are probabilities: the softmax of the three sums.
"""

import math
from dataclasses import dataclass

import numpy as np

from cardwin.core.arrays import Singles
from cardwin.core.errors import InputError
from cardwin.core.intrinsics import NODES, ROWS, hidden_layer, output_sums
from cardwin.core.kernel import COMPILED, kernel

ACTIVATIONS = ("tanh", "logistic", "relu")
TANH, LOGISTIC, RELU = range(len(ACTIVATIONS))
OUTPUTS = ("fold", "call", "raise")
PASS = 4  # inputs added at once; the inputs and the bias are a multiple of it
MAX_HIDDEN = 64

# Single precision throughout: twice as many numbers fit a vector instruction.
_HALF, _ONE, _END = np.float32(0.5), np.float32(1), np.float32(8)
_TOP = tuple(map(np.float32, (0.99999936211, 0.129136409733, 0.00293882737448, 1.13102200079e-05)))
_BELOW = tuple(map(np.float32, (0.462467397231, 0.0237638257555, 0.000237028422521, 2.42384007509e-07)))

_tanh_layer = hidden_layer(float(_END), list(map(float, _TOP)), list(map(float, _BELOW)))


@dataclass(frozen=True)
class Shape:
    """The layout of a row of weights.

    Attributes:
        inputs: the number of inputs.
        hidden: the number of hidden nodes.
        outputs: the number of outputs.
        activation: a name in `ACTIVATIONS`.

    Raises:
        InputError: the activation does not exist, or the number of hidden nodes is out of range.

    """

    inputs: int = 35
    hidden: int = 20
    outputs: int = len(OUTPUTS)
    activation: str = "tanh"

    def __post_init__(self) -> None:
        if self.activation not in ACTIVATIONS:
            raise InputError(f"activation must be one of {', '.join(ACTIVATIONS)}, got {self.activation!r}")
        if not 1 <= self.hidden <= MAX_HIDDEN:
            raise InputError(f"expected 1 to {MAX_HIDDEN} hidden nodes, got {self.hidden}")

    @property
    def split(self) -> int:
        """The index at which the output layer begins."""
        return (self.inputs + 1) * self.hidden

    @property
    def weights(self) -> int:
        """The number of weights."""
        return self.split + (self.hidden + 1) * self.outputs

    @property
    def code(self) -> int:
        """The activation's number in kernels."""
        return ACTIVATIONS.index(self.activation)

    def layers(self, row: Singles) -> list[dict[str, object]]:
        """Return a row (weights,) as readable layers: weights (out, in), biases (out,) and activation."""
        hidden = row[: self.split].reshape(self.inputs + 1, self.hidden)
        out = row[self.split :].reshape(self.hidden + 1, self.outputs)
        names = (self.activation, "softmax")
        return [
            {"weights": layer[:-1].T.tolist(), "biases": layer[-1].tolist(), "activation": name}
            for layer, name in zip((hidden, out), names, strict=True)
        ]


@kernel(refcount=False)
def soft_tanh(x: np.float32) -> np.float32:
    """Return the hyperbolic tangent as a ratio of polynomials, fitted by us on -8 to 8: error below 6e-7 everywhere."""
    x = min(max(x, -_END), _END)
    y = x * x
    top = _TOP[0] + y * (_TOP[1] + y * (_TOP[2] + y * _TOP[3]))
    return x * top / (_ONE + y * (_BELOW[0] + y * (_BELOW[1] + y * (_BELOW[2] + y * _BELOW[3]))))


@kernel(refcount=False)
def activate(code: int, hidden: Singles) -> None:
    """Apply the activation to the hidden sums, in place."""
    if code == TANH:
        for node in range(len(hidden)):
            hidden[node] = soft_tanh(hidden[node])
    elif code == LOGISTIC:
        for node in range(len(hidden)):
            hidden[node] = _HALF + _HALF * soft_tanh(_HALF * hidden[node])
    else:
        for node in range(len(hidden)):
            hidden[node] = max(hidden[node], np.float32(0.0))


@kernel(refcount=False)
def forward(weights: Singles, start: int, code: int, inputs: Singles, hidden: Singles, out: Singles) -> None:
    """Compute the probabilities of fold, call and raise.

    Indices are unsigned, because checking signed ones for negative values costs more than the sum.

    Args:
        weights: (any,), a population as one row after another.
        start: the index at which the network's weights begin.
        code: the activation's number.
        inputs: (36,), the 35 scaled inputs and a last one of 1 for the biases.
        hidden: (20,), scratch.
        out: (3,), receives the probabilities.

    """
    if COMPILED and code == TANH and len(hidden) == NODES and len(inputs) == ROWS:
        _tanh_layer(weights, np.uint64(start), inputs, hidden)
        at_outputs = np.uint64(start) + np.uint64(ROWS * NODES)
        fold, call, raise_ = output_sums(weights, at_outputs, hidden)
        softmax(fold, call, raise_, out)
        return
    width, at = np.uint64(len(hidden)), np.uint64(start)
    for k in range(len(hidden)):
        hidden[k] = np.float32(0.0)
    for first in range(0, len(inputs), PASS):
        a, b, c, d = inputs[first], inputs[first + 1], inputs[first + 2], inputs[first + 3]
        at_b, at_c, at_d = at + width, at + width + width, at + width + width + width
        for k in range(len(hidden)):
            node = np.uint64(k)
            hidden[k] += (a * weights[at + node] + b * weights[at_b + node]) + (
                c * weights[at_c + node] + d * weights[at_d + node]
            )
        at = at_d + width
    activate(code, hidden)
    write_probabilities(weights, at, hidden, out)


@kernel(refcount=False)
def write_probabilities(weights: Singles, at: np.uint64, hidden: Singles, out: Singles) -> None:
    """Write the softmax (3,) of the output layer that begins at `at`; the three sums are computed independently."""
    first, second, width = np.uint64(1), np.uint64(2), np.uint64(3)
    biases = at + width * np.uint64(len(hidden))
    fold, call, raise_ = weights[biases], weights[biases + first], weights[biases + second]
    for node in range(len(hidden)):
        value, index = hidden[node], at + width * np.uint64(node)
        fold += value * weights[index]
        call += value * weights[index + first]
        raise_ += value * weights[index + second]
    softmax(fold, call, raise_, out)


@kernel(refcount=False)
def softmax(fold: np.float32, call: np.float32, raise_: np.float32, out: Singles) -> None:
    """Write the softmax of three sums into out (3,)."""
    largest = max(fold, call, raise_)
    out[0], out[1], out[2] = math.exp(fold - largest), math.exp(call - largest), math.exp(raise_ - largest)
    total = out[0] + out[1] + out[2]
    for k in range(len(out)):
        out[k] /= total
