"""Writes the sections of a paper's page from finished reproductions: what stands above them is written by hand.

    python tools/paper_page.py RUN [RUN ...] docs/papers/PAPER.md

1. Everything from the first heading of an experiment on is replaced: for each experiment its counts, texts, pictures,
   tables and findings; then what the register does not judge. Several runs are of one experiment each, in this order;
   each section then says which command made it.
2. Pictures are copied into the folder beside the page that has its name; those that no section shows are removed.
"""

import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cardwin.core.report_parts import Heading, Part, Picture, Text
from cardwin.papers import Paper, counts, heading_of, paper_of, table_of
from cardwin.papers.first_screen import not_judged
from cardwin.papers.register import register
from cardwin.papers.reproduction import ReproductionExperiment, outcomes_of
from cardwin.reports import html
from cardwin.runs import reader
from cardwin.runs.run_folder import answer_of


def sections(folders: Sequence[Path], paper: Paper, pictures: Path) -> Iterator[Part]:
    """The parts of all experiments of some runs; their pictures are copied into a folder."""
    for folder in folders:
        data = reader.read(folder)
        for outcome in outcomes_of(data.store, folder):
            yield Heading(heading_of(paper, outcome.experiment))
            if len(folders) > 1:
                yield Text(_origin(folder, outcome.seconds))
            if any(one.claim for one in outcome.findings):
                yield Text(f"*{counts(outcome.findings)}*")
            kinds = lambda one: (not isinstance(one, Text), not isinstance(one, Picture))  # noqa: E731
            for part in sorted(outcome.parts, key=kinds):
                if isinstance(part, Picture):
                    part = replace(part, png=Path(shutil.copy(part.png, pictures)))
                yield part
            if outcome.findings:
                yield table_of(outcome.findings)
    if left := not_judged(register(str(paper.__package__))):  # type: ignore[attr-defined]  # a paper is a package
        yield from (Heading("Not judged"), *left)


def reproduction(folder: Path) -> ReproductionExperiment:
    """The experiment of a reproduction's folder."""
    found = reader.read(folder).experiment
    if not isinstance(found, ReproductionExperiment):
        raise TypeError(f"{folder} is a run of kind {found.kind}, not a reproduction")
    return found


def _origin(folder: Path, seconds: float) -> str:
    """The command that made a section, its digest, and how long it took."""
    one, answer = reproduction(folder), answer_of(folder) or {}
    command = f"cardwin reproduce {one.paper} {one.experiment or ''}".strip()
    digest = answer.get("digest", "unfinished")
    return f"`{command} --scale {one.scale} --seed {one.seed}`: digest `{digest}`, {seconds:,.0f} s on a clock."


def write_page(folders: Sequence[Path], page: Path) -> None:
    """Replace the sections of a page."""
    paper, pictures = paper_of(next(reproduction(one) for one in folders).paper), page.with_suffix("")
    text = page.read_text(encoding="utf-8")
    starts = [text.find(f"## {heading_of(paper, name)}\n") for name in paper.EXPERIMENTS]
    by_hand = text[: min(start for start in starts if start >= 0)]
    made = html.as_markdown("", sections(folders, paper, pictures), page.parent).partition("\n")[2].lstrip("\n")
    for path in pictures.glob("*.png"):
        if f"{pictures.name}/{path.name}" not in by_hand + made:
            path.unlink()
    page.write_text(by_hand + made, encoding="utf-8")


if __name__ == "__main__":
    write_page([Path(word) for word in sys.argv[1:-1]], Path(sys.argv[-1]))
