"""Round robin in a small game in which other people's programs sit: sampled by play, exact between two policies.

Every pair with a program plays the same number of deals. In deal n a player's sample is the mean of its results in deal
n of all its pairs, so that its score, the mean against all the others, has the interval of the mean of independent
samples. `exact_table` compares policies alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from cardwin.arena.referee import NO_FAULTS, Report, merge_reports
from cardwin.arena.small_match import SmallMatchRecord, small_match
from cardwin.core.errors import InputError
from cardwin.core.rng import key_of
from cardwin.core.trainer import digest_of
from cardwin.games.base import Game
from cardwin.games.small.observation import shape_of
from cardwin.players.specs import Untrusted, is_untrusted
from cardwin.results.answers import STATISTICS, conduct_answer, estimate_answer
from cardwin.results.exact_table import MAX_POLICIES, exact_table
from cardwin.stats.intervals import METHODS, Estimate, bounded_mean, exact_estimate

UNIT = "chips/h"


@dataclass(frozen=True)
class ProgramTable:
    """The players and their scores; `won[i][j]` is what i wins from j a hand, None for i itself.

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

    def answer(self) -> dict[str, Any]:
        """Return the table as JSON."""
        players = [
            {"spec": spec, **estimate_answer(score), "unit": UNIT, **conduct_answer(self.report, player)}
            for player, (spec, score) in enumerate(zip(self.specs, self.scores, strict=True))
        ]
        cross = [[None if mean is None else estimate_answer(mean) for mean in row] for row in self.won]
        secrets = [block for record in self.records for block in record.secrets]
        return {
            "game": self.game, "hands": self.hands, "seed": self.seed, "players": players, "cross": cross,
            "order": self.order, "per_deal": self.records[0].per_deal, "method": self.method, "statistics": STATISTICS,
            "faults": [str(fault) for fault in self.report.first],
            "secrets": [{"commitment": block.commitment, "secret": block.secret} for block in secrets],
            "digest": digest_of(self.game, *self.specs, *(record.digest for record in self.records)).hex(),
        }  # fmt: skip


def program_table(
    game: Game,
    specs: Sequence[str],
    hands: int,
    seed: int | None,
    duplicate: bool,
    untrusted: Untrusted,
    progress: Callable[[int], None] | None = None,
) -> ProgramTable:
    """Every player against every other, `hands` hands a pair; two policies have their exact value."""
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
        report, faults=spread(report.faults, 0), disqualified=spread(report.disqualified, False),
        restarts=spread(report.restarts, 0), decisions=spread(report.decisions, 0),
        seconds=spread(report.seconds, 0.0), forfeits=spread(report.forfeits, ""),
    )  # fmt: skip
