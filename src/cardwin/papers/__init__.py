"""Published works, reproduced: their printed results, our measurements, exact values, and computed verdicts.

A paper is data and experiments. `claims.toml` has its claims, with their places, published values, rules and margins
(papers/register.py). Its module has `TITLE`, `ABOUT`, `MATTERS` and `HEADINGS` from that file, and `EXPERIMENTS`:
functions from a context to named samples. `findings_of` compares samples with the claims (papers/sample.py). An
experiment may also show pictures, tables and texts through its context; a run (papers/reproduction.py) collects them
in a report.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, cast

from cardwin.core.errors import unknown_name
from cardwin.core.executor import Workers
from cardwin.core.report_parts import Cell, Fold, Grid, Part, Picture, Text
from cardwin.core.rng import key_of
from cardwin.papers.finding import Finding as Finding
from cardwin.papers.finding import interval_text
from cardwin.papers.first_screen import ALL, COLOURS, first_screen, not_judged, runs_text, target
from cardwin.papers.register import Register, register
from cardwin.papers.sample import Sample, finding_of
from cardwin.papers.verdicts import Conclusion, Verdict, conclusion_of
from cardwin.reports import html

if TYPE_CHECKING:
    from matplotlib.figure import Figure

T = TypeVar("T")
Scale = Literal["seconds", "minutes", "hour", "paper"]
OPENED = 3  # findings that matter whose experiments are shown open
SCALES: tuple[Scale, ...] = ("seconds", "minutes", "hour", "paper")


@dataclass(frozen=True)
class Context:
    """The input of an experiment: folder for pictures, scale, seed and threads; and its output for the report.

    `experiment` is its own name, so that keys and pictures of two experiments are different.
    """

    folder: Path
    scale: Scale
    seed: int
    workers: Workers = 1
    experiment: str = ""
    parts: list[Part] = field(default_factory=list)

    def pick(self, seconds: T, minutes: T, hour: T, paper: T) -> T:
        """The one of four settings for the scale."""
        return dict(zip(SCALES, (seconds, minutes, hour, paper), strict=True))[self.scale]

    def key(self, *names: str | int) -> int:
        """A random key for a named purpose; it can also be the seed of a run."""
        return key_of(self.seed, self.experiment, *names)

    def say(self, text: str) -> None:
        """Show a paragraph in the report."""
        self.parts.append(Text(text))

    def table(self, title: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        """Show a table in the report."""
        self.parts.append(Grid(title, header, [list(row) for row in rows]))

    def picture(
        self, name: str, figure: "Figure", caption: str, curves: Mapping[str, Iterable[Any]] | None = None
    ) -> None:
        """Save a figure as PNG and SVG with the CSV of its curves, and show it in the report."""
        for axes in figure.axes:
            if axes.lines or axes.collections:
                axes.spines[["top", "right"]].set_visible(False)
        self.parts.append(html.save(self.folder / "pictures", name, figure, caption, curves))


Experiment = Callable[[Context], Iterable[Sample]]


class Paper(Protocol):
    """The module of a paper. `MATTERS` names the findings on which its conclusions depend, the first three above all.

    It may also have `HEADINGS`: the document's section for the name of an experiment (`heading_of`).
    """

    TITLE: str
    ABOUT: str
    MATTERS: tuple[str, ...]
    EXPERIMENTS: dict[str, Experiment]


# Imported on first use.
PAPERS = {
    "lopez-pozuelo": "cardwin.papers.lopez_pozuelo",
    "morsomme": "cardwin.papers.morsomme",
    "nicolai": "cardwin.papers.nicolai",
    "chen": "cardwin.papers.chen",
    "reveley": "cardwin.papers.reveley",
}


@dataclass(frozen=True)
class Outcome:
    """The result of one experiment."""

    experiment: str
    findings: list[Finding]
    parts: list[Part]
    seconds: float


def paper_of(name: str) -> Paper:
    """The paper of that name."""
    if name not in PAPERS:
        raise unknown_name("paper", name, PAPERS)
    return cast(Paper, import_module(PAPERS[name]))


def heading_of(paper: Paper, experiment: str) -> str:
    """The heading of an experiment: the document's section by the paper's `HEADINGS`, or else its name."""
    headings: Mapping[str, str] = getattr(paper, "HEADINGS", {})
    return headings.get(experiment, experiment)


def findings_of(paper: Paper, experiment: str, context: Context) -> list[Finding]:
    """Run an experiment and compare its samples with the register."""
    rows = rows_of(paper)
    return [finding_of(one, rows) for one in paper.EXPERIMENTS[experiment](context)]


def rows_of(paper: Paper) -> Register:
    """The register of a paper."""
    package = str(getattr(paper, "__package__", None) or "")
    return register(package) if package else Register(())


def report_parts(paper: Paper, scale: Scale, seed: int, outcomes: list[Outcome]) -> list[Part]:
    """The report: the first screen, then a fold for each experiment, and one for what is not judged."""
    findings = [finding for outcome in outcomes for finding in outcome.findings]
    rows = rows_of(paper)
    source, _, about = paper.ABOUT.partition(". ")
    seconds = sum(outcome.seconds for outcome in outcomes)
    how = f"Scale {scale}, seed {seed}, {seconds:.0f} s."
    parts: list[Part] = [
        Text(f"{source.rstrip('.')}."),
        Text(" ".join(text for text in (tally(findings), runs_text(findings), how) if text)),
        first_screen(findings, paper.MATTERS, rows),
    ]
    first = 0
    for outcome in outcomes:
        parts.append(_section(paper, outcome, first))
        first += len(outcome.findings)
    claims = [one for one in findings if one.claim]
    parts += [
        Fold(title, [table_of(those)], note=str(len(those)))
        for conclusion, title in ALL.items()
        if (those := [one for one in claims if one.verdict and conclusion_of(one.verdict) is conclusion])
    ]
    if checks := [one for one in findings if one.check]:
        parts.append(Fold("Self-checks", [table_of(checks)], note=str(len(checks))))
    if len(outcomes) > 1:
        parts.append(Fold("All findings", [table_of(findings, sortable=True)], note=f"{len(findings)}, to be sorted"))
    if left := not_judged(rows):
        parts.append(Fold("Not judged", left))
    return [*parts, Fold("About", [Text(about or paper.ABOUT)])]


def _section(paper: Paper, outcome: Outcome, first: int) -> Fold:
    """An experiment: its texts, its pictures, then its tables and findings, folded. It is open if its findings matter.

    `first` is the number of its first finding.
    """
    pictures = [part for part in outcome.parts if isinstance(part, Picture)]
    texts = [part for part in outcome.parts if isinstance(part, Text)]
    tables = [part for part in outcome.parts if not isinstance(part, Picture | Text)]
    parts: list[Part] = [*texts, *pictures[:1]]
    if pictures[1:]:
        parts.append(Fold("More pictures", pictures[1:], 3, str(len(pictures) - 1)))
    if tables:
        parts.append(Fold("Tables", tables, 3, str(len(tables))))
    if outcome.findings:
        table = table_of(outcome.findings, sortable=True, first=first)
        parts.append(Fold("Findings", [table], 3, str(len(outcome.findings))))
    matters = any(one.name in paper.MATTERS[:OPENED] for one in outcome.findings)
    return Fold(heading_of(paper, outcome.experiment), parts, note=counts(outcome.findings), opened=matters)


def counts(findings: Sequence[Finding]) -> str:
    """How many claims hold, fail, make no difference and are open, in a few words."""
    found = Counter(conclusion_of(one.verdict) for one in findings if one.claim and one.verdict)
    words = {
        Conclusion.FOR: "hold",
        Conclusion.AGAINST: "do not",
        Conclusion.TIE: "make no difference",
        Conclusion.OPEN: "open",
    }
    return ", ".join(f"{found[one]} {word}" for one, word in words.items() if found[one]) or "nothing judged"


def tally(findings: Sequence[Finding]) -> str:
    """How many claims were judged, how many hold, fail and are undecided; self-checks are counted apart."""
    counts = Counter(finding.verdict for finding in findings if finding.claim and finding.verdict)
    checks = [finding.verdict for finding in findings if finding.check]
    found = Counter(conclusion_of(verdict) for verdict in counts.elements())
    failed = [f"{one} {count}" for one, count in counts.most_common() if conclusion_of(one) == Conclusion.AGAINST]
    others = {"make no difference": found[Conclusion.TIE], "are undecided": counts[Verdict.UNDECIDED]}
    cannot = counts[Verdict.CANNOT_TELL]
    return (
        f"{counts.total()} claims judged: {found[Conclusion.FOR]} hold, {found[Conclusion.AGAINST]} do not"
        + (f" ({', '.join(failed)})" if failed else "")
        + "".join(f", {count} {word}" for word, count in others.items() if count)
        + (f", of {cannot} this scale cannot tell" if cannot else "")
        + f". {len(findings) - counts.total() - len(checks)} further findings are not judged."
        + (f" Self-checks: {checks.count(Verdict.AGREES)} of {len(checks)} agree." if checks else "")
    )  # fmt: skip


def table_of(findings: Sequence[Finding], sortable: bool = False, first: int | None = None) -> Grid:
    """The table of findings; its rows can be linked to if `first`, the number of the first of them, is given."""
    header = ["place", "what", "published", "measured", "95% interval", "over", "exact", "verdict", "why"]
    rows = [
        [one.place, one.name, one.published, one.measured, interval_text(one.ci95), one.over, one.exact, one.verdict,
         one.reason]
        for one in findings
    ]  # fmt: skip
    ids = [] if first is None else [target(first + number) for number in range(len(findings))]
    return Grid("", header, rows, {word: COLOURS[conclusion_of(word)] for word in Verdict}, sortable, ids)


def finding_line(finding: Finding) -> str:
    """A finding in one line."""
    measured = html.shown(finding.measured) + (f" ({interval_text(finding.ci95)})" if finding.ci95 else "")
    parts = {"published": html.shown(finding.published), "measured": measured, "exact": html.shown(finding.exact)}
    numbers = ", ".join(f"{name} {text}" for name, text in parts.items() if text)
    verdict = f" {finding.verdict.upper()}" if finding.verdict else ""
    return f"{finding.place}: {finding.name}:{verdict} ({numbers})"
