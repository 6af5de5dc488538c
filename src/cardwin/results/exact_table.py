"""Exact round robin of policies of a small game: expected values over all deals, without noise.

The result of a pair is the mean chips per hand of the first of two players if each sits in each seat half of the time.
A player's score is its mean against all the others.
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

MAX_POLICIES = 100


@dataclass(frozen=True)
class ExactTable:
    """The game and its players; `won[i][j]` are the chips per hand that i wins from j; `order` has the best first."""

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
        return sorted(range(len(self.specs)), key=lambda index: -self.scores[index])

    @property
    def cycles(self) -> Intransitivity:
        """The cycles among the pairs. A pair is decided unless it is exactly even."""
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
        cross = [list(map(float, row)) for row in self.won]
        digest = digest_of(self.game, *self.specs, *(chips for row in cross for chips in row)).hex()
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
    """Return the exact round robin of policies, each against every other in both seats.

    Raises:
        InputError: If the game is hold'em, or the number of policies is out of range.

    """
    rules = cardwin.game(game)
    if is_holdem(rules):
        raise InputError(f"expected a small game, got {game}: its leaderboard is played, not exact")
    if not 2 <= len(specs) <= MAX_POLICIES:
        raise InputError(f"expected 2 to {MAX_POLICIES} policies, got {len(specs)}")
    policies = [cardwin.policy(rules, spec) for spec in specs]
    tree = policies[0].tree
    seats = [(player.exact(0), player.exact(1)) for player in policies]
    first = [[exact.value(tree, player[0], other[1]) for other in seats] for player in seats]
    won = tuple(tuple((first[i][j] - first[j][i]) / 2 for j in range(len(specs))) for i in range(len(specs)))
    return ExactTable(rules.name, tuple(specs), won)
