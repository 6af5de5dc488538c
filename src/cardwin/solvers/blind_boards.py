"""Boards of a four-street game and how they follow each other, for best responses to blind play.

With the full deck, boards are folded by suits: 1,755 flops, 16,432 turn boards, 134,459 river boards stand for all. A
holding is moved along with its board by a suit permutation (`maps`). Smaller decks are not folded, so that they check
the folding.

A river code of a holding is 2 wins + ties against all holdings that share no card with it or with the board.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

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


@dataclass(frozen=True, eq=False)
class Boards:
    """Boards by number, and their relations; every holding has a number below H.

    maps (permutations, H): the holding that a holding becomes. From a turn board: next_row and next_map (turns, 52),
    the river board of each next card (-1 if it is on the board) and the permutation that leads to it; flop_row,
    flop_map and flop_share (turns, 4), the flop without each of its cards, and how often the pair stands for a turn
    card there.
    fixing (flops, 24): the permutations that leave a flop as it is, -1 after the last. flop_weight (flops,): how many
    flops each stands for. start_class (H,): holdings that are alike before the flop. codes (rivers, H), -1 where a
    holding shares a card with the board.
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
    def most_ways(self) -> int:
        """The river code of a holding that beats all others."""
        return 2 * comb(self.deck - 7, 2)


def boards_of(game: BettingGame, executor: Executor) -> Boards:
    """The boards of a game with a flop of three cards, one turn card and one river card."""
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
                key, exchange = canonical(bits | BITS[card])
                next_row[turn, card] = board_row(index, key)
                next_map[turn, card] = exchange
        for place in range(4):
            key, exchange = canonical(bits & ~BITS[turns[turn, place]])
            row = board_row(index, key)
            flop_row[turn, place] = row
            flop_map[turn, place] = exchange
            flop_share[turn, place] = weights[turn] / flop_weights[row]


def _full_deck(executor: Executor) -> Boards:
    flops, flop_weights = canonical_boards(3)
    turns, turn_weights = canonical_boards(4)
    next_row, next_map = np.zeros((len(turns), DECK_SIZE), np.int32), np.zeros((len(turns), DECK_SIZE), np.int16)
    flop_row, flop_map = np.zeros((len(turns), 4), np.int32), np.zeros((len(turns), 4), np.int16)
    flop_share = np.zeros((len(turns), 4))
    index = board_index()
    _relate_turns(turns, turn_weights, flop_weights, index, next_row, next_map, flop_row, flop_map, flop_share)
    return Boards(
        SUIT_MAPS, next_row, next_map, flop_row, flop_map, flop_share, _fixing(flops), flop_weights.astype(np.float64),
        CLASS_OF_HOLDING, _full_codes(executor), DECK_SIZE,
    )  # fmt: skip


def _full_codes(executor: Executor) -> Shorts:
    rivers, _ = canonical_boards(5)
    codes = np.empty((len(rivers), HOLDINGS), np.int16)
    run_rows(executor, lambda start, stop: _river_codes(rivers, start, stop, codes), len(rivers))
    return codes


@cache
def _permutations() -> tuple[tuple[int, ...], ...]:
    """The suit permutations with their numbers in `SUIT_MAPS`."""
    from itertools import permutations

    return tuple(permutations(range(4)))


def _fixing(flops: Ints) -> Shorts:
    fixing = np.full((len(flops), 24), -1, np.int16)
    keys = np.sort(flops, axis=1)
    found = np.zeros(len(flops), np.int64)
    for suits in _permutations():
        number = sum(suit << (2 * old) for old, suit in enumerate(suits))
        moved = np.sort(flops - flops % 4 + np.array(suits)[flops % 4], axis=1)
        same = np.flatnonzero((moved == keys).all(axis=1))
        fixing[same, found[same]] = number
        found[same] += 1
    return fixing


def _small_deck(cards: tuple[int, ...]) -> Boards:
    """All boards of a small deck, none folded."""
    holdings = list(combinations(cards, 2))
    flops, turns, rivers = ({one: row for row, one in enumerate(combinations(cards, size))} for size in (3, 4, 5))
    next_row, next_map = np.full((len(turns), DECK_SIZE), -1, np.int32), np.zeros((len(turns), DECK_SIZE), np.int16)
    flop_row = np.zeros((len(turns), 4), np.int32)
    for turn, row in turns.items():
        for card in set(cards) - set(turn):
            next_row[row, card] = rivers[tuple(sorted((*turn, card)))]
        flop_row[row] = [flops[tuple(card for card in turn if card != gone)] for gone in turn]
    codes = np.full((len(rivers), len(holdings)), -1, np.int16)
    for river, row in rivers.items():
        ranks = {one: rank_cards(np.array([*river, *one])) for one in holdings if not set(one) & set(river)}
        for place, one in enumerate(holdings):
            if one in ranks:
                others = [rank for other, rank in ranks.items() if not set(other) & set(one)]
                codes[row, place] = sum(2 * (rank > ranks[one]) + (rank == ranks[one]) for rank in others)
    fixing = np.full((len(flops), 24), -1, np.int16)
    fixing[:, 0] = 0
    return Boards(
        np.arange(len(holdings), dtype=np.int16)[None], next_row, next_map, flop_row,
        np.zeros((len(turns), 4), np.int16), np.ones((len(turns), 4)), fixing, np.ones(len(flops)),
        np.arange(len(holdings)), codes, len(cards),
    )  # fmt: skip
