"""The command `train`: it learns, saves, and what it saved can play."""

import json
from pathlib import Path

from support import answer, refusal


def test_train_saves_a_robot_that_plays(tmp_path: Path) -> None:
    found = answer(
        "train", "v2:rollouts=20,down=.05,up=.01", "--against", "standard*2", "--against", "call", "--games", "3",
        "--rounds", "150", "--seed", "4", "--out", str(tmp_path / "run"),
    )  # fmt: skip
    file = Path(found["file"])
    assert file.parent == tmp_path / "run" / "champions"
    saved = json.loads(file.read_text())
    assert saved["parameters"]["threshold"] == found["learnt"]["threshold"] != 1.3
    match = answer("match", f"v3:file={file}", "call", "--game", "holdem-simple", "--hands", "20", "--seed", "1")
    assert match["hands"] == 20


def test_training_never_overwrites(tmp_path: Path) -> None:
    (tmp_path / "v3.json").write_text("mine")
    words = ("train", "v2:rollouts=20", "--against", "call", "--games", "1", "--rounds", "10")
    for out in (tmp_path, tmp_path / "v3.json"):
        assert str(out) in refusal(*words, "--out", str(out))
    assert (tmp_path / "v3.json").read_text() == "mine"


def test_mistakes_end_in_one_line(tmp_path: Path) -> None:
    for words, part in [
        (("call", "--against", "call"), "call"),
        (("v2", "--against", "cal"), "call"),
        (("v2",), "--against"),
        (("v2", "--resume", "here"), "SPEC"),
    ]:
        assert part in refusal("train", *words, "--out", str(tmp_path / "run"))
