"""Filling of the win-odds table (`win_odds`), street by street.

River odds come from ranking all holdings of a board and counting. Turn and flop are sums over the next card, each from
the street after it.
"""

import numpy as np

from cardwin.cards.all_combos import rank_holdings
from cardwin.cards.boards import SUIT_MAPS, board_bits, board_row, canonical
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.cards.ranks import BITS
from cardwin.cards.win_odds import MEAN_SCALE, STORED, WAYS, river_code, river_shares
from cardwin.core.arrays import Floats, Ints, Shorts, Words
from cardwin.core.kernel import kernel


@kernel
def river_counts(board: Ints, wins: Ints, ties: Ints) -> None:
    """Count how many of the opponent's 990 holdings every holding (1326,) beats and ties; 0 for impossible holdings."""
    wins[:] = 0
    ties[:] = 0
    ranks, order = np.empty(HOLDINGS, np.int16), np.empty(HOLDINGS, np.int16)
    count = rank_holdings(board, False, ranks, order)
    behind = np.zeros(52, dtype=np.int64)  # by card: worse holdings that contain it
    beside = np.zeros(52, dtype=np.int64)  # by card: equal holdings that contain it
    end = count
    while end > 0:
        rank = ranks[order[end - 1]]
        start = end
        while start > 0 and ranks[order[start - 1]] == rank:
            start -= 1
            beside[HOLDING_CARDS[order[start], 0]] += 1
            beside[HOLDING_CARDS[order[start], 1]] += 1
        for i in range(start, end):
            a, b = HOLDING_CARDS[order[i], 0], HOLDING_CARDS[order[i], 1]
            wins[order[i]] = count - end - behind[a] - behind[b]
            ties[order[i]] = end - start - beside[a] - beside[b] + 1
        for i in range(start, end):
            a, b = HOLDING_CARDS[order[i], 0], HOLDING_CARDS[order[i], 1]
            behind[a] += 1
            behind[b] += 1
            beside[a] = 0
            beside[b] = 0
        end = start


@kernel
def all_river_shares() -> Floats:
    """Return the stored shares (65536, 5) of all river codes, for loops that need a billion of them."""
    shares = np.empty((1 << 16, STORED))
    for code in range(len(shares)):
        river_shares(code, shares[code])
    return shares


@kernel
def fill_river(boards: Ints, first: int, last: int, river: Shorts) -> None:
    """Fill in rows first..last-1 of the river table."""
    wins, ties = np.empty(HOLDINGS, dtype=np.int64), np.empty(HOLDINGS, dtype=np.int64)
    for row in range(first, last):
        river_counts(boards[row], wins, ties)
        for holding in range(HOLDINGS):
            code = river_code(wins[holding], ties[holding])
            river[row, holding] = code - ((code >> 15) << 16)  # the same bits as a signed number


@kernel
def fill_turn(
    boards: Ints, first: int, last: int, index: Words, river: Shorts, shares: Floats, turn: Words, powers: Shorts
) -> None:
    """Fill in rows first..last-1 of the turn tables, from the river's and `all_river_shares`."""
    sums = np.empty(HOLDINGS, dtype=np.int64)
    means = np.empty((HOLDINGS, 4))
    for row in range(first, last):
        sums[:] = 0
        means[:] = 0.0
        bits = board_bits(boards[row])
        for card in range(52):
            if bits & BITS[card]:
                continue
            key, permutation = canonical(bits | BITS[card])
            line, moved = river[board_row(index, key)], SUIT_MAPS[permutation]
            for holding in range(HOLDINGS):
                code = line[moved[holding]] & 0xFFFF
                sums[holding] += code & WAYS
                for k in range(4):
                    means[holding, k] += shares[code, k + 1]
        for holding in range(HOLDINGS):
            turn[row, holding] = sums[holding]
            for k in range(4):
                powers[row, holding, k] = int(means[holding, k] / 46 * MEAN_SCALE + 0.5)


@kernel
def fill_flop(
    boards: Ints, first: int, last: int, index: Words, turn: Words, turn_powers: Shorts, flop: Words, powers: Shorts
) -> None:
    """Fill in rows first..last-1 of the flop tables, from the turn's, where every runout counts twice."""
    sums = np.empty(HOLDINGS, dtype=np.int64)
    means = np.empty((HOLDINGS, 4), dtype=np.int64)
    for row in range(first, last):
        sums[:] = 0
        means[:] = 0
        bits = board_bits(boards[row])
        for card in range(52):
            if bits & BITS[card]:
                continue
            key, permutation = canonical(bits | BITS[card])
            line, moved = board_row(index, key), SUIT_MAPS[permutation]
            for holding in range(HOLDINGS):
                sums[holding] += turn[line, moved[holding]]
                for k in range(4):
                    means[holding, k] += turn_powers[line, moved[holding], k]
        for holding in range(HOLDINGS):
            flop[row, holding] = sums[holding] // 2
            for k in range(4):
                powers[row, holding, k] = int(means[holding, k] / 47 + 0.5)
