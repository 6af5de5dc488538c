"""The rules of hold'em betting, written once, for every variant and for any number of tables.

1. `post` puts in antes, then blinds, and finds who opens.
2. `move` does what the actor chose (`verify` says beforehand which rule forbids it), then passes the turn on.
3. When nobody is left to act, `end_round` gives the uncalled part of a bet back and begins the next street, until one
   seat is left or the last street is over: then `showdown` pays the pots.
`begin_hand` and `act` do the third step where it is due. A dealer that loops over decisions calls it in one place of
its own, since the compiler copies all of it to wherever it is called.

The rules draw nothing: cards lie in the record before the hand begins.
"""

import numpy as np
import numpy.typing as npt

from cardwin.core.kernel import kernel
from cardwin.games.base import NOBODY
from cardwin.games.holdem import log as notes
from cardwin.games.holdem.log import Log, note
from cardwin.games.holdem.showdown import pay_last_seat, pay_pots
from cardwin.games.holdem.table import ACTIVE, EMPTY, FOLDED, Table

Chips = npt.NDArray[np.int64]

ANTES, BLINDS = 0, 1  # the rows of what is forced
FOLD, CALL, RAISE = 0, 1, 2  # a check is a call of nothing, a bet is a raise of nothing
(FINE, NOBODY_TO_ACT, FOLD_IS_FREE, RAISE_CAPPED, NOT_REOPENED, NOBODY_TO_RAISE, STACK_TOO_SMALL, RAISE_TOO_SMALL,
 RAISE_TOO_LARGE, NO_SUCH_ACTION) = range(10)  # fmt: skip


@kernel
def next_seat(t: Table, seat: int) -> int:
    """The nearest seat to the left that somebody with chips sits in, between hands: also the next button."""
    other = seat
    for _ in range(t.seats):
        other = other + 1 if other + 1 < t.seats else 0
        if t.stack[other] > 0:
            return int(other)
    return seat


@kernel
def forced_bets(t: Table, forced: Chips) -> None:
    """Antes and blinds of every seat, forced (2, 10), from the button: heads-up it posts the small blind.

    With a dead button the blinds have seats of their own.
    """
    players = 0
    for seat in range(t.seats):
        forced[BLINDS, seat] = 0
        forced[ANTES, seat] = t.ante if t.stack[seat] > 0 else 0
        players += t.stack[seat] > 0
    if t.dead_button:
        if not t.small_dead:
            forced[BLINDS, t.small_seat] = t.small_blind
        forced[BLINDS, t.big_seat] = t.big_blind
        return
    small = t.button if players == 2 and t.stack[t.button] > 0 else next_seat(t, t.button)
    # With one blind only, the seat after the button posts it.
    big = next_seat(t, small) if t.small_blind > 0 or players == 2 else small
    forced[BLINDS, small] = t.small_blind
    forced[BLINDS, big] = t.big_blind


@kernel
def put_in(t: Table, seat: int, chips: int) -> None:
    """Move chips from a stack into the seat's bet."""
    t.stack[seat] -= chips
    t.bet[seat] += chips
    t.contributed[seat] += chips


@kernel
def begin_hand(t: Table, forced: Chips, log: Log | None) -> None:
    """Post, and go on to the first decision or to the end."""
    post(t, forced, log)
    if t.actor == NOBODY:
        end_round(t, log)


@kernel
def post(t: Table, forced: Chips, log: Log | None) -> None:
    """Post antes and blinds, forced (2, 10), as far as the stacks reach, and find who opens. Cards are in place."""
    seats = t.seats
    t.street, t.live, t.can_act, t.dead, t.current_bet, t.raises, t.decided = 0, 0, 0, 0, 0, 0, 0
    t.min_raise = t.bet_size[0]
    for seat in range(seats):
        t.start[seat] = t.stack[seat]
        t.bet[seat] = 0
        t.contributed[seat] = 0
        t.status[seat] = ACTIVE if t.stack[seat] > 0 else EMPTY
        t.live += t.stack[seat] > 0
    for seat in range(seats):
        chips = min(forced[ANTES, seat], t.stack[seat])
        if chips > 0:
            t.stack[seat] -= chips
            if t.dead_antes:
                t.dead += chips
            else:
                t.contributed[seat] += chips
        if t.status[seat] == ACTIVE and forced[ANTES, seat] > 0:
            note(log, notes.ANTE, seat, chips, forced[ANTES, seat])
    # The last of the largest blinds is the big one; heads-up the button posts first.
    largest, opener = 1, t.button
    seat = t.button if t.live > 2 else t.button - 1
    for _ in range(seats):
        seat = seat + 1 if seat + 1 < seats else 0
        chips = min(forced[BLINDS, seat], t.stack[seat])
        if chips > 0:
            put_in(t, seat, chips)
            t.current_bet = max(t.current_bet, t.bet[seat])
        if t.status[seat] == ACTIVE and forced[BLINDS, seat] > 0:
            note(log, notes.BLIND, seat, chips, forced[BLINDS, seat])
        if forced[BLINDS, seat] >= largest:
            largest, opener = forced[BLINDS, seat], seat
        if t.stack[seat] > 0:
            t.can_act |= 1 << seat
    begin_first_round(t, opener)


@kernel
def to_call(t: Table, seat: int) -> int:
    """Chips that the seat must add to stay in."""
    return int(min(t.current_bet - t.bet[seat], t.stack[seat]))


@kernel
def begin_first_round(t: Table, last: int) -> None:
    """Ask, from the seat after `last` on, everyone who could still lose more than the blinds that lie there."""
    first_reach, second_reach = 0, 0
    for seat in range(t.seats):
        if t.status[seat] == ACTIVE:
            reach = t.bet[seat] + t.stack[seat]
            if reach > first_reach:
                first_reach, second_reach = reach, first_reach
            elif reach > second_reach:
                second_reach = reach
    to_act, asked, alone = 0, 0, 0
    for seat in range(t.seats):
        t.faced[seat] = -1
        if t.can_act >> seat & 1 and t.bet[seat] < second_reach:
            to_act |= 1 << seat
            asked, alone = asked + 1, seat
    if asked == 1 and t.bet[alone] >= t.current_bet:
        to_act = 0
    t.to_act = to_act
    t.actor = next_to_act(t, last)


@kernel
def next_to_act(t: Table, seat: int) -> int:
    """The nearest seat to the left with something to decide, or NOBODY."""
    if t.to_act == 0:
        return NOBODY
    further, other = t.to_act >> (seat + 1), seat + 1
    if further == 0:
        further, other = t.to_act, 0
    while further & 1 == 0:
        further, other = further >> 1, other + 1
    return int(other)


@kernel
def why_no_raise(t: Table) -> int:
    """FINE if the actor may bet or raise, otherwise the rule that forbids it."""
    seat = t.actor
    if t.stack[seat] <= t.current_bet - t.bet[seat]:
        return STACK_TOO_SMALL
    if t.raises >= t.cap[t.street]:
        return RAISE_CAPPED
    # An all-in for less reopens nothing to those who have acted; several together may make a full raise.
    if t.faced[seat] >= 0 and t.current_bet - t.faced[seat] < t.min_raise:
        return NOT_REOPENED
    others, other = t.can_act & ~(1 << seat), 0
    while others:
        if others & 1 and t.bet[other] + t.stack[other] > t.current_bet:
            return FINE
        others, other = others >> 1, other + 1
    return NOBODY_TO_RAISE


@kernel
def min_raise_to(t: Table) -> int:
    """The least total bet that the actor may raise to, where it may raise: all-in if the stack is short."""
    seat = t.actor
    return int(min(t.bet[seat] + t.stack[seat], t.current_bet + t.min_raise))


@kernel
def max_raise_to(t: Table) -> int:
    """The largest total bet that the actor may raise to, where it may raise."""
    seat = t.actor
    return min_raise_to(t) if t.limit else int(t.bet[seat] + t.stack[seat])


@kernel
def verify(t: Table, action: int, amount: int) -> int:
    """FINE if the actor may do this, otherwise the rule that forbids it."""
    if t.actor == NOBODY:
        return NOBODY_TO_ACT
    if action == FOLD:
        return FOLD_IS_FREE if t.bet[t.actor] >= t.current_bet else FINE
    if action == CALL:
        return FINE
    if action != RAISE:
        return NO_SUCH_ACTION
    reason = why_no_raise(t)
    if reason == FINE and amount < min_raise_to(t):
        reason = RAISE_TOO_SMALL
    if reason == FINE and amount > max_raise_to(t):
        reason = RAISE_TOO_LARGE
    return reason


@kernel
def act(t: Table, action: int, amount: int, log: Log | None) -> None:
    """Do what `verify` allows, and go on to the next decision or to the end."""
    move(t, action, amount, log)
    if t.actor == NOBODY:
        end_round(t, log)


@kernel
def move(t: Table, action: int, amount: int, log: Log | None) -> None:
    """Do what `verify` allows, and pass the turn on; where nobody is left to act, `end_round` is due."""
    seat = t.actor
    t.decided = t.street
    t.to_act &= ~(1 << seat)
    if action == FOLD:
        t.status[seat] = FOLDED
        t.can_act &= ~(1 << seat)
        t.live -= 1
        note(log, notes.FOLDS, seat, 0, t.street)
    elif action == CALL:
        chips = to_call(t, seat)
        put_in(t, seat, chips)
        note(log, notes.CALLS if chips else notes.CHECKS, seat, chips, t.street)
    else:
        chips = amount - t.bet[seat]
        note(log, notes.RAISES if t.current_bet else notes.BETS, seat, chips, t.street, amount)
        t.min_raise = max(t.min_raise, amount - t.current_bet)
        t.current_bet = amount
        t.raises += 1
        put_in(t, seat, chips)
        t.to_act = t.can_act & ~(1 << seat)
    if t.stack[seat] == 0:
        t.can_act &= ~(1 << seat)
    t.faced[seat] = t.current_bet
    t.actor = next_to_act(t, seat) if t.live > 1 else NOBODY


@kernel
def return_uncalled(t: Table, log: Log | None) -> None:
    """Give back the part of the largest bet that nobody matched."""
    if t.current_bet == 0:
        return
    largest, second, owner = 0, 0, 0
    for seat in range(t.seats):
        if t.bet[seat] > largest:
            largest, second, owner = t.bet[seat], largest, seat
        elif t.bet[seat] > second:
            second = t.bet[seat]
    if largest > second:
        put_in(t, owner, second - largest)
        note(log, notes.RETURNED, owner, largest - second, t.street)


@kernel
def note_end(t: Table, log: Log | None) -> None:
    """Write down what every seat won in the hand."""
    if log is None:
        return
    for seat in range(t.seats):
        note(log, notes.ENDS, seat, t.stack[seat] - t.start[seat], 0)


@kernel
def end_round(t: Table, log: Log | None) -> None:
    """Go on to the next street where somebody has something to decide, or to the end."""
    while t.actor == NOBODY:
        return_uncalled(t, log)
        if t.live == 1:
            pay_last_seat(t, log)
            note_end(t, log)
            return
        if t.street + 1 == t.streets:
            pay_pots(t, log)
            note_end(t, log)
            return
        t.street += 1
        t.current_bet, t.raises = 0, 0
        t.min_raise = t.bet_size[t.street]
        for seat in range(t.seats):
            t.bet[seat] = 0
            t.faced[seat] = -1
        note(log, notes.STREET, t.street, t.board_size[t.street - 1], t.board_size[t.street])
        # Nobody has bet: all who have chips are asked, unless there is but one of them.
        t.to_act = t.can_act if t.can_act & (t.can_act - 1) else 0
        t.actor = next_to_act(t, t.button)
