"""Files: written atomically, checked before the computation, never overwriting files of other programs.

Arrays and notes are kept in safetensors files, as the same bytes for the same contents: that package writes the keys of
its header in any order, ours are sorted.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy.typing as npt
from platformdirs import user_cache_path

from cardwin.core.errors import CorruptFileError, InputError

MARK = b"cardwin"  # in the head of every page and picture that we write
HEAD = 2000  # bytes
_LENGTH = 8  # bytes of the header's length, which the file begins with


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file atomically: after a crash either the old or the new file exists, never a part of it."""
    with open_atomic(path) as file:
        file.write(content)


@contextmanager
def open_atomic(path: Path) -> Iterator[IO[bytes]]:
    """A file to write in parts, which replaces the target once it is complete; after an error it is removed."""
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
    """Make a rename durable; where a folder cannot be opened (Windows), the operating system does this."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def is_cardwin_file(path: Path) -> bool:
    """Whether a file is a page or a picture that we wrote."""
    with path.open("rb") as file:
        return MARK in file.read(HEAD)


def check_output(path: Path, option: str, *endings: str, again: bool = False) -> None:
    """Raise, before the computation, if the file cannot be written or exists; `again` permits one that we wrote."""
    like = endings[0] if endings else ""
    if not path.name or path.is_dir():
        raise InputError(f"{option} {str(path)!r} is no file: write a name such as mine{like}")
    if endings and path.suffix not in endings:
        raise InputError(f"{option} {path} should end in {' or '.join(endings)}")
    if path.exists() and not (again and path.is_file() and is_cardwin_file(path)):
        why = "exists and was not written by cardwin" if again else "exists already"
        raise InputError(f"{option} {path} {why}: choose another name or remove it")
    above = next(folder for folder in path.absolute().parents if folder.exists())
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        raise InputError(f"{option} {path} cannot be written: {above} is no folder to write into")


def encode_tensors(arrays: Mapping[str, npt.NDArray[Any]], notes: Mapping[str, str]) -> bytes:
    """The bytes of a file. Offsets count from the header's end, so a header of another length moves no array."""
    from safetensors.numpy import save

    content: bytes = save(dict(arrays), dict(notes))
    end = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
    header = json.dumps(json.loads(content[_LENGTH:end]), sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _LENGTH)
    return len(header).to_bytes(_LENGTH, "little") + header + content[end:]


def read_tensors(path: Path, named: str, hint: str) -> tuple[dict[str, npt.NDArray[Any]], dict[str, str]]:
    """The arrays and the notes of a file, which is called `named` in errors; `hint` says how to get one.

    A folder or a pipe is refused: nobody may ever write into a pipe.
    """
    from safetensors import SafetensorError, safe_open

    if path.exists() and not path.is_file():
        raise InputError(f"{path} is a folder or a pipe, not a {named}: {hint}")
    try:
        with safe_open(path, framework="numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  no mapping
            return arrays, dict(file.metadata() or {})
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: {hint}") from None
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise CorruptFileError(f"{path} is no {named}, or damaged: {error}") from None


def cache_folder() -> Path:
    """Return the user's cache folder for cardwin, which the environment variable CARDWIN_CACHE overrides."""
    folder = os.environ.get("CARDWIN_CACHE")
    return Path(folder) if folder else user_cache_path("cardwin", appauthor=False)
