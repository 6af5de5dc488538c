"""Folders that something happened to: one of them ends nothing, and what is gone is said to be gone."""

import json
import logging
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cardwin.core.errors import InputError
from cardwin.reports import report
from cardwin.runs import checkpoint, reader
from cardwin.runs.champions import first_champion
from cardwin.runs.experiment import as_toml, load
from cardwin.runs.launch import Launch, begin, evolve, resume

SMALL = ["generations=5", "population.size=10"]


@pytest.fixture(autouse=True)
def no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures take longer than these runs; test_report draws them."""
    monkeypatch.setattr(report, "write", lambda folder: folder)


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    evolve("kuhn-coevolution", SMALL, 1, Launch(tmp_path / "run"))
    return tmp_path / "run"


@pytest.mark.parametrize("content", ["{}", "[1]", "", "{", '"text"', "[" * 100_000, '{"digest": 1}'])
def test_an_answer_that_is_none_is_named(finished: Path, content: str) -> None:
    (finished / "result.json").write_text(content)
    for use in (resume, reader.summary, first_champion):
        with pytest.raises(InputError, match=r"result\.json"):
            use(finished)
    assert "result.json" in reader.listed(finished.parent)[0]["wrong"]
    (finished / "result.json").unlink()
    resume(finished)
    assert reader.summary(finished)["finished"]


def test_folders_in_place_of_files_are_named(finished: Path) -> None:
    for name in ("result.json", "run.db"):
        (finished / name).unlink()
        (finished / name).mkdir()
    assert "result.json" in reader.listed(finished.parent)[0]["wrong"]
    (finished / "result.json").rmdir()
    with pytest.raises(InputError, match=r"run\.db"):
        resume(finished)


def test_champions_that_are_gone_are_written_again(finished: Path) -> None:
    file, before = first_champion(finished), resume(finished)
    content = file.read_bytes()
    shutil.rmtree(finished / "champions")
    with pytest.raises(InputError, match=r"hall\.json.*cardwin evolve --resume"):
        first_champion(finished)
    said: list[str] = []
    assert resume(finished, Launch(announce=said.append))["digest"] == before["digest"]
    assert "hall.json" in said[0]
    assert file.read_bytes() == content


def test_champions_and_checkpoints_that_are_gone_are_said_to_be(finished: Path) -> None:
    shutil.rmtree(finished / "champions")
    shutil.rmtree(finished / "checkpoints")
    (finished / "checkpoints").mkdir()
    with pytest.raises(InputError, match=r"hall\.json.*checkpoints.*seed 1"):
        resume(finished)
    with pytest.raises(InputError, match=r"hall\.json"):
        first_champion(finished)


def test_a_run_without_its_checkpoints_says_that_it_begins_again(
    finished: Path, caplog: pytest.LogCaptureFixture
) -> None:
    digest = resume(finished)["digest"]
    (finished / "result.json").unlink()
    for path in checkpoint.all_in(finished / "checkpoints"):
        path.unlink()
    with caplog.at_level(logging.INFO, "cardwin"):
        assert resume(finished)["digest"] == digest
    assert all(word in caplog.text for word in ("checkpoint", "5 recorded generations"))


def test_a_run_that_was_moved_is_found_where_it_is(finished: Path, tmp_path: Path) -> None:
    moved = finished.rename(tmp_path / "moved")
    answer = resume(moved)
    assert answer["run"] == str(moved)
    assert all(Path(name).parent == moved / "champions" for name in answer["champions"])


def test_a_run_that_hands_nobody_over_says_so(tmp_path: Path) -> None:
    begin("tournament", {"players": ["call", "fold"]}, 1, Launch(tmp_path / "cup"))
    with pytest.raises(InputError, match="tournament"):
        first_champion(tmp_path / "cup")
    with pytest.raises(InputError, match="folder"):
        first_champion(tmp_path)


NASTY = 'bell \x07, escape \x1b[31m, quote ", backslash \\, tab \t, delete \x7f, line \n, snow ☃, next line \x85'


def test_any_title_is_read_back(tmp_path: Path) -> None:
    _, chosen = load("kuhn-coevolution", [*SMALL, f"title={NASTY}"], 1)
    assert chosen.title == NASTY
    read: dict[str, Any] = tomllib.loads(as_toml(chosen))
    assert read["title"] == NASTY
    said: list[str] = []
    evolve("kuhn-coevolution", [*SMALL, f"title={NASTY}"], 1, Launch(tmp_path / "run", announce=said.append))
    assert said[0].isprintable()
    assert reader.listed(tmp_path)[0]["title"] == NASTY
    assert json.dumps(resume(tmp_path / "run"))
