"""The win-odds table on disk: built once into the user's cache and memory-mapped by every process.

1. The build holds a lock, so a second build waits and then finds everything done. An unfinished or damaged table is
   completed: sections with the right checksum are kept.
2. The sections are filled in order (index, river, turn, flop), by threads; each finished one's checksum is noted.
3. The whole file is synced and renamed. A reader sees either no table or the complete one.

A table whose size and modification time match its notes is trusted; any other is compared with its checksums first.
Sections that do not match are not used, and are built again.
"""

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from filelock import FileLock

from cardwin.cards.boards import board_index, canonical_boards
from cardwin.cards.tables.win_odds_fill import all_river_shares, fill_flop, fill_river, fill_turn
from cardwin.cards.win_odds import NO_TABLE, SECTIONS, TABLE_WORDS, read_only, section
from cardwin.core.arrays import Words
from cardwin.core.executor import open_executor
from cardwin.core.files import cache_folder

FORMAT = 2  # increases when the table's meaning changes
CHUNK = 64  # boards a job: small enough for a smooth progress bar and two even threads
# The stages, in order: each street is computed from the next one.
STAGES = {"index": ("index",), "river": ("river",), "turn": ("turn", "turn_powers"), "flop": ("flop", "flop_powers")}

Progress = Callable[[str, float], None]
log = logging.getLogger("cardwin")


def odds_folder() -> Path:
    """Return the folder of the table, whether or not it exists yet."""
    return cache_folder() / f"odds-{FORMAT}"


def table_file() -> Path:
    """Return the path of the finished table."""
    return odds_folder() / "odds.bin"


def _unfinished() -> Path:
    return odds_folder() / "odds.part"


def _notes() -> dict[str, Any]:
    """Return checksums of finished sections, size and modification time of the table; empty if they cannot be read."""
    try:
        notes = json.loads((odds_folder() / "notes.json").read_text())
    except (OSError, ValueError):
        return {}
    return notes if isinstance(notes, dict) else {}


def _write_notes(notes: dict[str, Any]) -> None:
    passing = odds_folder() / f"notes.{os.getpid()}.tmp"
    passing.write_text(json.dumps(notes, indent=1))
    passing.replace(odds_folder() / "notes.json")


def _checksum(odds: Words, name: str) -> str:
    return hashlib.blake2b(section(odds, name).reshape(-1).data, digest_size=16).hexdigest()


def _map(path: Path, mode: Literal["r", "r+"]) -> "np.memmap[tuple[int], np.dtype[np.int32]] | None":
    """Return the table's words in a file, or None if it is missing or too short."""
    if not path.exists() or path.stat().st_size != 4 * TABLE_WORDS:
        return None
    return np.memmap(path, dtype=np.int32, mode=mode, shape=(TABLE_WORDS,))


def check() -> dict[str, str]:
    """Return the state of each section of the table: `good`, `damaged` or `missing`, by its checksum."""
    if not table_file().exists():
        return dict.fromkeys(SECTIONS, "missing")
    odds, notes = _map(table_file(), "r"), _notes()
    if odds is None:
        return dict.fromkeys(SECTIONS, "damaged")
    return {name: "good" if _checksum(odds, name) == notes.get(name) else "damaged" for name in SECTIONS}


def clean() -> int:
    """Remove the table; return the number of bytes freed."""
    folder = odds_folder()
    freed = sum(path.stat().st_size for path in folder.glob("*") if path.is_file())
    shutil.rmtree(folder, ignore_errors=True)
    load.cache_clear()
    return freed


def _ignore_progress(stage: str, done: float) -> None:
    """Ignore progress."""


def build(progress: Progress = _ignore_progress, threads: int | None = None) -> list[str]:
    """Build what is missing or damaged.

    Args:
        progress: called with a stage and its progress, 0..1.
        threads: the number of threads; one per core by default.

    Returns:
        The stages that were built.

    """
    odds_folder().mkdir(parents=True, exist_ok=True)
    with FileLock(odds_folder() / "lock"):  # until no other process builds
        if set(check().values()) == {"good"}:
            _trust()
            return []
        if table_file().exists():
            table_file().replace(_unfinished())
        odds = _map(_unfinished(), "r+")
        if odds is None:
            odds = np.memmap(_unfinished(), dtype=np.int32, mode="w+", shape=(TABLE_WORDS,))
        built = _fill_stages(odds.view(np.ndarray), progress, threads or os.cpu_count() or 1)
        odds.flush()
        with _unfinished().open("rb") as file:
            os.fsync(file.fileno())
        _unfinished().replace(table_file())
        _trust()
    load.cache_clear()
    return built


def _trust() -> None:
    """Record the finished file's size and modification time, so that opening it needs no checksum."""
    status = table_file().stat()
    _write_notes(_notes() | {"bytes": status.st_size, "time": status.st_mtime_ns})


def _fill_stages(odds: Words, progress: Progress, threads: int) -> list[str]:
    """Fill all sections that are not already valid."""
    built: list[str] = []
    for stage, names in STAGES.items():
        notes = _notes()
        if not built and all(_checksum(odds, name) == notes.get(name) for name in names):
            continue
        if stage == "index":
            section(odds, "index")[:] = board_index()
        else:
            _fill_street(odds, stage, lambda done, stage=stage: progress(stage, done), threads)  # type: ignore[misc]
        _write_notes(notes | {name: _checksum(odds, name) for name in names})
        built.append(stage)
    return built


def _fill_street(odds: Words, street: str, progress: Callable[[float], None], threads: int) -> None:
    size = {"river": 5, "turn": 4, "flop": 3}[street]
    boards = canonical_boards(size)[0]
    parts = {name: section(odds, name) for name in SECTIONS}
    shares = all_river_shares()

    def fill(first: int) -> None:
        last = min(first + CHUNK, len(boards))
        if street == "river":
            fill_river(boards, first, last, parts["river"])
        elif street == "turn":
            fill_turn(boards, first, last, odds, parts["river"], shares, parts["turn"], parts["turn_powers"])
        else:
            below, powers = parts["turn"], parts["turn_powers"]
            fill_flop(boards, first, last, odds, below, powers, parts["flop"], parts["flop_powers"])

    with open_executor(threads) as executor:
        starts = range(0, len(boards), CHUNK)
        for first, _ in zip(starts, executor.map(fill, starts), strict=True):
            progress(min(first + CHUNK, len(boards)) / len(boards))


@cache
def load() -> Words:
    """Return the table for kernels, or `NO_TABLE`, with which they compute directly, if it is missing or damaged."""
    if not table_file().exists():
        return NO_TABLE
    status, notes = table_file().stat(), _notes()
    if (status.st_size, status.st_mtime_ns) != (notes.get("bytes"), notes.get("time")):
        if set(check().values()) != {"good"}:
            log.warning("%s is damaged and not used: `cardwin tables build` builds it again", table_file())
            return NO_TABLE
        _trust()
    odds = _map(table_file(), "r")
    return NO_TABLE if odds is None else read_only(odds)


def load_or_build() -> Words:
    """Return the table; if it is missing or damaged, build it first: about a minute, once."""
    if not len(load()):
        size = 4 * TABLE_WORDS / 1e6
        log.warning("building the win odds, once, in about a minute: %.0f MB in %s", size, odds_folder())
        build()
    return load()
