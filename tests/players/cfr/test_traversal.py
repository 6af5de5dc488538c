"""External sampling: unbiased against a full walk of the tree, and exact exploitability that falls towards zero."""

import numpy as np
import pytest

from cardwin.players.cfr.traversal import Tables, traverse_deals
from cardwin.players.cfr.tree import CHILD, COUNT, SLOT
from small_deck import COUNTS, GAME, SmallTraining, deals

WALKS = 4000


def matched(regrets: np.ndarray) -> np.ndarray:
    positive = np.maximum(regrets, 0)
    return positive / positive.sum() if positive.sum() else np.full(len(regrets), 1 / len(regrets))


class FullWalk:
    """The traverser's value and regrets for one deal, with the other's actions weighed and not sampled."""

    def __init__(self, training: SmallTraining, buckets: np.ndarray, result: int, traverser: int) -> None:
        self.training, self.buckets, self.result, self.traverser = training, buckets, result, traverser
        self.gained = np.zeros(len(training.regrets[traverser]))
        self.value = self.visit(0, 1.0)

    def visit(self, node: int, reach: float) -> float:
        tree = self.training.tree
        if node < 0:
            won = float(tree.payoff[-1 - node, self.result])
            return won if self.traverser == 0 else -won
        seat, street = int(tree.actor[node]), int(tree.street[node])
        row = self.buckets[seat, street] * tree.width[seat, street] + self.training.starts[seat, street]
        first, count = int(row + tree.nodes[node, SLOT]), int(tree.nodes[node, COUNT])
        strategy = matched(self.training.regrets[seat][first : first + count].astype(float))
        ours = seat == self.traverser
        values = np.array([
            self.visit(int(child), reach if ours else reach * chance)
            for child, chance in zip(tree.nodes[node, CHILD : CHILD + count], strategy, strict=True)
        ])  # fmt: skip
        mean = float(strategy @ values)
        if ours:
            self.gained[first : first + count] += reach * (values - mean)
        return mean


@pytest.mark.parametrize("traverser", [0, 1])
def test_sampled_walks_are_unbiased(traverser: int) -> None:
    training = SmallTraining()
    for _ in range(3):
        training.block(300, 5)
    buckets, results = deals(1, 9)
    full = FullWalk(training, buckets[0], int(results[0]), traverser)
    own, values, touched = training.regrets[traverser], np.zeros(WALKS), np.flatnonzero(full.gained)
    mine, found = own.copy(), np.zeros((WALKS, len(touched)))
    sums = np.zeros(len(training.sums[1 - traverser]), np.float32)
    tables = Tables(mine, training.regrets[1 - traverser], sums, training.starts, 1.0)
    for walk in range(WALKS):
        mine[:] = own
        traverse_deals(training.tree, tables, buckets, results, traverser, walk, values[walk : walk + 1])
        found[walk] = mine[touched] - own[touched]
    assert values.mean() == pytest.approx(full.value, abs=4 * values.std() / WALKS**0.5 + 1e-6)
    error = 4.5 * found.std(axis=0) / WALKS**0.5 + 1e-4
    assert (np.abs(found.mean(axis=0) - full.gained[touched]) <= error).all()


def test_sums_are_the_strategies_at_the_nodes_that_were_sampled() -> None:
    training = SmallTraining()
    training.block(200, 1)
    width, count = int(training.tree.width[0, 0]), int(training.tree.nodes[0, COUNT])
    rows = training.sums[0][: COUNTS[0] * width].reshape(COUNTS[0], width)
    # Seat 1 walked every deal from the root, where seat 0 knew nothing yet.
    assert rows[:, :count].sum() == pytest.approx(200, rel=1e-5)
    assert (rows[:, :1] == rows[:, :count]).all()


def test_exploitability_falls_towards_zero() -> None:
    training = SmallTraining()
    found = [training.exploitability()]
    for blocks in (50, 200):
        while training.blocks < blocks:
            training.block(400, 1)
        found.append(training.exploitability())
    assert GAME.big_blind == 2
    assert found[0] > 1300  # both take every action with equal chances
    assert found[1] < found[0] / 2
    assert found[2] < found[1] / 2


@pytest.mark.slow
def test_exploitability_falls_further() -> None:
    training = SmallTraining()
    for _ in range(4000):
        training.block(500, 1)
    assert training.exploitability() < 40
