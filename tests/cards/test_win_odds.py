"""Boards under suit symmetry, and odds by table against odds by counting."""

from itertools import permutations

import numpy as np
import pytest

from cardwin.cards import win_odds
from cardwin.cards.boards import (
    BOARD_COUNTS,
    SUIT_MAPS,
    board_bits,
    board_index,
    board_row,
    canonical,
    canonical_boards,
)
from cardwin.cards.card import parse_cards
from cardwin.cards.deals import SHARES, deal_many
from cardwin.cards.holdings import HOLDINGS
from cardwin.cards.tables import win_odds_fill
from cardwin.core.rng import generator_of, key_of, stream_of

Ints = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def situations(n: int, shown: int) -> Ints:
    draws = generator_of(key_of(2, "situations", shown)).random((n, 52))
    return draws.argsort(axis=1)[:, : shown + 2].astype(np.int64)


@pytest.mark.parametrize(("shown", "boards"), [(3, 22_100), (4, 270_725), (5, 2_598_960)])
def test_canonical_boards_stand_for_all(shown: int, boards: int) -> None:
    canonicals, weights = canonical_boards(shown)
    assert len(canonicals) == BOARD_COUNTS[shown]
    assert weights.sum() == boards


def test_every_board_finds_its_row() -> None:
    for shown in BOARD_COUNTS:
        for row, board in enumerate(canonical_boards(shown)[0][::97]):
            assert board_row(board_index(), canonical(board_bits(board))[0]) == 97 * row


def test_exchanged_suits_change_nothing() -> None:
    for cards in situations(30, 5):
        keys = set()
        for suits in permutations(range(4)):
            moved = cards - cards % 4 + np.array(suits)[cards % 4]
            keys.add(canonical(board_bits(moved[2:]))[0])
        assert len(keys) == 1


def test_a_holding_moves_with_its_board() -> None:
    for cards in situations(50, 5):
        key, exchange = canonical(board_bits(cards[2:]))
        board = canonical_boards(5)[0][board_row(board_index(), key)]
        wins, ties = _river(board)
        high, low = max(cards[:2]), min(cards[:2])
        column = SUIT_MAPS[exchange, high * (high - 1) // 2 + low]
        direct = win_odds.win_odds(win_odds.NO_TABLE, board_bits(cards[2:]), 5, cards[0], cards[1])
        assert (2 * wins[column] + ties[column]) / win_odds.RIVER_WAYS == direct


def _river(board: Ints) -> tuple[Ints, Ints]:
    wins, ties = np.zeros(HOLDINGS, dtype=np.int64), np.zeros(HOLDINGS, dtype=np.int64)
    win_odds_fill.river_counts(board, wins, ties)
    return wins, ties


def _rows_after(boards: Ints) -> tuple[Ints, list[int]]:
    """The rows of the boards that one more card leads to."""
    rows = set()
    for board in boards:
        for card in set(range(52)) - set(map(int, board)):
            rows.add(board_row(board_index(), canonical(board_bits(np.append(board, card)))[0]))
    return canonical_boards(boards.shape[1] + 1)[0], sorted(rows)


def test_earlier_streets_are_means_of_later_ones() -> None:
    """One flop through the table's own steps, with only the rows that they need: the bits that counting gives."""
    flop_row = 777
    flops = canonical_boards(3)[0]
    turns, turn_rows = _rows_after(flops[flop_row : flop_row + 1])
    rivers, river_rows = _rows_after(turns[turn_rows])
    table = np.zeros(win_odds.TABLE_WORDS, dtype=np.int32)  # only the touched pages cost memory
    parts = {name: win_odds.section(table, name) for name in win_odds.SECTIONS}
    parts["index"][:] = board_index()
    for row in river_rows:
        win_odds_fill.fill_river(rivers, row, row + 1, parts["river"])
    shares = win_odds_fill.all_river_shares()
    for row in turn_rows:
        win_odds_fill.fill_turn(turns, row, row + 1, table, parts["river"], shares, parts["turn"], parts["turn_powers"])
    win_odds_fill.fill_flop(
        flops, flop_row, flop_row + 1, table, parts["turn"], parts["turn_powers"], parts["flop"], parts["flop_powers"]
    )
    rest = sorted(set(range(52)) - set(map(int, flops[flop_row])))
    table = win_odds.read_only(table)
    for board in (flops[flop_row], turns[turn_rows[5]], rivers[river_rows[50]]):
        for a, b in ((rest[3], rest[40]), (rest[-1], rest[0])):
            if a in board or b in board:
                continue
            bits, shown = board_bits(board), len(board)
            assert win_odds.win_odds(table, bits, shown, a, b) == win_odds.win_odds(
                win_odds.NO_TABLE, bits, shown, a, b
            )
            for n in range(1, 10):
                looked_up = win_odds.power_odds(table, bits, shown, a, b, n)
                assert looked_up == win_odds.power_odds(win_odds.NO_TABLE, bits, shown, a, b, n)


def test_kept_powers_make_all_powers() -> None:
    points = np.linspace(0, 1, 501)
    kept = np.stack([points**power for power in win_odds.STORED_POWERS] + [np.ones_like(points)])
    for n in range(1, 10):
        assert np.abs(win_odds.POWER_WEIGHTS[0, n] @ kept - points**n).max() < 0.0007


@pytest.mark.parametrize(("shown", "better"), [(4, 2.0), (5, 1.3)])
def test_the_correction_is_nearer_to_simulated_odds(shown: int, better: float) -> None:
    """On situations of its own, against 2, 5 and 9 opponents."""
    plain, corrected = [], []
    for number, cards in enumerate(situations(60, shown)):
        tallies = np.zeros((4, 9))
        deal_many(stream_of(key_of(3, "correction", shown, number)), cards, 20_000, tallies)
        bits = board_bits(cards[2:])
        for n in (2, 5, 9):
            true = tallies[SHARES, n - 1] / 20_000
            plain.append(win_odds.power_odds(win_odds.NO_TABLE, bits, shown, cards[0], cards[1], n) - true)
            corrected.append(win_odds.corrected_odds(win_odds.NO_TABLE, bits, shown, cards[0], cards[1], n) - true)
    assert np.sqrt(np.mean(np.square(corrected))) * better < np.sqrt(np.mean(np.square(plain)))


def test_one_opponent_needs_no_correction() -> None:
    a, b, *board = parse_cards("AdQc3h4cJh2s9s")
    bits = board_bits(np.array(board))
    exact = win_odds.win_odds(win_odds.NO_TABLE, bits, 5, a, b)
    assert win_odds.corrected_odds(win_odds.NO_TABLE, bits, 5, a, b, 1) == exact
    assert win_odds.power_odds(win_odds.NO_TABLE, bits, 5, a, b, 1) == pytest.approx(exact)


@pytest.mark.parametrize("board", ["AsKsQsJsTs", "AhAdAcAsKd", "TsJdQcKsAd"])
def test_a_board_that_everybody_plays_is_shared_by_all(board: str) -> None:
    a, b, *shown = parse_cards("7h2c" + board)
    bits = board_bits(np.array(shown))
    for n in range(1, 10):
        assert win_odds.power_odds(win_odds.NO_TABLE, bits, 5, a, b, n) == pytest.approx(1 / (n + 1), abs=0.001)
        assert win_odds.corrected_odds(win_odds.NO_TABLE, bits, 5, a, b, n) == pytest.approx(1 / (n + 1), abs=0.011)


@pytest.mark.parametrize(("wins", "ties"), [(0, 0), (990, 0), (0, 990), (400, 7), (247, 495), (500, 64)])
def test_a_rivers_code_keeps_the_odds_exactly_and_the_ties_nearly(wins: int, ties: int) -> None:
    code = win_odds.river_code(wins, ties)
    assert 0 <= code < 1 << 16
    assert code & win_odds.WAYS == 2 * wins + ties
    shares = np.zeros(win_odds.STORED)
    win_odds.river_shares(code, shares)
    points = (wins + np.linspace(0, 1, 10_001) * ties) / 990
    for share, n in zip(shares, win_odds.STORED_POWERS, strict=True):
        assert share == pytest.approx((points**n).mean(), abs=0.005)


def test_the_correction_is_never_far_off_on_the_river() -> None:
    """The worst of a thousand unseen situations is .045 against nine, and less against fewer (docs/cards.md)."""
    for number, cards in enumerate(situations(60, 5)):
        tallies = np.zeros((4, 9))
        deal_many(stream_of(key_of(4, "worst", number)), cards, 20_000, tallies)
        bits = board_bits(cards[2:])
        for n, most in ((2, 0.02), (5, 0.035), (9, 0.06)):
            ours = win_odds.corrected_odds(win_odds.NO_TABLE, bits, 5, cards[0], cards[1], n)
            assert abs(ours - tallies[SHARES, n - 1] / 20_000) < most
