"""Round robins in a small game: exact between policies, sampled by play if other people's programs sit in it.

**Exact**: expected values over all deals, without noise. The result of a pair is the mean chips per hand of the first
of two players if each sits in each seat half of the time. A player's score is its mean against all the others.

**Sampled**, with programs: only the result between two policies is exact. Every pair with a program plays the same
number of deals. In deal n a player's sample is the mean of its results in deal n of all its pairs, so that its score,
the mean against all the others, has the interval of the mean of independent samples.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

import cardwin
from cardwin.arena.referee import NO_FAULTS, Report, merge_reports
from cardwin.arena.small_match import SmallMatchRecord, small_match
from cardwin.core.errors import InputError
from cardwin.core.rng import key_of
from cardwin.core.trainer import digest_of
from cardwin.games import is_holdem
from cardwin.games.base import Game
from cardwin.games.small.observation import shape_of
from cardwin.players.specs import Untrusted, is_untrusted
from cardwin.results.answers import STATISTICS, conduct_answer, estimate_answer
from cardwin.solvers import exact
from cardwin.stats.headline import deals_for
from cardwin.stats.intervals import METHODS, Estimate, bounded_mean, exact_estimate
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
        return tuple((sum(row, Fraction(0)) - row[player]) / (len(row) - 1) for player, row in enumerate(self.won))

    @property
    def order(self) -> list[int]:
        """Indices of the players, the best first."""
        return sorted(range(len(self.specs)), key=lambda index: -self.scores[index])

    @property
    def cycles(self) -> Intransitivity:
        """The cycles among the pairs. A pair is decided unless it is exactly even."""
        players = range(len(self.specs))
        beats = ((i, j) for i in players for j in players if self.won[i][j] > self.won[j][i])
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
    first, second = (
        [[exact.value(tree, player[0], other[1], seat) for other in seats] for player in seats]
        if seat == 0 or not tree.terminals.zero_sum
        else []
        for seat in (0, 1)
    )
    second = second or [[-chips for chips in row] for row in first]
    won = tuple(tuple((first[i][j] + second[j][i]) / 2 for j in range(len(specs))) for i in range(len(specs)))
    return ExactTable(rules.name, tuple(specs), won)


UNIT = "chips/h"


@dataclass(frozen=True)
class ProgramTable:
    """The players and their scores; `won[i][j]` is what i wins from j per hand, None for i itself.

    `records` are the matches of pairs that were played, `report` has the faults of all of them.
    """

    game: str
    specs: tuple[str, ...]
    hands: int
    seed: int | None
    scores: tuple[Estimate, ...]
    won: tuple[tuple[Estimate | None, ...], ...]
    records: tuple[SmallMatchRecord, ...]
    report: Report

    @property
    def order(self) -> list[int]:
        """Indices of the players, the best first."""
        return sorted(range(len(self.specs)), key=lambda player: -self.scores[player].mean)

    @property
    def method(self) -> str:
        """The method of the intervals."""
        return METHODS["fixed"]

    def plan(self, margin: float) -> dict[str, Any]:
        """Return as JSON how many hands narrow the interval of every played pair to a half-width."""
        if not 0 < margin < math.inf:
            raise InputError(f"expected a margin above 0, got {margin}")
        pairs = [{"specs": list(record.specs), "hands": _needed(record, margin)} for record in self.records]
        about = {"game": self.game, "seed": self.seed, "pilot_hands": self.hands, "margin": margin, "unit": UNIT}
        return about | {"pairs": pairs, "statistics": STATISTICS}

    def answer(self) -> dict[str, Any]:
        """Return the table as JSON."""
        players = [
            {"spec": spec, **estimate_answer(score), "unit": UNIT, **conduct_answer(self.report, player)}
            for player, (spec, score) in enumerate(zip(self.specs, self.scores, strict=True))
        ]
        cross = [[None if mean is None else estimate_answer(mean) for mean in row] for row in self.won]
        secrets = [block for record in self.records for block in record.secrets]
        return {
            "game": self.game,
            "hands": self.hands,
            "seed": self.seed,
            "players": players,
            "cross": cross,
            "order": self.order,
            "per_deal": self.records[0].per_deal,
            "method": self.method,
            "statistics": STATISTICS,
            "faults": [str(fault) for fault in self.report.first],
            "secrets": [{"commitment": block.commitment, "secret": block.secret} for block in secrets],
            "digest": digest_of(self.game, *self.specs, *(record.digest for record in self.records)).hex(),
        }


def _needed(record: SmallMatchRecord, margin: float) -> int:
    """Return the hands after which a pair's interval has this half-width, with a probability of 90%."""
    stake = float(shape_of(record.game).max_chips)
    return deals_for(record.by_deal[:, 0], (-stake, stake), margin, guaranteed=True) * record.per_deal


def program_table(
    game: Game,
    specs: Sequence[str],
    hands: int,
    seed: int | None,
    duplicate: bool,
    untrusted: Untrusted,
    progress: Callable[[int], None] | None = None,
) -> ProgramTable:
    """Compare every player with every other over `hands` hands per pair; two policies have their exact value."""
    count = len(specs)
    if not 2 <= count <= MAX_POLICIES:
        raise InputError(f"expected from 2 to {MAX_POLICIES} players, got {count}")
    stake = float(shape_of(game).max_chips)
    won: list[list[Estimate | None]] = [[None] * count for _ in specs]
    samples: list[list[Any]] = [[] for _ in specs]
    records, reports = [], []
    for pair in combinations(range(count), 2):
        names = [specs[player] for player in pair]
        if any(map(is_untrusted, names)):
            pair_seed = None if seed is None else key_of(seed, "pair", *pair)
            record = small_match(game, names, hands, pair_seed, duplicate, untrusted, progress)
            records.append(record)
            reports.append(_of_all(record.report, pair, count))
            results = [record.by_deal[:, index] for index in (0, 1)]
            estimates = [bounded_mean(result, (-stake, stake)) for result in results]
        else:
            value = float(exact_table(game.name, names).won[0][1])
            results = [np.array(value), np.array(-value)]
            estimates = [exact_estimate(value, hands), exact_estimate(-value, hands)]
        for index, player in enumerate(pair):
            won[player][pair[1 - index]] = estimates[index]
            samples[player].append(results[index])
    scores = tuple(_score(sample, hands, stake) for sample in samples)
    report = merge_reports(reports) if reports else NO_FAULTS
    return ProgramTable(game.name, tuple(specs), hands, seed, scores, tuple(map(tuple, won)), tuple(records), report)


def _score(samples: Sequence[Any], hands: int, stake: float) -> Estimate:
    """Return a player's mean over its pairs; samples are (deals,), or () if a pair's value is exact."""
    mean = sum(samples[1:], samples[0]) / len(samples)
    return bounded_mean(mean, (-stake, stake)) if mean.ndim else exact_estimate(float(mean), hands)


def _of_all(report: Report, pair: tuple[int, int], count: int) -> Report:
    """Return the report of a pair with an entry for every player."""

    def spread(values: Sequence[Any], empty: Any) -> tuple[Any, ...]:
        entries = dict(zip(pair, values, strict=False))
        return tuple(entries.get(player, empty) for player in range(count))

    return replace(
        report,
        faults=spread(report.faults, 0),
        disqualified=spread(report.disqualified, False),
        restarts=spread(report.restarts, 0),
        decisions=spread(report.decisions, 0),
        seconds=spread(report.seconds, 0.0),
        forfeits=spread(report.forfeits, ""),
    )
