"""`cardwin warm` runs every part, and whoever compiles something is told of it."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

import cardwin
from cardwin.cli.output import WARM_HINT, WarmHint
from cardwin.runs import warm
from support import refusal


@pytest.fixture(autouse=True)
def hint_restored() -> Iterator[None]:
    before = WarmHint.enabled
    yield
    WarmHint.enabled = before


def test_every_part_is_run_and_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    folders: list[Path] = []
    monkeypatch.setattr(warm, "PARTS", {"one": folders.append, "two": folders.append})
    begun: list[str] = []
    done = list(warm.warm(begun.append))
    assert begun == [one.part for one in done] == ["one", "two"]
    assert all(one.seconds >= 0 for one in done)
    assert not any(folder.exists() for folder in folders)


@pytest.mark.parametrize("part", ["small games", "evolution", "tournaments"])
def test_a_part_can_be_run(part: str, tmp_path: Path) -> None:
    warm.PARTS[part](tmp_path)


def test_who_compiles_is_told_how_to_be_done_with_it() -> None:
    def with_report() -> str:
        record = logging.LogRecord("cardwin", logging.INFO, "", 0, "compiling cards: then kept on disk", (), None)
        assert WarmHint().filter(record)
        return record.getMessage()

    WarmHint.enabled = True
    assert with_report() == f"compiling cards: then kept on disk{WARM_HINT}"
    WarmHint.enabled = False
    assert with_report() == "compiling cards: then kept on disk"


def test_the_benchmarks_are_in_the_repository_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cardwin, "__file__", str(tmp_path / "lib" / "cardwin" / "__init__.py"))
    assert "clone the repository" in refusal("bench")
