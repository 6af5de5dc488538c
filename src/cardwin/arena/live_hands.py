"""Hands with full stacks and Python players among the seats, as units of work (see `independent_hands`).

Players with memory are asked in the order of hands. Stateless ones in their own processes are asked for many hands at
once (`play_many`): a message to a process takes longer than a decision.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from cardwin.arena.engine import RUNOUTS
from cardwin.arena.independent_hands import Done, Plan
from cardwin.arena.live_table import LiveTable
from cardwin.arena.recorded_hands import HandRecorder, RecordedHand
from cardwin.arena.referee import NO_FAULTS, DecisionPlace, Referee, Report
from cardwin.arena.seating import seat_hand
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.executor import Workers, open_executor, worker_count
from cardwin.core.rng import child
from cardwin.games.base import NOBODY
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.rules import staked_at
from cardwin.players.base import has_own_process
from cardwin.players.compiled import compiled_players
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import PlayerBuilder

BLOCK = 512  # deals of stateless players
AT_ONCE = 128  # hands of stateless players in their own processes

OnHand: TypeAlias = Callable[[int, LiveTable, list[Event]], None]


@dataclass(frozen=True)
class Listeners:
    """Functions that are notified during a match.

    Attributes:
        on_hand: Called after every hand with its number, the table and its events.
        recorder: Receives all actions of the hands at live tables.
        print_line: Receives every move as text, all cards shown.
        progress: Receives numbers of further hands played.

    """

    on_hand: OnHand | None = None
    recorder: HandRecorder | None = None
    print_line: Callable[[str], None] | None = None
    progress: Callable[[int], None] | None = None


NO_LISTENERS = Listeners()


@dataclass(frozen=True)
class Unit:
    """Hands of one table, in sequence, by their numbers (hands,)."""

    table: int
    numbers: Ints


@dataclass(frozen=True)
class Played:
    """The results of a unit's hands, (hands, players); adjusted and recorded hands are empty if not requested.

    The last column of chips is what was at stake.
    """

    chips: Ints
    adjusted: Floats
    report: Report
    hands: list[RecordedHand]

    @property
    def hands_dealt(self) -> int:
        """The number of hands dealt, counted once for each player in them."""
        return self.chips[:, :-1].size


def is_stateless(player: HoldemPlayer) -> bool:
    """Return whether a player decides by its view and its random stream only, without memory."""
    if hasattr(player, "compiled"):
        return not compiled_players([player]).remember
    return bool(getattr(player, "stateless", False)) and not hasattr(player, "watch")


class LiveHands:
    """Hands with Python players among the seats. `players` are those of the first table."""

    def __init__(
        self,
        plan: Plan,
        players: Sequence[HoldemPlayer],
        workers: Workers,
        referee: Referee | None,
        listeners: Listeners = NO_LISTENERS,
    ) -> None:
        self.plan, self.workers, self.referee = plan, workers, referee
        self.on_hand, self.recorder = listeners.on_hand, listeners.recorder
        self.is_parallel = worker_count(workers) > 1  # whether units can be played in parallel
        self.stateless = all(map(is_stateless, players))
        self.on_table: Callable[[LiveTable], object] | None = None
        self._first: Sequence[HoldemPlayer] | None = players
        self._tables: dict[int, LiveTable] = {}
        self._block = 0
        self._used_processes = False

    def play(self, first: int, chips: Ints, adjusted: Floats, done: Done, more: bool) -> int:
        """Play hands as `CompiledHands.play` does. With `more` to come, players with memory stay in this process."""
        if self._used_processes:
            raise InputError("the players of this match ran in other processes, now ended: play with more=True first")
        named = all(isinstance(make, PlayerBuilder) for make in self.plan.makers)
        in_units = self.stateless or (named and self.is_parallel and first == 0 and not more)
        if in_units and self.on_hand is None and self.on_table is None:
            self._used_processes = not self.stateless
            self._play_units(first, chips, adjusted, done, self.workers if named else 1)
        else:
            self._play_in_order(first, chips, adjusted, done)
        return len(chips)

    def _block_of(self, number: int) -> int:
        """Return the block of a hand; players are built again for every block."""
        return number // self.plan.per_deal // BLOCK if self.stateless else 0

    def _play_in_order(self, first: int, chips: Ints, adjusted: Floats, done: Done) -> None:
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

    def _play_units(self, first: int, chips: Ints, adjusted: Floats, done: Done, workers: Workers) -> None:
        units = list(self._units(first, len(chips)))
        job = partial(play_unit, self.plan, self.referee, self.recorder is not None)
        with open_executor(workers, in_python=True) as executor:
            for unit, played in zip(units, executor.map(job, units), strict=True):
                chips[unit.numbers - first] = played.chips[:, : chips.shape[1]]
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


def new_table(
    plan: Plan,
    referee: Referee | None,
    players: Sequence[HoldemPlayer] | None = None,
    recorder: HandRecorder | None = None,
) -> LiveTable:
    """Return a table of these players, by default new ones, with player i in seat i before the first hand."""
    seated = [make() for make in plan.makers] if players is None else players
    table = LiveTable(plan.game, seated, in_python=plan.in_python, referee=referee)
    if len(plan.weights):
        table.correct(plan.weights)
    table.recorder = recorder
    if plan.seating.drawn:
        table.public_ids = plan.numbers
    return table


def play_live(
    plan: Plan, table: LiveTable, number: int, chips: Ints, adjusted: Floats, record: list[Event] | None
) -> None:
    """Play one hand at a table: write chips (players + 1,) and, if requested, adjusted (1, players)."""
    button = seat_players(plan, table, number)
    if table.referee is not None:
        table.referee.begin_hand(number + 1)
    deal, stacks = child(plan.key, number // plan.per_deal), [plan.game.stack] * len(plan.makers)
    won = table.play(stacks, button, deal, decisions=child(plan.decisions, number), record=record)
    write_result(plan, table, number, won, chips, adjusted)


def seat_players(plan: Plan, table: LiveTable, number: int) -> int:
    """Move the players to their seats of a hand, and return the seat of the button."""
    order = np.empty(len(plan.makers), np.int64)
    button = seat_hand(plan.seating, number, order)
    if order.tolist() != table.player_ids:
        table.reseat(order)
    table.location = (0, number, number % plan.tables)
    return button


def write_result(plan: Plan, table: LiveTable, number: int, won: Sequence[int], chips: Ints, adjusted: Floats) -> None:
    """Write the results of a hand that is over, by player, and what was at stake."""
    chips[table.player_ids] = won
    if len(chips) > len(won):
        chips[-1] = staked_at(table.tables)
    if plan.adjust:
        from cardwin.arena.runouts import adjusted_chips

        key = child(child(plan.key, number // plan.per_deal), RUNOUTS)
        mean = adjusted_chips(table.tables, key)
        if table.corrections is not None:
            mean -= table.corrections.totals[: len(mean)] * plan.game.min_bet
        adjusted[0, table.player_ids] = mean


class Running(NamedTuple):
    """A hand that is being played: its row, its number, its table, and each player's number of questions."""

    row: int
    number: int
    table: LiveTable
    asked: list[int]


def play_many(plan: Plan, first: LiveTable, numbers: Ints, chips: Ints, adjusted: Floats) -> None:
    """Play hands with stateless players, many at once: write chips (hands, players + 1), and adjusted if not empty.

    All tables have the players of the first one. `numbers` (hands,) are of one seating of their deals: a player never
    sees a deal twice.
    """
    players = [player for player in first.players if player is not None]
    others = range(1, min(AT_ONCE, len(numbers)))
    free = [first, *(new_table(plan, first.referee, players, first.recorder) for _ in others)]
    stacks, waiting = [plan.game.stack] * len(players), deque(enumerate(numbers.tolist()))
    running: list[Running] = []
    while waiting or running:
        while free and waiting:
            (row, number), table = waiting.popleft(), free.pop()
            button, deal = seat_players(plan, table, number), child(plan.key, number // plan.per_deal)
            table.begin(stacks, button, deal, decisions=child(plan.decisions, number), logged=False, ask=False)
            running.append(Running(row, number, table, [0] * len(players)))
        questions: dict[int, list[Running]] = {}
        for hand in running:
            if hand.table.actor == NOBODY:
                row = hand.row
                write_result(plan, hand.table, hand.number, hand.table.end(), chips[row], adjusted[row : row + 1])
                free.append(hand.table)
            else:
                questions.setdefault(hand.table.player_ids[hand.table.actor], []).append(hand)
        running = [hand for hands in questions.values() for hand in hands]
        for player_id, hands in questions.items():
            _ask_many(player_id, players[player_id], hands)


def _ask_many(player_id: int, player: HoldemPlayer, hands: Sequence[Running]) -> None:
    """Ask one player in several hands, and play its answers."""
    views, referee = [hand.table.turn for hand in hands], hands[0].table.referee
    for hand in hands:
        hand.asked[player_id] += 1
    if referee is None or not has_own_process(player):
        for hand, view in zip(hands, views, strict=True):
            if referee is not None:
                referee.begin_hand(hand.number + 1)
            hand.table.decide(player, view)
        return
    streams = np.stack([hand.table.rng[view.actor] for hand, view in zip(hands, views, strict=True)])
    locations = [DecisionPlace(hand.number + 1, hand.asked[player_id]) for hand in hands]
    answers = referee.ask_many(player_id, player, np.array([view.row for view in views]), streams, locations)
    for hand, answer, view, stream, location in zip(hands, answers, views, streams, locations, strict=True):
        hand.table.put(answer, view, stream, referee, location)


def play_unit(plan: Plan, referee: Referee | None, recorded: bool, unit: Unit) -> Played:
    """Play a unit of live hands with its own players: the work of one process."""
    unit_referee = None if referee is None else referee.fresh_copy(len(unit.numbers))
    recorder = HandRecorder()
    table, hands = new_table(plan, unit_referee, recorder=recorder if recorded else None), len(unit.numbers)
    chips = np.zeros((hands, len(plan.makers) + 1), np.int64)
    adjusted = np.zeros((hands if plan.adjust else 0, len(plan.makers)))
    isolated = any(map(has_own_process, table.players))
    if isolated and all(player is not None and is_stateless(player) for player in table.players):
        play_many(plan, table, unit.numbers, chips, adjusted)
    else:
        for row, number in enumerate(unit.numbers.tolist()):
            play_live(plan, table, number, chips[row], adjusted[row : row + 1], None)
    return Played(chips, adjusted, NO_FAULTS if unit_referee is None else unit_referee.report(), recorder.hands)
