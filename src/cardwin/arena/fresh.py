"""Hands with fresh stacks: every deal once, or once for each seating, in any order and by any number of workers.

Hand n has the cards of deal n // seatings and decisions of its own, so only players who remember depend on the order.
Hands are cut into units of work in a way that depends on the players alone:

1. compiled players who remember nothing: blocks of a fixed size;
2. players who remember, or are asked in Python: the hands of one seating, in order;
3. players in Python who say that they are stateless: the hands of one seating in blocks, with fresh players in each.
Threads do the units of compiled players. Processes do those of Python players whom specifications name.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from cardwin.arena.dealer import RUNOUTS, play_block
from cardwin.arena.live import LiveTable, compiled_players, greet, remind
from cardwin.arena.referee import NO_FAULTS, Referee, Report
from cardwin.arena.runouts import Floats, Ints, adjusted_chips
from cardwin.arena.seatings import as_seated, seatings
from cardwin.errors import InputError
from cardwin.executor import executor_of
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.registry import HoldemPlayer, only_here, player
from cardwin.rng import child

BLOCK = 4096  # hands of compiled players
LIVE_BLOCK = 512  # deals of stateless Python players

Makers: TypeAlias = Sequence[Callable[[], HoldemPlayer]]
Done: TypeAlias = Callable[[int], None]
# Told of every hand: its number, the table after it, and its events.
OnHand: TypeAlias = Callable[[int, LiveTable, list[Event]], None]


@dataclass(frozen=True)
class Named:
    """Builds the player of a specification anew, here or in another process."""

    spec: str

    def __call__(self) -> HoldemPlayer:
        """A new one."""
        return player(self.spec)


def makers_of(specs: Sequence[str]) -> Makers:
    """What builds the player of each specification anew; names that do not exist are refused at once."""
    for spec in specs:
        player(spec)
    return [partial(player, spec) if only_here(spec) else Named(spec) for spec in specs]


@dataclass(frozen=True)
class Plan:
    """What is played: enough to build the table of any seating, here or in another process."""

    game: HoldemGame
    makers: Makers
    key: int
    duplicate: bool = False
    adjust: bool = False
    in_python: bool = False

    @property
    def seating(self) -> Ints:
        """The player in each seat, (seatings, seats)."""
        return seatings(len(self.makers)) if self.duplicate else as_seated(len(self.makers))

    @property
    def decisions(self) -> int:
        """The key of decisions: with duplicates they have luck of their own."""
        return child(self.key, -1) if self.duplicate else self.key


class CompiledHands:
    """Hands of compiled players. `players` are those of the first seating."""

    def __init__(self, plan: Plan, players: Sequence[HoldemPlayer], workers: int) -> None:
        self.plan, self.workers = plan, workers
        others = [[plan.makers[who]() for who in row] for row in plan.seating[1:]]
        self.players = [one for row in (players, *others) for one in row]
        greet(self.players, len(players))
        self.compiled = compiled_players(self.players)

    def play(self, first: int, chips: Ints, adjusted: Floats, done: Done, more: bool) -> int:  # noqa: ARG002
        """Hands from number `first` on into chips and adjusted (hands, players), which may be empty; how many."""
        plan, seating = self.plan, self.plan.seating
        seats, who = len(seating[0]), np.arange(seating.size).reshape(seating.shape)
        stacks = np.full(seats, plan.game.stack)

        def play(numbers: Ints) -> None:
            play_block(
                plan.game.tables(seats), stacks, seating, who, self.compiled, plan.key, plan.decisions, numbers,
                first, chips, adjusted if plan.adjust else None,
            )  # fmt: skip
            done(len(numbers))

        with executor_of(self.workers) as executor:
            for _ in executor.map(play, self._units(np.arange(first, first + len(chips)))):
                pass
        remind(self.players, self.compiled)
        return len(chips)

    def _units(self, numbers: Ints) -> list[Ints]:
        if self.compiled.memory is None:
            return [numbers[start : start + BLOCK] for start in range(0, len(numbers), BLOCK)]
        per_deal = len(self.plan.seating)
        return [numbers[turn::per_deal] for turn in range(per_deal)]


@dataclass(frozen=True)
class Unit:
    """Hands of one seating, one after the other, by their numbers (hands,)."""

    turn: int
    numbers: Ints


@dataclass(frozen=True)
class Played:
    """What the hands of a unit came to, (hands, players); adjusted is empty if it was not asked for."""

    chips: Ints
    adjusted: Floats
    report: Report


class LiveHands:
    """Hands with Python players among the seats. `players` are those of the first seating."""

    def __init__(self, plan: Plan, players: Sequence[HoldemPlayer], workers: int, referee: Referee | None,
                 on_hand: OnHand | None) -> None:  # fmt: skip
        self.plan, self.workers, self.referee, self.on_hand = plan, workers, referee, on_hand
        self.stateless = all(hasattr(one, "compiled") or getattr(one, "stateless", False) for one in players)
        self.stateless &= compiled_players(players).memory is None
        self.on_table: Callable[[LiveTable], object] | None = None
        self._first: Sequence[HoldemPlayer] | None = players
        self._tables: dict[int, LiveTable] = {}
        self._block = 0
        self._elsewhere = False

    def play(self, first: int, chips: Ints, adjusted: Floats, done: Done, more: bool) -> int:
        """See `CompiledHands.play`. With `more` to come, those who remember are kept here."""
        if self._elsewhere:
            raise InputError("the players of this match were in other processes and are gone: say that more will come")
        named = all(isinstance(make, Named) for make in self.plan.makers)
        if self.workers > 1 and named and not self.on_hand and (self.stateless or (first == 0 and not more)):
            self._elsewhere = not self.stateless
            self._play_elsewhere(first, chips, adjusted, done)
        else:
            self._play_here(first, chips, adjusted, done)
        return len(chips)

    def _block_of(self, number: int) -> int:
        """Players are built anew in every block."""
        return number // len(self.plan.seating) // LIVE_BLOCK if self.stateless else 0

    def _play_here(self, first: int, chips: Ints, adjusted: Floats, done: Done) -> None:
        for row in range(len(chips)):
            number = first + row
            turn = number % len(self.plan.seating)
            record: list[Event] | None = None if self.on_hand is None else []
            table = self._table(turn, self._block_of(number))
            play_live(self.plan, turn, table, number, chips[row], adjusted[row : row + 1], record)
            if self.on_hand is not None and record is not None:
                self.on_hand(number, table, record)
            done(1)

    def _table(self, turn: int, block: int) -> LiveTable:
        if block != self._block:
            self._block, self._tables, self._first = block, {}, None
        if turn not in self._tables:
            players, self._first = (self._first, None) if turn == 0 else (None, self._first)
            referee = None if self.referee is None else self.referee.part()
            self._tables[turn] = seat(self.plan, turn, referee, players)
            if self.on_table is not None:
                self.on_table(self._tables[turn])
        return self._tables[turn]

    def _play_elsewhere(self, first: int, chips: Ints, adjusted: Floats, done: Done) -> None:
        units = list(self._units(first, len(chips)))
        job = partial(play_unit, self.plan, self.referee)
        with executor_of(self.workers, in_python=True) as executor:
            for unit, played in zip(units, executor.map(job, units), strict=True):
                chips[unit.numbers - first] = played.chips
                if self.plan.adjust:
                    adjusted[unit.numbers - first] = played.adjusted
                if self.referee is not None:
                    self.referee.add(played.report)
                done(len(unit.numbers))

    def _units(self, first: int, count: int) -> Iterator[Unit]:
        numbers, per_deal = np.arange(first, first + count), len(self.plan.seating)
        blocks = np.array([self._block_of(number) for number in range(first, first + count)])
        for block in range(blocks[0], blocks[-1] + 1):
            for turn in range(per_deal):
                hands = numbers[(blocks == block) & (numbers % per_deal == turn)]
                if len(hands):
                    yield Unit(turn, hands)


def seat(plan: Plan, turn: int, referee: Referee | None, players: Sequence[HoldemPlayer] | None = None) -> LiveTable:
    """The table of one seating, with players of its own if none are given."""
    row = plan.seating[turn].tolist()
    seated = [plan.makers[who]() for who in row] if players is None else players
    return LiveTable(plan.game, seated, in_python=plan.in_python, referee=referee, who=row)


def play_live(
    plan: Plan, turn: int, table: LiveTable, number: int, chips: Ints, adjusted: Floats, record: list[Event] | None
) -> None:
    """One hand at the table of a seating: chips (players,) and, where it is asked for, adjusted (1, players)."""
    row = plan.seating[turn]
    deal, hand = number // len(plan.seating), child(plan.decisions, number)
    if table.referee is not None:
        table.referee.begin_hand(number + 1)
    stacks, button = [plan.game.stack] * len(row), deal % len(row)
    chips[row] = table.play(stacks, button, child(plan.key, deal), decisions=hand, record=record)
    if plan.adjust:
        adjusted[0, row] = adjusted_chips(table.tables, child(hand, RUNOUTS))


def play_unit(plan: Plan, referee: Referee | None, unit: Unit) -> Played:
    """A unit of live hands with players of its own: the work of one process."""
    own = None if referee is None else referee.anew()
    table, hands = seat(plan, unit.turn, own), len(unit.numbers)
    chips = np.zeros((hands, len(plan.makers)), np.int64)
    adjusted = np.zeros((hands if plan.adjust else 0, len(plan.makers)))
    for row, number in enumerate(unit.numbers.tolist()):
        play_live(plan, unit.turn, table, number, chips[row], adjusted[row : row + 1], None)
    return Played(chips, adjusted, NO_FAULTS if own is None else own.report())
