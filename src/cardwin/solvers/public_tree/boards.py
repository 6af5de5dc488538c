"""Boards of a betting game by street, and orbits of holdings on them, folded by suits.

A suit permutation that fixes everything dealt so far (and both starting ranges) changes nothing. For each board:

1. Its group is the set of permutations that fix it, street by street. The deals that follow fall into orbits of the
   group; one of each is stored, with the number of deals it represents.
2. The holdings fall into orbits of the same group. Strategies and values are equal on an orbit and stored once.
3. A sum over the deals of an orbit, for a holding's orbit O, is the number of deals times the mean over the holdings of
   O on the stored deal. These are whole orbits of the smaller group, so each has a parent orbit and a share.
4. Cards fall into orbits too (classes). A holding's orbit of size m adds m / n times its weight to a class of n cards,
   for each of its cards.

With the trivial group nothing is folded, and the same arrays serve. Orbits are padded to whole blocks; on the last
street they are in the order of their strength, the weakest first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.cards.boards import SUIT_MAPS
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.cards.ranks import rank_hands
from cardwin.core.arrays import Floats, Ints, Shorts, Words
from cardwin.games.betting.game import BettingGame

BLOCK = 128  # orbits processed together


@dataclass(frozen=True, eq=False)
class BoardLevel:
    """The boards of a street.

    Attributes:
        cards: the cards of each board.
        groups: the suit permutations that fix each board.
        parent: (n,) the board on the street before.
        first_child: (n + 1,) among the boards of the next street.
        first_block: (n + 1,) the first block of each board.
        orbits: (n,) the number of orbits.
        size: the number of holdings of each orbit, padded to blocks (blocks * BLOCK,); 0 for padding.
        holding: one holding of each orbit.
        parent_orbit: the index of the orbit that contains it on the parent's board.
        share: its share of the parent orbit's value.
        class_a: the class of the higher card.
        class_b: the class of the lower card.
        part_a: what a weight of 1 adds to the sum of a single card of class_a.
        part_b: what a weight of 1 adds to the sum of a single card of class_b.
        strength: equal for ties, larger is stronger.
        position: (n, 1326) the index of each holding's orbit on the board, -1 if it shares a card.

    """

    cards: tuple[tuple[int, ...], ...]
    groups: tuple[tuple[int, ...], ...]
    parent: Ints
    first_child: Ints
    first_block: Ints
    orbits: Ints
    size: Floats
    holding: Words
    parent_orbit: Words
    share: Floats
    class_a: Shorts
    class_b: Shorts
    part_a: Floats
    part_b: Floats
    strength: Words
    position: Shorts

    @property
    def boards(self) -> int:
        """The number of boards."""
        return len(self.cards)

    @property
    def blocks(self) -> int:
        """The number of blocks of all boards."""
        return int(self.first_block[-1])

    @property
    def max_blocks(self) -> int:
        """The largest number of blocks of a board."""
        return int(np.diff(self.first_block).max())


@dataclass(frozen=True)
class _Board:
    """One board while a level is built."""

    cards: tuple[int, ...]
    group: tuple[int, ...]
    parent: int
    deals: float  # deals that it stands for, over all that may come


def suit_group(game: BettingGame) -> tuple[int, ...]:
    """Return the numbers (in `SUIT_MAPS`) of all permutations of the game's suits."""
    unused = tuple(range(game.suits, 4))
    return tuple(
        sum(suit << (2 * old) for old, suit in enumerate((*suits, *unused)))
        for suits in permutations(range(game.suits))
    )


def fixing_group(group: tuple[int, ...], cards: tuple[int, ...], ranges: Sequence[Floats]) -> tuple[int, ...]:
    """Return the permutations of a group that fix a set of cards and the weights (1326,) of ranges."""

    def fixes(number: int) -> bool:
        moved = moved_cards(number, np.array(cards, dtype=np.int64))
        return set(moved.tolist()) == set(cards) and all(
            (weights[SUIT_MAPS[number]] == weights).all() for weights in ranges
        )

    return tuple(number for number in group if fixes(number))


TRIVIAL_GROUP = (0 | 1 << 2 | 2 << 4 | 3 << 6,)


def moved_cards(number: int, cards: Ints) -> Ints:
    """Return cards under a suit permutation."""
    moved: Ints = cards - cards % 4 + (number >> (2 * (cards % 4)) & 3)
    return moved


def board_levels(
    game: BettingGame, group: tuple[int, ...], start: tuple[int, ...], held: npt.NDArray[np.bool_]
) -> tuple[BoardLevel, ...]:
    """Return the boards of all streets, for the holdings (1326,) that a player may have.

    The suit permutations of the group must fix the cards at the start and the holdings' weights.
    """
    boards = [_Board(start, group, 0, 1.0)]
    in_deck = np.asarray(np.isin(HOLDING_CARDS, game.cards).all(axis=1)) & held
    levels: list[BoardLevel] = []
    for street in range(game.streets):
        if street > 0:
            deals = [_deals(game, board, row, street) for row, board in enumerate(boards)]
            counts = [len(following) for following in deals]
            if levels:
                levels[-1].first_child[:] = np.concatenate([[0], np.cumsum(counts)])
            boards = [board for following in deals for board in following]
        levels.append(_level(boards, in_deck, levels[-1] if levels else None, street + 1 == game.streets))
    return tuple(levels)


def _deals(game: BettingGame, board: _Board, row: int, street: int) -> list[_Board]:
    """Return the deals that may follow a board, one for each orbit of its group."""
    left = [card for card in game.cards if card not in board.cards]
    deals = np.array(list(combinations(left, game.board[street])), dtype=np.int64).reshape(-1, game.board[street])
    codes = np.stack([_codes(moved_cards(number, deals)) for number in board.group])
    smallest = codes.min(axis=0)
    _, representatives, counts = np.unique(smallest, return_index=True, return_counts=True)
    own_codes = codes[board.group.index(TRIVIAL_GROUP[0])]
    boards = []
    for index, count in zip(representatives, counts, strict=True):
        fixing = tuple(n for n, code in zip(board.group, codes[:, index], strict=True) if code == own_codes[index])
        cards = (*board.cards, *map(int, deals[index]))
        boards.append(_Board(cards, fixing, row, count / game.runouts(street)))
    return boards


def _codes(deals: Ints) -> Ints:
    """Return a number for each set of cards (n, k)."""
    codes = np.zeros(len(deals), np.int64)
    for column in np.sort(deals, axis=1).T:
        codes = 64 * codes + column
    return codes


def _level(boards: list[_Board], in_deck: npt.NDArray[np.bool_], above: BoardLevel | None, last: bool) -> BoardLevel:
    orbits = [_orbits(board, in_deck, last) for board in boards]
    counts = np.array([len(orbit_set.holding) for orbit_set in orbits], dtype=np.int64)
    blocks = -(-counts // BLOCK)
    first_block = np.concatenate([[0], np.cumsum(blocks)])
    length = int(first_block[-1]) * BLOCK
    columns: dict[str, Any] = {name: np.zeros(length) for name in ("size", "share", "part_a", "part_b")}
    columns |= {name: np.zeros(length, np.int32) for name in ("holding", "parent_orbit", "strength")}
    columns |= {name: np.zeros(length, np.int16) for name in ("class_a", "class_b")}
    for board, orbit_set, start, count in zip(boards, orbits, first_block[:-1] * BLOCK, counts, strict=True):
        rows = slice(start, start + count)
        for name in ("size", "part_a", "part_b", "holding", "strength", "class_a", "class_b"):
            columns[name][rows] = getattr(orbit_set, name)
        if above is not None:
            positions = above.position[board.parent][orbit_set.holding].astype(np.int64)
            columns["parent_orbit"][rows] = positions
            above_size = above.size[above.first_block[board.parent] * BLOCK + positions]
            columns["share"][rows] = board.deals * orbit_set.size / above_size
        else:
            columns["parent_orbit"][rows] = np.arange(count)
            columns["share"][rows] = 1.0
    return BoardLevel(
        tuple(board.cards for board in boards),
        tuple(board.group for board in boards),
        np.array([board.parent for board in boards], dtype=np.int64),
        np.zeros(len(boards) + 1, np.int64),
        first_block,
        counts,
        position=np.stack([orbit_set.position for orbit_set in orbits]),
        **columns,
    )


@dataclass(frozen=True)
class _Orbits:
    """The orbits of holdings on one board, arrays (orbits,), and the index of each holding's orbit (1326,)."""

    holding: Ints
    size: Floats
    class_a: Ints
    class_b: Ints
    part_a: Floats
    part_b: Floats
    strength: Ints
    position: Shorts


def _orbits(board: _Board, in_deck: npt.NDArray[np.bool_], last: bool) -> _Orbits:
    live = in_deck & ~np.isin(HOLDING_CARDS, board.cards).any(axis=1)
    lowest = SUIT_MAPS[list(board.group)].min(axis=0)  # (1326,), the same for all holdings of an orbit
    holding, index, size = np.unique(lowest[live], return_inverse=True, return_counts=True)
    strength = np.zeros(len(holding), np.int64)
    if last:
        hands = np.concatenate([np.tile(np.array(board.cards, np.int64), (len(holding), 1)), HOLDING_CARDS[holding]], 1)
        strength = -ranks_of(hands)  # larger is stronger
        order = np.argsort(strength, kind="stable")
        positions = np.argsort(order, kind="stable")
        holding, size, strength, index = holding[order], size[order], strength[order], positions[index]
    position = np.full(HOLDINGS, -1, np.int16)
    position[live] = index
    every = np.arange(52)
    classes = np.stack([moved_cards(number, every) for number in board.group]).min(axis=0)
    members = np.bincount(classes, minlength=52)
    class_a, class_b = classes[HOLDING_CARDS[holding]].T
    return _Orbits(
        holding,
        size.astype(np.float64),
        class_a,
        class_b,
        size / members[class_a],
        size / members[class_b],
        strength,
        position,
    )


def ranks_of(hands: Ints) -> Ints:
    """Return the ranks (n,) of hands of 2 to 7 cards (n, cards), smaller is better; up to four make no straight."""
    if hands.shape[1] >= 5:
        return rank_hands(hands).astype(np.int64)
    counts = np.stack([(hands // 4 == rank).sum(axis=1) for rank in range(13)], axis=1)  # (n, 13)
    # Groups of equal ranks first, the larger the better, then their ranks from the top.
    keys = np.sort(counts * 13 + np.arange(13), axis=1)[:, ::-1]
    code = np.zeros(len(hands), np.int64)
    for number in range(4):
        code = code * 128 + np.where(keys[:, number] >= 13, keys[:, number], 0)
    return -code
