"""Tournaments to elimination at one or hundreds of tables, compiled in batch or with Python players.

Both use the same kernels for everything except the hands themselves, and the same keys: a tournament's key is by
its number, a hand's by its round and table. A duplicate table is a deck sequence played once for each seating, with
newly built players each time.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial

import numpy as np

from cardwin.arena import multi_table
from cardwin.arena.card_secrets import CardSecrets
from cardwin.arena.live_table import LiveTable, check_players
from cardwin.arena.multi_table import Counts, Levels
from cardwin.arena.recorded_hands import HandRecorder, RecordedHand
from cardwin.arena.referee import NO_FAULTS, Referee, Report, compiled_faults, merge_reports
from cardwin.arena.seating import ORDERS, seat_hand, seating_of
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.executor import Workers, open_executor
from cardwin.core.rng import child, key_of, shuffle_first, stream_of
from cardwin.games.base import NOBODY
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.table import MAX_CHIPS, SEATS, Tables
from cardwin.players.compiled import CompiledPlayers, compiled_players
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import Makers, PlayerBuilder, makers_of
from cardwin.players.specs import IN_PROCESS, Untrusted, expand_specs

MOST_LEVELS = 10_000
MOST_COUNT = 10**9


@dataclass(frozen=True, slots=True)
class Structure:
    """Blinds, antes and limit bets grow by `growth` every `every` hands, until `last` players or `rounds` rounds.

    By default blinds grow by half every 20 hands: a thousand players are finished in a few hundred hands. The limit on
    rounds ends tournaments without growth, in which two players could fold to each other for ever. With a dead button
    blinds and ties are those of tournament directors (see `multi_table`).
    """

    seats: int = SEATS
    growth: float = 1.5
    every: int = 20
    rounds: int = 100_000
    last: int = 1
    dead_button: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= SEATS:
            raise InputError(f"expected 2 to {SEATS} seats, got {self.seats}")
        if not 1 <= self.growth <= 100:
            raise InputError(f"growth must be between 1 (none) and 100, got {self.growth:g}")
        for name, number in (("hands per level", self.every), ("rounds", self.rounds), ("players left", self.last)):
            if not 1 <= number <= MOST_COUNT:
                raise InputError(f"expected 1 to {MOST_COUNT} {name}, got {number}")

    def schedule(self, game: HoldemGame, players: int) -> Ints:
        """Return small blind, big blind, ante, small bet and big bet of every level, (levels, 5), in whole chips.

        Levels end when the big blind covers all chips: from then on every hand is for all of them.
        """
        bets = (game.small_bet, game.big_bet) if game.kind == "limit" else (game.min_bet, game.min_bet)
        sizes = np.array([game.small_blind, game.min_bet, game.ante, *bets], float)
        all_chips = min(game.stack * players, MAX_CHIPS)
        levels = [sizes]
        while self.growth > 1 and levels[-1][1] < all_chips and len(levels) < MOST_LEVELS:
            levels.append(levels[-1] * self.growth)
        chips: Ints = np.minimum(np.rint(np.stack(levels)), MAX_CHIPS).astype(np.int64)
        return chips

    def levels(self, game: HoldemGame, players: int) -> Levels:
        """Return the levels of a tournament of this number of players."""
        return Levels(game.stack, self.schedule(game, players), self.every, self.rounds, self.last)


BLOCK_PLAYERS = 4096  # the approximate number of players' results in a block
MOST_TOURNAMENTS = 100_000_000
LIVE_BLOCK_PLAYERS = 64  # if players are called in Python


@dataclass(frozen=True)
class Results:
    """Results of consecutive tournaments, (tournaments, players) each.

    The ranks from 1, hands dealt, won (mbb), chips at the end, and hands taken (those that end with more chips than
    before). Tied players have the mean of their ranks.
    """

    ranks: Floats
    hands: Ints
    won: Floats
    chips: Ints
    taken: Ints

    @property
    def digest(self) -> str:
        """A hash of all numbers except hands taken, which were added later."""
        digest = hashlib.blake2b(digest_size=16)
        for array in (self.ranks, self.hands, self.won, self.chips):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    def without(self, tournaments: Sequence[int]) -> "Results":
        """Return the same without some tournaments."""
        keep = np.delete(np.arange(len(self.ranks)), tournaments)
        return Results(self.ranks[keep], self.hands[keep], self.won[keep], self.chips[keep], self.taken[keep])


def joined(parts: Sequence[Results]) -> Results:
    """Return the tournaments of several blocks in a row."""
    return Results(
        np.concatenate([part.ranks for part in parts]),
        np.concatenate([part.hands for part in parts]),
        np.concatenate([part.won for part in parts]),
        np.concatenate([part.chips for part in parts]),
        np.concatenate([part.taken for part in parts]),
    )


@lru_cache(maxsize=8)
def _setting(game: HoldemGame, structure: Structure, players: int) -> tuple[Tables, Levels]:
    """Return empty tables for these players, and the levels: the same for every series of an evolution."""
    count = -(-players // structure.seats)
    tables = game.tables(players if count == 1 else structure.seats, count)
    tables["dead_button"] = structure.dead_button
    return tables, structure.levels(game, players)


class Tournaments:
    """A series of tournaments between the same players, each the same whenever and wherever it is played.

    The players are built by makers for every tournament, or are compiled already, such as a whole population.
    """

    def __init__(
        self,
        game: HoldemGame,
        makers: Makers | CompiledPlayers,
        key: int,
        structure: Structure,
        *,
        duplicate: bool = False,
        in_python: bool = False,
        seating: str = "drawn",
    ) -> None:
        self.makers: Makers = () if isinstance(makers, CompiledPlayers) else makers
        self._compiled, self._in_python = makers if isinstance(makers, CompiledPlayers) else None, in_python
        self.game, self.structure = game, structure
        players = len(self.field.kinds)
        if players < 2:
            raise InputError(f"expected at least 2 players, got {players}")
        if duplicate and players > structure.seats:
            raise InputError(f"{players} players: a duplicate table has one table, of up to {structure.seats}")
        self.players = players
        self._duplicate, self._kind = duplicate, seating
        self.use_key(key)

    @cached_property
    def field(self) -> CompiledPlayers:
        """All players in compiled form, to be copied for play."""
        if self._compiled is not None:
            return self._compiled
        built = [make() for make in self.makers]
        check_players(self.game, built, min(len(built), self.structure.seats))
        field = compiled_players(built, self._in_python)
        return field if field.all_compiled else compiled_players(built, self._in_python, live=True)

    def __getstate__(self) -> dict[str, object]:
        """Return the state without compiled players, which another process builds with its own tables of win odds."""
        return {name: value for name, value in vars(self).items() if name != "field"}

    def use_key(self, key: int) -> None:
        """Play the next tournaments by this key."""
        self.key = key
        kind, orders = self._kind, child(key, ORDERS)
        self.seating = seating_of(self.players, kind, True, orders) if self._duplicate else None

    @property
    def per_table(self) -> int:
        """The number of tournaments of one duplicate table; 1 without duplicates."""
        return 1 if self.seating is None else int(self.seating.per_deal)

    @property
    def block(self) -> int:
        """The number of tournaments in a block of work, whole duplicate tables; it depends on the players only."""
        wanted = BLOCK_PLAYERS if self.compiled else LIVE_BLOCK_PLAYERS
        return max(1, wanted // self.players // self.per_table) * self.per_table

    @property
    def compiled(self) -> bool:
        """Whether every player can be played by kernels."""
        return self.field.all_compiled

    @property
    def empty_tables(self) -> Tables:
        """Empty tables, as many as needed."""
        return _setting(self.game, self.structure, self.players)[0].copy()

    @property
    def levels(self) -> Levels:
        """Stack, blinds and end."""
        return _setting(self.game, self.structure, self.players)[1]

    def order(self, number: int) -> Ints:
        """Return the order (players,) in which players are seated in a tournament."""
        order = np.arange(self.players)
        if self.seating is not None:
            seat_hand(self.seating, number, order)
            return order
        shuffle_first(stream_of(child(self._key(number), multi_table.SEATING)), order, self.players)
        return order

    def _key(self, number: int) -> int:
        return child(self.key, number)

    def _deals(self, number: int) -> int:
        """Return the key of a tournament's cards: with duplicates, that of its table."""
        return self._key(number) if self.seating is None else child(child(self.key, -1), number // self.per_table)

    def play(
        self, first: int, count: int, referee: Referee | None = None, recorder: HandRecorder | None = None
    ) -> Results:
        """Play tournaments from number `first` on. A recorder receives the hands of those with Python players."""
        counts = multi_table.new_counts(count, self.players)
        results = Results(counts.ranks, counts.hands, counts.won, counts.chips, counts.taken)
        numbers = range(first, first + count)
        if self.compiled:
            field = self._field_copy()
            orders = np.stack([self.order(number) for number in numbers])
            keys = np.array([(self._deals(number), self._key(number)) for number in numbers])
            multi_table.play_tournaments(self.empty_tables, orders, self.levels, field.arrays, keys, counts, NOBODY)
            if referee is not None and any(slot.kind.needs_referee for slot in field.slots):
                referee.add(compiled_faults(field, referee.specs, lambda _, series, hand: (first + series, hand)))
        else:
            for row, number in enumerate(numbers):
                self._play_live(number, Counts(*(array[row] for array in counts)), referee, recorder)
        return results

    def _field_copy(self) -> CompiledPlayers:
        """Return the players with their own memory; static players have none."""
        return self.field.copy() if self.field.slots else self.field

    def _play_live(self, number: int, counts: Counts, referee: Referee | None, recorder: HandRecorder | None) -> None:
        """Play one tournament with Python players: the same tournament kernels, with hands at live tables."""
        levels, tables = self.levels, self.empty_tables
        player_ids = np.full((len(tables), SEATS), -1)
        deals, decisions = child(self._deals(number), multi_table.HANDS), child(self._key(number), multi_table.HANDS)
        lots = child(self._key(number), multi_table.LOTS)
        players, field = [make() for make in self.makers], self._field_copy()
        multi_table.seat_players(tables, player_ids, self.order(number), self.game.stack)
        live = [
            LiveTable(
                self.game,
                [players[player] if player >= 0 else None for player in row[: tables["seats"][k]]],
                referee=referee,
                tables=tables[k : k + 1],
                compiled=field,
                numbers=row,
            )
            for k, row in enumerate(player_ids)
        ]
        for table in live:
            table.recorder = recorder
        left, hand = self.players, 0
        while left > levels.last and hand < levels.rounds:
            multi_table.begin_round(tables, levels.schedule, levels.every, hand)
            if referee is not None:
                referee.begin_hand(hand + 1, number + 1)
            for k, table in enumerate(live):
                stacks = tables["stack"][k, : len(table.players)].tolist()
                if sum(stack > 0 for stack in stacks) > 1:
                    table.location = (number, hand, k)
                    key, choices = child(child(deals, hand), k), child(child(decisions, hand), k)
                    table.play(stacks, int(tables["button"][k]), key, decisions=choices)
            left = multi_table.end_round(tables, player_ids, field.arrays, left, lots, counts)
            for table, seated in zip(live, player_ids.tolist(), strict=True):
                _reseat(table, seated, players)
            hand += 1
        multi_table.place_rest(tables, player_ids, left, lots, counts.ranks, counts.chips)


def _reseat(table: LiveTable, player_ids: Sequence[int], players: Sequence[HoldemPlayer]) -> None:
    """Update a live table after players have moved: leavers are no longer notified, newcomers are seated."""
    for seat, before in enumerate(list(table.player_ids)):
        if player_ids[seat] != before:
            table.leave(seat)
    for seat, before in enumerate(list(table.player_ids)):
        if player_ids[seat] != before:
            table.sit(seat, players[player_ids[seat]], player_ids[seat])


@dataclass(frozen=True)
class TournamentRecord:
    """The players, the structure and the results; with duplicates `per_table` tournaments in a row share cards."""

    game: HoldemGame
    specs: tuple[str, ...]
    seed: int | None
    structure: Structure
    results: Results
    per_table: int = 1
    report: Report = NO_FAULTS

    @property
    def digest(self) -> str:
        """A hash of the numbers, without tournaments in which a player exceeded its time limit."""
        return self.results.without(sorted({number - 1 for number, _ in self.report.late})).digest


@dataclass(frozen=True)
class TournamentOptions:
    """How tournaments are played.

    Attributes:
        structure: Blinds, seats and the end.
        duplicate: Whether every sequence of decks is played once in each seating, at one table.
        seating: How seats of duplicate tables are drawn, a key of `seating.KINDS`.
        untrusted: How players from outside the package are run.

    """

    structure: Structure = Structure()
    duplicate: bool = False
    seating: str = "drawn"
    untrusted: Untrusted = IN_PROCESS


DEFAULT_OPTIONS = TournamentOptions()


def tournament(
    game: HoldemGame,
    specs: Sequence[str],
    tables: int,
    seed: int | None = None,
    workers: Workers = 1,
    options: TournamentOptions = DEFAULT_OPTIONS,
) -> TournamentRecord:
    """Play this number of tournaments, or duplicate tables, between players given by specifications."""
    names = tuple(expand_specs(specs))
    makers = makers_of(names, options.untrusted, forfeit=True)
    key = CardSecrets().begin() if seed is None else key_of(seed, "tournament")
    series = Tournaments(game, makers, key, options.structure, duplicate=options.duplicate, seating=options.seating)
    blocks = [*play_blocks(series, blocks_of(series, tables), names, options.untrusted, workers)]
    return record_of(series, names, seed, [block for _, block in blocks])


@dataclass(frozen=True)
class Block:
    """A played block of work."""

    results: Results
    report: Report
    hands: list[RecordedHand] = field(default_factory=list)

    @property
    def hands_dealt(self) -> int:
        """The number of hands dealt, counted once for each player in them."""
        return int(self.results.hands.sum())


def record_of(series: Tournaments, names: Sequence[str], seed: int | None, blocks: Sequence[Block]) -> TournamentRecord:
    """Return all blocks in their order as one record."""
    results, report = joined([block.results for block in blocks]), merge_reports([block.report for block in blocks])
    return TournamentRecord(series.game, tuple(names), seed, series.structure, results, series.per_table, report)


def blocks_of(series: Tournaments, tables: int) -> list[range]:
    """Return the tournaments of every block."""
    total = tables * series.per_table
    if not 1 <= total <= MOST_TOURNAMENTS:
        raise InputError(f"expected 1 to {MOST_TOURNAMENTS} tournaments, got {total}")
    return [range(first, min(first + series.block, total)) for first in range(0, total, series.block)]


def play_blocks(
    series: Tournaments,
    blocks: Sequence[range],
    names: Sequence[str],
    untrusted: Untrusted,
    workers: Workers,
    recorded: bool = False,
) -> Iterator[tuple[range, Block]]:
    """Yield each block when it is finished, in order. Named players that are called in Python have processes.

    Every block has its own referee, so that it does not depend on earlier blocks.
    """
    is_parallel = series.compiled or all(isinstance(make, PlayerBuilder) for make in series.makers)
    job = partial(play_one_block, series, names, untrusted, recorded)
    with open_executor(workers if is_parallel else 1, in_python=not series.compiled) as executor:
        yield from zip(blocks, executor.map(job, blocks), strict=True)


def play_one_block(
    series: Tournaments, names: Sequence[str], untrusted: Untrusted, recorded: bool, block: range
) -> Block:
    """Play the tournaments of one block."""
    referee, recorder = Referee(names, untrusted.limit, untrusted.time_bank), HandRecorder()
    results = series.play(block.start, len(block), referee, recorder if recorded else None)
    return Block(results, referee.report(), recorder.hands)
