"""Printed values of the dissertation, read from published.toml: winnings, tables of chromosomes, sums."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Case:
    """The counter-strategy to one model in one seat (0, 1), and the winnings of its fittest, if printed."""

    model: str
    seat: int
    won: float | None = None
    table: str | None = None

    @property
    def marks(self) -> list[str] | None:
        """The table, gene by gene."""
        return None if self.table is None else self.table.replace("/", " ").split()


@dataclass(frozen=True)
class Variant:
    """A game of the dissertation, its section, and its counter-strategies."""

    game: str
    section: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Player:
    """A printed chromosome, the seat it was evolved for, and its winnings against models: on average, up to."""

    name: str
    seat: int
    genes: str
    against: dict[str, tuple[float, float]]


_DATA: dict[str, Any] = tomllib.loads((files(__package__) / "published.toml").read_text(encoding="utf-8"))
EARNINGS, EARNINGS_ONCE_REACHED, CALL_RATES = _DATA["earnings"], _DATA["reached"], _DATA["called"]
ADVANTAGES, DECEPTIONS = _DATA["advantages"], _DATA["deceptions"]
COEVOLVED_TABLES: dict[str, list[str]] = _DATA["coevolved_tables"]
KUHN, BREADTH_2, BREADTH, DEPTH, FULL = (
    Variant(row["game"], row["section"], tuple(Case(**case) for case in row["cases"])) for row in _DATA["variant"]
)
COEVOLVED_1, COEVOLVED_2, MIXED_1 = (Player(**row) for row in _DATA["player"])
BEST_AGAINST_CALLER = ".01,.98,.97,0,.87,1"  # Appendix A: the fittest against Caller, which won .59
BLUFF, SANDBAG = "bluffs", "sandbags"  # bets the lowest card, checks the highest
