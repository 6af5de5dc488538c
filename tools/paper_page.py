"""Write the sections of a paper's page from finished reproductions; the rest of the page is written by hand.

    python tools/paper_page.py RUN [RUN ...] docs/papers/PAPER.md

1. The section of each experiment of the runs is replaced, or inserted in the paper's order. A section has the tally,
   the command if the run was of one experiment, texts, pictures and tables, and one table with a row per finding.
2. Of texts, pictures and tables a section keeps those that it has already, numbers aside; a new section has all of
   them. So what an editor deletes stays deleted.
3. Sections of other experiments and "Further studies" stay. "Not judged", from the register, ends the page.
4. Pictures are copied into the folder beside the page that has its name; those that the page does not show are removed.
"""

import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from pathlib import Path

from cardwin.core.report_parts import Grid, Heading, Part, Picture, Text
from cardwin.papers import Finding, Paper, counts, heading_of, paper_of
from cardwin.papers.register import register
from cardwin.papers.reproduction import ReproductionExperiment, outcomes_of
from cardwin.papers.sample import interval_text
from cardwin.papers.verdicts import Conclusion, conclusion_of
from cardwin.reports import html
from cardwin.runs import reader

HEADER = ("place", "claim", "printed", "ours (95% interval)", "verdict")
STUDIES = "Further studies"
REPEATED, LONG = 4, 50  # a clause of so many explanations and so many characters stands once, below the table


@dataclass(frozen=True)
class Row:
    """A finding as text: what the register and the run say of one claim.

    Attributes:
        place: Its place in the document.
        name: The claim.
        printed: The published value.
        measured: Our measurement.
        interval: Its 95% interval.
        over: What the interval is over, such as "12 seeds".
        exact: The exact value.
        verdict: The verdict; empty if the finding is not judged.
        reason: The explanation.
        holds: Whether the verdict is that the claim holds.

    """

    place: str
    name: str
    printed: str
    measured: str
    interval: str
    over: str
    exact: str
    verdict: str
    reason: str
    holds: bool

    @property
    def explanation(self) -> str:
        """The reason, unless the claim holds by computation or the reason has no number."""
        needed = not self.holds or (self.interval and re.search(r"\d", self.reason))
        return self.reason if needed else ""


def row_of(finding: Finding) -> Row:
    """Return a finding as text."""
    check = ", a self-check" if finding.check else ""
    return Row(
        place=finding.place,
        name=finding.name,
        printed=html.shown(finding.published),
        measured=html.shown(finding.measured),
        interval=interval_text(finding.ci95),
        over=finding.over,
        exact=html.shown(finding.exact),
        verdict=f"{finding.verdict}{check}" if finding.verdict else "",
        reason=finding.reason,
        holds=finding.verdict is not None and conclusion_of(finding.verdict) is Conclusion.FOR,
    )


def table(rows: Sequence[Row]) -> list[Part]:
    """Return the table of claims, the remarks that several of them share, and a list of what is not judged.

    Neighbours in the table that differ in their names only become one row.
    """
    claims, others = [row for row in rows if row.verdict], [row for row in rows if not row.verdict]
    over = Counter(row.over for row in rows if row.interval)
    default = over.most_common(1)[0][0] if over else ""
    clauses = Counter(clause for row in claims for clause in dict.fromkeys(row.explanation.split("; ")))
    shared = [clause for clause, count in clauses.items() if count >= REPEATED and len(clause) >= LONG]
    lines = [(row.place, row.name, row.printed, _ours(row, default), _verdict(row, shared)) for row in claims]
    merged = [
        (place, _joined([line[1] for line in group]), *rest)
        for (place, *rest), group in groupby(lines, lambda line: (line[0], *line[2:]))
    ]
    unless = " unless stated" if len(over) > 1 else ""
    remarks = [f"Intervals are over {default}{unless}."] if default else []
    remarks += [f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in shared]
    by_place = groupby(sorted(others, key=lambda row: row.place), lambda row: row.place)
    listed = [
        f"- {place}: " + _joined(f"{row.name} {_ours(row, default)}" for row in group) for place, group in by_place
    ]
    parts: list[Part] = [Grid("", HEADER, merged)] if merged else []
    if remarks:
        parts.append(Text(" ".join(remarks)))
    return [*parts, Text("\n".join(["Also measured:", "", *listed]))] if listed else parts


def _ours(row: Row, default: str) -> str:
    """Return measurement, interval and exact value in one cell; `default` is what intervals of the table are over."""
    if row.exact and row.measured in ("", row.exact) and not row.interval:
        return f"{row.exact} (exact)" if re.fullmatch(r"[-+]?[\d.]+", row.exact) else row.exact
    over = "" if row.over == default else row.over
    exact = f"exact {row.exact}" if row.exact and (row.interval or row.exact != row.printed) else ""
    beside = "; ".join(text for text in (row.interval, over, exact) if text)
    return f"{row.measured} ({beside})" if beside else row.measured


def _verdict(row: Row, shared: Sequence[str]) -> str:
    """Return the verdict and, if needed, its explanation without the clauses below the table."""
    why = "; ".join(clause for clause in row.explanation.split("; ") if clause and clause not in shared)
    return f"{row.verdict}: {why}" if why else row.verdict


def _joined(names: Iterable[str]) -> str:
    """Return names with their common beginning once."""
    words = [name.split(" ") for name in names]
    common = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False)))
    first, *others = words
    return "; ".join([" ".join(first), *(" ".join(other[common:]) for other in others)])


def section(
    heading: str, tally: str, command: str, parts: Sequence[Part], rows: Sequence[Row], old: str, home: Path
) -> str:
    """Return a section in Markdown.

    Args:
        heading: Its heading.
        tally: How many claims hold, in words; empty if none is judged.
        command: The command that made it; empty if that is the page's.
        parts: Texts, pictures and tables of the experiment.
        rows: Its findings.
        old: The section so far; empty if it is new.
        home: The folder of the page.

    """
    present = set(_masked(old).split("\n"))
    shown = [part for part in parts if not old or _masked(_first_line(part, home)) in present]
    order = sorted(shown, key=lambda part: (not isinstance(part, Text), not isinstance(part, Picture)))
    head = ". ".join(text for text in (f"*{tally}*" if tally else "", f"`{command}`" if command else "") if text)
    first = [Heading(heading), Text(head)] if head else [Heading(heading)]
    return _markdown([*first, *order, *(table(rows) if rows else [])], home)


def _masked(text: str) -> str:
    return re.sub(r"\d[\d.,]*", "#", text)


def _first_line(part: Part, home: Path) -> str:
    return _markdown([part], home).partition("\n")[0]


def sections(folder: Path, paper: Paper, page: Path, old: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the experiments of a run, each with its section; its pictures are copied beside the page."""
    data, experiment = reader.read(folder), reproduction(folder)
    command = ""
    if experiment.experiment:
        words = ("cardwin reproduce", experiment.paper, experiment.experiment)
        command = f"{' '.join(words)} --scale {experiment.scale} --seed {experiment.seed}"
    for outcome in outcomes_of(data.store, folder):
        parts = [
            replace(part, png=Path(shutil.copy(part.png, page.with_suffix("")))) if isinstance(part, Picture) else part
            for part in outcome.parts
        ]
        tally = counts(outcome.findings) if any(finding.claim for finding in outcome.findings) else ""
        rows = [row_of(finding) for finding in outcome.findings]
        name = outcome.experiment
        yield name, section(heading_of(paper, name), tally, command, parts, rows, old.get(name, ""), page.parent)


def reproduction(folder: Path) -> ReproductionExperiment:
    """Return the experiment of a reproduction's folder.

    Raises:
        TypeError: If the folder is a run of another kind.

    """
    experiment = reader.read(folder).experiment
    if not isinstance(experiment, ReproductionExperiment):
        raise TypeError(f"expected a reproduction, got a run of kind {experiment.kind} in {folder}")
    return experiment


def sections_of(text: str, paper: Paper) -> dict[str, str]:
    """Return the sections of a page: those of experiments by the experiment's name, others by their heading."""
    names = {heading_of(paper, name): name for name in paper.EXPERIMENTS}
    parts = [part.rstrip("\n") for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]]
    return {names.get(part.partition("\n")[0], part.partition("\n")[0]): f"## {part}" for part in parts}


def not_judged(paper: Paper) -> str:
    """Return the section on what no finding judges: claims with the reason, then questions and background."""
    rows = register(str(paper.__package__)).claims  # type: ignore[attr-defined]  # a paper is a package
    claims = [row for row in rows if row.kind == "claim" and row.unmeasured]
    others = [row for row in rows if row.kind not in ("claim", "self-check", "ours")]
    lines = [f"- Claim ({row.place}): {row.claim} Not measured: {row.unmeasured}." for row in claims]
    for kind, group in groupby(sorted(others, key=lambda row: row.kind), lambda row: row.kind):
        lines.append(f"- {kind.capitalize()}: " + " ".join(f"({row.place}) {row.claim}" for row in group))
    return "\n".join(["## Not judged", "", *lines]) if lines else ""


def write_page(folders: Sequence[Path], page: Path) -> None:
    """Replace the sections of a page."""
    paper = paper_of(reproduction(folders[0]).paper)
    text, pictures = page.read_text(encoding="utf-8"), page.with_suffix("")
    pictures.mkdir(exist_ok=True)
    old = sections_of(text, paper)
    new = dict(old)
    for folder in folders:
        new |= sections(folder, paper, page, old)
    first = min(text.find(f"## {heading_of(paper, name)}\n") for name in old if name in paper.EXPERIMENTS)
    ordered = [*(new[name] for name in paper.EXPERIMENTS if name in new), new.get(STUDIES, ""), not_judged(paper)]
    text = text[:first] + "\n\n".join(part for part in ordered if part) + "\n"
    for path in pictures.glob("*.png"):
        if f"{pictures.name}/{path.name}" not in text:
            path.unlink()
    page.write_text(text, encoding="utf-8")


def _markdown(parts: Sequence[Part], home: Path) -> str:
    """Return parts in Markdown; titles of tables are bold, so that they are not in the page's contents."""
    text = html.as_markdown("", parts, home).partition("\n")[2].strip("\n")
    return re.sub(r"^### (.*)$", r"**\1**", text, flags=re.MULTILINE)


def main(words: list[str]) -> None:
    """Write a page: the runs, then the page."""
    write_page([Path(word) for word in words[:-1]], Path(words[-1]))


if __name__ == "__main__":
    main(sys.argv[1:])
