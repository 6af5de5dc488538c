"""Series that resume, and the leaderboard."""

import json
from pathlib import Path

import pytest

from cardwin.arena.structure import Structure
from cardwin.errors import InputError
from cardwin.games.holdem import holdem_game
from cardwin.lab import tournaments
from cardwin.lab.leaderboard import leaderboard
from cardwin.lab.leaderboard_page import page

PLAN = tournaments.Plan(
    "holdem-nl", ("random", "call", "raise", "fold"), 600, 5, Structure(every=5), duplicate=True, limit=2.0
)


def test_a_series_resumes_to_the_same_digest(tmp_path: Path) -> None:
    whole = tournaments.play(PLAN)
    folder = tmp_path / "series"
    tournaments.begin(folder, PLAN)
    tournaments.play(PLAN, folder)
    blocks = sorted(folder.glob("block-*"))
    assert len(blocks) == 3
    blocks[1].unlink()
    (folder / "block-000002000.safetensors.part").write_bytes(b"half of a block")
    again = tournaments.play(tournaments.reopen(folder), folder, workers=2)
    assert again.digest == whole.digest
    assert len(sorted(folder.glob("block-*.safetensors"))) == 3


def test_a_folder_is_refused_where_it_does_not_fit(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        tournaments.begin(tmp_path, PLAN)
    with pytest.raises(InputError, match="no tournament"):
        tournaments.reopen(tmp_path)
    (tmp_path / tournaments.PLAN).write_text("{}")
    with pytest.raises(InputError, match="cannot be read"):
        tournaments.reopen(tmp_path)


def test_code_is_never_run_on_a_files_word(tmp_path: Path) -> None:
    folder = tmp_path / "series"
    plan = tournaments.Plan("holdem-nl", ("python:mine:Own", "call"), 1, 5, Structure(), duplicate=False, limit=2.0)
    tournaments.begin(folder, plan)
    with pytest.raises(InputError, match="of your own"):
        tournaments.reopen(folder)
    assert tournaments.reopen(folder, ["python:mine:Own", "call"]) == plan
    with pytest.raises(InputError, match="same players"):
        tournaments.reopen(folder, ["python:other:Own", "call"])


def test_a_damaged_block_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "series"
    tournaments.begin(folder, PLAN)
    tournaments.play(PLAN, folder)
    block = next(iter(sorted(folder.glob("block-*"))))
    block.write_bytes(block.read_bytes()[:-8])
    with pytest.raises(InputError, match=block.name):
        tournaments.play(PLAN, folder)


def test_the_board_orders_players_and_its_controls_hold_zero() -> None:
    game = holdem_game("holdem-nl", {})
    board = leaderboard(game, ["fold", "call", "raise", "random"], 2_000, seed=1)
    assert board.lines[board.order[0]].spec == "raise"
    fold_raise = board.cross[0][2]
    assert fold_raise is not None
    assert fold_raise.mean == -750
    for line in board.lines:
        assert line.control.low <= 0 <= line.control.high
    assert board.lines[1].style.pfr == 0
    assert board.lines[2].rating.mean > board.lines[0].rating.mean
    assert board.lines[2].ranks[0] > 0.99
    assert (2, 0) in board.certain
    assert board.above_next[0] > 0.99
    again = leaderboard(game, ["fold", "raise", "call"], 2_000, seed=1)
    assert again.cross[0][1] == fold_raise
    html = page(board)
    assert "<script" not in html
    assert "http" not in html
    assert html.count("<svg") == 4


def test_the_board_needs_different_players() -> None:
    with pytest.raises(InputError, match="twice"):
        leaderboard(holdem_game("holdem-nl", {}), ["call", "call"], 100, seed=1)


def test_plans_are_read_as_written() -> None:
    assert tournaments.Plan.read(PLAN.text()) == PLAN
    assert json.loads(PLAN.text())["structure"]["every"] == 5
