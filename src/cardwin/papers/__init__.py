"""Published works, reproduced: their printed results, our measurements, exact values, and computed verdicts.

A paper is data and experiments. `claims.toml` has its claims, with their places, published values, rules and margins
(papers/register.py). Its module has `TITLE`, `ABOUT`, `MATTERS` and `HEADINGS` from that file, and `EXPERIMENTS`:
functions from a context to named samples. `findings_of` compares samples with the claims (papers/sample.py). An
experiment may also add pictures, tables and texts to the report through its context. A run (papers/reproduction.py)
collects them.
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
from cardwin.papers.first_screen import COLOURS, FULL_LISTS, first_screen, not_judged, runs_text, target
from cardwin.papers.register import Register, register
from cardwin.papers.sample import Finding as Finding
from cardwin.papers.sample import Sample, finding_of, interval_text
from cardwin.papers.verdicts import Conclusion, Verdict, conclusion_of
from cardwin.reports import html

if TYPE_CHECKING:
    from matplotlib.figure import Figure

T = TypeVar("T")
Scale = Literal["seconds", "minutes", "hour", "paper"]
OPENED = 3  # the experiments of so many of the findings that matter are shown open
SCALES: tuple[Scale, ...] = ("seconds", "minutes", "hour", "paper")


@dataclass(frozen=True)
class Context:
    """The input of an experiment, and its output for the report.

    Attributes:
        folder: The run folder, for pictures and champions.
        scale: How long the experiment may take.
        seed: The seed of the run.
        workers: The number of threads, or an executor.
        experiment: The experiment's name; it makes the random keys of experiments different.
        parts: What the experiment has added to the report.

    """

    folder: Path
    scale: Scale
    seed: int
    workers: Workers = 1
    experiment: str = ""
    parts: list[Part] = field(default_factory=list)

    def pick(self, seconds: T, minutes: T, hour: T, paper: T) -> T:
        """Return the setting for the scale.

        Args:
            seconds: The setting at scale seconds.
            minutes: At scale minutes.
            hour: At scale hour.
            paper: At scale paper.

        """
        return dict(zip(SCALES, (seconds, minutes, hour, paper), strict=True))[self.scale]

    def key(self, *names: str | int) -> int:
        """Return a random key for a named purpose; it can also be the seed of a run."""
        return key_of(self.seed, self.experiment, *names)

    def text(self, text: str) -> None:
        """Add a paragraph to the report."""
        self.parts.append(Text(text))

    def table(self, title: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        """Add a table to the report."""
        self.parts.append(Grid(title, header, [list(row) for row in rows]))

    def picture(
        self, name: str, figure: "Figure", caption: str, curves: Mapping[str, Iterable[Any]] | None = None
    ) -> None:
        """Save a figure as PNG and SVG with its curves as CSV, and add it to the report.

        Args:
            name: The name of the files.
            figure: The figure.
            caption: The text below it.
            curves: The plotted numbers, by the CSV's columns.

        """
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
    """Return the module of a paper.

    Args:
        name: The paper's name, one of `PAPERS`.

    Returns:
        The module.

    Raises:
        InputError: If there is no such paper.

    """
    if name not in PAPERS:
        raise unknown_name("paper", name, PAPERS)
    return cast(Paper, import_module(PAPERS[name]))


def heading_of(paper: Paper, experiment: str) -> str:
    """Return the heading of an experiment: the document's section by the paper's `HEADINGS`, or else its name."""
    headings: Mapping[str, str] = getattr(paper, "HEADINGS", {})
    return headings.get(experiment, experiment)


def findings_of(paper: Paper, experiment: str, context: Context) -> list[Finding]:
    """Run an experiment and compare its samples with the register.

    Args:
        paper: The paper's module.
        experiment: The experiment's name.
        context: The input of the experiment; it receives the parts of the report.

    Returns:
        A finding per sample.

    """
    rows = rows_of(paper)
    return [finding_of(sample, rows) for sample in paper.EXPERIMENTS[experiment](context)]


def rows_of(paper: Paper) -> Register:
    """Return the register of a paper; empty if its module is not a package."""
    package = str(getattr(paper, "__package__", None) or "")
    return register(package) if package else Register(())


def report_parts(paper: Paper, scale: Scale, seed: int, outcomes: list[Outcome]) -> list[Part]:
    """Return the report of a reproduction.

    Args:
        paper: The paper's module.
        scale: The scale of the run.
        seed: Its seed.
        outcomes: The experiments done so far.

    Returns:
        The first screen, a fold per experiment, the full lists of claims, and a fold of what is not judged.

    """
    findings = [finding for outcome in outcomes for finding in outcome.findings]
    rows = rows_of(paper)
    source, _, about = paper.ABOUT.partition(". ")
    seconds = sum(outcome.seconds for outcome in outcomes)
    settings = f"Scale {scale}, seed {seed}, {seconds:.0f} s."
    parts: list[Part] = [
        Text(f"{source.rstrip('.')}."),
        Text(" ".join(text for text in (tally(findings), runs_text(findings), settings) if text)),
        first_screen(findings, paper.MATTERS, rows),
    ]
    first = 0
    for outcome in outcomes:
        parts.append(_section(paper, outcome, first))
        first += len(outcome.findings)
    for conclusion, title in FULL_LISTS.items():
        if claims := [finding for finding in findings if _conclusion(finding) is conclusion]:
            parts.append(Fold(title, [table_of(claims)], note=str(len(claims))))
    if checks := [finding for finding in findings if finding.check]:
        parts.append(Fold("Self-checks", [table_of(checks)], note=str(len(checks))))
    if len(outcomes) > 1:
        parts.append(Fold("All findings", [table_of(findings, sortable=True)], note=f"{len(findings)}, to be sorted"))
    if left := not_judged(rows):
        parts.append(Fold("Not judged", left))
    return [*parts, Fold("About", [Text(about or paper.ABOUT)])]


def _section(paper: Paper, outcome: Outcome, first: int) -> Fold:
    """Return an experiment's texts and pictures, then its tables and findings, folded.

    It is open if its findings matter. `first` is the number of its first finding.
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
    matters = any(finding.name in paper.MATTERS[:OPENED] for finding in outcome.findings)
    return Fold(heading_of(paper, outcome.experiment), parts, note=counts(outcome.findings), opened=matters)


def _conclusion(finding: Finding) -> Conclusion | None:
    """Return the conclusion about a claim; None for self-checks and findings without a verdict."""
    return conclusion_of(finding.verdict) if finding.claim and finding.verdict else None


def counts(findings: Sequence[Finding]) -> str:
    """Return the numbers of claims that hold, fail, make no difference and are open, in a few words."""
    numbers = Counter(_conclusion(finding) for finding in findings)
    words = {
        Conclusion.FOR: "hold",
        Conclusion.AGAINST: "do not",
        Conclusion.TIE: "make no difference",
        Conclusion.OPEN: "open",
    }
    texts = [f"{numbers[conclusion]} {word}" for conclusion, word in words.items() if numbers[conclusion]]
    return ", ".join(texts) or "nothing judged"


def tally(findings: Sequence[Finding]) -> str:
    """Return the numbers of claims that were judged, hold, fail and are undecided; self-checks are counted apart.

    Args:
        findings: The findings of a reproduction.

    Returns:
        One to three sentences.

    """
    verdicts = Counter(finding.verdict for finding in findings if finding.claim and finding.verdict)
    checks = [finding.verdict for finding in findings if finding.check]
    conclusions = Counter(conclusion_of(verdict) for verdict in verdicts.elements())
    text = (
        f"{verdicts.total()} claims judged: "
        f"{conclusions[Conclusion.FOR]} hold, {conclusions[Conclusion.AGAINST]} do not"
    )
    failures = [
        f"{verdict} {count}"
        for verdict, count in verdicts.most_common()
        if conclusion_of(verdict) == Conclusion.AGAINST
    ]
    if failures:
        text += f" ({', '.join(failures)})"
    if conclusions[Conclusion.TIE]:
        text += f", {conclusions[Conclusion.TIE]} make no difference"
    if verdicts[Verdict.UNDECIDED]:
        text += f", {verdicts[Verdict.UNDECIDED]} are undecided"
    if verdicts[Verdict.CANNOT_TELL]:
        text += f", of {verdicts[Verdict.CANNOT_TELL]} this scale cannot tell"
    text += f". {len(findings) - verdicts.total() - len(checks)} further findings are not judged."
    if checks:
        text += f" Self-checks: {checks.count(Verdict.AGREES)} of {len(checks)} agree."
    return text


def table_of(findings: Sequence[Finding], sortable: bool = False, first: int | None = None) -> Grid:
    """Return the table of findings.

    Args:
        findings: One per row.
        sortable: Whether a reader can sort it.
        first: The number of the first finding in the report: rows get ids for links. Without it they have none.

    """
    header = ["place", "what", "published", "measured", "95% interval", "over", "exact", "verdict", "why"]
    ids = [] if first is None else [target(first + number) for number in range(len(findings))]
    colours: dict[str, str] = {verdict: COLOURS[conclusion_of(verdict)] for verdict in Verdict}
    return Grid("", header, [_table_row(finding) for finding in findings], colours, sortable, ids)


def _table_row(finding: Finding) -> list[Cell]:
    return [
        finding.place,
        finding.name,
        finding.published,
        finding.measured,
        interval_text(finding.ci95),
        finding.over,
        finding.exact,
        finding.verdict,
        finding.reason,
    ]


def finding_line(finding: Finding) -> str:
    """Return a finding in one line."""
    measured = html.shown(finding.measured) + (f" ({interval_text(finding.ci95)})" if finding.ci95 else "")
    parts = {"published": html.shown(finding.published), "measured": measured, "exact": html.shown(finding.exact)}
    numbers = ", ".join(f"{name} {text}" for name, text in parts.items() if text)
    result = f"{finding.verdict.upper()} ({numbers})" if finding.verdict else numbers
    return f"{finding.place}: {finding.name}: {result}"
