"""The steps of a recorded hand, played by the rules in one kernel call.

Where poker sites differ, the record is accepted: a fold where checking was free, and a raise that either our reopening
rule or PokerKit's allows. PokerKit's rule in its own terms: a street has a size (the largest bet or raise
so far, short ones too), and a raise is refused if less than the size is to call, or for a seat that has acted since
the last full raise while short all-ins in a row sum to less than the size.

Customs other than ours: logs of the ACPC dealer follow its own rules, DEALER. Every all-in reopens the betting; a
raise is by at least the last raise, or to what the last full raise would have required after a short all-in, whichever
is more; a seat may raise while another still has chips, even if nobody can call more; before the flop everyone with
chips has a turn. In limit a raise may go beyond the stack. It is then for the whole stack, and what the others must
match may even become less.

At poker rooms, ROOM, a seat may also raise while another has chips though nobody can call more, and a player who is
absent is folded even if all-in.
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
WHAT, WHO, AMOUNT = 0, 1, 2
DEAL, SHOW, NOTE = 3, 4, 5
RAISE_OF_HAND, RAISE_LEAST = 6, 7  # a total of the whole hand, and the only raise of limit: both become a RAISE
(NOT_THE_TURN, IS_OVER, BOARD_IS_DUE, NO_BOARD_DUE, TOO_MANY_CARDS, TOO_EARLY_TO_SHOW) = range(20, 26)

TABLE, DEALER, ROOM = range(3)  # whose customs a record follows

# State of PokerKit's reopening rule on a street; at the dealer the size is the least total to raise to.
SIZE, ACTED, SHORT = 0, 1, 2


@kernel
def play_steps(
    tables: Tables, forced: Chips, last: int, to_match: int, steps: Steps, customs: int, log: Log
) -> tuple[int, int, int]:
    """Begin a hand at the first table and play its steps; `last` posted last, so the next seat opens.

    Returns how many steps were played, FINE or the error of the next one, and the board cards dealt. Steps are
    completed if they omit the seat or the amount.
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
    for place in range(len(steps)):
        what, reason = steps[place, WHAT], FINE
        if what == DEAL:
            reason = why_no_deal(t, shown, steps[place, AMOUNT])
            if reason == FINE:
                shown += steps[place, AMOUNT]
        elif what == SHOW:
            if t.actor != NOBODY:
                reason = TOO_EARLY_TO_SHOW
        elif what != NOTE:
            reason = take_step(t, shown, steps[place], customs, street, log)
        if reason != FINE:
            return place, reason, shown
    return len(steps), FINE, shown


@kernel
def why_no_deal(t: Table, shown: int, cards: int) -> int:
    """FINE if this many board cards can be dealt now, one by one or together, otherwise the error."""
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
    if step[WHO] == NOBODY:
        step[WHO] = seat
    if step[WHO] != seat:
        if customs == ROOM and step[WHAT] == rules.FOLD and gives_up(t, step[WHO]):
            return FINE
        return NOT_THE_TURN
    if shown != t.board_size[t.street]:
        return BOARD_IS_DUE
    if step[WHAT] == RAISE_OF_HAND:
        step[WHAT], step[AMOUNT] = RAISE, step[AMOUNT] - rules.paid(t, seat) + t.bet[seat]
    elif step[WHAT] == RAISE_LEAST:
        step[WHAT], step[AMOUNT] = RAISE, rules.min_raise_to(t)
    if step[WHAT] == RAISE:
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
        remember_at_dealer(t, step, street)
    else:
        remember(t, step, street)
    rules.act(t, step[WHAT], step[AMOUNT], log)
    if t.street != now:
        street[:] = 0
    return FINE


@kernel
def gives_up(t: Table, seat: int) -> bool:
    """Fold an all-in seat, if others play on: rooms do that to a player who is absent."""
    if t.status[seat] != ACTIVE or t.stack[seat] > 0 or t.live <= 2:
        return False
    t.status[seat] = FOLDED
    t.live -= 1
    return True


@kernel
def dealer_least(t: Table, street: Chips) -> int:
    """The least total that the dealer lets the actor raise to, if its stack reaches that far."""
    return int(street[SIZE] if street[SIZE] else t.current_bet + t.bet_size[t.street])


@kernel
def dealer_refuses(t: Table, amount: int, street: Chips) -> int:
    """FINE if the dealer lets the actor raise to this total, otherwise the rule that forbids it."""
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
    if amount < min(dealer_least(t, street), reach):
        return rules.RAISE_TOO_SMALL
    return FINE if amount <= reach else rules.RAISE_TOO_LARGE


@kernel
def remember_at_dealer(t: Table, step: Steps, street: Chips) -> None:
    """Update the least raise of the dealer's rule for a step that is about to be played."""
    if step[WHAT] == RAISE:
        street[SIZE] = max(dealer_least(t, street), 2 * step[AMOUNT] - t.current_bet)


@kernel
def is_reopened(t: Table, street: Chips) -> bool:
    """Whether PokerKit's rule allows the actor to raise."""
    if rules.to_call(t, t.actor) < street[SIZE]:
        return False
    waits = 0 < street[SHORT] < street[SIZE]
    return not (waits and street[ACTED] >> t.actor & 1)


@kernel
def remember(t: Table, step: Steps, street: Chips) -> None:
    """Update the state of PokerKit's rule for a step that is about to be played."""
    seat = t.actor
    street[ACTED] |= 1 << seat
    if step[WHAT] != RAISE:
        return
    raised = step[AMOUNT] - t.current_bet
    if raised >= street[SIZE]:
        street[ACTED], street[SIZE] = 1 << seat, raised
    all_in = step[AMOUNT] == t.bet[seat] + t.stack[seat]
    street[SHORT] = street[SHORT] + raised if all_in else 0
    if street[SHORT] >= street[SIZE]:
        street[SHORT] = 0
