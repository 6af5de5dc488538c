"""Checkpoints: safetensors files, written whole or not at all, sealed so that a changed one is noticed.

The last two are kept, so that a damaged one has a predecessor.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from cardwin.core.errors import InputError
from cardwin.core.files import write_whole
from cardwin.core.tensors import tensors
from cardwin.core.trainer import State

SCHEMA = "2"
KEPT = 2


@dataclass(frozen=True)
class Checkpoint:
    """State by name and notes by name."""

    arrays: State
    notes: dict[str, str]


def write(path: Path, arrays: State, notes: Mapping[str, str]) -> None:
    """Write a sealed checkpoint."""
    solid: State = {name: np.require(array, requirements="C") for name, array in arrays.items()}
    kept = {**notes, "schema": SCHEMA}
    write_whole(path, tensors(solid, {**kept, "checksum": _checksum(solid, kept)}))


def read(path: Path) -> Checkpoint:
    """Read a checkpoint; one cut short or changed is refused by name."""
    try:
        with _opened(path) as name, safe_open(name, framework="numpy") as file:
            arrays: State = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  no mapping
            notes = dict(file.metadata() or {})
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged: {error}") from None
    if notes.get("schema") != SCHEMA:
        raise InputError(f"{path} has schema {notes.get('schema')}, this version reads {SCHEMA}")
    if notes.pop("checksum", notes.pop("seal", None)) != _checksum(arrays, notes):
        raise InputError(f"{path} is damaged: its contents do not match its seal")
    return Checkpoint(arrays, notes)


@contextmanager
def _opened(path: Path) -> Iterator[str]:
    """The path as the package takes it, which knows only UTF-8: any other file is opened here and named by number."""
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
    """The file's name for a generation, in order when sorted."""
    return f"{generation:09d}.safetensors"


def all_in(folder: Path) -> list[Path]:
    """The checkpoints in a folder, oldest first."""
    return sorted(folder.glob("*.safetensors"))


def newest(folder: Path) -> Checkpoint | None:
    """The latest checkpoint, or None where there is none yet; if it is damaged, the one before it is offered."""
    paths = all_in(folder)
    if not paths:
        return None
    try:
        return read(paths[-1])
    except InputError as error:
        before = f" from {paths[-2].name}" if len(paths) > 1 else " from the beginning"
        raise InputError(f"{error}; remove that file, and --resume goes on{before}") from None


def drop_old(folder: Path) -> None:
    """Keep the last two."""
    for path in all_in(folder)[:-KEPT]:
        path.unlink(missing_ok=True)
