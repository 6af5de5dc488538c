"""What a compiled player would do at its turn: the chances of fold, call and raise, and the size of its raise.

Static players, mixtures and blueprints know their chances, a network computes them. Standard decides by its chart, so
that it has one action. Robots that simulate cannot say their chances: they are asked once, and what they answer counts
as certain.
"""

import numpy as np
import numpy.typing as npt

from cardwin.core.kernel import borrowing
from cardwin.games.holdem.rules import CALL, FINE, FOLD, RAISE, max_raise_to, min_raise_to, why_no_raise
from cardwin.games.holdem.table import Table
from cardwin.players import kinds
from cardwin.players.cfr.play import blueprint_chances
from cardwin.players.compiled import Players, decide_robot
from cardwin.players.network.bet_sizes import MEDIUM, SMALL, BetSizes, size_of
from cardwin.players.network.networks import think as think_network

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# The kinds that say their chances.
EXACT = (*range(kinds.LAST_STATIC + 1), kinds.STANDARD, kinds.BLIND, kinds.NETWORK, kinds.BLUEPRINT)


@borrowing
def draws(kind: int) -> bool:
    """Whether players of a kind draw their actions with chances that they can say."""
    return kinds.FIRST_DRAWING <= kind <= kinds.LAST_STATIC or kind in (kinds.BLIND, kinds.NETWORK, kinds.BLUEPRINT)


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


@borrowing
def usual_share(sizes: BetSizes, size: int) -> float:
    """The middle of the shares of the stack that a network bets."""
    if size == SMALL:
        return sizes.lo_upper / 2
    if size == MEDIUM:
        return (sizes.med_lower + sizes.med_upper) / 2
    return sizes.hi_all_in + (1 - sizes.hi_all_in) * sizes.hi_point


@borrowing
def usual_raise_to(players: Players, player: int, raising: float, t: Table) -> int:
    """The total bet that the actor usually raises to, if it may raise; `raising` is its chance of a raise."""
    least = min_raise_to(t)
    if players.kinds[player] != kinds.NETWORK:
        return int(least)
    share = usual_share(players.networks.sizes, size_of(players.networks.sizes, raising))
    return int(min(max(t.bet[t.actor] + int(share * t.stack[t.actor]), least), max_raise_to(t)))
