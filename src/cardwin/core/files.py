"""Files that people keep: written whole or not at all, checked before the work, never over what is not ours."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from cardwin.core.errors import InputError

MARK = b"cardwin"  # in the head of every page and picture that we write
HEAD = 2000  # bytes


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place at once: after a crash there is the old one or the new one, never half of one."""
    with whole(path) as file:
        file.write(content)


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to bit by bit, which takes its place once all is written; after an error there is none of it."""
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
    """Make a rename last; where a folder cannot be opened (Windows), the system sees to it by itself."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def is_ours(path: Path) -> bool:
    """Whether a file is a page or a picture that we wrote."""
    with path.open("rb") as file:
        return MARK in file.read(HEAD)


def check_output(path: Path, option: str, *endings: str, again: bool = False) -> None:
    """Refuse, before the work, a file that could not be written after it or that is there; `again` if it is ours."""
    like = endings[0] if endings else ""
    if not path.name or path.is_dir():
        raise InputError(f"{option} {str(path)!r} is no file: name one, such as mine{like}")
    if endings and path.suffix not in endings:
        raise InputError(f"{option} {path} should end in {' or '.join(endings)}")
    if path.exists() and not (again and path.is_file() and is_ours(path)):
        why = "exists and is not ours to write over" if again else "exists already"
        raise InputError(f"{option} {path} {why}: choose another name or remove it")
    above = next(folder for folder in path.absolute().parents if folder.exists())
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        raise InputError(f"{option} {path} cannot be written: {above} is no folder to write into")
