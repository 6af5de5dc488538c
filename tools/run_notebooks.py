"""Run the notebooks in docs/notebooks anew and keep what they show: `python tools/run_notebooks.py [NAME ...]`.

Kept are tables, pictures and printed text; not kept are counters, warnings' noise on standard error, and the plain text
beside a richer form, so that a notebook changes only where what it shows does.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
SECONDS = 300  # for a cell, compiling included


def run(path: Path) -> Any:
    """The notebook, run from its first cell in a folder of its own."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as room:
        NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": room}}).execute()
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [_light(one) for one in cell.outputs if one.get("name") != "stderr"]
    return notebook


def _light(output: Any) -> Any:
    """The output without what nobody reads."""
    if "execution_count" in output:
        output.execution_count = None
    output.metadata = {}
    data = output.get("data", {})
    if "image/png" in data or "text/html" in data:
        data.pop("text/plain", None)
    return output


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.ipynb")):
        nbformat.write(run(FOLDER / f"{name}.ipynb"), FOLDER / f"{name}.ipynb")
        print(name, flush=True)
