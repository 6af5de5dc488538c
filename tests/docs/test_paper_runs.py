"""The table of runs of the papers: its cheap rows are run again, and the tool says what changed."""

import json
from pathlib import Path

import pytest

import paper_runs
from cardwin.papers import PAPERS
from paper_runs import PAGE, Row, changes, remake, rows

CHEAP = 20  # CPU seconds
ROWS = [row for row in rows(PAGE.read_text(encoding="utf-8")) if row.seconds is not None and row.seconds <= CHEAP]


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.command)
def test_a_cheap_row_gives_its_digest_again(row: Row, tmp_path: Path) -> None:
    assert remake(row, tmp_path / "run")[0].digest == row.digest


def test_every_paper_has_a_row_at_seconds() -> None:
    commands = {row.command for row in rows(PAGE.read_text(encoding="utf-8"))}
    assert {f"reproduce {paper} --scale seconds --seed 1" for paper in PAPERS} <= commands
    assert len(ROWS) >= 9


def test_the_tool_says_what_changed_and_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "RUNS.md"
    first = Row("reproduce reveley arithmetic --scale minutes --seed 1", "0" * 32, 2)
    page.write_text(f"{paper_runs.TODAY}\n{first}\n\n## Recorded by earlier versions\n{first}\n")
    monkeypatch.setattr(paper_runs, "PAGE", page)
    assert paper_runs.main(["reveley", "--seconds", "1"]) == 0
    assert capsys.readouterr().out == ""
    assert paper_runs.main(["arithmetic", "--write"]) == 1
    assert f"digest was {'0' * 32}, is 711a97b91891b8b4e475120b243724b5" in capsys.readouterr().out
    assert paper_runs.main([]) == 0
    assert "same digest" in capsys.readouterr().out


def test_findings_that_differ_are_named() -> None:
    finding = {"experiment": "a", "name": "b", "measured": 1.0, "verdict": "agrees"}
    other = json.loads(json.dumps(finding)) | {"measured": 2.0}
    assert list(changes({"experiments": [finding]}, {"experiments": [other]})) == ["  a: b: measured was 1.0, is 2.0"]
    assert list(changes({"experiments": []}, {"experiments": [other]})) == ["  a: b: only now"]
