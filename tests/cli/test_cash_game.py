"""The command `cash-game`: chips are kept, blinds may rise, and the workbook holds the average trend."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from cardwin.arena.cash_game import CashGameRecord, CashGameRules
from cardwin.games.holdem.game import holdem_game
from cardwin.results.cash_game import CashGameOptions, mean_curves, play_cash_games, slope, won
from support import call, refusal

TABLE = (
    "standard",
    "call*3",
    "--game",
    "holdem-simple:stack=2000,blind=100,ante=30",
    "--games",
    "4",
    "--rounds",
    "120",
)


def test_a_cash_game_saves_its_workbook_with_average_trends(tmp_path: Path) -> None:
    book = tmp_path / "games.xlsx"
    done = call("cash-game", *TABLE, "--rising", "--seed", "5", "--xlsx", str(book), "--shown", "2", "--json")
    answer = json.loads(done.stdout)
    assert sum(one["mean"] for one in answer["players"]) == pytest.approx(0)
    assert [one["spec"] for one in answer["players"]] == ["standard", "call #2", "call #3", "call #4"]
    assert answer["rules"] == {"rounds": 120, "min_players": 2, "rising": True}
    sheets = zipfile.ZipFile(book).read("xl/workbook.xml").decode()
    for name in ("results", "average trend", "game 1", "game 2"):
        assert f'name="{name}"' in sheets
    assert 'name="game 3"' not in sheets
    fixed = json.loads(call("cash-game", *TABLE, "--seed", "5", "--json").stdout)
    assert fixed["digest"] != answer["digest"]


def test_mistakes_end_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "mine.xlsx").write_text("mine")
    for words, part in [
        (("--xlsx", str(tmp_path / "mine.xlsx")), "mine.xlsx"),
        (("--xlsx", "games.csv"), ".xlsx"),
        (("--min-players", "9"), "got 9"),
        (("--xlsx", str(tmp_path / "none" / "games.xlsx")), "No such file or directory"),
        (("--games", "0"), "0 games"),
        (("--games", "100000", "--rounds", "100000"), "memory"),
        (("--rounds", "0"), "0 rounds"),
    ]:
        assert part in refusal("cash-game", *TABLE, *words)
    assert (tmp_path / "mine.xlsx").read_text() == "mine"


def test_a_slope_is_taken_until_the_player_is_out() -> None:
    assert slope(np.array([100, 110, 120, 130])) == pytest.approx(10)
    assert slope(np.array([100, 50, 0, 0, 0, 0])) == pytest.approx(-50)


def test_what_ended_early_keeps_its_last_stacks() -> None:
    short, long = CashGameRecord(np.array([[4, 4], [0, 8]])), CashGameRecord(np.array([[4, 4], [5, 3], [6, 2]]))
    assert mean_curves([short, long]).tolist() == [[4, 4], [2.5, 5.5], [3, 5]]
    assert won([short, long]).tolist() == [[-4, 4], [2, -2]]
    assert won([short, long], after=1).tolist() == [[-4, 4], [1, -1]]


def test_columns_follow_the_specifications_wherever_everybody_sits() -> None:
    game = holdem_game("holdem-simple", {"stack": "10000", "blind": "100", "ante": "30"})
    cash_games = play_cash_games(game, ["fold", "call*3"], 12, 7, options=CashGameOptions(CashGameRules(20)))
    ends = [int(cash_game.stacks[-1, 0]) for cash_game in cash_games]
    assert np.median(ends) == 9_420  # antes gone and hardly a pot won: the column of the one who folds


def test_games_can_be_added_so_intervals_are_valid_at_any_stop() -> None:
    answer = json.loads(call("cash-game", *TABLE, "--seed", "5", "--json").stdout)
    for one in answer["players"]:
        kinds = one["intervals"]
        assert kinds["shown"] == one["method"] == "any stop"
        assert kinds["fixed"]["ci95"] < one["ci95"]
        assert one["interval"][0] <= one["mean"] <= one["interval"][1]
    text = call("--verbose", "cash-game", *TABLE, "--seed", "5").stdout
    assert text.count("guaranteed if more games follow (") == len(answer["players"])
    assert "if its diagnosis supports it" in text
