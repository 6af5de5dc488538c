"""Ranks are those of the two best-known evaluators, of the exact counts, and of a rebuilt table."""

import itertools
from collections.abc import Callable

import eval7
import numpy as np
import phevaluator
import pytest

import shipped_tables
from cardwin.cards import ranks
from cardwin.cards.card import CARD_NAMES, parse_cards
from cardwin.cards.tables import load_shipped
from cardwin.core.rng import generator_of, key_of

# Hands by category, best first, for five and six cards (the seven-card counts are a slow test).
COUNTS = {
    5: (40, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540),
    6: (1844, 14664, 165984, 205792, 361620, 732160, 2532816, 9730740, 6612900),
}


def random_hands(n: int, size: int) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    draws = generator_of(key_of(1, "hands", size)).random((n, 52), dtype=np.float32)
    return np.argpartition(draws, size, axis=1)[:, :size].astype(np.int8)


def by_category(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[int, ...]:
    starts = (*ranks.CATEGORY_STARTS, ranks.WORST_RANK + 1)
    return tuple(int(counts[low:high].sum()) for low, high in itertools.pairwise(starts))


@pytest.mark.parametrize("size", [5, 6])
def test_all_hands_by_category(size: int) -> None:
    hands = np.fromiter(itertools.chain.from_iterable(itertools.combinations(range(52), size)), dtype=np.int8)
    counts = np.bincount(ranks.rank_hands(hands.reshape(-1, size)), minlength=ranks.WORST_RANK + 1)
    assert by_category(counts) == COUNTS[size]
    assert size > 5 or (counts[1:] > 0).all()


def test_the_stored_tables_are_what_the_code_builds() -> None:
    stored = load_shipped("rank_tables.npz")
    built = shipped_tables.build_ranks()
    assert set(stored) == set(built)
    assert all(np.array_equal(stored[name], built[name]) for name in built)


@pytest.mark.slow
def test_all_seven_card_hands_by_category() -> None:
    counts = np.zeros(ranks.WORST_RANK + 1, dtype=np.int64)
    ranks.count_sevens(counts)
    expected = (41584, 224848, 3473184, 4047644, 6180020, 6461620, 31433400, 58627800, 23294460)
    assert by_category(counts) == expected
    assert counts[1] == 4324


@pytest.mark.parametrize("size", [5, 6, 7])
def test_ranks_equal_phevaluator(size: int) -> None:
    hands = random_hands(20_000, size)
    theirs = [phevaluator.evaluate_cards(*(CARD_NAMES[card] for card in hand)) for hand in hands]
    assert ranks.rank_hands(hands).tolist() == theirs


def test_order_equals_eval7() -> None:
    hands = random_hands(20_000, 7)
    cards = [eval7.Card(name) for name in CARD_NAMES]
    ours = ranks.rank_hands(hands)
    theirs = np.array([eval7.evaluate([cards[card] for card in hand]) for hand in hands])
    order = np.argsort(-ours, kind="stable")
    assert (np.sign(np.diff(theirs[order])) == np.sign(-np.diff(ours[order].astype(int)))).all()


def test_one_hand_and_many_agree() -> None:
    functions: dict[int, Callable[..., int]] = {5: ranks.rank_five, 6: ranks.rank_six, 7: ranks.rank_seven}
    for size, function in functions.items():
        hands = random_hands(500, size)
        batch = ranks.rank_hands(hands)
        assert [function(*map(int, hand)) for hand in hands] == batch.tolist()
        assert [ranks.rank_cards(hand) for hand in hands] == batch.tolist()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Ah Qd 4s Kh 8c", 0x1CBA62),
        ("AhAd KsQc Js", 0x2CCBA9),
        ("Ah2h3h4h5h", 0x53210C),
        ("AhAdAsKhKd2c3c", 0x6CCCBB),
        ("2c2d2h2sAh", 0x70000C),
    ],
)
def test_simple_ranks_ignore_suits(text: str, value: int) -> None:
    assert ranks.simple_rank(np.array(parse_cards(text))) == value


def test_simple_ranks_order_unsuited_hands_as_ranks_do() -> None:
    hands = random_hands(5_000, 7)
    unsuited = np.array([max(np.bincount(hand % 4)) < 5 for hand in hands])
    order = np.argsort(ranks.rank_hands(hands[unsuited]), kind="stable")
    values = np.array([ranks.simple_rank(hand) for hand in hands[unsuited][order]])
    assert (np.diff(values) <= 0).all()
    assert len(set(values)) == len(set(ranks.rank_hands(hands[unsuited])))
