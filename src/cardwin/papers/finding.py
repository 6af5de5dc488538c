"""A finding: one claim of a paper beside what we measured or computed."""

from dataclasses import KW_ONLY, dataclass

from cardwin.papers.verdicts import Verdict
from cardwin.reports.html import shown


@dataclass(frozen=True)
class Finding:
    """One claim: its place in the document, the published value, our measurement with its 95% interval, exact value.

    `over` is what the interval is over ("5 seeds"). The verdict comes from a rule of `verdicts`; unpublished
    findings have none. `needed` is the number of runs that could decide, where these cannot (`verdicts.runs_needed` and
    `shares_needed`). A `check` compares our own code with an example of the document: it is counted apart from claims.
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
    check: bool = False

    def __post_init__(self) -> None:
        if self.published is None and self.verdict is not None:
            raise ValueError(f"{self.name}: nothing was published, so there is nothing to judge")

    @property
    def claim(self) -> bool:
        """Whether it judges a claim of the document."""
        return self.verdict is not None and not self.check


def interval_text(ci95: tuple[float, float] | None) -> str:
    """An interval in words; empty if there is none."""
    return "" if ci95 is None else f"{shown(float(ci95[0]))} to {shown(float(ci95[1]))}"
