"""Opponents: names and lines for everybody, strengths from one source, in order of difficulty."""

import json
from pathlib import Path

import pytest

from cardwin.analysis import opponents as at
from cardwin.core.errors import InputError
from cardwin.games import game
from cardwin.players.registry import PLAYERS, champions
from support import answer, call


def test_everybody_has_a_name_and_a_line_of_its_own() -> None:
    every = [at.opponent(spec, at.home_game(spec)) for spec in at.shipped_players()]
    assert {one.spec for one in every} >= {*champions(), "call", "loki"}
    assert all(one.name and one.about and len(one.about) < 110 for one in every)
    assert len({one.name for one in every}) == len({one.about for one in every}) == len(every)


@pytest.mark.parametrize("name", ["holdem-nl", "holdem-limit"])
def test_the_easiest_comes_first_and_each_rating_has_its_interval(name: str) -> None:
    found = at.opponents(name)
    rated = [one.rating for one in found if one.rating]
    assert len(rated) >= 20
    assert [one.mean for one in rated] == sorted(one.mean for one in rated)
    assert all(one.low < one.mean < one.high and one.game == name and one.hands >= 1000 for one in rated)
    assert [one.rating is None for one in found] == sorted(one.rating is None for one in found), "unrated ones are last"
    order = [one.spec for one in found]
    assert order.index("random") < order.index("standard") < order.index("loki")
    styles = {one.spec: one.style for one in found if one.style}
    assert styles["call"]["pfr"] == 0 < (styles["raise"]["pfr"] or 0)


def test_a_blueprint_is_an_opponent_at_its_own_game_only() -> None:
    places = {name: {one.spec for one in at.opponents(name)} for name in ("holdem-nl", "holdem-limit")}
    assert "cfr:limit" in places["holdem-limit"] - places["holdem-nl"]
    assert "cfr:nl20" in {one.spec for one in at.opponents("holdem-nl:stack=2000")}
    assert "cfr:nl20" not in places["holdem-nl"]


def test_other_chips_are_rated_by_the_usual_game_which_is_named() -> None:
    found = at.opponent("call", "holdem-nl:stack=5000")
    assert found.rating
    assert found.rating.game == "holdem-nl"


def test_a_champion_without_a_line_is_described_by_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at, "NAMES", {})
    monkeypatch.setattr(at, "LINES", {})
    found = at.opponent("net:large-hof", "holdem-nl")
    assert (found.name, found.about) == ("Large hof", PLAYERS["net"].title)


def test_policies_of_a_small_game_are_ordered_by_their_exact_exploitability() -> None:
    found = at.policy_opponents(game("kuhn"))
    losses = [one.exploitability or 0.0 for one in found]
    assert losses == sorted(losses, reverse=True)
    assert found[-1].spec == "equilibrium"
    assert losses[-1] == pytest.approx(0, abs=1e-9)
    assert {one.about for one in found} == {at.POLICY_LINES[one.spec] for one in found}


def test_the_command_lists_the_champions_and_their_strength() -> None:
    listed = answer("players", "--json")
    assert [one["spec"] for one in listed["champions"]] == champions()
    strong = next(one for one in listed["champions"] if one["spec"] == "net:by-hand")
    assert strong["rating"]["low"] < strong["rating"]["mean"] < strong["rating"]["high"]
    shown = call("players").stdout
    assert "xcs:caller-beater   rules that a classifier system learnt" in shown
    rating = strong["rating"]
    assert f"{rating['mean']:+,.0f} ({rating['low']:+,.0f} to {rating['high']:+,.0f})" in shown
    assert "Rating in holdem-nl, heads-up, mbb/h (95%)" in shown


def test_without_boards_nobody_is_rated_and_a_damaged_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at, "BOARDS", tmp_path / "boards.json")
    at._boards.cache_clear()
    try:
        assert all(one.rating is None for one in at.opponents("holdem-nl"))
        (tmp_path / "boards.json").write_text("{")
        at._boards.cache_clear()
        with pytest.raises(InputError, match=r"invalid file .*boards.json: expected boards"):
            at.opponents("holdem-nl")
    finally:
        monkeypatch.undo()
        at._boards.cache_clear()


def test_a_leaderboards_answer_becomes_a_board() -> None:
    style = {"vpip": 0.12345, "pfr": None, "aggression": 1.5, "bluff": 0.2}
    line = {"spec": "call", "rating": {"mean": 0.12345, "interval": [-0.5, None]}, "style": style}
    kept = at.board_of({"game": "g", "hands": 2, "seed": 1, "digest": "d", "players": [line]}, 1000.0)
    style = {"vpip": 0.123, "pfr": None, "aggression": 1.5}
    rating = {"mean": 123.5, "low": -500.0, "high": None}
    assert kept["players"] == [{"spec": "call", "rating": rating, "style": style}]
    assert json.loads(at.boards_text([kept]))["boards"] == [kept]
