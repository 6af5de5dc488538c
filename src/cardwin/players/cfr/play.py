"""Blueprints at the table, as kernels: where a hand is in the betting tree, and the probabilities there.

The record has the line of the hand. It is walked through the tree from the root; in limit games every action has its
counterpart. In no-limit games a bet that the tree does not have is translated:

1. An all-in bet is the tree's all-in. A bet of x pots between two of its sizes, A and B pots, is A with probability
   (B - x)(1 + A) / ((B - A)(1 + x)), the pseudo-harmonic mapping (Ganzfried and Sandholm 2013), and otherwise B.
   Smaller bets than the least size are that size.
2. The draw is a hash of the player's own cards and the place of the bet in the line. The opponent cannot know it, it is
   the same for the rest of the hand, and the player remains a function of what it sees.
3. Its own bets are the nearest size. Where the tree has ended (it holds that all chips are in, but they are not), the
   player checks and calls.
"""

# ruff: noqa: ARG001  hooks have fixed signatures
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.cards.ranks import BITS
from cardwin.cards.tables import win_odds_store
from cardwin.cards.win_odds import NO_TABLE
from cardwin.core.arrays import Floats, Ints, Words
from cardwin.core.intrinsics import structure_at
from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at, draw_uniform
from cardwin.games.holdem.hooks import RAISE_TO, on_decision, on_probabilities
from cardwin.games.holdem.rules import CALL, FINE, FOLD, RAISE, max_raise_to, min_raise_to, why_no_raise
from cardwin.games.holdem.table import LINE as RECORDED
from cardwin.games.holdem.table import Table
from cardwin.players.cfr.buckets import STREETS, Buckets, bucket_of
from cardwin.players.cfr.files import STEPS, Blueprint, Bytes
from cardwin.players.cfr.traversal import Nodes
from cardwin.players.cfr.tree import CHILD, COUNT, LINE, SLOT
from cardwin.players.compiled import CompiledKind, Functions

FIRST_NODE, LIMIT, STARTS, WIDTHS = 0, 1, 2, 2 + 2 * STREETS  # columns of `about`
ABOUT = WIDTHS + 2 * STREETS
OFF_TREE = -1
SALT = 0x5EED  # of the keys by which translations are drawn
UNIT = 2.0**-53


class Blueprints(NamedTuple):
    """Blueprints one after the other.

    about (blueprints, any): the first node, whether the game is limit, and by seat and street where the rows of shares
    (slots,) begin and how wide they are. nodes, chips and raise_to are those of all trees; strengths, spreads and shape
    the limits of all buckets by street.
    """

    about: Ints
    nodes: Nodes
    chips: Nodes
    raise_to: Nodes
    shares: Bytes
    strengths: Floats
    spreads: Floats
    shape: Ints
    odds: Words


def no_blueprints() -> Blueprints:
    """Return the structure without any blueprint."""
    words = np.zeros((0, 0), np.int32)
    return Blueprints(
        np.zeros((0, ABOUT), np.int64),
        words,
        words,
        words,
        np.zeros(0, np.uint8),
        np.zeros((0, 0)),
        np.zeros((0, 0, 0)),
        np.zeros((0, 2), np.int64),
        NO_TABLE,
    )


def blueprints_of(blueprints: Sequence[Blueprint], odds: Words) -> Blueprints:
    """Return the structure of some blueprints, with the table of win odds or NO_TABLE."""
    about = np.zeros((len(blueprints), ABOUT), np.int64)
    nodes, slots = 0, 0
    for row, blueprint in zip(about, blueprints, strict=True):
        starts = blueprint.starts
        row[FIRST_NODE], row[LIMIT] = nodes, blueprint.game.startswith("holdem-limit")
        row[STARTS:WIDTHS] = slots + (starts[:, :-1] + [[0], [starts[0, -1]]]).ravel()
        row[WIDTHS:] = blueprint.tree.width.ravel()
        nodes, slots = nodes + len(blueprint.tree.nodes), slots + int(starts[:, -1].sum())
    trees, buckets = [each.tree for each in blueprints], [each.buckets for each in blueprints]
    return Blueprints(
        about,
        _joined([tree.nodes for tree in trees], 0),
        np.concatenate([tree.chips for tree in trees]),
        _joined([tree.raise_to for tree in trees], 0),
        np.concatenate([shares for blueprint in blueprints for shares in blueprint.shares]),
        _joined([limits.strengths for limits in buckets], np.inf),
        _joined([limits.spreads for limits in buckets], np.inf),
        np.concatenate([limits.shape for limits in buckets]),
        odds,
    )


def _joined(arrays: Sequence[npt.NDArray[Any]], padding: float) -> npt.NDArray[Any]:
    """Return arrays one after the other, padded to equal shapes except for the first axis."""
    shape = np.max([array.shape for array in arrays], axis=0)
    shape[0] = sum(map(len, arrays))
    joined, first = np.full(shape, padding, arrays[0].dtype), 0
    for array in arrays:
        joined[(slice(first, first + len(array)), *map(slice, array.shape[1:]))] = array
        first += len(array)
    return joined


@kernel(refcount=False)
def translated(holding: int, index: int, size: float, low: float, high: float) -> bool:
    """Return whether a bet between two sizes is taken as the smaller one, drawn by holding and index in the line."""
    chance = (high - size) * (1.0 + low) / ((high - low) * (1.0 + size))
    return (bits_at(SALT + holding, index) >> 10) * UNIT < chance


@kernel(refcount=False)
def _size(blueprints: Blueprints, node: int, action: int) -> float:
    """Return the size of a raise of the tree, in pots after a call."""
    highest = max(blueprints.chips[node, 0], blueprints.chips[node, 1])
    return float((blueprints.raise_to[node, action] - highest) / (2.0 * highest))


@kernel(refcount=False)
def _tree_raise(
    blueprints: Blueprints,
    node: int,
    first: int,
    count: int,
    size: float,
    all_in: bool,
    ours: bool,
    holding: int,
    index: int,
) -> int:
    """Return the tree's action for a raise of a size in pots; its raises are the actions first..count-1."""
    if all_in or first == count - 1:
        return count - 1
    for action in range(first, count):
        high = _size(blueprints, node, action)
        if size <= high:
            if action == first:
                return first
            low = _size(blueprints, node, action - 1)
            smaller = size - low < high - size if ours else translated(holding, index, size, low, high)
            return action - 1 if smaller else action
    return count - 1


@kernel(refcount=False)
def _facing(blueprints: Blueprints, node: int) -> int:
    """Return 1 if the node's actor has something to call, so that its first action is a fold, otherwise 0."""
    seat = blueprints.nodes[node, LINE] // STREETS
    return 1 if blueprints.chips[node, seat] < blueprints.chips[node, 1 - seat] else 0


@kernel(refcount=False)
def _tree_action(
    blueprints: Blueprints, number: int, at: int, recorded: int, bet: int, other: int, left: int, pot: int, ours: bool,
    holding: int, index: int,
) -> tuple[int, int]:  # fmt: skip
    """Return the tree's action at a node for an action of the line, OFF_TREE without one, and the chips that it costs.

    The actor has put in `bet` on this street, its opponent `other`, and it has `left` chips.
    """
    action, amount = recorded & 3, recorded >> 2
    calling, cost = _facing(blueprints, at), min(max(other - bet, 0), left)
    if action == CALL:
        return calling, cost
    first, count = calling + 1, blueprints.nodes[at, COUNT]
    if action == FOLD or first >= count:
        return OFF_TREE, 0
    if blueprints.about[number, LIMIT]:
        return first, amount - bet
    size, all_in = (amount - max(bet, other)) / (pot + cost), amount - bet >= left
    return _tree_raise(blueprints, at, first, count, size, all_in, ours, holding, index), amount - bet


@kernel(refcount=False)
def locate(blueprints: Blueprints, number: int, t: Table) -> int:
    """Return the node of the actor's decision, or OFF_TREE."""
    offset = blueprints.about[number, FIRST_NODE]
    if t.actions > RECORDED:
        return OFF_TREE
    me, button = t.actor, t.button
    high, low = max(t.hole[2 * me], t.hole[2 * me + 1]), min(t.hole[2 * me], t.hole[2 * me + 1])
    holding = high * (high - 1) // 2 + low
    # What the two seats, the button first, have put in: in the hand, and on this street.
    start_0, start_1 = t.start[button], t.start[1 - button]
    bet_0, bet_1 = min(t.small_blind, start_0 - t.ante), min(t.big_blind, start_1 - t.ante)
    paid_0, paid_1 = bet_0 + t.ante, bet_1 + t.ante
    seat, acted, node = 0, False, 0
    for index in range(t.actions):
        if node < 0:
            return OFF_TREE
        at = offset + node
        if blueprints.nodes[at, LINE] // STREETS != seat:
            return OFF_TREE
        bet, other = (bet_0, bet_1) if seat == 0 else (bet_1, bet_0)
        left = start_0 - paid_0 if seat == 0 else start_1 - paid_1
        ours = (seat == 0) == (me == button)
        chosen, cost = _tree_action(
            blueprints, number, at, t.line[index], bet, other, left, paid_0 + paid_1, ours, holding, index
        )
        if chosen == OFF_TREE:
            return OFF_TREE
        if seat == 0:
            bet_0, paid_0 = bet_0 + cost, paid_0 + cost
        else:
            bet_1, paid_1 = bet_1 + cost, paid_1 + cost
        node = blueprints.nodes[at, CHILD + chosen]
        if t.line[index] & 3 == CALL and acted:
            # The street is over, and the next one begins with the seat off the button.
            bet_0, bet_1, seat, acted = 0, 0, 1, False
        else:
            seat, acted = 1 - seat, True
    if node < 0:
        return OFF_TREE
    mine = STREETS * (0 if me == button else 1) + t.street
    return int(offset + node) if blueprints.nodes[offset + node, LINE] == mine else OFF_TREE


@kernel
def bucket_at(blueprints: Blueprints, number: int, t: Table) -> int:
    """Return the bucket of the actor's holding."""
    first = 3 * number
    limits = Buckets(
        blueprints.strengths[first : first + 3],
        blueprints.spreads[first : first + 3],
        blueprints.shape[first : first + 3],
    )
    bits, shown = 0, t.board_size[t.street]
    for index in range(shown):
        bits |= BITS[t.board[index]]
    return bucket_of(limits, blueprints.odds, bits, shown, t.hole[2 * t.actor], t.hole[2 * t.actor + 1])


@kernel
def shares_at(blueprints: Blueprints, number: int, node: int, t: Table) -> int:
    """Return where the shares of a node's actions begin, for the actor's holding."""
    line = blueprints.nodes[node, LINE]
    row = bucket_at(blueprints, number, t) * blueprints.about[number, WIDTHS + line]
    return int(blueprints.about[number, STARTS + line] + row + blueprints.nodes[node, SLOT])


@kernel
def blueprint_chances(blueprints: Blueprints, number: int, t: Table, out: Floats) -> None:
    """Write the probabilities of fold, call and raise with the actor's cards into out (3,)."""
    out[FOLD], out[CALL], out[RAISE] = 0.0, 1.0, 0.0
    node = locate(blueprints, number, t)
    if node == OFF_TREE:
        return
    first, count = shares_at(blueprints, number, node, t), blueprints.nodes[node, COUNT]
    facing = _facing(blueprints, node)
    out[FOLD] = blueprints.shares[first] / STEPS if facing else 0.0
    out[CALL] = blueprints.shares[first + facing] / STEPS
    for action in range(facing + 1, count):
        out[RAISE] += blueprints.shares[first + action] / STEPS


@kernel(refcount=False)
def choose(blueprints: Blueprints, node: int, first: int, point: float) -> int:
    """Return the tree's action at a node, by a point in [0, 1)."""
    count = blueprints.nodes[node, COUNT]
    left = point * STEPS
    for action in range(count):
        left -= blueprints.shares[first + action]
        if left < 0.0:
            return action
    return int(count - 1)


@kernel
def act_in(blueprints: Blueprints, number: int, t: Table, low: int, high: int, point: float) -> tuple[int, int]:
    """Return the actor's action by a point in [0, 1), and the total bet of a raise, low to high (0: no raise)."""
    node = locate(blueprints, number, t)
    if node == OFF_TREE:
        return CALL, 0
    facing = _facing(blueprints, node)
    action = choose(blueprints, node, shares_at(blueprints, number, node, t), point)
    owed = t.current_bet - t.bet[t.actor]
    if action < facing and owed > 0:
        return FOLD, 0
    if action <= facing or high == 0:
        return CALL, 0
    if action == blueprints.nodes[node, COUNT] - 1 and not blueprints.about[number, LIMIT]:
        return RAISE, high
    pot = owed
    for seat in range(2):
        pot += t.start[seat] - t.stack[seat]
    wanted = t.current_bet + int(_size(blueprints, node, action) * pot + 0.5)
    return RAISE, min(max(wanted, low), high)


@kernel
def blueprint_act(blueprints: Blueprints, number: int, t: Table, point: float) -> tuple[int, int]:
    """Return the actor's action by a point in [0, 1), and the total bet of a raise; always legal."""
    low, high = 0, 0
    if why_no_raise(t) == FINE:
        low, high = min_raise_to(t), max_raise_to(t)
    return act_in(blueprints, number, t, low, high, point)


blueprints_at = structure_at(no_blueprints)


@on_decision
def decide(state: int, row: int, ids: Ints, t: Table, streams: Ints) -> tuple[int, int]:
    """Decide as the blueprint in that row."""
    return blueprint_act(blueprints_at(state), row, t, draw_uniform(streams[t.actor]))


@on_probabilities
def probabilities(state: int, row: int, ids: Ints, t: Table, streams: Ints, out: Floats) -> None:
    """Write the blueprint's probabilities; a raise counts as the minimum one."""
    blueprint_chances(blueprints_at(state), row, t, out)
    out[RAISE_TO] = min_raise_to(t)


BLUEPRINT = CompiledKind(
    "blueprint",
    Functions(decide, probabilities),
    no_blueprints,
    lambda data, _: blueprints_of(data, win_odds_store.load_or_build()),
    draws=True,
    knows=True,
)
