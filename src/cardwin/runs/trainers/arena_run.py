"""What runs of the arena have in common: matches, tournaments and leaderboards of hold'em.

Their cards come from a seed, or from secrets that the folder commits to (`commitments`). Where untrusted players take
part all hands are recorded, so that `verify` can play them again without running untrusted code.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from pydantic import Field

from cardwin.arena.card_secrets import CardSecrets
from cardwin.arena.recorded_hands import RecordedHand, recorded_makers
from cardwin.core.executor import Executor
from cardwin.core.experiment import Experiment
from cardwin.core.trainer import Record
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.specs import split_spec
from cardwin.players.registry import Makers, makers_of
from cardwin.players.specs import Untrusted, expand_specs, is_untrusted
from cardwin.runs.commitments import (
    SANDBOX,
    card_secrets,
    fairness,
    hands_by_step,
    sandbox_for,
    sandbox_in,
    secrets_answer,
    secrets_note,
)


class ArenaExperiment(Experiment):
    """The players, and how untrusted ones are isolated.

    Attributes:
        game: The game: holdem-nl, holdem-limit or holdem-simple, with parameters.
        players: The players, one per seat.
        time_limit: Seconds per action for untrusted players; 0 means no limit.
        in_process: Run python: players in this process (trusted code only).
        allow_weak_sandbox: Play untrusted players even if the system cannot isolate them well.
        time_bank: Seconds per 1,000 hands for all actions of an untrusted player; 0 means no limit.

    """

    SECRET: ClassVar[bool] = True

    game: str = "holdem-nl"
    players: tuple[str, ...]
    time_limit: Annotated[float, Field(ge=0)] = 2.0
    in_process: bool = False
    allow_weak_sandbox: bool = False
    time_bank: Annotated[float, Field(ge=0)] = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        """Every player."""
        return tuple(expand_specs(self.players))

    @property
    def rules(self) -> HoldemGame:
        """The game."""
        return holdem_game(*split_spec(self.game))

    @property
    def programs(self) -> Untrusted:
        """How untrusted players are run."""
        return Untrusted(self.time_limit, self.in_process, self.allow_weak_sandbox, self.time_bank)

    @property
    def untrusted(self) -> bool:
        """Whether an untrusted player takes part."""
        return any(map(is_untrusted, self.names))

    def makers(self, recorded: Sequence[RecordedHand] | None = None) -> Makers:
        """Return builders of the players; untrusted ones repeat what was recorded, if that is given."""
        if recorded is not None:
            return recorded_makers(self.names, recorded)
        return makers_of(self.names, self.programs, forfeit=True)


E = TypeVar("E", bound=ArenaExperiment)


class ArenaTrainer(Generic[E]):
    """The part of a trainer that deals with secrets, records and the sandbox."""

    def __init__(self, experiment: E, executor: Executor, folder: Path) -> None:
        self.experiment, self.executor, self.folder = experiment, executor, folder
        self.secrets = card_secrets(folder) if experiment.seed is None else None
        self.recorded: list[list[RecordedHand]] | None = None  # by step, if they are played again

    def repeat(self, known: Sequence[str], record: Record) -> None:
        """Use recorded secrets, in their order, and the recorded actions of untrusted players."""
        self.secrets = None if self.secrets is None else CardSecrets(known=known)
        self.recorded = hands_by_step(record)

    @property
    def recorded_hands(self) -> list[RecordedHand] | None:
        """All recorded hands in the order of play, or None if nothing is played again."""
        return None if self.recorded is None else [hand for step in self.recorded for hand in step]

    def notes(self) -> dict[str, str]:
        """Return the notes of a step: the secrets of its blocks, and the protections around untrusted players."""
        revealed = [] if self.secrets is None else self.secrets.take_revealed()
        experiment = self.experiment
        walls = sandbox_for(experiment.names, experiment.programs) if self.recorded is None else {}
        return secrets_note(revealed) | ({SANDBOX: json.dumps(walls)} if walls else {})

    def secrecy(self, record: Record) -> dict[str, Any]:
        """Return the part of the answer about secrets, fairness and the sandbox."""
        fair = fairness(self.experiment.names, self.experiment.seed, sandbox_in(record))
        return secrets_answer(record, self.folder) | fair

    def write_champions(self, folder: Path) -> list[Path]:  # noqa: ARG002  players do not change
        """Write nothing: there are no champions."""
        return []
