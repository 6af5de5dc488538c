"""Commitments of a run without a seed, and the secrets that it reveals.

`commitments.jsonl` gets a line for every block of hands before its first deal. When the step is recorded, the block's
secret is in its note `secrets`. A commitment without a secret belongs to a block that was killed: it is discarded, and
the hands are dealt again under a new secret. Where untrusted players sit, the hands themselves are recorded too.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwin.arena.card_secrets import CardSecrets, Revealed, commitment_to_all
from cardwin.arena.recorded_hands import HandRecorder, RecordedHand, recorded_hands
from cardwin.core.errors import CorruptFileError
from cardwin.players.base import FORFEIT_RULE, LATE_RULE
from cardwin.players.sandbox.walls import STANDS, missing_walls, require_walls
from cardwin.players.specs import Untrusted, is_untrusted, needs_sandbox

if TYPE_CHECKING:
    from cardwin.core.trainer import Array, Record

FILE = "commitments.jsonl"
NOTE, SANDBOX = "secrets", "sandbox"
HANDS, ROWS = "hands", "rows"  # the population and the array of recorded hands


def card_secrets(folder: Path) -> CardSecrets:
    """Return the secrets whose commitments are written into a run's folder."""

    def commit(commitment: str) -> None:
        with (folder / FILE).open("a", encoding="ascii") as file:
            file.write(json.dumps({"commitment": commitment}) + "\n")
            file.flush()
            os.fsync(file.fileno())

    return CardSecrets(commit)


def commitments_in(folder: Path) -> list[str]:
    """Return all commitments of a run, in the order in which they were made."""
    path = folder / FILE
    if not path.is_file():
        return []
    try:
        return [str(json.loads(line)["commitment"]) for line in path.read_text(encoding="ascii").splitlines()]
    except (OSError, ValueError, KeyError, TypeError):
        raise CorruptFileError(f"{path} is damaged: expected an object with a commitment on every line") from None


def secrets_note(revealed: Sequence[Revealed]) -> dict[str, str]:
    """Return the note of a step with the secrets of its blocks."""
    return {NOTE: json.dumps([[block.commitment, block.secret] for block in revealed])} if revealed else {}


def revealed_in(record: "Record") -> list[list[Revealed]]:
    """Return the secrets of every recorded step; none for a run with a seed."""
    return [[Revealed(*map(str, pair)) for pair in json.loads(text)] for text in record.notes(NOTE)]


def hands_arrays(**recorders: HandRecorder) -> "dict[str, dict[str, Array]]":
    """Return the recorded hands of a step as arrays by name, empty if none were recorded."""
    return {HANDS: {name: recorder.take() for name, recorder in recorders.items()}}


def hands_by_step(record: "Record", name: str = ROWS) -> list[list[RecordedHand]]:
    """Return the recorded hands of every step, in the order of play."""
    return [list(recorded_hands(rows)) for rows in record.arrays(HANDS, name)]


def sandbox_for(specs: Sequence[str], untrusted: Untrusted) -> dict[str, str]:
    """Return the protections around untrusted players, checked before they play; empty if no player needs any."""
    return require_walls(untrusted.allow_weak_sandbox) if any(map(untrusted.uses_sandbox, specs)) else {}


def sandbox_in(record: "Record") -> dict[str, str]:
    """Return the protections in all recorded steps: "stands" only for those that were active in each of them."""
    walls: dict[str, str] = {}
    for text in record.notes(SANDBOX):
        walls |= {name: state for name, state in json.loads(text).items() if walls.get(name, STANDS) == STANDS}
    return walls


def fairness(specs: Sequence[str], seed: int | None, walls: dict[str, str]) -> dict[str, Any]:
    """Return the part of an answer about fairness.

    Args:
        specs: The players.
        seed: The seed of the cards, or None for secrets.
        walls: The protections around untrusted players.

    Returns:
        Whether no untrusted player could have known the cards, the protections, and the players that have none,
        because they are servers elsewhere or code of an installed package.

    """
    from cardwin.players.registry import is_installed

    boxed = bool(walls) and not missing_walls(walls)
    outside = {spec for spec in specs if is_untrusted(spec) or is_installed(spec)}
    open_ones = sorted(spec for spec in outside if not needs_sandbox(spec))
    fair = not outside or (seed is None and boxed and not open_ones)
    rules = {"forfeit": FORFEIT_RULE, "late": LATE_RULE} if outside else {}
    return {"fair": fair, "sandbox": walls, "no_walls": open_ones, "referee": rules}


def secrets_answer(record: "Record", folder: Path) -> dict[str, Any]:
    """Return one hash of all blocks that a run committed to, their number, and how many were discarded."""
    commitments = [block.commitment for step in revealed_in(record) for block in step]
    if not commitments:
        return {"commitment": None, "blocks": 0, "discarded": 0}
    discarded = len(commitments_in(folder)) - len(commitments)
    return {"commitment": commitment_to_all(commitments), "blocks": len(commitments), "discarded": discarded}
