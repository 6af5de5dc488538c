"""The expected result of a hand once no decision is left: the mean over the boards that can still come.

After the last decision of a hand (`decided` in the record) the rest of the board is chance. Replacing the chips
won by their mean over that board leaves the expectation unchanged and removes much of the variance: the all-in equity
adjustment. All cards dealt to seats are removed from the deck, folded ones too, since the dealer knows them.
"""

import numpy as np

from cardwin.cards.deals import next_combination
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, shuffle_first, stream_of
from cardwin.games.holdem.events import Log, new_log
from cardwin.games.holdem.showdown import pay_pots, rank_suited, rank_suitless
from cardwin.games.holdem.table import ACTIVE, BOARD, SEATS, Table, Tables

MOST_ENUMERATED = 2  # up to this many missing cards are enumerated; more are sampled
SAMPLES = 200


@kernel
def unseen_cards(t: Table, known: int, cards: Ints) -> int:
    """Write the cards neither held nor among the first `known` board cards into cards (52,); return their count."""
    count = 0
    for card in range(52):
        gone = False
        for index in range(2 * t.seats):
            gone |= t.hole[index] == card
        for index in range(known):
            gone |= t.board[index] == card
        if not gone:
            cards[count] = card
            count += 1
    return count


@kernel
def next_board(t: Table, known: int, cards: Ints, positions: Ints, drawn: int, samples: int, rng: Stream) -> bool:
    """Write the next possible board after `known` cards; return False if there is none. `drawn` counts from 0."""
    missing = BOARD - known
    if missing <= MOST_ENUMERATED:
        if drawn > 0 and not next_combination(positions, missing, len(cards)):
            return False
        for index in range(missing):
            t.board[known + index] = cards[positions[index]]
        return True
    if drawn == samples:
        return False
    shuffle_first(rng, cards, missing)
    for index in range(missing):
        t.board[known + index] = cards[index]
    return True


@kernel
def mean_chips(t: Table, samples: int, rng: Stream, log: Log, chips: Floats) -> None:
    """Write the mean chips (seats,) of each seat of a finished hand over the boards after the last decision."""
    known = t.board_size[t.decided]
    if t.live == 1 or known == BOARD:
        for seat in range(t.seats):
            chips[seat] = t.stack[seat] - t.start[seat]
        return
    # Loops instead of copies and slices, which are slow to compile.
    real_board, positions, real_stack = np.empty(BOARD, np.int64), np.empty(BOARD, np.int64), np.empty(SEATS, np.int64)
    for index in range(BOARD):
        real_board[index], positions[index] = t.board[index], index
    for seat in range(t.seats):
        real_stack[seat], chips[seat] = t.stack[seat], 0.0
    deck = np.empty(52, np.int64)
    cards = deck[: unseen_cards(t, known, deck)]
    boards = 0
    while next_board(t, known, cards, positions, boards, samples, rng):
        boards += 1
        for seat in range(t.seats):
            t.stack[seat] = t.start[seat] - t.contributed[seat] - t.dead_paid[seat]
        pay_pots(t, log)
        for seat in range(t.seats):
            chips[seat] += t.stack[seat] - t.start[seat]
    for seat in range(t.seats):
        chips[seat] /= boards
        t.stack[seat] = real_stack[seat]
    for index in range(BOARD):
        t.board[index] = real_board[index]


@kernel
def pot_shares(t: Table, known: int, samples: int, rng: Stream, shares: Floats) -> None:
    """Write the mean share of the pot (seats,) of each live seat over the boards after `known` cards."""
    for seat in range(t.seats):
        shares[seat] = 0.0
    real_board, positions = np.empty(BOARD, np.int64), np.empty(BOARD, np.int64)
    for index in range(BOARD):
        real_board[index], positions[index] = t.board[index], index
    deck = np.empty(52, np.int64)
    cards = deck[: unseen_cards(t, known, deck)]
    boards = 0
    while next_board(t, known, cards, positions, boards, samples, rng):
        boards += 1
        if t.suitless:
            rank_suitless(t)
        else:
            rank_suited(t)
        best, winners = -1, 0
        for seat in range(t.seats):
            if t.status[seat] == ACTIVE and t.strength[seat] >= best:
                winners = winners + 1 if t.strength[seat] == best else 1
                best = t.strength[seat]
        for seat in range(t.seats):
            if t.status[seat] == ACTIVE and t.strength[seat] == best:
                shares[seat] += 1.0 / winners
    for seat in range(t.seats):
        shares[seat] /= boards
    for index in range(BOARD):
        t.board[index] = real_board[index]


@kernel
def _table_shares(tables: Tables, known: int, samples: int, rng: Stream, shares: Floats) -> None:
    pot_shares(tables[0], known, samples, rng, shares)


def win_rates(tables: Tables, known: int, key: int, samples: int = 2_000) -> list[float]:
    """Return the mean share of the pot of each live seat over the boards after `known` cards, all cards shown."""
    shares = np.zeros(int(tables["seats"][0]))
    _table_shares(tables, known, samples, stream_of(key), shares)
    return [float(share) for share in shares]


@kernel
def _table_mean(tables: Tables, samples: int, rng: Stream, log: Log, chips: Floats) -> None:
    mean_chips(tables[0], samples, rng, log, chips)


def adjusted_chips(tables: Tables, key: int) -> Floats:
    """Return `mean_chips` (seats,) of the first table, whose hand is over."""
    chips = np.zeros(int(tables["seats"][0]))
    _table_mean(tables, SAMPLES, stream_of(key), new_log(), chips)
    return chips
