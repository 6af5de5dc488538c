"""Showdown: main pot, side pots, split pots and odd chips, exact to the chip.

A pot is a layer of the chips paid, between two levels that live seats have reached. A seat that has paid up to the
upper level can win it. Odd chips are given one by one from the first seat left of the button, pot by pot.
"""

import numpy as np

from cardwin.cards.ranks import BITS, CODES, START, WORST_RANK, rank_of, rank_of_seven, simple_rank
from cardwin.core.kernel import kernel
from cardwin.games.holdem import events
from cardwin.games.holdem.events import Log, log_event
from cardwin.games.holdem.table import ACTIVE, BOARD, MUCKED, UNKNOWN, Table


@kernel
def rank_suited(t: Table) -> None:
    """Write the strength of every live hand; larger is better. The board's part is summed once."""
    total, held = START, 0
    for index in range(BOARD):
        card = t.board[index]
        total += CODES[card]
        held |= BITS[card]
    for seat in range(t.seats):
        if t.status[seat] == ACTIVE:
            a, b = t.hole[2 * seat], t.hole[2 * seat + 1]
            if a < 0 or b < 0:
                t.strength[seat] = known_strength(total, held, a, b)
                continue
            rank = rank_of_seven(total + CODES[a] + CODES[b], held | BITS[a] | BITS[b])
            t.strength[seat] = WORST_RANK + 1 - rank


@kernel
def known_strength(total: int, held: int, a: int, b: int) -> int:
    """Return the strength of the board with the known ones of two cards; 0 for a mucked hand."""
    if a == MUCKED or b == MUCKED:
        return 0
    cards = BOARD
    for card in (a, b):
        if card != UNKNOWN:
            total, held, cards = total + CODES[card], held | BITS[card], cards + 1
    return WORST_RANK + 1 - rank_of(total, held, cards)


@kernel
def rank_suitless(t: Table) -> None:
    """Write the strength of every live hand in a game without suits."""
    cards = np.empty(BOARD + 2, np.int64)
    for index in range(BOARD):
        cards[index] = t.board[index]
    for seat in range(t.seats):
        if t.status[seat] == ACTIVE:
            a, b = t.hole[2 * seat], t.hole[2 * seat + 1]
            if a < 0 or b < 0:
                t.strength[seat] = 0
                continue
            cards[BOARD], cards[BOARD + 1] = a, b
            t.strength[seat] = simple_rank(cards)


@kernel
def pay_last_seat(t: Table, log: Log) -> None:
    """Pay all chips to the only seat that has not folded."""
    pot, last = t.dead, 0
    for seat in range(t.seats):
        pot += t.contributed[seat]
        if t.status[seat] == ACTIVE:
            last = seat
    t.stack[last] += pot
    if len(log) > 1:
        log_event(log, events.WINS, last, pot, 0, 0)


@kernel
def pay_pots(t: Table, log: Log) -> None:
    """Rank the live hands and pay every pot."""
    if t.suitless:
        rank_suitless(t)
    else:
        rank_suited(t)
    for seat in range(t.seats):
        if len(log) > 1 and t.status[seat] == ACTIVE and min(t.hole[2 * seat], t.hole[2 * seat + 1]) >= 0:
            log_event(log, events.SHOWS, seat, t.hole[2 * seat], t.hole[2 * seat + 1], 0)
    below, pots, layer = -1, 0, t.dead
    while True:
        level, above = next_levels(t, below)
        # Chips that folded seats paid beyond the last level belong to the last pot.
        upper = level if above > level else max(level, largest_contribution(t))
        for seat in range(t.seats):
            layer += max(min(t.contributed[seat], upper) - max(below, 0), 0)
        if layer > 0:
            pay_pot(t, level, layer, pots, log)
            pots += 1
        if above == level:
            return
        below, layer = level, 0


@kernel
def next_levels(t: Table, below: int) -> tuple[int, int]:
    """Return the next level above `below` at which a live seat's chips end, and the highest of all."""
    level, highest = -1, 0
    for seat in range(t.seats):
        if t.status[seat] == ACTIVE and t.contributed[seat] > below:
            level = t.contributed[seat] if level < 0 else min(level, t.contributed[seat])
            highest = max(highest, t.contributed[seat])
    return level, highest


@kernel
def largest_contribution(t: Table) -> int:
    """Return the largest amount that a seat has paid."""
    reach = 0
    for seat in range(t.seats):
        reach = max(reach, t.contributed[seat])
    return reach


@kernel
def pay_pot(t: Table, level: int, pot: int, number: int, log: Log) -> None:
    """Split one pot among the best hands that have paid up to its level."""
    best, winners = -1, 0
    for seat in range(t.seats):
        if t.status[seat] == ACTIVE and t.contributed[seat] >= level:
            if t.strength[seat] > best:
                best, winners = t.strength[seat], 1
            elif t.strength[seat] == best:
                winners += 1
    share, odd = pot, 0
    if winners > 1:  # division is slow, and most pots have one winner
        share, odd = pot // winners, pot % winners
    seat = t.button
    for _ in range(t.seats):
        seat = seat + 1 if seat + 1 < t.seats else 0
        if t.status[seat] == ACTIVE and t.contributed[seat] >= level and t.strength[seat] == best:
            chips = share + 1 if odd > 0 else share
            odd -= 1
            t.stack[seat] += chips
            if len(log) > 1:
                log_event(log, events.WINS, seat, chips, number, 0)
