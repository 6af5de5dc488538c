"""Everybody against everybody, heads-up, in duplicate: a cross table, ratings, styles, and a control for each player.

1. Every pair plays so many hands, each deal in both seats; or until the better of the two is certain.
2. Every player also plays itself: whatever that control shows beside zero is luck, not skill.
3. Ratings come from the pairs' results cut into meetings, styles from some hands of every pair that are looked at.

A pair's luck comes from its names, so that a new player on the board changes nothing between the others.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from cardwin.arena.match import Match, makers_of, play_until_certain
from cardwin.arena.referee import Referee, Report
from cardwin.arena.styles import seen_hand
from cardwin.errors import InputError
from cardwin.games.holdem.game import HoldemGame
from cardwin.rng import key_of
from cardwin.stats.comparisons import Comparison, holm, paired_t
from cardwin.stats.intervals import Estimate, Floats, blocked, mean_interval
from cardwin.stats.ratings import Meeting, Rating, ratings
from cardwin.stats.style import SeenHand, Style, style_of

MEETINGS = 50  # of every pair, for the ratings
LOOKED_AT = 200  # hands of every pair, for the styles


@dataclass(frozen=True)
class Pairing:
    """What the first of two players won from the second, a deal; faults are theirs in this order."""

    first: int
    second: int
    by_deal: Floats
    hands: int
    report: Report

    @property
    def late(self) -> list[int]:
        """The deals with an answer too late, which cannot be repeated."""
        per_deal = self.hands // len(self.by_deal)
        return sorted({(hand - 1) // per_deal for _, hand in self.report.late})


@dataclass(frozen=True)
class Line:
    """One player's line: its mean over all opponents, its rating and style, and what it won against itself."""

    spec: str
    score: Estimate
    rating: Rating
    style: Style
    control: Estimate
    faults: int
    disqualified: bool


@dataclass(frozen=True)
class Leaderboard:
    """The whole board. `cross[i][j]` is what player i won from player j, or None for itself; lines in given order."""

    game: HoldemGame
    seed: int
    hands: int
    lines: tuple[Line, ...]
    cross: tuple[tuple[Estimate | None, ...], ...]
    tests: tuple[Comparison, ...]
    faults: tuple[str, ...]
    digest: str

    @property
    def order(self) -> list[int]:
        """The players from best to worst."""
        return sorted(range(len(self.lines)), key=lambda place: -self.lines[place].score.mean)


@dataclass(frozen=True)
class Meetings:
    """Who meets whom, and how: everybody everybody else, and everybody itself as a control."""

    game: HoldemGame
    specs: tuple[str, ...]
    hands: int
    seed: int
    until_certain: bool = False
    limit: float | None = None

    def __post_init__(self) -> None:
        if len(self.specs) < 2:
            raise InputError("a leaderboard needs at least two players")
        if twice := [spec for place, spec in enumerate(self.specs) if spec in self.specs[:place]]:
            raise InputError(f"{twice[0]} is named twice: each player stands on the board once, its control included")

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs, then the controls."""
        places = range(len(self.specs))
        return [*combinations(places, 2), *((place, place) for place in places)]

    def play(self, first: int, second: int, workers: int = 1) -> Pairing:
        """Let two meet."""
        names = self.specs[first], self.specs[second]
        referee = Referee(names, self.limit)
        key = key_of(self.seed, "pair", *names)
        played = Match(self.game, makers_of(names), key, duplicate=True, workers=workers, referee=referee)
        if self.until_certain and first != second:
            play_until_certain(played, self.hands)
        else:
            played.play(self.hands)
        won = blocked(played.chips, len(played.seating))[:, 0]
        return Pairing(first, second, won, len(played.chips), referee.report())


def leaderboard(game: HoldemGame, specs: Sequence[str], hands: int, seed: int, *, until_certain: bool = False,
                workers: int = 1, limit: float | None = None) -> Leaderboard:  # fmt: skip
    """Play everybody against everybody and against themselves, `hands` hands for each pair."""
    meetings = Meetings(game, tuple(specs), hands, seed, until_certain, limit)
    played = [meetings.play(*pair, workers) for pair in meetings.pairs]
    seen = [hand for pair in played if pair.first != pair.second for hand in look_at(game, specs, pair, seed)]
    return board_of(meetings, played, seen)


def look_at(game: HoldemGame, specs: Sequence[str], pair: Pairing, seed: int) -> list[SeenHand]:
    """Some hands of a pair, decision by decision; players by their numbers on the board."""
    seen: list[SeenHand] = []
    names, numbers = (specs[pair.first], specs[pair.second]), (pair.first, pair.second)
    played = Match(game, makers_of(names), key_of(seed, "style", *names), referee=Referee(names),
                   on_hand=lambda _, table, events: seen.append(seen_hand(table, events)))  # fmt: skip
    played.play(LOOKED_AT)
    return [_renumbered(hand, numbers) for hand in seen]


def _renumbered(hand: SeenHand, numbers: tuple[int, int]) -> SeenHand:
    return SeenHand(
        tuple(numbers[player] for player in hand.players),
        tuple(replace(one, player=numbers[one.player]) for one in hand.decisions),
        tuple(numbers[player] for player in hand.shown),
    )


def board_of(meetings: Meetings, played: Sequence[Pairing], seen: Sequence[SeenHand]) -> Leaderboard:
    """The board that pairs, controls and looked-at hands make."""
    game, specs = meetings.game, meetings.specs
    pairs = [pair for pair in played if pair.first != pair.second]
    controls = [pair for pair in played if pair.first == pair.second]
    unit = game.chips_per_unit
    cross: list[list[Estimate | None]] = [[None] * len(specs) for _ in specs]
    for pair in pairs:
        one = mean_interval(pair.by_deal, unit)
        cross[pair.first][pair.second] = one
        cross[pair.second][pair.first] = replace(one, mean=0.0 - one.mean, low=-one.high, high=-one.low)
    skills = ratings(meetings_of(pairs), len(specs))
    lines = [
        Line(
            spec, overall([cell for cell in cross[place] if cell]), skills[place], style_of(place, seen),
            mean_interval(controls[place].by_deal, unit), _faults(place, pairs), _out(place, pairs),
        )
        for place, spec in enumerate(specs)
    ]  # fmt: skip
    faults = tuple(str(fault) for pair in (*pairs, *controls) for fault in pair.report.first[:2])
    digest = hashlib.blake2b(digest_size=16)
    for pair in (*pairs, *controls):
        digest.update(np.delete(pair.by_deal, pair.late).tobytes())
    table, tests = tuple(map(tuple, cross)), tests_of(pairs, unit)
    return Leaderboard(game, meetings.seed, meetings.hands, tuple(lines), table, tests, faults, digest.hexdigest())


def overall(results: Sequence[Estimate]) -> Estimate:
    """The mean over opponents; their matches are independent, so variances add."""
    mean = sum(one.mean for one in results) / len(results)
    half = math.sqrt(sum(one.ci95**2 for one in results)) / len(results)
    return Estimate(mean, half, mean - half, mean + half, sum(one.n for one in results), "sum")


def tests_of(pairs: Sequence[Pairing], unit: float) -> tuple[Comparison, ...]:
    """For every pair, whether what passed between them is beyond luck, corrected for the number of pairs."""
    outcomes = [paired_t(pair.by_deal) for pair in pairs]
    corrected = holm([p for _, p in outcomes])
    return tuple(
        Comparison(pair.first, pair.second, estimate.mean, estimate.ci95, t, p, fair, estimate.n)
        for pair, (t, p), fair in zip(pairs, outcomes, corrected, strict=True)
        for estimate in [mean_interval(pair.by_deal, unit)]
    )


def meetings_of(pairs: Sequence[Pairing]) -> list[Meeting]:
    """The pairs' deals cut into meetings, the pairs taking turns."""
    parts = [[float(part.sum()) for part in np.array_split(pair.by_deal, MEETINGS) if len(part)] for pair in pairs]
    return [
        Meeting((pair.first, pair.second), (won[number], -won[number]))
        for number in range(MEETINGS)
        for pair, won in zip(pairs, parts, strict=True)
        if number < len(won)
    ]


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
