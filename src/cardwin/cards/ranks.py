"""Hand ranks by table look-up: 1 is a royal flush, 7462 the worst high card.

A hand is a sum of card codes. The low half of the sum identifies the multiset of ranks; the high half has a counter for
each suit, which overflows into a flag at the fifth card. One look-up finds the rank, a second one the flush.

From Python, `rank_five`, `rank_six` and `rank_seven` take cards; `rank_hands` takes an array of hands (n, 5..7).
From a kernel, call the same, or `rank_cards(cards)` for a slice of 5 to 7. In loops that share cards, keep sums:

    total = CODES[a] + CODES[b] + ...         # any order; add a card's code when it comes
    held = BITS[a] | BITS[b] | ...            # only read if the hand holds a flush
    value = rank_of_seven(START + total, held)   # or rank_of(..., cards) for five to seven

`simple_rank(cards)` is the suitless 24-bit value of `holdem-simple` (spec: type nibble 1..7, then five rank nibbles
in the order in which they decide), where larger is better.
The tables are module-level arrays, so kernels hold them as constants.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from cardwin.cards.tables import RANK_KEYS, ROW_BITS, ROWS, load_shipped
from cardwin.core.kernel import kernel

Ints = npt.NDArray[np.signedinteger]

_TABLES = load_shipped("rank_tables.npz")
_SHIFTS = np.stack([_TABLES[f"shifts_{cards}"] for cards in (5, 6, 7)])  # (3, 4096)
_RANKS = np.zeros((3, 1 << 16), dtype=np.int16)
for _cards in (5, 6, 7):
    _RANKS[_cards - 5, : len(_TABLES[f"ranks_{_cards}"])] = _TABLES[f"ranks_{_cards}"]
_FLUSH_RANKS, _SIMPLE_VALUES = _TABLES["flush_ranks"], _TABLES["simple_values"]

# A masked index cannot be negative, which saves the compiler a check; hence tables of 64 and 2**16.
_CARD_MASK, _INDEX_MASK = 63, 0xFFFF
_LOW_ROW, _LOW_HALF = ROWS - 1, 0xFFFF_FFFF
START = 0x3333 << 32  # three in every suit's counter: the fifth card of a suit makes it eight
_FLUSH_FLAGS = 0x8888 << 32
CODES = np.zeros(_CARD_MASK + 1, dtype=np.int64)
BITS = np.zeros(_CARD_MASK + 1, dtype=np.int64)
CODES[:52] = [RANK_KEYS[card // 4] + (1 << (32 + 4 * (card % 4))) for card in range(52)]
BITS[:52] = [1 << (16 * (card % 4) + card // 4) for card in range(52)]
_BLOCK = 1024

CATEGORIES = (
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "three of a kind",
    "two pair",
    "pair",
    "high card",
)
# The first (best) rank of each category.
CATEGORY_STARTS = (1, 11, 167, 323, 1600, 1610, 2468, 3326, 6186)
WORST_RANK = 7462


@kernel
def _flush_rank(total: int, held: int) -> int:
    """Return the rank of the suit whose flag is set."""
    flags = total >> 35
    suit = ((flags >> 4) & 1) + 2 * ((flags >> 8) & 1) + 3 * ((flags >> 12) & 1)
    return int(_FLUSH_RANKS[(held >> (16 * suit)) & 0x1FFF])


@kernel
def _unsuited_rank(total: int, cards: int) -> int:
    key = total & _LOW_HALF
    return int(_RANKS[cards - 5, (_SHIFTS[cards - 5, key & _LOW_ROW] + (key >> ROW_BITS)) & _INDEX_MASK])


@kernel
def rank_of(total: int, held: int, cards: int) -> int:
    """Return the rank of five to seven cards, from START plus the sum of their codes, and their bits.

    A flush is always best: with five ranks in one suit, two more cards make at best three of a kind or two pairs.
    """
    return _flush_rank(total, held) if total & _FLUSH_FLAGS else _unsuited_rank(total, cards)


@kernel
def rank_of_seven(total: int, held: int) -> int:
    """Return the rank of seven cards, from START plus the sum of their codes, and their bits."""
    return rank_of(total, held, 7)


@kernel
def rank_five(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the rank of five cards."""
    total = START + CODES[a] + CODES[b] + CODES[c] + CODES[d] + CODES[e]
    return rank_of(total, BITS[a] | BITS[b] | BITS[c] | BITS[d] | BITS[e], 5)


@kernel
def rank_six(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Return the rank of the best five of six cards."""
    total = START + CODES[a] + CODES[b] + CODES[c] + CODES[d] + CODES[e] + CODES[f]
    return rank_of(total, BITS[a] | BITS[b] | BITS[c] | BITS[d] | BITS[e] | BITS[f], 6)


@kernel
def _sum_of_seven(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    high = CODES[a & _CARD_MASK] + CODES[b & _CARD_MASK] + CODES[c & _CARD_MASK] + CODES[d & _CARD_MASK]
    return int(START + high + CODES[e & _CARD_MASK] + CODES[f & _CARD_MASK] + CODES[g & _CARD_MASK])


@kernel
def _bits_of_seven(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    return int(BITS[a] | BITS[b] | BITS[c] | BITS[d] | BITS[e] | BITS[f] | BITS[g])


@kernel
def rank_seven(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    """Return the rank of the best five of seven cards."""
    return rank_of_seven(_sum_of_seven(a, b, c, d, e, f, g), _bits_of_seven(a, b, c, d, e, f, g))


@kernel
def rank_cards(cards: Ints) -> int:
    """Return the rank of the best five of five, six or seven cards."""
    total, held = START, 0
    for card in cards:
        total += CODES[card]
        held |= BITS[card]
    return rank_of(total, held, len(cards))


@kernel
def _rank_sevens(hands: Ints, ranks: npt.NDArray[np.int16]) -> None:
    """Rank hands in two passes per block to avoid mispredicted branches: all as unsuited, then the 3% with a flush."""
    flushes = np.empty(_BLOCK, dtype=np.int64)
    for start in range(0, len(hands), _BLOCK):
        count = 0
        for i in range(start, min(start + _BLOCK, len(hands))):
            hand = hands[i]
            total = _sum_of_seven(hand[0], hand[1], hand[2], hand[3], hand[4], hand[5], hand[6])
            ranks[i] = _unsuited_rank(total, 7)
            flushes[count & (_BLOCK - 1)] = i
            count += total & _FLUSH_FLAGS != 0
        for i in flushes[:count]:
            ranks[i] = rank_cards(hands[i])


@kernel
def _rank_fewer(hands: Ints, ranks: npt.NDArray[np.int16]) -> None:
    for i in range(len(hands)):
        ranks[i] = rank_cards(hands[i])


def rank_hands(hands: Ints) -> npt.NDArray[np.int16]:
    """Rank an array of hands. It is fastest with seven cards as int8.

    Args:
        hands: (n, 5..7), cards 0..51.

    Returns:
        The ranks (n,), 1 is best.

    """
    ranks = np.empty(len(hands), dtype=np.int16)
    (_rank_sevens if hands.shape[1] == 7 else _rank_fewer)(hands, ranks)
    return ranks


@kernel
def count_sevens(counts: npt.NDArray[np.int64]) -> None:
    """Add every hand of seven cards, all 133,784,560, to counts (7463,) by its rank."""
    for a in range(52):
        for b in range(a):
            for c in range(b):
                total_3, held_3 = START + CODES[a] + CODES[b] + CODES[c], BITS[a] | BITS[b] | BITS[c]
                for d in range(c):
                    for e in range(d):
                        total_5, held_5 = total_3 + CODES[d] + CODES[e], held_3 | BITS[d] | BITS[e]
                        for f in range(e):
                            total_6, held_6 = total_5 + CODES[f], held_5 | BITS[f]
                            for g in range(f):
                                counts[rank_of_seven(total_6 + CODES[g], held_6 | BITS[g])] += 1


@kernel
def simple_rank(cards: Ints) -> int:
    """Return the suitless value of the best five of five, six or seven cards; larger is better."""
    total = 0
    for card in cards:
        total += CODES[card]
    return int(_SIMPLE_VALUES[_unsuited_rank(total, len(cards))])


def category_of(rank: int) -> str:
    """Return the name of the category of a rank 1..7462."""
    return CATEGORIES[sum(rank >= start for start in CATEGORY_STARTS) - 1]


def best_five(cards: Sequence[int]) -> tuple[int, ...]:
    """Return five of five to seven cards with the same value as all of them, the highest first."""
    value = rank_cards(np.array(cards, dtype=np.int64))
    fives = combinations(sorted(cards, reverse=True), 5)
    return next(five for five in fives if rank_five(*five) == value)
