"""Who sits where. A player's result hangs on its neighbours, so that orders must be balanced and not only seats.

- **drawn** (the usual): every deal has an order of its own, drawn from the match's key. Nobody has a neighbour more
  often than chance says, two players who are the same expect the same, and since deals are independent the interval
  carries what chance leaves. In duplicate play the deal is played in all rotations of its order.
- **balanced**, where somebody watches opponents and would lose sight of them if seats changed all the time: a few fixed
  orders, each a table with players of its own. Up to four players these are all orders round the table; from five on,
  everybody has everybody else on the left equally often. An odd number is decomposed by Walecki's zigzags, walked in
  both directions (Alspach 2008); for 6, 8 and 10 the orders were found by search (a single set does not exist for 6:
  there every neighbour comes twice).
- **rotation**: the order as given, all players moving round the table; what some documents prescribe. Neighbours never
  change, and a player's result says as much of them as of itself.
"""

from itertools import permutations

import numpy as np

from cardwin.arena.runouts import Ints
from cardwin.kernel import kernel
from cardwin.rng import Stream, shuffle_first

KINDS = {"drawn": "every deal has an order of its own",
         "balanced": "a few fixed orders in which everybody is everybody's neighbour equally often",
         "rotation": "the order as given"}  # fmt: skip
ALL_ORDERS = 4  # up to so many players `balanced` is all orders
_FOUND = {
    6: "013425 015324 023145 024351 034251 035412 041523 045213 053214 054312",
    8: "01746325 02347651 03162754 04567213 05371426 06124357 07364152",
    10: "0175342698 0245793861 0367281954 0483297165 0527318946 0682359147 0784125639 0851376492 0962158743",
}


def round_orders(players: int) -> Ints:
    """Orders round a table (orders, players) in which everybody follows everybody else equally often."""
    if players <= ALL_ORDERS:
        return np.array([(0, *rest) for rest in permutations(range(1, players))], np.int64)
    if players in _FOUND:
        return np.array([[int(player) for player in order] for order in _FOUND[players].split()], np.int64)
    if players % 2 == 0:
        raise ValueError(f"no balanced orders of {players} players are known")
    return np.concatenate([_zigzags(players), _zigzags(players)[:, ::-1]])


def _zigzags(players: int) -> Ints:
    """Walecki's circles: one player in the middle, the others on a ring, visited 0, 1, -1, 2, -2, ... and turned."""
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


def rotated(orders: Ints) -> Ints:
    """Every rotation of orders (n, seats), (n seats, seats)."""
    return np.concatenate([order[rotations(orders.shape[1])] for order in orders])


def seatings(players: int, kind: str, duplicate: bool) -> Ints:
    """The fixed seatings (seatings, seats) of balanced or rotated play; without duplicates the button moves instead.

    With duplicates a deal is played in all of them, without in one after the other.
    """
    orders = round_orders(players) if kind == "balanced" else as_seated(players)
    return rotated(orders) if duplicate else orders


def as_seated(players: int) -> Ints:
    """The order as given (1, seats): player i in seat i."""
    return np.arange(players)[None]


@kernel
def draw_order(stream: Stream, order: Ints) -> None:
    """Put players (seats,) into the order of a deal."""
    for seat in range(len(order)):
        order[seat] = seat
    shuffle_first(stream, order, len(order) - 1)
