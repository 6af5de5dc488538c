"""Fingerprint of the experiment at the start of its run, stored in run.db and in every checkpoint to detect edits.

Two edits are allowed: a longer run (`--resume DIR --generations N`) and new players on a leaderboard
(`--resume DIR --add PLAYER`). A lengthened run continues where the shorter one ended. It equals a run that had the
longer length from the start, unless a step depends on the length.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError
from cardwin.core.experiment import Experiment
from cardwin.runs.experiment import HARMLESS, OLD_KEYS, check, flat


def fingerprint(experiment: Experiment) -> str:
    """All settings that affect the result, by dotted key, as JSON."""
    values = flat(experiment.model_dump(mode="json"))
    return json.dumps({key: value for key, value in values.items() if key not in HARMLESS}, sort_keys=True)


def read_fingerprint(text: str) -> dict[str, Any]:
    """The settings in a fingerprint by dotted key, under their current names."""
    return {OLD_KEYS.get(key, key): value for key, value in json.loads(text).items()}


def refuse_edited(folder: Path, experiment: Experiment, before: str, free: str = "") -> None:
    """Raise an InputError with the changed keys if the fingerprint differs from `before`; the key `free` may differ."""
    then, now = read_fingerprint(before), json.loads(fingerprint(experiment))
    # A key that a later version added had no effect before, which is what its default has now.
    added = {key: value for key, value in _defaults(experiment).items() if key not in then}
    changed = [key for key in {**then, **now} if key != free and {**added, **then}.get(key) != now.get(key)]
    if not changed:
        return
    changes = "; ".join(f"{key} was {json.dumps(then.get(key))} and is {json.dumps(now.get(key))}" for key in changed)
    how = experiment.LONGER or f"--{experiment.LENGTH} N makes it longer"
    longer = f"; --resume {folder} {how}" if changed == [experiment.LENGTH] else ""
    raise InputError(
        f"{folder / 'experiment.toml'} was edited after the run began: {changes}; "
        f"put it back to go on, or start a new run{longer}"
    )


def _defaults(experiment: Experiment) -> dict[str, Any]:
    """The settings that an experiment of this kind has if none are given, by dotted key."""
    return flat(type(experiment).model_construct().model_dump(mode="json", warnings=False))


def lengthened(folder: Path, experiment: Experiment, key: str, length: int) -> Experiment:
    """The same experiment with another length; the run so far must be a valid beginning of it."""
    key = "trials" if (key, experiment.LENGTH) == ("hands", "trials") else key  # --hands serves both
    if key != experiment.LENGTH or experiment.LONGER:
        own = experiment.LONGER or f"--{experiment.LENGTH}"
        known = f"has no {key}, but {own}" if experiment.LENGTH else "has no length to change"
        raise InputError(f"{folder}, of kind {experiment.kind}, {known}")
    now = int(getattr(experiment, key))
    if length < now:
        raise InputError(
            f"{folder} has {key} {now:,}: a run is made longer, not shorter, so --{key} must be {now:,} or more"
        )
    longer = check(experiment.model_dump() | {key: length}, f"--{key} {length}")
    if length > now and (why := experiment.bound_to_length()):
        raise InputError(f"{folder} cannot be made longer: {why}")
    return longer


def joined(folder: Path, experiment: Experiment, newcomers: Sequence[str], before: str | None) -> Experiment:
    """The same leaderboard with newcomers at its end; `before` is the fingerprint at the start of the run, if any.

    If an earlier call was interrupted between writing experiment.toml and the new fingerprint, this call completes it.
    """
    if experiment.LENGTH != "players":
        raise InputError(f"{folder} is of kind {experiment.kind}: newcomers join a leaderboard")
    players = list(experiment.model_dump()["players"])
    then = players if before is None else json.loads(before)["players"]
    cut_off = players != then and players == [*then, *newcomers]
    if before is not None:
        refuse_edited(folder, experiment, before, experiment.LENGTH if cut_off else "")
    if cut_off:
        return experiment
    if there := [name for name in newcomers if name in players]:
        raise InputError(f"{there[0]} is on the board in {folder} already: --add takes new players only")
    return check(experiment.model_dump() | {"players": [*players, *newcomers]}, "--add")
