"""Published works, reproduced: their printed results, our measurements, exact values, and computed verdicts.

A paper is a module with a `TITLE`, an `ABOUT`, its main findings in `MATTERS` and its `EXPERIMENTS`: functions from a
context to findings, by name. An experiment may also show pictures, tables and texts through its context; a run
(papers/reproduction.py) collects them in a report.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, cast

from cardwin.core.errors import unknown
from cardwin.core.report_parts import Cell, Grid, Heading, Part, Text
from cardwin.core.rng import key_of
from cardwin.papers.verdicts import Side, Verdict, side_of
from cardwin.reports import html

if TYPE_CHECKING:
    from matplotlib.figure import Figure

T = TypeVar("T")
Scale = Literal["seconds", "minutes", "hour", "paper"]
SCALES: tuple[Scale, ...] = ("seconds", "minutes", "hour", "paper")

COLOURS = {Side.FOR: "good", Side.TIE: "odd", Side.OPEN: "", Side.AGAINST: "bad"}


@dataclass(frozen=True)
class Finding:
    """One claim: its place in the document, the published value, our measurement with its 95% interval, exact value.

    `over` is what the interval is over ("5 seeds"). The verdict comes from a rule of `verdicts`; unpublished
    findings have none. `needed` is the number of runs that could decide, where these cannot (`verdicts.runs_needed` and
    `shares_needed`).
    """

    place: str
    name: str
    _: KW_ONLY
    published: float | str | None = None
    measured: float | str | None = None
    ci95: tuple[float, float] | None = None
    over: str = ""
    exact: float | str | None = None
    verdict: Verdict | None
    reason: str = ""
    needed: int | None = None

    def __post_init__(self) -> None:
        if self.published is None and self.verdict is not None:
            raise ValueError(f"{self.name}: nothing was published, so there is nothing to judge")


@dataclass(frozen=True)
class Context:
    """The input of an experiment: folder for pictures, scale, seed and threads; and its output for the report.

    `experiment` is its own name, so that keys and pictures of two experiments are different.
    """

    folder: Path
    scale: Scale
    seed: int
    workers: int = 1
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
        self.parts.append(html.save(self.folder / "pictures", name, figure, caption, curves))


Experiment = Callable[[Context], Iterable[Finding]]


class Paper(Protocol):
    """The module of a paper. `MATTERS` names the findings, about three, on which its conclusions depend."""

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
        raise unknown("paper", name, PAPERS)
    return cast(Paper, import_module(PAPERS[name]))


def report_parts(paper: Paper, scale: Scale, seed: int, outcomes: list[Outcome]) -> list[Part]:
    """The report: a summary, each experiment with its text, pictures and findings, then those of all together."""
    seconds = sum(outcome.seconds for outcome in outcomes)
    findings = [finding for outcome in outcomes for finding in outcome.findings]
    parts: list[Part] = [
        Text(paper.ABOUT),
        Text(f"Scale {scale}, seed {seed}, {seconds:.0f} s."),
        Heading("Summary"),
        Text(tally(findings)),
    ]
    if matter := [finding for finding in findings if finding.name in paper.MATTERS]:
        parts += [Text("The conclusions depend on these findings:"), table_of(matter)]
    for outcome in outcomes:
        parts += [Heading(outcome.experiment), *outcome.parts]
        if outcome.findings:
            parts.append(table_of(outcome.findings, sortable=len(outcomes) == 1))
    return [*parts, Heading("All findings"), table_of(findings, sortable=True)] if len(outcomes) > 1 else parts


def tally(findings: Sequence[Finding]) -> str:
    """How many claims were judged, how many hold, fail and are undecided, and the count of each verdict."""
    counts = Counter(finding.verdict for finding in findings if finding.verdict is not None)
    sides = Counter(side_of(verdict) for verdict in counts.elements())
    failed = [f"{one} {count}" for one, count in counts.most_common() if side_of(one) == Side.AGAINST]
    return (
        f"{counts.total()} claims judged: {sides[Side.FOR]} hold, {sides[Side.AGAINST]} do not"
        + (f" ({', '.join(failed)})" if failed else "")
        + f", {sides[Side.TIE]} make no difference, {counts[Verdict.UNDECIDED]} are undecided, of "
        f"{counts[Verdict.CANNOT_TELL]} this scale cannot tell. {len(findings) - counts.total()} further findings have "
        "nothing published beside them."
    )  # fmt: skip


def table_of(findings: Sequence[Finding], sortable: bool = False) -> Grid:
    """The table of findings."""
    header = ["place", "what", "published", "measured", "95% interval", "over", "exact", "verdict", "why"]
    rows = [
        [one.place, one.name, one.published, one.measured, _interval(one.ci95), one.over, one.exact, one.verdict,
         one.reason]
        for one in findings
    ]  # fmt: skip
    return Grid("", header, rows, {word: COLOURS[side_of(word)] for word in Verdict}, sortable)


def _interval(ci95: tuple[float, float] | None) -> str:
    return "" if ci95 is None else f"{html.shown(float(ci95[0]))} to {html.shown(float(ci95[1]))}"


def finding_line(finding: Finding) -> str:
    """A finding in one line."""
    measured = html.shown(finding.measured) + (f" ({_interval(finding.ci95)})" if finding.ci95 else "")
    parts = {"published": html.shown(finding.published), "measured": measured, "exact": html.shown(finding.exact)}
    numbers = ", ".join(f"{name} {text}" for name, text in parts.items() if text)
    verdict = f" {finding.verdict.upper()}" if finding.verdict else ""
    return f"{finding.place}: {finding.name}:{verdict} ({numbers})"
