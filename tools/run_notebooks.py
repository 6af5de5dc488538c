"""Run the notebooks in docs/notebooks and save their output: `python tools/run_notebooks.py [NAME ...]`.

Tables, pictures and printed text are saved, and cells are counted from 1. Standard error and the plain text beside a
richer form are not saved, so that a notebook changes only if its output does. With `--check` nothing is saved: the
new output is compared with the saved one, except pictures and seconds.
"""

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
TO_START = 600  # seconds for a kernel to start; a cell has no limit, since a busy machine compiles slowly


def run(path: Path) -> Any:
    """Run the notebook from its first cell in an empty folder, and return it."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as room:
        there = {"metadata": {"path": room}}
        NotebookClient(notebook, timeout=None, startup_timeout=TO_START, resources=there).execute()
    for cell in notebook.cells:
        cell.metadata = {}
    for number, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), 1):
        cell.execution_count = number
        cell.outputs = [_light(one, number) for one in cell.outputs if one.get("name") != "stderr"]
    return notebook


def _light(output: Any, number: int) -> Any:
    """Return the output of a cell without what is not shown."""
    if "execution_count" in output:
        output.execution_count = number
    data = output.get("data", {})
    if data:
        output.metadata = {}
    if "image/png" in data or "text/html" in data:
        data.pop("text/plain", None)
    return output


def shown(notebook: Any) -> list[str]:
    """Return one text per output of the cells: tables and text without seconds; a picture is only noted."""
    texts = []
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        data = output.get("data", {})
        text = "a picture" if "image/png" in data else data.get("text/html", data.get("text/plain", output.get("text")))
        texts.append(re.sub(r"<td>seconds</td><td>[^<]*</td>", "", "".join(text)))
    return texts


def main(words: list[str]) -> int:
    """Run the named notebooks, or all."""
    changed = 0
    names = [word for word in words if word != "--check"] or sorted(path.stem for path in FOLDER.glob("*.ipynb"))
    for path in (FOLDER / f"{name}.ipynb" for name in names):
        before, after = shown(nbformat.read(path, as_version=4)), run(path)
        if "--check" not in words:
            nbformat.write(after, path)
        elif before != shown(after):
            changed += 1
            pairs = [(old, new) for old, new in zip(before, shown(after), strict=False) if old != new]
            print(f"{path.name} has other output than before: {pairs[:1] or 'another number of outputs'}")
    return min(changed, 1)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
