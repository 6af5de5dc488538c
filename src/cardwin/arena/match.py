"""Matches of hold'em: the same stacks every hand, or kept; every deal once, or once for each seating.

Hands are played in blocks of a fixed size, by threads if several workers are asked for; since every hand's luck comes
from its number, neither blocks nor workers change a chip. Duplicate play repeats the cards only: decisions have luck
of their own in every hand, and every seating has players of its own, so that nobody remembers a deal.
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

import numpy as np

from cardwin.arena.dealer import RUNOUTS, next_hand_at, play_adjusted_block, play_block, play_session
from cardwin.arena.live import LiveTable, forms_of
from cardwin.arena.referee import NO_FAULTS, TIME_LIMIT, Referee, Report
from cardwin.arena.runouts import Floats, Ints, adjusted_chips
from cardwin.arena.seatings import as_seated, seatings
from cardwin.arena.stakes import difference_bounds
from cardwin.arena.threads import spread
from cardwin.arena.watch import Commentator
from cardwin.errors import InputError, unknown
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.compiled import PYTHON
from cardwin.players.registry import HoldemPlayer, expand_specs, player
from cardwin.rng import child, key_of
from cardwin.stats.comparisons import settled
from cardwin.stats.intervals import blocked

BLOCK = 4096
FIRST_LOOK = 1_000  # hands before the first look, where play stops once the order is certain
MOST_HANDS = 100_000_000
STACKS = {"reset": "everyone has the usual stack before every hand",
          "kept": "stacks are kept, and the match ends when one player has everything",
          "rebuy": "stacks are kept, and who has nothing left begins again"}  # fmt: skip

Makers: TypeAlias = Sequence[Callable[[], HoldemPlayer]]
# Told of every hand: its number, the table after it, and its events.
OnHand: TypeAlias = Callable[[int, LiveTable, list[Event]], None]


@dataclass(frozen=True)
class MatchRecord:
    """Who played what, and the chips (hands, players) that each won in each hand.

    Each deal was played `per_deal` times in a row. `adjusted` are the chips after the all-in equity adjustment, if
    that was asked for; the referee's `report` tells who failed at what; `certain`, whether the order of the players
    is, where play was to go on until then.
    """

    game: HoldemGame
    specs: tuple[str, ...]
    seed: int
    chips: Ints
    per_deal: int = 1
    adjusted: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    report: Report = NO_FAULTS
    certain: bool | None = None

    @property
    def by_deal(self) -> Floats:
        """What each player won on average in each deal, (deals, players): numbers independent of each other."""
        return blocked(self.adjusted if len(self.adjusted) else self.chips, self.per_deal)

    @property
    def digest(self) -> str:
        """A hash of the result's numbers, without the hands in which somebody ran out of time."""
        late = [hand - 1 for _, hand in self.report.late]
        return hashlib.blake2b(np.delete(self.chips, late, axis=0).tobytes(), digest_size=16).hexdigest()


class Match:
    """A match that can be played on: `play` adds hands, and hand n is the same whenever it is played.

    `makers` build the players, once for each seating; `in_python` asks all of them in Python.
    """

    def __init__(self, game: HoldemGame, makers: Makers, key: int, *, duplicate: bool = False, stacks: str = "reset",
                 adjust: bool = False, workers: int = 1, in_python: bool = False,
                 referee: Referee | None = None, on_hand: OnHand | None = None) -> None:  # fmt: skip
        seats = len(makers)
        if workers < 1:
            raise InputError(f"{workers} workers: at least 1 is needed")
        if stacks not in STACKS:
            raise unknown("kind of stacks", stacks, STACKS)
        if stacks != "reset" and (duplicate or adjust):
            raise InputError(f"{stacks} stacks depend on the hands before: no duplicates or adjustment with them")
        self.game, self.key, self.stacks, self.adjust, self.workers = game, key, stacks, adjust, workers
        self.tables = game.tables(seats)
        self.tables["button"] = seats - 1
        self.seating = seatings(seats, "balanced", duplicate) if duplicate else as_seated(seats)
        self._decisions = child(key, -1) if duplicate else key
        self._players = [[makers[who]() for who in row] for row in self.seating]
        self._live: list[LiveTable] = []
        if in_python or on_hand or any(PYTHON in forms_of(seated)[0] for seated in self._players):
            tables = self.tables if stacks != "reset" else None
            self._live = [
                LiveTable(game, seated, in_python=in_python, referee=referee, who=row.tolist(), tables=tables)
                for seated, row in zip(self._players, self.seating, strict=True)
            ]
        self._referee, self._on_hand = referee, on_hand
        self.chips = np.zeros((0, seats), np.int64)
        self.adjusted = np.zeros((0, seats))
        self.over = False

    def play(self, hands: int, progress: Callable[[int], None] | None = None) -> None:
        """Play so many hands more, rounded up to whole deals; fewer where one player then has everything."""
        first, per_deal = len(self.chips), len(self.seating)
        count = -(-hands // per_deal) * per_deal
        if not 1 <= first + count <= MOST_HANDS:
            raise InputError(f"{first + count} hands: from 1 to {MOST_HANDS} can be played")
        chips = np.zeros((count, len(self.seating[0])), np.int64)
        adjusted = np.zeros((count if self.adjust else 0, len(self.seating[0])))
        done = progress or (lambda _: None)
        played = count
        if self.stacks != "reset":
            played = self._play_session(first, chips, done)
            self.over = played < count
        elif self._live:
            self._play_live(first, chips, adjusted, done)
        else:
            self._play_compiled(first, chips, adjusted, done)
        self.chips = np.concatenate([self.chips, chips[:played]])
        self.adjusted = np.concatenate([self.adjusted, adjusted])

    def _play_compiled(self, first: int, chips: Ints, adjusted: Floats, done: Callable[[int], None]) -> None:
        seats = len(self.seating[0])
        forms = [forms_of(seated) for seated in self._players]
        kinds = np.stack([kinds for kinds, _ in forms])
        rows = [parameters for _, parameters in forms if parameters is not None]
        parameters = np.stack(rows) if rows else None
        stacks = np.full(seats, self.game.stack)

        def play(start: int) -> None:
            part = slice(start, start + BLOCK)
            match = (self.game.tables(seats), stacks, self.seating, kinds, parameters, self.key, self._decisions)
            if self.adjust:
                play_adjusted_block(*match, first + start, chips[part], adjusted[part])
            else:
                play_block(*match, first + start, chips[part])
            done(len(chips[part]))

        for _ in spread(play, range(0, len(chips), BLOCK), min(self.workers, os.cpu_count() or 1)):
            pass

    def _play_live(self, first: int, chips: Ints, adjusted: Floats, done: Callable[[int], None]) -> None:
        stacks = [self.game.stack] * len(self.seating[0])
        for row in range(len(chips)):
            deal, turn = divmod(first + row, len(self.seating))
            key, decisions = child(self.key, deal), child(self._decisions, first + row)
            table, seating = self._live[turn], self.seating[turn]
            chips[row, seating] = self._live_hand(first + row, table, stacks, deal % len(stacks), key, decisions)
            if self.adjust:
                adjusted[row, seating] = adjusted_chips(table.tables, child(decisions, RUNOUTS))
            done(1)

    def _play_session(self, first: int, chips: Ints, done: Callable[[int], None]) -> int:
        rebuy = self.stacks == "rebuy"
        if not self._live:
            kinds, parameters = forms_of(self._players[0])
            played = play_session(self.tables, self.game.stack, rebuy, kinds, parameters, self.key, first, chips)
            done(len(chips))
            return played
        seats = len(chips[0])
        for row in range(len(chips)):
            if not next_hand_at(self.tables, self.game.stack, rebuy):
                return row
            stacks, button = self.tables["stack"][0, :seats].tolist(), int(self.tables["button"][0])
            key = child(self.key, first + row)
            chips[row] = self._live_hand(first + row, self._live[0], stacks, button, key, key)
            done(1)
        return len(chips)

    def comment(self, names: Sequence[str], say: Callable[[str], None]) -> None:
        """Tell every move from here on; only for matches in Python."""
        for table in self._live:
            Commentator(table, [names[who] for who in table.who], say)

    def _live_hand(
        self, hand: int, table: LiveTable, stacks: list[int], button: int, key: int, decisions: int
    ) -> list[int]:
        if self._referee is not None:
            self._referee.begin_hand(hand + 1)
        record: list[Event] | None = None if self._on_hand is None else []
        won = table.play(stacks, button, key, decisions=decisions, record=record)
        if self._on_hand is not None and record is not None:
            self._on_hand(hand, table, record)
        return won


def makers_of(specs: Sequence[str]) -> Makers:
    """What builds the player of each specification anew; names that do not exist are refused at once."""
    for spec in specs:
        player(spec)
    return [partial(player, spec) for spec in specs]


def match(game: HoldemGame, specs: Sequence[str], hands: int, seed: int, workers: int = 1, *, duplicate: bool = False,
          stacks: str = "reset", adjust: bool = False, until_certain: bool = False, limit: float | None = TIME_LIMIT,
          on_hand: OnHand | None = None, say: Callable[[str], None] | None = None,
          progress: Callable[[int], None] | None = None) -> MatchRecord:  # fmt: skip
    """Play hands between the players that specifications name; player i sits in seat i, with duplicates in every seat.

    `until_certain` stops as soon as the order of the players is, after `hands` at the latest. `limit` is the time for
    an action, in seconds, of players of somebody's own. `say` is told every move, all cards open.
    """
    names = tuple(expand_specs(specs))
    game.tables(len(names))
    referee = Referee(names, limit)
    played = Match(game, makers_of(names), key_of(seed, "match"), duplicate=duplicate, stacks=stacks, adjust=adjust,
                   workers=workers, referee=referee, on_hand=on_hand, in_python=say is not None)  # fmt: skip
    if say is not None:
        played.comment(names, say)
    certain: bool | None = None
    if until_certain:
        certain = play_until_certain(played, hands, progress)
    else:
        played.play(hands, progress)
    return MatchRecord(
        game, names, seed, played.chips, len(played.seating), played.adjusted, referee.report(), certain
    )  # fmt: skip


def play_until_certain(played: Match, most: int, progress: Callable[[int], None] | None = None, pairs: int = 0) -> bool:
    """Look at the results after some hands, then after half as many again each time, until the order is settled.

    The evidence holds however often one looks. `pairs` is how many are to be settled in all, if not only these.
    """
    bounds = difference_bounds(played.game, len(played.seating[0]), len(played.seating))
    while len(played.chips) < most and not played.over:
        more = min(max(FIRST_LOOK, len(played.chips) // 2), most - len(played.chips))
        played.play(more, progress)
        values = played.adjusted if played.adjust else played.chips
        if settled(blocked(values, len(played.seating)), bounds, pairs):
            return True
    return False


def play_match(game: HoldemGame, players: Sequence[HoldemPlayer], hands: int, key: int, workers: int = 1, *,
               in_python: bool = False, stacks: str = "reset", on_hand: OnHand | None = None) -> Ints:  # fmt: skip
    """The chips (hands, players) that these very players won in each hand, without duplicates or a referee."""
    makers = [lambda one=one: one for one in players]
    played = Match(game, makers, key, stacks=stacks, workers=workers, in_python=in_python, on_hand=on_hand)
    played.play(hands)
    return played.chips
