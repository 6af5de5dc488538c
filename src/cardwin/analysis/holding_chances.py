"""Probabilities of fold, call and raise of a compiled player with every holding in a situation.

Static players and mixtures do the same with all holdings; for others the probabilities are computed for each. Before
the flop suits do not matter, so one holding of each of the 169 classes suffices.
"""

import numpy as np
import numpy.typing as npt

from cardwin.cards.holdings import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDINGS
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.games.holdem.hooks import FIRST_SLOT, IGNORES_CARDS, Players, write_probabilities
from cardwin.games.holdem.table import Table

CLASSES = 169
# A holding of each class: the first.
FIRST_OF_CLASS = np.unique(CLASS_OF_HOLDING, return_index=True)[1].astype(np.int64)
OF_CLASS: npt.NDArray[np.int64] = CLASS_OF_HOLDING.astype(np.int64)


@kernel(refcount=False)
def holding_chances(
    players: Players, player: int, ids: Ints, t: Table, rng: Ints, possible: Floats, by_class: Floats, out: Floats
) -> None:
    """Write the actor's probabilities (1326, 4) with every holding whose weight in `possible` (1326,) is above 0.

    rng (any, 2) has the caller's streams by seat, from which players that simulate draw. by_class (169, 4) is scratch.
    """
    first = 2 * t.actor
    a, b = t.hole[first], t.hole[first + 1]
    if players.kinds[player] < FIRST_SLOT or players.flags[players.kinds[player] - FIRST_SLOT] & IGNORES_CARDS:
        write_probabilities(players, player, ids, t, rng, out[0])
        for holding in range(1, HOLDINGS):
            for action in range(4):
                out[holding, action] = out[0, action]
    elif t.street == 0:
        for number in range(CLASSES):
            holding = FIRST_OF_CLASS[number]
            t.hole[first], t.hole[first + 1] = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
            write_probabilities(players, player, ids, t, rng, by_class[number])
        for holding in range(HOLDINGS):
            for action in range(4):
                out[holding, action] = by_class[OF_CLASS[holding], action]
    else:
        for holding in range(HOLDINGS):
            if possible[holding] > 0.0:
                t.hole[first], t.hole[first + 1] = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
                write_probabilities(players, player, ids, t, rng, out[holding])
    t.hole[first], t.hole[first + 1] = a, b
