"""The engine of hold'em: two kernels, `advance` and `apply_decision`, by which every hand is played.

1. `begin_hand` shuffles, posts antes and blinds, and notifies players that remember.
2. `advance` plays until a decision that is not compiled, or to the end of the hand.
3. `apply_decision` applies one action: the rules' move, before and after which players and observers are notified.
   `advance` calls it for compiled players; for other decisions (Python players, people, learners) the caller calls it
   and advances.

The engine contains no kind of player: kinds and observers are functions at addresses (`games.holdem.hooks`), so it is
compiled once for all kinds.

Matches, cash games, tournaments, interactive tables and learners in training differ only in the loop around these.
`play_hands` is the loop of matches and cash games; `multi_table` has that of tournaments, `live_table` that of tables
with players in Python.

A hand has a key. Cards come from the key's child 0, the decisions of seat s from its child 1 + s, so that neither
depends on the other, nor on the hands before, nor on who plays in Python and who in kernels. Both come from a one-way
function (`core.prf`): the cards or a stream tell nothing of the key, of cards to come or of other seats' streams.
"""

from typing import NamedTuple

import numpy as np

from cardwin.arena.seating import Seating, seat_hand
from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at, child, prf, shuffle_first
from cardwin.games.holdem.events import LOG_COLUMNS, Log, has_room
from cardwin.games.holdem.hooks import (
    AFTER_ACTION,
    BEFORE_ACTION,
    DRAWS,
    FIRST_DRAWING,
    FIRST_SLOT,
    HAND_BEGAN,
    HAND_ENDED,
    PYTHON,
    STREET_BEGAN,
    Players,
    decide,
    decide_static_at,
    notify,
    notify_action,
    prefetch,
    prefetch_hand,
    seat_rows,
)
from cardwin.games.holdem.rules import (
    Betting,
    end_round,
    forced_bets,
    move,
    next_seat,
    next_to_act,
    post,
    read_betting,
    staked,
    write_betting,
)
from cardwin.games.holdem.table import BOARD, SEATS, Table, Tables

CARDS = 0  # the child key of a hand's cards; seat s decides with child 1 + s
RUNOUTS = 1 + SEATS  # the child of a deal's key for boards that might have come, the same in all its seatings
CORRECTIONS = 2 + SEATS  # the child of a hand's key for the boards of corrections


class DealScratch(NamedTuple):
    """Scratch of one table.

    A random stream for each seat and one more (11, 2), the next draw of each static player (10,), a deck (52,), antes
    and blinds by seat (2, 10), a log, and the rows of seated players by slot (slots, 10).
    """

    rng: Ints
    next_bits: Ints
    deck: Ints
    forced: Ints
    log: Log
    rows: Ints


@kernel
def new_scratch(slots: int) -> DealScratch:
    """Return scratch for a batch of hands of players in this number of slots, without a log."""
    return DealScratch(
        np.zeros((SEATS + 1, 2), np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros(52, np.int64),
        np.zeros((2, SEATS), np.int64),
        np.zeros((1, LOG_COLUMNS), np.int64),
        np.zeros((slots, SEATS), np.int64),
    )


@kernel(refcount=False)
def deal(t: Table, key: int, scratch: DealScratch) -> None:
    """Shuffle by a key: the board's five cards first, then two for each seat."""
    deck = scratch.deck
    for card in range(len(deck)):
        deck[card] = card
    stream = scratch.rng[SEATS]
    stream[0] = key
    stream[1] = 0
    shuffle_first(stream, deck, BOARD + 2 * t.seats)
    for card in range(BOARD):
        t.board[card] = deck[card]
    for card in range(2 * t.seats):
        t.hole[card] = deck[BOARD + card]


@kernel(refcount=False)
def give_streams(t: Table, ids: Ints, players: Players, key: int, scratch: DealScratch) -> None:
    """Give each seat its stream of a key, except players that never draw: the one-way function takes time."""
    for seat in range(t.seats):
        kind = players.kinds[ids[seat]] if ids[seat] >= 0 else 0
        drawing = kind >= FIRST_DRAWING if kind < FIRST_SLOT else players.flags[kind - FIRST_SLOT] & DRAWS > 0
        if kind == PYTHON or drawing:
            scratch.rng[seat, 0] = prf(key, 1 + seat)
            scratch.rng[seat, 1] = 0
            scratch.next_bits[seat] = bits_at(scratch.rng[seat, 0], 0)


@kernel(refcount=False)
def begin_hand(t: Table, ids: Ints, players: Players, cards: int, decisions: int, scratch: DealScratch) -> None:
    """Begin a hand from the current stacks and button; ids (seats,) are the players by seat.

    Cards are dealt by one key, streams given by another.
    """
    deal(t, cards, scratch)
    prefetch_hand(players, t)
    give_streams(t, ids, players, decisions, scratch)
    forced_bets(t, scratch.forced)
    post(t, scratch.forced, scratch.log)
    seat_rows(players, ids, t.seats, scratch.rows)
    notify(players, HAND_BEGAN, ids, scratch.rows, t)


@kernel(refcount=False)
def advance(t: Table, ids: Ints, players: Players, scratch: DealScratch) -> None:
    """Play until the hand is over, a Python player has the turn, or the log is full.

    When the hand is over, chips are paid out and players have learnt from it.
    """
    # Static players are decided without a stream or the structure: every new row of an array, and every array of a
    # structure that is passed on, changes a reference count.
    rng, kinds, b = scratch.rng, players.kinds, read_betting(t)
    while True:
        if b.actor < 0:  # NOBODY; in this form the compiler knows that the seats below are not negative
            write_betting(t, b)
            end_round(t, scratch.log)
            b = read_betting(t)
            if b.actor < 0:
                notify(players, HAND_ENDED, ids, scratch.rows, t)
                return
            notify(players, STREET_BEGAN, ids, scratch.rows, t)
        kind = kinds[ids[b.actor]]
        if kind == PYTHON or (len(scratch.log) > 1 and not has_room(scratch.log)):
            write_betting(t, b)
            return
        if kind < FIRST_SLOT:
            action, amount = decide_static_at(kind, t, b, scratch.next_bits[b.actor])
            # The next draw is computed now, while nothing waits for it.
            if kind >= FIRST_DRAWING:
                rng[b.actor, 1] += 1
                scratch.next_bits[b.actor] = bits_at(rng[b.actor, 0], rng[b.actor, 1])
        else:
            write_betting(t, b)
            then = next_to_act(b.to_act & ~(1 << b.actor), b.actor)
            if then >= 0:
                prefetch(players, ids[then], then, t)
            action, amount = decide(players, ids, t, rng)
        b = apply_decision(t, b, ids, players, action, amount, scratch)


@kernel(refcount=False)
def apply_decision(
    t: Table, b: Betting, ids: Ints, players: Players, action: int, amount: int, scratch: DealScratch
) -> Betting:
    """Apply the actor's decision, which must be legal, and notify players and observers before and after it."""
    if len(players.states) == 0:
        return move(t, b, action, amount, scratch.log)
    actor, bet = b.actor, b.current_bet
    price = min(bet - t.bet[actor], t.stack[actor])
    write_betting(t, b)
    notify_action(players, BEFORE_ACTION, ids, scratch.rows, t, actor, price, bet, action, amount)
    after = move(t, b, action, amount, scratch.log)
    notify_action(players, AFTER_ACTION, ids, scratch.rows, t, actor, price, bet, action, amount)
    return after


@kernel
def players_at(t: Table) -> int:
    """Return the number of seats with chips, between hands."""
    players = 0
    for seat in range(t.seats):
        players += t.stack[seat] > 0
    return players


class StackRules(NamedTuple):
    """The stacks of a series of hands: every player has `stack` before each hand, or they `carry_over`.

    For stacks that carry over: whether players without chips `rebuy`, the minimum number of players of a hand, and
    whether blinds and ante, which begin with these, rise as players leave.
    """

    stack: int
    carry_over: bool
    rebuy: bool
    min_players: int
    rising: bool
    small_blind: int
    big_blind: int
    ante: int


@kernel
def next_hand(t: Table, rules: StackRules) -> bool:
    """Prepare the next hand: rebuys, blinds, button; return False if too few players have chips."""
    for seat in range(t.seats):
        if rules.rebuy and t.stack[seat] == 0:
            t.stack[seat] = rules.stack
    left = players_at(t)
    if left < rules.min_players:
        return False
    if rules.rising:
        t.small_blind = rules.small_blind * t.seats // left
        t.big_blind = rules.big_blind * t.seats // left
        t.ante = rules.ante * t.seats // left
        for street in range(t.streets):
            t.bet_size[street] = t.big_blind
    t.button = next_seat(t, t.button)
    return True


@kernel
def next_hand_at(tables: Tables, rules: StackRules) -> bool:
    """Call `next_hand` for the first table of an array."""
    return next_hand(tables[0], rules)


@kernel
def play_hands(
    tables: Tables,
    rules: StackRules,
    seating: Seating,
    players: Players,
    deals: int,
    decisions: int,
    numbers: Ints,
    first: int,
    chips: Ints,
) -> int:
    """Play hands of compiled players; return how many were played before too few players had chips.

    tables (1,) is the variant and scratch; stacks that carry over, and the button, are read from it and written to it.
    `seating` determines the seats; player i of the match's k-th table has the number k seats + i. A deal's cards come
    from its child of the key `deals`, a hand's decisions from its child of the other. The result of hand `numbers[i]`
    is written into row `numbers[i] - first` of chips (hands, players); one more column receives the chips at stake.
    """
    t, scratch = tables[0], new_scratch(len(players.states))
    seated, ids = np.empty(t.seats, np.int64), np.empty(t.seats, np.int64)
    for played in range(len(numbers)):
        number, row = numbers[played], numbers[played] - first
        button = seat_hand(seating, number, seated)
        table = number % seating.per_deal if seating.per_deal > 1 else 0
        for seat in range(t.seats):
            ids[seat] = table * t.seats + seated[seat]
        if not rules.carry_over:
            t.button = button
            for seat in range(t.seats):
                t.stack[seat] = rules.stack
        elif not next_hand(t, rules):
            return played
        begin_hand(t, ids, players, prf(deal_key(seating, deals, number), CARDS), child(decisions, number), scratch)
        advance(t, ids, players, scratch)
        for seat in range(t.seats):
            chips[row, seated[seat]] = t.stack[seat] - t.start[seat]
        if chips.shape[1] > t.seats:
            chips[row, t.seats] = staked(t)
    return len(numbers)


@kernel
def deal_key(seating: Seating, deals: int, number: int) -> int:
    """Return the key of a hand's deal, which all seatings of the deal share."""
    return child(deals, number // seating.per_deal if seating.per_deal > 1 else number)
