"""The first screen of a reproduction: what holds, what fails, what makes no difference and what is open.

Claims are in the words of the paper's register. Findings that judge the same claim, in one row or in several of equal
words, are one line, which links to the first of them. Claims that the conclusions depend on come first, the others
follow in the order of the document. A column shows `MAX_LINES`, so that a screen of 1,000 pixels holds all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cardwin.core.report_parts import Column, Columns, Grid, Link, Part, Text
from cardwin.papers.register import Register
from cardwin.papers.sample import Finding, interval_text
from cardwin.papers.verdicts import Conclusion, Verdict, conclusion_of
from cardwin.reports.html import shown

MAX_LINES = 6
MAX_LETTERS = 110  # of a line
MAX_PLACES = 2  # that a line names
TITLES = {
    Conclusion.FOR: "Holds",
    Conclusion.AGAINST: "Does not hold",
    Conclusion.TIE: "Makes no difference",
    Conclusion.OPEN: "Is open",
}
FULL_LISTS = {
    Conclusion.FOR: "All that hold",
    Conclusion.AGAINST: "All that do not hold",
    Conclusion.TIE: "All that make no difference",
    Conclusion.OPEN: "All that are open",
}
COLOURS = {Conclusion.FOR: "good", Conclusion.TIE: "odd", Conclusion.OPEN: "", Conclusion.AGAINST: "bad"}


@dataclass(frozen=True)
class Line:
    """A claim with the findings of one conclusion that judge it.

    Attributes:
        claim: The claim in words.
        findings: The findings, by their numbers in the report.
        total: The number of findings that judge the claim, with any conclusion.

    """

    claim: str
    findings: Mapping[int, Finding]
    total: int

    @property
    def first(self) -> Finding:
        """The first of its findings."""
        return next(iter(self.findings.values()))


def target(number: int) -> str:
    """Return the HTML id of a finding's row in the report."""
    return f"finding-{number + 1}"


def first_screen(findings: Sequence[Finding], matters: Sequence[str], register: Register) -> Columns:
    """Return the first screen of a report.

    Args:
        findings: All findings, in the report's order.
        matters: The names of the findings on which the conclusions depend.
        register: The claims of the paper.

    Returns:
        A column per conclusion. Only the columns of claims that hold and that do not hold may be empty.

    """
    columns = []
    for conclusion in TITLES:
        shown_lines = list(lines(findings, matters, register, conclusion))
        if shown_lines or conclusion in (Conclusion.FOR, Conclusion.AGAINST):
            columns.append(_column(conclusion, shown_lines))
    return Columns(columns)


def lines(
    findings: Sequence[Finding], matters: Sequence[str], register: Register, conclusion: Conclusion
) -> Iterator[Line]:
    """Yield a line per claim that has a finding with this conclusion."""
    claims: dict[str, dict[int, Finding]] = {}
    for number, finding in enumerate(findings):
        if finding.claim:
            claims.setdefault(_claim_of(finding, register), {})[number] = finding
    by_importance = sorted(claims.values(), key=lambda group: not any(f.name in matters for f in group.values()))
    for group in by_importance:
        concluded = {
            number: finding
            for number, finding in group.items()
            if finding.verdict and conclusion_of(finding.verdict) is conclusion
        }
        if concluded:
            yield Line(_claim_of(next(iter(concluded.values())), register), concluded, len(group))


def _claim_of(finding: Finding, register: Register) -> str:
    try:
        return register.of(finding.name).claim
    except KeyError:
        return finding.name


def _column(conclusion: Conclusion, claims: Sequence[Line]) -> Column:
    total = sum(len(line.findings) for line in claims)
    links = [Link(_shorten(line.claim), note(line), target(next(iter(line.findings)))) for line in claims[:MAX_LINES]]
    left = len(claims) - len(links)
    more = f"and {left} more" if left else "" if claims else "none"
    more_target = FULL_LISTS[conclusion] if left else ""
    return Column(f"{TITLES[conclusion]}: {total}", links, COLOURS[conclusion], more, more_target)


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_LETTERS else text[: text.rindex(" ", 0, MAX_LETTERS)].rstrip(",;:") + " …"


def note(line: Line) -> str:
    """Return the numbers of a line's only finding, or how many findings agree, and the runs that could decide."""
    places = list(dict.fromkeys(finding.place for finding in line.findings.values()))
    where = ", ".join(places[:MAX_PLACES]) + (" and elsewhere" if len(places) > MAX_PLACES else "")
    text = _numbers(line.first) if line.total == 1 else f"{len(line.findings)} of {line.total} findings"
    if len(line.findings) == 1 < line.total:
        text = f"{line.first.name}, {_numbers(line.first)}"
    needed = _needed(list(line.findings.values()))
    return f"{where}: {_shorten(text)}" + (f"; cannot tell, that needs {needed}" if needed else "")


def _numbers(finding: Finding) -> str:
    """Return the printed and our number; printed words are left out beside a number, because the claim has them."""
    ours = finding.measured if finding.exact is None else finding.exact
    text = f"{'ours' if finding.exact is None else 'exact'} {shown(ours)}"
    if finding.ci95 and finding.exact is None:
        text += f" ({interval_text(finding.ci95)})"
    words = isinstance(finding.published, str) and not isinstance(ours, str)
    return text if words else f"printed {shown(finding.published)}, {text}"


def _needed(findings: Sequence[Finding]) -> str:
    """Return the number of runs, deals or the like that could decide what these findings cannot."""
    needed: dict[str, list[int]] = {}
    for finding in findings:
        if finding.verdict == Verdict.CANNOT_TELL and finding.needed:
            number, _, unit = finding.over.partition(" ")
            has_unit = number.replace(",", "").isdigit() and "," not in unit  # not "10 tables, one seed"
            needed.setdefault(unit if has_unit else "runs", []).append(finding.needed)
    ends = {unit: sorted({min(counts), max(counts)}) for unit, counts in needed.items()}
    return ", ".join(f"{' to '.join(f'{end:,}' for end in both)} {unit}" for unit, both in ends.items())


def runs_text(findings: Sequence[Finding]) -> str:
    """Return a sentence with the number of runs that could decide what this scale cannot; empty if it decides all."""
    needed = _needed(findings)
    return f"What this scale cannot tell needs {needed}." if needed else ""


def not_judged(register: Register) -> list[Part]:
    """Return the table of claims that no finding judges, with their class, or why they were not measured.

    Args:
        register: The claims of the paper.

    Returns:
        A sentence and the table; empty if everything is judged.

    """
    judged = ("claim", "self-check", "ours")
    left = [row for row in register.claims if row.kind not in judged or row.unmeasured]
    if not left:
        return []
    sentence = Text("Questions and background of the document are no claims and are not counted.")
    rows = [[row.place, row.claim, row.kind, row.unmeasured] for row in left]
    return [sentence, Grid("", ["place", "what", "class", "why not"], rows)]
