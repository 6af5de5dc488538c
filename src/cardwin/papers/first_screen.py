"""The first screen of a reproduction: what holds, what fails, what makes no difference and what is open.

Claims are in the words of the paper's register; findings that judge the same claim, in one row or in several of equal
words, are one line, and a line leads to the first of them. Those that the conclusions depend on come first, then the
order of the document. A column shows `MOST` lines, so that a screen of 1,000 pixels holds all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cardwin.core.report_parts import Column, Columns, Grid, Link, Part, Text
from cardwin.papers.finding import Finding, interval_text
from cardwin.papers.register import Register
from cardwin.papers.verdicts import Conclusion, Verdict, conclusion_of
from cardwin.reports.html import shown

MOST = 6
LONG = 110  # letters of a line
PLACES = 2  # that a line names
TITLES = {
    Conclusion.FOR: "Holds",
    Conclusion.AGAINST: "Does not hold",
    Conclusion.TIE: "Makes no difference",
    Conclusion.OPEN: "Is open",
}
ALL = {Conclusion.FOR: "All that hold", Conclusion.AGAINST: "All that do not hold",
       Conclusion.TIE: "All that make no difference", Conclusion.OPEN: "All that are open"}  # fmt: skip
COLOURS = {Conclusion.FOR: "good", Conclusion.TIE: "odd", Conclusion.OPEN: "", Conclusion.AGAINST: "bad"}


@dataclass(frozen=True)
class Line:
    """The findings with one conclusion that judge the same claim, by their numbers in the report."""

    claim: str
    findings: Mapping[int, Finding]
    of: int  # findings that judge it, with any conclusion


def target(number: int) -> str:
    """The name of a finding's row in the report."""
    return f"finding-{number + 1}"


def first_screen(findings: Sequence[Finding], matters: Sequence[str], register: Register) -> Columns:
    """The columns; one without a claim is left out, but for what holds and what does not."""
    all_lines = {one: list(lines(findings, matters, register, one)) for one in TITLES}
    return Columns([
        _column(one, found) for one, found in all_lines.items() if found or one in (Conclusion.FOR, Conclusion.AGAINST)
    ])  # fmt: skip


def lines(
    findings: Sequence[Finding], matters: Sequence[str], register: Register, conclusion: Conclusion
) -> Iterator[Line]:
    """The claims with one conclusion."""
    rows: dict[str, dict[int, Finding]] = {}
    for number, one in enumerate(findings):
        if one.claim:
            rows.setdefault(_claim_of(one, register), {})[number] = one
    order = sorted(rows.values(), key=lambda found: not any(one.name in matters for one in found.values()))
    for found in order:
        here = {
            number: one for number, one in found.items() if one.verdict and conclusion_of(one.verdict) is conclusion
        }
        if here:
            yield Line(_claim_of(next(iter(here.values())), register), here, len(found))


def _claim_of(finding: Finding, register: Register) -> str:
    try:
        return register.of(finding.name).claim
    except KeyError:
        return finding.name


def _column(conclusion: Conclusion, found: Sequence[Line]) -> Column:
    total = sum(len(line.findings) for line in found)
    links = [Link(_short(line.claim), note(line), target(next(iter(line.findings)))) for line in found[:MOST]]
    left = len(found) - len(links)
    more = f"and {left} more" if left else "" if found else "none"
    return Column(f"{TITLES[conclusion]}: {total}", links, COLOURS[conclusion], more, ALL[conclusion] if left else "")


def _short(text: str) -> str:
    return text if len(text) <= LONG else text[: text.rindex(" ", 0, LONG)].rstrip(",;:") + " …"


def note(line: Line) -> str:
    """What was printed and found, or how many findings say so; and the runs that could decide."""
    one = next(iter(line.findings.values()))
    places = list(dict.fromkeys(finding.place for finding in line.findings.values()))
    where = ", ".join(places[:PLACES]) + (" and elsewhere" if len(places) > PLACES else "")
    text = _numbers(one) if line.of == 1 else f"{len(line.findings)} of {line.of} findings"
    if len(line.findings) == 1 < line.of:
        text = f"{one.name}, {_numbers(one)}"
    needed = _needed(list(line.findings.values()))
    return f"{where}: {_short(text)}" + (f"; cannot tell, that needs {needed}" if needed else "")


def _numbers(finding: Finding) -> str:
    """Words are not repeated beside a number: the claim has them."""
    ours = finding.measured if finding.exact is None else finding.exact
    found = f"{'ours' if finding.exact is None else 'exact'} {shown(ours)}"
    if finding.ci95 and finding.exact is None:
        found += f" ({interval_text(finding.ci95)})"
    words = isinstance(finding.published, str) and not isinstance(ours, str)
    return found if words else f"printed {shown(finding.published)}, {found}"


def _needed(findings: Sequence[Finding]) -> str:
    """How many runs, deals or the like could tell what these cannot."""
    needed: dict[str, list[int]] = {}
    for one in findings:
        if one.verdict == Verdict.CANNOT_TELL and one.needed:
            number, _, unit = one.over.partition(" ")
            counted = number.replace(",", "").isdigit() and "," not in unit  # not "10 tables, one seed"
            needed.setdefault(unit if counted else "runs", []).append(one.needed)
    ends = {unit: sorted({min(counts), max(counts)}) for unit, counts in needed.items()}
    return ", ".join(f"{' to '.join(f'{end:,}' for end in both)} {unit}" for unit, both in ends.items())


def runs_text(findings: Sequence[Finding]) -> str:
    """How many runs could tell what this scale cannot."""
    needed = _needed(findings)
    return f"What this scale cannot tell needs {needed}." if needed else ""


def not_judged(register: Register) -> list[Part]:
    """The rows of the register that no finding judges, with their class, or why they were not measured."""
    rows = [[row.place, row.claim, row.kind, row.unmeasured] for row in register.claims
            if row.kind not in ("claim", "self-check", "ours") or row.unmeasured]  # fmt: skip
    said = Text("Questions and background of the document are no claims and are not counted.")
    return [said, Grid("", ["place", "what", "class", "why not"], rows)] if rows else []
