"""Boards of a four-street game and how they follow each other, for best responses to blind play.

With the full deck, boards are folded by suits: 1,755 flops, 16,432 turn boards and 134,459 river boards represent all.
A holding is moved along with its board by a suit permutation (`maps`). Smaller decks are not folded, so that they check
the folding.

A river code of a holding is 2 wins + ties against all holdings that share no card with it or with the board.
"""

from itertools import combinations, permutations
from math import comb
from typing import NamedTuple

import numpy as np

from cardwin.cards.boards import SUIT_MAPS, board_bits, board_index, board_row, canonical, canonical_boards
from cardwin.cards.holdings import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDINGS
from cardwin.cards.ranks import BITS, rank_cards
from cardwin.cards.tables.win_odds_fill import river_counts
from cardwin.core.arrays import Floats, Ints, Shorts, Words
from cardwin.core.executor import Executor, run_rows
from cardwin.core.kernel import kernel
from cardwin.games.betting.game import BettingGame

DECK_SIZE = 52


class Boards(NamedTuple):
    """Boards by number, and their relations; every holding has a number below H.

    Attributes:
        maps: (permutations, H) the holding that a holding becomes.
        next_row: (turns, 52) the river board of each next card, -1 if it is on the board.
        next_map: (turns, 52) the permutation that leads to it.
        flop_row: (turns, 4) the flop without each of the turn board's cards.
        flop_map: (turns, 4) the permutation that leads to it.
        flop_share: (turns, 4) how often the pair represents a turn card there.
        fixing: (flops, 24) the permutations that leave a flop as it is, -1 after the last.
        flop_weight: (flops,) how many flops each represents.
        start_class: (H,) classes of holdings that are equivalent before the flop.
        codes: (rivers, H) river codes, -1 if a holding shares a card with the board.
        deck: the number of cards.

    """

    maps: Shorts
    next_row: Words
    next_map: Shorts
    flop_row: Words
    flop_map: Shorts
    flop_share: Floats
    fixing: Shorts
    flop_weight: Floats
    start_class: Ints
    codes: Shorts
    deck: int

    @property
    def max_code(self) -> int:
        """The river code of a holding that beats all others."""
        return 2 * comb(self.deck - 7, 2)


def boards_of(game: BettingGame, executor: Executor) -> Boards:
    """Return the boards of a game with a flop of three cards, one turn card and one river card."""
    return _full_deck(executor) if game.deck == DECK_SIZE else _small_deck(game.cards)


@kernel
def _river_codes(boards: Ints, start: int, stop: int, codes: Shorts) -> None:
    wins, ties = np.empty(HOLDINGS, np.int64), np.empty(HOLDINGS, np.int64)
    for board in range(start, stop):
        river_counts(boards[board], wins, ties)
        taken = 0
        for card in boards[board]:
            taken |= 1 << card
        for holding in range(HOLDINGS):
            shared = ((taken >> HOLDING_CARDS[holding, 0]) | (taken >> HOLDING_CARDS[holding, 1])) & 1
            codes[board, holding] = -1 if shared else 2 * wins[holding] + ties[holding]


@kernel
def _relate_turns(
    turns: Ints, weights: Ints, flop_weights: Ints, index: Words, next_row: Words, next_map: Shorts, flop_row: Words,
    flop_map: Shorts, flop_share: Floats,
) -> None:  # fmt: skip
    for turn in range(len(turns)):
        bits = board_bits(turns[turn])
        for card in range(DECK_SIZE):
            next_row[turn, card] = -1
            if bits & BITS[card] == 0:
                key, permutation = canonical(bits | BITS[card])
                next_row[turn, card] = board_row(index, key)
                next_map[turn, card] = permutation
        for position in range(4):
            key, permutation = canonical(bits & ~BITS[turns[turn, position]])
            row = board_row(index, key)
            flop_row[turn, position] = row
            flop_map[turn, position] = permutation
            flop_share[turn, position] = weights[turn] / flop_weights[row]


def _full_deck(executor: Executor) -> Boards:
    flops, flop_weights = canonical_boards(3)
    turns, turn_weights = canonical_boards(4)
    next_row, next_map = np.zeros((len(turns), DECK_SIZE), np.int32), np.zeros((len(turns), DECK_SIZE), np.int16)
    flop_row, flop_map = np.zeros((len(turns), 4), np.int32), np.zeros((len(turns), 4), np.int16)
    flop_share = np.zeros((len(turns), 4))
    index = board_index()
    _relate_turns(turns, turn_weights, flop_weights, index, next_row, next_map, flop_row, flop_map, flop_share)
    return Boards(
        SUIT_MAPS,
        next_row,
        next_map,
        flop_row,
        flop_map,
        flop_share,
        _fixing(flops),
        flop_weights.astype(np.float64),
        CLASS_OF_HOLDING,
        _full_codes(executor),
        DECK_SIZE,
    )


def _full_codes(executor: Executor) -> Shorts:
    rivers, _ = canonical_boards(5)
    codes = np.empty((len(rivers), HOLDINGS), np.int16)
    run_rows(executor, lambda start, stop: _river_codes(rivers, start, stop, codes), len(rivers))
    return codes


def _fixing(flops: Ints) -> Shorts:
    fixing = np.full((len(flops), 24), -1, np.int16)
    keys = np.sort(flops, axis=1)
    filled = np.zeros(len(flops), np.int64)
    for suits in permutations(range(4)):
        number = sum(suit << (2 * old) for old, suit in enumerate(suits))
        moved = np.sort(flops - flops % 4 + np.array(suits)[flops % 4], axis=1)
        unchanged = np.flatnonzero((moved == keys).all(axis=1))
        fixing[unchanged, filled[unchanged]] = number
        filled[unchanged] += 1
    return fixing


def _small_deck(deck: tuple[int, ...]) -> Boards:
    """Return all boards of a small deck, none folded."""
    holdings = list(combinations(deck, 2))
    flops, turns, rivers = ({board: row for row, board in enumerate(combinations(deck, size))} for size in (3, 4, 5))
    next_row, next_map = np.full((len(turns), DECK_SIZE), -1, np.int32), np.zeros((len(turns), DECK_SIZE), np.int16)
    flop_row = np.zeros((len(turns), 4), np.int32)
    for turn, row in turns.items():
        for card in set(deck) - set(turn):
            next_row[row, card] = rivers[tuple(sorted((*turn, card)))]
        flop_row[row] = [flops[tuple(card for card in turn if card != gone)] for gone in turn]
    codes = np.full((len(rivers), len(holdings)), -1, np.int16)
    for river, row in rivers.items():
        ranks = {held: rank_cards(np.array([*river, *held])) for held in holdings if not set(held) & set(river)}
        for holding, held in enumerate(holdings):
            if held in ranks:
                others = [rank for other, rank in ranks.items() if not set(other) & set(held)]
                codes[row, holding] = sum(2 * (rank > ranks[held]) + (rank == ranks[held]) for rank in others)
    fixing = np.full((len(flops), 24), -1, np.int16)
    fixing[:, 0] = 0
    return Boards(
        np.arange(len(holdings), dtype=np.int16)[None],
        next_row,
        next_map,
        flop_row,
        np.zeros((len(turns), 4), np.int16),
        np.ones((len(turns), 4)),
        fixing,
        np.ones(len(flops)),
        np.arange(len(holdings)),
        codes,
        len(deck),
    )
