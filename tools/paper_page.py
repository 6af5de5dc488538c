"""Writes the sections of a paper's page from finished reproductions: what stands above them is written by hand.

    python tools/paper_page.py RUN [RUN ...] docs/papers/PAPER.md

1. For each experiment of the runs its section is replaced, or put in its place in the paper's order: its counts, texts,
   pictures, tables and findings. A run of one experiment says which command made its section. Sections of experiments
   that no run has stay as they are, and so do those of studies ("Study: ..."). At the end stands what the register
   does not judge.
2. Pictures are copied into the folder beside the page that has its name; those that no section shows are removed.
"""

import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
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


def sections(folder: Path, paper: Paper, pictures: Path) -> Iterator[tuple[str, list[Part]]]:
    """Yield the experiments of a run with the parts of their sections; their pictures are copied into a folder."""
    data = reader.read(folder)
    for outcome in outcomes_of(data.store, folder):
        parts: list[Part] = [Heading(heading_of(paper, outcome.experiment))]
        if reproduction(folder).experiment:
            parts.append(Text(_origin(folder, outcome.seconds)))
        if any(one.claim for one in outcome.findings):
            parts.append(Text(f"*{counts(outcome.findings)}*"))
        kinds = lambda one: (not isinstance(one, Text), not isinstance(one, Picture))  # noqa: E731
        for part in sorted(outcome.parts, key=kinds):
            if isinstance(part, Picture):
                part = replace(part, png=Path(shutil.copy(part.png, pictures)))
            parts.append(part)
        if outcome.findings:
            parts.append(table_of(outcome.findings))
        yield outcome.experiment, parts


def reproduction(folder: Path) -> ReproductionExperiment:
    """Return the experiment of a reproduction's folder."""
    found = reader.read(folder).experiment
    if not isinstance(found, ReproductionExperiment):
        raise TypeError(f"{folder} is a run of kind {found.kind}, not a reproduction")
    return found


def _origin(folder: Path, seconds: float) -> str:
    """Return the command that made a section, its digest, and how long it took."""
    one, answer = reproduction(folder), answer_of(folder) or {}
    command = f"cardwin reproduce {one.paper} {one.experiment or ''}".strip()
    digest = answer.get("digest", "unfinished")
    return f"`{command} --scale {one.scale} --seed {one.seed}`: digest `{digest}`, {seconds:,.0f} s on a clock."


def written(text: str, paper: Paper) -> dict[str, str]:
    """Return the sections of experiments that a page has, by the experiment's name."""
    headings = {f"## {heading_of(paper, name)}\n": name for name in paper.EXPERIMENTS}
    found = {}
    for part in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        if name := next((name for heading, name in headings.items() if part.startswith(heading)), None):
            found[name] = part.rstrip("\n")
    return found


def studies_of(text: str) -> list[str]:
    """Return the sections of a page that studies made: they are headed "Study: ..." and do not change."""
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    return [part.rstrip("\n") for part in parts if part.startswith("## Study: ")]


def write_page(folders: Sequence[Path], page: Path) -> None:
    """Replace the sections of a page."""
    paper, pictures = paper_of(next(reproduction(one) for one in folders).paper), page.with_suffix("")
    text = page.read_text(encoding="utf-8")
    made = written(text, paper)
    by_hand = text[: min(text.find(section) for section in made.values())]
    for folder in folders:
        made |= {name: _markdown(parts, page) for name, parts in sections(folder, paper, pictures)}
    left = list(not_judged(register(str(paper.__package__))))  # type: ignore[attr-defined]  # a paper is a package
    last = [_markdown([Heading("Not judged"), *left], page)] if left else []
    experiments = [made[name] for name in paper.EXPERIMENTS if name in made]
    text = by_hand + "\n\n".join([*experiments, *studies_of(text), *last]) + "\n"
    for path in pictures.glob("*.png"):
        if f"{pictures.name}/{path.name}" not in text:
            path.unlink()
    page.write_text(text, encoding="utf-8")


def _markdown(parts: Iterable[Part], page: Path) -> str:
    return html.as_markdown("", parts, page.parent).partition("\n")[2].strip("\n")


def main(words: list[str]) -> None:
    """Write a page: the runs, then the page."""
    write_page([Path(word) for word in words[:-1]], Path(words[-1]))


if __name__ == "__main__":
    main(sys.argv[1:])
