"""The tool that writes the sections of a paper's page from runs, and the table of runs."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import paper_page
from cardwin.core.report_parts import Grid, Part, Text
from paper_page import Row
from support import answer

PAPERS = Path(__file__).parent.parent.parent / "docs" / "papers"
ARITHMETIC = ("reproduce", "reveley", "arithmetic", "--scale", "minutes", "--seed", "1")
PAGE = """# A page

By hand.

## 2.1.3 and 3 Printed counts and formulas

An old table.

## Further studies

What no run of today replaces.

## Not judged

An old list.
"""
ROW = Row("5.1", "rank of a", "0.5", "0.4", "0.3 to 0.5", "12 seeds", "0.41", "agrees", "words only", holds=True)


def lines_of(*rows: Row) -> list[tuple[object, ...]]:
    (grid, *_) = paper_page.table(rows)
    assert isinstance(grid, Grid)
    return [tuple(row[1:]) for row in grid.rows]


def test_the_section_of_a_run_is_replaced_and_others_stay(tmp_path: Path) -> None:
    page, run = tmp_path / "reveley.md", tmp_path / "run"
    page.write_text(PAGE, encoding="utf-8")
    found = answer(*ARITHMETIC, "--out", str(run))
    paper_page.main([str(run), str(page)])
    text = page.read_text(encoding="utf-8")
    head = (
        "# A page\n\nBy hand.\n\n## 2.1.3 and 3 Printed counts and formulas\n\n*7 hold, 5 do not*. `cardwin reproduce"
    )
    assert text.startswith(head)
    assert "| section 3 | before the flop, 50 choose 2 | 1225 | 1225 (exact) | agrees |\n" in text
    assert "An old" not in text
    assert "## Further studies\n\nWhat no run of today replaces.\n\n## Not judged\n" in text
    assert text.count("## 2.1.3 and 3") == 1
    once = text
    paper_page.main([str(run), str(page)])
    assert page.read_text(encoding="utf-8") == once
    assert f"| `{' '.join(ARITHMETIC)}` | `{found['digest']}` |" in (PAPERS / "RUNS.md").read_text(encoding="utf-8")


def test_a_row_has_the_interval_the_exact_value_and_an_explanation_if_it_needs_one() -> None:
    exact = replace(ROW, measured="", interval="", over="", exact="6", verdict="differs", holds=False)
    elsewhere = replace(ROW, name="rank of c", over="9 seeds")
    assert lines_of(ROW, replace(ROW, name="b", reason="p 0.01"), exact, elsewhere) == [
        ("rank of a", "0.5", "0.4 (0.3 to 0.5; exact 0.41)", "agrees"),
        ("b", "0.5", "0.4 (0.3 to 0.5; exact 0.41)", "agrees: p 0.01"),
        ("rank of a", "0.5", "6 (exact)", "differs: words only"),
        ("rank of c", "0.5", "0.4 (0.3 to 0.5; 9 seeds; exact 0.41)", "agrees"),
    ]


def test_rows_that_differ_in_their_names_only_are_one_row() -> None:
    assert lines_of(ROW, replace(ROW, name="rank of b"))[0][0] == "rank of a; b"


def test_what_many_rows_share_and_what_is_not_judged_stand_below_the_table() -> None:
    shared = "a long clause that is the same in all of these explanations"
    rows = [replace(ROW, name=f"claim {n}", reason=f"{shared}; p {n}", holds=False) for n in range(4)]
    grid, *below = paper_page.table([*rows, replace(ROW, name="asked", verdict="")])
    assert isinstance(grid, Grid)
    assert [row[-1] for row in grid.rows] == [f"agrees: p {n}" for n in range(4)]
    assert below == [
        Text(f"Intervals are over 12 seeds. A{shared[1:]}."),
        Text("Also measured:\n\n- 5.1: asked 0.4 (0.3 to 0.5; exact 0.41)"),
    ]


def test_a_section_keeps_the_parts_that_it_has_and_a_new_one_has_all(tmp_path: Path) -> None:
    parts: list[Part] = [Text("Played 400 games."), Grid("Chips of 400 games", ["a"], [["b"]])]
    new = paper_page.section("1 A", "", "", parts, [], "", tmp_path)
    assert new == "## 1 A\n\nPlayed 400 games.\n\n**Chips of 400 games**\n\n| a |\n| --- |\n| b |"
    kept = paper_page.section("1 A", "1 hold", "cardwin", parts, [], "## 1 A\n\nPlayed 20 games.", tmp_path)
    assert kept == "## 1 A\n\n*1 hold*. `cardwin`\n\nPlayed 400 games."


@pytest.mark.parametrize("page", sorted(PAPERS.glob("*.md")), ids=lambda page: page.stem)
def test_every_run_that_made_a_section_is_in_the_table_of_runs(page: Path) -> None:
    runs = (PAPERS / "RUNS.md").read_text(encoding="utf-8")
    for command in re.findall(r"(?:\*\. |come from )`cardwin (reproduce [^`]+)`", page.read_text(encoding="utf-8")):
        assert f"| `{command}` | `" in runs
