"""A hand, a generation, a tournament, a network's generation and a move pass few files each (tools/walks.py)."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parent.parent
TOOL, PAGE = HOME / "tools" / "walks.py", HOME / "CONTRIBUTING.md"


@pytest.mark.parametrize("job", ["hand", "generation", "tournament", "network", "move"])
def test_a_unit_of_work_enters_few_files(job: str) -> None:
    walked = subprocess.run([sys.executable, str(TOOL), job], capture_output=True, text=True)
    assert walked.returncode == 0, walked.stdout + walked.stderr
    (row,) = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {job} |")]
    files = re.findall(r"^  ([\w/]+\.py)", walked.stdout, re.MULTILINE)
    assert row.endswith(f"| {len(files)} | {', '.join(f'`{file}`' for file in files)} |")


def test_a_longer_walk_fails(tmp_path: Path) -> None:
    stricter = tmp_path / "walks.py"
    stricter.write_text(TOOL.read_text(encoding="utf-8").replace('"hand": 7', '"hand": 1'))
    walked = subprocess.run([sys.executable, str(stricter), "hand"], capture_output=True, text=True)
    assert walked.returncode == 1
    assert "hand: 7 files (at most 1)" in walked.stdout
