"""Everybody against everybody, heads-up, in duplicate: a cross table, ratings, styles, and a control for each player.

1. Every pair plays so many hands, each deal in both seats; or until the better of the two is certain, for as many pairs
   as there are.
2. Every player also plays itself: whatever that control shows beside zero is luck, not skill.
3. `standings` makes the board of it; styles come from some hands of every pair that are looked at.

A pair's luck comes from its names, so that a new player on the board changes nothing between the others; and pairs are
played in the order in which the later of the two was named, so that a board is the beginning of any larger one.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cardwin.arena.match import Match, makers_of, play_until_certain
from cardwin.arena.referee import Referee
from cardwin.arena.styles import seen_hand
from cardwin.errors import InputError
from cardwin.games.holdem.game import HoldemGame
from cardwin.lab.standings import Leaderboard, Pairing, board_from
from cardwin.rng import key_of
from cardwin.stats.intervals import blocked
from cardwin.stats.style import SeenHand, style_of

LOOKED_AT = 200  # hands of every pair, for the styles


@dataclass(frozen=True)
class Meetings:
    """Who meets whom, and how: everybody everybody else, and everybody itself as a control."""

    game: HoldemGame
    specs: tuple[str, ...]
    hands: int
    seed: int
    until_certain: bool = False
    limit: float | None = None
    isolated: bool = False

    def __post_init__(self) -> None:
        if len(self.specs) < 2:
            raise InputError("a leaderboard needs at least two players")
        if twice := [spec for place, spec in enumerate(self.specs) if spec in self.specs[:place]]:
            raise InputError(f"{twice[0]} is named twice: each player stands on the board once, its control included")

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Player by player: each against everybody named before, then against itself."""
        return [(first, second) for second in range(len(self.specs)) for first in range(second + 1)]

    def play(self, first: int, second: int, workers: int = 1) -> Pairing:
        """Let two meet."""
        names = self.specs[first], self.specs[second]
        referee = Referee(names, self.limit)
        key = key_of(self.seed, "pair", *names)
        makers = makers_of(names, self.isolated, self.limit)
        played = Match(self.game, makers, key, duplicate=True, workers=workers, referee=referee)
        if self.until_certain and first != second:
            play_until_certain(played, self.hands, pairs=len(self.pairs) - len(self.specs))
        else:
            played.play(self.hands)
        won = blocked(played.chips, played.per_deal)[:, 0]
        return Pairing(first, second, won, len(played.chips), referee.report())


def leaderboard(game: HoldemGame, specs: Sequence[str], hands: int, seed: int, *, until_certain: bool = False,
                workers: int = 1, limit: float | None = None, isolated: bool = False) -> Leaderboard:  # fmt: skip
    """Play everybody against everybody and against themselves, `hands` hands for each pair."""
    meetings = Meetings(game, tuple(specs), hands, seed, until_certain, limit, isolated)
    played = [meetings.play(*pair, workers) for pair in meetings.pairs]
    seen = [hand for pair in played if pair.first != pair.second for hand in look_at(meetings, pair)]
    return board_of(meetings, played, seen)


def look_at(meetings: Meetings, pair: Pairing) -> list[SeenHand]:
    """Some hands of a pair, decision by decision; players by their numbers on the board."""
    seen: list[SeenHand] = []
    names, numbers = (meetings.specs[pair.first], meetings.specs[pair.second]), (pair.first, pair.second)
    makers = makers_of(names, meetings.isolated, meetings.limit)
    played = Match(meetings.game, makers, key_of(meetings.seed, "style", *names), referee=Referee(names),
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
    pairs = sorted((pair for pair in played if pair.first != pair.second), key=lambda pair: (pair.first, pair.second))
    controls = [pair for pair in played if pair.first == pair.second]
    digest = hashlib.blake2b(digest_size=16)
    for pair in (*pairs, *controls):
        digest.update(np.delete(pair.by_deal, pair.late).tobytes())
    styles = [style_of(place, seen) for place in range(len(meetings.specs))]
    return board_from(
        meetings.game, meetings.specs, meetings.seed, meetings.hands, pairs, controls, styles, digest.hexdigest(),
        any_stop=meetings.until_certain,
    )  # fmt: skip
