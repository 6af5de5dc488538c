"""The genes of a network: its weights, those of normalised inputs, or these with weights that seats share.

The inputs have very different ranges: at a full table the win odds lie between .05 and .35, the chips of all seats
around .8. If the weights of all inputs are drawn from one distribution, cards have hardly any influence. **Normalised**
genes are the weights of inputs that are centred and divided by their deviation, as Salimans and others (2017) normalise
by a reference batch:

1. Input x has the mean m and the deviation d: a gene g stands for the weight g / d, and g m / d is taken from the bias.
2. The inputs of other seats are three groups of nine. Each input counts a third, so that a group varies the sum of a
   hidden node as much as one input of the player's own.

Of 783 weights 540 belong to other seats, and it rarely matters which seat it is. **Shared** genes are normalised, and
the third to the tenth seat have one gene each for chips, aggression and recent aggression in every hidden node: 363
genes. The second seat has its own, because heads-up it is the opponent.

The result is an ordinary network: the map is linear.
"""

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Singles
from cardwin.players.network.forward import Shape
from cardwin.players.network.inputs import BY_SEAT, INPUTS

WEIGHTS, NORMALISED, SHARED = "weights", "normalised", "shared"

# Mean and deviation of the inputs, rounded, over 7,516 decisions of two networks at tables of 2 to 9 with robots and
# networks, with stacks of 100 big blinds and with unequal ones.
STATISTICS = {
    "pot": (0.35, 0.33), "to_call": (0.22, 0.30), "opponents": (0.43, 0.26), "win_odds": (0.28, 0.19),
    "hands_to_button": (0.28, 0.25), "chips_0": (0.81, 0.10), "aggression_0": (0.32, 0.31), "recent_0": (0.32, 0.31),
}  # fmt: skip
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
