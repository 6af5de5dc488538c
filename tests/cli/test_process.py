"""A command in a process of its own: the entry point, exit codes, and the same answers as in the tests' process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import call, process

COMMAND = (sys.executable, "-m", "cardwin")


@pytest.mark.parametrize(
    ("words", "stdin", "code"),
    [
        (("value", "kuhn", "safe", "bluffer", "--json"), "", 0),
        (("play", "kuhn", "--against", "rational", "--seed", "3"), "1\n2\nwhat\nfold\nbet\nq\n", 0),
        (("--quiet", "match", "call", "nobody", "--hands", "10"), "", 2),
        (("replay", "bad.phh", "--strict"), "", 2),
        (("serve", "--help"), "", 0),  # the only command of its module
    ],
)
def test_a_process_says_what_the_tests_process_says(
    words: tuple[str, ...], stdin: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "bad.phh").write_text("variant = 'NT'\nactions = []\n")
    real, ours = process(*words, stdin=stdin, cwd=tmp_path), call(*words, stdin=stdin, cwd=tmp_path)
    assert real.returncode == ours.returncode == code
    assert (real.stdout, real.stderr) == (ours.stdout, ours.stderr)


def test_a_bug_is_a_traceback_and_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import cardwin.cli.small_games as commands\nimport cardwin.games as games\n"
        "def broken(*_): raise ZeroDivisionError('a bug')\n"
        "games.game = broken\n"
    )
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.run([*COMMAND, "solve", "kuhn"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "ZeroDivisionError: a bug" in done.stderr


def test_a_reader_that_leaves_early_is_no_traceback() -> None:
    with subprocess.Popen(
        [*COMMAND, "--quiet", "presets", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as one:
        assert one.stdout is not None
        one.stdout.close()
        assert one.stderr is not None
        assert b"Traceback" not in one.stderr.read()


def test_what_is_left_behind_by_a_call(tmp_path: Path) -> None:
    before = Path.cwd(), list(sys.argv), list(sys.path), dict(os.environ)
    assert json.loads(call("--quiet", "solve", "kuhn", "--json", cwd=tmp_path).stdout)["fraction"] == "-1/18"
    assert (Path.cwd(), list(sys.argv), list(sys.path), dict(os.environ)) == before
