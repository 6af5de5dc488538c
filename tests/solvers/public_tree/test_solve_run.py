"""A betting game solved as a run: killed and resumed it ends with the digest of one that nobody interrupted."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cardwin.core.errors import InputError
from cardwin.core.executor import Serial
from cardwin.games.betting.game import betting_game
from cardwin.reports import report
from cardwin.runs import checkpoint, launch
from cardwin.runs.experiment import check
from cardwin.runs.trainers import solve
from cardwin.solvers.public_tree.solve import check_points
from support import answer, call

GAME = "flop-holdem:suits=2,ranks=4"


@pytest.fixture(autouse=True)
def without_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "write", lambda folder: folder)


def test_a_run_gives_what_the_command_gives(tmp_path: Path) -> None:
    run = answer("solve", GAME, "--until", "20", "--out", str(tmp_path / "run"))
    plain = answer("solve", GAME, "--until", "20")
    for name in ("value", "ci", "exploitability", "iterations", "method", "unit", "information_sets", "game"):
        assert run[name] == plain[name], name
    again = answer("solve", "--resume", str(tmp_path / "run"))
    assert again["digest"] == run["digest"]
    assert "recorded in" in call("solve", "--resume", str(tmp_path / "run")).stdout


@pytest.mark.slow
def test_killed_and_resumed_is_uninterrupted(tmp_path: Path) -> None:
    words = ("solve", "flop-holdem:suits=2,ranks=5", "--iterations", "400", "--out")
    command = [sys.executable, "-m", "cardwin", "--quiet", *words, str(tmp_path / "killed")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 120
    while not checkpoint.all_in(tmp_path / "killed" / "checkpoints") and process.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "killed" / "result.json").exists()
    resumed = answer("--quiet", "solve", "--resume", str(tmp_path / "killed"), "--workers", "2")
    assert resumed["digest"] == answer("--quiet", *words, str(tmp_path / "whole"))["digest"]


def test_the_state_after_any_step_gives_the_same_further_steps() -> None:
    experiment = check({"kind": "solve", "seed": 0, **solve.settings(GAME, "pcfr+", None, 40)}, "solve")
    assert isinstance(experiment, solve.SolveExperiment)
    whole = solve.SolveTrainer(experiment, Serial())
    other = solve.SolveTrainer(experiment, Serial())
    for number in range(experiment.steps):
        before = {name: one.copy() for name, one in whole.state().items()}
        found = whole.step(number)
        other.load(before)
        assert other.step(number).digest == found.digest
    assert whole.solver.iterations == 40


def test_steps_after_the_goal_do_nothing(tmp_path: Path) -> None:
    values = solve.settings(GAME, "dcfr", 60.0, None)
    found = launch.begin("solve", values, 0, launch.Launch(tmp_path / "run", report=False))
    assert found["exploitability"] <= 60
    assert found["iterations"] in check_points(None)[:6]


def test_a_changed_parameter_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("board = [0]\nfirst = [1]\nblinds = [1, 2]\ncaps = [1]\nlimit = [2]\nsuits = 2\nranks = 3\n")
    answer("solve", str(path), "--iterations", "4", "--out", str(tmp_path / "run"))
    (tmp_path / "run" / "result.json").unlink()
    path.write_text(path.read_text().replace("ranks = 3", "ranks = 4"))
    done = call("solve", "--resume", str(tmp_path / "run"))
    assert done.returncode == 2
    assert "other rules than at the start of the run" in done.stderr
    with pytest.raises(InputError, match="unknown method"):
        solve.check(solve.SolveExperiment(game=GAME, method="lp"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "expected a game"),
        (["kuhn", "--out", "x"], "solved exactly"),
        (["--resume", "nowhere"], "not a run folder"),
    ],
)
def test_wrong_words_are_refused_in_one_sentence(words: list[str], said: str) -> None:
    done = call("solve", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_experiment_names_the_rules() -> None:
    values = solve.settings(GAME, "dcfr", None, None)
    assert values["rules"] == repr(betting_game(GAME))
    assert json.dumps(values)
