"""Networks written by hand, not evolved: a yardstick for searches over the same weights.

A few nodes of the hidden layer compare the win odds with thresholds that fall linearly from one opponent to nine.
`net:by-hand-2` has two: above the upper threshold it raises, below the lower one it folds, between them it calls.
`net:by-hand` has a third, above which it raises more often. All other weights are 0. The thresholds are round numbers,
the best of nine variants against the robots.

`python -m cardwin.players.network.by_hand` writes both files into players/champions.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from cardwin.core.arrays import Singles
from cardwin.core.files import write_atomic
from cardwin.players.champions import FOLDER
from cardwin.players.network.decision import Shape
from cardwin.players.network.files import SUFFIX, file_of
from cardwin.players.network.inputs import INPUTS, MAX_OPPONENTS
from cardwin.players.network.networks import NetworkForm

STEEP = 40.0
RAISE, CALL, RAISE_OFTEN = (0.70, 0.30), (0.45, 0.16), (0.78, 0.35)  # win odds with one opponent, and with nine
BIAS = "bias"
# What each node adds to the sums of fold, call and raise; it is subtracted if the odds are below the threshold.
OUTPUTS = ((-4.0, -4.0, 8.0), (-8.0, 4.0, 0.0), (0.0, -2.0, 4.0))
NAMES = {"by-hand": 3, "by-hand-2": 2}


def threshold(heads_up: float, full_table: float) -> dict[str, float]:
    """Return the weights, by input, of a node that is positive if the win odds exceed a threshold.

    Args:
        heads_up: the threshold with one opponent.
        full_table: the threshold with nine opponents.

    """
    slope = (heads_up - full_table) / (MAX_OPPONENTS - 1)
    return {"win_odds": STEEP, "opponents": STEEP * slope * MAX_OPPONENTS, BIAS: -STEEP * (heads_up + slope)}


def weights_of(nodes: Sequence[Mapping[str, float]], outputs: Sequence[Sequence[float]]) -> Singles:
    """Return a row of weights with these hidden nodes, by input, and what they add to the outputs."""
    shape = Shape()
    hidden, out = np.zeros((shape.inputs + 1, shape.hidden)), np.zeros((shape.hidden + 1, shape.outputs))
    for index, (node, added) in enumerate(zip(nodes, outputs, strict=True)):
        for name, weight in node.items():
            hidden[shape.inputs if name == BIAS else INPUTS.index(name), index] = weight
        out[index] = added
    return np.concatenate([hidden.ravel(), out.ravel()]).astype(np.float32)


def by_hand(nodes: int) -> NetworkForm:
    """Return the network with three nodes, or with the first two of them."""
    thresholds = [threshold(*odds) for odds in (RAISE, CALL, RAISE_OFTEN)]
    return NetworkForm(weights_of(thresholds[:nodes], OUTPUTS[:nodes]))


def varied(rng: np.random.Generator) -> Singles:
    """Draw weights with three such nodes: thresholds, outputs and biases are random, for any style of play."""
    call = rng.uniform(0.1, 0.9)
    often = rng.uniform(0.1, 1.1)
    nodes = [threshold(odds, odds * rng.uniform(0.3, 0.6)) for odds in (often - 0.1, call, often)]
    outputs = np.array(OUTPUTS) * rng.uniform(0.1, 1.0, (len(OUTPUTS), 1))
    weights = weights_of(nodes, outputs.tolist())
    weights[-3:] = rng.normal(0.0, 1.5, 3)  # the biases of fold, call and raise
    return weights


if __name__ == "__main__":
    for name, nodes in NAMES.items():
        about = {"population": name, "experiment": f"by hand, {nodes} nodes: cardwin.players.network.by_hand"}
        write_atomic(FOLDER / f"{name}{SUFFIX}", file_of(by_hand(nodes), about))
