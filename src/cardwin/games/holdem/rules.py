"""The rules of hold'em betting, written once, for every variant and any number of tables.

1. `post` puts in antes, then blinds, and determines the seat that opens.
2. `move` plays the actor's action and passes the turn. `verify` returns the rule that forbids an action.
3. When no seat is left to act, `end_round` returns the uncalled part of a bet and begins the next street. Once one seat
   is left or the last street is over, `showdown` pays the pots.

`begin_hand` and `act` include the third step.

The fields that every action changes form a `Betting`, a tuple of numbers that the engine's loop keeps in registers:
`read_betting` reads it from the record and `write_betting` writes it back. Functions of a table alone read the record.

The rules draw nothing at random: cards are in the record before the hand begins.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cardwin.core.kernel import kernel
from cardwin.games.base import NOBODY
from cardwin.games.holdem import events
from cardwin.games.holdem.events import Log, log_event
from cardwin.games.holdem.showdown import pay_last_seat, pay_pots
from cardwin.games.holdem.table import ACTIVE, EMPTY, FOLDED, LINE, SEATS, STREETS, Table, Tables

Chips = npt.NDArray[np.int64]

ANTES, BLINDS = 0, 1  # the rows of the forced bets
FOLD, CALL, RAISE = 0, 1, 2  # a check is a call of nothing, a bet is a raise of nothing
# The rule that forbids an action; FINE: none.
(
    FINE,
    NOBODY_TO_ACT,
    FOLD_IS_FREE,
    RAISE_CAPPED,
    NOT_REOPENED,
    NOBODY_TO_RAISE,
    STACK_TOO_SMALL,
    RAISE_TOO_SMALL,
    RAISE_TOO_LARGE,
    NO_SUCH_ACTION,
) = range(10)


# The lowest seat of a non-empty set of seats, as bits. Unsigned entries and masks show the compiler that an index is
# not negative; otherwise every look-up checks for negative indices.
ALL_SEATS = (1 << SEATS) - 1
LOWEST_SEAT = np.array([0, *((seats & -seats).bit_length() - 1 for seats in range(1, 1 << SEATS))], np.uint8)


class Betting(NamedTuple):
    """The fields of a table's record that every action changes, under the same names."""

    actor: int
    to_act: int
    can_act: int
    current_bet: int
    min_raise: int
    raises: int
    live: int


@kernel
def read_betting(t: Table) -> Betting:
    """Return the betting fields of the record."""
    return Betting(t.actor, t.to_act, t.can_act, t.current_bet, t.min_raise, t.raises, t.live)


@kernel
def write_betting(t: Table, b: Betting) -> None:
    """Write the betting fields into the record."""
    t.actor, t.to_act, t.can_act = b.actor, b.to_act, b.can_act
    t.current_bet, t.min_raise, t.raises, t.live = b.current_bet, b.min_raise, b.raises, b.live


@kernel
def paid(t: Table, seat: int) -> int:
    """Return the chips that a seat has put in during the hand, without dead antes. Valid until pots are paid."""
    return int(t.start[seat] - t.stack[seat] - t.dead_paid[seat])


@kernel
def next_seat(t: Table, seat: int) -> int:
    """Return the nearest occupied seat with chips to the left, between hands: also the next button."""
    other = seat
    for _ in range(t.seats):
        other = other + 1 if other + 1 < t.seats else 0
        if t.stack[other] > 0:
            return int(other)
    return seat


@kernel
def forced_bets(t: Table, forced: Chips) -> None:
    """Write the antes and blinds of every seat into forced (2, 10). Heads-up the button posts the small blind.

    With a dead button the record names the seats of the blinds.
    """
    players = 0
    for seat in range(t.seats):
        forced[BLINDS, seat] = 0
        forced[ANTES, seat] = t.ante if t.stack[seat] > 0 else 0
        players += t.stack[seat] > 0
    if t.antes_only:
        return
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


@kernel(refcount=False)
def begin_hand(t: Table, forced: Chips, log: Log) -> None:
    """Post antes and blinds, and continue to the first decision or to the end."""
    post(t, forced, log)
    if t.actor == NOBODY:
        end_round(t, log)


@kernel(refcount=False)
def post(t: Table, forced: Chips, log: Log) -> None:
    """Post antes and blinds, forced (2, 10), limited by the stacks. Cards are already dealt; a seat opens."""
    seats = t.seats
    t.street, t.live, t.can_act, t.dead, t.current_bet, t.raises, t.decided, t.actions = 0, 0, 0, 0, 0, 0, 0, 0
    t.min_raise = t.bet_size[0]
    for seat in range(seats):
        t.start[seat] = t.stack[seat]
        t.bet[seat] = 0
        t.dead_paid[seat] = 0
        t.status[seat] = ACTIVE if t.stack[seat] > 0 else EMPTY
        t.live += t.stack[seat] > 0
    for seat in range(seats):
        chips = min(forced[ANTES, seat], t.stack[seat])
        if chips > 0:
            t.stack[seat] -= chips
            if t.dead_antes:
                t.dead += chips
                t.dead_paid[seat] = chips
        if len(log) > 1 and t.status[seat] == ACTIVE and forced[ANTES, seat] > 0:
            log_event(log, events.ANTE, seat, chips, forced[ANTES, seat], 0)
    # The last of the largest blinds is the big blind; heads-up the button posts first.
    largest, opener = 1, t.button
    seat = t.button if t.live > 2 else t.button - 1
    for _ in range(seats):
        seat = seat + 1 if seat + 1 < seats else 0
        chips = min(forced[BLINDS, seat], t.stack[seat])
        if chips > 0:
            t.stack[seat] -= chips
            t.bet[seat] += chips
            t.current_bet = max(t.current_bet, t.bet[seat])
        if len(log) > 1 and t.status[seat] == ACTIVE and forced[BLINDS, seat] > 0:
            log_event(log, events.BLIND, seat, chips, forced[BLINDS, seat], 0)
        if forced[BLINDS, seat] >= largest:
            largest, opener = forced[BLINDS, seat], seat
        if t.stack[seat] > 0:
            t.can_act |= 1 << seat
    begin_first_round(t, opener)


@kernel
def to_call(t: Table, seat: int) -> int:
    """Return the chips that a seat must add to stay in."""
    return int(min(t.current_bet - t.bet[seat], t.stack[seat]))


@kernel
def begin_first_round(t: Table, last: int) -> None:
    """Give a turn, from the seat after `last` on, to all who could still lose more than the blinds."""
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
    t.actor = next_to_act(to_act, last)


@kernel
def next_to_act(to_act: int, seat: int) -> int:
    """Return the nearest seat to the left that still has to act, or NOBODY."""
    if to_act == 0:
        return NOBODY
    further = to_act >> (seat + 1) << (seat + 1)
    return int(LOWEST_SEAT[(further if further else to_act) & ALL_SEATS])


@kernel
def why_no_raise(t: Table) -> int:
    """Return FINE if the actor may bet or raise, otherwise the rule that forbids it."""
    return raise_refused(t, read_betting(t))


@kernel
def raise_refused(t: Table, b: Betting) -> int:
    """Return the same as `why_no_raise`, from the betting fields."""
    seat = b.actor
    if t.stack[seat] <= b.current_bet - t.bet[seat]:
        return STACK_TOO_SMALL
    if b.raises >= t.cap[t.street & (STREETS - 1)]:
        return RAISE_CAPPED
    # An all-in for less does not reopen the betting to seats that have acted. Several together may make a full raise.
    if t.faced[seat] >= 0 and b.current_bet - t.faced[seat] < b.min_raise:
        return NOT_REOPENED
    others = b.can_act & ~(1 << seat)
    while others:
        other = int(LOWEST_SEAT[others & ALL_SEATS])
        if t.bet[other] + t.stack[other] > b.current_bet:
            return FINE
        others &= others - 1
    return NOBODY_TO_RAISE


@kernel
def min_raise_to(t: Table) -> int:
    """Return the minimum total bet of a raise, if the actor may raise: all-in if the stack is short."""
    seat = t.actor
    return int(min(t.bet[seat] + t.stack[seat], t.current_bet + t.min_raise))


@kernel
def max_raise_to(t: Table) -> int:
    """Return the maximum total bet of a raise, if the actor may raise."""
    seat = t.actor
    return min_raise_to(t) if t.limit else int(t.bet[seat] + t.stack[seat])


@kernel
def verify(t: Table, action: int, amount: int) -> int:
    """Return FINE if the actor may do this, otherwise the rule that forbids it."""
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


@kernel(refcount=False)
def act(t: Table, action: int, amount: int, log: Log) -> None:
    """Play a legal action, and continue to the next decision or to the end."""
    write_betting(t, move(t, read_betting(t), action, amount, log))
    if t.actor == NOBODY:
        end_round(t, log)


@kernel(refcount=False)
def move(t: Table, b: Betting, action: int, amount: int, log: Log) -> Betting:
    """Play a legal action, and pass the turn; if no seat is left to act, `end_round` is due."""
    seat, bit = b.actor, 1 << b.actor
    bet, stack, folds = t.bet[seat], t.stack[seat], action == FOLD
    to_act, current_bet, min_raise, raises = b.to_act & ~bit, b.current_bet, b.min_raise, b.raises
    # Only a raise changes who acts next, so only it is a branch: folds and calls are distinguished by arithmetic.
    if action == RAISE:
        min_raise = max(min_raise, amount - current_bet)
        current_bet = amount
        raises += 1
        to_act = b.can_act & ~bit
    chips = 0 if folds else min(current_bet - bet, stack)
    if len(log) > 1:
        log_action(t, seat, action, chips, b.current_bet, amount, log)
    t.decided = t.street
    t.line[t.actions & (LINE - 1)] = 4 * amount + action if action == RAISE else action
    t.actions += 1
    t.stack[seat], t.bet[seat], t.faced[seat] = stack - chips, bet + chips, current_bet
    t.status[seat] = FOLDED if folds else ACTIVE
    can_act = b.can_act & ~bit if folds or chips == stack else b.can_act
    live = b.live - folds
    actor = next_to_act(to_act, seat) if live > 1 else NOBODY
    return Betting(actor, to_act, can_act, current_bet, min_raise, raises, live)


@kernel(refcount=False)
def log_action(t: Table, seat: int, action: int, chips: int, old_bet: int, amount: int, log: Log) -> None:
    """Log an action."""
    if action == FOLD:
        log_event(log, events.FOLDS, seat, 0, t.street, 0)
    elif action == CALL:
        log_event(log, events.CALLS if chips else events.CHECKS, seat, chips, t.street, 0)
    else:
        log_event(log, events.RAISES if old_bet else events.BETS, seat, chips, t.street, amount)


@kernel(refcount=False)
def return_uncalled(t: Table, log: Log) -> None:
    """Return the part of the largest bet that no seat matched."""
    if t.current_bet == 0:
        return
    largest, second, owner = 0, 0, 0
    for seat in range(t.seats):
        if t.bet[seat] > largest:
            largest, second, owner = t.bet[seat], largest, seat
        elif t.bet[seat] > second:
            second = t.bet[seat]
    if largest > second:
        t.stack[owner] += largest - second
        t.bet[owner] -= largest - second
        if len(log) > 1:
            log_event(log, events.RETURNED, owner, largest - second, t.street, 0)


@kernel
def staked(t: Table) -> int:
    """Return the largest amount that a seat had put in when a hand ended, before its uncalled part was returned.

    It is exact if all seats had equal stacks. If all but one folded, the last bet may be far above the result.
    """
    largest = 0
    for seat in range(t.seats):
        uncalled = t.current_bet - t.bet[seat] if t.live == 1 else 0
        largest = max(largest, t.contributed[seat] + uncalled)
    return int(largest)


@kernel
def staked_at(tables: Tables) -> int:
    """Call `staked` for the first table of an array."""
    return staked(tables[0])


@kernel(refcount=False)
def log_results(t: Table, log: Log) -> None:
    """Log the net chips that every seat won in the hand."""
    if len(log) == 1:
        return
    for seat in range(t.seats):
        log_event(log, events.ENDS, seat, t.stack[seat] - t.start[seat], 0, 0)


@kernel(refcount=False)
def end_round(t: Table, log: Log) -> None:
    """Continue to the next street with a decision, or to the end."""
    while t.actor == NOBODY:
        return_uncalled(t, log)
        if t.live == 1 or t.street + 1 == t.streets:
            for seat in range(t.seats):
                t.contributed[seat] = paid(t, seat)
        if t.live == 1:
            pay_last_seat(t, log)
            log_results(t, log)
            return
        if t.street + 1 == t.streets:
            pay_pots(t, log)
            log_results(t, log)
            return
        t.street += 1
        t.current_bet, t.raises = 0, 0
        t.min_raise = t.bet_size[t.street]
        for seat in range(t.seats):
            t.bet[seat] = 0
            t.faced[seat] = -1
        if len(log) > 1:
            log_event(log, events.STREET, t.street, t.board_size[t.street - 1], t.board_size[t.street], 0)
        # No bet yet: all seats with chips act, unless there is only one.
        t.to_act = t.can_act if t.can_act & (t.can_act - 1) else 0
        t.actor = next_to_act(t.to_act, t.button)
