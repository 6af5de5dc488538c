"""Win probabilities of a hand: exact by enumeration if the cases are few enough, otherwise sampled with an error.

Each side (ours first) is a range of holdings with weights. Joint holdings without a common card are weighted by the
product of their weights; a tie counts as a share. The steps of the enumeration, for every possible board:

1. rank all holdings of all sides once,
2. go through the joint holdings like an odometer, one wheel a side, with the best rank and the number that share it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, prod, sqrt

import numpy as np

from cardwin.cards.card import CARD_NAMES, cards_text
from cardwin.cards.deals import draw_card, first_combination, next_combination
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS, Weights, holding_index
from cardwin.cards.ranks import BITS, CODES, START, rank_of_seven
from cardwin.core.arrays import Bools, Ints
from cardwin.core.display import BriefRepr
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, draw_uniform, key_of, stream_of

ENUMERATION_LIMIT = 400_000_000  # joint holdings times boards: a few seconds
SAMPLES = 2_000_000
MAX_SIDES = 10


@dataclass(frozen=True, repr=False)
class Equity(BriefRepr):
    """How often the first side wins alone and ties, its mean share of the pot, and that share's standard error."""

    win: float
    tie: float
    equity: float
    error: float
    method: str


def equity(sides: Sequence[Weights], board: Sequence[int] = (), dead: Sequence[int] = ()) -> Equity:
    """Compute the first side's odds against the others.

    Holdings that contain a board card or a dead card are removed.

    Args:
        sides: two to ten ranges, each the weights (1326,) of holdings.
        board: 0, 3, 4 or 5 cards.
        dead: cards that are known to be out of play.

    Returns:
        The odds, exact by enumeration if the cases are few enough, otherwise simulated with an error.

    Raises:
        InputError: a card occurs twice, a range is empty, or the hands cannot be dealt together.

    """
    _check(sides, board, dead)
    gone = np.array([*board, *dead], dtype=np.int64)
    live = ~np.isin(HOLDING_CARDS, gone).any(axis=1)
    members = [np.flatnonzero((weights > 0) & live) for weights in sides]
    for index, holdings in enumerate(members):
        if not len(holdings):
            whose = "the hand" if index == 0 else f"range {index}"
            raise InputError(
                f"{whose} is empty without the known cards {cards_text(gone)}: name cards that are still in the deck"
            )
    free = 52 - len(gone) - 2 * len(sides)
    missing = 5 - len(board)
    if free < missing:
        raise InputError(f"too many known cards: {len(gone)} of them leave too few for {len(sides)} hands and a board")
    starts = np.cumsum([0, *(len(holdings) for holdings in members)])
    holdings = np.concatenate(members)
    weights = np.concatenate([side[holding] for side, holding in zip(sides, members, strict=True)])
    board_cards = np.array(board, dtype=np.int64)
    if comb(52 - len(gone), missing) * prod(len(holding) for holding in members) <= ENUMERATION_LIMIT:
        deck = np.setdiff1d(np.arange(52), gone)
        win, tie, share, total = _enumerate(board_cards, deck, starts, holdings, weights)
        return _answer(win, tie, share, total, 0.0, "enumeration")
    return _simulate(board_cards, gone, starts, holdings, weights)


def _check(sides: Sequence[Weights], board: Sequence[int], dead: Sequence[int]) -> None:
    if not 2 <= len(sides) <= MAX_SIDES:
        raise InputError(f"invalid number of opponents: expected 1 to {MAX_SIDES - 1}, got {len(sides) - 1}")
    if len(board) not in (0, 3, 4, 5):
        raise InputError(f"invalid board {cards_text(board)!r}: expected 0, 3, 4 or 5 cards, got {len(board)}")
    known = [*board, *dead]
    for card in known:
        if known.count(card) > 1:
            raise InputError(f"duplicate card {CARD_NAMES[card]} among the board and the dead cards")


def _answer(win: float, tie: float, share: float, total: float, error: float, method: str) -> Equity:
    if total <= 0:
        raise InputError("these hands cannot be dealt together: every combination needs some card twice")
    return Equity(win / total, tie / total, share / total, error, method)


@kernel
def _enumerate(
    board: Ints, deck: Ints, starts: Ints, holdings: Ints, weights: Weights
) -> tuple[float, float, float, float]:
    """Return wins, ties, shares and total weight of the first side over all boards and joint holdings."""
    missing = 5 - len(board)
    combination = first_combination(missing)
    ranks = np.empty(len(holdings), dtype=np.int64)
    hole_masks, hole_sums, hole_bits = _hole_tables(holdings)
    win = tie = share = total = 0.0
    while True:
        board_sum, board_bits, mask = START, 0, 0
        for card in board:
            board_sum, board_bits = board_sum + CODES[card], board_bits | BITS[card]
        for index in combination:
            card = deck[index]
            board_sum, board_bits, mask = board_sum + CODES[card], board_bits | BITS[card], mask | (1 << card)
        for i in range(len(holdings)):
            ranks[i] = rank_of_seven(board_sum + hole_sums[i], board_bits | hole_bits[i])
        for i in range(starts[1]):
            if hole_masks[i] & mask == 0:
                parts = _compare_joint(i, mask, starts, ranks, hole_masks, weights)
                win, tie, share, total = win + parts[0], tie + parts[1], share + parts[2], total + parts[3]
        if missing == 0 or not next_combination(combination, missing, len(deck)):
            return win, tie, share, total


@kernel
def _hole_tables(holdings: Ints) -> tuple[Ints, Ints, Ints]:
    """Return each holding's set of cards, sum of codes and suit bits."""
    masks, sums, bits = np.empty_like(holdings), np.empty_like(holdings), np.empty_like(holdings)
    for i in range(len(holdings)):
        a, b = HOLDING_CARDS[holdings[i], 0], HOLDING_CARDS[holdings[i], 1]
        masks[i], sums[i], bits[i] = (1 << a) | (1 << b), CODES[a] + CODES[b], BITS[a] | BITS[b]
    return masks, sums, bits


@kernel
def _compare_joint(
    ours: int, gone: int, starts: Ints, ranks: Ints, masks: Ints, weights: Weights
) -> tuple[float, float, float, float]:
    """Return wins, ties, shares and weight of a holding against all joint holdings of the others on one board."""
    others = len(starts) - 2
    wheel = np.empty(others, dtype=np.int64)
    taken = np.empty(others + 1, dtype=np.int64)
    joint = np.empty(others + 1)
    level = np.empty(
        others + 1, dtype=np.int64
    )  # how many share the first side's rank so far, or 0 once another is better
    taken[0], joint[0], level[0] = gone | masks[ours], weights[ours], 1
    win = tie = share = total = 0.0
    depth = 0
    wheel[0] = starts[1]
    while depth >= 0:
        i = wheel[depth]
        if i == starts[depth + 2]:
            depth -= 1
            continue
        wheel[depth] += 1
        if masks[i] & taken[depth]:
            continue
        weight = joint[depth] * weights[i]
        held = level[depth]
        if ranks[i] < ranks[ours]:
            held = 0
        elif ranks[i] == ranks[ours] and held:
            held += 1
        if depth + 1 < others:
            taken[depth + 1], joint[depth + 1], level[depth + 1] = taken[depth] | masks[i], weight, held
            depth += 1
            wheel[depth] = starts[depth + 1]
            continue
        total += weight
        if held == 1:
            win += weight
            share += weight
        elif held > 1:
            tie += weight
            share += weight / held
    return win, tie, share, total


def _simulate(board: Ints, gone: Ints, starts: Ints, holdings: Ints, weights: Weights) -> Equity:
    """Simulate deals. The random stream depends on the question alone, so equal questions have equal answers."""
    sizes = np.diff(starts)
    live = comb(52 - len(gone), 2)
    # A side with the uniform range is dealt from the deck without rejections.
    even = np.array(
        [
            size == live and len(set(part)) == 1
            for size, part in zip(sizes, np.split(weights, starts[1:-1]), strict=True)
        ]
    )
    ladder = np.concatenate([np.cumsum(part) / part.sum() for part in np.split(weights, starts[1:-1])])
    stream = stream_of(key_of(0, "equity", board.tobytes().hex(), gone.tobytes().hex(), holdings.tobytes().hex()))
    win, tie, share, square, drawn = _sample(stream, SAMPLES, board, gone, starts, holdings, ladder, even)
    if drawn < SAMPLES:
        raise InputError("these ranges can hardly be dealt together: nearly every combination needs some card twice")
    error = sqrt(max(square / SAMPLES - (share / SAMPLES) ** 2, 0.0) / SAMPLES)
    return _answer(win, tie, share, SAMPLES, error, "simulation")


@kernel
def _draw_ranges(
    stream: Stream, starts: Ints, holdings: Ints, ladder: Weights, even: Bools, hands: Ints, gone: int
) -> int:
    """Draw a holding for each side with a non-uniform range; return the used cards, or 0 if two share a card."""
    used = gone
    for side in range(len(even)):
        if even[side]:
            continue
        steps = ladder[starts[side] : starts[side + 1]]
        i = starts[side] + min(np.searchsorted(steps, draw_uniform(stream), side="right"), len(steps) - 1)
        a, b = HOLDING_CARDS[holdings[i], 0], HOLDING_CARDS[holdings[i], 1]
        mask = (1 << a) | (1 << b)
        if used & mask:
            return 0
        used |= mask
        hands[side, 0], hands[side, 1] = a, b
    return used


@kernel
def _sample(
    stream: Stream, samples: int, board: Ints, gone: Ints, starts: Ints, holdings: Ints, ladder: Weights, even: Bools
) -> tuple[float, float, float, float, int]:
    """Return wins, ties, shares, squared shares of the first side, and the number of valid deals."""
    sides = len(even)
    hands = np.empty((sides, 2), dtype=np.int64)
    gone_mask = 1 << 52  # not a card: it keeps the empty set different from 0
    for card in gone:
        gone_mask |= 1 << card
    known_sum, known_bits = START, 0
    for card in board:
        known_sum, known_bits = known_sum + CODES[card], known_bits | BITS[card]
    win = tie = share = square = 0.0
    drawn = tries = 0
    while drawn < samples and tries < 50 * samples:
        tries += 1
        used = _draw_ranges(stream, starts, holdings, ladder, even, hands, gone_mask)
        if used == 0:
            continue
        drawn += 1
        for side in range(sides):
            if even[side]:
                for k in range(2):
                    card = draw_card(stream, used)
                    used |= 1 << card
                    hands[side, k] = card
        total, bits = known_sum, known_bits
        for _ in range(5 - len(board)):
            card = draw_card(stream, used)
            used |= 1 << card
            total, bits = total + CODES[card], bits | BITS[card]
        held = _share_count(total, bits, hands)
        if held:
            win += held == 1
            tie += held > 1
            share += 1.0 / held
            square += 1.0 / (held * held)
    return win, tie, share, square, drawn


@kernel
def _share_count(board_sum: int, board_bits: int, hands: Ints) -> int:
    """Return how many hands share the best rank with the first one; 0 if another is better."""
    ours, held = 0, 1
    for side in range(len(hands)):
        a, b = hands[side, 0], hands[side, 1]
        rank = rank_of_seven(board_sum + CODES[a] + CODES[b], board_bits | BITS[a] | BITS[b])
        if side == 0:
            ours = rank
        elif rank < ours:
            return 0
        elif rank == ours:
            held += 1
    return held


def single_holding(a: int, b: int) -> Weights:
    """Return the range of exactly one holding."""
    weights = np.zeros(HOLDINGS)
    weights[holding_index(a, b)] = 1.0
    return weights
