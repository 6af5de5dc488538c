"""The result of a match: what each player won, with intervals, and which differences are significant."""

from dataclasses import dataclass

from cardwin.arena.match import MatchRecord
from cardwin.core.display import cards_text, html_table
from cardwin.results.findings import MatchFindings, digits_of


@dataclass(frozen=True, repr=False)
class MatchResult:
    """Means and intervals by player, in `unit`; `record` holds the chips of every hand, `findings` all comparisons."""

    record: MatchRecord
    findings: MatchFindings

    @property
    def players(self) -> tuple[str, ...]:
        """The players; the other tuples are in this order."""
        return tuple(self._name(spec) for spec in self.record.specs)

    @staticmethod
    def _name(spec: str) -> str:
        return spec.rpartition(":")[2].partition("@")[0] if spec.startswith("python:") else spec

    @property
    def mean(self) -> tuple[float, ...]:
        """The mean result of each player, a hand."""
        return tuple(one.mean for one in self.findings.players)

    @property
    def ci95(self) -> tuple[float, ...]:
        """The half-width of each mean's 95% interval."""
        return tuple(one.ci95 for one in self.findings.players)

    @property
    def unit(self) -> str:
        """The unit of the means, such as mbb/h."""
        return self.record.game.unit

    @property
    def hands(self) -> int:
        """How many hands were played."""
        return self.record.hands

    @property
    def seed(self) -> int | None:
        """The seed that repeats the match; None if its cards came from secrets."""
        return self.record.seed

    @property
    def digest(self) -> str:
        """A hash of the chips of every hand: equal digests mean equal matches."""
        return self.record.digest

    @property
    def faults(self) -> tuple[str, ...]:
        """The first fault of each kind by the players, if any."""
        return tuple(map(str, self.record.report.first))

    def __repr__(self) -> str:
        wide, digits = max(map(len, self.players)), digits_of(self.unit)
        lines = [
            f"  {name:<{wide}} {mean:+12.{digits}f} ± {half:.{digits}f} {self.unit}"
            for name, mean, half in zip(self.players, self.mean, self.ci95, strict=True)
        ]
        return "\n".join([f"{self.hands:,} hands of {self.record.game.name}, {cards_text(self.seed)}, ± 95%", *lines])

    def _repr_html_(self) -> str:
        digits = digits_of(self.unit)
        rows = [
            (name, f"{mean:+.{digits}f}", f"± {half:.{digits}f}")
            for name, mean, half in zip(self.players, self.mean, self.ci95, strict=True)
        ]
        caption = f"{self.hands:,} hands of {self.record.game.name}, {cards_text(self.seed)}"
        return html_table(("player", self.unit, "95%"), rows, caption)
