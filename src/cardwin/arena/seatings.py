"""Who sits where when the same deal is played more than once."""

from itertools import permutations

import numpy as np

from cardwin.arena.runouts import Ints

ALL_ORDERINGS = 3  # up to so many players every ordering is played, beyond that every rotation


def seatings(players: int) -> Ints:
    """The player in each seat, (seatings, seats): every player in every seat, all orderings where they are few."""
    if players <= ALL_ORDERINGS:
        return np.array(list(permutations(range(players))), np.int64)
    seats = np.arange(players)
    return np.stack([(seats - turn) % players for turn in range(players)])


def as_seated(players: int) -> Ints:
    """The one seating of play without duplicates, (1, seats): player i in seat i."""
    return np.arange(players)[None]
