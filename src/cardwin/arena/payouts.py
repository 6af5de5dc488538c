"""The value of places: payouts by schedule, and the independent chip model for players still in.

The model (Malmuth 1987, after Harville 1973): the probability to finish first is a player's share of the chips; the
next place is decided in the same way among the rest. Exact, by dynamic programming over sets of players.
"""

import math
from collections.abc import Sequence

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError

MOST_EXACT = 16  # players with chips: the sets of them are 2 to this power


def read_payouts(text: str, players: int) -> list[float]:
    """Return shares of the prizes from text such as 50/30/20, best place first; in percent or as parts of 1."""
    try:
        shares = [float(part) for part in text.split("/")]
    except ValueError:
        shares = []
    if not shares or not all(0 <= share < float("inf") for share in shares) or sum(shares) <= 0:
        raise InputError(f"invalid payouts {text!r}: expected the share of each place, best first, such as 50/30/20")
    total = sum(shares)
    if not any(math.isclose(total, whole, abs_tol=0.01 * whole) for whole in (1, 100)):
        raise InputError(f"invalid payouts {text!r}: expected shares that sum to 100, got {total:g}")
    if len(shares) > players:
        raise InputError(f"invalid payouts {text!r}: expected at most {players} places, got {len(shares)}")
    return [share / total for share in shares]


def icm(stacks: Sequence[int], payouts: Sequence[float]) -> list[float]:
    """Return each player's expected prize by the independent chip model; players without chips have 0."""
    playing = [player for player, stack in enumerate(stacks) if stack > 0]
    if len(playing) > MOST_EXACT:
        raise InputError(f"expected at most {MOST_EXACT} players with chips for the chip model, got {len(playing)}")
    chips = [stacks[player] for player in playing]
    total, values = sum(chips), [0.0] * len(stacks)
    # chance[set]: the probability that exactly these players took the first places, in any order.
    chance = np.zeros(1 << len(playing))
    chance[0] = 1.0
    for taken in range(1 << len(playing)):
        rank = taken.bit_count()
        if rank >= min(len(payouts), len(playing)):
            continue
        rest = total - sum(stack for i, stack in enumerate(chips) if taken >> i & 1)
        for i, stack in enumerate(chips):
            if not taken >> i & 1:
                next_best = float(chance[taken]) * stack / rest
                values[playing[i]] += next_best * payouts[rank]
                chance[taken | 1 << i] += next_best
    return values


def prizes(places: Floats, chips: Ints, payouts: Sequence[float]) -> Floats:
    """Return prizes (tournaments, players) in shares of the prize money, from places and chips of the same shape.

    Tied players share the prizes of their places. If a tournament stopped early, players with chips share the
    remaining prizes by the chip model.
    """
    table = np.zeros(places.shape[1])
    table[: len(payouts)] = payouts
    order = np.argsort(places, axis=1, kind="stable")
    value = np.empty(places.shape)
    np.put_along_axis(value, order, np.broadcast_to(table, places.shape), axis=1)
    ranked = np.take_along_axis(places, order, axis=1)
    for row in np.flatnonzero((ranked[:, 1:] == ranked[:, :-1]).any(axis=1)):
        _, group, tied = np.unique(places[row], return_inverse=True, return_counts=True)
        value[row] = (np.bincount(group, value[row]) / tied)[group]
    for row in np.flatnonzero((chips > 0).sum(axis=1) > 1):
        playing = chips[row] > 0
        value[row, playing] = np.array(icm(chips[row].tolist(), payouts))[playing]
    return value
