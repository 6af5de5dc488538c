"""Multi-table tournaments, as kernels: seating, one hand at every table, eliminations, breaking and balancing tables.

1. Players are spread over the tables in a given order.
2. In every round each table plays one hand. Players without chips are out. Of those who leave in the same round, the
   player with more chips before the hand is ranked better, and ties are broken by lot.
3. As long as all remaining players fit into one table fewer, the smallest table is broken and its players take open
   seats at the smallest others. Then players move from the largest table to the smallest until the sizes differ by one
   at most. The player who would post the next big blind is moved, to the open seat where the big blind comes soonest.
4. The button goes to the next player on its left, so that a player who paid no big blind may post a small blind.

With a dead button, the rule of tournament directors, the big blind goes to the next player, the small blind to the
player who posted the big one, unless that player left, and the button to the seat of the small blind, even if it is
empty. Players who leave in the same round at different tables then tie: the last of each table share their places,
then the last but one, and so on.

Shapes: tables (tables,), player_ids (tables, 10) is the player in each seat or -1, everything by player (players,).
"""

from typing import NamedTuple

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


class Levels(NamedTuple):
    """The first stack of all players, the blinds, and the end of a tournament.

    Blinds follow the schedule (levels, 5), with a new level after `every` rounds. Play ends when `last` players are
    left, or after `rounds` rounds.
    """

    stack: int
    schedule: Ints
    every: int
    rounds: int
    last: int


class Counts(NamedTuple):
    """Results by player: ranks from 1, hands dealt, mbb won, hands with a gain, chips at the end."""

    ranks: Floats
    hands: Ints
    won: Floats
    taken: Ints
    chips: Ints


def new_counts(tournaments: int, players: int) -> Counts:
    """Return room for the results of tournaments, (tournaments, players) each."""
    shape = tournaments, players
    ranks, won = np.zeros(shape), np.zeros(shape)
    hands, taken, chips = (np.zeros(shape, np.int64) for _ in range(3))
    return Counts(ranks, hands, won, taken, chips)


@kernel
def seat_players(tables: Tables, player_ids: Ints, order: Ints, stack: int) -> None:
    """Give every player a stack and a seat, one table after the other."""
    player_ids[:] = -1
    for table in range(len(tables)):
        t = tables[table]
        t.button = t.seats - 1
        for seat in range(SEATS):
            t.stack[seat] = 0
    for number in range(len(order)):
        table, seat = number % len(tables), number // len(tables)
        player_ids[table, seat] = order[number]
        tables[table].stack[seat] = stack
    for table in range(len(tables)):
        t = tables[table]
        t.button = next_seat(t, t.button)
        t.small_seat, t.small_dead = t.button if players_at(t) == 2 else next_seat(t, t.button), 0
        t.big_seat = next_seat(t, t.small_seat)


@kernel
def begin_round(tables: Tables, schedule: Ints, every: int, number: int) -> None:
    """Apply a row of the schedule (levels, 5), with blinds, ante and bets, if a level begins."""
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
    player_ids: Ints,
    players: Players,
    deals: int,
    decisions: int,
    number: int,
    scratch: DealScratch,
) -> None:
    """Play one hand of compiled players at every table; cards and decisions are children of two keys."""
    deals, decisions = child(deals, number), child(decisions, number)
    for table in range(len(tables)):
        t = tables[table]
        if players_at(t) > 1:
            begin_hand(t, player_ids[table], players, prf(child(deals, table), CARDS), child(decisions, table), scratch)
            advance(t, player_ids[table], players, scratch)


@kernel
def count_hands(tables: Tables, player_ids: Ints, counts: Counts) -> None:
    """Add the hand just played to every player's hands, thousandths of a big blind won, and hands with a gain."""
    for table in range(len(tables)):
        t = tables[table]
        for seat in range(t.seats):
            player = player_ids[table, seat]
            # A player who is alone, or came after the hand, was not dealt in.
            if player >= 0 and t.status[seat] != EMPTY:
                counts.hands[player] += 1
                counts.won[player] += 1000.0 * (t.stack[seat] - t.start[seat]) / t.big_blind
                counts.taken[player] += t.stack[seat] > t.start[seat]


@kernel
def place_worst(leaving: Ints, held: Ints, lots: int, places: Floats, worst: int) -> None:
    """Give the players who leave in one round the places from `worst` upwards, by chips and then by lot."""
    for i in range(1, len(leaving)):
        for j in range(i, 0, -1):
            left, right = leaving[j - 1], leaving[j]
            if held[j - 1] < held[j] or (held[j - 1] == held[j] and bits_at(lots, left) <= bits_at(lots, right)):
                break
            leaving[j - 1], leaving[j] = right, left
            held[j - 1], held[j] = held[j], held[j - 1]
    for i in range(len(leaving)):
        places[leaving[i]] = worst - i


@kernel
def place_tied(leaving: Ints, held: Ints, at: Ints, lots: int, places: Floats, worst: int) -> None:
    """Give the players who leave in one round, at these tables, the places from `worst` upwards.

    Players of one table are ranked as in `place_worst`. Those of different tables tie: each has the mean of the places.
    """
    worse = np.zeros(len(leaving), np.int64)  # the number of players of the same table player_ids are ranked worse
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
                places[leaving[i]] = last - (tied - 1) / 2
        rank, last = rank + 1, last - tied


@kernel
def eliminate(tables: Tables, player_ids: Ints, left: int, lots: int, places: Floats) -> int:
    """Rank the players who have lost everything, and return the number of players left."""
    out = 0
    for table in range(len(tables)):
        for seat in range(tables[table].seats):
            out += player_ids[table, seat] >= 0 and tables[table].stack[seat] == 0
    if out == 0:  # mostly: no room needs to be made
        return left
    leaving, held, at = np.empty(out, np.int64), np.empty(out, np.int64), np.empty(out, np.int64)
    count = 0
    for table in range(len(tables)):
        t = tables[table]
        for seat in range(t.seats):
            if player_ids[table, seat] >= 0 and t.stack[seat] == 0:
                leaving[count], held[count], at[count] = player_ids[table, seat], t.start[seat], table
                player_ids[table, seat] = -1
                count += 1
    if tables[0].dead_button:
        place_tied(leaving, held, at, lots, places, left)
    else:
        place_worst(leaving, held, lots, places, left)
    return left - count


@kernel
def place_rest(tables: Tables, player_ids: Ints, left: int, lots: int, places: Floats, chips: Ints) -> None:
    """Rank the remaining players by their chips, which are also written into chips (players,)."""
    leaving, held = np.empty(left, np.int64), np.empty(left, np.int64)
    count = 0
    for table in range(len(tables)):
        for seat in range(tables[table].seats):
            if player_ids[table, seat] >= 0:
                leaving[count], held[count] = player_ids[table, seat], tables[table].stack[seat]
                chips[player_ids[table, seat]] = tables[table].stack[seat]
                count += 1
    place_worst(leaving, held, lots, places, left)


@kernel
def smallest_and_largest(sizes: Ints, exclude: int) -> tuple[int, int]:
    """Return the tables with the fewest and the most players.

    Ties go to the lower index; empty tables and table `exclude` are skipped.
    """
    small, large = -1, -1
    for table in range(len(sizes)):
        if sizes[table] > 0 and table != exclude:
            if small < 0 or sizes[table] < sizes[small]:
                small = table
            if large < 0 or sizes[table] > sizes[large]:
                large = table
    return small, large


@kernel
def seat_after(t: Table, steps: int) -> int:
    """Return the seat of a player who comes this number of players after the button."""
    seat = t.button
    for _ in range(steps):
        seat = next_seat(t, seat)
    return int(seat)


@kernel
def move_player(tables: Tables, player_ids: Ints, players: Players, source: int, target: int, sizes: Ints) -> None:
    """Move the next big blind of one table to the open seat of another where the big blind comes soonest."""
    a, b = tables[source], tables[target]
    # The next button sits one player after this one, the small blind two, the big blind three.
    seat, open_seat = seat_after(a, 3), seat_after(b, 2)
    if a.dead_button:
        seat, open_seat = next_seat(a, a.big_seat), (b.big_seat + 1) % b.seats
    while b.stack[open_seat] > 0:
        open_seat = (open_seat + 1) % b.seats
    b.stack[open_seat], a.stack[seat] = a.stack[seat], 0
    b.status[open_seat] = EMPTY
    player_ids[target, open_seat], player_ids[source, seat] = player_ids[source, seat], -1
    change_opponents(players, player_ids[target, open_seat])
    sizes[source] -= 1
    sizes[target] += 1


@kernel
def rearrange(tables: Tables, player_ids: Ints, players: Players, left: int) -> None:
    """Break and balance tables, and move the buttons on."""
    sizes = np.empty(len(tables), np.int64)
    running = 0
    for table in range(len(tables)):
        t = tables[table]
        sizes[table] = players_at(t)
        running += sizes[table] > 0
        # Known only before others move in: the player who posted the big blind posts the small one next, unless out.
        t.small_dead = t.stack[t.big_seat] == 0
    while running > 1 and left <= (running - 1) * tables[0].seats:
        broken, _ = smallest_and_largest(sizes, -1)
        while sizes[broken] > 0:
            target, _ = smallest_and_largest(sizes, broken)
            move_player(tables, player_ids, players, broken, target, sizes)
        running -= 1
    small, large = smallest_and_largest(sizes, -1)
    while running > 1 and sizes[large] - sizes[small] > 1:
        move_player(tables, player_ids, players, large, small, sizes)
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
        # The other player has button and small blind, so that neither posts the big blind twice.
        t.small_seat, t.small_dead = next_seat(t, t.big_seat), 0
        t.button = t.small_seat


@kernel
def end_round(
    tables: Tables,
    player_ids: Ints,
    players: Players,
    left: int,
    lots: int,
    counts: Counts,
) -> int:
    """Count the hands just played, rank players who are out, rearrange tables; return the number of players left."""
    count_hands(tables, player_ids, counts)
    left = eliminate(tables, player_ids, left, lots, counts.ranks)
    rearrange(tables, player_ids, players, left)
    return left


@kernel
def play_tournaments(
    tables: Tables, orders: Ints, levels: Levels, players: Players, keys: Ints, results: Counts, watched: int
) -> None:
    """Play tournaments of compiled players, one for each row of orders (tournaments, players).

    Play also ends when the player `watched` (NOBODY for whole tournaments) is out. keys (tournaments, 2) are those of
    cards and decisions. Each array of the results is (tournaments, players).
    """
    player_ids, scratch = np.empty((len(tables), SEATS), np.int64), new_scratch(len(players.states))
    for row in range(len(orders)):
        cards, choices, lots = child(keys[row, 0], HANDS), child(keys[row, 1], HANDS), child(keys[row, 1], LOTS)
        begin_match(players)
        seat_players(tables, player_ids, orders[row], levels.stack)
        # Rows taken once: every new row changes a reference count.
        counts = Counts(
            results.ranks[row], results.hands[row], results.won[row], results.taken[row], results.chips[row]
        )
        left, number = len(orders[row]), 0
        while left > levels.last and number < levels.rounds and (watched < 0 or counts.ranks[watched] == 0):
            begin_round(tables, levels.schedule, levels.every, number)
            play_round(tables, player_ids, players, cards, choices, number, scratch)
            left = end_round(tables, player_ids, players, left, lots, counts)
            number += 1
        place_rest(tables, player_ids, left, lots, counts.ranks, counts.chips)
