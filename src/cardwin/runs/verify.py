"""Check a match, a series of tournaments or a leaderboard after the fact.

1. Every secret must belong to its commitment, and every commitment must have been written down before.
2. Every step is played again from its secrets or the seed: cards, seats, decisions of our own players and chips must
   be those of the record. Untrusted players do what the record says, which must be legal; their code is not run.
3. The result is computed again from the record and compared with result.json.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from cardwin.arena.card_secrets import Revealed, commitment_of, commitment_to_all
from cardwin.arena.recorded_hands import RecordedHand, recorded_hands
from cardwin.core.errors import InputError
from cardwin.core.executor import open_executor
from cardwin.core.trainer import Array, Generation, Record, Trainer
from cardwin.runs import run_folder
from cardwin.runs.commitments import FILE, HANDS, commitments_in, hands_by_step, revealed_in
from cardwin.runs.experiment import refuse_edited
from cardwin.runs.kinds import kind_of
from cardwin.runs.store import Reader

MAX_PROBLEMS = 20


class Repeatable(Trainer, Protocol):
    """A trainer that can play again what it has recorded."""

    @property
    def hands(self) -> int:
        """The number of hands played so far, each counted once or by seat."""

    def repeat(self, known: Sequence[str], record: Record) -> None:
        """Use recorded secrets and the recorded actions of untrusted players instead of new ones.

        Args:
            known: The secrets, in their order.
            record: The recorded generations.

        """


@dataclass(frozen=True)
class Verification:
    """What was checked, and what is wrong."""

    steps: int
    hands: int
    commitment: str | None
    discarded: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(folder: Path) -> Verification:
    """Play a run again and compare it with its record.

    Args:
        folder: A match, a series of tournaments or a leaderboard.

    Returns:
        What was checked, and what is wrong.

    Raises:
        InputError: If the run is of another kind, or does not hold what is needed.

    """
    experiment = run_folder.reopen(folder)
    if not experiment.SECRET:
        raise InputError(
            f"{folder}: expected a match, tournament or leaderboard, got a run of kind {experiment.kind}; its seed "
            "gives the same digest again"
        )
    reader = Reader(folder / "run.db")
    if getattr(experiment, "untrusted", False) and len(hands_by_step(reader)) < reader.generations:
        raise InputError(f"{folder} does not contain its hands, which an older version did not record: play it again")
    if (before := reader.fingerprint) is not None:
        refuse_edited(folder, experiment, before)
    secrets, commitments = revealed_in(reader), commitments_in(folder)
    with open_executor(1) as executor:
        trainer = cast(Repeatable, kind_of(experiment.kind).trainer(experiment, executor, folder))
        trainer.repeat([block.secret for step in secrets for block in step], reader)
        problems = list(_problems(folder, reader, trainer, secrets, commitments))
    count = sum(len(step) for step in secrets)
    return Verification(
        reader.generations,
        trainer.hands,
        commitment_to_all(block.commitment for step in secrets for block in step) if count else None,
        max(len(commitments) - count, 0),
        tuple(problems[:MAX_PROBLEMS]),
    )


def _problems(
    folder: Path, reader: Reader, trainer: Repeatable, secrets: Sequence[Sequence[Revealed]], commitments: Sequence[str]
) -> Iterator[str]:
    wrong = list(_wrong_secrets(secrets, commitments))
    yield from wrong
    if wrong:
        return  # the cards cannot be dealt again
    for number in range(reader.generations):
        try:
            again = trainer.step(0)
        except InputError as error:
            yield f"step {number + 1} cannot be played again: {error}"
            return
        yield from _differences(number, reader, again)
    answer = run_folder.answer_of(folder)
    if answer is None:
        yield "result.json is missing: the run is not finished"
    elif reader.generations:
        yield from _wrong_answer(answer, trainer.answer(reader))


def _wrong_secrets(secrets: Sequence[Sequence[Revealed]], commitments: Sequence[str]) -> Iterator[str]:
    """Yield secrets that do not match their commitments, and commitments that were not written before."""
    left = list(commitments)
    for number, step in enumerate(secrets):
        for block in step:
            try:
                matches = commitment_of(bytes.fromhex(block.secret)) == block.commitment
            except ValueError:
                matches = False
            if not matches:
                yield f"step {number + 1}: the secret does not belong to its commitment {block.commitment[:16]}…"
            elif block.commitment not in left:
                yield f"step {number + 1}: {FILE} does not have the commitment {block.commitment[:16]}…"
            else:
                left = left[left.index(block.commitment) + 1 :]


def _differences(number: int, reader: Reader, again: Generation) -> Iterator[str]:
    """Yield how a step's record differs from the same step played again."""
    for population, arrays in again.arrays.items():
        for name, array in arrays.items():
            recorded = reader.arrays(population, name, number)
            if population == HANDS:
                yield from _wrong_hands(number, recorded[0] if recorded else np.zeros(0, np.int64), array)
            elif not recorded or not _equal(recorded[0], array):
                yield f"step {number + 1}: {name} of the record does not follow from the cards{_where(recorded, array)}"


def _equal(first: Array, second: Array) -> bool:
    return first.shape == second.shape and bool(np.array_equal(first, second))


def _where(recorded: Sequence[Array], again: Array) -> str:
    """Return the first row that differs."""
    if not recorded or recorded[0].shape != again.shape or again.ndim == 0:
        return ""
    row = int(np.argwhere((recorded[0] != again).reshape(len(again), -1).any(axis=1))[0, 0])
    return f" (row {row + 1}: {recorded[0][row].tolist()} instead of {again[row].tolist()})"


def _wrong_hands(number: int, recorded: Array, again: Array) -> Iterator[str]:
    if _equal(recorded, again):
        return
    for hand, replayed in zip_longest(recorded_hands(recorded), recorded_hands(again)):
        if hand != replayed:
            yield f"step {number + 1}, {_hand_difference(hand, replayed)}"
            return


def _hand_difference(recorded: RecordedHand | None, again: RecordedHand | None) -> str:
    """Return what differs in a hand."""
    if recorded is None or again is None:
        return "the number of hands differs"
    name = next(name for name in RecordedHand._fields if getattr(recorded, name) != getattr(again, name))
    return (
        f"hand {recorded.location[1] + 1}: {name} recorded as {getattr(recorded, name)}, "
        f"played again as {getattr(again, name)}"
    )


def _wrong_answer(stored: dict[str, Any], computed: dict[str, Any]) -> Iterator[str]:
    """Yield keys of result.json that do not follow from the record."""
    for key, value in json.loads(json.dumps(computed)).items():
        if key in stored and stored[key] != value and key != "sandbox":
            yield f"result.json: {key} does not follow from the record"
