"""The result of a leaderboard from the pairs played: cross table, significant differences, ratings, ranks, JSON.

1. For every pair the mean with the interval of its sample (`stats.headline`). A board can be extended and played again
   with more hands, so tests and the guaranteed intervals beside it are valid at any stop.
2. For every pair whether the difference is significant, corrected for the number of pairs (Holm): among equal players
   the probability of any false claim on the whole board is below 5%. Each player's place is an interval that follows
   from these pairs only: players that are not separated share it.
3. Cycles among these decided pairs (`stats.intransitivity`): with a cycle, no linear order is meaningful.
4. Ratings in chips with the probability of every rank (`stats.ranking`), which also gives the order of the board.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from cardwin.arena.referee import Report
from cardwin.arena.stakes import Bounds, deal_bounds
from cardwin.core.arrays import Floats
from cardwin.games.holdem.game import HoldemGame
from cardwin.results.answers import (
    STATISTICS,
    estimate_answer,
    estimate_in,
    intervals_in,
    shown_answer,
    test_answer,
    test_in,
)
from cardwin.stats.comparisons import Comparison, compare, correct_all
from cardwin.stats.headline import METHOD, Intervals, intervals_of, mirrored
from cardwin.stats.intervals import Estimate, bounded_mean, estimate, exact_estimate
from cardwin.stats.intransitivity import Intransitivity, cycles_answer, intransitivity
from cardwin.stats.ranking import PairResult, Ranking, rank_players
from cardwin.stats.style import Style

CONDUCT = ("faults", "disqualified", "milliseconds", "forfeits")  # of a line

Cross = tuple[tuple[Intervals | None, ...], ...]


@dataclass(frozen=True)
class Pairing:
    """The chips that the first of two players won from the second in each deal; faults are in this order.

    `stakes` are the chips at stake in each deal, if known.
    """

    first: int
    second: int
    by_deal: Floats
    hands: int
    report: Report
    stakes: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def late(self) -> list[int]:
        """The deals with an answer after the time limit, which cannot be repeated."""
        per_deal = self.hands // len(self.by_deal)
        return sorted({(hand - 1) // per_deal for _, hand in self.report.late})


@dataclass(frozen=True)
class Line:
    """One player's line.

    It contains the mean result over all opponents, the rating and the probabilities (players,) of each rank, the style,
    the result against itself, the faults, an untrusted player's mean time per decision, and each opponent against whom
    it forfeited, with the reason.
    """

    spec: str
    score: Estimate
    rating: Estimate
    ranks: tuple[float, ...]
    style: Style
    control: Estimate
    faults: int
    disqualified: bool
    milliseconds: float | None = None
    forfeits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Leaderboard:
    """The whole board, its lines in the order of the specifications.

    `cross[i][j]` is the mean that player i won from player j, None for itself. `above[i][j]` is the probability that
    player i is rated above player j.
    """

    game: HoldemGame
    seed: int | None
    hands: int
    lines: tuple[Line, ...]
    cross: Cross
    tests: tuple[Comparison, ...]
    above: tuple[tuple[float, ...], ...]
    faults: tuple[str, ...]
    digest: str

    @property
    def order(self) -> list[int]:
        """The players from best to worst, by rating. Ties go to the lower index."""
        return sorted(range(len(self.lines)), key=lambda index: -self.lines[index].rating.mean)

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The first and the last place that each player can have, by the certain pairs.

        Disqualified players have the places after all others.
        """
        players, certain = range(len(self.lines)), self.certain
        ranked = [player for player in players if not self.lines[player].disqualified]
        better = [sum((other, player) in certain for other in ranked) for player in players]
        worse = [sum((player, other) in certain for other in ranked) for player in players]
        return tuple(
            (1 + better[player], len(ranked) - worse[player]) if player in ranked else (len(ranked) + 1, len(players))
            for player in players
        )

    @property
    def separation(self) -> str:
        """What the board orders, in one sentence."""
        pairs = f"{len(self.certain)} of {len(self.tests)} pairs differ at the 5% level, corrected for all pairs (Holm)"
        ranked = sum(not line.disqualified for line in self.lines)
        if not self.certain:
            return f"No order: {pairs}, so all {ranked} players share ranks {places_text((1, ranked))}."
        alone = sum(
            first == last for (first, last), line in zip(self.places, self.lines, strict=True) if not line.disqualified
        )
        return f"{pairs}; {alone} of {ranked} players have a rank of their own."

    @property
    def certain(self) -> frozenset[tuple[int, int]]:
        """The pairs (better, worse) that are significant at 5%, corrected for the number of pairs."""
        return frozenset(
            (test.first, test.second) if test.difference > 0 else (test.second, test.first)
            for test in self.tests
            if test.significant
        )

    @property
    def cycles(self) -> Intransitivity:
        """The cycles among the certain pairs; the example begins with the best-rated player of its cycle."""
        return intransitivity(len(self.lines), self.certain, self.order)

    @property
    def above_next(self) -> list[float]:
        """For every rank but the last, the probability that its player is rated above the next one."""
        return [self.above[player][lower] for player, lower in pairwise(self.order)]


def places_text(places: tuple[int, int]) -> str:
    """Return an interval of places as text, such as 1 to 3."""
    first, last = places
    return str(first) if first == last else f"{first} to {last}"


def cross_of(pairs: Sequence[Pairing], players: int, bounds: Bounds, unit: float, hands: int) -> Cross:
    """Return the mean that each player (row) won from each (column); pairs of fewer hands were stopped by results."""
    cross: list[list[Intervals | None]] = [[None] * players for _ in range(players)]
    for pair in pairs:
        stopped = pair.hands < hands
        mean = intervals_of(pair.by_deal, bounds, unit, pair.stakes, any_stop=True, stopped=stopped)
        cross[pair.first][pair.second], cross[pair.second][pair.first] = mean, mirrored(mean)
    return tuple(map(tuple, cross))


def overall(results: Sequence[Estimate]) -> Estimate:
    """Return the mean over opponents. Their matches are independent, so squared half-widths add on either side."""
    mean = sum(result.mean for result in results) / len(results)
    down = math.sqrt(sum((result.mean - result.low) ** 2 for result in results)) / len(results)
    up = math.sqrt(sum((result.high - result.mean) ** 2 for result in results)) / len(results)
    return estimate(mean, mean - down, mean + up, sum(result.n for result in results), "combined")


def control_of(pair: Pairing, bounds: Bounds, unit: float) -> Estimate:
    """Return a player's mean against itself: exactly zero if every deal was even."""
    if not pair.by_deal.any():
        return exact_estimate(0.0, len(pair.by_deal))
    return bounded_mean(pair.by_deal, bounds, unit, any_stop=True)


def tests_of(pairs: Sequence[Pairing], bounds: Bounds, unit: float) -> tuple[Comparison, ...]:
    """Return the comparison of every pair, valid at any stop and corrected for the number of pairs."""
    return tuple(
        correct_all([compare(pair.by_deal, pair.first, pair.second, bounds, unit, any_stop=True) for pair in pairs])
    )


def ranking_of(specs: Sequence[str], pairs: Sequence[Pairing], bounds: Bounds, unit: float) -> Ranking:
    """Return ratings and ranks. They do not depend on the order of the players."""
    order = sorted(range(len(specs)), key=lambda player: specs[player])
    index = {player: number for number, player in enumerate(order)}
    results = []
    for pair in pairs:
        mean = bounded_mean(pair.by_deal, bounds, unit)
        first, second = index[pair.first], index[pair.second]
        sign = 1 if first < second else -1
        results.append(PairResult(min(first, second), max(first, second), sign * mean.mean, mean.ci95 / 1.96))
    ranking = rank_players(results, len(specs))
    back = [index[player] for player in range(len(specs))]
    return Ranking(tuple(ranking.scores[i] for i in back), ranking.ranks[back], ranking.above[np.ix_(back, back)])


def board_from(
    game: HoldemGame,
    specs: Sequence[str],
    seed: int | None,
    hands: int,
    played: Sequence[Pairing],
    styles: Sequence[Style],
) -> Leaderboard:
    """Return the board of players whose pairs and controls were played."""
    pairs = sorted((pair for pair in played if pair.first != pair.second), key=lambda pair: (pair.first, pair.second))
    controls = [pair for pair in played if pair.first == pair.second]
    digest = hashlib.blake2b(digest_size=16)
    for pair in (*pairs, *controls):
        digest.update(np.delete(pair.by_deal, pair.late).tobytes())
    unit, bounds = game.chips_per_unit, deal_bounds(game, 2)
    cross = cross_of(pairs, len(specs), bounds, unit, hands)
    ranking = ranking_of(specs, pairs, bounds, unit)
    lines = [
        Line(
            spec,
            overall([cell.shown for cell in cross[player_id] if cell]),
            ranking.scores[player_id],
            tuple(ranking.ranks[player_id].tolist()),
            styles[player_id],
            control_of(controls[player_id], bounds, unit),
            sum(pair.report.faults[seat] for pair, seat in _seats(player_id, pairs)),
            any(pair.report.disqualified[seat] for pair, seat in _seats(player_id, pairs)),
            _milliseconds(player_id, (*pairs, *controls)),
            tuple(
                f"{specs[pair.second if seat == 0 else pair.first]}: {pair.report.forfeit(seat)}"
                for pair, seat in _seats(player_id, pairs)
                if pair.report.forfeit(seat)
            ),
        )
        for player_id, spec in enumerate(specs)
    ]
    faults = tuple(str(fault) for pair in (*pairs, *controls) for fault in pair.report.first[:2])
    tests = tests_of(pairs, bounds, unit)
    above = tuple(tuple(row) for row in ranking.above.tolist())
    return Leaderboard(game, seed, hands, tuple(lines), cross, tests, above, faults, digest.hexdigest())


def _seats(player_id: int, pairs: Sequence[Pairing]) -> Iterator[tuple[Pairing, int]]:
    """Yield the pairs of a player, each with its index in the pair; a control has both."""
    for pair in pairs:
        yield from ((pair, seat) for seat, player in enumerate((pair.first, pair.second)) if player == player_id)


def _milliseconds(player_id: int, pairs: Sequence[Pairing]) -> float | None:
    """Return an untrusted player's mean time per decision, over all its pairs."""
    timed = [(pair.report, seat) for pair, seat in _seats(player_id, pairs) if seat < len(pair.report.decisions)]
    decisions = sum(report.decisions[seat] for report, seat in timed)
    seconds = sum((report.seconds[seat] for report, seat in timed), 0.0)
    return round(1000 * seconds / decisions, 3) if decisions else None


def leaderboard_answer(board: Leaderboard) -> dict[str, Any]:
    """Return a leaderboard as JSON, players from best to worst."""
    players = [
        {
            "spec": line.spec,
            "places": list(board.places[index]),
            **estimate_answer(line.score),
            "unit": board.game.unit,
            "rating": estimate_answer(line.rating),
            "ranks": list(line.ranks),
            "style": asdict(line.style),
            "control": estimate_answer(line.control),
            **{name: getattr(line, name) for name in CONDUCT} | {"forfeits": list(line.forfeits)},
        }
        for index, line in ((index, board.lines[index]) for index in board.order)
    ]
    specs = [line.spec for line in board.lines]
    return {
        "game": board.game.name,
        "hands": board.hands,
        "separation": board.separation,
        "players": players,
        "cross": [[_cell_answer(board.cross[row][column]) for column in board.order] for row in board.order],
        "tests": [test_answer(specs, test) for test in board.tests],
        "above": [[board.above[row][column] for column in board.order] for row in board.order],
        "cycles": cycles_answer(board.cycles, specs),
        "method": METHOD,
        "statistics": STATISTICS,
        "faults": list(board.faults),
        "digest": board.digest,
    }


def _cell_answer(cell: Intervals | None) -> dict[str, Any] | None:
    return None if cell is None else shown_answer(cell)


def board_in(answer: dict[str, Any], game: HoldemGame) -> Leaderboard:
    """Return the board of an answer, its lines from best to worst."""
    players = answer["players"]
    lines = tuple(
        Line(
            spec=row["spec"],
            score=estimate_in(row),
            rating=estimate_in(row["rating"]),
            ranks=tuple(row["ranks"]),
            style=Style(**row["style"]),
            control=estimate_in(row["control"]),
            **{name: row[name] for name in CONDUCT[:-1]},
            forfeits=tuple(row.get("forfeits", ())),
        )
        for row in players
    )
    cross = tuple(tuple(cell and intervals_in(cell) for cell in row) for row in answer["cross"])
    tests = tuple(test_in([line.spec for line in lines], test) for test in answer["tests"])
    above = tuple(tuple(row) for row in answer["above"])
    about = answer["seed"], answer["hands"]
    return Leaderboard(game, *about, lines, cross, tests, above, tuple(answer["faults"]), answer["digest"])
