"""Genes of a network with normalised inputs, for searches in which a step in any gene should matter about as much.

The inputs have very different ranges: at a full table the win odds lie between .05 and .35, the chips of all seats
around .8. Weights drawn alike for all inputs give networks that hardly see their cards. Genes are therefore the weights
of inputs that are centred and divided by their deviation, as Salimans and others (2017) normalise by a reference batch:

1. Input x has the mean m and the deviation d: a gene g stands for the weight g / d, and g m / d is taken from the bias.
2. The inputs of other seats are three groups of nine. Each input counts a third, so that a group varies the sum of a
   hidden node as much as one input of the player's own.

The result is an ordinary network, with one weight for each gene: the map is linear and can be inverted.
"""

import numpy as np

from cardwin.players.network.forward import Shape, Singles
from cardwin.players.network.inputs import INPUTS

# Mean and deviation of the inputs, rounded, over 7,516 decisions of two networks at tables of 2 to 9 with robots and
# networks, with stacks of 100 big blinds and with unequal ones.
STATISTICS = {
    "pot": (0.35, 0.33), "to_call": (0.22, 0.30), "opponents": (0.43, 0.26), "win_odds": (0.28, 0.19),
    "hands_to_button": (0.28, 0.25), "chips_0": (0.81, 0.10), "aggression_0": (0.32, 0.31), "recent_0": (0.32, 0.31),
}  # fmt: skip
OTHERS = {"chips": (0.50, 0.40), "aggression": (0.25, 0.31), "recent": (0.25, 0.31)}  # of the other nine seats, alike
SHARE = 1 / 3  # of an input that comes once for each of nine seats


def _statistics() -> tuple[Singles, Singles]:
    """Mean and factor of every input, (35,) each."""
    rows = []
    for name in INPUTS:
        mean, deviation = STATISTICS.get(name) or OTHERS[name.rpartition("_")[0]]
        rows.append((mean, (1.0 if name in STATISTICS else SHARE) / deviation))
    means, factors = np.array(rows).T
    return means, factors


MEANS, FACTORS = _statistics()


def weights_of(genes: Singles, shape: Shape) -> Singles:
    """The weights (..., weights) of networks with these genes (..., weights)."""
    hidden = genes[..., : shape.split].astype(np.float64).reshape(*genes.shape[:-1], shape.inputs + 1, shape.hidden)
    hidden[..., :-1, :] *= FACTORS[:, None]
    hidden[..., -1, :] -= np.einsum("i,...ih->...h", MEANS, hidden[..., :-1, :])
    flat = hidden.reshape(*genes.shape[:-1], shape.split)
    return np.ascontiguousarray(np.concatenate([flat, genes[..., shape.split :]], axis=-1), np.float32)
