"""Writes the sections of a paper's page from a finished reproduction: what stands above them is written by hand.

    python tools/paper_page.py RUN docs/papers/PAPER.md

1. Everything from the first heading of an experiment on is replaced: for each experiment its counts, texts, pictures,
   tables and findings; then what the register does not judge.
2. Pictures are copied into the folder beside the page that has its name; those that no section shows are removed.
"""

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from cardwin.core.report_parts import Heading, Part, Picture, Text
from cardwin.papers import Paper, counts, heading_of, paper_of, table_of
from cardwin.papers.first_screen import not_judged
from cardwin.papers.register import register
from cardwin.papers.reproduction import ReproductionExperiment, outcomes_of
from cardwin.reports import html
from cardwin.runs import reader


def sections(folder: Path, paper: Paper, pictures: Path) -> Iterator[Part]:
    """The parts of all experiments of a run; their pictures are copied into a folder."""
    data = reader.read(folder)
    for outcome in outcomes_of(data.store, folder):
        yield Heading(heading_of(paper, outcome.experiment))
        if any(one.claim for one in outcome.findings):
            yield Text(f"*{counts(outcome.findings)}*")
        for part in sorted(outcome.parts, key=lambda one: (not isinstance(one, Text), not isinstance(one, Picture))):
            if isinstance(part, Picture):
                part = replace(part, png=Path(shutil.copy(part.png, pictures)))
            yield part
        if outcome.findings:
            yield table_of(outcome.findings)
    if left := not_judged(register(str(paper.__package__))):  # type: ignore[attr-defined]  # a paper is a package
        yield from (Heading("Not judged"), *left)


def write_page(folder: Path, page: Path) -> None:
    """Replace the sections of a page."""
    experiment = reader.read(folder).experiment
    if not isinstance(experiment, ReproductionExperiment):
        raise TypeError(f"{folder} is a run of kind {experiment.kind}, not a reproduction")
    paper, pictures = paper_of(experiment.paper), page.with_suffix("")
    text = page.read_text(encoding="utf-8")
    by_hand = text[: text.index(f"## {heading_of(paper, experiment.chosen[0])}\n")]
    made = html.as_markdown("", sections(folder, paper, pictures), page.parent).partition("\n")[2].lstrip("\n")
    for path in pictures.glob("*.png"):
        if f"{pictures.name}/{path.name}" not in by_hand + made:
            path.unlink()
    page.write_text(by_hand + made, encoding="utf-8")


if __name__ == "__main__":
    write_page(Path(sys.argv[1]), Path(sys.argv[2]))
