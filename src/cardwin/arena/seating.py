"""Seating. A player's result depends on its neighbours, so orders must be balanced and not only seats.

- **drawn** (the default): every deal has its own order, drawn from the match's key. Neighbours are uniformly
  random, identical players have equal expectations, and since deals are independent the interval
  includes the remaining variance. In duplicate play the deal is played in all rotations of its order.
- **balanced**, if a player models its opponents, which changing seats would prevent: a few fixed
  orders, each a table with its own players. Up to four players these are all orders round the table; from five on,
  each player has each other one on the left equally often. An odd number is decomposed by Walecki's zigzags, walked in
  both directions (Alspach 2008); for 6, 8 and 10 the orders were found by search (for 6 a single set does not exist:
  there every neighbour occurs twice).
- **rotation**: the order as given, all players moving round the table, as some papers prescribe. Neighbours never
  change, so a player's result depends on them as much as on itself.
"""

from itertools import permutations
from typing import NamedTuple

import numpy as np

from cardwin.arena.runouts import Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at, child

KINDS = {"drawn": "every deal has its own order",
         "balanced": "a few fixed orders in which all players are neighbours equally often",
         "rotation": "the order as given"}  # fmt: skip
ORDERS = -2  # the child of a match's key for drawn orders
ALL_ORDERS = 4  # up to this many players `balanced` is all orders
PICKS = 3  # picks of one draw: with 32 bits the 720 outcomes of three among ten are uniform to one part in a million
_FOUND = {
    6: "013425 015324 023145 024351 034251 035412 041523 045213 053214 054312",
    8: "01746325 02347651 03162754 04567213 05371426 06124357 07364152",
    10: "0175342698 0245793861 0367281954 0483297165 0527318946 0682359147 0784125639 0851376492 0962158743",
}


def round_orders(players: int) -> Ints:
    """Orders round a table (orders, players) in which each player follows each other one equally often."""
    if players <= ALL_ORDERS:
        return np.array([(0, *rest) for rest in permutations(range(1, players))], np.int64)
    if players in _FOUND:
        return np.array([[int(player) for player in order] for order in _FOUND[players].split()], np.int64)
    if players % 2 == 0:
        raise ValueError(f"no balanced orders of {players} players are known")
    return np.concatenate([_zigzags(players), _zigzags(players)[:, ::-1]])


def _zigzags(players: int) -> Ints:
    """Walecki's cycles: one player in the middle, the others on a ring, visited 0, 1, -1, 2, -2, ... and turned."""
    ring, half = players - 1, (players - 1) // 2
    zigzag = [0]
    for step in range(1, half + 1):
        zigzag += [step, -step]
    path = np.array(zigzag[:ring])
    return np.array([[players - 1, *((path + turn) % ring)] for turn in range(half)], np.int64)


def rotations(players: int) -> Ints:
    """The player in each seat (rotations, seats), the order as given."""
    seats = np.arange(players)
    return np.stack([(seats - turn) % players for turn in range(players)])


class Seating(NamedTuple):
    """The seating of a match.

    orders (orders, seats) are the fixed orders, the player in each seat; or, if `drawn`, the one that is shuffled for
    every deal by a child of `key`. A deal is played for `per_deal` hands, at `tables` tables with their own players.
    """

    orders: Ints
    drawn: bool
    key: int
    per_deal: int
    tables: int


def seating_of(players: int, kind: str, duplicate: bool, key: int = 0) -> Seating:
    """The seating of players. Without duplicates the button moves, so players keep their seats."""
    if players == 2:
        kind = "rotation"  # there is one order only
    orders = round_orders(players) if kind == "balanced" else np.arange(players)[None]
    if kind != "drawn" and duplicate:
        orders = np.concatenate([order[rotations(players)] for order in orders])
    per_deal = (players if kind == "drawn" else len(orders)) if duplicate else 1
    return Seating(orders, kind == "drawn", key, per_deal, per_deal if duplicate or kind == "drawn" else len(orders))


@kernel
def seat_hand(seating: Seating, number: int, order: Ints) -> int:
    """Write the player in each seat (seats,) of a hand by its number, and return the button's seat."""
    seats, deal, turn = len(order), number, 0
    if seating.tables == 1 and not seating.drawn:  # the players as given, as in most heads-up hands
        for seat in range(seats):
            order[seat] = seat
        return int(number % seats)
    if seating.per_deal > 1:  # division is slow
        deal, turn = number // seating.per_deal, number % seating.per_deal
    if seating.drawn:
        draw_order(child(seating.key, deal), turn, order)
        return int(deal % seats)
    orders = seating.orders
    row = turn if seating.per_deal > 1 else deal % len(orders)
    for seat in range(seats):
        order[seat] = orders[row, seat]
    return int(deal % seats if seating.per_deal > 1 else deal // len(orders) % seats)


@kernel
def draw_order(key: int, turn: int, order: Ints) -> None:
    """Put players (seats,) into the order that a key draws, rotated by `turn` seats."""
    seats = len(order)
    for seat in range(seats):
        order[seat] = seat
    fraction = 0
    for place in range(seats - 1):
        if place % PICKS == 0:
            fraction = bits_at(key, place) >> 31
        # The integer part of a fraction times the choices is the pick, and the remaining fraction picks the next one.
        fraction *= seats - place
        other = place + (fraction >> 32)
        fraction &= 0xFFFF_FFFF
        order[place], order[other] = order[other], order[place]
    for _ in range(turn):
        last = order[seats - 1]
        for seat in range(seats - 1, 0, -1):
            order[seat] = order[seat - 1]
        order[0] = last
