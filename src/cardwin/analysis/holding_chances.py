"""What a compiled player does with every holding in a situation: the chances of fold, call and raise.

Static players and mixtures do the same with all of them. A network says its chances. Standard decides by its chart, so
that it has one action; robots that simulate are asked once for each holding, and what they answer counts as certain.
Before the flop suits do not matter, so one holding of each of the 169 classes is asked.
"""

import numpy as np
import numpy.typing as npt

from cardwin.arena.runouts import Floats, Ints
from cardwin.cards.holdings import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDINGS
from cardwin.core.kernel import borrowing, called
from cardwin.games.holdem.rules import CALL, FINE, FOLD, RAISE, why_no_raise
from cardwin.games.holdem.table import Table
from cardwin.players import kinds
from cardwin.players.cfr.play import blueprint_chances
from cardwin.players.compiled import Players, decide_robot
from cardwin.players.network.networks import think as think_network

EXACT = (
    *range(kinds.LAST_STATIC + 1),
    kinds.STANDARD,
    kinds.BLIND,
    kinds.NETWORK,
    kinds.BLUEPRINT,
)  # they say their chances
CLASSES = 169
# A holding of each class: the first.
FIRST_OF_CLASS = np.unique(CLASS_OF_HOLDING, return_index=True)[1].astype(np.int64)
OF_CLASS: npt.NDArray[np.int64] = CLASS_OF_HOLDING.astype(np.int64)


@borrowing
def static_chances(kind: int, facing: bool, may_raise: bool, raises: int, out: Floats) -> None:
    """The chances (3,) of a static player; illegal actions are for the caller."""
    out[FOLD] = out[CALL] = out[RAISE] = 0.0
    if kind == kinds.RANDOM:
        actions = 1 + facing + may_raise
        out[FOLD], out[CALL], out[RAISE] = facing / actions, 1 / actions, may_raise / actions
    elif kind == kinds.CALL_OR_RAISE:
        out[CALL] = out[RAISE] = 0.5
    elif kind == kinds.CALLER or (kind == kinds.TIMID_CALLER and raises <= 1):
        out[CALL] = 1.0
    elif kind in (kinds.RAISER, kinds.ALL_IN):
        out[RAISE] = 1.0
    else:
        out[FOLD] = 1.0


@borrowing
def chances_of(players: Players, player: int, who: Ints, t: Table, rng: Ints, out: Floats) -> None:
    """The chances (3,) of the actor, which is that player, with the cards it holds; streams (any, 2) by seat."""
    kind, row = players.kinds[player], players.rows[player]
    facing, may_raise = t.bet[t.actor] < t.current_bet, why_no_raise(t) == FINE
    if kind <= kinds.LAST_STATIC:
        static_chances(kind, facing, may_raise, t.raises, out)
    elif kind == kinds.BLIND:
        out[CALL], out[RAISE] = players.parameters[row, 0], players.parameters[row, 1]
        out[FOLD] = max(1.0 - out[CALL] - out[RAISE], 0.0)
    elif kind == kinds.NETWORK:
        think_network(players.networks, row, who, t)
        for action in range(3):
            out[action] = players.networks.out[action]
    elif kind == kinds.BLUEPRINT:
        blueprint_chances(players.blueprints, row, t, out)
    else:
        action, _ = decide_robot(kind, players.parameters, row, t, rng)
        out[FOLD] = out[CALL] = out[RAISE] = 0.0
        out[action] = 1.0
    if not facing:
        out[CALL] += out[FOLD]
        out[FOLD] = 0.0
    if not may_raise:
        out[CALL] += out[RAISE]
        out[RAISE] = 0.0


@called
def holding_chances(
    players: Players, player: int, who: Ints, t: Table, rng: Ints, possible: Floats, by_class: Floats, out: Floats
) -> None:
    """The chances (1326, 3) of the actor with every holding whose weight in `possible` (1326,) is above 0.

    rng (any, 2) has streams by seat, of the caller's own: players that simulate draw from them. by_class (169, 3) is
    scratch.
    """
    place = 2 * t.actor
    a, b = t.hole[place], t.hole[place + 1]
    if players.kinds[player] <= kinds.LAST_STATIC or players.kinds[player] == kinds.BLIND:
        chances_of(players, player, who, t, rng, out[0])
        for holding in range(1, HOLDINGS):
            for action in range(3):
                out[holding, action] = out[0, action]
    elif t.street == 0:
        for number in range(CLASSES):
            holding = FIRST_OF_CLASS[number]
            t.hole[place], t.hole[place + 1] = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
            chances_of(players, player, who, t, rng, by_class[number])
        for holding in range(HOLDINGS):
            for action in range(3):
                out[holding, action] = by_class[OF_CLASS[holding], action]
    else:
        for holding in range(HOLDINGS):
            if possible[holding] > 0.0:
                t.hole[place], t.hole[place + 1] = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
                chances_of(players, player, who, t, rng, out[holding])
    t.hole[place], t.hole[place + 1] = a, b
