"""The dealer of hold'em: one kernel plays a hand, and everything that deals calls it: matches, sessions, tournaments
and, up to the next decision made in Python, live tables.

A hand has a key. Cards come from the key's child 0, the decisions of seat s from its child 1 + s, so that neither
depends on the other, nor on the hands before, nor on who plays in Python and who in kernels. Both are sealed: who sees
the cards or is given a stream learns nothing of the key, of cards to come or of other seats' streams.
"""

from typing import NamedTuple

import numpy as np

from cardwin.arena.corrections import (
    Corrections,
    begin_corrections,
    correct,
    new_corrections,
    write_corrections,
)
from cardwin.arena.runouts import SAMPLES, Floats, mean_chips
from cardwin.arena.runouts import Ints as Ints
from cardwin.arena.seating import Seating, seat_hand
from cardwin.core.kernel import kernel
from cardwin.core.prf import prf
from cardwin.core.rng import bits_at, child, shuffle_first
from cardwin.games.base import NOBODY
from cardwin.games.holdem.log import Log, has_room
from cardwin.games.holdem.rules import end_round, forced_bets, move, next_seat, post, to_call
from cardwin.games.holdem.table import BOARD, SEATS, Table, Tables
from cardwin.players.compiled import Players, decide, decide_at_once, end_hand, observe
from cardwin.players.kinds import FIRST_DRAWING, LAST_STATIC, PYTHON
from cardwin.players.network.networks import deal_in, note_aggression

CARDS = 0  # the child key of a hand's cards; seat s decides with child 1 + s
RUNOUTS = 1 + SEATS  # and boards that might have come with this one of the deal's key, for all its seatings


class DealScratch(NamedTuple):
    """What a dealer has at hand: a stream of luck for each seat and one more (11, 2), a deck (52,), and the antes and
    blinds by seat (2, 10).
    """

    rng: Ints
    deck: Ints
    forced: Ints


@kernel
def new_scratch() -> DealScratch:
    """An empty desk."""
    return DealScratch(np.zeros((SEATS + 1, 2), np.int64), np.zeros(52, np.int64), np.zeros((2, SEATS), np.int64))


@kernel
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


@kernel
def give_streams(t: Table, who: Ints, kinds: Ints, key: int, scratch: DealScratch) -> None:
    """Give each seat its stream of a key, but for those who never draw: sealing takes time."""
    for seat in range(t.seats):
        kind = kinds[who[seat]] if who[seat] >= 0 else 0
        if kind == PYTHON or kind >= FIRST_DRAWING:
            scratch.rng[seat, 0] = prf(key, 1 + seat)
            scratch.rng[seat, 1] = 0


@kernel
def play_hand(
    t: Table, who: Ints, players: Players, cards: int, decisions: int, scratch: DealScratch, log: Log | None,
    corrections: Corrections | None = None,
) -> None:  # fmt: skip
    """One hand from the stacks and the button that are there; who (seats,) are the players' numbers.

    Cards are dealt by one key, streams given by another. It ends with the chips paid out, or before: see `play_on`.
    """
    deal(t, cards, scratch)
    give_streams(t, who, players.kinds, decisions, scratch)
    forced_bets(t, scratch.forced)
    post(t, scratch.forced, log)
    deal_in(players.networks, who, t)
    begin_corrections(corrections, t)
    play_on(t, who, players, scratch, log, corrections)


@kernel
def play_on(
    t: Table, who: Ints, players: Players, scratch: DealScratch, log: Log | None, corrections: Corrections | None = None
) -> None:
    """Play until the hand is over, a Python player has the turn, or a log that is kept has no room left.

    The hand is not over before; a round may be.
    """
    # Static players are decided without a stream or the structure: every new row of an array, and every array of a
    # structure that is handed on, counts its owners.
    rng, numbers = scratch.rng, players.kinds
    while True:
        if t.actor == NOBODY:
            end_round(t, log)
        if t.actor == NOBODY:
            settle(t, who, players)
            return
        seat = t.actor
        player, price, old_bet = who[seat], to_call(t, seat), t.current_bet
        kind = numbers[player]
        if kind == PYTHON or not has_room(log):
            return
        if kind <= LAST_STATIC:
            draws = kind >= FIRST_DRAWING
            action, amount = decide_at_once(kind, t, bits_at(rng[seat, 0], rng[seat, 1]) if draws else 0)
            rng[seat, 1] += draws
        else:
            action, amount = decide(players, who, t, rng)
        correct(corrections, t, kind, action)
        move(t, action, amount, log)
        observe(players.learning, players.memory, player, action, price)
        note_aggression(players.networks, player, action, old_bet, amount, t.big_blind)


@kernel
def settle(t: Table, who: Ints, players: Players) -> None:
    """The hand is over: let everybody learn from it."""
    for seat in range(t.seats):
        if who[seat] >= 0:
            end_hand(players, who[seat], t.stack[seat] - t.start[seat])


@kernel
def play_block(
    tables: Tables, stacks: Ints, seating: Seating, players: Players, deals: int, decisions: int, numbers: Ints,
    first: int, chips: Ints, adjusted: Floats | None, corrected: Floats | None,
) -> None:  # fmt: skip
    """Play some hands of a match of compiled players with fresh stacks, seated as `seating` says.

    tables (1,) is the variant and scratch; stacks (seats,). Player i of the match's k-th table has the number
    k seats + i. A deal's cards come from its child of the key `deals`, a hand's decisions from its child of the other.
    What each won in hand `numbers[i]` goes into row `numbers[i] - first` of chips (hands, players); adjusted, of the
    same shape or None, receives what the hand was worth after its last decision, and corrected (hands, players, any) or
    None the luck of decisions.
    """
    t = tables[0]
    scratch, corrections = new_scratch(), new_corrections(corrected)
    seated, who = np.empty(t.seats, np.int64), np.empty(t.seats, np.int64)
    for number in numbers:
        t.button = seat_hand(seating, number, seated)
        table = number % seating.tables if seating.tables > 1 else 0
        for seat in range(t.seats):
            t.stack[seat] = stacks[seat]
            who[seat] = table * t.seats + seated[seat]
        deal = child(deals, number // seating.per_deal if seating.per_deal > 1 else number)
        play_hand(t, who, players, prf(deal, CARDS), child(decisions, number), scratch, None, corrections)
        write_corrections(corrections, seated, number - first, corrected)
        for seat in range(t.seats):
            chips[number - first, seated[seat]] = t.stack[seat] - t.start[seat]
        adjust(t, seated, child(deal, RUNOUTS), scratch, number - first, adjusted)


@kernel
def adjust(t: Table, seated: Ints, key: int, scratch: DealScratch, row: int, adjusted: Floats | None) -> None:
    """Write into a row what the hand was worth after its last decision, if that is asked for."""
    if adjusted is None:
        return
    stream, value = scratch.rng[SEATS], np.empty(t.seats)
    stream[0] = key
    stream[1] = 0
    mean_chips(t, SAMPLES, stream, None, value)
    for seat in range(t.seats):
        adjusted[row, seated[seat]] = value[seat]


@kernel
def players_at(t: Table) -> int:
    """How many seats have chips, between hands."""
    players = 0
    for seat in range(t.seats):
        players += t.stack[seat] > 0
    return players


class StackRules(NamedTuple):
    """How a table plays on with the chips everyone has: `stack` for those who have nothing left if they may rebuy, the
    fewest players that it needs, and whether blinds and ante, which begin with these, rise as seats empty.
    """

    stack: int
    rebuy: bool
    least_players: int
    rising: bool
    small_blind: int
    big_blind: int
    ante: int


@kernel
def next_hand(t: Table, stack_rules: StackRules) -> bool:
    """Fill empty stacks, raise blinds, move the button on, as far as wanted; False if too few have chips."""
    for seat in range(t.seats):
        if stack_rules.rebuy and t.stack[seat] == 0:
            t.stack[seat] = stack_rules.stack
    left = players_at(t)
    if left < stack_rules.least_players:
        return False
    if stack_rules.rising:
        t.small_blind = stack_rules.small_blind * t.seats // left
        t.big_blind = stack_rules.big_blind * t.seats // left
        t.ante = stack_rules.ante * t.seats // left
        for street in range(t.streets):
            t.bet_size[street] = t.big_blind
    t.button = next_seat(t, t.button)
    return True


@kernel
def next_hand_at(tables: Tables, stack_rules: StackRules) -> bool:
    """`next_hand` for the first table of an array."""
    return next_hand(tables[0], stack_rules)


@kernel
def play_kept(
    tables: Tables, stack_rules: StackRules, who: Ints, players: Players, key: int, first: int, chips: Ints
) -> int:
    """Play consecutive hands of compiled players whose stacks are kept; returns how many there were before the end.

    tables (1,) holds stacks and button before and after. Hand n has the n-th child of the key; chips (hands, seats).
    """
    t = tables[0]
    scratch = new_scratch()
    for row in range(len(chips)):
        if not next_hand(t, stack_rules):
            return row
        hand = child(key, first + row)
        play_hand(t, who, players, prf(hand, CARDS), hand, scratch, None)
        for seat in range(t.seats):
            chips[row, seat] = t.stack[seat] - t.start[seat]
    return len(chips)
