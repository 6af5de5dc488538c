"""The result of a leaderboard from the pairs played: cross table, significant differences, ratings, ranks, JSON.

1. For every pair the mean with its interval. A board can be extended and played again with more hands, so intervals
   and tests are valid at any stop; the interval for a number of hands declared before play is beside it.
2. For every pair whether the difference is significant, corrected for the number of pairs: among equal players the
   probability of any false claim on the whole board is below 5%.
3. Cycles among these decided pairs (`stats.intransitivity`): where there are some, no linear order is meaningful.
4. Ratings in chips with the probability of every rank (`stats.ranking`), which also gives the order of the board.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from cardwin.arena.referee import Report
from cardwin.arena.stakes import Bounds, deal_bounds
from cardwin.core.arrays import Floats
from cardwin.games.holdem.game import HoldemGame
from cardwin.results.answers import STATISTICS, estimate_answer, estimate_in, test_answer, test_in
from cardwin.stats.comparisons import Comparison, compare, correct_all
from cardwin.stats.intervals import METHODS, Estimate, bounded_mean, estimate, exact_estimate
from cardwin.stats.intransitivity import Intransitivity, cycles_answer, intransitivity
from cardwin.stats.ranking import PairResult, Ranking, rank_players
from cardwin.stats.style import Style

CONDUCT = ("faults", "disqualified", "milliseconds")  # of a line

Cross = tuple[tuple[Estimate | None, ...], ...]


@dataclass(frozen=True)
class Pairing:
    """What the first of two players won from the second in each deal; faults are theirs in this order."""

    first: int
    second: int
    by_deal: Floats
    hands: int
    report: Report

    @property
    def late(self) -> list[int]:
        """The deals with an answer after the time limit, which cannot be repeated."""
        per_deal = self.hands // len(self.by_deal)
        return sorted({(hand - 1) // per_deal for _, hand in self.report.late})


@dataclass(frozen=True)
class Line:
    """One player's line: its mean result over all opponents, its rating and the probabilities (players,) of each
    rank, its style, its result against itself, its faults, and for an untrusted player its mean time for a decision.
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


@dataclass(frozen=True)
class Leaderboard:
    """The whole board. `cross[i][j]` is what player i won from player j, or None for itself; lines in given order.

    `fixed` is the same with intervals for a number of hands declared before play.
    `above[i][j]` is the probability that player i is rated above player j.
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
    fixed: Cross

    @property
    def order(self) -> list[int]:
        """The players from best to worst, by rating; equal ones as given."""
        return sorted(range(len(self.lines)), key=lambda place: -self.lines[place].rating.mean)

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
        return [self.above[one][other] for one, other in zip(self.order, self.order[1:], strict=False)]

    @property
    def method(self) -> str:
        """The method of the cross table's intervals, in one sentence."""
        return METHODS[next(one for row in self.cross for one in row if one is not None).method]


def cross_of(pairs: Sequence[Pairing], players: int, bounds: Bounds, unit: float, any_stop: bool) -> Cross:
    """Return what each player (row) won from each (column)."""
    cross: list[list[Estimate | None]] = [[None] * players for _ in range(players)]
    for pair in pairs:
        one = bounded_mean(pair.by_deal, bounds, unit, any_stop=any_stop)
        cross[pair.first][pair.second] = one
        cross[pair.second][pair.first] = replace(one, mean=0.0 - one.mean, low=-one.high, high=-one.low)
    return tuple(map(tuple, cross))


def overall(results: Sequence[Estimate]) -> Estimate:
    """Return the mean over opponents; their matches are independent, so squared half-widths add on either side."""
    mean = sum(one.mean for one in results) / len(results)
    down = math.sqrt(sum((one.mean - one.low) ** 2 for one in results)) / len(results)
    up = math.sqrt(sum((one.high - one.mean) ** 2 for one in results)) / len(results)
    return estimate(mean, mean - down, mean + up, sum(one.n for one in results), "combined")


def control_of(pair: Pairing, bounds: Bounds, unit: float) -> Estimate:
    """Return what a player won against itself: exactly zero if every deal was even."""
    if not pair.by_deal.any():
        return exact_estimate(0.0, len(pair.by_deal))
    return bounded_mean(pair.by_deal, bounds, unit, any_stop=True)


def tests_of(pairs: Sequence[Pairing], bounds: Bounds, unit: float) -> tuple[Comparison, ...]:
    """For every pair, whether the difference is significant at any stop, corrected for the number of pairs."""
    return tuple(
        correct_all([compare(pair.by_deal, pair.first, pair.second, bounds, unit, any_stop=True) for pair in pairs])
    )


def ranking_of(specs: Sequence[str], pairs: Sequence[Pairing], bounds: Bounds, unit: float) -> Ranking:
    """Ratings and ranks; they do not depend on the order in which players are named."""
    order = sorted(range(len(specs)), key=lambda player: specs[player])
    place = {player: number for number, player in enumerate(order)}
    results = []
    for pair in pairs:
        one = bounded_mean(pair.by_deal, bounds, unit)
        first, second = place[pair.first], place[pair.second]
        sign = 1 if first < second else -1
        results.append(PairResult(min(first, second), max(first, second), sign * one.mean, one.ci95 / 1.96))
    found = rank_players(results, len(specs))
    back = [place[player] for player in range(len(specs))]
    return Ranking(tuple(found.scores[i] for i in back), found.ranks[back], found.above[np.ix_(back, back)])


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
    cross, fixed = (cross_of(pairs, len(specs), bounds, unit, any_stop) for any_stop in (True, False))
    ranking = ranking_of(specs, pairs, bounds, unit)
    lines = [
        Line(
            spec,
            overall([cell for cell in cross[place] if cell]),
            ranking.scores[place],
            tuple(ranking.ranks[place].tolist()),
            styles[place],
            control_of(controls[place], bounds, unit),
            _faults(place, pairs),
            _out(place, pairs),
            _milliseconds(place, (*pairs, *controls)),
        )
        for place, spec in enumerate(specs)
    ]
    faults = tuple(str(fault) for pair in (*pairs, *controls) for fault in pair.report.first[:2])
    tests = tests_of(pairs, bounds, unit)
    above = tuple(tuple(row) for row in ranking.above.tolist())
    return Leaderboard(game, seed, hands, tuple(lines), cross, tests, above, faults, digest.hexdigest(), fixed)


def _faults(place: int, pairs: Sequence[Pairing]) -> int:
    return sum(
        count
        for pair in pairs
        for who, count in zip((pair.first, pair.second), pair.report.faults, strict=True)
        if who == place
    )


def _out(place: int, pairs: Sequence[Pairing]) -> bool:
    return any(
        out
        for pair in pairs
        for who, out in zip((pair.first, pair.second), pair.report.disqualified, strict=True)
        if who == place
    )


def _milliseconds(place: int, pairs: Sequence[Pairing]) -> float | None:
    """Return an untrusted player's mean time for a decision, over all its pairs."""
    asked, seconds = 0, 0.0
    for pair in pairs:
        for who, count, took in zip(
            (pair.first, pair.second), pair.report.decisions, pair.report.seconds, strict=False
        ):
            asked, seconds = (asked + count, seconds + took) if who == place else (asked, seconds)
    return round(1000 * seconds / asked, 3) if asked else None


def leaderboard_answer(board: Leaderboard) -> dict[str, Any]:
    """Return a leaderboard as JSON, players from best to worst."""
    players = [
        {
            "spec": line.spec,
            **estimate_answer(line.score),
            "unit": board.game.unit,
            "rating": estimate_answer(line.rating),
            "ranks": list(line.ranks),
            "style": asdict(line.style),
            "control": estimate_answer(line.control),
            **{name: getattr(line, name) for name in CONDUCT},
        }
        for line in (board.lines[place] for place in board.order)
    ]
    specs = [line.spec for line in board.lines]
    return {
        "game": board.game.name,
        "hands": board.hands,
        "players": players,
        "cross": [[_cell_answer(board, row, column) for column in board.order] for row in board.order],
        "tests": [test_answer(specs, test) for test in board.tests],
        "above": [[board.above[row][column] for column in board.order] for row in board.order],
        "cycles": cycles_answer(board.cycles, specs),
        "method": board.method,
        "statistics": STATISTICS,
        "faults": list(board.faults),
        "digest": board.digest,
    }


def _cell_answer(board: Leaderboard, row: int, column: int) -> dict[str, Any] | None:
    """One cell of the cross table: its any-stop interval, and the one for hands declared before play."""
    stopped, fixed = board.cross[row][column], board.fixed[row][column]
    if stopped is None or fixed is None:
        return None
    both = {"fixed": estimate_answer(fixed), "any_stop": estimate_answer(stopped)}
    return estimate_answer(stopped) | {"intervals": both}


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
            **{name: row[name] for name in CONDUCT},
        )
        for row in players
    )
    cross, fixed = (
        tuple(tuple(cell and estimate_in(cell["intervals"][kind]) for cell in row) for row in answer["cross"])
        for kind in ("any_stop", "fixed")
    )
    tests = tuple(test_in([line.spec for line in lines], test) for test in answer["tests"])
    above = tuple(tuple(row) for row in answer["above"])
    about = answer["seed"], answer["hands"]
    return Leaderboard(game, *about, lines, cross, tests, above, tuple(answer["faults"]), answer["digest"], fixed)
