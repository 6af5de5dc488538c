"""Kernels of the public-tree solver: one board at a time, blocks of holdings at a time.

A visit of a board for one player (the traverser), after Johanson and others (2011) and Tammelin (2014):

1. `descend`: from the reach probabilities of both players at the street's entries, follow both strategies down the
   betting. Strategies come from regret matching; the traverser's average is updated on the way. The opponent's reach
   at folds and showdowns is written to rows, one row for each orbit of holdings and one column for each such point.
2. `settle_folds`, `settle_showdowns` (`showdowns`): turn these into the traverser's values against all holdings that
   share no card.
3. `ascend`: from the values of folds, showdowns and the next street, back up to the entries, with regrets updated at
   the traverser's decisions (or the maximum taken, for a best response).

All arithmetic is in the type of the arrays: float32 for large games, float64 for small ones and for best responses.
Values of holdings count each pair of holdings once, with a weight of 1 and without the chance of the deal. Kernels have
many parameters, because they take no objects.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.games.betting.tree import DECISION, NEXT_STREET
from cardwin.solvers.public_tree.boards import BLOCK
from cardwin.solvers.public_tree.showdowns import Level, Reals, Scratch, settle_folds, settle_showdowns

TILE = 8  # rows that are transposed together
LEARN, RESPOND, EVALUATE = range(3)  # what a visit does at the traverser's decisions
DESCEND, ASCEND, BOTH = range(3)  # directions of a visit


class StreetPlan(NamedTuple):
    """A street's betting as kernels read it; arrays (points,), see `betting.tree`.

    slot: a decision's first action among its actor's actions on the street. source (2, points): the point whose row
    holds a player's reach, which changes only when that player acts. folds and showdowns: the points of their columns.
    """

    kind: Ints
    actor: Ints
    first_child: Ints
    children: Ints
    target: Ints
    slot: Ints
    source: Ints
    folds: Ints
    showdowns: Ints
    locked: npt.NDArray[np.bool_]  # decisions whose probabilities are given, in the tables of regrets and averages


class Tables(NamedTuple):
    """A street's tables (blocks, actions, BLOCK) of the traverser and of the opponent.

    regrets and average are the traverser's; predictions of both are empty, unless updates are predictive.
    """

    regrets: Reals
    average: Reals
    predictions: Reals
    other_regrets: Reals
    other_predictions: Reals


class Stakes(NamedTuple):
    """The traverser's chips at folds, and what each seat has put in at showdowns, by column."""

    folds: Reals
    showdowns: Reals


class Update(NamedTuple):
    """How a visit learns, as arrays of one type.

    factors: what positive and negative regrets are multiplied by, what the average is multiplied by, the weight of the
    new strategy in it, and the size of regrets that are rounding errors of 0. units: 0, 1, 1/2, 1/3, …
    """

    factors: Reals  # (5,)
    units: Reals
    floored: bool  # regrets are cut at 0
    predictive: bool


@kernel(refcount=False)
def invert_regrets(
    table: Reals, predictions: Reals, update: Update, block: int, slot: int, count: int, total: Reals
) -> None:
    """Write 1 over the sum of a decision's positive regrets to total (BLOCK,), 0 where there is none.

    Two and three actions are added in one loop, which is twice as fast; more arrays in a loop would not vectorise.
    """
    nothing, unit, noise = update.units[0], update.units[1], update.factors[4]
    if count == 2 and not update.predictive:
        for i in range(BLOCK):
            a, b = table[block, slot, i], table[block, slot + 1, i]
            total[i] = (a if a > noise else nothing) + (b if b > noise else nothing)
    elif count == 3 and not update.predictive:
        for i in range(BLOCK):
            a, b, c = table[block, slot, i], table[block, slot + 1, i], table[block, slot + 2, i]
            total[i] = (a if a > noise else nothing) + (b if b > noise else nothing) + (c if c > noise else nothing)
    else:
        for i in range(BLOCK):
            total[i] = nothing
        for action in range(count):
            for i in range(BLOCK):
                regret = table[block, slot + action, i]
                if update.predictive:
                    regret += predictions[block, slot + action, i]
                total[i] += regret if regret > noise else nothing
    for i in range(BLOCK):
        total[i] = unit / total[i] if total[i] > nothing else nothing


@kernel(refcount=False)
def follow(
    table: Reals, predictions: Reals, update: Update, block: int, slot: int, count: int, total: Reals, reach: Reals,
    actor: int, source: int, first: int,
) -> None:  # fmt: skip
    """Match the regrets of a decision of the opponent: write the children's reach."""
    nothing, noise, even = update.units[0], update.factors[4], update.units[count]
    invert_regrets(table, predictions, update, block, slot, count, total)
    for action in range(count):
        for i in range(BLOCK):
            regret = table[block, slot + action, i]
            if update.predictive:
                regret += predictions[block, slot + action, i]
            share = (regret if regret > noise else nothing) * total[i]
            reach[actor, first + action, i] = reach[actor, source, i] * (share if total[i] > nothing else even)


@kernel(refcount=False)
def follow_traverser(
    table: Reals, predictions: Reals, update: Update, block: int, slot: int, count: int, total: Reals, reach: Reals,
    actor: int, source: int, first: int, strategy: Reals, index: int,
) -> None:  # fmt: skip
    """Match the regrets of a decision of the traverser; its probabilities go to strategy[place, slot + action]."""
    nothing, noise, even = update.units[0], update.factors[4], update.units[count]
    invert_regrets(table, predictions, update, block, slot, count, total)
    for action in range(count):
        for i in range(BLOCK):
            regret = table[block, slot + action, i]
            if update.predictive:
                regret += predictions[block, slot + action, i]
            share = (regret if regret > noise else nothing) * total[i]
            share = share if total[i] > nothing else even
            strategy[index, slot + action, i] = share
            reach[actor, first + action, i] = reach[actor, source, i] * share


@kernel(refcount=False)
def descend_block(
    plan: StreetPlan, tables: Tables, update: Update, me: int, mode: int, block: int, index: int, scratch: Scratch
) -> None:
    """Follow both strategies down one block; place is its number on its board."""
    reach = scratch.reach
    keep, weight = update.factors[2], update.factors[3]
    for point in range(len(plan.kind)):
        if plan.kind[point] == DECISION:
            actor, count = plan.actor[point], plan.children[point]
            slot, first = plan.slot[point], plan.first_child[point]
            source = plan.source[actor, point]
            if actor == me:
                if mode == RESPOND and not plan.locked[point]:
                    continue
                follow_traverser(
                    tables.regrets,
                    tables.predictions,
                    update,
                    block,
                    slot,
                    count,
                    scratch.total,
                    reach,
                    actor,
                    source,
                    first,
                    scratch.strategy,
                    index,
                )
                if mode == LEARN and not plan.locked[point]:
                    for action in range(count):
                        for i in range(BLOCK):
                            tables.average[block, slot + action, i] = (
                                tables.average[block, slot + action, i] * keep + reach[me, first + action, i] * weight
                            )
            else:
                follow(
                    tables.other_regrets,
                    tables.other_predictions,
                    update,
                    block,
                    slot,
                    count,
                    scratch.total,
                    reach,
                    actor,
                    source,
                    first,
                )
    # In tiles, because their rows then stay in the first cache.
    for tile in range(0, BLOCK, TILE):
        row = index * BLOCK + tile
        for column in range(len(plan.folds)):
            source = plan.source[1 - me, plan.folds[column]]
            for i in range(TILE):
                scratch.folds[row + i, column] = reach[1 - me, source, tile + i]
        for column in range(len(plan.showdowns)):
            source = plan.source[1 - me, plan.showdowns[column]]
            for i in range(TILE):
                scratch.shown[row + i, column] = reach[1 - me, source, tile + i]


@kernel(refcount=False)
def ascend_block(
    plan: StreetPlan, tables: Tables, update: Update, me: int, mode: int, block: int, index: int, following: Reals,
    scratch: Scratch,
) -> None:  # fmt: skip
    """Back up values of one block to the entries; following (next entries, orbits) are the next street's values."""
    values, strategy, nothing = scratch.values, scratch.strategy, update.units[0]
    for tile in range(0, BLOCK, TILE):
        row = index * BLOCK + tile
        for column in range(len(plan.folds)):
            point = plan.folds[column]
            for i in range(TILE):
                values[point, tile + i] = scratch.folds[row + i, column]
        for column in range(len(plan.showdowns)):
            point = plan.showdowns[column]
            for i in range(TILE):
                values[point, tile + i] = scratch.ahead[row + i, column]
    for point in range(len(plan.kind) - 1, -1, -1):
        kind = plan.kind[point]
        if kind == NEXT_STREET:
            for i in range(BLOCK):
                values[point, i] = following[plan.target[point], index * BLOCK + i]
        elif kind == DECISION:
            first, count, slot = plan.first_child[point], plan.children[point], plan.slot[point]
            if plan.actor[point] != me:
                for i in range(BLOCK):
                    values[point, i] = values[first, i]
                for child in range(first + 1, first + count):
                    for i in range(BLOCK):
                        values[point, i] += values[child, i]
            elif mode == RESPOND and not plan.locked[point]:
                for i in range(BLOCK):
                    values[point, i] = values[first, i]
                for child in range(first + 1, first + count):
                    for i in range(BLOCK):
                        values[point, i] = max(values[point, i], values[child, i])
            else:
                for i in range(BLOCK):
                    values[point, i] = nothing
                for action in range(count):
                    for i in range(BLOCK):
                        values[point, i] += strategy[index, slot + action, i] * values[first + action, i]
                if mode == LEARN and not plan.locked[point]:
                    _learn(tables, update, block, slot, count, values, point, first)


@kernel(refcount=False)
def _learn(
    tables: Tables, update: Update, block: int, slot: int, count: int, values: Reals, point: int, first: int
) -> None:
    """Add the regrets of a decision's actions."""
    positive, negative, nothing, regrets = update.factors[0], update.factors[1], update.units[0], tables.regrets
    for action in range(count):
        for i in range(BLOCK):
            old = regrets[block, slot + action, i]
            new = values[first + action, i] - values[point, i]
            total = old * (positive if old > nothing else negative) + new
            regrets[block, slot + action, i] = nothing if update.floored and total < nothing else total
        if update.predictive:
            for i in range(BLOCK):
                tables.predictions[block, slot + action, i] = values[first + action, i] - values[point, i]


@kernel(refcount=False)
def enter(level: Level, board: int, index: int, entries: int, above: Reals, units: Reals, scratch: Scratch) -> None:
    """Write the reach of both players at the entries of a block, from above (2, entries, orbits of the parent)."""
    start, nothing = (level.first_block[board] + index) * BLOCK, units[0]
    for player in range(2):
        for entry in range(entries):
            for i in range(BLOCK):
                reach = above[player, entry, level.parent_orbit[start + i]]
                scratch.reach[player, entry, i] = reach if level.size[start + i] > nothing else nothing


@kernel(refcount=False)
def leave(level: Level, board: int, index: int, entries: int, scratch: Scratch, result: Reals) -> None:
    """Add a block's values at the entries to result (entries, orbits of the parent), float64."""
    start = (level.first_block[board] + index) * BLOCK
    for i in range(min(BLOCK, level.orbits[board] - index * BLOCK)):
        parent, share = level.parent_orbit[start + i], level.share[start + i]
        for entry in range(entries):
            result[entry, parent] += share * scratch.values[entry, i]


@kernel
def descend_board(
    plan: StreetPlan, level: Level, tables: Tables, update: Update, me: int, mode: int, board: int, entries: int,
    above: Reals, scratch: Scratch, out: Reals,
) -> None:  # fmt: skip
    """Follow both strategies down a board; out (2, next entries, orbits) gets the reach at the end of the street."""
    for index in range(level.first_block[board + 1] - level.first_block[board]):
        enter(level, board, index, entries, above, update.units, scratch)
        descend_block(plan, tables, update, me, mode, level.first_block[board] + index, index, scratch)
        if out.shape[1] > 0:
            for point in range(len(plan.kind)):
                if plan.kind[point] == NEXT_STREET:
                    for player in range(2):
                        source = plan.source[player, point]
                        for i in range(BLOCK):
                            out[player, plan.target[point], index * BLOCK + i] = scratch.reach[player, source, i]


@kernel
def ascend_board(
    plan: StreetPlan, level: Level, tables: Tables, update: Update, me: int, mode: int, board: int, entries: int,
    stakes: Stakes, following: Reals, scratch: Scratch, result: Reals,
) -> None:  # fmt: skip
    """Settle folds and showdowns of a board and back up; following (next entries, orbits) is the next street."""
    if len(stakes.folds):
        settle_folds(level, board, stakes.folds, update.units, scratch)
    if len(stakes.showdowns):
        settle_showdowns(level, board, stakes.showdowns, update.units, scratch)
    for index in range(level.first_block[board + 1] - level.first_block[board]):
        ascend_block(plan, tables, update, me, mode, level.first_block[board] + index, index, following, scratch)
        leave(level, board, index, entries, scratch, result)


@kernel
def visit_boards(
    plan: StreetPlan, level: Level, tables: Tables, update: Update, me: int, mode: int, first: int, last: int,
    entries: int, above: Reals, stakes: Stakes, scratch: Scratch, directions: int, out: Reals, following: Reals,
    result: Reals,
) -> None:  # fmt: skip
    """Descend boards first to last - 1, ascend them, or both, as `directions` says.

    They have the same parent, whose reach is above. Descending fills in out; ascending reads following and adds to
    result (see `leave`). Python calls only this kernel, so that all others are compiled once.
    """
    for board in range(first, last):
        if directions != ASCEND:
            descend_board(plan, level, tables, update, me, mode, board, entries, above, scratch, out)
        if directions != DESCEND:
            ascend_board(plan, level, tables, update, me, mode, board, entries, stakes, following, scratch, result)
