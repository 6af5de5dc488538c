"""Strength and potential of all combos on a board at once, after Papp (1998), against a weighted range.

`hand_strength` computes one holding; an opponent model needs all 1,081 to 1,176 of them, which share their
ranks. They are ranked and sorted once, and sums are taken by rank, without the holdings that share a card:

1. Strength. Go from the worst rank to the best with the weight passed so far, in total and by card. A holding (a, b)
   is ahead of what was passed, less what was passed with a or with b.
2. Potential. With x and y in {-1, 0, 1} for behind, tied and ahead, now and later, PPot's numerator is the sum of
   w max(0, y - x) / 2, which is half of w [x < 0, y >= 0] + w [x <= 0, y > 0]: pairs counted by rank now and rank
   later. For each card to come, holdings are entered best rank now first into sums by rank later, of all and of each
   card, and read on the way. NPot's numerator is PPot's less the sum of w (y - x) / 2, which needs no pairs.

Sums by rank later are cumulative: entering a holding adds its weight to all ranks that it does not beat, in
a loop that the compiler vectorises four wide. A card's own sums have at most 48 ranks, numbered separately.

If the total weight is 0, potential is 0 and strength is one half; holdings that contain a board card have 0. Sums
are floats added in a fixed order: exact for whole weights, otherwise equal to `hand_strength` to about 1e-12.
Without suits (`suitless`, the simple game) flushes do not count.
"""

import numpy as np

from cardwin.cards.deals import first_combination, next_combination
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS, Weights
from cardwin.cards.ranks import BITS, CODES, START, WORST_RANK, rank_of
from cardwin.core.arrays import Ints, Shorts
from cardwin.core.kernel import kernel

DECK_SIZE = 52
EPSILON = 1e-9  # weights below this are rounding errors of 0


@kernel
def rank_holdings(board: Ints, suitless: bool, ranks: Shorts, order: Shorts) -> int:
    """Rank every holding on a board of three to five cards and sort them, best first; return their number.

    ranks (1326,) is 0 where a holding shares a card with the board; order (1326,) is filled up to their number.
    """
    total, held, taken = 0 if suitless else START, 0, 0  # counters that begin at 0 never flag a flush
    for card in board:
        total, held, taken = total + CODES[card], held | BITS[card], taken | (1 << card)
    cards = len(board) + 2
    starts = np.zeros(WORST_RANK + 2, np.int16)
    holding = 0
    for a in range(DECK_SIZE):
        a_total, a_held = total + CODES[a], held | BITS[a]
        for b in range(a):
            rank = 0
            if (taken >> a | taken >> b) & 1 == 0:
                rank = rank_of(a_total + CODES[b], a_held | BITS[b], cards)
                starts[rank + 1] += 1
            ranks[holding] = rank
            holding += 1
    for rank in range(1, WORST_RANK + 1):
        starts[rank + 1] += starts[rank]
    count = 0
    for holding in range(HOLDINGS):
        rank = ranks[holding]
        if rank > 0:
            order[starts[rank]] = holding
            starts[rank] += 1
            count += 1
    return count


@kernel
def standings(ranks: Shorts, order: Shorts, count: int, weights: Weights, sums: Weights) -> None:
    """Fill in the weights that each holding is ahead of, tied with and behind, in sums (3, 1326).

    They are those of `hand_strength.standing`; ranks and order are those of `rank_holdings`. The range is the
    opponent's, so holdings that share a card with the holding are removed from it.
    """
    for kind in range(3):
        for holding in range(HOLDINGS):
            sums[kind, holding] = 0.0
    every = 0.0
    by_card, passed, beside = np.zeros(DECK_SIZE), np.zeros(DECK_SIZE), np.zeros(DECK_SIZE)
    for i in range(count):
        holding = order[i]
        weight = weights[holding]
        every += weight
        by_card[HOLDING_CARDS[holding, 0]] += weight
        by_card[HOLDING_CARDS[holding, 1]] += weight
    below, end = 0.0, count
    while end > 0:
        rank, start, equal = ranks[order[end - 1]], end, 0.0
        while start > 0 and ranks[order[start - 1]] == rank:
            start -= 1
            holding = order[start]
            weight = weights[holding]
            equal += weight
            beside[HOLDING_CARDS[holding, 0]] += weight
            beside[HOLDING_CARDS[holding, 1]] += weight
        for i in range(start, end):
            holding = order[i]
            a, b, weight = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1], weights[holding]
            ahead = max(below - passed[a] - passed[b], 0.0)
            tied = max(equal - beside[a] - beside[b] + weight, 0.0)
            sums[0, holding] = ahead
            sums[1, holding] = tied
            sums[2, holding] = max(every - by_card[a] - by_card[b] + weight - ahead - tied, 0.0)
        for i in range(start, end):
            holding = order[i]
            a, b, weight = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1], weights[holding]
            passed[a] += weight
            passed[b] += weight
            beside[a] = 0.0
            beside[b] = 0.0
        below += equal
        end = start


@kernel
def strengths(ranks: Shorts, order: Shorts, count: int, weights: Weights) -> Weights:
    """Return the hand strength of every holding (1326,), ties counting half."""
    sums, result = np.empty((3, HOLDINGS)), np.zeros(HOLDINGS)
    standings(ranks, order, count, weights, sums)
    for i in range(count):
        holding = order[i]
        total = sums[0, holding] + sums[1, holding] + sums[2, holding]
        result[holding] = (sums[0, holding] + sums[1, holding] / 2) / total if total > EPSILON else 0.5
    return result


@kernel
def _number_ranks(ranks: Shorts, order: Shorts, count: int, later: Shorts, levels: Shorts) -> int:
    """Write the numbers of the ranks, best 0, and return how many there are.

    `later` (1326,) numbers them among all holdings, `levels` (1326, 2) among the holdings with either card.
    """
    seen = np.full(DECK_SIZE, -1, np.int16)  # the last rank's number with each card
    number = np.full(DECK_SIZE, -1, np.int16)
    level = -1
    last = -1
    for i in range(count):
        holding = order[i]
        if ranks[holding] != last:
            last = ranks[holding]
            level += 1
        later[holding] = level
        for side in range(2):
            card = HOLDING_CARDS[holding, side]
            if seen[card] != level:
                seen[card] = level
                number[card] += 1
            levels[holding, side] = number[card]
    return level + 1


@kernel
def _add(sums: Weights, last: int, weight: float) -> None:
    """Add a weight to sums[0..last]."""
    for index in range(last + 1):
        sums[index] += weight


@kernel
def _enter_pairs(
    now: Shorts,
    order: Shorts,
    count: int,
    weights: Weights,
    ranks_later: Shorts,
    later: Shorts,
    levels: Shorts,
    sums: Weights,
    by_card: Weights,
    gains: Weights,
) -> None:
    """Enter holdings, best rank now first, into sums by rank later, and add each one's gains (1326,) on the way."""
    start = 0
    while start < count:
        rank, end = now[order[start]], start
        while end < count and now[order[end]] == rank:
            holding = order[end]
            if ranks_later[holding] > 0:  # strictly behind now, at least tied later
                a, b = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
                i, j = levels[holding, 0], levels[holding, 1]
                gains[holding] += sums[later[holding]] - by_card[a, i] - by_card[b, j]
            end += 1
        for index in range(start, end):
            holding = order[index]
            if ranks_later[holding] > 0 and weights[holding] > 0.0:
                weight = weights[holding]
                _add(sums, later[holding], weight)
                _add(by_card[HOLDING_CARDS[holding, 0]], levels[holding, 0], weight)
                _add(by_card[HOLDING_CARDS[holding, 1]], levels[holding, 1], weight)
        for index in range(start, end):
            holding = order[index]
            if ranks_later[holding] > 0:  # behind or tied now, strictly ahead later
                a, b = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
                i, j = levels[holding, 0] + 1, levels[holding, 1] + 1
                gains[holding] += sums[later[holding] + 1] - by_card[a, i] - by_card[b, j]
        start = end


@kernel
def _add_signs(
    order: Shorts,
    count: int,
    weights: Weights,
    later: Shorts,
    levels: Shorts,
    sums: Weights,
    by_card: Weights,
    signs: Weights,
) -> None:
    """Add to signs (1326,) the weight that each holding is ahead of later, less that behind, once all are entered."""
    for index in range(count):
        holding = order[index]
        a, b, weight = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1], weights[holding]
        i, j, level = levels[holding, 0], levels[holding, 1], later[holding]
        ahead = sums[level + 1] - by_card[a, i + 1] - by_card[b, j + 1]
        not_behind = sums[level] - by_card[a, i] - by_card[b, j] + weight
        signs[holding] += ahead + not_behind - (sums[0] - by_card[a, 0] - by_card[b, 0] + weight)


@kernel
def _count_pairs(
    board: Ints,
    suitless: bool,
    ahead: int,
    now: Shorts,
    order: Shorts,
    count: int,
    weights: Weights,
    gains: Weights,
    signs: Weights,
) -> None:
    """Add each holding's gains (twice) and signs, both (1326,), over all cards to come."""
    then = np.empty(len(board) + ahead, np.int64)
    shown = 0
    for i in range(len(board)):
        then[i] = board[i]
        shown |= 1 << board[i]
    deck, left = np.empty(DECK_SIZE - len(board), np.int64), 0
    for card in range(DECK_SIZE):
        if (shown >> card) & 1 == 0:
            deck[left] = card
            left += 1
    ranks_later, order_later = np.zeros(HOLDINGS, np.int16), np.zeros(HOLDINGS, np.int16)
    later, levels = np.zeros(HOLDINGS, np.int16), np.zeros((HOLDINGS, 2), np.int16)
    sums, by_card = np.zeros(HOLDINGS + 1), np.zeros((DECK_SIZE, DECK_SIZE))
    combination = first_combination(ahead)
    while True:
        for i in range(ahead):
            then[len(board) + i] = deck[combination[i]]
        count_later = rank_holdings(then, suitless, ranks_later, order_later)
        numbers = _number_ranks(ranks_later, order_later, count_later, later, levels)
        for i in range(numbers + 1):
            sums[i] = 0.0
        for card in range(DECK_SIZE):
            for i in range(DECK_SIZE):
                by_card[card, i] = 0.0
        _enter_pairs(now, order, count, weights, ranks_later, later, levels, sums, by_card, gains)
        _add_signs(order_later, count_later, weights, later, levels, sums, by_card, signs)
        if not next_combination(combination, ahead, len(deck)):
            return


@kernel
def potentials(board: Ints, suitless: bool, weights: Weights, ahead: int) -> Weights:
    """Return PPot and NPot of every holding, (2, 1326), one or two cards ahead; 0 when no card is to come."""
    result = np.zeros((2, HOLDINGS))
    if ahead == 0 or len(board) + ahead > 5:
        return result
    now, order = np.zeros(HOLDINGS, np.int16), np.zeros(HOLDINGS, np.int16)
    count = rank_holdings(board, suitless, now, order)
    stands, gains, signs = np.empty((3, HOLDINGS)), np.zeros(HOLDINGS), np.zeros(HOLDINGS)
    standings(now, order, count, weights, stands)
    _count_pairs(board, suitless, ahead, now, order, count, weights, gains, signs)
    free = DECK_SIZE - len(board) - 4  # cards that neither of two holdings has, each of which can come next
    ways = free if ahead == 1 else free * (free - 1) // 2
    for index in range(count):
        holding = order[index]
        winning, tied, losing = stands[0, holding], stands[1, holding], stands[2, holding]
        gain = max(gains[holding], 0.0) / 2
        loss = max(gain - (signs[holding] - ways * (winning - losing)) / 2, 0.0)
        if losing + tied > EPSILON:
            result[0, holding] = gain / (ways * (losing + tied / 2))
        if winning + tied > EPSILON:
            result[1, holding] = loss / (ways * (winning + tied / 2))
    return result


@kernel
def measure_holdings(board: Ints, suitless: bool, weights: Weights, ahead: int, out: Weights) -> None:
    """Write strength, PPot and NPot of every holding on a board (3..5,) against weights (1326,) into out (3, 1326)."""
    ranks, order = np.zeros(HOLDINGS, np.int16), np.zeros(HOLDINGS, np.int16)
    strength = strengths(ranks, order, rank_holdings(board, suitless, ranks, order), weights)
    potential = potentials(board, suitless, weights, ahead)
    for holding in range(HOLDINGS):
        out[0, holding] = strength[holding]
        out[1, holding], out[2, holding] = potential[0, holding], potential[1, holding]
