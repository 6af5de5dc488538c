"""The notebooks run from top to bottom, and show what they showed when they were kept."""

import json
from pathlib import Path

import pytest

import run_notebooks

HOME = Path(__file__).parent.parent.parent
NOTEBOOKS = sorted((HOME / "docs" / "notebooks").glob("*.ipynb"))
LARGEST = 100_000


def test_there_are_four_and_they_are_light() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["champion", "evolve", "player", "solve"]
    assert all(path.stat().st_size < LARGEST for path in NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_no_error_kept(path: Path) -> None:
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert outputs
    assert not [output for output in outputs if output["output_type"] == "error" or output.get("name") == "stderr"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_cells_of_a_notebook_are_counted_from_one(path: Path) -> None:
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        counts = {one["execution_count"] for one in cell["outputs"] if "execution_count" in one}
        assert counts <= {cell["execution_count"]}


# Some seconds each; a machine that has nothing compiled takes minutes, once. Two take ten seconds and more.
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.slow] if path.stem in ("evolve", "player") else [], id=path.stem)
        for path in NOTEBOOKS
    ],
)
def test_a_notebook_runs_and_shows_what_it_showed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_notebooks.main(["--check", path.stem]) == 0, capsys.readouterr().out
