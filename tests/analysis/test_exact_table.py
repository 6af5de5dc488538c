"""Policies of small games against each other: exact, fair to both seats, zero against oneself."""

from fractions import Fraction

import pytest

import cardwin
from cardwin.core.errors import InputError
from cardwin.results.small_leaderboard import exact_table
from support import answer, call


def test_the_table_is_what_value_says() -> None:
    table = exact_table("kuhn", ["rational", "safe", "bluffer"])
    both = cardwin.value("kuhn", "safe", "bluffer") - cardwin.value("kuhn", "bluffer", "safe")
    assert float(table.won[1][2]) == pytest.approx(both / 2)
    for i in range(3):
        assert table.won[i][i] == 0
        assert all(table.won[i][j] == -table.won[j][i] for j in range(3))
    assert sum(table.scores) == 0
    assert table.order == sorted(range(3), key=lambda place: -table.scores[place])


def test_an_equilibrium_loses_to_nobody() -> None:
    table = exact_table("kuhn", ["equilibrium", "rational", "safe", "bluffer", "uniform"])
    assert all(one >= 0 for one in table.won[0])
    assert table.won[0][4] > Fraction(1, 100)


def test_commands_for_small_games() -> None:
    found = answer("match", "rational", "safe", "--game", "kuhn")
    again = answer("leaderboard", "rational", "safe", "--game", "kuhn")
    assert found == again
    assert found["players"][0]["ci95"] == 0
    assert found["players"][0]["mean"] == -found["players"][1]["mean"]


def test_what_cannot_meet_is_refused() -> None:
    with pytest.raises(InputError, match="expected a small game"):
        exact_table("holdem-nl", ["call", "fold"])
    with pytest.raises(InputError, match="expected 2 to 100"):
        exact_table("kuhn", ["safe"])


def test_a_cycle_of_policies_is_named() -> None:
    table = exact_table("kuhn", ["rational", "genes:1,0,1,0,1,0", "safe"])
    assert table.cycles.cyclic_triples == 1
    cycles = table.answer()["cycles"]
    assert sorted(cycles["example"]) == ["genes:1,0,1,0,1,0", "rational", "safe"]
    assert "safe beats rational" in cycles["sentence"]
    ordered = exact_table("kuhn", ["rational", "bluffer", "uniform"])
    assert ordered.answer()["cycles"]["example"] == []
    text = call("leaderboard", "rational", "genes:1,0,1,0,1,0", "safe", "--game", "kuhn").stdout
    assert "no linear order is meaningful" in text
