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
    title = data.experiment.title or folder.name
    footer = f"{folder.name}; {repeated(data)} Every picture is in pictures/ as PNG, SVG and CSV."
    all_parts = list(parts(data))
    path = folder / "report.html"
    write_atomic(folder / "report.md", html.as_markdown(title, all_parts, folder).encode(errors="backslashreplace"))
    write_atomic(path, html.as_html(title, all_parts, footer).encode(errors="backslashreplace"))
    return path


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


def parts(data: RunData) -> Iterator[Part]:
    """Yield the report, part by part."""
    if data.experiment.about:
        yield Text(data.experiment.about)
    yield from report_of(data.experiment.kind).parts(data, data.folder / "pictures")
