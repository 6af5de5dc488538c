"""The command `train`: it learns, saves, and what it saved can play."""

import json
import subprocess
import sys
from pathlib import Path


def cardwin(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "cardwin", *words], capture_output=True, text=True, check=False)


def test_train_saves_a_robot_that_plays(tmp_path: Path) -> None:
    done = cardwin(
        "train", "v2:rollouts=20,down=.05,up=.01", "--against", "standard*2", "--against", "call", "--games", "3",
        "--rounds", "150", "--seed", "4", "--out", str(tmp_path / "run"), "--json",
    )  # fmt: skip
    answer = json.loads(done.stdout)
    file = Path(answer["file"])
    assert file.parent == tmp_path / "run" / "champions"
    saved = json.loads(file.read_text())
    assert saved["parameters"]["threshold"] == answer["learnt"]["threshold"] != 1.3
    match = cardwin(
        "match", f"v3:file={file}", "call", "--game", "holdem-simple", "--hands", "20", "--seed", "1", "--json"
    )
    assert json.loads(match.stdout)["hands"] == 20


def test_training_never_overwrites(tmp_path: Path) -> None:
    (tmp_path / "v3.json").write_text("mine")
    words = ("train", "v2:rollouts=20", "--against", "call", "--games", "1", "--rounds", "10")
    for out in (tmp_path, tmp_path / "v3.json"):
        done = cardwin(*words, "--out", str(out))
        assert done.returncode == 2
        assert "not an empty folder" in done.stderr
    assert (tmp_path / "v3.json").read_text() == "mine"


def test_mistakes_end_in_one_line(tmp_path: Path) -> None:
    for words, part in [
        (("call", "--against", "call"), "does not learn"),
        (("v2", "--against", "cal"), "mean call"),
        (("v2",), "--against"),
        (("v2", "--resume", "here"), "leave out SPEC"),
    ]:
        done = cardwin("train", *words, "--out", str(tmp_path / "run"))
        assert done.returncode == 2
        assert part in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
