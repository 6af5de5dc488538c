"""A notebook as a page of the site: its text, its code, and the output of its last run."""

import html
import json
from pathlib import Path
from typing import Any


def notebook_page(path: Path) -> str:
    """Render the notebook as Markdown."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    parts = [part for cell in cells for part in _cell(cell)]
    parts.append(f"---\n\nThis page is a notebook that the tests run: `docs/notebooks/{path.name}`.")
    return "\n\n".join(parts) + "\n"


def _cell(cell: dict[str, Any]) -> list[str]:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [text]
    return [f"```python\n{text}\n```", *map(_output, cell["outputs"])]


def _output(output: dict[str, Any]) -> str:
    """Return the richest available form: a picture, a table, or the text."""
    data = output.get("data", {})
    if "image/png" in data:
        picture = data["image/png"].strip()
        return f'<div class="output"><img alt="What the cell draws" src="data:image/png;base64,{picture}"></div>'
    if "text/html" in data:
        return '<div class="output">' + " ".join("".join(data["text/html"]).split("\n")) + "</div>"
    text = "".join(data.get("text/plain", output.get("text", "")))
    return f'<div class="output"><pre>{html.escape(text)}</pre></div>'
