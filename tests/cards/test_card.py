"""Cards, holdings and ranges are read as people write them, and mistakes are named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwin.cards.card import CARD_NAMES, cards_text, parse_cards
from cardwin.cards.holdings import CLASS_NAMES, CLASS_OF_HOLDING, CLASS_SIZES, HOLDING_CARDS, holding_index, parse_range
from cardwin.core.errors import InputError


@given(st.lists(st.integers(0, 51), unique=True, max_size=9), st.booleans())
def test_printed_cards_are_read_again(cards: list[int], signs: bool) -> None:
    assert parse_cards(cards_text(cards, signs)) == tuple(cards)


def test_tens_are_written_either_way() -> None:
    assert parse_cards("10h") == parse_cards("Th") == (34,)
    assert parse_cards("Ah, 10d 2♣") == (50, 33, 0)


@pytest.mark.parametrize(("text", "clue"), [("AhAh", "duplicate card"), ("AhKx", "'Kx'"), ("Ah1", "'1'"), ("A", "'A'")])
def test_wrong_cards_are_named(text: str, clue: str) -> None:
    with pytest.raises(InputError, match=clue):
        parse_cards(text)


def test_holdings_are_numbered_without_gaps() -> None:
    assert [holding_index(int(a), int(b)) for a, b in HOLDING_CARDS] == list(range(1326))
    assert [holding_index(int(b), int(a)) for a, b in HOLDING_CARDS] == list(range(1326))
    assert sorted(set(CLASS_SIZES)) == [4, 6, 12]
    assert (CLASS_NAMES[0], CLASS_NAMES[1], CLASS_NAMES[13], CLASS_NAMES[168]) == ("AA", "AKs", "AKo", "22")


def classes(text: str) -> dict[str, float]:
    weights = parse_range(text)
    sums = np.bincount(CLASS_OF_HOLDING, weights)
    return {CLASS_NAMES[number]: float(sums[number]) for number in np.flatnonzero(sums)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("QQ+", {"QQ": 6, "KK": 6, "AA": 6}),
        ("ATs+", {"ATs": 4, "AJs": 4, "AQs": 4, "AKs": 4}),
        ("KJo-KTo", {"KJo": 12, "KTo": 12}),
        ("99-77", {"99": 6, "88": 6, "77": 6}),
        ("T9s-76s", {"T9s": 4, "98s": 4, "87s": 4, "76s": 4}),
        ("AK", {"AKs": 4, "AKo": 12}),
        ("AsKh, 76s", {"AKo": 1, "76s": 4}),
        ("40%(JTs, 22), 10h9h", {"JTs": 1.6, "22": 2.4, "T9s": 1}),
    ],
)
def test_ranges(text: str, expected: dict[str, float]) -> None:
    assert classes(text) == pytest.approx(expected)


def test_every_class_is_a_range() -> None:
    assert np.array_equal(sum(parse_range(name) for name in CLASS_NAMES), parse_range("random"))


@pytest.mark.parametrize(
    ("text", "clue"),
    [
        ("QQ+, KK", "duplicate hand"),
        ("AKx", "'AKx'"),
        ("KJo-QTs", "KJo-QTs"),
        ("KJo-QTo-9", "KJo-QTo-9"),
        ("QQs", "QQs"),
        ("140%(JTs)", "140%"),
        ("40%(JTs", "invalid part"),
        ("", "empty"),
    ],
)
def test_wrong_ranges_are_named(text: str, clue: str) -> None:
    with pytest.raises(InputError, match=clue.replace("(", r"\(")):
        parse_range(text)


def test_names_and_numbers_agree() -> None:
    assert [parse_cards(name)[0] for name in CARD_NAMES] == list(range(52))
