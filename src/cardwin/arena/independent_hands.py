"""Hands with full stacks: every deal once, or once for each seating, in any order and by any number of workers.

Hand n has the cards of deal n // hands per deal and its own decisions, so only players with memory depend on the
order. Each seating has its own players; all deals share them if the order is drawn for every deal.
Hands are divided into units of work in a way that depends on the players only:

1. compiled players without memory: blocks of a fixed size;
2. players with memory, or called in Python: the hands of one table, in order;
3. Python players that are `stateless`: the hands of one table in blocks, with newly built players in each.
Threads play the units of compiled players, processes those of Python players given by specifications, and a cluster
both, except compiled players with memory, which stay in this process.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from cardwin.arena.engine import CORRECTIONS as CORRECTIONS_KEY
from cardwin.arena.engine import RUNOUTS, StackRules, deal_key, play_hands
from cardwin.arena.live_table import announce_match
from cardwin.arena.referee import NO_FAULTS, Referee, Report, compiled_faults
from cardwin.arena.seating import ORDERS, Seating, player_numbers, seating_of
from cardwin.core.arrays import Floats, Ints
from cardwin.core.executor import Workers, open_executor, thread_count
from cardwin.core.rng import child, prf
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.compiled import CompiledPlayers, Slot, compiled_players
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import Makers

BLOCK = 4096  # hands of compiled players

Done: TypeAlias = Callable[[int], None]


@dataclass(frozen=True)
class Plan:
    """A match's parameters: enough to build any of its tables, here or in another process.

    `numbers` are the players' public numbers if seats are drawn; `weights` (players, any) are the value function of
    corrections, without rows if there is none.
    """

    game: HoldemGame
    makers: Makers
    key: int = 0
    duplicate: bool = False
    adjust: bool = False
    in_python: bool = False
    kind: str = "drawn"
    numbers: tuple[int, ...] = ()
    weights: Floats = field(default_factory=lambda: np.zeros((0, 0)))

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
        """Return the same match with the cards of another key; players' public numbers remain those of the first."""
        return replace(self, key=key, numbers=self.numbers or player_numbers(len(self.makers), key))

    @property
    def decisions(self) -> int:
        """The key of decisions: with duplicates they have their own random streams."""
        return child(self.key, -1) if self.duplicate else self.key


class CompiledHands:
    """Hands of compiled players. `players` are those of the first table; the referee receives their faults."""

    def __init__(
        self, plan: Plan, players: Sequence[HoldemPlayer], workers: Workers, referee: Referee | None = None
    ) -> None:
        self.plan, self.workers, self.referee = plan, workers, referee
        self.players = seated_players(plan, players)
        self.compiled = compiled_players(self.players)

    def play(
        self,
        first: int,
        chips: Ints,
        adjusted: Floats,
        done: Done,
        more: bool,  # noqa: ARG002
        columns: Floats | None = None,
    ) -> int:
        """Play hands from number `first` on into chips and adjusted (hands, players), which may be empty.

        Chips may have one more column, for the chips at stake (`rules.staked`).
        The columns of corrections are written into columns (hands, players, COLUMNS), if any. Return the number of
        hands played.
        """
        if not self.compiled.remember:
            self._play_blocks(first, chips, adjusted, done, columns)
            return len(chips)
        plan = self.plan

        def play(numbers: Ints) -> None:
            players = observed(plan, self.compiled.copy_scratch(), numbers, first, adjusted, columns)
            play_numbered(plan, players, numbers, first, chips)
            if self.referee is not None:
                self.referee.add(faults_of(plan, players, self.referee.specs, numbers))
            done(len(numbers))

        numbers = np.arange(first, first + len(chips))
        with open_executor(thread_count(self.workers)) as executor:
            for _ in executor.map(play, [numbers[numbers % plan.tables == table] for table in range(plan.tables)]):
                pass
        self.compiled.sync_memory(self.players)
        return len(chips)

    def _play_blocks(self, first: int, chips: Ints, adjusted: Floats, done: Done, columns: Floats | None) -> None:
        """Play hands of players without memory, in blocks of a fixed size."""
        end = first + len(chips)
        blocks = [range(start, min(start + BLOCK, end)) for start in range(first, end, BLOCK)]
        specs = () if self.referee is None else self.referee.specs
        job = BlockJob(self.plan, self.compiled, columns is not None, specs)
        with open_executor(self.workers) as executor:
            for block, played in zip(blocks, executor.map(job, blocks), strict=True):
                rows = slice(block.start - first, block.stop - first)
                chips[rows] = played.chips[:, : chips.shape[1]]
                if self.plan.adjust:
                    adjusted[rows] = played.adjusted
                if columns is not None:
                    columns[rows] = played.columns
                if self.referee is not None:
                    self.referee.add(played.report)
                done(len(block))


@dataclass(frozen=True)
class PlayedBlock:
    """The results of a block: chips (hands, players + 1), adjusted (hands, players), columns (hands, players, COLUMNS).

    The last column of chips is what was at stake. The last two arrays are empty if not requested. The report has
    faults, if the specifications of the players are known.
    """

    chips: Ints
    adjusted: Floats
    columns: Floats
    report: Report = NO_FAULTS

    @property
    def hands_dealt(self) -> int:
        """The number of hands dealt, counted once for each player in them."""
        return self.chips[:, :-1].size


def faults_of(plan: Plan, players: CompiledPlayers, specs: Sequence[str], numbers: Ints) -> Report:
    """Return the faults of compiled players in hands with these numbers."""

    def locate(player_id: int, _: int, hand: int) -> tuple[int, int]:
        table_hands = numbers[numbers % plan.tables == player_id // len(specs)]
        return 0, int(table_hands[hand - 1]) + 1

    return compiled_faults(players, specs, locate) if specs else NO_FAULTS


def observed(
    plan: Plan, players: CompiledPlayers, numbers: Ints, first: int, adjusted: Floats, columns: Floats | None
) -> CompiledPlayers:
    """Return the players of some hands with the observers of the match, which write the rows of these hands.

    adjusted (hands, players) receives the mean over the boards after the last decision, less the corrections; columns
    (hands, players, COLUMNS) the columns of these. Both may be empty.
    """
    if not len(plan.weights) and not len(adjusted):
        return players
    from cardwin.arena.corrections import CORRECTIONS, RUN_OUTS_KIND, new_corrections, new_run_outs

    rows, totals = numbers - first, np.zeros(0)
    observers = []
    if len(plan.weights):
        keys = np.array([prf(child(plan.decisions, number), CORRECTIONS_KEY) for number in numbers.tolist()], np.int64)
        corrections = new_corrections(plan.weights, players.arrays_with_probabilities, keys, rows, columns)
        observers.append(Slot(CORRECTIONS, corrections))
        totals = corrections.totals
    if len(adjusted):
        keys = np.array(
            [child(deal_key(plan.seating, plan.key, number), RUNOUTS) for number in numbers.tolist()], np.int64
        )
        observers.append(Slot(RUN_OUTS_KIND, new_run_outs(keys, rows, adjusted, totals)))
    return players.observed_by(*observers)


def play_numbered(plan: Plan, players: CompiledPlayers, numbers: Ints, first: int, chips: Ints) -> None:
    """Play the hands with these numbers, with full stacks; the result of hand n is row n - first of chips."""
    tables, rules = plan.game.tables(len(plan.makers)), StackRules(plan.game.stack, False, False, 2, False, 0, 0, 0)
    play_hands(tables, rules, plan.seating, players.arrays, plan.key, plan.decisions, numbers, first, chips)


def seated_players(plan: Plan, first: Sequence[HoldemPlayer]) -> list[HoldemPlayer]:
    """Return the players of all tables of a match, table after table, with those of the first in `first`."""
    players = [*first, *(make() for _ in range(1, plan.tables) for make in plan.makers)]
    announce_match(players, len(first))
    return players


class BlockJob:
    """Plays blocks of hands of compiled players without memory: the work of a thread, or of a node.

    Another process builds its own players, with its own tables of win odds.
    """

    def __init__(
        self, plan: Plan, players: CompiledPlayers | None, with_columns: bool, specs: tuple[str, ...] = ()
    ) -> None:
        self.plan, self.with_columns, self.specs, self._players = plan, with_columns, specs, players

    def __reduce__(self) -> tuple[type["BlockJob"], tuple[Plan, None, bool, tuple[str, ...]]]:
        return BlockJob, (self.plan, None, self.with_columns, self.specs)

    def __call__(self, block: range) -> PlayedBlock:
        """Play the hands with these numbers."""
        plan, hands, seats = self.plan, len(block), len(self.plan.makers)
        if self._players is None:
            self._players = compiled_players(seated_players(plan, [make() for make in plan.makers]))
        chips, adjusted = np.zeros((hands, seats + 1), np.int64), np.zeros((hands if plan.adjust else 0, seats))
        columns = np.zeros((0, seats, 0))
        if self.with_columns:
            from cardwin.arena.corrections import COLUMNS

            columns = np.zeros((hands, seats, COLUMNS))
        numbers = np.arange(block.start, block.stop)
        players = observed(plan, self._players.copy_scratch(), numbers, block.start, adjusted, columns)
        play_numbered(plan, players, numbers, block.start, chips)
        return PlayedBlock(chips, adjusted, columns, faults_of(plan, players, self.specs, numbers))
