"""Multi-table tournaments, as kernels: seating, one hand at every table, eliminations, breaking and balancing tables.

1. Players are spread over the tables in a given order.
2. In every round each table plays one hand. Those without chips are out; among those who leave in the same round, who
   held more before the hand is placed better, and equal stacks are parted by lot.
3. As long as everybody left fits into one table fewer, the smallest table is broken and its players take open seats at
   the smallest others; then players move from the largest table to the smallest until none has two more than another.
   Whoever is moved was next to post the big blind, and sits down where the big blind comes soonest.
4. The button goes to the next player on its left, so that a small blind may fall on somebody who paid no big blind.

With a dead button, as tournament directors have it, the big blind goes to the next player, the small blind to who
posted the big one, unless that player left, and the button to where the small blind was, whoever sits there. Those who
leave in the same round at different tables then tie: the last of each table share their places, then the last but one,
and so on.

Shapes: tables (tables,), who (tables, 10) is the player in each seat or -1, everything by player (players,).
"""

import numpy as np

from cardwin.arena.engine import CARDS, DealScratch, advance, begin_hand, new_scratch, players_at
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at, child, prf
from cardwin.games.holdem.hooks import Players, begin_match, change_opponents
from cardwin.games.holdem.rules import next_seat
from cardwin.games.holdem.table import EMPTY, SEATS, Table, Tables

# Children of a tournament's key.
SEATING, HANDS, LOTS = 0, 1, 2
# Columns of a blind schedule.
SMALL, BIG, ANTE, SMALL_BET, BIG_BET = 0, 1, 2, 3, 4


@kernel
def seat_players(tables: Tables, who: Ints, order: Ints, stack: int) -> None:
    """Give everyone a stack and a seat: the order goes round the tables."""
    who[:] = -1
    for table in range(len(tables)):
        t = tables[table]
        t.button = t.seats - 1
        for seat in range(SEATS):
            t.stack[seat] = 0
    for number in range(len(order)):
        table, seat = number % len(tables), number // len(tables)
        who[table, seat] = order[number]
        tables[table].stack[seat] = stack
    for table in range(len(tables)):
        t = tables[table]
        t.button = next_seat(t, t.button)
        t.small_seat, t.small_dead = t.button if players_at(t) == 2 else next_seat(t, t.button), 0
        t.big_seat = next_seat(t, t.small_seat)


@kernel
def begin_round(tables: Tables, schedule: Ints, every: int, number: int) -> None:
    """Put a row of the schedule (levels, 5), with blinds, ante and bets, in force where a level begins."""
    if number % every:
        return
    sizes = schedule[min(number // every, len(schedule) - 1)]
    for table in range(len(tables)):
        t = tables[table]
        t.small_blind, t.big_blind, t.ante = sizes[SMALL], sizes[BIG], sizes[ANTE]
        for street in range(len(t.bet_size)):
            t.bet_size[street] = sizes[SMALL_BET] if street < 2 else sizes[BIG_BET]


@kernel
def play_round(
    tables: Tables,
    who: Ints,
    players: Players,
    deals: int,
    decisions: int,
    number: int,
    scratch: DealScratch,
) -> None:
    """One hand of compiled players at every table; cards and decisions are children of two keys."""
    deals, decisions = child(deals, number), child(decisions, number)
    for table in range(len(tables)):
        t = tables[table]
        if players_at(t) > 1:
            begin_hand(t, who[table], players, prf(child(deals, table), CARDS), child(decisions, table), scratch)
            advance(t, who[table], players, scratch)


@kernel
def count_hands(tables: Tables, who: Ints, hands: Ints, won: Floats, taken: Ints) -> None:
    """Add the hand just played to every player's hands, thousandths of a big blind won, and hands with a gain."""
    for table in range(len(tables)):
        t = tables[table]
        for seat in range(t.seats):
            player = who[table, seat]
            # One who sits alone, or came after the hand, was not dealt in.
            if player >= 0 and t.status[seat] != EMPTY:
                hands[player] += 1
                won[player] += 1000.0 * (t.stack[seat] - t.start[seat]) / t.big_blind
                taken[player] += t.stack[seat] > t.start[seat]


@kernel
def place_worst(leaving: Ints, held: Ints, lots: int, place: Floats, worst: int) -> None:
    """Give the players leaving together the places from `worst` upwards, by chips held and then by lot."""
    for i in range(1, len(leaving)):
        for j in range(i, 0, -1):
            one, other = leaving[j - 1], leaving[j]
            if held[j - 1] < held[j] or (held[j - 1] == held[j] and bits_at(lots, one) <= bits_at(lots, other)):
                break
            leaving[j - 1], leaving[j] = other, one
            held[j - 1], held[j] = held[j], held[j - 1]
    for i in range(len(leaving)):
        place[leaving[i]] = worst - i


@kernel
def place_tied(leaving: Ints, held: Ints, at: Ints, lots: int, place: Floats, worst: int) -> None:
    """Give the players leaving together, at these tables, places from `worst` upwards: by table as `place_worst`,
    across tables tied, which is the mean of the places that they share.
    """
    worse = np.zeros(len(leaving), np.int64)  # how many of the same table are placed worse
    for i in range(len(leaving)):
        for j in range(len(leaving)):
            equal = held[j] == held[i] and bits_at(lots, leaving[j]) < bits_at(lots, leaving[i])
            worse[i] += at[i] == at[j] and (held[j] < held[i] or equal)
    rank, last = 0, worst
    while last > worst - len(leaving):
        tied = 0
        for i in range(len(leaving)):
            tied += worse[i] == rank
        for i in range(len(leaving)):
            if worse[i] == rank:
                place[leaving[i]] = last - (tied - 1) / 2
        rank, last = rank + 1, last - tied


@kernel
def eliminate(tables: Tables, who: Ints, left: int, lots: int, place: Floats) -> int:
    """Place those who have lost everything, and return how many are left."""
    out = 0
    for table in range(len(tables)):
        for seat in range(tables[table].seats):
            out += who[table, seat] >= 0 and tables[table].stack[seat] == 0
    if out == 0:  # mostly: no room needs to be made
        return left
    leaving, held, at = np.empty(out, np.int64), np.empty(out, np.int64), np.empty(out, np.int64)
    count = 0
    for table in range(len(tables)):
        t = tables[table]
        for seat in range(t.seats):
            if who[table, seat] >= 0 and t.stack[seat] == 0:
                leaving[count], held[count], at[count] = who[table, seat], t.start[seat], table
                who[table, seat] = -1
                count += 1
    if tables[0].dead_button:
        place_tied(leaving, held, at, lots, place, left)
    else:
        place_worst(leaving, held, lots, place, left)
    return left - count


@kernel
def place_rest(tables: Tables, who: Ints, left: int, lots: int, place: Floats, chips: Ints) -> None:
    """Place those who still play by the chips they hold, which go into chips (players,) too."""
    leaving, held = np.empty(left, np.int64), np.empty(left, np.int64)
    count = 0
    for table in range(len(tables)):
        for seat in range(tables[table].seats):
            if who[table, seat] >= 0:
                leaving[count], held[count] = who[table, seat], tables[table].stack[seat]
                chips[who[table, seat]] = tables[table].stack[seat]
                count += 1
    place_worst(leaving, held, lots, place, left)


@kernel
def smallest_and_largest(sizes: Ints, beside: int) -> tuple[int, int]:
    """The tables with the fewest and the most players, the first of equals, those without any and `beside` left out."""
    small, large = -1, -1
    for table in range(len(sizes)):
        if sizes[table] > 0 and table != beside:
            if small < 0 or sizes[table] < sizes[small]:
                small = table
            if large < 0 or sizes[table] > sizes[large]:
                large = table
    return small, large


@kernel
def seat_after(t: Table, steps: int) -> int:
    """The player's seat that comes so many players after the button."""
    seat = t.button
    for _ in range(steps):
        seat = next_seat(t, seat)
    return int(seat)


@kernel
def move_player(tables: Tables, who: Ints, players: Players, source: int, target: int, sizes: Ints) -> None:
    """Move whoever would be the next big blind of one table to the open seat of another where it comes soonest."""
    a, b = tables[source], tables[target]
    # The next button sits one player after this one, the small blind two, the big blind three.
    seat, open_seat = seat_after(a, 3), seat_after(b, 2)
    if a.dead_button:
        seat, open_seat = next_seat(a, a.big_seat), (b.big_seat + 1) % b.seats
    while b.stack[open_seat] > 0:
        open_seat = (open_seat + 1) % b.seats
    b.stack[open_seat], a.stack[seat] = a.stack[seat], 0
    b.status[open_seat] = EMPTY
    who[target, open_seat], who[source, seat] = who[source, seat], -1
    change_opponents(players, who[target, open_seat])
    sizes[source] -= 1
    sizes[target] += 1


@kernel
def rearrange(tables: Tables, who: Ints, players: Players, left: int) -> None:
    """Break and balance tables, and move the buttons on."""
    sizes = np.empty(len(tables), np.int64)
    running = 0
    for table in range(len(tables)):
        t = tables[table]
        sizes[table] = players_at(t)
        running += sizes[table] > 0
        # Known only before others move in: whoever posted the big blind posts the small one next, if still there.
        t.small_dead = t.stack[t.big_seat] == 0
    while running > 1 and left <= (running - 1) * tables[0].seats:
        broken, _ = smallest_and_largest(sizes, -1)
        while sizes[broken] > 0:
            target, _ = smallest_and_largest(sizes, broken)
            move_player(tables, who, players, broken, target, sizes)
        running -= 1
    small, large = smallest_and_largest(sizes, -1)
    while running > 1 and sizes[large] - sizes[small] > 1:
        move_player(tables, who, players, large, small, sizes)
        small, large = smallest_and_largest(sizes, -1)
    for table in range(len(tables)):
        if sizes[table] > 0:
            move_button(tables[table], sizes[table])


@kernel
def move_button(t: Table, players: int) -> None:
    """Move the button on, and with a dead button the blinds."""
    if not t.dead_button:
        t.button = next_seat(t, t.button)
        return
    t.button, t.small_seat, t.big_seat = t.small_seat, t.big_seat, next_seat(t, t.big_seat)
    if players == 2:
        # The other one has button and small blind, so that nobody posts the big blind twice.
        t.small_seat, t.small_dead = next_seat(t, t.big_seat), 0
        t.button = t.small_seat


@kernel
def end_round(
    tables: Tables,
    who: Ints,
    players: Players,
    left: int,
    lots: int,
    place: Floats,
    hands: Ints,
    won: Floats,
    taken: Ints,
) -> int:
    """Count the hands just played, place those who are out, rearrange tables; how many players are left."""
    count_hands(tables, who, hands, won, taken)
    left = eliminate(tables, who, left, lots, place)
    rearrange(tables, who, players, left)
    return left


@kernel
def play_tournaments(
    tables: Tables,
    orders: Ints,
    stack: int,
    schedule: Ints,
    every: int,
    rounds: int,
    last: int,
    players: Players,
    deals: Ints,
    decisions: Ints,
    place: Floats,
    hands: Ints,
    won: Floats,
    chips: Ints,
    taken: Ints,
    watched: int,
) -> None:
    """Whole tournaments of compiled players, one for each row of orders (tournaments, players).

    Blinds follow the schedule (levels, 5), a new level every so many rounds; play ends when `last` are left, after so
    many rounds, or when the player `watched` (NOBODY for whole tournaments) is out. deals and decisions (tournaments,)
    are keys. Out, (tournaments, players): place from 1, hands dealt, thousandths of a big blind won, chips at the end,
    hands with a gain.
    """
    who, scratch = np.empty((len(tables), SEATS), np.int64), new_scratch(len(players.states))
    for row in range(len(orders)):
        cards, choices, lots = child(deals[row], HANDS), child(decisions[row], HANDS), child(decisions[row], LOTS)
        begin_match(players)
        seat_players(tables, who, orders[row], stack)
        # Rows taken once: every new one counts its owners.
        placed, dealt, gained, took = place[row], hands[row], won[row], taken[row]
        left, number = len(orders[row]), 0
        while left > last and number < rounds and (watched < 0 or placed[watched] == 0):
            begin_round(tables, schedule, every, number)
            play_round(tables, who, players, cards, choices, number, scratch)
            left = end_round(tables, who, players, left, lots, placed, dealt, gained, took)
            number += 1
        place_rest(tables, who, left, lots, placed, chips[row])
