"""Hands with full stacks: every deal once, or once for each seating, in any order and by any number of workers.

Hand n has the cards of deal n // hands a deal and its own decisions, so only players with memory depend on the
order. Each seating has its own players; all deals share them if the order is drawn for every deal.
Hands are divided into units of work in a way that depends on the players only:

1. compiled players without memory: blocks of a fixed size;
2. players with memory, or called in Python: the hands of one table, in order;
3. Python players that are `stateless`: the hands of one table in blocks, with newly built players in each.
Threads play the units of compiled players, processes those of Python players given by specifications.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np

from cardwin.arena.corrections import COLUMNS
from cardwin.arena.engine import RUNOUTS, StackRules, play_hands
from cardwin.arena.live_table import LiveTable, compiled_players, greet, remind
from cardwin.arena.recorded_hands import HandRecorder, RecordedHand, recorded_player
from cardwin.arena.referee import NO_FAULTS, Referee, Report
from cardwin.arena.runouts import Floats, Ints, adjusted_chips
from cardwin.arena.seating import ORDERS, Seating, player_numbers, seat_hand, seating_of
from cardwin.core.errors import InputError
from cardwin.core.executor import executor_of
from cardwin.core.rng import child
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.compiled import own_scratch, remembers
from cardwin.players.registry import HoldemPlayer, is_untrusted, only_here, player
from cardwin.players.sandbox.process import IsolatedPlayer

BLOCK = 4096  # hands of compiled players
LIVE_BLOCK = 512  # deals of stateless Python players

Makers: TypeAlias = Sequence[Callable[[], HoldemPlayer]]
Done: TypeAlias = Callable[[int], None]
# Called after every hand with its number, the table and its events.
OnHand: TypeAlias = Callable[[int, LiveTable, list[Event]], None]


@dataclass(frozen=True)
class Named:
    """Builds the player of a specification, here or in another process; an untrusted one in its own process.

    `limit` is the time of an untrusted player for an action, in seconds.
    """

    spec: str
    isolated: bool = False
    limit: float | None = None

    def __call__(self) -> HoldemPlayer:
        """A new player."""
        if self.isolated and is_untrusted(self.spec):
            return IsolatedPlayer(self.spec, self.limit)
        return player(self.spec)


def _itself(one: HoldemPlayer) -> HoldemPlayer:
    return one


def makers_of(specs: Sequence[str], isolated: bool = False, limit: float | None = None,
              recorded: Sequence[RecordedHand] | None = None) -> Makers:  # fmt: skip
    """Builders for the player of each specification; unknown names raise an error at once.

    With `isolated`, untrusted players are each built in their own process. With `recorded` hands they are not built at
    all: they do again what they did there.
    """
    makers: list[Callable[[], HoldemPlayer]] = []
    for number, spec in enumerate(specs):
        if recorded is not None and is_untrusted(spec):
            again = recorded_player(number, recorded)
            makers.append(partial(_itself, again))
        else:
            makers.append(partial(player, spec) if only_here(spec) else Named(spec, isolated, limit))
    for make in dict(zip(specs, makers, strict=True)).values():
        make()
    return makers


@dataclass(frozen=True)
class Plan:
    """A match's parameters: enough to build any of its tables, here or in another process.

    `numbers` are those by which the players know each other where seats are drawn.
    """

    game: HoldemGame
    makers: Makers
    key: int = 0
    duplicate: bool = False
    adjust: bool = False
    in_python: bool = False
    kind: str = "drawn"
    numbers: tuple[int, ...] = ()

    @cached_property
    def seating(self) -> Seating:
        """The seating of this match."""
        return seating_of(len(self.makers), self.kind, self.duplicate, child(self.key, ORDERS))

    @property
    def per_deal(self) -> int:
        """The number of hands of a deal."""
        return int(self.seating.per_deal)

    @property
    def tables(self) -> int:
        """The number of sets of players: one for each seating of a deal."""
        return self.per_deal

    def with_key(self, key: int) -> "Plan":
        """The same match, from here on with the cards of another key; players keep the numbers of the first."""
        return replace(self, key=key, numbers=self.numbers or player_numbers(len(self.makers), key))

    @property
    def decisions(self) -> int:
        """The key of decisions: with duplicates they have their own random streams."""
        return child(self.key, -1) if self.duplicate else self.key


class CompiledHands:
    """Hands of compiled players. `players` are those of the first table."""

    def __init__(self, plan: Plan, players: Sequence[HoldemPlayer], workers: int) -> None:
        self.plan, self.workers = plan, workers
        others = [make() for _ in range(1, plan.tables) for make in plan.makers]
        self.players = [*players, *others]
        greet(self.players, len(players))
        self.compiled = compiled_players(self.players)

    def play(self, first: int, chips: Ints, adjusted: Floats, done: Done, more: bool,  # noqa: ARG002
             corrected: Floats | None = None) -> int:  # fmt: skip
        """Hands from number `first` on into chips and adjusted (hands, players), which may be empty; their number.

        The corrections of decisions go into corrected, see `corrections`.
        """
        plan, seats = self.plan, len(self.plan.makers)
        rules = StackRules(plan.game.stack, False, False, 2, False, 0, 0, 0)
        corrected = np.zeros((0, seats, COLUMNS)) if corrected is None else corrected

        def play(numbers: Ints) -> None:
            play_hands(
                plan.game.tables(seats), rules, plan.seating, own_scratch(self.compiled), plan.key, plan.decisions,
                numbers, first, chips, adjusted, corrected,
            )  # fmt: skip
            done(len(numbers))

        with executor_of(self.workers) as executor:
            for _ in executor.map(play, self._units(np.arange(first, first + len(chips)))):
                pass
        remind(self.players, self.compiled)
        return len(chips)

    def _units(self, numbers: Ints) -> list[Ints]:
        if not remembers(self.compiled):
            return [numbers[start : start + BLOCK] for start in range(0, len(numbers), BLOCK)]
        return [numbers[numbers % self.plan.tables == table] for table in range(self.plan.tables)]


@dataclass(frozen=True)
class Unit:
    """Hands of one table, in sequence, by their numbers (hands,)."""

    table: int
    numbers: Ints


@dataclass(frozen=True)
class Played:
    """The results of a unit's hands, (hands, players); adjusted and recorded hands are empty if not requested."""

    chips: Ints
    adjusted: Floats
    report: Report
    hands: list[RecordedHand]


class LiveHands:
    """Hands with Python players among the seats. `players` are those of the first table."""

    def __init__(self, plan: Plan, players: Sequence[HoldemPlayer], workers: int, referee: Referee | None,
                 on_hand: OnHand | None, recorder: HandRecorder | None) -> None:  # fmt: skip
        self.plan, self.workers, self.referee, self.on_hand = plan, workers, referee, on_hand
        self.recorder = recorder
        self.stateless = all(hasattr(one, "compiled") or getattr(one, "stateless", False) for one in players)
        self.stateless &= not remembers(compiled_players(players))
        self.on_table: Callable[[LiveTable], object] | None = None
        self._first: Sequence[HoldemPlayer] | None = players
        self._tables: dict[int, LiveTable] = {}
        self._block = 0
        self._elsewhere = False

    def play(self, first: int, chips: Ints, adjusted: Floats, done: Done, more: bool) -> int:
        """See `CompiledHands.play`. With `more` to come, players with memory stay in this process."""
        if self._elsewhere:
            raise InputError("the players of this match ran in other processes, now ended: play with more=True first")
        named = all(isinstance(make, Named) for make in self.plan.makers)
        if self.workers > 1 and named and not self.on_hand and (self.stateless or (first == 0 and not more)):
            self._elsewhere = not self.stateless
            self._play_elsewhere(first, chips, adjusted, done)
        else:
            self._play_here(first, chips, adjusted, done)
        return len(chips)

    def _block_of(self, number: int) -> int:
        """The block of a hand; players are built again for every block."""
        return number // self.plan.per_deal // LIVE_BLOCK if self.stateless else 0

    def _play_here(self, first: int, chips: Ints, adjusted: Floats, done: Done) -> None:
        for row in range(len(chips)):
            number = first + row
            record: list[Event] | None = None if self.on_hand is None else []
            table = self._table(number % self.plan.tables, self._block_of(number))
            play_live(self.plan, table, number, chips[row], adjusted[row : row + 1], record)
            if self.on_hand is not None and record is not None:
                self.on_hand(number, table, record)
            done(1)

    def _table(self, number: int, block: int) -> LiveTable:
        if block != self._block:
            self._block, self._tables, self._first = block, {}, None
        if number not in self._tables:
            players, self._first = (self._first, None) if number == 0 else (None, self._first)
            referee = None if self.referee is None else self.referee.part()
            self._tables[number] = new_table(self.plan, referee, players, self.recorder)
            if self.on_table is not None:
                self.on_table(self._tables[number])
        return self._tables[number]

    def _play_elsewhere(self, first: int, chips: Ints, adjusted: Floats, done: Done) -> None:
        units = list(self._units(first, len(chips)))
        job = partial(play_unit, self.plan, self.referee, self.recorder is not None)
        with executor_of(self.workers, in_python=True) as executor:
            for unit, played in zip(units, executor.map(job, units), strict=True):
                chips[unit.numbers - first] = played.chips
                if self.plan.adjust:
                    adjusted[unit.numbers - first] = played.adjusted
                if self.referee is not None:
                    self.referee.add(played.report)
                if self.recorder is not None:
                    self.recorder.hands += played.hands
                done(len(unit.numbers))

    def _units(self, first: int, count: int) -> Iterator[Unit]:
        numbers = np.arange(first, first + count)
        blocks = np.array([self._block_of(number) for number in range(first, first + count)])
        for block in range(blocks[0], blocks[-1] + 1):
            for table in range(self.plan.tables):
                hands = numbers[(blocks == block) & (numbers % self.plan.tables == table)]
                if len(hands):
                    yield Unit(table, hands)


def new_table(plan: Plan, referee: Referee | None, players: Sequence[HoldemPlayer] | None = None,
              recorder: HandRecorder | None = None) -> LiveTable:  # fmt: skip
    """A table, with new players if none are given, player i in seat i before the first hand."""
    seated = [make() for make in plan.makers] if players is None else players
    table = LiveTable(plan.game, seated, in_python=plan.in_python, referee=referee)
    table.recorder = recorder
    if plan.seating.drawn:
        table.known_as = plan.numbers
    return table


def play_live(
    plan: Plan, table: LiveTable, number: int, chips: Ints, adjusted: Floats, record: list[Event] | None
) -> None:
    """One hand at a table: chips (players,) and, if requested, adjusted (1, players)."""
    order = np.empty(len(plan.makers), np.int64)
    button = seat_hand(plan.seating, number, order)
    if order.tolist() != table.who:
        table.reseat(order)
    deal = child(plan.key, number // plan.per_deal)
    table.place = (0, number, number % plan.tables)
    if table.referee is not None:
        table.referee.begin_hand(number + 1)
    stacks = [plan.game.stack] * len(order)
    chips[order] = table.play(stacks, button, deal, decisions=child(plan.decisions, number), record=record)
    if plan.adjust:
        adjusted[0, order] = adjusted_chips(table.tables, child(deal, RUNOUTS))


def play_unit(plan: Plan, referee: Referee | None, recorded: bool, unit: Unit) -> Played:
    """A unit of live hands with its own players: the work of one process."""
    own, recorder = None if referee is None else referee.anew(), HandRecorder()
    table, hands = new_table(plan, own, recorder=recorder if recorded else None), len(unit.numbers)
    chips = np.zeros((hands, len(plan.makers)), np.int64)
    adjusted = np.zeros((hands if plan.adjust else 0, len(plan.makers)))
    for row, number in enumerate(unit.numbers.tolist()):
        play_live(plan, table, number, chips[row], adjusted[row : row + 1], None)
    return Played(chips, adjusted, NO_FAULTS if own is None else own.report(), recorder.hands)
