"""The betting tree of a blueprint as flat arrays, for the kernels of training and play.

The nodes of all streets have one numbering, depth first. A node's actions have slots in a row; there is a row for each
bucket of a street and seat. So what one deal reads of a street lies in one row, and what is read together is adjacent.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Ints, Words
from cardwin.core.errors import InputError
from cardwin.games.betting.game import BettingGame, limit_holdem, validate_betting_game
from cardwin.games.betting.tree import DECISION, FOLD, NEXT_STREET, SHOWDOWN, BettingStreet, betting_tree
from cardwin.games.holdem.game import HoldemGame

Reals = npt.NDArray[np.float32]

POT_SIZES = (0.5, 1.0)  # of no-limit bets and raises, besides all-in
NO_LIMIT_RAISES = (9, 9, 9, 9)  # at most on each street: with half pots a stack is bet sooner
DEEPEST = 50  # big blinds of a no-limit stack: deeper trees do not fit
WON, TIED, LOST = 0, 1, 2  # results of a showdown, seen from seat 0


LINE, COUNT, SLOT, CHILD = 0, 1, 2, 3  # columns of a node: its row, actions, first slot, first child
COLUMNS = 3


class Tree(NamedTuple):
    """A betting tree.

    nodes (nodes, 3 + maximum of actions): the number of its row (streets x actor + street), the number of actions, the
    slot of the first action in that row, and by action a node, or -1 - t for the terminal t. actor and street (nodes,)
    again; payoff (terminals, 3): big blinds that seat 0 wins if it wins, ties or loses the showdown; equal where a seat
    folded. width (2, streets): slots in a row of a seat. chips (nodes, 2): what each seat has put in. raise_to (nodes,
    maximum of actions): the actor's chips after an action that raises, otherwise 0.
    """

    nodes: Words
    actor: Words
    street: Words
    payoff: Reals
    width: Ints
    chips: Words
    raise_to: Words


def betting_of(game: HoldemGame) -> BettingGame:
    """Return the heads-up betting that a blueprint of a game is computed for."""
    if game.kind == "limit":
        sizes = game.small_bet, game.big_bet
        max_stake = game.ante + game.big_blind + 7 * game.small_bet + 8 * game.big_bet
        if game.stack < max_stake:
            raise InputError(
                f"{game.name}: expected a stack for all bets, at least {max_stake} chips, got {game.stack}"
            )
        return limit_holdem(game.name, (game.small_blind, game.big_blind), *sizes, game.ante)
    if game.kind == "nl":
        if game.stack > DEEPEST * game.min_bet:
            raise InputError(
                f"{game.name}: a no-limit blueprint has stacks of at most {DEEPEST} big blinds, "
                f"such as holdem-nl:stack={20 * game.min_bet}"
            )
        blinds = game.small_blind, game.big_blind
        sizes_by_street = (POT_SIZES,) * 4
        return validate_betting_game(
            BettingGame(
                game.name,
                (0, 3, 1, 1),
                (0, 1, 1, 1),
                NO_LIMIT_RAISES,
                blinds,
                pot_sizes=sizes_by_street,
                stack=game.stack,
                ante=game.ante,
            )
        )
    raise InputError(f"{game.name} has no blueprint: holdem-limit and holdem-nl have")


def tree_of(game: BettingGame) -> Tree:
    """Return the flat tree of a betting game."""
    streets = betting_tree(game)
    order = _depth_first(streets)
    numbers = {point: number for number, point in enumerate(order)}
    max_actions = max(int(street.children.max()) for street in streets)
    nodes = np.zeros((len(order), COLUMNS + max_actions), np.int32)
    raise_to = np.zeros((len(order), max_actions), np.int32)
    actor, level = np.zeros(len(order), np.int32), np.zeros(len(order), np.int32)
    chips, width = np.zeros((len(order), 2), np.int32), np.zeros((2, len(streets)), np.int64)
    payoffs: list[tuple[float, float, float]] = []
    for node, (number, point) in enumerate(order):
        street = streets[number]
        seat, count = int(street.actor[point]), int(street.children[point])
        actor[node], level[node], chips[node] = seat, number, street.chips[point]
        nodes[node, :COLUMNS] = len(streets) * seat + number, count, width[seat, number]
        width[seat, number] += count
        for action in range(count):
            after = int(street.first_child[point]) + action
            target = _decision(streets, number, after)
            if target in numbers:
                nodes[node, CHILD + action] = numbers[target]
            else:
                payoffs.append(_payoff(streets[target[0]], target[1], game.big_blind))
                nodes[node, CHILD + action] = -len(payoffs)
            if street.actions[point][action].startswith("r"):
                raise_to[node, action] = street.chips[after, seat]
    return Tree(nodes, actor, level, np.array(payoffs, np.float32), width, chips, raise_to)


def _decision(streets: Sequence[BettingStreet], street: int, point: int) -> tuple[int, int]:
    """Return the street and point of the decision or terminal that a point leads to, through beginnings of streets."""
    while streets[street].kind[point] == NEXT_STREET:
        street, point = street + 1, int(streets[street].target[point])
    return street, point


def _depth_first(streets: Sequence[BettingStreet]) -> list[tuple[int, int]]:
    """Return every decision, as street and point, before those that follow it."""
    order, waiting = [], [_decision(streets, 0, 0)]
    while waiting:
        street, point = waiting.pop()
        tree = streets[street]
        if tree.kind[point] == DECISION:
            order.append((street, point))
            first, count = int(tree.first_child[point]), int(tree.children[point])
            waiting += [_decision(streets, street, first + child) for child in reversed(range(count))]
    return order


def _payoff(street: BettingStreet, point: int, big_blind: int) -> tuple[float, float, float]:
    stake = float(street.chips[point].min()) / big_blind
    if street.kind[point] == FOLD:
        won = -stake if street.actor[point] == 0 else stake
        return won, won, won
    if street.kind[point] != SHOWDOWN:
        raise ValueError("a terminal is a fold or a showdown")
    return stake, 0.0, -stake


def lines_of(game: BettingGame) -> list[str]:
    """Return the betting line of every node, such as `cr/c`, in the numbering of `tree_of`."""
    streets = betting_tree(game)
    return [streets[street].lines[point] for street, point in _depth_first(streets)]


def row_starts(tree: Tree, buckets: Sequence[int]) -> Ints:
    """Return where the rows of each seat and street begin (2, streets + 1) in the seat's table; last its length."""
    sizes = tree.width * np.array(buckets, np.int64)
    return np.concatenate([np.zeros((2, 1), np.int64), sizes.cumsum(axis=1)], axis=1)
