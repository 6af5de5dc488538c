"""Matches of hold'em: the same stacks every hand, the button moving on, chips counted for each player.

Hands are played in blocks of a fixed size, by threads if several workers are asked for; since every hand's luck comes
from its number, neither blocks nor workers change a chip.
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from cardwin.arena.live import LiveTable, forms_of
from cardwin.arena.tables import Ints, play_block
from cardwin.errors import InputError
from cardwin.games.holdem.events import Event
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


# Told of every hand: its number, the table after it, and its events.
OnHand: TypeAlias = Callable[[int, LiveTable, list[Event]], None]


def match(
    game: HoldemGame, specs: Sequence[str], hands: int, seed: int, workers: int = 1, on_hand: OnHand | None = None
) -> MatchRecord:
    """Play hands between the players that specifications name; player i sits in seat i."""
    names = tuple(expand_specs(specs))
    players = [player(spec) for spec in names]
    return MatchRecord(
        game, names, seed, play_match(game, players, hands, key_of(seed, "match"), workers, on_hand=on_hand)
    )


def play_match(
    game: HoldemGame,
    players: Sequence[HoldemPlayer],
    hands: int,
    key: int,
    workers: int = 1,
    *,
    in_python: bool = False,
    on_hand: OnHand | None = None,
) -> Ints:
    """The chips (hands, players) that each player won in each hand. `in_python` asks all of them in Python."""
    if not 1 <= hands <= MOST_HANDS:
        raise InputError(f"{hands} hands: from 1 to {MOST_HANDS} can be played")
    if workers < 1:
        raise InputError(f"{workers} workers: at least 1 is needed")
    game.tables(len(players))  # refuses a wrong number of seats before anything is allocated
    chips = np.zeros((hands, len(players)), np.int64)
    if in_python or on_hand or PYTHON in forms_of(players)[0]:
        _play_live(LiveTable(game, players, in_python=in_python), key, chips, on_hand)
    else:
        _play_compiled(game, players, key, chips, workers)
    return chips


def _play_live(table: LiveTable, key: int, chips: Ints, on_hand: OnHand | None) -> None:
    seats = len(table.players)
    stacks = [table.game.stack] * seats
    for hand in range(len(chips)):
        record: list[Event] | None = None if on_hand is None else []
        chips[hand] = table.play(stacks, hand % seats, child(key, hand), record=record)
        if on_hand is not None and record is not None:
            on_hand(hand, table, record)


def _play_compiled(game: HoldemGame, players: Sequence[HoldemPlayer], key: int, chips: Ints, workers: int) -> None:
    kinds, parameters = forms_of(players)
    stacks = np.full(len(players), game.stack)

    def play(first: int) -> None:
        play_block(game.tables(len(players)), stacks, kinds, parameters, key, first, chips[first : first + BLOCK])

    play(0)  # the first block compiles, once
    with ThreadPoolExecutor(min(workers, os.cpu_count() or 1)) as pool:
        list(pool.map(play, range(BLOCK, len(chips), BLOCK)))
