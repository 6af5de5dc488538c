"""Simulated deals for one to nine opponents at once: each deal is counted for the first n of nine."""

import numpy as np
import numpy.typing as npt

from cardwin.cards.ranks import BITS, CODES, START, rank_of_seven
from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, draw_below, shuffle_first

MAX_OPPONENTS = 9
WINS, TIES, SHARES, SQUARES = 0, 1, 2, 3


@kernel
def draw_card(stream: Stream, used: int) -> int:
    """Draw a random card that is not in a set of cards (as bits)."""
    while True:
        card = draw_below(stream, 52)
        if (used >> card) & 1 == 0:
            return int(card)


@kernel
def deal_many(stream: Stream, cards: npt.NDArray[np.int64], deals: int, tallies: npt.NDArray[np.float64]) -> None:
    """Add wins, ties, shares and squared shares to tallies (4, 9), by opponents - 1.

    The first two cards are the player's, the others (none, or three to five) are the board.
    """
    deck = np.empty(52 - len(cards), dtype=np.int64)
    live, known = 0, 0
    for card in cards:
        known |= 1 << card
    for card in range(52):
        if (known >> card) & 1 == 0:
            deck[live] = card
            live += 1
    a, b, missing = cards[0], cards[1], 7 - len(cards)
    for _ in range(deals):
        shuffle_first(stream, deck, missing + 2 * MAX_OPPONENTS)
        total, bits = START, 0
        for card in cards[2:]:
            total, bits = total + CODES[card], bits | BITS[card]
        for card in deck[:missing]:
            total, bits = total + CODES[card], bits | BITS[card]
        ours = rank_of_seven(total + CODES[a] + CODES[b], bits | BITS[a] | BITS[b])
        held = 1
        for n in range(MAX_OPPONENTS):
            c, d = deck[missing + 2 * n], deck[missing + 2 * n + 1]
            theirs = rank_of_seven(total + CODES[c] + CODES[d], bits | BITS[c] | BITS[d])
            if theirs < ours:
                break
            held += theirs == ours
            tallies[WINS, n] += held == 1
            tallies[TIES, n] += held > 1
            tallies[SHARES, n] += 1.0 / held
            tallies[SQUARES, n] += 1.0 / (held * held)


@kernel
def next_combination(indices: Ints, count: int, size: int) -> bool:
    """Advance to the next combination of `count` of `size` indices, in order; return False after the last one."""
    i = count - 1
    while i >= 0 and indices[i] == size - count + i:
        i -= 1
    if i < 0:
        return False
    indices[i] += 1
    for j in range(i + 1, count):
        indices[j] = indices[j - 1] + 1
    return True


@kernel
def first_combination(count: int) -> Ints:
    """Return the first combination of `count` indices: 0, 1, ... (numpy.arange takes seconds to compile)."""
    indices = np.empty(count, np.int64)
    for i in range(count):
        indices[i] = i
    return indices
