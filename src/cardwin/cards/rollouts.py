"""Hand strength by rollouts: the fast estimate that robots use.

Each rollout of `rollout_strength` deals two cards to every opponent, completes the board and compares the hands. The
random stream is an argument, so the same stream gives the same answer. Suits may be ignored, and four
simplifications of Chen (2018), who dealt the opponents only once and counted ties as losses, are options.

`chen_formula` values two hole cards by the rule of thumb that Bill Chen published (Hold'em Excellence, 1995), without
its bonus for suits: points of the higher card, pairs doubled, gaps subtracted, one more for low neighbours.
"""

import math

import numpy as np
import numpy.typing as npt

from cardwin.cards.deals import draw_card
from cardwin.cards.ranks import BITS, CODES, START, rank_of_seven
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream

Ints = npt.NDArray[np.int64]

BOARD = 5
_HIGH_CARD_POINTS = np.array([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 10])  # for ranks 2..A
_GAP_COSTS = np.array([0.0, 1.0, 2.0, 4.0])  # for none, one, two or three ranks between; 5 beyond
_QUEEN = 10


@kernel
def chen_formula(a: int, b: int) -> float:
    """The points of two cards, suits ignored: 20 for a pair of aces down to -1."""
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
def _deal_opponents(stream: Stream, used: int, least_points: float, hands: Ints) -> int:
    """Deal two cards to each row of hands (opponents, 2); below the least points it is dropped (first card -1)."""
    for row in range(len(hands)):
        for place in range(2):
            card = draw_card(stream, used)
            used |= 1 << card
            hands[row, place] = card
        if least_points > 0 and chen_formula(hands[row, 0], hands[row, 1]) < least_points:
            hands[row, 0] = -1
    return used


@kernel
def _share(total: int, bits: int, own: int, hands: Ints, ties_lose: bool) -> float:
    """Our share of a pot; `own` is our rank on the board with this sum and these bits."""
    equal = 0
    for row in range(len(hands)):
        one, two = hands[row, 0], hands[row, 1]
        if one >= 0:
            rank = rank_of_seven(total + CODES[one] + CODES[two], bits | BITS[one] | BITS[two])
            if rank < own:
                return 0.0
            equal += rank == own
    if ties_lose and equal:
        return 0.0
    return 1.0 / (1 + equal)


@kernel
def rollout_strength(
    hole: Ints, board: Ints, opponents: int, rollouts: int, suitless: bool, ties_lose: bool, dealt_once: bool,
    least_points: float, stream: Stream,
) -> float:  # fmt: skip
    """The mean share of a pot that hole (2,) and board (0 to 5 cards) win against this number of opponents.

    With `dealt_once` the opponents keep the same cards in all rollouts and only the board changes.
    """
    known = 0
    # Counters that start at 0 never reach a flush.
    known_sum, known_bits = 0 if suitless else START, 0
    for card in board:
        known |= 1 << card
        known_sum, known_bits = known_sum + CODES[card], known_bits | BITS[card]
    own_sum, own_bits = CODES[hole[0]] + CODES[hole[1]], BITS[hole[0]] | BITS[hole[1]]
    known |= 1 << hole[0] | 1 << hole[1]
    hands = np.empty((opponents, 2), np.int64)
    dealt = _deal_opponents(stream, known, least_points, hands)
    won = 0.0
    for roll in range(rollouts):
        if roll > 0 and not dealt_once:
            dealt = _deal_opponents(stream, known, least_points, hands)
        used, total, bits = dealt, known_sum, known_bits
        for _ in range(BOARD - len(board)):
            card = draw_card(stream, used)
            used |= 1 << card
            total, bits = total + CODES[card], bits | BITS[card]
        own = rank_of_seven(total + own_sum, bits | own_bits)
        won += _share(total, bits, own, hands, ties_lose)
    return won / rollouts
