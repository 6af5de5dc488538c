"""Hand strength and potential, after Papp (1998): how good a hand is now, and how often that changes.

With weights over the opponent's 1,326 holdings (holdings with our cards are removed here):

1. HS = (ahead + tied / 2) / (ahead + tied + behind).
2. T[now][later] sums weights over all holdings and all next cards (one or two ahead). Rows and columns are ahead,
   tied, behind, from the hand's point of view.
3. PPot = (T[behind][ahead] + T[behind][tied] / 2 + T[tied][ahead] / 2) / (sum T[behind] + sum T[tied] / 2), and NPot
   likewise from ahead and tied to behind.

All functions take plain arrays: the board (3..5,), the weights (1326,). If the total weight is 0, potential is 0 and
strength is one half.
"""

import numpy as np

from cardwin.cards.deals import first_combination, next_combination
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS, Weights
from cardwin.cards.ranks import BITS, CODES, START, rank_of
from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel

AHEAD, TIED, BEHIND = 0, 1, 2


@kernel
def _compare(a: int, b: int, board: Ints, weights: Weights, members: Ints, stands: Ints) -> int:
    """List the opponent's possible holdings of positive weight and the standing against each; return their number."""
    total, held, known = START, 0, (1 << a) | (1 << b)
    for card in board:
        total, held, known = total + CODES[card], held | BITS[card], known | (1 << card)
    cards = len(board) + 2
    ours = rank_of(total + CODES[a] + CODES[b], held | BITS[a] | BITS[b], cards)
    count = 0
    for holding in range(HOLDINGS):
        c, d = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
        if weights[holding] > 0.0 and known & ((1 << c) | (1 << d)) == 0:
            theirs = rank_of(total + CODES[c] + CODES[d], held | BITS[c] | BITS[d], cards)
            members[count] = holding
            stands[count] = AHEAD if ours < theirs else (TIED if ours == theirs else BEHIND)
            count += 1
    return count


@kernel
def standing(a: int, b: int, board: Ints, weights: Weights) -> Weights:
    """Return the opponent's weight (3,) that the hand is ahead of, tied with, and behind."""
    members, stands = np.empty(HOLDINGS, dtype=np.int64), np.empty(HOLDINGS, dtype=np.int64)
    sums = np.zeros(3)
    for i in range(_compare(a, b, board, weights, members, stands)):
        sums[stands[i]] += weights[members[i]]
    return sums


@kernel
def hand_strength(a: int, b: int, board: Ints, weights: Weights) -> float:
    """Return the probability to be best now against one opponent, ties counting half."""
    sums = standing(a, b, board, weights)
    total = sums[AHEAD] + sums[TIED] + sums[BEHIND]
    return (sums[AHEAD] + sums[TIED] / 2) / total if total > 0.0 else 0.5


@kernel
def transitions(a: int, b: int, board: Ints, weights: Weights, ahead: int) -> Weights:
    """Return T[now][later] (3, 3): weights summed over all holdings and all ways to deal the next one or two cards."""
    members, stands = np.empty(HOLDINGS, dtype=np.int64), np.empty(HOLDINGS, dtype=np.int64)
    count = _compare(a, b, board, weights, members, stands)
    order, filled = np.empty(count, dtype=np.int64), 0
    for stand in range(3):
        for i in range(count):
            if stands[i] == stand:
                order[filled] = i
                filled += 1
    sums, bits, masks = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
    shares, ends = np.empty(count), np.zeros(3, dtype=np.int64)
    for i in range(count):
        holding = members[order[i]]
        c, d = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
        sums[i], bits[i], masks[i] = CODES[c] + CODES[d], BITS[c] | BITS[d], (1 << c) | (1 << d)
        shares[i] = weights[holding]
        ends[stands[order[i]]] = i + 1
    ends[TIED], ends[BEHIND] = max(ends[AHEAD], ends[TIED]), count
    table = np.zeros((3, 3))
    board_sum, board_bits, deck = _open_deck(a, b, board)
    combination = first_combination(ahead)
    while True:
        total, held, dealt = board_sum, board_bits, 0
        for index in combination:
            card = deck[index]
            total, held, dealt = total + CODES[card], held | BITS[card], dealt | (1 << card)
        cards = len(board) + ahead + 2
        ours = rank_of(total + CODES[a] + CODES[b], held | BITS[a] | BITS[b], cards)
        start = 0
        for now in range(3):
            _add_row(table[now], ours, total, held, dealt, cards, sums, bits, masks, shares, start, ends[now])
            start = ends[now]
        if not next_combination(combination, ahead, len(deck)):
            return table


@kernel
def _open_deck(a: int, b: int, board: Ints) -> tuple[int, int, Ints]:
    """Return the board's sum and bits, and the unknown cards."""
    total, held, known = START, 0, (1 << a) | (1 << b)
    for card in board:
        total, held, known = total + CODES[card], held | BITS[card], known | (1 << card)
    deck = np.empty(50 - len(board), dtype=np.int64)
    count = 0
    for card in range(52):
        if (known >> card) & 1 == 0:
            deck[count] = card
            count += 1
    return total, held, deck


@kernel
def _add_row(
    row: Weights,
    ours: int,
    total: int,
    held: int,
    dealt: int,
    cards: int,
    sums: Ints,
    bits: Ints,
    masks: Ints,
    shares: Weights,
    start: int,
    end: int,
) -> None:
    """Add one dealt board to a row of T, for the holdings start..end-1 that have the same standing now."""
    ahead = tied = behind = 0.0
    for i in range(start, end):
        if masks[i] & dealt:
            continue
        theirs = rank_of(total + sums[i], held | bits[i], cards)
        if ours < theirs:
            ahead += shares[i]
        elif ours > theirs:
            behind += shares[i]
        else:
            tied += shares[i]
    row[AHEAD] += ahead
    row[TIED] += tied
    row[BEHIND] += behind


@kernel
def potential_of(table: Weights) -> tuple[float, float]:
    """Return PPot and NPot of a table T (3, 3)."""
    # Sums by hand: `sum` takes a quarter of a second to compile.
    ahead = table[AHEAD, AHEAD] + table[AHEAD, TIED] + table[AHEAD, BEHIND]
    tied = table[TIED, AHEAD] + table[TIED, TIED] + table[TIED, BEHIND]
    behind = table[BEHIND, AHEAD] + table[BEHIND, TIED] + table[BEHIND, BEHIND]
    better = table[BEHIND, AHEAD] + table[BEHIND, TIED] / 2 + table[TIED, AHEAD] / 2
    worse = table[AHEAD, BEHIND] + table[AHEAD, TIED] / 2 + table[TIED, BEHIND] / 2
    positive = better / (behind + tied / 2) if behind + tied > 0.0 else 0.0
    negative = worse / (ahead + tied / 2) if ahead + tied > 0.0 else 0.0
    return positive, negative


@kernel
def hand_potential(a: int, b: int, board: Ints, weights: Weights, ahead: int) -> tuple[float, float]:
    """Return PPot and NPot, looking one or two cards ahead; 0 and 0 when no card is to come."""
    if ahead == 0 or len(board) + ahead > 5:
        return 0.0, 0.0
    return potential_of(transitions(a, b, board, weights, ahead))
