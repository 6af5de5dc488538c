"""Published works, reproduced: what they printed, what we measure, what is exact, and a verdict in words.

A paper is a module with a `TITLE`, an `ABOUT` and `EXPERIMENTS`: functions from a context to findings, by name. An
experiment may also show pictures, tables and texts through its context; a run (lab/reproduction.py) gathers them all
into a report.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, cast

from cardwin.errors import unknown
from cardwin.lab import html
from cardwin.lab.html import Cell, Grid, Heading, Part, Text
from cardwin.rng import key_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

T = TypeVar("T")
Scale = Literal["seconds", "minutes", "hour", "paper"]
SCALES: tuple[Scale, ...] = ("seconds", "minutes", "hour", "paper")

# The verdicts that recur; an experiment may use other words where these do not fit.
AGREES = "agrees"
INFLATED = "inflated by selecting the luckiest"
IMPOSSIBLE = "impossible"
WRONG_SIGN = "wrong sign"
DIFFERS = "differs"
NOT_PRINTED = "not in the document"
COLOURS = {AGREES: "good", NOT_PRINTED: "", INFLATED: "odd", DIFFERS: "odd", IMPOSSIBLE: "bad", WRONG_SIGN: "bad"}


@dataclass(frozen=True)
class Finding:
    """One published number (or text), ours with its 95% interval, the exact one where it is known, and the verdict."""

    name: str
    published: float | str | None
    measured: float | str | None
    ci95: tuple[float, float] | None = None
    exact: float | str | None = None
    verdict: str = AGREES
    reason: str = ""


@dataclass(frozen=True)
class Context:
    """What an experiment is given: where pictures go, how long it may take, its seed and threads; and where it shows.

    `experiment` is its own name: keys and pictures of two experiments never meet.
    """

    folder: Path
    scale: Scale
    seed: int
    workers: int = 1
    experiment: str = ""
    parts: list[Part] = field(default_factory=list)

    def pick(self, seconds: T, minutes: T, hour: T, paper: T) -> T:
        """The one of four settings that the scale asks for."""
        return dict(zip(SCALES, (seconds, minutes, hour, paper), strict=True))[self.scale]

    def key(self, *names: str | int) -> int:
        """A key of luck for a named purpose; also fit as the seed of a run."""
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
    """The module of a paper."""

    TITLE: str
    ABOUT: str
    EXPERIMENTS: dict[str, Experiment]


# Named here, imported only when asked for.
PAPERS = {
    "lopez-pozuelo": "cardwin.lab.papers.lopez_pozuelo",
    "morsomme": "cardwin.lab.papers.morsomme",
    "nicolai": "cardwin.lab.papers.nicolai",
    "chen": "cardwin.lab.papers.chen",
    "reveley": "cardwin.lab.papers.reveley",
}


@dataclass(frozen=True)
class Outcome:
    """One experiment, done."""

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
    """The report: all verdicts on top, then each experiment with its findings and what it shows."""
    seconds = sum(outcome.seconds for outcome in outcomes)
    findings = [finding for outcome in outcomes for finding in outcome.findings]
    parts: list[Part] = [
        Text(paper.ABOUT),
        Text(f"Scale {scale}, seed {seed}, {seconds:.0f} s."),
        Heading("Verdicts"),
        Text(tally(findings)),
        verdicts(findings),
    ]
    for outcome in outcomes:
        parts += [Heading(outcome.experiment), *outcome.parts]
    return parts


def tally(findings: Sequence[Finding]) -> str:
    """How often each verdict was given."""
    counts = Counter(finding.verdict for finding in findings)
    return (
        f"{len(findings)} findings: " + "; ".join(f"{verdict} {count}" for verdict, count in counts.most_common()) + "."
    )


def verdicts(findings: Sequence[Finding]) -> Grid:
    """The table of findings."""
    header = ["what", "published", "measured", "95% interval", "exact", "verdict", "why"]
    rows = [
        [one.name, one.published, one.measured, _interval(one.ci95), one.exact, one.verdict, one.reason]
        for one in findings
    ]
    return Grid("", header, rows, {one.verdict: COLOURS.get(one.verdict, "odd") for one in findings})


def _interval(ci95: tuple[float, float] | None) -> str:
    return "" if ci95 is None else f"{html.shown(float(ci95[0]))} to {html.shown(float(ci95[1]))}"


def told(finding: Finding) -> str:
    """A finding in one line."""
    measured = html.shown(finding.measured) + (f" ({_interval(finding.ci95)})" if finding.ci95 else "")
    parts = {"published": html.shown(finding.published), "measured": measured, "exact": html.shown(finding.exact)}
    numbers = ", ".join(f"{name} {text}" for name, text in parts.items() if text)
    return f"{finding.name}: {finding.verdict.upper()} ({numbers})"
