"""`cardwin warm` runs every part, and whoever compiles something is told of it."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

import cardwin
from cardwin.cli.output import WARM_HINT, CompileMessages, set_verbose
from cardwin.runs import warm
from support import refusal


@pytest.fixture(autouse=True)
def hint_restored() -> Iterator[None]:
    before = CompileMessages.hint
    yield
    CompileMessages.hint = before


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


def test_each_module_that_is_compiled_is_reported_once() -> None:
    def printed(*messages: str) -> list[str]:
        records = [logging.LogRecord("cardwin", logging.INFO, "", 0, message, (), None) for message in messages]
        messages_filter = CompileMessages()
        return [record.getMessage() for record in records if messages_filter.filter(record)]

    once = "compiling cards: once, then kept on disk"
    CompileMessages.hint = True
    assert printed(once, "compiled cards in 2 s", "compiling cards", "compiling arena") == [
        f"{once}{WARM_HINT}",
        "compiling arena",
    ]
    CompileMessages.hint = False
    assert printed(once) == [once]
    set_verbose(True)
    try:
        assert printed("compiled cards in 2 s", "compiling cards", "compiling cards") == [
            "compiled cards in 2 s",
            "compiling cards",
            "compiling cards",
        ]
    finally:
        set_verbose(False)


def test_the_benchmarks_are_in_the_repository_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cardwin, "__file__", str(tmp_path / "lib" / "cardwin" / "__init__.py"))
    assert "clone the repository" in refusal("bench")
