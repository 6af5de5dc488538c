"""Income rates are the published ones, within the error of a million deals."""

import numpy as np
import pytest

from cardwin.cards.holdings import CLASS_NAMES, holding_index
from cardwin.cards.preflop import (
    class_incomes,
    group_of,
    holding_incomes,
    income_errors,
    simulated_incomes,
    sorted_incomes,
)
from cardwin.core.errors import InputError

PUBLISHED = [
    ("AA", 2, 704), ("AA", 4, 1554), ("AA", 7, 2043), ("72o", 2, -308), ("72o", 4, -432), ("72o", 7, -495),
    ("AKs", 2, 339), ("AKs", 4, 655), ("AKs", 7, 934), ("A8s", 4, 338), ("32s", 2, -279), ("32o", 2, -351),
]  # fmt: skip


@pytest.mark.parametrize(("name", "players", "published"), PUBLISHED)
def test_published_rates(name: str, players: int, published: int) -> None:
    ours = class_incomes(players)[CLASS_NAMES.index(name)]
    share = (ours / 1000 + 1) / players
    theirs = 1000 * players * np.sqrt(share * (1 - share) / 1_000_000)  # the error of their million deals, at most
    ours_error = income_errors(players)[CLASS_NAMES.index(name)]
    assert abs(ours - published) < 3.5 * np.hypot(theirs, ours_error) + 0.5  # they printed whole numbers


def test_eighty_eight_hands_earn_with_seven_players() -> None:
    assert (class_incomes(7) >= 0).sum() == 88


def test_rates_of_any_number_of_players() -> None:
    for players in range(2, 11):
        rates = class_incomes(players)
        assert rates.argmax() == CLASS_NAMES.index("AA")
        sizes = np.array([6 if name[0] == name[1] else (4 if name[2] == "s" else 12) for name in CLASS_NAMES])
        assert abs(rates @ sizes / 1326) < 3.0  # a random hand breaks even
    with pytest.raises(InputError, match="2 to 10"):
        class_incomes(11)


def test_new_deals_agree_with_the_table() -> None:
    rates, errors = simulated_incomes(4, 20_000)
    off = (rates - class_incomes(4)) / np.hypot(errors, income_errors(4))
    assert np.abs(off).max() < 4.5
    assert 0.8 < off.std() < 1.2


def test_holdings_and_percentiles() -> None:
    assert holding_incomes(7)[holding_index(51, 50)] == class_incomes(7)[0]
    assert sorted_incomes(7)[-1] == class_incomes(7).max()
    assert [group_of(players) for players in (2, 2.4, 2.8, 4.4, 4.6, 10)] == [0, 0, 1, 1, 2, 2]
