"""Boards under suit symmetry: 1,755 flops, 16,432 turn boards and 134,459 river boards represent all of them.

A board is canonical if its suits, as sets of ranks, are in descending order. Sorting the four suits makes any board
canonical; the same suit permutation is applied to a holding. A perfect hash, one for all three streets, gives the row
of a canonical board: each of some thousand groups of boards is shifted to slots without collisions.
"""

from functools import cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from cardwin.cards.deals import first_combination, next_combination
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.cards.ranks import BITS
from cardwin.core.arrays import Ints, Words
from cardwin.core.intrinsics import prefetch
from cardwin.core.kernel import kernel

BOARD_COUNTS = {3: 1755, 4: 16432, 5: 134459}
_GROUPS = 40_037  # two primes such that no two boards have both remainders in common
_SLOTS = 196_613
INDEX_SIZE = _GROUPS + _SLOTS
_SUIT = 0x1FFF


def _suit_maps() -> npt.NDArray[np.int16]:
    """Return the holding that each holding becomes under a suit permutation, by its number (256, 1326)."""
    maps = np.zeros((256, HOLDINGS), dtype=np.int16)
    for new_suits in permutations(range(4)):
        number = sum(suit << (2 * old) for old, suit in enumerate(new_suits))
        moved = HOLDING_CARDS - HOLDING_CARDS % 4 + np.array(new_suits)[HOLDING_CARDS % 4]
        high, low = moved.max(axis=1), moved.min(axis=1)
        maps[number] = high * (high - 1) // 2 + low
    return maps


SUIT_MAPS = _suit_maps()


@kernel(refcount=False)
def canonical(bits: int) -> tuple[int, int]:
    """Return a canonical board's key, from a board's bits, and the number of the suit permutation that leads to it."""
    a = (bits & _SUIT) << 2
    b = ((bits >> 16) & _SUIT) << 2 | 1
    c = ((bits >> 32) & _SUIT) << 2 | 2
    d = ((bits >> 48) & _SUIT) << 2 | 3
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    key = (a >> 2) << 39 | (b >> 2) << 26 | (c >> 2) << 13 | (d >> 2)
    permutation = 1 << (2 * (b & 3)) | 2 << (2 * (c & 3)) | 3 << (2 * (d & 3))
    return key, permutation


@kernel
def board_bits(board: Ints) -> int:
    """Return the bits of a board's cards."""
    bits = 0
    for card in board:
        bits |= BITS[card]
    return bits


@kernel
def _list_canonical(size: int, boards: Ints, weights: Ints) -> None:
    """Fill in all canonical boards (count, size) and how many boards each represents (count,)."""
    cards = first_combination(size)
    count = 0
    while True:
        bits = board_bits(cards)
        suits = (bits & _SUIT, (bits >> 16) & _SUIT, (bits >> 32) & _SUIT, (bits >> 48) & _SUIT)
        if suits[0] >= suits[1] >= suits[2] >= suits[3]:
            for i in range(size):
                boards[count, i] = cards[i]
            weight, run = 24, 1
            for i in range(1, 4):
                run = run + 1 if suits[i] == suits[i - 1] else 1
                weight //= run
            weights[count] = weight
            count += 1
        if not next_combination(cards, size, 52):
            return


@kernel(refcount=False)
def board_row(index: Words, key: int) -> int:
    """Return the row of a canonical board among those of its street."""
    return int(index[_GROUPS + (key + index[key % _GROUPS]) % _SLOTS])


@kernel(refcount=False)
def prefetch_shift(index: Words, key: int) -> None:
    """Prefetch the first of the two words that `board_row` reads."""
    prefetch(index, key % _GROUPS)


@kernel(refcount=False)
def prefetch_row(index: Words, key: int) -> None:
    """Prefetch the second of the two words that `board_row` reads; this reads the first."""
    prefetch(index, _GROUPS + (key + index[key % _GROUPS]) % _SLOTS)


@kernel
def _shift_groups(keys: Ints, rows: Words, order: Ints, index: Words) -> None:
    """Give each group of keys, contiguous in this order, the first shift that moves all of them to free slots."""
    first = 0
    while first < len(order):
        group = keys[order[first]] % _GROUPS
        last = first
        while last < len(order) and keys[order[last]] % _GROUPS == group:
            last += 1
        while not _fits(keys, order[first:last], index):
            index[group] += 1
        for i in order[first:last]:
            index[_GROUPS + (keys[i] + index[group]) % _SLOTS] = rows[i]
        first = last


@kernel
def _fits(keys: Ints, members: Ints, index: Words) -> bool:
    """Return whether the members of a group would get free and distinct slots."""
    for i in range(len(members)):
        shift = index[keys[members[i]] % _GROUPS]
        slot = (keys[members[i]] + shift) % _SLOTS
        if index[_GROUPS + slot] >= 0:
            return False
        for j in range(i):
            if (keys[members[j]] + shift) % _SLOTS == slot:
                return False
    return True


@kernel
def _keys_of(boards: Ints, keys: Ints) -> None:
    for i in range(len(boards)):
        keys[i], _ = canonical(board_bits(boards[i]))


@cache
def canonical_boards(size: int) -> tuple[Ints, Ints]:
    """Return all canonical boards (count, size) of 3 to 5 cards, and how many boards each represents (count,)."""
    boards = np.empty((BOARD_COUNTS[size], size), dtype=np.int64)
    weights = np.empty(BOARD_COUNTS[size], dtype=np.int64)
    _list_canonical(size, boards, weights)
    return boards, weights


@cache
def board_index() -> Words:
    """Return the rows of all canonical boards, for `board_row`: first the groups' shifts, then the rows by slot."""
    keys = np.empty(sum(BOARD_COUNTS.values()), dtype=np.int64)
    rows = np.concatenate([np.arange(count, dtype=np.int32) for count in BOARD_COUNTS.values()])
    ends = np.cumsum(list(BOARD_COUNTS.values()))
    for size, end in zip(BOARD_COUNTS, ends, strict=True):
        _keys_of(canonical_boards(size)[0], keys[end - BOARD_COUNTS[size] : end])
    groups = keys % _GROUPS
    order = np.lexsort((groups, -np.bincount(groups, minlength=_GROUPS)[groups]))  # the largest groups first
    index = np.full(INDEX_SIZE, -1, dtype=np.int32)
    index[:_GROUPS] = 0
    _shift_groups(keys, rows, order, index)
    return index
