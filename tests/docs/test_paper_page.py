"""The tool that writes the sections of a paper's page from runs."""

from pathlib import Path

import paper_page
from support import answer

PAGE = """# A page

By hand.

## 2.1.3 and 3 Printed counts and formulas

An old table.

## Study: 4 State variables

What no run of today replaces.

## Not judged

An old list.
"""


def test_the_section_of_a_run_is_replaced_and_others_stay(tmp_path: Path) -> None:
    page, run = tmp_path / "reveley.md", tmp_path / "run"
    page.write_text(PAGE, encoding="utf-8")
    found = answer("reproduce", "reveley", "arithmetic", "--scale", "seconds", "--seed", "1", "--out",
                   str(run))  # fmt: skip
    paper_page.main([str(run), str(page)])
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# A page\n\nBy hand.\n\n## 2.1.3 and 3 Printed counts and formulas\n\n`cardwin reproduce")
    assert found["digest"] in text
    assert "An old" not in text
    assert "## Study: 4 State variables\n\nWhat no run of today replaces.\n\n## Not judged\n" in text
    assert text.count("## 2.1.3 and 3") == 1
    once = text
    paper_page.main([str(run), str(page)])
    assert page.read_text(encoding="utf-8") == once
