"""Checkpoints: safetensors files, written atomically, with a checksum that detects damage.

The last two are kept, so that there is an older one if the newest is damaged.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from cardwin.core.errors import CorruptFileError, InputError
from cardwin.core.files import encode_tensors, write_atomic
from cardwin.core.trainer import State

SCHEMA = "2"
MAX_CHECKPOINTS = 2


@dataclass(frozen=True)
class Checkpoint:
    """Arrays by name and notes by name."""

    arrays: State
    notes: dict[str, str]


def write(path: Path, arrays: State, notes: Mapping[str, str]) -> None:
    """Write a checkpoint with its checksum."""
    solid: State = {name: np.require(array, requirements="C") for name, array in arrays.items()}
    complete = {**notes, "schema": SCHEMA}
    write_atomic(path, encode_tensors(solid, {**complete, "checksum": _checksum(solid, complete)}))


def read(path: Path) -> Checkpoint:
    """Read a checkpoint.

    Raises:
        CorruptFileError: If the file is truncated or was changed.
        InputError: If it has another schema.

    """
    try:
        with _opened(path) as name, safe_open(name, framework="numpy") as file:
            arrays: State = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  no mapping
            notes = dict(file.metadata() or {})
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise CorruptFileError(f"{path} is damaged: {error}") from None
    if notes.get("schema") != SCHEMA:
        raise InputError(f"{path} has schema {notes.get('schema')}, this version reads {SCHEMA}")
    if notes.pop("checksum", None) != _checksum(arrays, notes):
        raise CorruptFileError(f"{path} is damaged: its contents do not match its checksum")
    return Checkpoint(arrays, notes)


def newest_notes(folder: Path) -> dict[str, str]:
    """Return the notes of the newest checkpoint; empty if there is none, or if it cannot be read now."""
    try:
        with _opened(all_in(folder)[-1]) as name, safe_open(name, framework="numpy") as file:
            return dict(file.metadata() or {})
    except (IndexError, OSError, SafetensorError, ValueError):
        return {}  # a running run replaces its checkpoints


@contextmanager
def _opened(path: Path) -> Iterator[str]:
    """Yield the path for the safetensors package, which accepts only UTF-8; other paths become /dev/fd/N."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        with path.open("rb") as file:
            yield f"/dev/fd/{file.fileno()}"
    else:
        yield str(path)


def _checksum(arrays: State, notes: Mapping[str, str]) -> str:
    digest = hashlib.blake2b(json.dumps(dict(notes), sort_keys=True).encode(), digest_size=16)
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


def name_of(generation: int) -> str:
    """Return the file name for a generation; names sort in order of generations."""
    return f"{generation:09d}.safetensors"


def all_in(folder: Path) -> list[Path]:
    """Return the checkpoints in a folder, oldest first."""
    return sorted(folder.glob("*.safetensors"))


def newest(folder: Path) -> Checkpoint | None:
    """Return the newest checkpoint, or None if there is none; if it is damaged, the error names the one before it."""
    paths = all_in(folder)
    if not paths:
        return None
    try:
        return read(paths[-1])
    except InputError as error:
        before = f" from {paths[-2].name}" if len(paths) > 1 else " from the beginning"
        raise InputError(f"{error}; remove that file, and --resume continues{before}") from None


def drop_old(folder: Path) -> None:
    """Delete all but the last two."""
    for path in all_in(folder)[:-MAX_CHECKPOINTS]:
        path.unlink(missing_ok=True)
