"""The engine of hold'em: two kernels, `advance` and `apply_decision`, by which every hand is played.

1. `begin_hand` shuffles, posts antes and blinds, and tells players that remember.
2. `advance` plays until a decision that is not compiled, or to the end of the hand.
3. `apply_decision` does one action: the rules' move, what observers note of it, what players remember of it. `advance`
   calls it for compiled players; whoever decides otherwise (Python players, people, learners) calls it and advances.

Matches, cash games, tournaments, interactive tables and learners in training differ only in the loop around these.
`play_hands` is the loop of matches and cash games; `multi_table` has that of tournaments, `live_table` that of tables
with players in Python.

A hand has a key. Cards come from the key's child 0, the decisions of seat s from its child 1 + s, so that neither
depends on the other, nor on the hands before, nor on who plays in Python and who in kernels. Both come from a one-way
function (`core.prf`): the cards or a stream tell nothing of the key, of cards to come or of other seats' streams.
"""

from typing import NamedTuple

import numpy as np

from cardwin.arena.corrections import COLUMNS, Corrections, begin_corrections, correct, write_columns
from cardwin.arena.runouts import SAMPLES, Floats, mean_chips
from cardwin.arena.runouts import Ints as Ints
from cardwin.arena.seating import Seating, seat_hand
from cardwin.core.kernel import borrowing, kernel
from cardwin.core.rng import bits_at, child, prf, shuffle_first
from cardwin.games.holdem.events import LOG_COLUMNS, Log, has_room
from cardwin.games.holdem.rules import (
    Betting,
    end_round,
    forced_bets,
    move,
    next_seat,
    next_to_act,
    post,
    read_betting,
    write_betting,
)
from cardwin.games.holdem.table import BOARD, SEATS, Table, Tables
from cardwin.players.compiled import (
    Players,
    begin_watching,
    decide,
    decide_static_at,
    end_hand,
    observe,
    prefetch_player,
    watch,
)
from cardwin.players.kinds import FIRST_DRAWING, LAST_STATIC, PYTHON
from cardwin.players.network.inputs import prefetch_flop, prefetch_hand, prefetch_street
from cardwin.players.network.networks import deal_in

CARDS = 0  # the child key of a hand's cards; seat s decides with child 1 + s
RUNOUTS = 1 + SEATS  # the child of a deal's key for boards that might have come, the same in all its seatings
CORRECTIONS = 2 + SEATS  # the child of a hand's key for the boards of corrections


class DealScratch(NamedTuple):
    """Scratch of one table: a random stream for each seat and one more (11, 2), the next draw of each static player
    (10,), a deck (52,), antes and blinds by seat (2, 10), a log, and corrections.
    """

    rng: Ints
    next_bits: Ints
    deck: Ints
    forced: Ints
    log: Log
    corrections: Corrections


@kernel
def new_scratch(weights: Floats) -> DealScratch:
    """Scratch with an empty log, for a batch of hands; with corrections by value functions (players, COLUMNS + 1), none
    without rows.
    """
    seats = SEATS if len(weights) else 0
    corrections = Corrections(
        weights, np.zeros(seats), np.zeros((seats, COLUMNS)), np.zeros(seats), np.zeros(3, np.int64), np.zeros(3),
        np.zeros((seats, 3)), np.zeros(2, np.int64),
    )  # fmt: skip
    return DealScratch(
        np.zeros((SEATS + 1, 2), np.int64), np.zeros(SEATS, np.int64), np.zeros(52, np.int64),
        np.zeros((2, SEATS), np.int64),
        np.zeros((1, LOG_COLUMNS), np.int64), corrections,
    )  # fmt: skip


@borrowing
def deal(t: Table, key: int, scratch: DealScratch) -> None:
    """Shuffle by a key: the board's five cards first, then two for each seat."""
    deck = scratch.deck
    for card in range(len(deck)):
        deck[card] = card
    stream = scratch.rng[SEATS]
    stream[0] = key
    stream[1] = 0
    shuffle_first(stream, deck, BOARD + 2 * t.seats)
    for place in range(BOARD):
        t.board[place] = deck[place]
    for place in range(2 * t.seats):
        t.hole[place] = deck[BOARD + place]


@borrowing
def give_streams(t: Table, who: Ints, kinds: Ints, key: int, scratch: DealScratch) -> None:
    """Give each seat its stream of a key, but for those who never draw: the one-way function takes time."""
    for seat in range(t.seats):
        kind = kinds[who[seat]] if who[seat] >= 0 else 0
        if kind == PYTHON or kind >= FIRST_DRAWING:
            scratch.rng[seat, 0] = prf(key, 1 + seat)
            scratch.rng[seat, 1] = 0
            scratch.next_bits[seat] = bits_at(scratch.rng[seat, 0], 0)


@borrowing
def begin_hand(t: Table, who: Ints, players: Players, cards: int, decisions: int, scratch: DealScratch) -> None:
    """Begin a hand from the stacks and the button that are there; who (seats,) are the players' numbers.

    Cards are dealt by one key, streams given by another.
    """
    deal(t, cards, scratch)
    if len(players.networks.memory):
        prefetch_hand(t, players.networks.odds)
    give_streams(t, who, players.kinds, decisions, scratch)
    forced_bets(t, scratch.forced)
    post(t, scratch.forced, scratch.log)
    begin_watching(players, who, t)
    if len(players.networks.memory):
        deal_in(players.networks, who, t)
        prefetch_flop(t, players.networks.odds)
    if len(scratch.corrections.totals):
        begin_corrections(scratch.corrections, t, who, prf(decisions, CORRECTIONS))


@borrowing
def advance(t: Table, who: Ints, players: Players, scratch: DealScratch) -> None:
    """Play until the hand is over, a Python player has the turn, or a log that is kept has no room left.

    When the hand is over, chips are paid out and players have learnt from it.
    """
    # Static players are decided without a stream or the structure: every new row of an array, and every array of a
    # structure that is handed on, counts its owners.
    rng, kinds, b = scratch.rng, players.kinds, read_betting(t)
    while True:
        if b.actor < 0:  # NOBODY; said so, the compiler knows that the seats below are not negative
            write_betting(t, b)
            end_round(t, scratch.log)
            b = read_betting(t)
            if b.actor < 0:
                end_hand(players, who, t)
                return
            if len(players.networks.memory):
                prefetch_street(t, players.networks.odds)
        kind = kinds[who[b.actor]]
        if kind == PYTHON or (len(scratch.log) > 1 and not has_room(scratch.log)):
            write_betting(t, b)
            return
        if kind <= LAST_STATIC:
            action, amount = decide_static_at(kind, t, b, scratch.next_bits[b.actor])
            # The next draw is made now, while nothing waits for it.
            if kind >= FIRST_DRAWING:
                rng[b.actor, 1] += 1
                scratch.next_bits[b.actor] = bits_at(rng[b.actor, 0], rng[b.actor, 1])
        else:
            write_betting(t, b)
            then = next_to_act(b.to_act & ~(1 << b.actor), b.actor)
            if then >= 0:
                prefetch_player(players, who[then], then, t)
            action, amount = decide(players, who, t, rng)
        b = apply_decision(t, b, who, players, action, amount, scratch)


@borrowing
def apply_decision(
    t: Table, b: Betting, who: Ints, players: Players, action: int, amount: int, scratch: DealScratch
) -> Betting:
    """Do what the actor decided, which must be legal: the move, its correction, and what is noted of it."""
    player, old_bet = who[b.actor], b.current_bet
    price = min(old_bet - t.bet[b.actor], t.stack[b.actor])
    if len(scratch.corrections.totals):
        correct(scratch.corrections, t, b, who, players, scratch.rng, action)
    watch(players, who, t, b.actor, old_bet, action, amount)
    after = move(t, b, action, amount, scratch.log)
    observe(players, player, action, price, old_bet, amount, t.big_blind)
    return after


@kernel
def players_at(t: Table) -> int:
    """How many seats have chips, between hands."""
    players = 0
    for seat in range(t.seats):
        players += t.stack[seat] > 0
    return players


class StackRules(NamedTuple):
    """The stacks of a series of hands: everyone has `stack` before each, or they are `kept` from hand to hand.

    Kept stacks: whether those with nothing left `rebuy`, the fewest players that a hand needs, and whether blinds and
    ante, which begin with these, rise as seats empty.
    """

    stack: int
    kept: bool
    rebuy: bool
    least_players: int
    rising: bool
    small_blind: int
    big_blind: int
    ante: int


@kernel
def next_hand(t: Table, rules: StackRules) -> bool:
    """Prepare the next hand with kept stacks: rebuys, blinds, button; False if too few have chips."""
    for seat in range(t.seats):
        if rules.rebuy and t.stack[seat] == 0:
            t.stack[seat] = rules.stack
    left = players_at(t)
    if left < rules.least_players:
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
    """`next_hand` for the first table of an array."""
    return next_hand(tables[0], rules)


@kernel
def play_hands(
    tables: Tables, rules: StackRules, seating: Seating, players: Players, deals: int, decisions: int, numbers: Ints,
    first: int, chips: Ints, adjusted: Floats, weights: Floats, columns: Floats,
) -> int:  # fmt: skip
    """Play hands of compiled players; returns how many there were before too few had chips.

    tables (1,) is the variant and scratch, and with kept stacks holds these and the button before and after. Players
    sit as `seating` says; player i of the match's k-th table has the number k seats + i. A deal's cards come from its
    child of the key `deals`, a hand's decisions from its child of the other.

    What each won in hand `numbers[i]` goes into row `numbers[i] - first` of chips (hands, players). adjusted, of the
    same shape or without rows, receives the mean over what came after the last decision, less the corrections by value
    functions, weights (players, any) or without rows. columns (hands, players, any) or without rows receives the
    columns of these.
    """
    t, scratch = tables[0], new_scratch(weights)
    seated, who = np.empty(t.seats, np.int64), np.empty(t.seats, np.int64)
    for played in range(len(numbers)):
        number, row = numbers[played], numbers[played] - first
        button = seat_hand(seating, number, seated)
        table = number % seating.per_deal if seating.per_deal > 1 else 0
        for seat in range(t.seats):
            who[seat] = table * t.seats + seated[seat]
        if not rules.kept:
            t.button = button
            for seat in range(t.seats):
                t.stack[seat] = rules.stack
        elif not next_hand(t, rules):
            return played
        deal_key = child(deals, number // seating.per_deal if seating.per_deal > 1 else number)
        begin_hand(t, who, players, prf(deal_key, CARDS), child(decisions, number), scratch)
        advance(t, who, players, scratch)
        if len(columns):
            write_columns(scratch.corrections, seated, row, columns)
        for seat in range(t.seats):
            chips[row, seated[seat]] = t.stack[seat] - t.start[seat]
        if len(adjusted) > 0:
            adjust(t, seated, child(deal_key, RUNOUTS), scratch, adjusted[row])
    return len(numbers)


@kernel
def adjust(t: Table, seated: Ints, key: int, scratch: DealScratch, adjusted: Floats) -> None:
    """Write the mean over what came after the last decision, less the corrections, into adjusted (players,)."""
    stream, mean = scratch.rng[SEATS], np.empty(t.seats)
    stream[0] = key
    stream[1] = 0
    mean_chips(t, SAMPLES, stream, scratch.log, mean)
    for seat in range(t.seats):
        adjusted[seated[seat]] = mean[seat]
        if len(scratch.corrections.totals):
            adjusted[seated[seat]] -= scratch.corrections.totals[seat] * t.big_blind
