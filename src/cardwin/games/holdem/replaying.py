"""The steps of a recorded hand, played by the rules in one kernel call.

If poker sites differ, the record is accepted: a fold although checking is free, and a raise that either our reopening
rule or PokerKit's allows. PokerKit's rule: a street has a size (the largest bet or raise so far, short ones included).
A raise is refused if less than the size is to call, or if the seat has acted since the last full raise while
consecutive short all-ins sum to less than the size.

There are two other sets of customs:

- DEALER, logs of the ACPC dealer. Every all-in reopens the betting. A raise is by at least the last raise, or to what
  the last full raise would have required after a short all-in, whichever is more. A seat may raise while another still
  has chips, even if no opponent can call more. Before the flop every seat with chips has a turn. In limit a raise may
  exceed the stack; it is then for the whole stack, and the bet to match may even decrease.
- ROOM, poker rooms. A seat may raise while another has chips, even if no opponent can call more. An absent player is
  folded even if all-in.
"""

import numpy as np
import numpy.typing as npt

from cardwin.core.kernel import kernel
from cardwin.games.base import NOBODY
from cardwin.games.holdem import rules
from cardwin.games.holdem.events import Log
from cardwin.games.holdem.rules import FINE, RAISE, Chips
from cardwin.games.holdem.table import ACTIVE, FOLDED, Table, Tables

# Steps (n, 3): kind, seat, amount. A step of NOBODY is the actor's; a deal's amount is its number of cards.
Steps = npt.NDArray[np.int64]
KIND, SEAT, AMOUNT = 0, 1, 2
DEAL, SHOW, NOTE = 3, 4, 5
RAISE_OF_HAND, RAISE_MINIMUM = 6, 7  # a total of the whole hand, and the raise of limit; both become a RAISE
(NOT_THE_TURN, IS_OVER, BOARD_IS_DUE, NO_BOARD_DUE, TOO_MANY_CARDS, TOO_EARLY_TO_SHOW) = range(20, 26)

TABLE, DEALER, ROOM = range(3)  # customs: ours, the ACPC dealer's, poker rooms'

# State of PokerKit's reopening rule on a street. With the dealer's customs the size is the minimum total of a raise.
SIZE, ACTED, SHORT = 0, 1, 2


@kernel
def play_steps(
    tables: Tables, forced: Chips, last: int, to_match: int, steps: Steps, customs: int, log: Log
) -> tuple[int, int, int]:
    """Begin a hand at the first table and play its steps; `last` posted last, so the next seat opens.

    Steps without a seat or an amount are completed in place. Returns the number of steps played, FINE or the error of
    the next step, and the number of board cards dealt.
    """
    begin_steps(tables, forced, last, to_match, customs, log)
    return take_steps(tables, steps, 0, customs, np.zeros(3, np.int64), log)


@kernel
def begin_steps(tables: Tables, forced: Chips, last: int, to_match: int, customs: int, log: Log) -> None:
    """Begin the hand at the first table; `last` posted last, and the bet to match is at least `to_match`."""
    t = tables[0]
    rules.post(t, forced, log)
    t.current_bet = max(t.current_bet, to_match)
    if customs == DEALER:
        t.to_act = t.can_act
        t.actor = rules.next_to_act(t.to_act, last)
    elif t.actor != NOBODY:
        rules.begin_first_round(t, last)
    if t.actor == NOBODY:
        rules.end_round(t, log)


@kernel
def take_steps(tables: Tables, steps: Steps, shown: int, customs: int, street: Chips, log: Log) -> tuple[int, int, int]:
    """Play steps after `shown` board cards; street (3,) is the state of the raising rule. Returns as `play_steps`."""
    t = tables[0]
    for index in range(len(steps)):
        kind, reason = steps[index, KIND], FINE
        if kind == DEAL:
            reason = why_no_deal(t, shown, steps[index, AMOUNT])
            if reason == FINE:
                shown += steps[index, AMOUNT]
        elif kind == SHOW:
            if t.actor != NOBODY:
                reason = TOO_EARLY_TO_SHOW
        elif kind != NOTE:
            reason = take_step(t, shown, steps[index], customs, street, log)
        if reason != FINE:
            return index, reason, shown
    return len(steps), FINE, shown


@kernel
def why_no_deal(t: Table, shown: int, cards: int) -> int:
    """Return FINE if this many board cards can be dealt now, one by one or together, otherwise the error."""
    due = t.board_size[t.street]
    if t.actor == NOBODY and t.live > 1:
        due = t.board_size[t.streets - 1]
    if shown >= due:
        return NO_BOARD_DUE
    for size in t.board_size:
        if size > shown:
            return FINE if shown + cards <= size else TOO_MANY_CARDS
    return NO_BOARD_DUE


@kernel
def take_step(t: Table, shown: int, step: Steps, customs: int, street: Chips, log: Log) -> int:
    """Play a step of the actor, or return its error."""
    seat = t.actor
    if seat == NOBODY:
        return IS_OVER
    if step[SEAT] == NOBODY:
        step[SEAT] = seat
    if step[SEAT] != seat:
        if customs == ROOM and step[KIND] == rules.FOLD and fold_absent_seat(t, step[SEAT]):
            return FINE
        return NOT_THE_TURN
    if shown != t.board_size[t.street]:
        return BOARD_IS_DUE
    if step[KIND] == RAISE_OF_HAND:
        step[KIND], step[AMOUNT] = RAISE, step[AMOUNT] - rules.paid(t, seat) + t.bet[seat]
    elif step[KIND] == RAISE_MINIMUM:
        step[KIND], step[AMOUNT] = RAISE, rules.min_raise_to(t)
    if step[KIND] == RAISE:
        if customs == DEALER:
            reason = dealer_refuses(t, step[AMOUNT], street)
        else:
            if is_reopened(t, street):
                t.faced[seat] = -1
            reason = rules.verify(t, RAISE, step[AMOUNT])
            if customs == ROOM and reason == rules.NOBODY_TO_RAISE and t.can_act & ~(1 << seat):
                reason = FINE if step[AMOUNT] <= t.bet[seat] + t.stack[seat] else rules.RAISE_TOO_LARGE
        if reason != FINE:
            return reason
    now = t.street
    if customs == DEALER:
        update_dealer_street(t, step, street)
    else:
        update_street(t, step, street)
    rules.act(t, step[KIND], step[AMOUNT], log)
    if t.street != now:
        street[:] = 0
    return FINE


@kernel
def fold_absent_seat(t: Table, seat: int) -> bool:
    """Fold an all-in seat if others play on, as rooms do with an absent player; return whether it was folded."""
    if t.status[seat] != ACTIVE or t.stack[seat] > 0 or t.live <= 2:
        return False
    t.status[seat] = FOLDED
    t.live -= 1
    return True


@kernel
def dealer_min_raise(t: Table, street: Chips) -> int:
    """Return the minimum total that the dealer lets the actor raise to, if its stack suffices."""
    return int(street[SIZE] if street[SIZE] else t.current_bet + t.bet_size[t.street])


@kernel
def dealer_refuses(t: Table, amount: int, street: Chips) -> int:
    """Return FINE if the dealer lets the actor raise to this total, otherwise the rule that forbids it."""
    seat = t.actor
    if t.raises >= t.cap[t.street]:
        return rules.RAISE_CAPPED
    if t.can_act & ~(1 << seat) == 0:
        return rules.NOBODY_TO_RAISE
    if t.limit:
        return FINE
    reach = t.bet[seat] + t.stack[seat]
    if reach <= t.current_bet:
        return rules.STACK_TOO_SMALL
    if amount < min(dealer_min_raise(t, street), reach):
        return rules.RAISE_TOO_SMALL
    return FINE if amount <= reach else rules.RAISE_TOO_LARGE


@kernel
def update_dealer_street(t: Table, step: Steps, street: Chips) -> None:
    """Update the minimum raise of the dealer's rule for a step that is about to be played."""
    if step[KIND] == RAISE:
        street[SIZE] = max(dealer_min_raise(t, street), 2 * step[AMOUNT] - t.current_bet)


@kernel
def is_reopened(t: Table, street: Chips) -> bool:
    """Return whether PokerKit's rule allows the actor to raise."""
    if rules.to_call(t, t.actor) < street[SIZE]:
        return False
    waits = 0 < street[SHORT] < street[SIZE]
    return not (waits and street[ACTED] >> t.actor & 1)


@kernel
def update_street(t: Table, step: Steps, street: Chips) -> None:
    """Update the state of PokerKit's rule for a step that is about to be played."""
    seat = t.actor
    street[ACTED] |= 1 << seat
    if step[KIND] != RAISE:
        return
    raised = step[AMOUNT] - t.current_bet
    if raised >= street[SIZE]:
        street[ACTED], street[SIZE] = 1 << seat, raised
    all_in = step[AMOUNT] == t.bet[seat] + t.stack[seat]
    street[SHORT] = street[SHORT] + raised if all_in else 0
    if street[SHORT] >= street[SIZE]:
        street[SHORT] = 0
