"""The 35 inputs of a network (Nicolai and Hilderman, Table 1), and how each is scaled.

| input | raw | scaled |
|---|---|---|
| `pot` | chips it can win: of each player's at most its own total bet and stack | x / (x + 20 big blinds) |
| `to_call` | chips to call, at most its stack | x / (x + 20 big blinds) |
| `opponents` | opponents still in the hand | / 9 |
| `win_odds` | probability to win a showdown against them | unchanged |
| `hands_to_button` | hands until it has the button, 0 if it has it | / 10 |
| `chips_0` to `chips_9` | stacks, its own first, then seat by seat; 0 for an empty seat | x / (x + 20 big blinds) |
| `aggression_0` to `aggression_9` | mean aggressiveness in this tournament, in the same order | x / (x + 1) |
| `recent_0` to `recent_9` | the same over the last ten hands | x / (x + 1) |

Scales are ours: the paper gives none. They are bounded for any size of the blinds, keep small differences visible
if decisions are close, and cost a division. A pot or stack of 20 big blinds scales to one half.

Aggressiveness of a decision is 0 for a fold, 1 for a call or check, and the new bet over the old one for a raise. An
opening bet has no old one: it counts as (big blind + bet) / big blind, so that it exceeds a call like every
raise. A player without decisions counts as 1, also over the last ten hands if it made none in them.
"""

from typing import Any, NamedTuple

import numpy as np

from cardwin.cards.boards import canonical, prefetch_row, prefetch_shift
from cardwin.cards.holdings import CLASS_OF_HOLDING
from cardwin.cards.preflop import preflop
from cardwin.cards.ranks import BITS
from cardwin.cards.win_odds import (
    CORRECTIONS,
    POWER_WEIGHTS,
    STORED,
    entry_index,
    locate_board,
    powers_at,
    prefetch_powers,
    stored_powers,
    weighted_sum,
)
from cardwin.core.arrays import Floats, Ints, Singles, Words
from cardwin.core.intrinsics import FLOATS, INT, NULL, READ_ONLY_WORDS, VOID, address_of, function_at, hook
from cardwin.core.kernel import kernel
from cardwin.games.holdem.rules import CALL, FOLD, paid
from cardwin.games.holdem.rules import to_call as price_of
from cardwin.games.holdem.table import EMPTY, SEATS, Table

BY_SEAT = ("chips", "aggression", "recent")
INPUTS = (
    *("pot", "to_call", "opponents", "win_odds", "hands_to_button"),
    *(f"{name}_{number}" for name in BY_SEAT for number in range(SEATS)),
)
CHIPS, AGGRESSION, RECENT = (5 + SEATS * number for number in range(len(BY_SEAT)))
MIDDLE = 20.0  # big blinds that scale to one half
MAX_OPPONENTS, MAX_HANDS = 9.0, 10.0

# The odds of the fourth input: none, the power mean as in the paper, or the mean with a fitted correction.
NO_ODDS, POWER_ODDS, CORRECTED_ODDS = range(3)
ODDS = ("none", "power", "corrected")

HANDS_REMEMBERED = 10
# Columns of a player's memory.
LONG, SHORT, TOTAL, DECISIONS, RECENT_TOTAL, RECENT_DECISIONS, POSITION = range(7)
TOTALS = 7
COUNTS = TOTALS + HANDS_REMEMBERED
MEMORY = COUNTS + HANDS_REMEMBERED

_PREFLOP = np.ascontiguousarray(preflop().equity)


@kernel
def aggressiveness(action: int, old_bet: int, new_bet: int, big_blind: int) -> float:
    """Return the aggressiveness of a fold, a call or check, or a raise from the old bet of the street to a new one."""
    if action == FOLD:
        return 0.0
    if action == CALL:
        return 1.0
    if old_bet == 0:
        return (big_blind + new_bet) / big_blind
    return new_bet / old_bet


@kernel
def scaled_aggression(total: float, decisions: float) -> float:
    """Scale a mean aggressiveness to 0..1; without decisions it is one half."""
    return total / (total + decisions) if decisions > 0 else 0.5


@kernel(refcount=False)
def reset_memory(memory: Floats, player: int) -> None:
    """Reset a player's memory at the start of a tournament."""
    for column in range(MEMORY):
        memory[player, column] = 0.0
    memory[player, LONG] = 0.5
    memory[player, SHORT] = 0.5


@kernel(refcount=False)
def record_aggression(memory: Floats, player: int, value: float) -> None:
    """Add a decision's aggressiveness to a player's memory."""
    position = int(memory[player, POSITION])
    memory[player, TOTAL] += value
    memory[player, DECISIONS] += 1.0
    memory[player, RECENT_TOTAL] += value
    memory[player, RECENT_DECISIONS] += 1.0
    memory[player, TOTALS + position] += value
    memory[player, COUNTS + position] += 1.0
    memory[player, LONG] = scaled_aggression(memory[player, TOTAL], memory[player, DECISIONS])
    memory[player, SHORT] = scaled_aggression(memory[player, RECENT_TOTAL], memory[player, RECENT_DECISIONS])


@kernel(refcount=False)
def begin_hand(memory: Floats, player: int) -> None:
    """Drop the oldest of a player's last ten hands, because it is dealt in again."""
    position = int(memory[player, POSITION] + 1.0) % HANDS_REMEMBERED
    memory[player, POSITION] = position
    if memory[player, COUNTS + position] > 0.0:
        memory[player, TOTALS + position] = 0.0
        memory[player, COUNTS + position] = 0.0
        # Summed again instead of subtracted, so that rounding errors do not accumulate.
        total, decisions = 0.0, 0.0
        for hand in range(HANDS_REMEMBERED):
            total += memory[player, TOTALS + hand]
            decisions += memory[player, COUNTS + hand]
        memory[player, RECENT_TOTAL] = total
        memory[player, RECENT_DECISIONS] = decisions
        memory[player, SHORT] = scaled_aggression(total, decisions)


class OddsScratch(NamedTuple):
    """Data for looking up odds.

    Attributes:
        which: an index of `ODDS`.
        table: the win odds, or empty.
        board: (3,), the bits of the last board, its row in the table and its suit permutation.
        powers: (5,), scratch.
        direct: the address of `direct_odds`, or null if there is a table.

    """

    which: int
    table: Words
    board: Ints
    powers: Floats
    direct: int


_DIRECT_ODDS = VOID(READ_ONLY_WORDS, INT, INT, INT, INT, FLOATS)
_call_direct_odds = function_at(_DIRECT_ODDS)


@hook(_DIRECT_ODDS)
def direct_odds(table: Words, bits: int, shown: int, a: int, b: int, powers: Floats) -> None:
    """Compute the stored shares without a table. It is called at its address, because few players compile it."""
    stored_powers(table, bits, shown, a, b, powers)


def odds_scratch(which: int, table: Words) -> OddsScratch:
    """Return scratch without a last board."""
    direct: Any = NULL if which == NO_ODDS or len(table) else address_of(direct_odds)
    return OddsScratch(which, table, np.zeros(3, np.int64), np.zeros(STORED), direct)


@kernel(refcount=False)
def shown_bits(t: Table, shown: int) -> int:
    """Return the bits of the first cards of the board."""
    bits = 0
    for index in range(shown):
        bits |= BITS[t.board[index]]
    return bits


@kernel(refcount=False)
def prefetch_hand(t: Table, scratch: OddsScratch) -> None:
    """Prefetch the first words of the table's index for a new hand's flop and turn."""
    if len(scratch.table):
        prefetch_shift(scratch.table, next_board(t, 1))
        prefetch_shift(scratch.table, next_board(t, 2))


@kernel(refcount=False)
def prefetch_flop(t: Table, scratch: OddsScratch) -> None:
    """Prefetch the second word of the index for the flop, when the hand begins."""
    if len(scratch.table):
        prefetch_row(scratch.table, next_board(t, 1))


@kernel(refcount=False)
def next_board(t: Table, street: int) -> int:
    """Return the key of the board of a street."""
    return canonical(shown_bits(t, t.board_size[street]))[0]


@kernel(refcount=False)
def prefetch_street(t: Table, scratch: OddsScratch) -> None:
    """Locate the board of a new street; prefetch the odds of the first to act and the index of the next boards."""
    if len(scratch.table) == 0 or t.board_size[t.street] < 3:
        return
    bits, board = shown_bits(t, t.board_size[t.street]), scratch.board
    board[0] = bits
    board[1], board[2] = locate_board(scratch.table, bits)
    prefetch_odds(t, t.actor, scratch)
    if t.street < 3:
        prefetch_row(scratch.table, next_board(t, t.street + 1))
    if t.street < 2:
        prefetch_shift(scratch.table, next_board(t, t.street + 2))


@kernel(refcount=False)
def prefetch_odds(t: Table, seat: int, scratch: OddsScratch) -> None:
    """Prefetch the odds of a seat on the board that was located last, which is harmless if it is another one."""
    shown = t.board_size[t.street]
    if len(scratch.table) and shown >= 3:
        number = entry_index(scratch.board[1], scratch.board[2], t.hole[2 * seat], t.hole[2 * seat + 1])
        prefetch_powers(scratch.table, shown, number)


@kernel(refcount=False)
def showdown_odds(t: Table, seat: int, opponents: int, scratch: OddsScratch) -> float:
    """Return the probability to win a showdown against this number of opponents."""
    if scratch.which == NO_ODDS or opponents == 0:
        return 0.0
    a, b = t.hole[2 * seat], t.hole[2 * seat + 1]
    shown = t.board_size[t.street]
    if shown == 0:
        high, low = max(a, b), min(a, b)
        return float(_PREFLOP[CLASS_OF_HOLDING[high * (high - 1) // 2 + low], opponents - 1])
    bits = shown_bits(t, shown)
    board, powers = scratch.board, scratch.powers
    if len(scratch.table) == 0:
        _call_direct_odds(scratch.direct, (scratch.table, bits, shown, a, b, powers))
    else:
        if bits != board[0]:
            board[0] = bits
            board[1], board[2] = locate_board(scratch.table, bits)
        powers_at(scratch.table, shown, entry_index(board[1], board[2], a, b), powers)
    if scratch.which == POWER_ODDS:
        return weighted_sum(powers, POWER_WEIGHTS[shown - 3, opponents])
    return weighted_sum(powers, CORRECTIONS[shown - 3, opponents])


@kernel(refcount=False)
def winnable(t: Table, seat: int) -> int:
    """Return the chips of the pot that a seat can win: of each player's at most its own total."""
    reach, chips = paid(t, seat) + t.stack[seat], t.dead
    for other in range(t.seats):
        chips += min(paid(t, other), reach)
    return int(chips)


@kernel(refcount=False)
def hands_to_button(t: Table, seat: int) -> int:
    """Return the number of hands until a seat has the button, which goes to the next player each hand."""
    hands, other = 0, t.button
    while other != seat:
        other = (other + 1) % t.seats
        hands += t.status[other] != EMPTY
    return hands


@kernel(refcount=False)
def write_inputs(t: Table, seat: int, ids: Ints, memory: Floats, scratch: OddsScratch, inputs: Singles) -> None:
    """Write the scaled inputs into the first 35 elements of `inputs`; ids (seats,) are the players at the table."""
    # The odds first: their memory access may be slow, and nothing else waits for it.
    opponents = t.live - 1
    inputs[3] = showdown_odds(t, seat, opponents, scratch)
    half = MIDDLE * t.big_blind
    pot, price = float(winnable(t, seat)), float(price_of(t, seat))
    inputs[0] = pot / (pot + half)
    inputs[1] = price / (price + half)
    inputs[2] = opponents / MAX_OPPONENTS
    inputs[4] = hands_to_button(t, seat) / MAX_HANDS
    other = seat
    for number in range(t.seats):
        player = ids[other]
        if t.status[other] == EMPTY or player < 0:
            inputs[CHIPS + number] = 0.0
            inputs[AGGRESSION + number] = 0.0
            inputs[RECENT + number] = 0.0
        else:
            chips = float(t.stack[other])
            inputs[CHIPS + number] = chips / (chips + half)
            inputs[AGGRESSION + number] = memory[player, LONG]
            inputs[RECENT + number] = memory[player, SHORT]
        other += 1
        if other == t.seats:
            other = 0
    for number in range(t.seats, SEATS):
        inputs[CHIPS + number] = 0.0
        inputs[AGGRESSION + number] = 0.0
        inputs[RECENT + number] = 0.0
