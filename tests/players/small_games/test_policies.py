"""Policies: specifications, files, habits, and what is refused."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardwin
from cardwin.core.errors import InputError
from cardwin.games import SMALL_GAMES
from cardwin.players.small_games.policies import as_csv, as_file, as_openspiel, habits, load, policy


@pytest.mark.parametrize("game", SMALL_GAMES)
@pytest.mark.parametrize("spec", ["uniform", "equilibrium"])
def test_saved_equals_loaded(game: str, spec: str, tmp_path: Path) -> None:
    rules = cardwin.game(game)
    before = policy(rules, spec)
    path = tmp_path / "policy.json"
    path.write_text(as_file(before))
    after = load(path, rules)
    for seat in (0, 1):
        assert after.behaviour(seat) == pytest.approx(before.behaviour(seat), abs=1e-15)


@given(st.lists(st.fractions(0, 1, max_denominator=500), min_size=6, max_size=6))
def test_genes_there_and_back(genes: list[Fraction]) -> None:
    found = policy(cardwin.game("kuhn"), "genes:" + ",".join(map(str, genes)))
    assert found.genes(0) == found.genes(1) == genes


def test_decimals_are_read_exactly() -> None:
    found = policy(cardwin.game("kuhn"), "genes:.1,0.5,1,0,1/3,1e-3")
    assert found.genes(0) == [Fraction(1, 10), Fraction(1, 2), 1, 0, Fraction(1, 3), Fraction(1, 1000)]


def test_each_seat_its_own_genes() -> None:
    rules = cardwin.game("onecard:cards=2,bets=0/1,ante=1")
    both = policy(rules, "genes:0,1;1,0,1,1")
    assert [len(both.genes(seat)) for seat in (0, 1)] == [2, 4]
    only_first = policy(rules, "genes:0,1")
    assert only_first.seats == (0,)
    with pytest.raises(InputError, match="seat 1"):
        only_first.exact(1)
    with pytest.raises(InputError, match="--seat"):
        cardwin.exploitability(rules, only_first)
    assert cardwin.exploitability(rules, only_first, seat=1).exploitability >= 0


@pytest.mark.parametrize(
    ("spec", "clue"),
    [
        ("genes:0,1", "expected 6 genes for kuhn, got 2"),
        ("genes:0,1,2,0,0,0", "invalid gene B_K: expected .*, got '2'"),
        ("genes:0,1,-1,0,0,0", "B_K"),
        ("genes:0,1,nan,0,0,0", "nan"),
        ("genes:0,1,inf,0,0,0", "inf"),
        ("genes:0,1,1/0,0,0,0", "1/0"),
        ("genes:0,1,1e999999999,0,0,0", "B_K"),
        ("genes:", "got 1"),
        ("genes:0;0;0", "3 lists"),
        ("rationl", r"\brational\b"),
        ("nowhere.json", r"nowhere\.json"),
        ("some/where", "some/where"),
    ],
)
def test_bad_specifications(spec: str, clue: str) -> None:
    with pytest.raises(InputError, match=clue):
        policy(cardwin.game("kuhn"), spec)


@pytest.mark.parametrize(
    ("text", "clue"),
    [
        ("", "not a JSON file"),
        ("[]", "one JSON object"),
        ("[" * 100_000, "JSON"),
        ("{}", '"game" and "seats"'),
        ('{"game": "kuhn", "seats": {"3": {}}}', "seats"),
        ('{"game": "kuuhn", "seats": {"1": {}}}', "did you mean kuhn"),
        ('{"game": "kuhn", "seats": {"1": {}}}', "lacks the gene 'B_J'"),
        ('{"game": "kuhn", "seats": {"1": {"X": 0}}}', "no gene 'X'"),
        ('{"game": "kuhn", "seats": {"1": [0]}}', "object of gene names"),
        ('{"game": "leduc", "seats": {"1": {}}}', "expected a policy for kuhn"),
        ('{"game": "kuhn", "schema": 9, "seats": {"1": {}}}', "schema 9"),
        (
            '{"game": "kuhn", "seats": {"1": {"B_J": NaN, "B_Q": 0, "B_K": 0, "C_J": 0, "C_Q": 0, "C_K": 0}}}',
            "gene B_J",
        ),
        (
            '{"game": "kuhn", "seats": {"1": {"B_J": 1.5, "B_Q": 0, "B_K": 0, "C_J": 0, "C_Q": 0, "C_K": 0}}}',
            "gene B_J",
        ),
    ],
)
def test_bad_files(text: str, clue: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(InputError, match=clue):
        policy(cardwin.game("kuhn"), str(path))


def test_habits_are_named() -> None:
    rules = cardwin.game("kuhn")
    found = [str(habit) for habit in habits(policy(rules, "bluffer"), 1)]
    assert found == ["bluff: bets the J after check 50% of the time"]
    assert [habit.name for habit in habits(policy(rules, "shy"), 0)] == ["sandbag"]
    assert habits(policy(rules, "safe"), 0) == []
    assert habits(policy(cardwin.game("onecard"), "equilibrium"), 0)[0].probability == pytest.approx(0.5)
    assert {habit.name for habit in habits(policy(cardwin.game("leduc"), "uniform"), 0)} == {"bluff", "sandbag"}


def test_csv_holds_every_action() -> None:
    lines = as_csv(policy(cardwin.game("kuhn"), "rational")).splitlines()
    assert lines[0] == "seat,knowing,action,probability"
    assert len(lines) == 1 + 24
    assert "2,Q after check,bet 1,0.5" in lines


def test_openspiel_knows_only_some_games() -> None:
    assert len(json.loads(as_openspiel(policy(cardwin.game("leduc"), "uniform")))) == 936
    with pytest.raises(InputError, match="kuhn-full"):
        as_openspiel(policy(cardwin.game("kuhn-full"), "uniform"))


def test_models_of_other_bets_are_refused() -> None:
    assert policy(cardwin.game("kuhn-breadth:bets=1/2"), "bluffer").genes(0)[3] == Fraction(1, 2)
    with pytest.raises(InputError, match="no gene"):
        policy(cardwin.game("kuhn-breadth:bets=3/4/5"), "shy")
