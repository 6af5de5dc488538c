"""EHS cache: ranks and effective hand strengths by board, computed on first use, with bounded memory.

`board_ehs` caches the ranks of all holdings; `effective_strengths` caches the EHS' of all combos against any two cards,
HS + (1 - HS) PPot, by which an opponent model orders the opponent's holdings. Under suit symmetry there are only
1,755 flops, so all of them are kept; turn boards are kept while they are likely to recur (duplicate deals).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cardwin.cards.all_combos import potentials, rank_holdings, strengths
from cardwin.cards.boards import BOARD_COUNTS, SUIT_MAPS, board_bits, canonical
from cardwin.cards.holdings import HOLDINGS, Weights
from cardwin.core.arrays import Shorts

ANY_TWO = np.ones(HOLDINGS)  # read-only, like everything in this cache
_BOARDS_KEPT = 64  # about 16 kB each
_TURNS_KEPT = 512  # about 11 kB each, as flops
_RANK_BITS = 13


@dataclass(frozen=True, slots=True)
class BoardEHS:
    """The ranks (1326,) of all holdings on a board, the holdings (1326,) best first, and how many there are."""

    ranks: Shorts
    order: Shorts
    count: int

    def strengths(self, weights: Weights) -> Weights:
        """Hand strength of every holding (1326,) against a weighted range (1326,)."""
        return strengths(self.ranks, self.order, self.count, weights)


@lru_cache(maxsize=_BOARDS_KEPT)
def board_ehs(board: tuple[int, ...], suitless: bool = False) -> BoardEHS:
    """The ranks on a board of three to five cards."""
    ranks, order = np.zeros(HOLDINGS, np.int16), np.zeros(HOLDINGS, np.int16)
    count = rank_holdings(np.array(board), suitless, ranks, order)
    return BoardEHS(ranks, order, int(count))


@lru_cache(maxsize=_BOARDS_KEPT)
def effective_strengths(board: tuple[int, ...], suitless: bool = False, ahead: int = 1) -> Weights:
    """EHS' of every holding (1326,) against any two cards, looking ahead by at most the cards to come."""
    ahead = min(ahead, 5 - len(board))
    if suitless or not ahead:
        return _compute(board, suitless, ahead)
    key, exchange = canonical(board_bits(np.array(board)))
    kept = _kept_flop if len(board) == 3 else _kept_turn
    values: Weights = kept(key, ahead)[SUIT_MAPS[exchange]]
    return values


def _compute(board: tuple[int, ...], suitless: bool, ahead: int) -> Weights:
    now = board_ehs(board, suitless).strengths(ANY_TWO)
    values: Weights = now + (1.0 - now) * potentials(np.array(board), suitless, ANY_TWO, ahead)[0]
    return values


def _compute_canonical(key: int, ahead: int) -> Weights:
    suits = [key >> (_RANK_BITS * (3 - suit)) for suit in range(4)]
    board = tuple(4 * rank + suit for rank in range(_RANK_BITS) for suit in range(4) if suits[suit] >> rank & 1)
    return _compute(board, False, ahead)


_kept_flop = lru_cache(maxsize=BOARD_COUNTS[3])(_compute_canonical)
_kept_turn = lru_cache(maxsize=_TURNS_KEPT)(_compute_canonical)
