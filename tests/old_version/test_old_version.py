"""What the version before wrote is read: folders list, report and resume; champions play; old names are understood.

`runs.tar.xz` was written by the commit before the restructure (90e5d4f), by the commands that the experiments name.
"""

import json
import logging
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest

import cardwin
from cardwin.cli import OLD_COMMANDS, OLD_OPTIONS
from cardwin.core.errors import InputError
from cardwin.players.registry import OLD_NAMES, player
from cardwin.reports import report
from cardwin.runs import launch, reader
from cardwin.runs.champions import run_champions
from cardwin.runs.experiment import OLD_KEYS, load
from support import answer

RUNS = ("evolve", "neuro", "matrix", "leaderboard", "tournament", "train-v2", "train-xcs", "train-kuhn", "train-holdem")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    with tarfile.open(Path(__file__).with_name("runs.tar.xz")) as tar:
        tar.extractall(folder, filter="data")
    return folder


def test_all_folders_are_listed(home: Path) -> None:
    rows = {Path(row["run"]).name: row for row in reader.listed(home)}
    assert set(rows) == set(RUNS)
    for row in rows.values():
        assert row["state"] == "finished", row
        assert row["primary_metric"]
        assert row["digest"]


@pytest.mark.parametrize("name", RUNS)
def test_a_finished_run_gives_its_answer_and_its_report(home: Path, name: str) -> None:
    found = launch.resume(home / name, with_report=False)
    assert found["digest"] == json.loads((home / name / "result.json").read_text())["digest"]
    assert report.write(home / name).read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("name", ["evolve", "leaderboard", "train-xcs", "train-kuhn", "matrix"])
def test_an_unfinished_run_goes_on_to_the_same_digest(home: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    shutil.copytree(home / name, folder)
    finished = json.loads((folder / "result.json").read_text())
    (folder / "result.json").unlink()
    max((folder / "checkpoints").iterdir()).unlink()
    assert launch.resume(folder, with_report=False)["digest"] == finished["digest"]


def test_champions_play(home: Path) -> None:
    found = {one.run: one for one in run_champions(home)}
    assert {"neuro", "matrix", "train-v2", "train-holdem", "evolve"} <= set(found)
    for run in ("neuro", "matrix", "train-v2", "train-holdem"):
        game = "holdem-limit" if run == "train-holdem" else "holdem-nl"
        assert len(cardwin.match([found[run].given, "call"], game, hands=4, seed=1).record.chips) == 4
    assert cardwin.exploitability("kuhn", str(home / "evolve" / "champions" / "hall.json")).exploitability < 0.2


def test_newcomers_join_an_old_leaderboard(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "leaderboard", tmp_path / "board")
    found = launch.resume(tmp_path / "board", newcomers=["fold"], with_report=False)
    assert {one["spec"] for one in found["players"]} == {"call", "random", "raise", "fold"}


def test_hands_replay(home: Path) -> None:
    found = cardwin.replay(home / "hands.phhs")
    assert (found["hands"], found["failed"]) == (20, [])


def test_old_names_are_understood_for_one_version(caplog: pytest.LogCaptureFixture) -> None:
    assert (OLD_NAMES, OLD_COMMANDS, OLD_OPTIONS) == (
        {"mimic": "nearest-neighbour"}, {"session": "cash-game"}, {"--less-luck": "--reduce-variance"},
    )  # fmt: skip
    with caplog.at_level(logging.WARNING, "cardwin"), pytest.raises(InputError, match="hand history"):
        player("mimic")
    assert "nearest-neighbour" in caplog.text
    assert player("v1:rolls=7").robot_kind == player("v1:rollouts=7").robot_kind  # type: ignore[attr-defined]
    assert OLD_KEYS == {"matrix.rolls": "matrix.rollouts"}
    assert load("matrix-scratch", ["matrix.rolls=3"])[1] == load("matrix-scratch", ["matrix.rollouts=3"])[1]


def test_old_words_of_the_command_line() -> None:
    words = ("match", "call", "random", "--hands", "200", "--seed", "1")
    old, new = answer(*words, "--less-luck"), answer(*words, "--reduce-variance")
    assert old["digest"] == new["digest"]
    game: dict[str, Any] = answer("session", "call", "random", "--rounds", "5", "--seed", "1")
    assert game["digest"] == answer("cash-game", "call", "random", "--rounds", "5", "--seed", "1")["digest"]


def test_old_keys_of_answers(tmp_path: Path) -> None:
    found = answer("evolve", "kuhn-coevolution", "--generations", "2", "--set", "population.size=10", "--seed", "1",
                   "--no-report", "--out", str(tmp_path / "run"))  # fmt: skip
    assert found["headline"] == found["primary_metric"] == "exploitability"
