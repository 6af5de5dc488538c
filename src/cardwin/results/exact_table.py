"""Exact round robin of policies of a small game: expected values over all deals, without noise.

The result of a pair is what the first of two wins a hand if each sits in each seat half of the time; a player's score
is its mean against all the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import cardwin
from cardwin.core.errors import InputError
from cardwin.core.trainer import digest_of
from cardwin.games import is_holdem
from cardwin.solvers import exact
from cardwin.stats.intransitivity import Intransitivity, cycles_answer, intransitivity

MOST_POLICIES = 100


@dataclass(frozen=True)
class ExactTable:
    """The game and its players; `won[i][j]` is what i wins from j a hand, in chips, and `order` the best first."""

    game: str
    specs: tuple[str, ...]
    won: tuple[tuple[Fraction, ...], ...]

    @property
    def scores(self) -> tuple[Fraction, ...]:
        """The mean against all the others."""
        return tuple(sum(row, Fraction(0)) / (len(row) - 1) for row in self.won)

    @property
    def order(self) -> list[int]:
        """Indices of the players, the best first."""
        return sorted(range(len(self.specs)), key=lambda place: -self.scores[place])

    @property
    def cycles(self) -> Intransitivity:
        """The cycles among the pairs; a pair is decided unless it is exactly even."""
        players = range(len(self.specs))
        beats = ((i, j) for i in players for j in players if self.won[i][j] > 0)
        return intransitivity(len(players), beats, self.order)

    def answer(self) -> dict[str, Any]:
        """Return the table as JSON."""
        players = [
            {
                "spec": spec,
                "mean": float(score),
                "fraction": exact.short_fraction(score),
                "ci95": 0.0,
                "unit": "chips",
                "method": "exact",
            }
            for spec, score in zip(self.specs, self.scores, strict=True)
        ]
        cross = [[float(one) for one in row] for row in self.won]
        digest = digest_of(self.game, *self.specs, *(one for row in cross for one in row)).hex()
        return {
            "game": self.game,
            "hands": None,
            "players": players,
            "cross": cross,
            "order": self.order,
            "cycles": cycles_answer(self.cycles, self.specs),
            "method": "exact: all deals in both seats are enumerated",
            "digest": digest,
        }


def exact_table(game: str, specs: Sequence[str]) -> ExactTable:
    """Every policy against every other, in both seats."""
    rules = cardwin.game(game)
    if is_holdem(rules):
        raise InputError(f"{game} has no exact table: play it with cardwin leaderboard")
    if not 2 <= len(specs) <= MOST_POLICIES:
        raise InputError(f"{len(specs)} policies: from 2 to {MOST_POLICIES} can be compared")
    policies = [cardwin.policy(rules, spec) for spec in specs]
    tree = policies[0].tree
    seats = [(one.exact(0), one.exact(1)) for one in policies]
    first = [[exact.value(tree, one[0], other[1]) for other in seats] for one in seats]
    won = tuple(tuple((first[i][j] - first[j][i]) / 2 for j in range(len(specs))) for i in range(len(specs)))
    return ExactTable(rules.name, tuple(specs), won)
