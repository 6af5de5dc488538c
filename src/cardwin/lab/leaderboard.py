"""Everybody against everybody, heads-up, in duplicate: a cross table, ratings, styles, and a control for each player.

1. Every pair plays so many hands, each deal in both seats; or until the better of the two is certain, for as many pairs
   as there are.
2. Every player also plays itself: whatever that control shows beside zero is luck, not skill.
3. `standings` makes the board of it; styles come from some hands of every pair that are looked at.

A pair's luck comes from its names, so that a new player on the board changes nothing between the others.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from cardwin.arena.match import Match, makers_of, play_until_certain
from cardwin.arena.referee import Referee
from cardwin.arena.styles import seen_hand
from cardwin.errors import InputError
from cardwin.games.holdem.game import HoldemGame
from cardwin.lab.standings import Leaderboard, Pairing, board_of
from cardwin.rng import key_of
from cardwin.stats.intervals import blocked
from cardwin.stats.style import SeenHand, style_of

LOOKED_AT = 200  # hands of every pair, for the styles


def leaderboard(game: HoldemGame, specs: Sequence[str], hands: int, seed: int, *, until_certain: bool = False,
                workers: int = 1, limit: float | None = None,
                progress: Callable[[int], None] | None = None) -> Leaderboard:  # fmt: skip
    """Play everybody against everybody and against themselves, `hands` hands for each pair."""
    if len(specs) < 2:
        raise InputError("a leaderboard needs at least two players")
    if twice := [spec for place, spec in enumerate(specs) if spec in specs[:place]]:
        raise InputError(f"{twice[0]} is named twice: each player stands on the board once, its control included")

    def meet(first: int, second: int) -> Pairing:
        names = specs[first], specs[second]
        referee = Referee(names, limit)
        played = Match(game, makers_of(names), key_of(seed, "pair", *names), duplicate=True, workers=workers,
                       referee=referee)  # fmt: skip
        if until_certain and first != second:
            play_until_certain(played, hands, progress, pairs=len(specs) * (len(specs) - 1) // 2)
        else:
            played.play(hands, progress)
        won = blocked(played.chips, played.per_deal)[:, 0]
        return Pairing(first, second, won, len(played.chips), referee.report())

    pairs = [meet(*pair) for pair in combinations(range(len(specs)), 2)]
    controls = [meet(place, place) for place in range(len(specs))]
    seen = [hand for pair in pairs for hand in look_at(game, specs, pair, seed)]
    digest = hashlib.blake2b(digest_size=16)
    for pair in (*pairs, *controls):
        digest.update(np.delete(pair.by_deal, pair.late).tobytes())
    styles = [style_of(place, seen) for place in range(len(specs))]
    return board_of(
        game, specs, seed, hands, pairs, controls, styles, digest.hexdigest(), any_stop=until_certain
    )  # fmt: skip


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
