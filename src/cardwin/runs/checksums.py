"""Checksums of a finished run's files, which find damage: one flipped bit in any of them.

They are no protection against a person who edits a file and its checksum: `verify` computes the run again for that.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from cardwin.core.files import write_atomic

FILE = "checksums.json"
REPORT = ("report.html", "report.md", "pictures")
UNSTABLE = (".part", "-shm")  # endings of files that exist only while another process writes or reads


def write(folder: Path) -> None:
    """Write the checksums of all files of a run."""
    _save(folder, {str(path.relative_to(folder)): _checksum(path) for path in _files(folder)})


def update(folder: Path, names: Iterable[str]) -> None:
    """Write the checksums of some files or subfolders again; those of all others stay. A run without any has none."""
    known = _read(folder)
    if known is None:
        return
    changed = [folder / name for name in names]
    unchanged = {
        name: text for name, text in known.items() if not any((folder / name).is_relative_to(x) for x in changed)
    }
    files = [path for path in _files(folder) if any(path.is_relative_to(x) for x in changed)]
    _save(folder, unchanged | {str(path.relative_to(folder)): _checksum(path) for path in files})


def recorded(folder: Path) -> bool:
    """Return whether a run has checksums."""
    return (folder / FILE).is_file()


def problems(folder: Path) -> Iterator[str]:
    """Yield a sentence for each file that is missing or was changed."""
    known = _read(folder)
    if known is None:
        yield f"{FILE} is damaged: expected an object with a checksum per file"
        return
    for name, text in known.items():
        if not (folder / name).is_file():
            yield f"{name} is missing"
        elif _checksum(folder / name) != text:
            yield f"{name} was changed after the run ended: it does not have its checksum"


def _read(folder: Path) -> dict[str, str] | None:
    """Return the checksums by file, or None if there are none or they cannot be read."""
    try:
        known = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    complete = isinstance(known, dict) and known.pop("", None) == _checksum_of_all(known)
    return known if complete else None


def _save(folder: Path, known: dict[str, str]) -> None:
    """Write the checksums, and under an empty name that of the list itself."""
    ordered = dict(sorted(known.items()))
    write_atomic(folder / FILE, (json.dumps({"": _checksum_of_all(ordered), **ordered}, indent=1) + "\n").encode())


def _files(folder: Path) -> list[Path]:
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path != folder / FILE
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and not path.name.endswith(UNSTABLE)
    ]


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _checksum_of_all(known: dict[str, str]) -> str:
    return hashlib.blake2b(json.dumps(sorted(known.items())).encode(), digest_size=16).hexdigest()
