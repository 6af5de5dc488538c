"""Hand strength by rollouts: the fast estimate that robots use.

Each rollout of `rollout_strength` deals two cards to every opponent, completes the board and compares the hands. The
random stream is an argument, so the same stream gives the same result. Suits may be ignored, and four
simplifications of Chen (2018), who dealt the opponents only once and counted ties as losses, are options.

`chen_formula` values two hole cards by the rule of thumb that Bill Chen published (Hold'em Excellence, 1995), without
its bonus for suits: points of the higher card, pairs doubled, gaps subtracted, one more for low neighbours.
"""

import math

import numpy as np

from cardwin.cards.ranks import BITS, CODES, START, rank_of_seven
from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, bits_at

BOARD = 5
_CARD_MASK = _INDEX_MASK = 63  # masks: an index cannot be negative, which saves the compiler a check
_HIGH_CARD_POINTS = np.array([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 10])  # for ranks 2..A
_GAP_COSTS = np.array([0.0, 1.0, 2.0, 4.0])  # for none, one, two or three ranks between; 5 beyond
_QUEEN = 10


@kernel
def chen_formula(a: int, b: int) -> float:
    """Return the points of two cards, suits ignored: 20 for a pair of aces down to -1."""
    high, low = max(a >> 2, b >> 2), min(a >> 2, b >> 2)
    points = float(_HIGH_CARD_POINTS[high])
    if high == low:
        return max(2.0 * points, 5.0)
    gap = high - low - 1
    points -= _GAP_COSTS[gap] if gap < len(_GAP_COSTS) else 5.0
    if gap < 2 and high < _QUEEN:
        points += 1.0
    return float(math.ceil(points))


@kernel
def _share(total: int, bits: int, rank: int, cards: Ints, opponents: int, min_points: float, ties_lose: bool) -> float:
    """Return the share of a pot; `rank` is the player's rank on the board with this sum and these bits.

    Each opponent has two of the cards in turn. One with fewer points than `min_points` has folded.
    """
    equal = 0
    for row in range(opponents):
        a, b = cards[2 * row & _INDEX_MASK] & _CARD_MASK, cards[2 * row + 1 & _INDEX_MASK] & _CARD_MASK
        if min_points > 0 and chen_formula(a, b) < min_points:
            continue
        other_rank = rank_of_seven(total + CODES[a] + CODES[b], bits | BITS[a] | BITS[b])
        if other_rank < rank:
            return 0.0
        equal += other_rank == rank
    if ties_lose and equal:
        return 0.0
    return 1.0 / (1 + equal)


@kernel
def rollout_strength(
    hole: Ints,
    board: Ints,
    opponents: int,
    rollouts: int,
    suitless: bool,
    ties_lose: bool,
    dealt_once: bool,
    min_points: float,
    stream: Stream,
) -> float:
    """Return the mean share of a pot that a hand wins against a number of opponents.

    The options are separate arguments, because kernels take no objects.

    Args:
        hole: the player's cards (2,).
        board: the board, 0 to 5 cards.
        opponents: the number of opponents.
        rollouts: the number of rollouts.
        suitless: whether suits are ignored.
        ties_lose: whether a tie counts as a loss.
        dealt_once: whether the opponents keep their cards in all rollouts, so that only the board changes.
        min_points: opponents with fewer points of `chen_formula` fold.
        stream: the random stream.

    """
    known = 0
    # Counters that start at 0 never reach a flush.
    known_sum, known_bits = 0 if suitless else START, 0
    for card in board:
        known |= 1 << card
        known_sum, known_bits = known_sum + CODES[card], known_bits | BITS[card]
    hole_sum, hole_bits = CODES[hole[0]] + CODES[hole[1]], BITS[hole[0]] | BITS[hole[1]]
    known |= 1 << hole[0] | 1 << hole[1]
    cards = np.empty(_INDEX_MASK + 1, np.int64)  # the opponents' cards, then those of the board
    theirs, end = 2 * opponents, 2 * opponents + BOARD - len(board)
    key, counter, dealt, won = stream[0], stream[1], known, 0.0
    for roll in range(rollouts):
        index, used = (theirs, dealt) if dealt_once and roll > 0 else (0, known)
        while index < end:
            # A card that is used already is overwritten by the next one: no branch that could be mispredicted.
            card = ((bits_at(key, counter) >> 31) * 52) >> 32
            counter += 1
            cards[index & _INDEX_MASK] = card
            index += 1 - ((used >> card) & 1)
            used |= 1 << card
        total, bits = known_sum, known_bits
        for index in range(theirs, end):
            card = cards[index & _INDEX_MASK] & _CARD_MASK
            total, bits, used = total + CODES[card], bits | BITS[card], used & ~(1 << card)
        dealt = used
        rank = rank_of_seven(total + hole_sum, bits | hole_bits)
        won += _share(total, bits, rank, cards, opponents, min_points, ties_lose)
    stream[1] = counter
    return won / rollouts
