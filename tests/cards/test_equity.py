"""Equities are the published ones, and counting and sampling agree."""

from itertools import combinations

import eval7
import numpy as np
import pytest

from cardwin.cards import equity as module
from cardwin.cards.card import CARD_NAMES, parse_cards
from cardwin.cards.equity import Equity, equity, single_holding
from cardwin.cards.holdings import CLASS_NAMES, parse_range
from cardwin.cards.preflop import preflop, simulate
from cardwin.cards.question import answer_question, parse_question
from cardwin.core.errors import InputError
from shipped_tables import PREFLOP_DEALS

RANDOM = np.ones(1326)


def hand(text: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return single_holding(*parse_cards(text))


@pytest.mark.parametrize(
    ("name", "percent"),
    [("AA", 85.2037), ("AKs", 67.0446), ("AKo", 65.3201), ("JTs", 57.5279), ("Q7o", 51.7657), ("22", 50.3340),
     ("72o", 34.5837), ("32o", 32.3032)],
)  # fmt: skip
def test_equity_before_the_flop(name: str, percent: float) -> None:
    assert preflop().equity[CLASS_NAMES.index(name), 0] == pytest.approx(percent / 100, abs=1e-6)


def test_wins_and_ties_before_the_flop() -> None:
    for name, win, tie in (("AA", 0.849319, 0.005436), ("72o", 0.317103, 0.057467)):
        row = CLASS_NAMES.index(name)
        assert (preflop().win[row, 0], preflop().tie[row, 0]) == pytest.approx((win, tie), abs=5e-7)


def test_the_table_before_the_flop_is_what_its_command_makes() -> None:
    row = CLASS_NAMES.index("K9s")
    for stored, made in zip(preflop(), simulate(row, PREFLOP_DEALS), strict=True):
        assert stored[row, 1:] == pytest.approx(made[1:], abs=1e-12)
    assert (preflop().error[:, 1:] < 0.0005).all()
    assert preflop().equity[CLASS_NAMES.index("AA"), 8] == pytest.approx(0.311, abs=0.001)


def test_hand_against_hand_is_known() -> None:
    result = equity([hand("AhAd"), hand("KhKd")])
    assert (result.method, result.error) == ("enumeration", 0.0)
    assert (result.win, result.tie) == pytest.approx((0.823648, 0.005436), abs=1e-6)


def test_shares_of_all_sides_make_one() -> None:
    sides = [hand("AhKh"), parse_range("QQ+, 50%(JTs)"), hand("7c7d")]
    board = parse_cards("Qs 7h 2c")
    shares = [equity([sides[i], *(sides[:i] + sides[i + 1 :])], board).equity for i in range(3)]
    assert sum(shares) == pytest.approx(1.0, abs=1e-12)


def test_ties_are_shared() -> None:
    royal = parse_cards("AhKhQhJhTh")
    assert equity([hand("2c3c"), RANDOM, RANDOM], royal).equity == pytest.approx(1 / 3)
    assert equity([hand("2c3c"), RANDOM, RANDOM], royal).tie == 1.0


def test_dead_cards_are_nobodys_by_a_count_of_their_own() -> None:
    ours, board, dead = parse_cards("AhKh"), parse_cards("QhJh2c9s8d"), parse_cards("Th2h3h4hTd")
    cards = [eval7.Card(name) for name in CARD_NAMES]
    value = eval7.evaluate([cards[card] for card in (*ours, *board)])
    shares = []
    for pair in combinations(sorted(set(range(52)) - {*ours, *board, *dead}), 2):
        theirs = eval7.evaluate([cards[card] for card in (*pair, *board)])
        shares.append((value > theirs) + (value == theirs) / 2)
    assert equity([single_holding(*ours), RANDOM], board, dead).equity == pytest.approx(np.mean(shares), abs=1e-12)
    assert equity([single_holding(*ours), RANDOM], board).equity != pytest.approx(np.mean(shares), abs=1e-3)


@pytest.mark.parametrize(
    ("sides", "board"),
    [(["AhKh", "random"], "QhJh2c"), (["AhKh", "QQ+, 40%(AKs), 76s"], "QhJh2c"), (["8d7d", "22+", "AsKs"], "9d6c2d")],
)
def test_sampling_agrees_with_counting(sides: list[str], board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ranges, cards = [parse_range(side) for side in sides], parse_cards(board)
    counted = equity(ranges, cards)
    monkeypatch.setattr(module, "ENUMERATION_LIMIT", 0)
    monkeypatch.setattr(module, "SAMPLES", 300_000)
    sampled = equity(ranges, cards)
    assert (counted.method, sampled.method) == ("enumeration", "simulation")
    assert abs(sampled.equity - counted.equity) < 4.5 * sampled.error
    assert sampled == equity(ranges, cards)  # the same question, the same luck


def test_ten_hands_share_the_pot() -> None:
    result = equity([RANDOM] * 10)
    assert abs(result.equity - 0.1) < 4.5 * result.error


def test_questions_in_words() -> None:
    assert answer_question(parse_question("7h2d")) == answer_question(parse_question("72o"))
    assert answer_question(parse_question("72o")).method == "table"
    ours: Equity = answer_question(parse_question("AhKh", "QhJh2c"))
    assert ours == answer_question(parse_question("A♥K♥", "Qh Jh 2c", opponents=1))
    assert answer_question(parse_question("AhKh", "QhJh2c", against=["random"])) == ours


@pytest.mark.parametrize(
    ("words", "clue"),
    [
        ({"hand": "AhKh", "opponents": 0}, "got 0"),
        ({"hand": "AhKh", "opponents": 10}, "got 10"),
        ({"hand": "AhKh", "board": "2c3c4c5c6c7c8c9cTc"}, "got 9"),
        ({"hand": "AhKh", "board": "2cAh4c"}, "duplicate card Ah"),
        ({"hand": "AhKh", "board": "2c3c4c", "dead": "3c"}, "duplicate card 3c"),
        ({"hand": "AhKh", "against": ["AhAd"]}, "cannot be dealt together"),
        ({"hand": "AhKh", "against": ["AcAd"], "dead": "Ac"}, "range 1 is empty"),
        ({"hand": "AKs", "against": ["QQ+"], "opponents": 2}, "not both"),
        ({"hand": "AhKh", "against": ["QQ+, KK"]}, "duplicate hand"),
    ],
)
def test_wrong_questions_are_answered_with_a_sentence(words: dict[str, str], clue: str) -> None:
    with pytest.raises(InputError, match=clue):
        answer_question(parse_question(**words))  # type: ignore[arg-type]
