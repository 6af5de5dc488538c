"""The public-tree solver: regret minimisation and exact best responses on a heads-up betting game.

One iteration visits the public tree twice, once for each seat as the traverser, with vectors over all holdings
(`kernels`). The boards that follow the first street are shared among threads; results do not depend on their number.

A best response to the average is exact: a visit in float64 that takes the maximum at the traverser's decisions. The
value of the game lies between the maximum that seat 1 can win against seat 2's average, and the minimum that seat 1's
average wins.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor, Serial
from cardwin.games.betting.game import BettingGame
from cardwin.games.betting.tree import DECISION, FOLD, NEXT_STREET, SHOWDOWN, BettingStreet, betting_tree
from cardwin.solvers.public_tree.boards import BLOCK, TRIVIAL_GROUP, BoardLevel, board_levels, fixing_group, suit_group
from cardwin.solvers.public_tree.kernels import (
    ASCEND,
    BOTH,
    DESCEND,
    EVALUATE,
    LEARN,
    RESPOND,
    Stakes,
    StreetPlan,
    Tables,
    Update,
    visit_boards,
)
from cardwin.solvers.public_tree.showdowns import DECK_SIZE, Level, Scratch
from cardwin.solvers.public_tree.variants import find_variant

Reals = npt.NDArray[Any]

# If only impossible holdings have reach, values are 0 up to rounding. Regrets below this many units in the last place
# of the largest value count as 0.
NOISE: dict[type, int] = {np.float32: 4, np.float64: 1000}
MAX_BYTES = 7e9  # of all tables
LOCKED = 2.0**60  # factor of locked probabilities: regrets far above all noise
CHUNK = 16  # boards of the last street that are visited together


@dataclass(frozen=True)
class Bounds:
    """Bounds of the game's value for seat 1 in chips per hand, from best responses to both averages.

    `high` is the maximum that seat 1 can win against seat 2's average, `low` what seat 1's average wins against any
    play of seat 2.
    """

    low: float
    high: float

    @property
    def exploitability(self) -> float:
        """The mean of what both averages lose: NashConv / 2."""
        return (self.high - self.low) / 2


def plan_of(street: BettingStreet) -> StreetPlan:
    """Return a street's betting for kernels."""
    slot = np.full(street.points, -1)
    source = np.zeros((2, street.points), np.int64)
    slots = [0, 0]
    for point in range(street.points):
        parent = street.parent[point]
        for player in (0, 1):
            moved = parent < 0 or street.actor[parent] == player
            source[player, point] = point if moved else source[player, parent]
        if street.kind[point] == DECISION:
            slot[point] = slots[street.actor[point]]
            slots[street.actor[point]] += street.children[point]
    return StreetPlan(
        street.kind,
        street.actor,
        street.first_child,
        street.children,
        street.target,
        slot,
        source,
        np.flatnonzero(street.kind == FOLD),
        np.flatnonzero(street.kind == SHOWDOWN),
        np.zeros(street.points, np.bool_),
    )


def actions_of(street: BettingStreet, seat: int) -> int:
    """Return the number of actions that a seat has on a street, over all its decisions."""
    return int(street.children[(street.kind == DECISION) & (street.actor == seat)].sum())


class PublicTreeSolver:
    """Regrets and averages of both seats. `step` learns, `bounds` computes exact best responses to the averages.

    tables: regrets and averages by street and seat, (blocks, actions, BLOCK).
    """

    def __init__(
        self,
        game: BettingGame,
        method: str = "dcfr",
        *,
        folded: bool = True,
        dtype: type = np.float64,
        executor: Executor | None = None,
        start: tuple[int, ...] = (),
        ranges: Sequence[Floats] | None = None,
        alike: Sequence[Floats] = (),
    ) -> None:
        """Create a solver without iterations.

        Suits are merged if board, ranges and the weights of `alike` allow it.

        Args:
            game: the betting game.
            method: a variant of regret minimisation (`variants`).
            folded: whether suits are folded at all.
            dtype: the type of the tables, float32 or float64.
            executor: runs the boards that follow the first street; serial by default.
            start: the cards on the board at the start.
            ranges: the weights (1326,) of both players' holdings; all by default.
            alike: further weights (1326,) that suit permutations must not change.

        """
        self.game, self.variant, self.dtype = game, find_variant(method), dtype
        self.executor: Executor = Serial() if executor is None else executor
        self.tree = betting_tree(game)
        self.ranges = [np.ones(HOLDINGS), np.ones(HOLDINGS)] if ranges is None else list(ranges)
        group = fixing_group(suit_group(game), start, [*self.ranges, *alike]) if folded else TRIVIAL_GROUP
        held = (self.ranges[0] > 0) | (self.ranges[1] > 0)
        self.levels = board_levels(game, group, start, held)
        self.plans = [plan_of(street) for street in self.tree]
        self.iterations = 0
        shapes = [
            [(level.blocks, actions_of(street, seat), BLOCK) for seat in (0, 1)]
            for street, level in zip(self.tree, self.levels, strict=True)
        ]
        _check_memory(game, shapes, dtype, 3 if self.variant.predictive else 2)
        self.regrets, self.averages = _zero_tables(shapes, dtype), _zero_tables(shapes, dtype)
        if not self.variant.predictive:
            shapes = [[(0, 0, BLOCK)] * 2] * len(shapes)
        self.predictions = _zero_tables(shapes, dtype)
        self._scratch = threading.local()
        self._kernel_levels: dict[type, list[Level]] = {}

    def step(self, iterations: int = 1) -> None:
        """Improve both strategies for a number of iterations."""
        for _ in range(iterations):
            self.iterations += 1
            factors = self.variant.factors(self.iterations)
            for seat in (0, 1):
                self._traverse(seat, LEARN, self.dtype, factors)

    def bounds(self) -> Bounds:
        """Return exact best responses to the averages."""
        return Bounds(-self.response_value(1), self.response_value(0))

    def response_value(self, seat: int) -> float:
        """Return the chips per hand that a seat's best response wins against the other's average."""
        return self._mean(seat, self._traverse(seat, RESPOND, np.float64))

    def value(self) -> float:
        """Return seat 1's chips per hand if both play their averages."""
        return self._mean(0, self._traverse(0, EVALUATE, np.float64))

    def values(self, seat: int, mode: int = RESPOND) -> Floats:
        """Return a seat's chips (1326,) by holding, against the other's average; 0 if the range has no such holding."""
        by_orbit = self._traverse(seat, mode, np.float64)
        level = self.levels[0]
        positions = level.position[0]
        weights = self.compatible(seat)
        live = (positions >= 0) & (weights > 0)
        result = np.zeros(HOLDINGS)
        result[live] = by_orbit[positions[live]] / weights[live]
        return result

    def lock(self, street: int, point: int, board: int, shares: Floats) -> None:
        """Fix the probabilities (1326, actions) of a decision on a board, for both learning and responses.

        All boards of the street must be locked. With folded suits the probabilities must be equal for holdings that the
        board and the ranges do not tell apart.
        """
        plan, level = self.plans[street], self.levels[street]
        actor, slot, count = int(plan.actor[point]), int(plan.slot[point]), int(plan.children[point])
        first, last = int(level.first_block[board]), int(level.first_block[board + 1])
        rows = slice(first * BLOCK, last * BLOCK)
        by_orbit = np.where(level.size[rows, None] > 0, shares[level.holding[rows]], 0.0)
        blocks = by_orbit.reshape(-1, BLOCK, count).transpose(0, 2, 1)
        self.regrets[street][actor][first:last, slot : slot + count] = blocks * LOCKED
        self.averages[street][actor][first:last, slot : slot + count] = blocks
        plan.locked[point] = True

    def average_strategy(self, street: int, point: int, board: int = 0) -> Floats:
        """Return the average's probabilities (1326, actions) of a decision on a board; 0 if a holding shares a card."""
        level, plan, actor = self.levels[street], self.plans[street], int(self.tree[street].actor[point])
        slot, count = int(plan.slot[point]), int(plan.children[point])
        blocks = slice(int(level.first_block[board]), int(level.first_block[board + 1]))
        averages = self.averages[street][actor][blocks, slot : slot + count].astype(
            np.float64
        )  # (blocks, actions, BLOCK)
        by_orbit = averages.transpose(0, 2, 1).reshape(-1, count)
        total = by_orbit.sum(axis=1, keepdims=True)
        shares = np.divide(by_orbit, total, out=np.full_like(by_orbit, 1 / count), where=total > 0)
        positions = level.position[board]
        return np.where(positions[:, None] >= 0, shares[positions], 0.0)

    def compatible(self, seat: int) -> Floats:
        """Return the weight (1326,) of the other's range that shares no card with each holding."""
        live = self.levels[0].position[0] >= 0
        weights = np.where(live, self.ranges[1 - seat], 0.0)
        by_card = np.bincount(HOLDING_CARDS.ravel(), np.repeat(weights, 2), DECK_SIZE)
        left: Floats = weights.sum() - by_card[HOLDING_CARDS].sum(axis=1) + weights
        return np.where(live, left, 0.0)

    def _mean(self, seat: int, by_orbit: Floats) -> float:
        level = self.levels[0]
        weights = self._by_orbit(self.ranges[seat])
        pairs = float((self.ranges[seat] * self.compatible(seat)).sum())
        return float((level.size * weights) @ by_orbit) / pairs

    def _by_orbit(self, weights: Floats) -> Floats:
        """Return a range's weights by the first board's orbits, padded."""
        level = self.levels[0]
        return np.where(level.size > 0, weights[level.holding], 0.0)

    def _traverse(
        self, seat: int, mode: int, dtype: type, factors: tuple[float, float, float, float] = (1, 1, 1, 1)
    ) -> Floats:
        """Visit the tree for a seat; return its values (orbits,) on the first board, against the other's reach."""
        return _Visit(self, seat, mode, dtype, factors).run()

    def kernel_levels(self, dtype: type) -> list[Level]:
        """Return the boards for kernels in a number type."""
        if dtype not in self._kernel_levels:
            self._kernel_levels[dtype] = [_kernel_level(level, dtype) for level in self.levels]
        return self._kernel_levels[dtype]

    def scratch(self, street: int, dtype: type) -> Scratch:
        """Return this thread's arrays for a street."""
        arrays: dict[tuple[int, type], Scratch] | None = getattr(self._scratch, "known", None)
        if arrays is None:
            arrays = self._scratch.known = {}
        if (street, dtype) not in arrays:
            arrays[street, dtype] = _new_scratch(self.tree[street], self.levels[street], dtype)
        return arrays[street, dtype]

    @cached_property
    def information_sets(self) -> int:
        """The number of decisions, over all boards and holdings up to suits."""
        counts = [
            int(level.orbits.sum()) * int((street.kind == DECISION).sum())
            for level, street in zip(self.levels, self.tree, strict=True)
        ]
        return sum(counts)


def _zero_tables(shapes: Sequence[Sequence[tuple[int, int, int]]], dtype: type) -> list[list[Reals]]:
    """Return tables of zeros by street and seat."""
    return [[np.zeros(shape, dtype) for shape in street] for street in shapes]


def _check_memory(
    game: BettingGame, shapes: Sequence[Sequence[tuple[int, int, int]]], dtype: type, tables: int
) -> None:
    numbers = sum(blocks * actions * block for street in shapes for blocks, actions, block in street)
    needed = tables * numbers * np.dtype(dtype).itemsize
    if needed > MAX_BYTES:
        raise InputError(
            f"{game.name} is too large: expected at most {MAX_BYTES / 1e9:g} GB of tables, got {needed / 1e9:.1f} GB; "
            "use fewer sizes, raises or cards"
        )


def _kernel_level(level: BoardLevel, dtype: type) -> Level:
    return Level(
        level.first_block,
        level.orbits,
        level.size.astype(dtype),
        level.parent_orbit,
        level.share,
        level.class_a,
        level.class_b,
        level.part_a.astype(dtype),
        level.part_b.astype(dtype),
        level.strength,
    )


def _new_scratch(street: BettingStreet, level: BoardLevel, dtype: type) -> Scratch:
    blocks, points = level.max_blocks, street.points
    actions = max(actions_of(street, 0), actions_of(street, 1), 1)
    folds, showdowns = int((street.kind == FOLD).sum()), int((street.kind == SHOWDOWN).sum())
    rows = blocks * BLOCK

    def zeros(*shape: int) -> Reals:
        return np.zeros(shape, dtype)

    return Scratch(
        zeros(2, points, BLOCK),
        zeros(points, BLOCK),
        zeros(blocks, actions, BLOCK),
        zeros(BLOCK),
        zeros(rows, folds),
        zeros(rows, showdowns),
        zeros(rows, showdowns),
        zeros(folds),
        zeros(DECK_SIZE, folds),
        zeros(showdowns),
        zeros(DECK_SIZE, showdowns),
    )


class _Visit:
    """One visit of the tree, street by street."""

    def __init__(
        self, solver: PublicTreeSolver, seat: int, mode: int, dtype: type, factors: tuple[float, float, float, float]
    ) -> None:
        self.solver, self.seat, self.mode, self.dtype = solver, seat, mode, dtype
        max_actions = max(int(street.children.max(initial=1)) for street in solver.tree)
        units: Reals = np.array([0.0, *(1 / count for count in range(1, max_actions + 1))], dtype)
        learns = mode == LEARN
        noise = _noise(solver, dtype) if learns else 0.0
        self.update = Update(
            np.array([*factors, noise], dtype),
            units,
            learns and solver.variant.floored,
            learns and solver.variant.predictive,
        )
        self.levels = solver.kernel_levels(dtype)
        self.tables = [self._tables(street) for street in range(len(solver.tree))]
        self.stakes = [_stakes(street, seat, dtype) for street in solver.tree]

    def _tables(self, street: int) -> Tables:
        solver, me = self.solver, self.seat
        regrets, averages, predictions = solver.regrets[street], solver.averages[street], solver.predictions[street]
        if self.mode == LEARN:
            return Tables(regrets[me], averages[me], predictions[me], regrets[1 - me], predictions[1 - me])
        return Tables(averages[me], averages[me], predictions[me], averages[1 - me], predictions[1 - me])

    def run(self) -> Floats:
        """Return the seat's values (orbits,) on the first board."""
        above: Reals = np.stack([self.solver._by_orbit(weights) for weights in self.solver.ranges])[:, None].astype(
            self.dtype
        )
        values: Floats = self._board(0, 0, above, shared=True)[0]
        return values

    def _board(self, street: int, board: int, above: Reals, shared: bool = False) -> Floats:
        """Visit a board; return the values (entries, orbits of the parent)."""
        solver, level, plan = self.solver, self.levels[street], self.solver.plans[street]
        entries, scratch = solver.tree[street].entries, solver.scratch(street, self.dtype)
        orbits = int(level.first_block[board + 1] - level.first_block[board]) * BLOCK
        following_entries = int((solver.tree[street].kind == NEXT_STREET).sum())
        out: Reals = np.zeros((2, following_entries, orbits), self.dtype)
        result = np.zeros((entries, above.shape[2]))
        common = (
            plan,
            level,
            self.tables[street],
            self.update,
            self.seat,
            self.mode,
            board,
            board + 1,
            entries,
            above,
            self.stakes[street],
            scratch,
        )
        visit_boards(*common, DESCEND, out, out[0], result)
        following = self._next_boards(street, board, out, shared).astype(self.dtype) if following_entries else out[0]
        visit_boards(*common, ASCEND, out, following, result)
        return result

    def _next_boards(self, street: int, board: int, out: Reals, shared: bool) -> Floats:
        """Visit the boards that follow a board; return the sum of their values (entries of the next street, orbits)."""
        first, last = (int(edge) for edge in self.solver.levels[street].first_child[board : board + 2])
        ends = street + 2 == len(self.levels)
        step = CHUNK if ends else 1
        parts = [(start, min(start + step, last)) for start in range(first, last, step)]
        job = _Part(self, street + 1, out, ends)
        results = self.solver.executor.map(job, parts) if shared else map(job, parts)
        total = np.zeros(out.shape[1:])
        for part in results:
            total += part
        return total


class _Part:
    """A job: visit some boards that follow one board."""

    def __init__(self, visit: _Visit, street: int, above: Reals, ends: bool) -> None:
        self.visit, self.street, self.above, self.ends = visit, street, above, ends
        self.__code__ = (_Part, visit.mode, visit.dtype)

    def __call__(self, part: tuple[int, int]) -> Floats:
        visit, street = self.visit, self.street
        if not self.ends:
            return visit._board(street, part[0], self.above)
        solver, entries = visit.solver, visit.solver.tree[street].entries
        result = np.zeros(self.above.shape[1:])
        visit_boards(
            solver.plans[street],
            visit.levels[street],
            visit.tables[street],
            visit.update,
            visit.seat,
            visit.mode,
            *part,
            entries,
            self.above,
            visit.stakes[street],
            solver.scratch(street, visit.dtype),
            BOTH,
            np.zeros((2, 0, 0), visit.dtype),
            np.zeros((0, 0), visit.dtype),
            result,
        )
        return result


def _noise(solver: PublicTreeSolver, dtype: type) -> float:
    largest = max(float(weights.sum()) for weights in solver.ranges) * max(
        int(street.chips.max()) for street in solver.tree
    )
    return NOISE[dtype] * largest * float(np.finfo(dtype).eps)


def _stakes(street: BettingStreet, seat: int, dtype: type) -> Stakes:
    folds, shows = street.kind == FOLD, street.kind == SHOWDOWN
    stakes = street.chips.min(axis=1)
    signs = np.where(street.actor == seat, -1, 1)
    return Stakes((signs * stakes)[folds].astype(dtype), stakes[shows].astype(dtype))
