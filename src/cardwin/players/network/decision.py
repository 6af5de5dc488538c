"""How a network decides: probabilities from its weights and inputs, then the size of a bet; and what its genes mean.

**Weights** of a feed-forward network with one hidden layer are one row. A row holds the hidden layer, (inputs + 1,
hidden) with the biases last, then the output layer, (hidden + 1, outputs) with the biases last: 35-20-3 has 36 x 20 +
21 x 3 = 783 weights. There is no padding, so a row of a population is a network as it is. The weights of one input are
contiguous: all hidden nodes add it at once, four inputs per pass, which the compiler vectorises without changing the
order of any sum. For 35-20-3 with tanh the same operations are in core/intrinsics.py.

Outputs are probabilities: the softmax of the three sums.

**Genes** are the weights, those of normalised inputs, or these with weights that seats share. The inputs have very
different ranges: at a full table the win odds lie between .05 and .35, the chips of all seats around .8. If the weights
of all inputs are drawn from one distribution, cards have hardly any influence. **Normalised** genes are the weights of
inputs that are centred and divided by their deviation, as Salimans and others (2017) normalise by a reference batch:

1. Input x has the mean m and the deviation d: a gene g stands for the weight g / d, and g m / d is taken from the bias.
2. The inputs of other seats are three groups of nine. Each input counts a third, so that a group varies the sum of a
   hidden node as much as one input of the player's own.

Of 783 weights 540 belong to other seats, and it rarely matters which seat it is. **Shared** genes are normalised, and
the third to the tenth seat have one gene each for chips, aggression and recent aggression in every hidden node: 363
genes. The second seat has its own, because heads-up it is the opponent.

The result is an ordinary network: the map is linear.

**Bet sizes** (Nicolai and Hilderman, GET_BET_AMOUNT and Table 3). A raise is small, medium or large; its size is a
share of the stack. Inside its typical range a share is uniform, outside half-normal, with deviations that make the
density continuous at the ends of the range:

- small: 0 to .06 in 70% of the draws, above in 30%;
- medium: .10 to .20 in 60%, below in 10%, above in 30%;
- large: all-in in 10%; otherwise above .30 in 95% and below in 5%. There is no uniform part, so continuity leaves one
  deviation free. Ours: the whole stack is three deviations above .30.

If text and table differ (5% all-in, .35, and a small bet of up to 10% of the stack), the table's numbers are used.
Figure 2 has no all-in branch, the text has one: it comes first. The paper does not publish how a size is chosen. Ours
depends on the probability of a raise: up to `MEDIUM_FROM` it is small, up to `LARGE_FROM` medium, beyond large.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Singles
from cardwin.core.errors import InputError
from cardwin.core.intrinsics import NODES, ROWS, hidden_layer, output_sums
from cardwin.core.kernel import COMPILED, kernel
from cardwin.core.rng import Stream, draw_normal, draw_uniform
from cardwin.players.network.inputs import BY_SEAT, INPUTS

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


WEIGHTS, NORMALISED, SHARED = "weights", "normalised", "shared"

# Mean and deviation of the inputs, rounded, over 7,516 decisions of two networks at tables of 2 to 9 with robots and
# networks, with stacks of 100 big blinds and with unequal ones.
STATISTICS = {
    "pot": (0.35, 0.33),
    "to_call": (0.22, 0.30),
    "opponents": (0.43, 0.26),
    "win_odds": (0.28, 0.19),
    "hands_to_button": (0.28, 0.25),
    "chips_0": (0.81, 0.10),
    "aggression_0": (0.32, 0.31),
    "recent_0": (0.32, 0.31),
}
OTHERS = {"chips": (0.50, 0.40), "aggression": (0.25, 0.31), "recent": (0.25, 0.31)}  # of the other nine seats, alike
SHARE = 1 / 3  # of an input that comes once for each of nine seats


def _statistics() -> tuple[Singles, Singles]:
    """Return the mean and the factor of every input, (35,) each."""
    rows = []
    for name in INPUTS:
        mean, deviation = STATISTICS.get(name) or OTHERS[name.rpartition("_")[0]]
        rows.append((mean, (1.0 if name in STATISTICS else SHARE) / deviation))
    means, factors = np.array(rows).T
    return means, factors


def _shared_rows() -> npt.NDArray[np.int64]:
    """Return the row of shared genes of every input and of the biases, (36,)."""
    names = []
    for name in (*INPUTS, "bias"):
        group, _, seat = name.rpartition("_")
        names.append(group if group in BY_SEAT and int(seat) > 1 else name)
    different = list(dict.fromkeys(names))
    return np.array([different.index(name) for name in names])


MEANS, FACTORS = _statistics()
SHARED_ROWS = _shared_rows()


def count_genes(shape: Shape, kind: str) -> int:
    """Return the number of genes of a network of this shape; `kind` is `WEIGHTS`, `NORMALISED` or `SHARED`."""
    if kind != SHARED:
        return shape.weights
    return int(SHARED_ROWS.max() + 1) * shape.hidden + shape.weights - shape.split


def weights_of(genes: Singles, shape: Shape, kind: str) -> Singles:
    """Return the weights (..., weights) of networks with these genes (..., genes) of this kind."""
    if kind == WEIGHTS:
        return np.ascontiguousarray(genes, np.float32)
    split = genes.shape[-1] - (shape.weights - shape.split)
    hidden = genes[..., :split].astype(np.float64).reshape(*genes.shape[:-1], split // shape.hidden, shape.hidden)
    if kind == SHARED:
        hidden = hidden[..., SHARED_ROWS, :]
    hidden[..., :-1, :] *= FACTORS[:, None]
    hidden[..., -1, :] -= np.einsum("i,...ih->...h", MEANS, hidden[..., :-1, :])
    flat = hidden.reshape(*genes.shape[:-1], shape.split)
    return np.ascontiguousarray(np.concatenate([flat, genes[..., split:]], axis=-1), np.float32)


SIZES = ("small", "medium", "large")
SMALL, MEDIUM, LARGE = range(len(SIZES))
MEDIUM_FROM, LARGE_FROM = 0.5, 0.8


class BetSizes(NamedTuple):
    """Table 3 under its own names, and the deviations derived from it."""

    lo_upper: float = 0.06
    lo_inside: float = 0.7
    med_lower: float = 0.1
    med_upper: float = 0.2
    med_inside: float = 0.6
    med_out_lo: float = 0.1
    hi_point: float = 0.3
    hi_above: float = 0.95
    hi_all_in: float = 0.1
    medium_from: float = MEDIUM_FROM
    large_from: float = LARGE_FROM
    lo_sigma: float = 0.0
    med_sigma_lo: float = 0.0
    med_sigma_hi: float = 0.0
    hi_sigma_lo: float = 0.0
    hi_sigma_hi: float = 0.0


def continuous(table: BetSizes) -> BetSizes:
    """Return the table with deviations that make the densities continuous.

    A half-normal tail of weight w has the density 2 w / (sigma sqrt(2 pi)) where it begins.
    """

    def sigma(weight: float, density: float) -> float:
        return 2 * weight / (density * math.sqrt(2 * math.pi))

    small = table.lo_inside / table.lo_upper
    medium = table.med_inside / (table.med_upper - table.med_lower)
    above = (1 - table.hi_point) / 3
    return table._replace(
        lo_sigma=sigma(1 - table.lo_inside, small),
        med_sigma_lo=sigma(table.med_out_lo, medium),
        med_sigma_hi=sigma(1 - table.med_inside - table.med_out_lo, medium),
        hi_sigma_hi=above,
        hi_sigma_lo=above * (1 - table.hi_above) / table.hi_above,
    )


TABLE_3 = continuous(BetSizes())


def density(sizes: BetSizes, size: int, share: float) -> float:
    """Return the density of a size at a share of the stack, before it is bounded; without the point of all-ins at 1."""

    def tail(weight: float, sigma: float, distance: float) -> float:
        return 2 * weight * math.exp(-0.5 * (distance / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi))

    if size == SMALL:
        if share > sizes.lo_upper:
            return tail(1 - sizes.lo_inside, sizes.lo_sigma, share - sizes.lo_upper)
        return sizes.lo_inside / sizes.lo_upper if share >= 0 else 0.0
    if size == MEDIUM:
        if share < sizes.med_lower:
            return tail(sizes.med_out_lo, sizes.med_sigma_lo, sizes.med_lower - share)
        if share > sizes.med_upper:
            return tail(1 - sizes.med_inside - sizes.med_out_lo, sizes.med_sigma_hi, share - sizes.med_upper)
        return sizes.med_inside / (sizes.med_upper - sizes.med_lower)
    left = 1 - sizes.hi_all_in
    if share < sizes.hi_point:
        return tail(left * (1 - sizes.hi_above), sizes.hi_sigma_lo, sizes.hi_point - share)
    return tail(left * sizes.hi_above, sizes.hi_sigma_hi, share - sizes.hi_point)


def typical_ranges(sizes: BetSizes) -> dict[str, tuple[float, float]]:
    """Return the range of most bets of each size, as shares of the stack; a large one is bounded by the stack only."""
    return {
        "small": (0.0, sizes.lo_upper),
        "medium": (sizes.med_lower, sizes.med_upper),
        "large": (sizes.hi_point, 1.0),
    }


@kernel
def size_of(sizes: BetSizes, raising: float) -> int:
    """Return small, medium or large, by the probability of a raise."""
    if raising < sizes.medium_from:
        return SMALL
    return MEDIUM if raising < sizes.large_from else LARGE


@kernel(refcount=False)
def draw_share(sizes: BetSizes, size: int, rng: Stream) -> float:
    """Draw the share of the stack to bet; it may be outside 0 to 1, and is then clipped to the legal range."""
    point = draw_uniform(rng)
    if size == SMALL:
        if point < sizes.lo_inside:
            return draw_uniform(rng) * sizes.lo_upper
        return sizes.lo_upper + abs(draw_normal(rng)) * sizes.lo_sigma
    if size == MEDIUM:
        if point < sizes.med_inside:
            return sizes.med_lower + draw_uniform(rng) * (sizes.med_upper - sizes.med_lower)
        if point < sizes.med_inside + sizes.med_out_lo:
            return sizes.med_lower - abs(draw_normal(rng)) * sizes.med_sigma_lo
        return sizes.med_upper + abs(draw_normal(rng)) * sizes.med_sigma_hi
    if point < sizes.hi_all_in:
        return 1.0
    if draw_uniform(rng) < sizes.hi_above:
        return sizes.hi_point + abs(draw_normal(rng)) * sizes.hi_sigma_hi
    return sizes.hi_point - abs(draw_normal(rng)) * sizes.hi_sigma_lo
