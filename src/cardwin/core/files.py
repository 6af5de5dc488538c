"""Files: written atomically, checked before the computation, never overwriting files of other programs.

Arrays and notes are stored in safetensors files. Equal contents give equal bytes: that package writes the keys of its
header in any order, so they are sorted here. The cache folder holds files that can be rebuilt.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy.typing as npt
from platformdirs import user_cache_path

from cardwin.core.errors import CorruptFileError, InputError

MARK = b"cardwin"  # in the first bytes of every page and picture that cardwin writes
HEAD = 2000  # bytes
_LENGTH = 8  # bytes of the header's length, which the file begins with


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file atomically: after a crash either the old or the new file exists, never a part of it."""
    with open_atomic(path) as file:
        file.write(content)


@contextmanager
def open_atomic(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to write in parts. It replaces the target once it is complete; after an error it is removed."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable. Where a folder cannot be opened (Windows), the operating system does this."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def is_cardwin_file(path: Path) -> bool:
    """Return whether a file is a page or a picture that cardwin wrote."""
    with path.open("rb") as file:
        return MARK in file.read(HEAD)


def check_output(path: Path, option: str, *endings: str, overwrite: bool = False) -> None:
    """Check, before the computation, that an output file can be written and does not exist.

    Args:
        path: the file.
        option: the command's option, for the message.
        endings: the allowed suffixes, such as `.html`.
        overwrite: whether a file that cardwin wrote may be replaced.

    Raises:
        InputError: the file exists, has the wrong suffix, or cannot be written.

    """
    example = endings[0] if endings else ""
    if not path.name or path.is_dir():
        raise InputError(f"invalid file for {option}: expected a name such as mine{example}, got {str(path)!r}")
    if endings and path.suffix not in endings:
        raise InputError(f"invalid file for {option}: expected a name ending in {' or '.join(endings)}, got {path}")
    if path.exists() and not (overwrite and path.is_file() and is_cardwin_file(path)):
        reason = "exists and was not written by cardwin" if overwrite else "exists already"
        raise InputError(f"{option} {path} {reason}: choose another name or remove it")
    folder = next(folder for folder in path.absolute().parents if folder.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{option} {path} cannot be written: {folder} is not a writable folder")


def checksum_of(arrays: Mapping[str, Any], notes: Mapping[str, str]) -> str:
    """Return a hash of the metadata and the arrays of a file, with their types and shapes."""
    digest = hashlib.blake2b(json.dumps(dict(notes), sort_keys=True).encode(), digest_size=16)
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


def encode_tensors(arrays: Mapping[str, npt.NDArray[Any]], notes: Mapping[str, str]) -> bytes:
    """Return the bytes of a safetensors file with sorted keys.

    Offsets count from the header's end, so a header of another length moves no array.

    Args:
        arrays: arrays by name.
        notes: texts by name.

    """
    from safetensors.numpy import save

    content: bytes = save(dict(arrays), dict(notes))
    end = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
    header = json.dumps(json.loads(content[_LENGTH:end]), sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _LENGTH)
    return len(header).to_bytes(_LENGTH, "little") + header + content[end:]


def read_tensors(path: Path, noun: str, hint: str) -> tuple[dict[str, npt.NDArray[Any]], dict[str, str]]:
    """Read the arrays and the notes of a safetensors file.

    A folder or a pipe is refused, because reading a pipe that nobody writes to would block forever.

    Args:
        path: the file.
        noun: what the file is called in errors, such as `network file`.
        hint: how to get such a file.

    Returns:
        Arrays by name, and texts by name.

    Raises:
        InputError: there is no such file.
        CorruptFileError: the file cannot be read.

    """
    from safetensors import SafetensorError, safe_open

    if path.exists() and not path.is_file():
        raise InputError(f"expected a {noun}, got the folder or pipe {path}: {hint}")
    try:
        with safe_open(path, framework="numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  no mapping
            return arrays, dict(file.metadata() or {})
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: {hint}") from None
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise CorruptFileError(f"{path} is not a {noun}, or it is damaged: {error}") from None


def cache_folder() -> Path:
    """Return the user's cache folder for cardwin, which the environment variable CARDWIN_CACHE overrides."""
    folder = os.environ.get("CARDWIN_CACHE")
    return Path(folder) if folder else user_cache_path("cardwin", appauthor=False)
