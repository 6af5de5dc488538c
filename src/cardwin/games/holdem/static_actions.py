"""Players that see only which actions are legal: fold, call, raise, random, all-in, call-or-raise.

The engine decides for them, from five numbers that a table's record and a seat's view both have. A kind of compiled
player is a number: these are the first ones, others are in `hooks`.
"""

from cardwin.core.arrays import Floats
from cardwin.core.kernel import kernel
from cardwin.games.holdem.rules import CALL, FINE, FOLD, RAISE, Betting, raise_refused
from cardwin.games.holdem.table import Table

# The first kinds never raise, the last ones draw a random number.
FOLDER, CALLER, TIMID_CALLER, RAISER, ALL_IN, RANDOM, CALL_OR_RAISE = range(7)
LAST_PASSIVE, FIRST_DRAWING = TIMID_CALLER, RANDOM
STATIC_KINDS = 7  # their number
DRAWING_KINDS = (RANDOM, CALL_OR_RAISE)
MAX_TOTAL = 2**62  # more than any stack


@kernel
def decide_static(kind: int, facing: bool, raises: int, min_raise: int, max_raise: int, bits: int) -> tuple[int, int]:
    """Return an action, and the total bet if it raises.

    `min_raise` and `max_raise` are the bounds of a raise's total, 0 if a raise is illegal. `bits` are the player's next
    63 random bits, if its kind draws any. A fold without a bet to call becomes a check, an illegal raise a call.
    """
    action, amount = FOLD, 0
    if kind == CALLER:
        action = CALL
    elif kind == TIMID_CALLER:
        action = FOLD if raises > 1 else CALL
    elif kind == RAISER:
        action = RAISE
    elif kind == ALL_IN:
        action, amount = RAISE, MAX_TOTAL
    elif kind == RANDOM:
        action = random_action(facing, max_raise > 0, bits)
    elif kind == CALL_OR_RAISE:
        action = CALL + random_below(bits, 2)
    return nearest_legal(action, amount, facing, min_raise, max_raise)


@kernel(refcount=False)
def decide_static_at(kind: int, t: Table, b: Betting, bits: int) -> tuple[int, int]:
    """Return the action of a static player at its turn, with 63 random bits if it needs any."""
    seat = b.actor
    facing = t.bet[seat] < b.current_bet
    may_raise = kind > LAST_PASSIVE and raise_refused(t, b) == FINE
    all_in = t.bet[seat] + t.stack[seat]
    min_raise = min(all_in, b.current_bet + b.min_raise)
    if kind == RANDOM:  # by far the most frequent kind
        return random_action(facing, may_raise, bits), min_raise
    max_raise = min_raise if t.limit else all_in
    return decide_static(kind, facing, b.raises, min_raise if may_raise else 0, max_raise if may_raise else 0, bits)


@kernel(refcount=False)
def static_probabilities(kind: int, facing: bool, may_raise: bool, raises: int, out: Floats) -> None:
    """Write the probabilities of fold, call and raise into out (3 or more,). The caller corrects illegal actions."""
    out[FOLD] = out[CALL] = out[RAISE] = 0.0
    if kind == RANDOM:
        actions = 1 + facing + may_raise
        out[FOLD], out[CALL], out[RAISE] = facing / actions, 1 / actions, may_raise / actions
    elif kind == CALL_OR_RAISE:
        out[CALL] = out[RAISE] = 0.5
    elif kind == CALLER or (kind == TIMID_CALLER and raises <= 1):
        out[CALL] = 1.0
    elif kind in (RAISER, ALL_IN):
        out[RAISE] = 1.0
    else:
        out[FOLD] = 1.0


@kernel
def random_action(facing: bool, may_raise: bool, bits: int) -> int:
    """Return a legal action, each with equal probability; a raise is the minimum one."""
    first = FOLD if facing else CALL
    return first + random_below(bits, (RAISE if may_raise else CALL) - first + 1)


@kernel
def random_below(bits: int, n: int) -> int:
    """Return the number in 0..n-1 that `draw_below` computes from these bits."""
    return ((bits >> 31) * n) >> 32


@kernel
def nearest_legal(action: int, amount: int, facing: bool, min_raise: int, max_raise: int) -> tuple[int, int]:
    """Return the nearest legal action: a check for a fold without a bet to call, a call for an illegal raise."""
    if action == FOLD and facing:
        return FOLD, 0
    if action == RAISE and max_raise > 0:
        return RAISE, min(max(amount, min_raise), max_raise)
    return CALL, 0
