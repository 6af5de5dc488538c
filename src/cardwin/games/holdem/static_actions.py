"""Players that only see which actions are legal: fold, call, raise, random, all-in, call-or-raise.

They are decided inside the engine, from five numbers that a table's record and a seat's view both have. A kind of
compiled player is a number: these are the first ones, others are in `hooks`.
"""

from cardwin.core.arrays import Floats
from cardwin.core.kernel import kernel
from cardwin.games.holdem.rules import CALL, FINE, FOLD, RAISE, Betting, raise_refused
from cardwin.games.holdem.table import Table

# The first kinds never raise, the last ones draw a random number.
FOLDER, CALLER, TIMID_CALLER, RAISER, ALL_IN, RANDOM, CALL_OR_RAISE = range(7)
LAST_PASSIVE, FIRST_DRAWING = TIMID_CALLER, RANDOM
STATIC_KINDS = 7  # how many there are
DRAWING_KINDS = (RANDOM, CALL_OR_RAISE)
EVERYTHING = 2**62  # more than any stack


@kernel
def decide_static(kind: int, facing: bool, raises: int, least: int, most: int, bits: int) -> tuple[int, int]:
    """Return an action, and the total bet if it raises.

    `least` and `most` are the bounds of a raise, 0 if it is not allowed; bits are the player's next 63 random bits, if
    its kind draws any. A fold where checking is free is a check, a raise that is not allowed is a call.
    """
    action, amount = FOLD, 0
    if kind == CALLER:
        action = CALL
    elif kind == TIMID_CALLER:
        action = FOLD if raises > 1 else CALL
    elif kind == RAISER:
        action = RAISE
    elif kind == ALL_IN:
        action, amount = RAISE, EVERYTHING
    elif kind == RANDOM:
        action = any_action(facing, most > 0, bits)
    elif kind == CALL_OR_RAISE:
        action = CALL + below(bits, 2)
    return nearest_legal(action, amount, facing, least, most)


@kernel(refcount=False)
def decide_static_at(kind: int, t: Table, b: Betting, bits: int) -> tuple[int, int]:
    """Return the action of a static player at its turn, with 63 random bits if it needs any."""
    seat = b.actor
    facing = t.bet[seat] < b.current_bet
    may_raise = kind > LAST_PASSIVE and raise_refused(t, b) == FINE
    all_in = t.bet[seat] + t.stack[seat]
    least = min(all_in, b.current_bet + b.min_raise)
    if kind == RANDOM:  # by far the most frequent kind
        return any_action(facing, may_raise, bits), least
    most = least if t.limit else all_in
    return decide_static(kind, facing, b.raises, least if may_raise else 0, most if may_raise else 0, bits)


@kernel(refcount=False)
def static_probabilities(kind: int, facing: bool, may_raise: bool, raises: int, out: Floats) -> None:
    """Write the probabilities of fold, call and raise into out (3 or more,); illegal actions are for the caller."""
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
def any_action(facing: bool, may_raise: bool, bits: int) -> int:
    """Return any legal action with equal probability; a raise is the minimum one."""
    first = FOLD if facing else CALL
    return first + below(bits, (RAISE if may_raise else CALL) - first + 1)


@kernel
def below(bits: int, n: int) -> int:
    """Return the number in 0..n-1 that `draw_below` computes from these bits."""
    return ((bits >> 31) * n) >> 32


@kernel
def nearest_legal(action: int, amount: int, facing: bool, least: int, most: int) -> tuple[int, int]:
    """Return the nearest legal action: no fold where checking is free, a call where raising is not allowed."""
    if action == FOLD and facing:
        return FOLD, 0
    if action == RAISE and most > 0:
        return RAISE, min(max(amount, least), most)
    return CALL, 0
