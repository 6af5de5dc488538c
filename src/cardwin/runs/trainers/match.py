"""A match as a run: its hands, its secrets and its result in a folder, so that they can be checked afterwards.

A step is a block of hands. A match that was killed goes on with a new block, unless a player remembers earlier hands:
then it begins again.
"""

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from cardwin.arena.card_secrets import CardSecrets
from cardwin.arena.live_hands import NO_LISTENERS, Listeners
from cardwin.arena.match import BLOCK_HANDS, Match, MatchOptions, MatchRecord, play_until_certain
from cardwin.arena.recorded_hands import HandRecorder, RecordedHand
from cardwin.arena.referee import Referee, merge_reports
from cardwin.arena.seating import seating_of
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor, Workers
from cardwin.core.rng import key_of
from cardwin.core.trainer import Array, Generation, PrimaryMetric, Record, State, digest_of
from cardwin.results.answers import report_of, report_text
from cardwin.results.match import judge_match, match_answer
from cardwin.runs.commitments import hands_arrays
from cardwin.runs.trainers.arena_run import ArenaExperiment, ArenaTrainer

COMMAND = "match"
TABLE = "table"  # the population of the record


class MatchExperiment(ArenaExperiment):
    """The players, the number of hands, and the options of a match.

    Attributes:
        hands: Number of hands over all seatings.
        duplicate: Play every deal once in each seating, with the same cards.
        until_certain: Stop once the order is certain; hands is then the maximum.
        stacks: Stacks in the next hand: reset, kept, or bought again.
        all_in_adjusted: Score all-in hands by their mean over the possible boards.
        reduce_variance: Correct chance and known decisions (AIVAT); same expectation.
        seating: Whether seats are drawn at random for every deal, or rotate.

    """

    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("players", "game", "hands", "until_certain", "seed")

    kind: Literal["match"] = "match"
    hands: Annotated[int, Field(ge=1, le=100_000_000)] = 10_000
    duplicate: bool = False
    until_certain: bool = False
    stacks: Literal["reset", "kept", "rebuy"] = "reset"
    all_in_adjusted: bool = False
    reduce_variance: bool = False
    seating: Literal["drawn", "rotation"] = "drawn"

    @property
    def options(self) -> MatchOptions:
        """The options for the arena."""
        names = {field.name for field in fields(MatchOptions)} & set(type(self).model_fields)
        return MatchOptions(**{name: getattr(self, name) for name in names}, untrusted=self.programs)

    @property
    def hands_per_step(self) -> int:
        """The hands of a block, whole deals; all hands if they depend on each other."""
        if self.until_certain or self.reduce_variance or self.stacks != "reset":
            return self.hands
        per_deal = seating_of(len(self.names), self.seating, self.duplicate).per_deal
        return BLOCK_HANDS // per_deal * per_deal

    @property
    def steps(self) -> int:
        """The number of blocks."""
        return -(-self.hands // self.hands_per_step)


EXPERIMENT = MatchExperiment


def match_of(
    experiment: MatchExperiment,
    cards: int | CardSecrets,
    workers: Workers = 1,
    referee: Referee | None = None,
    listeners: Listeners = NO_LISTENERS,
    recorded: Sequence[RecordedHand] | None = None,
) -> Match:
    """Return the match of an experiment; untrusted players repeat what was recorded, if that is given."""
    makers = experiment.makers(recorded)
    return Match(experiment.rules, makers, cards, experiment.options, workers, referee, listeners)


def check(experiment: MatchExperiment) -> None:
    """Raise an InputError unless players and game exist and fit."""
    experiment.rules.tables(len(experiment.names))
    match_of(experiment, 0)


class MatchTrainer(ArenaTrainer[MatchExperiment]):
    """Plays one block of hands after the other; the results are in the record."""

    def __init__(self, experiment: MatchExperiment, executor: Executor, folder: Path) -> None:
        super().__init__(experiment, executor, folder)
        self.match: Match | None = None
        self.recorder = HandRecorder()
        self.referee = Referee(experiment.names, experiment.programs.limit, experiment.programs.time_bank)
        self.hands = 0  # played so far

    def _begin(self) -> Match:
        experiment = self.experiment
        cards = key_of(experiment.seed or 0, "match") if self.secrets is None else self.secrets
        listeners = Listeners(recorder=self.recorder) if experiment.untrusted else NO_LISTENERS
        match = match_of(experiment, cards, self.executor, self.referee, listeners, self.recorded_hands)
        match.first = self.hands
        if self.hands and match.remembers:
            raise InputError(
                f"{self.folder} cannot be resumed, because a player remembers earlier hands, which are not saved: "
                "start a new match"
            )
        return match

    def step(self, key: int) -> Generation:  # noqa: ARG002  the cards have their own keys
        """Play the next block."""
        experiment, certain = self.experiment, None
        played = self.match = self.match or self._begin()
        start = len(played.chips)
        if experiment.until_certain:
            certain = play_until_certain(played, experiment.hands)
        else:
            hands = min(experiment.hands_per_step, experiment.hands - self.hands)
            played.play(hands, more=self.hands + hands < experiment.hands)
        chips = played.chips[start:]
        adjusted = np.asarray(played.values, np.float64)[start:] if played.adjust else np.zeros((0, 0))
        self.hands += len(chips)
        notes = {
            "certain": json.dumps(certain),
            "began": str(played.first),
            "report": report_text(self.referee.report()),
        }
        if played.value_function is not None:
            notes["value_function"] = json.dumps([played.value_function.hash, played.value_function.pilot])
        return Generation(
            PrimaryMetric("hands played", float(self.hands)),
            {TABLE: {"hands": float(self.hands)}},
            {
                TABLE: {
                    "chips": chips,
                    "adjusted": adjusted,
                    "moved": np.array([played.moved]),
                    "stakes": played.stakes[start:],
                }
            }
            | hands_arrays(rows=self.recorder),
            notes | self.notes(),
            digest=digest_of(chips),
        )

    def state(self) -> State:
        """Return the number of hands played."""
        return {"done": np.array([self.hands])}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        self.hands = int(state["done"][0])

    def answer(self, record: Record) -> dict[str, Any]:
        """Return the result."""
        played = record_in(self.experiment, record)
        return match_answer(played, judge_match(played)) | self.secrecy(record)


def record_in(experiment: MatchExperiment, record: Record) -> MatchRecord:
    """Return the match that a run has recorded."""
    chips: list[Array] = record.arrays(TABLE, "chips")
    adjusted = [rows for rows in record.arrays(TABLE, "adjusted") if len(rows)]
    # A referee's report is of all steps since the match was begun or resumed: the last one of each counts.
    reports = dict(zip(record.notes("began"), record.notes("report"), strict=True))
    report = merge_reports([report_of(text) for text in reports.values()])
    per_deal = seating_of(len(experiment.names), experiment.seating, experiment.duplicate).per_deal
    certain = json.loads(record.notes("certain")[-1])
    moved = float(record.arrays(TABLE, "moved")[-1][0])
    function, pilot = json.loads((record.notes("value_function") or ['["", 0]'])[-1])
    return MatchRecord(
        experiment.rules,
        experiment.names,
        experiment.seed,
        np.concatenate(chips),
        experiment.options,
        per_deal,
        np.concatenate(adjusted) if adjusted else np.zeros((0, 0)),
        report,
        certain,
        moved,
        value_function=function,
        pilot=pilot,
        stakes=np.concatenate([np.zeros(0), *record.arrays(TABLE, "stakes")]),
    )


trainer = MatchTrainer
