"""Series of tournaments and the leaderboard as runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from cardwin.arena.tournament import Structure, TournamentOptions, tournament
from cardwin.core.errors import InputError
from cardwin.core.trainer import Generation
from cardwin.games.holdem import holdem_game
from cardwin.reports.html import as_html
from cardwin.reports.leaderboard import parts_of
from cardwin.results.leaderboard import board_in, leaderboard_answer
from cardwin.runs import launch, reader
from cardwin.runs.experiment import check
from cardwin.runs.run import Run
from cardwin.runs.trainers.leaderboard import leaderboard

SERIES = {
    "kind": "tournament",
    "players": ["random", "call", "raise", "fold"],
    "tables": 2000,
    "duplicate": True,
    "seed": 5,
    "save_seconds": 0,
    "structure": {"every": 5},
}
BOARD = {"kind": "leaderboard", "players": ["fold", "call", "random"], "hands": 500, "seed": 2, "save_seconds": 0}


def played(values: dict[str, Any], folder: Path, workers: int = 1) -> dict[str, Any]:
    return launch.start("it", check(values, "it"), launch.Launch(folder, workers=workers))


def interrupted(values: dict[str, Any], folder: Path, at: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The answer of a run whose process ended in the middle of a step."""
    step = Run.step

    def failing(one: Run) -> Generation:
        if one.generation == at:
            raise KeyboardInterrupt
        return step(one)

    with monkeypatch.context() as patched:
        patched.setattr(Run, "step", failing)
        with pytest.raises(KeyboardInterrupt):
            played(values, folder)
    return launch.resume(folder, launch.Launch(workers=2))


def test_a_series_resumes_to_the_same_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["random", "call", "raise", "fold"]
    whole = tournament(
        holdem_game("holdem-nl", {}),
        names,
        2000,
        5,
        options=TournamentOptions(Structure(every=5), duplicate=True),
    )
    assert check(SERIES, "it").steps == 2
    for at in (0, 1):
        answer = interrupted(SERIES, tmp_path / str(at), at, monkeypatch)
        assert answer["digest"] == whole.digest
        assert answer["tournaments"] == len(whole.results.ranks)
        assert [one["wins"] for one in answer["players"]] == (whole.results.ranks == 1).sum(axis=0).tolist()
    assert "Standings" in (tmp_path / "0" / "report.html").read_text()


def test_players_of_one_name_are_told_apart_in_the_report(tmp_path: Path) -> None:
    played({**SERIES, "players": ["call", "fold", "call"], "tables": 40}, tmp_path / "series")
    page = (tmp_path / "series" / "report.html").read_text()
    assert "<td>call #1</td>" in page
    assert "<td>call #3</td>" in page
    assert "<td>call</td>" not in page


def test_a_board_resumes_to_the_same_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = leaderboard(holdem_game("holdem-nl", {}), ["fold", "call", "random"], 500, seed=2)
    for at in (0, 4):
        answer = interrupted(BOARD, tmp_path / str(at), at, monkeypatch)
        assert answer["digest"] == whole.digest
        assert {**leaderboard_answer(whole), **answer} == answer
    assert "Cross table" in (tmp_path / "0" / "report.html").read_text()


def test_every_kind_is_listed(tmp_path: Path) -> None:
    played({**SERIES, "tables": 5}, tmp_path / "series")
    played({**BOARD, "hands": 20}, tmp_path / "board")
    rows = reader.listed(tmp_path)
    assert [(row["kind"], row["finished"]) for row in rows] == [("leaderboard", True), ("tournament", True)]
    with pytest.raises(InputError, match="cardwin tournament --resume"):
        launch.resume(tmp_path / "series", command="train")


def test_code_is_never_run_on_a_files_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_for_lab.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    values = {**SERIES, "players": ["python:own_for_lab:Own", "call"], "tables": 3, "in_process": True}
    folder = tmp_path / "series"
    with monkeypatch.context() as patched:
        patched.setattr(Run, "step", stopped)
        with pytest.raises(KeyboardInterrupt):
            played(values, folder)
    capsys.readouterr()
    with pytest.raises(InputError, match=r"python:own_for_lab:Own"):
        launch.resume(folder)
    with pytest.raises(InputError, match="trust"):
        launch.resume(folder, trusted=["python:own_for_lab:Own", "python:other:Own"])
    reader.listed(tmp_path)
    assert "made" not in capsys.readouterr().out
    assert launch.resume(folder, trusted=["python:own_for_lab:Own", "call"])["tournaments"] == 6
    assert "made" in capsys.readouterr().out


OWN = """
class Own:
    def __init__(self) -> None:
        print("made")

    def act(self, view, rng):
        return view.check_or_fold() if hasattr(view, "check_or_fold") else view.legal[0]
"""


def stopped(_: Run) -> Generation:
    raise KeyboardInterrupt


def test_the_board_orders_players_and_its_controls_hold_zero() -> None:
    game = holdem_game("holdem-nl", {})
    board = leaderboard(game, ["fold", "call", "raise", "random"], 2_000, seed=1)
    assert board.lines[board.order[0]].spec == "raise"
    fold_raise = board.cross[0][2]
    assert fold_raise is not None
    assert fold_raise.shown.mean == -750
    for line in board.lines:
        assert line.control.low <= 0 <= line.control.high
    assert board.lines[1].style.pfr == 0
    assert board.lines[2].rating.mean > board.lines[0].rating.mean
    assert board.lines[2].ranks[0] > 0.99
    assert (2, 0) in board.certain
    assert board.above_next[0] > 0.99
    assert board.places[2] == (1, 2)  # it beats all but random for certain
    assert "of 6 pairs differ at the 5% level" in board.separation
    again = leaderboard(game, ["fold", "raise", "call"], 2_000, seed=1)
    assert again.cross[0][1] == fold_raise
    again = board_in(json.loads(json.dumps(leaderboard_answer(board) | {"seed": 1})), game)
    page = as_html("board", parts_of(again))
    assert page == as_html("board", parts_of(board))
    assert "<script" not in page
    assert "http" not in page
    assert page.count("<svg") == 9  # ratings and places of four players, and who beats whom
    assert "above the next" in page


def test_the_board_needs_different_players() -> None:
    with pytest.raises(InputError, match="twice"):
        leaderboard(holdem_game("holdem-nl", {}), ["call", "call"], 100, seed=1)


def test_a_cycle_is_named_and_drawn() -> None:
    """Calling beats random play, random play beats Chen's Standard, and Standard beats calling."""
    game = holdem_game("holdem-nl", {})
    board = leaderboard(game, ["call", "random", "standard"], 20_000, seed=1)
    said = "random beats standard, standard beats call, call beats random: no linear order is meaningful"
    cycles = leaderboard_answer(board)["cycles"]
    assert cycles["sentence"] == said
    assert (cycles["decided_triples"], cycles["cyclic_triples"], cycles["cyclic_share"]) == (1, 1, 1.0)
    page = as_html("board", parts_of(board))
    assert said in page
    assert page.count("url(#strong)") == 3
    ordered = leaderboard(game, ["fold", "call", "raise"], 1_000, seed=1)
    page = as_html("board", parts_of(ordered))
    assert leaderboard_answer(ordered)["cycles"]["example"] == []
    assert "url(#strong)" not in page
    assert "linear order" not in page


def test_players_that_are_not_separated_share_their_ranks() -> None:
    board = leaderboard(holdem_game("holdem-nl", {}), ["call", "random", "standard"], 200, seed=1)
    assert board.places == ((1, 3),) * 3
    assert board.separation.startswith("No order: 0 of 3 pairs differ")
    answer = leaderboard_answer(board)
    assert [player["places"] for player in answer["players"]] == [[1, 3]] * 3
    page = as_html("board", parts_of(board))
    assert page.count("1 to 3</td>") >= 3
    assert "is rated best" not in page


def test_a_series_that_can_be_extended_shows_the_interval_of_any_stop(tmp_path: Path) -> None:
    answer = played({**SERIES, "tables": 60}, tmp_path / "series")
    for one in answer["players"]:
        kinds = one["intervals"]
        assert kinds["guaranteed"] == kinds["shown"] == "any stop"  # 60 tables are too few
        assert one["interval"] == kinds["any_stop"]["interval"]
        assert kinds["floor"] <= kinds["fixed"]["ci95"] < one["ci95"]
        assert kinds["approximate"]["method"] in ("t", "no spread")
    for test in answer["tests"]:
        assert test["test"] == "betting e-value, valid at any stopping time"
        assert test["p"] == test["p_any_stop"] == pytest.approx(min(1, 1 / test["e_value"]))
    page = (tmp_path / "series" / "report.html").read_text()
    assert "betting e-value" in page
    assert "paired t" not in page
