"""Cash games: one table whose stacks are carried from hand to hand, until it is decided or over.

1. The button moves to the next seat with chips; cards and decisions come from the hand's key.
2. Learners learn from every hand; seats without chips are out, or rebuy if allowed.
3. It ends after `rounds` rounds, or when fewer than `min_players` are left.

Blind and ante may rise as players leave, so that they stay the same share of the average stack. A match with stacks
that carry over is a cash game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.arena.engine import StackRules, next_hand_at, play_hands
from cardwin.arena.independent_hands import Done
from cardwin.arena.live_hands import NO_LISTENERS, Listeners
from cardwin.arena.live_table import LiveTable, announce_match, check_players
from cardwin.arena.referee import Referee, compiled_faults
from cardwin.arena.seating import seating_of
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.rng import child
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.compiled import compiled_players
from cardwin.players.kind import HoldemPlayer

MOST_ROUNDS = 1_000_000


@dataclass(frozen=True)
class CashGameRules:
    """When a cash game ends, and whether blind and ante rise as players leave."""

    rounds: int = 1000
    min_players: int = 2
    rising: bool = False


@dataclass(frozen=True)
class CashGameRecord:
    """The record: stacks (rounds played + 1, seats)."""

    stacks: Ints

    @property
    def rounds(self) -> int:
        """The number of rounds played."""
        return len(self.stacks) - 1


class CashGame:
    """A table whose stacks carry over, dealt by `key`; player i sits in seat i, and its memory carries over too."""

    def __init__(
        self,
        game: HoldemGame,
        players: Sequence[HoldemPlayer],
        rules: CashGameRules,
        *,
        rebuy: bool = False,
        in_python: bool = False,
        referee: Referee | None = None,
        listeners: Listeners = NO_LISTENERS,
    ) -> None:
        if len(players) < 2:
            raise InputError(f"expected at least 2 players, got {len(players)}")
        if not 2 <= rules.min_players <= len(players):
            raise InputError(f"invalid min_players: expected 2 to {len(players)}, got {rules.min_players}")
        if rules.rising and game.kind == "limit":
            raise InputError("expected a no-limit game for rising blinds, got limit, whose bets have fixed sizes")
        check_players(game, players, len(players))
        self.key, self.players, self.referee, self.on_hand = 0, players, referee, listeners.on_hand
        self.tables = game.tables(len(players))
        self.tables["button"] = len(players) - 1
        self.stack_rules = StackRules(
            game.stack, True, rebuy, rules.min_players, rules.rising, game.small_blind, game.min_bet, game.ante
        )
        self.seating = seating_of(len(players), "rotation", duplicate=False)
        self.live: LiveTable | None = None
        if in_python or self.on_hand is not None or not compiled_players(players).all_compiled:
            self.live = LiveTable(game, players, in_python=in_python, referee=referee, tables=self.tables)
            self.live.recorder = listeners.recorder
            self.compiled = self.live.compiled
        else:
            announce_match(players, len(players))
            self.compiled = compiled_players(players)

    def play(self, first: int, chips: Ints, adjusted: Floats, done: Done, more: bool) -> int:  # noqa: ARG002
        """Play hands from number `first` on into chips (hands, players); return the number of hands before the end."""
        if self.live is None:
            compiled = self.compiled.copy_scratch()
            played = play_hands(
                self.tables,
                self.stack_rules,
                self.seating,
                compiled.arrays,
                self.key,
                self.key,
                np.arange(first, first + len(chips)),
                first,
                chips,
            )
            if self.referee is not None:
                self.referee.add(
                    compiled_faults(compiled, self.referee.specs, lambda *location: (0, first + location[2]))
                )
            done(len(chips))
        else:
            played = self._play_live(self.live, first, chips, done)
        self.compiled.sync_memory(self.players)
        return played

    def _play_live(self, table: LiveTable, first: int, chips: Ints, done: Done) -> int:
        for row in range(len(chips)):
            if not next_hand_at(self.tables, self.stack_rules):
                return row
            if self.referee is not None:
                self.referee.begin_hand(first + row + 1)
            stacks, button = self.tables["stack"][0, : table.seats].tolist(), int(self.tables["button"][0])
            table.location = (0, first + row, 0)
            record: list[Event] | None = None if self.on_hand is None else []
            chips[row] = table.play(stacks, button, child(self.key, first + row), record=record)
            if self.on_hand is not None and record is not None:
                self.on_hand(first + row, table, record)
            done(1)
        return len(chips)


def play_cash_game(
    game: HoldemGame,
    players: Sequence[HoldemPlayer],
    key: int,
    rules: CashGameRules | None = None,
    *,
    in_python: bool = False,
    after_hand: Callable[[], None] | None = None,
    referee: Referee | None = None,
) -> CashGameRecord:
    """Play a cash game to its end. `after_hand` is called at the start and after every hand, to observe learners."""
    rules = rules or CashGameRules()
    if not 1 <= rules.rounds <= MOST_ROUNDS:
        raise InputError(f"expected 1 to {MOST_ROUNDS} rounds, got {rules.rounds}")
    cash_game = CashGame(game, players, rules, in_python=in_python, referee=referee)
    cash_game.key = key
    chips = np.zeros((rules.rounds, len(players)), np.int64)
    step, played = rules.rounds if after_hand is None else 1, 0
    if after_hand is not None:
        after_hand()
    while played < rules.rounds:
        part = chips[played : played + step]
        hands = cash_game.play(played, part, np.zeros((0, 0)), lambda _: None, True)
        played += hands
        if hands < len(part):
            break
        if after_hand is not None:
            after_hand()
    return CashGameRecord(game.stack + np.concatenate([np.zeros_like(chips[:1]), chips[:played].cumsum(axis=0)]))
