"""A betting game with a small deck in which every holding on every board is its own bucket, for blueprints' kernels."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from cardwin.cards.holdings import holding_index
from cardwin.cards.ranks import rank_hands
from cardwin.core.arrays import Ints
from cardwin.core.rng import child, generator_of, key_of
from cardwin.games.betting.game import BettingGame, validate_betting_game
from cardwin.games.betting.tree import DECISION, betting_tree
from cardwin.players.cfr.traversal import Tables, traverse_deals
from cardwin.players.cfr.tree import COUNT, SLOT, Reals, Tree, lines_of, row_starts, tree_of
from cardwin.solvers.public_tree.boards import BLOCK
from cardwin.solvers.public_tree.solver import PublicTreeSolver

GAME = validate_betting_game(
    BettingGame("small", (0, 3), (0, 1), (2, 2), (1, 2), suits=2, ranks=4, limit_sizes=(2, 4), title="eight cards")
)
BOARDS: dict[tuple[int, ...], int] = {board: number for number, board in enumerate(combinations(sorted(GAME.cards), 3))}
HOLDINGS = {pair: number for number, pair in enumerate(combinations(sorted(GAME.cards), 2))}
COUNTS = (len(HOLDINGS), len(HOLDINGS) * len(BOARDS))


def deals(count: int, key: int) -> tuple[np.ndarray, np.ndarray]:
    """Buckets (count, 2, 2) and results (count,) of random deals."""
    cards = np.array(sorted(GAME.cards))
    dealt = cards[generator_of(key).random((count, len(cards))).argsort(axis=1)[:, :7]]
    hands, board = [np.sort(dealt[:, :2]), np.sort(dealt[:, 2:4])], np.sort(dealt[:, 4:])
    boards = np.array([BOARDS[tuple(one)] for one in board.tolist()])
    found = np.zeros((count, 2, 2), np.int64)
    for seat, hand in enumerate(hands):
        found[:, seat, 0] = [HOLDINGS[tuple(one)] for one in hand.tolist()]
        found[:, seat, 1] = found[:, seat, 0] * len(BOARDS) + boards
    ranks = [rank_hands(np.concatenate([hand, board], axis=1).astype(np.int8)).astype(int) for hand in hands]
    return found, 1 + np.sign(ranks[0] - ranks[1])


class SmallTraining:
    """External-sampling linear CFR of the small game, in blocks."""

    def __init__(self) -> None:
        self.tree = tree_of(GAME)
        self.starts = row_starts(self.tree, COUNTS)
        self.regrets = [np.zeros(int(size), np.float32) for size in self.starts[:, -1]]
        self.sums = [np.zeros(int(size), np.float32) for size in self.starts[:, -1]]
        self.blocks = 0

    def block(self, count: int, seed: int) -> None:
        """Walk a block of deals for both seats."""
        self.blocks += 1
        fixed = [table.copy() for table in self.regrets]
        key = child(key_of(seed), self.blocks)
        for seat in (0, 1):
            buckets, results = deals(count, child(key, seat))
            tables = Tables(self.regrets[seat], fixed[1 - seat], self.sums[1 - seat], self.starts, float(self.blocks))
            traverse_deals(self.tree, tables, buckets, results, seat, child(key, 2 + seat), np.zeros(count))

    def exploitability(self) -> float:
        """Of the average strategies, exactly, in thousandths of a big blind a game."""
        return average_solver(self.tree, self.starts, self.sums).bounds().exploitability * 1000 / GAME.big_blind


def average_solver(tree: Tree, starts: Ints, sums: Sequence[Reals]) -> PublicTreeSolver:
    """The public-tree solver with these sums as its averages."""
    solver = PublicTreeSolver(GAME, folded=False)
    numbers = {line: node for node, line in enumerate(lines_of(GAME))}
    for street, points in enumerate(betting_tree(GAME)):
        level, plan = solver.levels[street], solver.plans[street]
        for point in np.flatnonzero(points.kind == DECISION).tolist():
            node, seat = numbers[points.lines[point]], int(points.actor[point])
            width, first, count = (
                int(tree.width[seat, street]),
                int(tree.nodes[node, SLOT]),
                int(tree.nodes[node, COUNT]),
            )
            table = sums[seat][starts[seat, street] : starts[seat, street + 1]].reshape(-1, width)
            for board, cards in enumerate(level.cards):
                for pair, number in HOLDINGS.items():
                    place = int(level.position[board][holding_index(*pair)])
                    if place < 0:
                        continue
                    bucket = number if street == 0 else number * len(BOARDS) + BOARDS[tuple(sorted(cards))]
                    block, at = int(level.first_block[board]) + place // BLOCK, place % BLOCK
                    slot = int(plan.slot[point])
                    solver.averages[street][seat][block, slot : slot + count, at] = table[bucket, first : first + count]
    return solver
