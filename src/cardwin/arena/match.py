"""Matches of hold'em: the same stacks every hand, the button moving on, chips counted for each player.

Hands are played in blocks of a fixed size, by threads if several workers are asked for; since every hand's luck comes
from its number, neither blocks nor workers change a chip.
"""

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from cardwin.arena.live import LiveTable, forms_of
from cardwin.arena.tables import Ints, play_block
from cardwin.errors import InputError
from cardwin.games.holdem.game import HoldemGame
from cardwin.luck import child, key_of
from cardwin.players.compiled import PYTHON
from cardwin.players.registry import HoldemPlayer, expand_specs, player

BLOCK = 4096
MOST_HANDS = 100_000_000


@dataclass(frozen=True)
class MatchRecord:
    """Who played what, and the chips (hands, players) that each won in each hand."""

    game: HoldemGame
    specs: tuple[str, ...]
    seed: int
    chips: Ints

    @property
    def digest(self) -> str:
        """A hash of the result's numbers."""
        return hashlib.blake2b(self.chips.tobytes(), digest_size=16).hexdigest()


def match(game: HoldemGame, specs: Sequence[str], hands: int, seed: int, workers: int = 1) -> MatchRecord:
    """Play hands between the players that specifications name; player i sits in seat i."""
    names = tuple(expand_specs(specs))
    chips = play_match(game, [player(spec) for spec in names], hands, key_of(seed, "match"), workers)
    return MatchRecord(game, names, seed, chips)


def play_match(
    game: HoldemGame,
    players: Sequence[HoldemPlayer],
    hands: int,
    key: int,
    workers: int = 1,
    *,
    in_python: bool = False,
) -> Ints:
    """The chips (hands, players) that each player won in each hand. `in_python` asks all of them in Python."""
    if not 1 <= hands <= MOST_HANDS:
        raise InputError(f"{hands} hands: from 1 to {MOST_HANDS} can be played")
    if workers < 1:
        raise InputError(f"{workers} workers: at least 1 is needed")
    game.tables(len(players))
    chips = np.zeros((hands, len(players)), np.int64)
    if in_python or PYTHON in forms_of(players)[0]:
        _play_live(game, players, key, chips, in_python)
    else:
        _play_compiled(game, players, key, chips, workers)
    return chips


def _play_live(game: HoldemGame, players: Sequence[HoldemPlayer], key: int, chips: Ints, in_python: bool) -> None:
    table = LiveTable(game, players, in_python=in_python)
    stacks = [game.stack] * len(players)
    for hand in range(len(chips)):
        chips[hand] = table.play(stacks, hand % len(players), child(key, hand))


def _play_compiled(game: HoldemGame, players: Sequence[HoldemPlayer], key: int, chips: Ints, workers: int) -> None:
    kinds, parameters = forms_of(players)
    stacks = np.full(len(players), game.stack)

    def play(first: int) -> None:
        play_block(game.tables(len(players)), stacks, kinds, parameters, key, first, chips[first : first + BLOCK])

    play(0)  # the first block compiles, once
    with ThreadPoolExecutor(min(workers, os.cpu_count() or 1)) as pool:
        list(pool.map(play, range(BLOCK, len(chips), BLOCK)))
