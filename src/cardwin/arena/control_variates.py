"""Control variates of a hand: numbers with a mean of exactly zero, from the cards dealt and the players' own draws.

They depend on the keys of the match only. For a player in its seat:

- **cards**: its odds before the flop less the table's mean, and its share of the pot if all stayed in less an
  equal share; both also for the button alone. Seats are dealt alike, so all four have mean zero.
- **draws**: the bins of the first two numbers of its stream, in thirds and halves, as mixing players use them, and
  those of its opponents' first numbers. Draws are uniform, however they are used.
- their products: cards and draws are independent.

No strategy is needed; the weight of each control is estimated from results (`stats.controls`).
"""

import numpy as np

from cardwin.arena.engine import CARDS
from cardwin.arena.runouts import Floats, Ints
from cardwin.arena.seating import Seating, seat_hand
from cardwin.cards.holdings import CLASS_OF_HOLDING
from cardwin.cards.preflop import preflop
from cardwin.cards.ranks import rank_cards, simple_rank
from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at, child, prf, shuffle_first
from cardwin.games.holdem.table import BOARD

CONTROLS = 17
_BINS = 3
_EVEN = np.array([1 / 3, 1 / 6, 1 / 3])  # probabilities of the bins


@kernel
def _fill_bins(bits: int, bins: Floats) -> None:
    """Whether 63 uniform bits are in the lowest third, between it and the half, or in the highest third; centred."""
    point = bits * 2.0**-63
    bins[0] = (point < 1 / 3) - _EVEN[0]
    bins[1] = (1 / 3 <= point < 1 / 2) - _EVEN[1]
    bins[2] = (point >= 2 / 3) - _EVEN[2]


@kernel
def _fill_cards(deck: Ints, seats: int, suitless: bool, odds: Floats, dealt: Floats) -> None:
    """For each seat (seats, 2) the odds before the flop less their mean, and the share less an equal one."""
    cards = np.empty(7, np.int64)
    for place in range(BOARD):
        cards[2 + place] = deck[place]
    mean, best, winners = 0.0, -(2**60), 0
    for seat in range(seats):
        a, b = deck[BOARD + 2 * seat], deck[BOARD + 2 * seat + 1]
        dealt[seat, 0] = odds[CLASS_OF_HOLDING[max(a, b) * (max(a, b) - 1) // 2 + min(a, b)]]
        mean += dealt[seat, 0] / seats
        cards[0], cards[1] = a, b
        value = simple_rank(cards) if suitless else -rank_cards(cards)
        dealt[seat, 1] = value
        if value > best:
            best, winners = value, 0
        winners += value == best
    for seat in range(seats):
        dealt[seat, 0] -= mean
        dealt[seat, 1] = (1.0 / winners if dealt[seat, 1] == best else 0.0) - 1.0 / seats


@kernel
def fill_controls(
    seating: Seating, seats: int, suitless: bool, deals: int, decisions: int, odds: Floats, first: int, out: Floats
) -> None:
    """The controls of hands from number `first` on, out (hands, players, CONTROLS); keys as in `engine.play_hands`."""
    deck, order = np.empty(52, np.int64), np.empty(seats, np.int64)
    stream = np.zeros(2, np.int64)
    dealt, draws = np.empty((seats, 2)), np.empty((seats, 2, _BINS))
    for row in range(len(out)):
        number = first + row
        button = seat_hand(seating, number, order)
        hand = child(decisions, number)
        for card in range(52):
            deck[card] = card
        stream[0], stream[1] = prf(child(deals, number // seating.per_deal), CARDS), 0
        shuffle_first(stream, deck, BOARD + 2 * seats)
        _fill_cards(deck, seats, suitless, odds, dealt)
        for seat in range(seats):
            key = prf(hand, 1 + seat)
            _fill_bins(bits_at(key, 0), draws[seat, 0])
            _fill_bins(bits_at(key, 1), draws[seat, 1])
        for seat in range(seats):
            _write(seat, button, dealt, draws, out[row, order[seat]])


@kernel
def _write(seat: int, button: int, dealt: Floats, draws: Floats, out: Floats) -> None:
    """One player's controls (CONTROLS,)."""
    others = np.zeros(_BINS)
    for other in range(len(dealt)):
        if other != seat:
            for place in range(_BINS):
                others[place] += draws[other, 0, place] / (len(dealt) - 1)
    for kind in range(2):
        out[kind] = dealt[seat, kind]
        out[2 + kind] = dealt[seat, kind] if seat == button else 0.0
        out[13 + kind] = draws[seat, 0, 0] * dealt[seat, kind]
        out[15 + kind] = others[0] * dealt[seat, kind]
    for place in range(_BINS):
        out[4 + place] = draws[seat, 0, place]
        out[7 + place] = draws[seat, 1, place]
        out[10 + place] = others[place]


def controls_of(
    seating: Seating, seats: int, suitless: bool, deals: int, decisions: int, first: int, hands: int
) -> Floats:
    """The controls (hands, players, CONTROLS) of a match's hands from number `first` on."""
    out = np.empty((hands, seats, CONTROLS))
    odds = np.ascontiguousarray(preflop().equity[:, min(seats - 1, 9) - 1])
    fill_controls(seating, seats, suitless, deals, decisions, odds, first, out)
    return out
