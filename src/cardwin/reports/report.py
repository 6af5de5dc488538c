"""report.html: a run for people, in one file (and report.md); every picture also stands beside it as PNG, SVG, CSV.

What is common to all runs is told here; the rest by the run's kind.
"""

from collections.abc import Iterator
from pathlib import Path

import cardwin
from cardwin.core.files import write_whole
from cardwin.core.report_parts import Part, Text
from cardwin.reports import html
from cardwin.runs.kinds import kind_of, report_of
from cardwin.runs.reader import RunData, read


def write(folder: Path) -> Path:
    """Write the report and its pictures into the run folder."""
    data = read(folder)
    title = data.experiment.title or folder.name
    footer = f"{folder.name}; {repeated(data)} Every picture stands in pictures/ as PNG, SVG and CSV."
    all_parts = list(parts(data))
    path = folder / "report.html"
    write_whole(folder / "report.md", html.as_markdown(title, all_parts, folder).encode(errors="backslashreplace"))
    write_whole(path, html.as_html(title, all_parts, footer).encode(errors="backslashreplace"))
    return path


def repeated(data: RunData) -> str:
    """How to have the same run again, by which version it was made, and when."""
    experiment, command = data.experiment, kind_of(data.experiment.kind).COMMAND
    how = (
        f"cardwin {command} experiment.toml makes it again"
        if command == "evolve"
        else f"cardwin {command} with the settings and the seed of experiment.toml makes it again"
    )
    ended = [at[:10] for at, _, what in data.store.events if what == "finished"]
    when = f", finished on {ended[-1]}" if ended else ""
    return f"seed {experiment.seed}, cardwin {cardwin.__version__}{when}: {how}, bit for bit."


def parts(data: RunData) -> Iterator[Part]:
    """The report, part by part."""
    if data.experiment.about:
        yield Text(data.experiment.about)
    yield from report_of(data.experiment.kind).parts(data, data.folder / "pictures")
