"""Outputs are checked before the work, written whole or not at all, and never over what somebody else wrote."""

import errno
import os
import stat
from pathlib import Path

import pytest

from cardwin.core.errors import InputError
from cardwin.core.files import check_output, open_atomic, write_atomic
from cardwin.players import registry
from cardwin.players.robots import learner
from cardwin.players.robots.learner import Learner
from support import call


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"before")
    full_disk(monkeypatch)
    with pytest.raises(OSError, match="No space"):
        write_atomic(path, b"after")
    with pytest.raises(TypeError), open_atomic(path) as file:
        file.writelines([b"half of", "a text"])  # type: ignore[list-item]
    assert path.read_bytes() == b"before"
    assert names(tmp_path) == ["file"]


def test_a_trained_robot_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = registry.player("v2")
    assert isinstance(robot, Learner)
    full_disk(monkeypatch)
    with pytest.raises(OSError, match="No space"):
        learner.save(tmp_path / "v3.json", robot)
    assert not names(tmp_path)


def test_outputs_are_refused_before_the_work(tmp_path: Path) -> None:
    theirs = tmp_path / "thesis.html"
    theirs.write_text("<p>mine</p>")
    wrong = {
        Path(): "file", tmp_path: "file", tmp_path / "a.txt": r"\.html.*a\.txt", theirs: r"thesis\.html",
        theirs / "x.html": "folder",
    }  # fmt: skip
    for path, clue in wrong.items():
        with pytest.raises(InputError, match=clue):
            check_output(path, "--page", ".html", overwrite=True)
    check_output(tmp_path / "new" / "deep" / "a.html", "--page", ".html")
    ours = tmp_path / "ours.html"
    ours.write_text('<meta name="generator" content="cardwin">')
    check_output(ours, "--page", overwrite=True)
    with pytest.raises(InputError, match=ours.name):
        check_output(ours, "init")
    if os.geteuid():  # root may write everywhere
        tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
        with pytest.raises(InputError, match=str(tmp_path)):
            check_output(tmp_path / "a.html", "--page")


HAND = (
    "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\nstarting_stacks = [1000, 1000]\n"
    "actions = ['d dh p1 AhKh', 'd dh p2 QcQd', 'p2 cc', 'p1 cc', 'd db 2c3c4d', 'p1 cc', 'p2 cbr 100', 'p1 f']\n"
)


def test_commands_leave_other_peoples_files_alone(tmp_path: Path) -> None:
    for name in ("mine.toml", "mine.phhs", "mine.png", "mine.svg"):
        (tmp_path / name).write_text("mine")
    (tmp_path / "hand.phh").write_text(HAND)
    commands = [
        ("init", "mine.toml"),
        ("match", "call", "fold", "--hands", "10", "--phh", "mine.phhs"),
        ("range", "hand.phh", "--of", "1", "--picture", "mine.png"),
        ("runs", "compare", "a", "b", "--picture", "mine.svg"),
    ]
    for words in commands:
        done = call("--quiet", *words, cwd=tmp_path)
        assert done.returncode == 2, words
        assert "exists" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert all((tmp_path / name).read_text() == "mine" for name in ("mine.toml", "mine.phhs", "mine.png", "mine.svg"))


def test_a_match_that_cannot_be_played_leaves_no_history(tmp_path: Path) -> None:
    done = call("--quiet", "match", "call", "nobody", "--hands", "10", "--phh", "new.phhs", cwd=tmp_path)
    assert done.returncode == 2
    assert not names(tmp_path)


def test_a_picture_of_ours_is_drawn_again(tmp_path: Path) -> None:
    (tmp_path / "hand.phh").write_text(HAND)
    for _ in range(2):
        done = call("--quiet", "range", "hand.phh", "--of", "1", "--picture", "new/range.png", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert names(tmp_path / "new") == ["range.png", "range.svg"]
