"""Series of tournaments as runs: they can be stopped or killed at any moment and resume to the same result.

A step plays several blocks of tournaments, in parallel if there are several workers. Every block has its own
referee and its own keys, so the result does not depend on workers or restarts.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from cardwin.arena.payouts import read_payouts
from cardwin.arena.recorded_hands import HandRecorder, RecordedHand
from cardwin.arena.seating import seating_of
from cardwin.arena.tournament import (
    BLOCK_PLAYERS,
    Block,
    Results,
    Structure,
    TournamentRecord,
    Tournaments,
    blocks_of,
    play_blocks,
    record_of,
)
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor
from cardwin.core.experiment import TomlTable
from cardwin.core.rng import key_of
from cardwin.core.trainer import Generation, PrimaryMetric, Record, State, digest_of
from cardwin.results.answers import (
    report_of,
    report_text,
)
from cardwin.results.tournament import judge_tournaments, tournament_answer
from cardwin.runs.commitments import hands_arrays
from cardwin.runs.trainers.arena_run import ArenaExperiment, ArenaTrainer

COMMAND = "tournament"
DEFAULTS = Structure()
BLOCKS = 4  # in a step
EVERYBODY = "players"  # the population of the record
FIELDS = ("ranks", "hands", "won", "chips", "taken")


class StructureSettings(TomlTable):
    """The structure of a tournament: seats, growth of the blinds, and its end.

    Attributes:
        seats: Seats of each table.
        growth: Factor by which the blinds grow.
        every: Hands between two increases of the blinds.
        max_hands: Maximum number of hands; after it players are ranked by chips.
        until_left: Number of players left at which a tournament ends.
        dead_button: Use the dead-button rule, and ties across tables.

    """

    seats: int = DEFAULTS.seats
    growth: float = DEFAULTS.growth
    every: int = DEFAULTS.every
    max_hands: int = DEFAULTS.rounds
    until_left: int = DEFAULTS.last
    dead_button: bool = DEFAULTS.dead_button

    @property
    def structure(self) -> Structure:
        """The structure for the arena."""
        return Structure(self.seats, self.growth, self.every, self.max_hands, self.until_left, self.dead_button)


class TournamentExperiment(ArenaExperiment):
    """The players, the number of tournaments, and their structure.

    Attributes:
        tables: Number of tournaments; with duplicate each in every seating.
        duplicate: One table; play every sequence of decks once in each seating.
        seating: Duplicate tables: seatings are drawn or rotate.
        payouts: Shares of the prize pool by place, such as 50/30/20.

    """

    LENGTH: ClassVar[str] = "tables"
    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("players", "game", "tables", "structure.seats", "seed")

    kind: Literal["tournament"] = "tournament"
    tables: Annotated[int, Field(ge=1, le=100_000_000)] = 1
    duplicate: bool = False
    seating: Literal["drawn", "rotation"] = "drawn"
    payouts: str = ""
    structure: StructureSettings = StructureSettings()

    @property
    def steps(self) -> int:
        """The number of steps, computed without building a player: listing runs must not execute plug-ins."""
        return -(-self.tables // self.tables_per_step)

    @property
    def tables_per_step(self) -> int:
        """The number of tables per step, in the arena's block size."""
        players = len(self.names)
        per_table = seating_of(players, self.seating, duplicate=True).per_deal if self.duplicate else 1
        return max(1, BLOCK_PLAYERS // players // per_table) * BLOCKS

    def bound_to_length(self) -> str:
        """Return why this is not a prefix of a longer run: a last step that was cut short cannot be continued."""
        if self.tables % self.tables_per_step == 0:
            return ""
        return (
            f"tables of {len(self.names)} players are played {self.tables_per_step:,} at a time, and {self.tables:,} "
            "is not a multiple of that; a new run with the same seed begins with the same tables"
        )


EXPERIMENT = TournamentExperiment


def check(experiment: TournamentExperiment) -> None:
    """Raise an InputError unless players, game, structure and payouts exist and fit."""
    series_of(experiment)
    left, players = experiment.structure.until_left, len(experiment.names)
    if not 1 <= left < players:
        raise InputError(f"invalid structure.until_left: expected 1 to {players - 1} of {players} players, got {left}")
    if experiment.payouts:
        read_payouts(experiment.payouts, len(experiment.names))


def series_of(experiment: TournamentExperiment, recorded: Sequence[RecordedHand] | None = None) -> Tournaments:
    """Return the tournaments of an experiment; untrusted players repeat what was recorded, if that is given."""
    structure = experiment.structure.structure
    key = key_of(experiment.seed or 0, "tournament")
    return Tournaments(
        experiment.rules,
        experiment.makers(recorded),
        key,
        structure,
        duplicate=experiment.duplicate,
        seating=experiment.seating,
    )


class TournamentTrainer(ArenaTrainer[TournamentExperiment]):
    """Plays the rest of a series; all results are in the record."""

    def __init__(self, experiment: TournamentExperiment, executor: Executor, folder: Path) -> None:
        super().__init__(experiment, executor, folder)
        self.done = self.hands = 0
        self.played = np.zeros(1, dtype=np.int64)
        self.places = np.zeros(len(experiment.names))
        self.ahead: dict[range, Block] = {}  # blocks of later steps that have been played already

    @cached_property
    def series(self) -> Tournaments:
        """The tournaments."""
        return series_of(self.experiment, self.recorded_hands)

    def step(self, key: int) -> Generation:  # noqa: ARG002  a tournament's key comes from its number
        """Play the next blocks."""
        if self.secrets is not None:
            self.series.use_key(self.secrets.begin())
        played = self._play()
        if self.secrets is not None:
            self.secrets.end()
        record, hands = self._record(played), [hand for block in played for hand in block.hands]
        self.done += 1
        self.played += len(record.results.ranks)
        self.hands += int(record.results.hands.sum())
        self.places += record.results.ranks.sum(axis=0)
        best = PrimaryMetric("best mean rank", float(self.places.min() / self.played[0]))
        return Generation(
            best,
            {EVERYBODY: {"tournaments": float(self.played[0]), "best mean rank": best.value}},
            {EVERYBODY: {name: getattr(record.results, name) for name in FIELDS}}
            | hands_arrays(rows=HandRecorder(hands)),
            {"report": report_text(record.report)} | self.notes(),
            digest=digest_of(record.digest),
        )

    def _play(self) -> list[Block]:
        """Return the blocks of this step; with many workers and a seed, those of later steps are played ahead."""
        experiment, first = self.experiment, self.done * BLOCKS
        blocks = blocks_of(self.series, experiment.tables)
        chosen = blocks[first : first + BLOCKS]
        if not set(chosen) <= set(self.ahead):
            more = BLOCKS if self.secrets is not None else max(BLOCKS, 2 * self.executor.workers)
            wanted = blocks[first : first + more]
            programs, recorded = experiment.programs, experiment.untrusted
            played = play_blocks(self.series, wanted, experiment.names, programs, self.executor, recorded)
            self.ahead |= dict(played)
        return [self.ahead.pop(block) for block in chosen]

    def _record(self, blocks: list[Block]) -> TournamentRecord:
        return record_of(self.series, self.experiment.names, self.experiment.seed, blocks)

    def state(self) -> State:
        """Return the number of tournaments played and the sums of places."""
        return {"done": np.array([self.done]), "played": self.played, "places": self.places}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        self.done, self.played, self.places = int(state["done"][0]), state["played"].copy(), state["places"].copy()

    def answer(self, record: Record) -> dict[str, Any]:
        """Return standings, tests and faults; the digest is of all results, as if played in one go."""
        arrays = [record.arrays(EVERYBODY, name) for name in FIELDS]
        reports = [report_of(text) for text in record.notes("report")]
        whole = self._record([Block(Results(*rows), report) for *rows, report in zip(*arrays, reports, strict=True)])
        payouts = self.experiment.payouts
        shares = read_payouts(payouts, len(whole.specs)) if payouts else []
        return tournament_answer(whole, judge_tournaments(whole, shares)) | self.secrecy(record)


trainer = TournamentTrainer
