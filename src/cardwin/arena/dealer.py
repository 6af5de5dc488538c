"""The dealer of hold'em: shuffles, seats and plays hands, one at a time or in whole blocks.

A hand has a key. Cards come from the key's child 0, the decisions of seat s from its child 1 + s, so that neither
depends on the other, nor on the hands before, nor on who plays in Python and who in kernels.
"""

import numpy as np

from cardwin.arena.runouts import SAMPLES, Floats, mean_chips
from cardwin.arena.runouts import Ints as Ints
from cardwin.games.base import NOBODY
from cardwin.games.holdem.log import Log, has_room
from cardwin.games.holdem.rules import act, begin_hand, forced_bets, next_seat
from cardwin.games.holdem.table import BOARD, SEATS, Table, Tables
from cardwin.kernel import kernel
from cardwin.players.compiled import Parameters, decide
from cardwin.rng import child, shuffle_first

CARDS = 0  # the child key of a hand's cards; seat s decides with child 1 + s
RUNOUTS = 1 + SEATS  # and boards that might have come are drawn with this one


@kernel
def deal(t: Table, key: int, rng: Ints, deck: Ints) -> None:
    """Shuffle by a key: the board's five cards first, then two for each seat. Scratch: rng (11, 2), deck (52,)."""
    for card in range(len(deck)):
        deck[card] = card
    stream = rng[SEATS]
    stream[0] = key
    stream[1] = 0
    shuffle_first(stream, deck, BOARD + 2 * t.seats)
    for place in range(BOARD):
        t.board[place] = deck[place]
    for place in range(2 * t.seats):
        t.hole[place] = deck[BOARD + place]


@kernel
def open_hand(t: Table, cards: int, decisions: int, rng: Ints, deck: Ints, forced: Ints, log: Log | None) -> None:
    """Deal by one key, give each seat its stream of another, and post.

    Scratch: rng (11, 2), deck (52,), forced (2, 10).
    """
    deal(t, cards, rng, deck)
    for seat in range(t.seats):
        rng[seat, 0] = child(decisions, 1 + seat)
        rng[seat, 1] = 0
    forced_bets(t, forced)
    begin_hand(t, forced, log)


@kernel
def advance(t: Table, kinds: Ints, parameters: Parameters, rng: Ints, log: Log | None) -> None:
    """Play on until the hand is over, a Python player has the turn, or a log that is kept has no room left.

    Shapes: kinds (seats,), parameters (seats, any) or None, rng (11, 2).
    """
    # One stream, lent to each decision: every new row of an array counts its owners.
    stream = rng[SEATS]
    while t.actor != NOBODY and kinds[t.actor] >= 0 and has_room(log):
        seat = t.actor
        stream[0], stream[1] = rng[seat, 0], rng[seat, 1]
        action, amount = decide(kinds, parameters, seat, t, stream)
        rng[seat, 1] = stream[1]
        act(t, action, amount, log)


@kernel
def play_numbered(
    t: Table, number: int, stacks: Ints, seating: Ints, kinds: Ints, parameters: Parameters, deals: int, decisions: int,
    rng: Ints, deck: Ints, forced: Ints, log: Log | None,
) -> int:  # fmt: skip
    """Play one hand of a match by its number, and return its key. See `play_block`."""
    deal, turn = number // len(seating), number % len(seating)
    hand = child(decisions, number)
    t.button = deal % t.seats
    for seat in range(t.seats):
        t.stack[seat] = stacks[seat]
    open_hand(t, child(child(deals, deal), CARDS), hand, rng, deck, forced, log)
    if parameters is None:
        advance(t, kinds[turn], None, rng, log)
    else:
        advance(t, kinds[turn], parameters[turn], rng, log)
    return hand


@kernel
def play_block(
    tables: Tables, stacks: Ints, seating: Ints, kinds: Ints, parameters: Parameters, deals: int, decisions: int,
    first: int, chips: Ints,
) -> None:  # fmt: skip
    """Play consecutive hands of compiled players with fresh stacks, the button moving one seat a deal.

    tables (1,) is the variant and scratch; stacks (seats,). Each deal is played once for each row of seating, which
    tells the player in each seat, with the kinds (seatings, seats) and parameters (seatings, seats, any) of that row.
    Hand n has the cards of deal n // seatings, a child of the key `deals`, and its own child of the key `decisions`.
    chips (hands, players) receives what each player won.
    """
    t = tables[0]
    rng = np.empty((SEATS + 1, 2), np.int64)
    deck = np.empty(52, np.int64)
    forced = np.empty((2, SEATS), np.int64)
    for row in range(len(chips)):
        number = first + row
        play_numbered(t, number, stacks, seating, kinds, parameters, deals, decisions, rng, deck, forced, None)
        for seat in range(t.seats):
            chips[row, seating[number % len(seating), seat]] = t.stack[seat] - t.start[seat]


@kernel
def play_adjusted_block(
    tables: Tables, stacks: Ints, seating: Ints, kinds: Ints, parameters: Parameters, deals: int, decisions: int,
    first: int, chips: Ints, adjusted: Floats,
) -> None:  # fmt: skip
    """`play_block`, with what each hand was worth after its last decision in adjusted (hands, players).

    A kernel of its own, so that matches that do not ask for it need not wait for the compiler.
    """
    t = tables[0]
    rng = np.empty((SEATS + 1, 2), np.int64)
    deck = np.empty(52, np.int64)
    forced = np.empty((2, SEATS), np.int64)
    worth = np.empty(t.seats)
    for row in range(len(chips)):
        number = first + row
        rng[SEATS, 0] = child(
            play_numbered(t, number, stacks, seating, kinds, parameters, deals, decisions, rng, deck, forced, None),
            RUNOUTS,
        )
        rng[SEATS, 1] = 0
        mean_chips(t, SAMPLES, rng[SEATS], None, worth)
        for seat in range(t.seats):
            player = seating[number % len(seating), seat]
            chips[row, player] = t.stack[seat] - t.start[seat]
            adjusted[row, player] = worth[seat]


@kernel
def play_session(
    tables: Tables, stack: int, rebuy: bool, kinds: Ints, parameters: Parameters, key: int, first: int, chips: Ints
) -> int:
    """Play consecutive hands whose stacks are kept; returns how many there were before one player had everything.

    tables (1,) holds stacks and button before and after. With `rebuy`, who has nothing left begins again with `stack`.
    """
    t = tables[0]
    rng = np.empty((SEATS + 1, 2), np.int64)
    deck = np.empty(52, np.int64)
    forced = np.empty((2, SEATS), np.int64)
    for row in range(len(chips)):
        if not next_hand(t, stack, rebuy):
            return row
        hand = child(key, first + row)
        open_hand(t, child(hand, CARDS), hand, rng, deck, forced, None)
        advance(t, kinds, parameters, rng, None)
        for seat in range(t.seats):
            chips[row, seat] = t.stack[seat] - t.start[seat]
    return len(chips)


@kernel
def players_at(t: Table) -> int:
    """How many seats have chips, between hands."""
    players = 0
    for seat in range(t.seats):
        players += t.stack[seat] > 0
    return players


@kernel
def next_hand(t: Table, stack: int, rebuy: bool) -> bool:
    """Fill empty stacks where that is wanted, and move the button on; False if fewer than two have chips."""
    for seat in range(t.seats):
        if rebuy and t.stack[seat] == 0:
            t.stack[seat] = stack
    t.button = next_seat(t, t.button)
    return bool(players_at(t) > 1)


@kernel
def next_hand_at(tables: Tables, stack: int, rebuy: bool) -> bool:
    """`next_hand` for the first table of an array."""
    return next_hand(tables[0], stack, rebuy)
