"""report.html: the report of a run in one file (and report.md); every picture is also saved as PNG, SVG and CSV.

This module writes what all runs have in common; the kind of the run adds its own parts.
"""

from collections.abc import Iterator
from pathlib import Path

import cardwin
from cardwin.core.files import write_atomic
from cardwin.core.report_parts import Part, Text
from cardwin.reports import html
from cardwin.runs.kinds import kind_of, report_of
from cardwin.runs.reader import RunData, read


def write(folder: Path) -> Path:
    """Write the report and its pictures into the run folder."""
    data = read(folder)
    all_parts = list(parts(data, folder / "pictures"))
    markdown = html.as_markdown(_title(data), all_parts, folder)
    write_atomic(folder / "report.md", markdown.encode(errors="backslashreplace"))
    write_atomic(folder / "report.html", _page(data, all_parts))
    return folder / "report.html"


def remake(folder: Path, pictures: Path) -> bytes:
    """Return the page again without writing into the run folder; the pictures go elsewhere."""
    data = read(folder)
    return _page(data, list(parts(data, pictures)))


def _title(data: RunData) -> str:
    return data.experiment.title or data.folder.name


def _page(data: RunData, all_parts: list[Part]) -> bytes:
    footer = f"{data.folder.name}; {repeated(data)} Every picture is in pictures/ as PNG, SVG and CSV."
    return html.as_html(_title(data), all_parts, footer).encode(errors="backslashreplace")


def repeated(data: RunData) -> str:
    """Return how to repeat the run, the version that made it, and when."""
    experiment, command = data.experiment, kind_of(data.experiment.kind).COMMAND
    options = "experiment.toml" if command == "evolve" else "with the settings and the seed of experiment.toml"
    if experiment.seed is None:
        return f"secret cards, cardwin {cardwin.__version__}: cardwin verify {data.folder} deals all hands again."
    ended = [at[:10] for at, _, event in data.store.events if event == "finished"]
    when = f", finished on {ended[-1]}" if ended else ""
    version = f"seed {experiment.seed}, cardwin {cardwin.__version__}{when}"
    return f"{version}: cardwin {command} {options} repeats it, bit for bit."


def parts(data: RunData, pictures: Path) -> Iterator[Part]:
    """Yield the report, part by part; its pictures are written into a folder."""
    if data.experiment.about:
        yield Text(data.experiment.about)
    yield from report_of(data.experiment.kind).parts(data, pictures)
