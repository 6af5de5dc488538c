"""Compiled players as the engine sees them: static ones, and kinds with functions that it calls at their addresses.

A kind of compiled player is a number. The first ones are **static**: they see only which actions are legal (fold, call,
raise, random, all-in, call-or-raise). The engine decides for them, from five numbers that a table's record and a seat's
view both have.

The engine contains no other kind of player. A kind has a **slot**: its functions, its state and its flags. A player has
the number of its kind and its row in the kind's state. Observers (corrections, run-outs) are slots without players.

| function | called | arguments after the state |
|---|---|---|
| `decide` | at a player's turn; returns an action and the total bet of a raise | row, ids, table, streams |
| `probabilities` | for corrections and best responses; writes fold, call, raise and the size of a raise | + out (4,) |
| `prefetch` | before another player decides, and with row and seat -1 when cards are dealt | row, seat, table |
| `hand_began` | blinds are posted | ids, rows, table |
| `street_began` | a street's cards are dealt and a seat has the turn | ids, rows, table |
| `before_action` | an action is chosen | ids, rows, table, actor, price, bet to match, action, amount |
| `after_action` | it is done | the same |
| `hand_ended` | chips are paid | ids, rows, table |
| `opponents_changed` | a player sits among new opponents | row |
| `match_began` | all players start again | |

Only `decide` is required. ids (seats,) are the players by seat, -1 at an empty one; rows (10,) are the rows of the
players of this kind, -1 at the seats of others. The functions of a kind may read the actor's cards, the public fields
of the table and their own state, nothing else: tests change the hidden cards and expect the same decisions.
"""

from typing import Any, NamedTuple

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.intrinsics import FLOATS, INT, INTS, NULL, PAIR, STREAMS, VOID, function_at, hook, record_type
from cardwin.core.kernel import COMPILED, kernel
from cardwin.games.holdem.rules import (
    CALL,
    FINE,
    FOLD,
    RAISE,
    Betting,
    max_raise_to,
    min_raise_to,
    raise_refused,
    why_no_raise,
)
from cardwin.games.holdem.table import SEATS, TABLE, Table

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


PYTHON = -1  # the kind of a player that is called in Python; kernels stop at its turn
FIRST_SLOT = STATIC_KINDS  # kind k has slot k - FIRST_SLOT; smaller numbers are static players
# Flags: it draws random numbers; its `probabilities` are exact; its actions do not depend on its cards.
DRAWS, HAS_PROBABILITIES, IGNORES_CARDS = 1, 2, 4
RAISE_TO = 3  # the index of the size of a raise in what `probabilities` writes

(
    DECIDE,
    PROBABILITIES,
    PREFETCH,
    HAND_BEGAN,
    STREET_BEGAN,
    BEFORE_ACTION,
    AFTER_ACTION,
    HAND_ENDED,
    OPPONENTS_CHANGED,
    MATCH_BEGAN,
) = range(10)
HOOKS = 10
LEFT_OUT = -1  # instead of the address of `probabilities`, if it is not needed and was not compiled


class Players(NamedTuple):
    """Compiled players, for kernels.

    kinds, rows (players,): the kind of each player, and its row in the kind's state (-1 without one).
    functions (slots, HOOKS): addresses of functions, or 0. states (slots,): addresses. flags (slots,).
    """

    kinds: Ints
    rows: Ints
    functions: Ints
    states: Ints
    flags: Ints


def no_players() -> Players:
    """Return the structure without players or slots, as a template."""
    numbers = np.zeros(0, np.int64)
    return Players(numbers, numbers, np.zeros((0, HOOKS), np.int64), numbers, numbers)


def _signatures() -> list[Any]:
    """Return the signatures of the functions, in their order."""
    state = row = seat = INT
    ids = rows = INTS
    table = record_type(TABLE)
    seen = VOID(state, ids, rows, table)
    action = VOID(state, ids, rows, table, INT, INT, INT, INT, INT)
    return [
        PAIR(state, row, ids, table, STREAMS),
        VOID(state, row, ids, table, STREAMS, FLOATS),
        VOID(state, row, seat, table),
        seen,
        seen,
        action,
        action,
        seen,
        VOID(state, row),
        VOID(state),
    ]


SIGNATURES = _signatures()
on_decision, on_probabilities, on_prefetch, on_hand, _, on_action, _, _, on_row, on_match = map(hook, SIGNATURES)
_decide, _probabilities, _prefetch, _see, _, _act, _, _, _row, _match = map(function_at, SIGNATURES)


@kernel(refcount=False)
def seat_rows(players: Players, ids: Ints, seats: int, rows: Ints) -> None:
    """Write the rows of the seated players into rows (slots, 10), -1 at the seats of other kinds."""
    for slot in range(len(players.states)):
        for seat in range(SEATS):
            rows[slot, seat] = -1
            if seat < seats and ids[seat] >= 0 and players.kinds[ids[seat]] == slot + FIRST_SLOT:
                rows[slot, seat] = players.rows[ids[seat]]


@kernel(refcount=False)
def decide(players: Players, ids: Ints, t: Table, streams: Ints) -> tuple[int, int]:
    """Return the action of the actor, whose kind has a slot, and the total bet of a raise; streams (any, 2) by seat."""
    player = ids[t.actor]
    slot = players.kinds[player] - FIRST_SLOT
    arguments = (players.states[slot], players.rows[player], ids, t, streams)
    return _decide(players.functions[slot, DECIDE], arguments)  # type: ignore[no-any-return]


@kernel(refcount=False)
def draws(players: Players, kind: int) -> bool:
    """Return whether players of a kind draw their actions with known probabilities."""
    if kind < FIRST_SLOT:
        return kind in DRAWING_KINDS
    return bool(players.flags[kind - FIRST_SLOT] & (DRAWS | HAS_PROBABILITIES) == DRAWS | HAS_PROBABILITIES)


@kernel(refcount=False)
def write_probabilities(players: Players, player: int, ids: Ints, t: Table, streams: Ints, out: Floats) -> None:
    """Write the actor's probabilities of fold, call and raise, and the size of its raise, into out (4,).

    The actor is that player, with the cards that it holds. A kind without probabilities plays the action that it
    decides for with probability 1.
    """
    kind = players.kinds[player]
    facing, may_raise = t.bet[t.actor] < t.current_bet, why_no_raise(t) == FINE
    if kind < FIRST_SLOT:
        static_probabilities(kind, facing, may_raise, t.raises, out)
        out[RAISE_TO] = max_raise_to(t) if kind == ALL_IN else min_raise_to(t)
    elif players.functions[kind - FIRST_SLOT, PROBABILITIES] != NULL:
        slot = kind - FIRST_SLOT
        if COMPILED and players.functions[slot, PROBABILITIES] == LEFT_OUT:
            raise RuntimeError("expected players with probabilities (arrays_with_probabilities)")
        arguments = (players.states[slot], players.rows[player], ids, t, streams, out)
        _probabilities(players.functions[slot, PROBABILITIES], arguments)
    else:
        action, _ = decide(players, ids, t, streams)
        out[FOLD] = out[CALL] = out[RAISE] = 0.0
        out[action], out[RAISE_TO] = 1.0, min_raise_to(t)
    if not facing:
        out[CALL] += out[FOLD]
        out[FOLD] = 0.0
    if not may_raise:
        out[CALL] += out[RAISE]
        out[RAISE] = 0.0


@kernel(refcount=False)
def prefetch(players: Players, player: int, seat: int, t: Table) -> None:
    """Prefetch the memory that a player in a seat reads when it decides, while another player decides."""
    kind = players.kinds[player]
    if kind >= FIRST_SLOT and players.functions[kind - FIRST_SLOT, PREFETCH] != NULL:
        slot = kind - FIRST_SLOT
        _prefetch(players.functions[slot, PREFETCH], (players.states[slot], players.rows[player], seat, t))


@kernel(refcount=False)
def prefetch_hand(players: Players, t: Table) -> None:
    """Let every kind prefetch the memory that it reads in a hand whose cards are dealt."""
    for slot in range(len(players.states)):
        if players.functions[slot, PREFETCH] != NULL:
            _prefetch(players.functions[slot, PREFETCH], (players.states[slot], -1, -1, t))


@kernel(refcount=False)
def notify(players: Players, event: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Notify every slot that a hand or a street has begun, or that a hand has ended; rows (slots, 10)."""
    for slot in range(len(players.states)):
        if players.functions[slot, event] != NULL:
            _see(players.functions[slot, event], (players.states[slot], ids, rows[slot], t))


@kernel(refcount=False)
def notify_action(
    players: Players,
    event: int,
    ids: Ints,
    rows: Ints,
    t: Table,
    actor: int,
    price: int,
    bet: int,
    action: int,
    amount: int,
) -> None:
    """Notify every slot before or after an action, with its price to call and the bet to match before it."""
    for slot in range(len(players.states)):
        if players.functions[slot, event] != NULL:
            arguments = (players.states[slot], ids, rows[slot], t, actor, price, bet, action, amount)
            _act(players.functions[slot, event], arguments)


@kernel(refcount=False)
def change_opponents(players: Players, player: int) -> None:
    """Notify a player that it has new opponents."""
    kind = players.kinds[player]
    if kind >= FIRST_SLOT and players.functions[kind - FIRST_SLOT, OPPONENTS_CHANGED] != NULL:
        slot = kind - FIRST_SLOT
        _row(players.functions[slot, OPPONENTS_CHANGED], (players.states[slot], players.rows[player]))


@kernel(refcount=False)
def begin_match(players: Players) -> None:
    """Let all players start again."""
    for slot in range(len(players.states)):
        if players.functions[slot, MATCH_BEGAN] != NULL:
            _match(players.functions[slot, MATCH_BEGAN], (players.states[slot],))
