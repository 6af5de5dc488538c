"""The structure of a tournament: seats at a table, growth of the blinds, end."""

from dataclasses import dataclass

import numpy as np

from cardwin.arena.runouts import Ints
from cardwin.core.errors import InputError
from cardwin.games.holdem.game import MOST_CHIPS, HoldemGame
from cardwin.games.holdem.table import SEATS

MOST_LEVELS = 10_000
MOST_COUNT = 10**9


@dataclass(frozen=True, slots=True)
class Structure:
    """Blinds, antes and limit bets times `growth` every `every` hands; until `last` players are left, or for `rounds`.

    By default blinds grow by half every 20 hands: a thousand players need a few hundred hands. If blinds
    do not grow, two players who fold to each other would never finish: hence the limit on rounds. With a dead button
    blinds and ties follow the rules of tournament directors (see `multi_table`).
    """

    seats: int = SEATS
    growth: float = 1.5
    every: int = 20
    rounds: int = 100_000
    last: int = 1
    dead_button: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= SEATS:
            raise InputError(f"{self.seats} seats: a table has 2 to {SEATS}")
        if not 1 <= self.growth <= 100:
            raise InputError(f"blinds times {self.growth:g}: from 1 (no growth) to 100")
        for what, number in (("hands a level", self.every), ("rounds", self.rounds), ("players left", self.last)):
            if not 1 <= number <= MOST_COUNT:
                raise InputError(f"{number} {what}: from 1 to {MOST_COUNT}")

    def schedule(self, game: HoldemGame, players: int) -> Ints:
        """Small blind, big blind, ante, small bet and big bet of every level, (levels, 5), in whole chips.

        Levels end when the big blind covers all chips in play.
        """
        bets = (game.small_bet, game.big_bet) if game.kind == "limit" else (game.least_bet, game.least_bet)
        sizes = np.array([game.small_blind, game.least_bet, game.ante, *bets], float)
        most = min(game.stack * players, MOST_CHIPS)
        levels = [sizes]
        while self.growth > 1 and levels[-1][1] < most and len(levels) < MOST_LEVELS:
            levels.append(levels[-1] * self.growth)
        chips: Ints = np.minimum(np.rint(np.stack(levels)), MOST_CHIPS).astype(np.int64)
        return chips
