"""All holdings of a board at once are what they are one at a time, and what another evaluator makes of them."""

from itertools import combinations

import eval7
import numpy as np
import pytest

from cardwin.cards.all_combos import potentials, rank_holdings, standings
from cardwin.cards.card import CARD_NAMES, parse_cards
from cardwin.cards.ehs import ANY_TWO, board_ehs, ehs_table, find_board, write_effective
from cardwin.cards.hand_strength import hand_potential, hand_strength, standing
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS, holding_index
from cardwin.core.arrays import Floats

BOARDS = ["3h4cJh", "AsAhAd", "2c7c9c", "Td9d8s", "3h4cJh3s", "KcQcJcTc", "2s5d9hKc", "3h4cJh5s6d", "AsKsQsJsTs"]


def weights_of(seed: int) -> Floats:
    """Random weights, a fifth of them 0."""
    rng = np.random.default_rng(seed)
    return rng.random(HOLDINGS) * (rng.random(HOLDINGS) > 0.2)


def live(board: tuple[int, ...]) -> list[int]:
    return [h for h in range(HOLDINGS) if not set(HOLDING_CARDS[h].tolist()) & set(board)]


def random_boards(count: int) -> list[tuple[int, ...]]:
    rng = np.random.default_rng(7)
    return [tuple(rng.choice(52, 3 + i % 3, replace=False).tolist()) for i in range(count)]


@pytest.mark.parametrize("board", [*map(parse_cards, BOARDS), *random_boards(6)], ids=str)
@pytest.mark.parametrize("even", [True, False])
def test_strength_of_all_is_that_of_each(board: tuple[int, ...], even: bool) -> None:
    weights, known, sums = ANY_TWO if even else weights_of(1), board_ehs(board), np.empty((3, HOLDINGS))
    standings(known.ranks, known.order, known.count, weights, sums)
    strengths = known.strengths(weights)
    for holding in live(board):
        a, b = HOLDING_CARDS[holding]
        assert sums[:, holding] == pytest.approx(standing(a, b, np.array(board), weights), abs=1e-9)
        assert strengths[holding] == pytest.approx(hand_strength(a, b, np.array(board), weights), abs=1e-12)
    assert not strengths[list(set(range(HOLDINGS)) - set(live(board)))].any()


@pytest.mark.parametrize("board", [parse_cards(board) for board in BOARDS if len(board) < 10], ids=str)
@pytest.mark.parametrize("even", [True, False])
def test_potential_of_all_is_that_of_each(board: tuple[int, ...], even: bool) -> None:
    weights = ANY_TWO if even else weights_of(2)
    for ahead in range(1, 6 - len(board)):
        found = potentials(np.array(board), False, weights, ahead)
        for holding in live(board)[:: 53 if ahead == 1 else 331]:
            a, b = HOLDING_CARDS[holding]
            expected = hand_potential(a, b, np.array(board), weights, ahead)
            assert found[:, holding] == pytest.approx(expected, abs=1e-11)
            if even:
                assert tuple(found[:, holding]) == expected


def brute_force(hand: list[int], board: tuple[int, ...], weights: Floats, ahead: int) -> tuple[float, float, float]:
    """HS, PPot and NPot straight from their definition, by another evaluator."""
    cards = [eval7.Card(name) for name in CARD_NAMES]

    def sign(theirs: list[int], shown: tuple[int, ...]) -> int:
        ours, others = (eval7.evaluate([cards[card] for card in (*one, *shown)]) for one in (hand, theirs))
        return 1 + int(ours > others) - int(ours < others)  # 0 behind, 1 tied, 2 ahead

    table, stands = np.zeros((3, 3)), np.zeros(3)
    for holding in live((*board, *hand)):
        theirs = HOLDING_CARDS[holding].tolist()
        now = sign(theirs, board)
        stands[now] += weights[holding]
        if weights[holding]:
            rest = [card for card in range(52) if card not in (*board, *hand, *theirs)]
            for more in combinations(rest, ahead):
                table[now, sign(theirs, (*board, *more))] += weights[holding]
    rows = table.sum(axis=1)
    better = (table[0, 2] + table[0, 1] / 2 + table[1, 2] / 2) / (rows[0] + rows[1] / 2)
    worse = (table[2, 0] + table[2, 1] / 2 + table[1, 0] / 2) / (rows[2] + rows[1] / 2)
    return (stands[2] + stands[1] / 2) / stands.sum(), better, worse


@pytest.mark.parametrize("place", range(4))
def test_brute_force_agrees(place: int) -> None:
    rng = np.random.default_rng(place)
    board = tuple(rng.choice(52, 3 + place % 2, replace=False).tolist())
    weights = rng.random(HOLDINGS) * (rng.random(HOLDINGS) > 0.7)
    holding = int(rng.choice(live(board)))
    expected = brute_force(HOLDING_CARDS[holding].tolist(), board, weights, 1)
    assert board_ehs(board).strengths(weights)[holding] == pytest.approx(expected[0], abs=1e-12)
    assert potentials(np.array(board), False, weights, 1)[:, holding] == pytest.approx(expected[1:], abs=1e-12)


@pytest.mark.parametrize(
    ("hand", "board", "ahead", "strength", "positive", "negative"),
    [
        ("AdQc", "3h4cJh", 1, 0.585106, 0.108312, 0.145402),
        ("AdQc", "3h4cJh", 2, 0.585106, 0.208324, 0.273693),
        ("AhQh", "3h4sJh", 1, None, 0.301127, 0.099394),
        ("AhQh", "3h4sJh", 2, None, 0.504179, 0.145142),
        ("8d7d", "9d6c2d", 2, 0.115171, 0.621491, None),
    ],
)
def test_published_numbers(
    hand: str, board: str, ahead: int, strength: float | None, positive: float, negative: float | None
) -> None:
    cards, holding = parse_cards(board), holding_index(*parse_cards(hand))
    found = potentials(np.array(cards), False, ANY_TWO, ahead)[:, holding]
    assert found[0] == pytest.approx(positive, abs=5e-7)
    if negative is not None:
        assert found[1] == pytest.approx(negative, abs=5e-7)
    if strength is not None:
        assert board_ehs(cards).strengths(ANY_TWO)[holding] == pytest.approx(strength, abs=5e-7)


@pytest.mark.parametrize("board", ["Td9d8s", "2s5d9hKc", "7c7d7h2s"])
def test_what_is_kept_under_suit_symmetry_is_right(board: str) -> None:
    cards, values = parse_cards(board), np.empty(HOLDINGS)
    now = board_ehs(cards).strengths(ANY_TWO)
    later = potentials(np.array(cards), False, ANY_TWO, 1)[0]
    write_effective(ehs_table(), *find_board(ehs_table(), np.array(cards)), len(cards), values)
    assert values == pytest.approx(now + (1 - now) * later, abs=1e-12)


def test_without_suits_a_flush_is_nothing() -> None:
    board, flush, aces = parse_cards("KhQh9h"), holding_index(*parse_cards("4h2h")), holding_index(*parse_cards("AsAc"))
    assert board_ehs(board).strengths(ANY_TWO)[flush] > board_ehs(board).strengths(ANY_TWO)[aces]
    assert board_ehs(board, True).strengths(ANY_TWO)[flush] < board_ehs(board, True).strengths(ANY_TWO)[aces]


def test_no_weight_and_no_card_to_come() -> None:
    board = parse_cards("3h4cJh")
    assert set(board_ehs(board).strengths(np.zeros(HOLDINGS))[live(board)]) == {0.5}
    assert not potentials(np.array(board), False, np.zeros(HOLDINGS), 1).any()
    assert not potentials(np.array(parse_cards("3h4cJh5s6d")), False, ANY_TWO, 1).any()


def test_order_is_by_rank() -> None:
    ranks, order = np.zeros(HOLDINGS, np.int16), np.zeros(HOLDINGS, np.int16)
    count = rank_holdings(np.array(parse_cards("3h4cJh")), False, ranks, order)
    assert count == 1176
    assert (np.diff(ranks[order[:count]]) >= 0).all()
    assert sorted(order[:count].tolist()) == live(parse_cards("3h4cJh"))
