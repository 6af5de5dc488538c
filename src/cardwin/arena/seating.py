"""Seating. A player's result depends on its neighbours, so the order must be drawn and not only the seats.

- **drawn** (the default): every deal has its own order, drawn from the match's key. Neighbours are uniformly
  random, identical players have equal expectations, and since deals are independent the interval
  includes the remaining variance. In duplicate play the deal is played in all rotations of its order. Players that
  model their opponents receive the number of the player in each seat (`player_numbers`).
- **rotation**: the specified order, all players moving round the table, as some papers prescribe. Neighbours never
  change, so a player's result depends on them as much as on itself.
"""

from typing import NamedTuple

import numpy as np

from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at, child, shuffle_first, stream_of

KINDS = {"drawn": "every deal has its own order", "rotation": "the order as given"}
ORDERS = -2  # the child of a match's key for drawn orders
NUMBERS = -3  # and the one for the players' numbers
PICKS = 3  # picks of one draw: with 32 bits the 720 outcomes of three among ten are uniform to one part in a million


class Seating(NamedTuple):
    """The seating of a match: the order is drawn for every deal by a child of `key`, or is fixed.

    A deal is played in `per_deal` rotations of its order, each with its own players.
    """

    drawn: bool
    key: int
    per_deal: int


def seating_of(players: int, kind: str, duplicate: bool, key: int = 0) -> Seating:
    """Return the seating of players. Without duplicates the button moves, so players stay in their seats."""
    drawn = kind == "drawn" and players > 2  # two players have one order only
    return Seating(drawn, key, players if duplicate else 1)


def player_numbers(players: int, key: int) -> tuple[int, ...]:
    """Return each player's public number, drawn for a match; it reveals nothing about the player."""
    numbers = np.arange(players)
    shuffle_first(stream_of(child(key, NUMBERS)), numbers, players)
    return tuple(numbers.tolist())


@kernel
def seat_hand(seating: Seating, number: int, order: Ints) -> int:
    """Write the player in each seat (seats,) of hand `number`, and return the button's seat."""
    seats, deal, turn = len(order), number, 0
    if seating.per_deal > 1:  # division is slow
        deal, turn = number // seating.per_deal, number % seating.per_deal
    for seat in range(seats):
        order[seat] = seat
    if seating.drawn:
        draw_order(child(seating.key, deal), order)
    for _ in range(turn):
        last = order[seats - 1]
        for seat in range(seats - 1, 0, -1):
            order[seat] = order[seat - 1]
        order[0] = last
    return int(deal % seats)


@kernel
def draw_order(key: int, order: Ints) -> None:
    """Shuffle players (seats,) by a key."""
    seats, fraction = len(order), 0
    for seat in range(seats - 1):
        if seat % PICKS == 0:
            fraction = bits_at(key, seat) >> 31
        # The integer part of a fraction times the choices is the pick, and the remaining fraction picks the next one.
        fraction *= seats - seat
        other = seat + (fraction >> 32)
        fraction &= 0xFFFF_FFFF
        order[seat], order[other] = order[other], order[seat]
