"""External-sampling Monte-Carlo CFR (Lanctot, Waugh, Zinkevich and Bowling 2009) on buckets, as kernels.

1. A deal is sampled: both holdings and the whole board, hence each seat's bucket on every street and who would win.
2. For a traverser, the tree is walked with these cards: at its own nodes all actions are tried, at the other's nodes
   one is sampled by regret matching.
3. The traverser's regrets are updated at each of its nodes; the other's strategy is added to its sum at its nodes, so
   that the normalised sums are its average strategy.

The other's strategy is computed from a copy of its regrets that does not change within a block of deals. So the two
traversers of a block are independent: they can run in parallel, and the result does not depend on how.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.cards.ranks import BITS, CODES, START, rank_of_seven
from cardwin.core.arrays import Floats, Ints, Words
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, bits_at, draw_bits, shuffle_first
from cardwin.players.cfr.buckets import Buckets, bucket_of
from cardwin.players.cfr.tree import CHILD, COLUMNS, COUNT, LINE, LOST, SLOT, TIED, WON, Reals, Tree

Nodes = npt.NDArray[np.int32]
MAX_DEPTH = 64  # decisions of one seat in a hand
UNIT = 2.0**-53


class Tables(NamedTuple):
    """What a traverser reads and writes.

    regrets, other and sums (slots,): its regrets, the other's fixed regrets and the other's sums. starts (2,
    streets + 1) of the rows of each seat; the weight of what is added.
    """

    regrets: Reals
    other: Reals
    sums: Reals
    starts: Ints
    weight: float


class Frames(NamedTuple):
    """The traverser's nodes above the current one: node, action being tried, and by action strategy and value."""

    node: Ints
    action: Ints
    strategy: Floats
    value: Floats


@kernel
def deal_block(buckets: Buckets, odds: Words, stream: Stream, numbers: Ints, results: Ints) -> None:
    """Deal cards; write the buckets (deals, 2, 4) of both seats, and the results (deals,) of showdowns."""
    deck = np.arange(52)
    for deal in range(len(numbers)):
        shuffle_first(stream, deck, 9)
        bits, total = 0, START
        for seat in range(2):
            numbers[deal, seat, 0] = bucket_of(buckets, odds, 0, 0, deck[2 * seat], deck[2 * seat + 1])
        for street in range(1, 4):
            first, last = (4, 7) if street == 1 else (street + 5, street + 6)
            for index in range(first, last):
                bits, total = bits | BITS[deck[index]], total + CODES[deck[index]]
            for seat in range(2):
                numbers[deal, seat, street] = bucket_of(
                    buckets, odds, bits, street + 2, deck[2 * seat], deck[2 * seat + 1]
                )
        ranks = [0, 0]
        for seat in range(2):
            a, b = deck[2 * seat], deck[2 * seat + 1]
            ranks[seat] = rank_of_seven(total + CODES[a] + CODES[b], bits | BITS[a] | BITS[b])
        results[deal] = WON if ranks[0] < ranks[1] else (TIED if ranks[0] == ranks[1] else LOST)


@kernel(refcount=False)
def match_regrets(regrets: Reals, first: int, count: int, strategy: Floats) -> None:
    """Write probabilities (count,) in proportion to positive regrets, equal if there are none (regret matching)."""
    total = 0.0
    for action in range(count):
        regret = max(float(regrets[first + action]), 0.0)
        strategy[action] = regret
        total += regret
    for action in range(count):
        strategy[action] = strategy[action] / total if total > 0.0 else 1.0 / count


@kernel(refcount=False)
def traverse(
    tree: Tree, tables: Tables, rows: Ints, result: int, traverser: int, key: int, frames: Frames, mixed: Floats
) -> tuple[float, int]:
    """Walk the tree for one deal; return the traverser's value in big blinds, and the nodes visited.

    rows (2 streets,): where the row of each seat and street begins. mixed (actions,) is scratch.
    """
    nodes = tree.nodes
    node, depth, visited, value = 0, 0, 0, 0.0
    sign, streets = (1.0 if traverser == 0 else -1.0), len(rows) // 2
    while True:
        while node >= 0:
            line, count = nodes[node, LINE], nodes[node, COUNT]
            first = rows[line] + nodes[node, SLOT]
            visited += 1
            if (line >= streets) == traverser:
                match_regrets(tables.regrets, first, count, frames.strategy[depth])
                frames.node[depth], frames.action[depth] = node, 0
                depth += 1
                node = nodes[node, CHILD]
            else:
                match_regrets(tables.other, first, count, mixed)
                point = (bits_at(key, visited) >> 10) * UNIT
                chosen, left = count - 1, point
                for action in range(count):
                    tables.sums[first + action] += np.float32(tables.weight * mixed[action])
                for action in range(count - 1):
                    left -= mixed[action]
                    if left < 0.0:
                        chosen = action
                        break
                node = nodes[node, CHILD + chosen]
        value = sign * tree.payoff[-1 - node, result]
        # Give the value to the node above; a node whose actions have all been tried gives its own on.
        while depth > 0:
            above = depth - 1
            node, action = frames.node[above], frames.action[above]
            frames.value[above, action] = value
            if action + 1 < nodes[node, COUNT]:
                frames.action[above] = action + 1
                node = nodes[node, CHILD + action + 1]
                break
            value = _update(nodes, tables, rows, node, frames, above)
            depth = above
        if depth == 0:
            return value, visited


@kernel(refcount=False)
def _update(nodes: Nodes, tables: Tables, rows: Ints, node: int, frames: Frames, depth: int) -> float:
    """Add the regrets of a node, and return its value."""
    count = nodes[node, COUNT]
    first = rows[nodes[node, LINE]] + nodes[node, SLOT]
    mean = 0.0
    for action in range(count):
        mean += frames.strategy[depth, action] * frames.value[depth, action]
    for action in range(count):
        tables.regrets[first + action] += np.float32(tables.weight * (frames.value[depth, action] - mean))
    return mean


@kernel
def traverse_deals(
    tree: Tree, tables: Tables, buckets: Ints, results: Ints, traverser: int, key: int, values: Floats
) -> int:
    """Walk the tree for each deal, buckets (deals, 2, streets), in order; values (deals,) receives the traverser's.

    Returns the number of nodes visited.
    """
    actions, streets = tree.nodes.shape[1] - COLUMNS, tree.width.shape[1]
    frames = Frames(
        np.zeros(MAX_DEPTH, np.int64),
        np.zeros(MAX_DEPTH, np.int64),
        np.zeros((MAX_DEPTH, actions)),
        np.zeros((MAX_DEPTH, actions)),
    )
    mixed, rows, visited = np.zeros(actions), np.zeros(2 * streets, np.int64), 0
    stream = np.array([key, 0])
    for deal in range(len(results)):
        for seat in range(2):
            for street in range(streets):
                row = buckets[deal, seat, street] * tree.width[seat, street]
                rows[seat * streets + street] = tables.starts[seat, street] + row
        values[deal], nodes = traverse(tree, tables, rows, results[deal], traverser, draw_bits(stream), frames, mixed)
        visited += nodes
    return visited
