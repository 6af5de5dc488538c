"""The index of the runs in a folder: the rows of the list, each computed again only if its files have changed.

1. Every run has a stamp: a hash of times, sizes and inodes of the files that its row depends on, and its state.
2. A row is taken from the index if the stamp is the same, and if the files were older than `SETTLED` seconds when they
   were read: files that change twice within one tick of the clock keep their times.
3. A caller who cannot wait gives a budget of seconds: runs are read until it is spent, and the others have their
   earlier rows, or the state `unread`.
4. Rows of runs that do not run are also stored in the user's cache folder, so that a new server need not read them.
   That file can always be rebuilt: it is ignored if it is damaged, of another version or of another folder. It is
   never part of the folder of runs, which may come from somebody else, and nothing but the list is read from it.
"""

import hashlib
import json
import logging
import math
import os
import stat
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cardwin.core.cache import cache_folder
from cardwin.core.errors import InputError
from cardwin.core.files import write_whole
from cardwin.runs import reader, run_folder
from cardwin.runs.experiment import flat
from cardwin.web import run_views
from cardwin.web.listing import tags

SETTLED = 2.0  # seconds
PAUSE = 5.0  # seconds between two writes of the file
LARGEST = 100_000_000  # bytes
LEAST = 20  # runs, from which there is a file
STATES = ("running", "waiting", "finished", "stopped", "failed", "unread")
UNFINISHED = ("run.db", "run.db-wal", run_folder.FAILURE, "checkpoints", run_folder.CLUSTER)
log = logging.getLogger("cardwin")


@dataclass(frozen=True)
class Entry:
    """A run's row, its settings by dotted key, and the stamp under which they were read."""

    stamp: str
    row: dict[str, Any]
    settings: dict[str, Any]
    settled: bool


class Index:
    """The rows of all runs in a folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.path = cached_file(home, "runs")
        self.entries: dict[str, Entry] | None = None
        self.apart: dict[str, list[list[Any]]] = {}
        self.kept: dict[str, str] = {}  # stamps of the entries in the file
        self.read: dict[str, float] = {}  # when each run was read last
        self.wrote = -PAUSE
        self.lock = threading.Lock()

    def rows(self, waiting: Mapping[str, int] | None = None, budget: float = math.inf) -> list[dict[str, Any]]:
        """All runs, the last changed first; those in `waiting` wait, at that place of the queue."""
        with self.lock:
            entries = self._refreshed(budget)
            found = []
            for name, entry in entries.items():
                row = entry.row | ({"apart": self.apart[name]} if name in self.apart else {})
                if waiting and name in waiting and row["state"] == "stopped":
                    row |= {"state": "waiting", "place": waiting[name]}
                found.append(row)
        return sorted(found, key=lambda one: -one.get("changed", 0.0))

    def finished(self, kind: str) -> list[Path]:
        """The folders of the finished runs of a kind, by name."""
        wanted = [row["name"] for row in self.rows() if (row.get("kind"), row["state"]) == (kind, "finished")]
        return [self.home / name for name in sorted(wanted)]

    def _refreshed(self, budget: float) -> dict[str, Entry]:
        """All entries, those of changed runs read again."""
        before = self._stored() if self.entries is None else self.entries
        seen = {path: found for path in self._folders() if (found := _look(path)) is not None}
        now: dict[str, Entry] = {}
        changed: list[Path] = []
        for folder, (stamp, newest) in seen.items():
            known = before.get(folder.name)
            if known is None or known.stamp != stamp or not known.settled:
                changed.append(folder)
            now[folder.name] = known or _unread(folder.name, newest)
        start = time.monotonic()
        # Those that were never read come first, the newest of them before the others; then the longest not read.
        for folder in sorted(changed, key=lambda path: (self.read.get(path.name, 0.0), -seen[path][1])):
            now[folder.name] = _read(folder, *seen[folder])
            self.read[folder.name] = time.monotonic()
            if self.read[folder.name] - start > budget:
                break
        titled = {name: (entry.row.get("title"), entry.settings) for name, entry in now.items()}
        if self.entries is None or titled != {name: (e.row.get("title"), e.settings) for name, e in before.items()}:
            self.apart = _apart(now)
        self.entries = now
        if len(now) >= LEAST and _lasting(now) != self.kept and time.monotonic() - self.wrote > PAUSE:
            self.wrote = time.monotonic()
            threading.Thread(target=self.store, daemon=True).start()  # nobody waits for the disk
        return now

    def _folders(self) -> list[Path]:
        return sorted(self.home.iterdir()) if self.home.is_dir() else []

    def _stored(self) -> dict[str, Entry]:
        """The entries of the file, or none if it is damaged or of another version."""
        try:
            if self.path.is_symlink() or self.path.stat().st_size > LARGEST:
                return {}
            read = json.loads(self.path.read_text(encoding="utf-8"))
            if [read["version"], read["home"]] != [_version(), str(self.home.absolute())]:
                return {}
            found = {name: _checked(name, *fields) for name, fields in read["entries"].items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            log.info("%s is damaged: the list of runs is read from their folders", self.path)
            return {}
        self.kept = {name: entry.stamp for name, entry in found.items()}
        return found

    def store(self) -> None:
        """Write the entries that will not change by themselves; without the file the first list takes longer."""
        entries = self.entries or {}  # another thread may replace them
        kept = _lasting(entries)
        rows = {name: [stamp, entries[name].row, entries[name].settings] for name, stamp in kept.items()}
        text = json.dumps({"version": _version(), "home": str(self.home.absolute()), "entries": rows})
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, text.encode("utf-8", "replace"))
        except OSError as error:
            log.info("%s could not be written: %s", self.path, error)
        self.kept = kept


def _lasting(entries: Mapping[str, Entry]) -> dict[str, str]:
    """The stamps of the entries that will not change by themselves."""
    return {name: one.stamp for name, one in entries.items() if one.settled and one.row["state"] != "running"}


@cache
def _version() -> str:
    """A hash of the files that make rows: an index of other ones is rebuilt."""
    sources = [Path(str(module.__file__)) for module in (reader, run_views, tags)]
    return hashlib.blake2b(b"".join(path.read_bytes() for path in (*sources, Path(__file__)))).hexdigest()[:24]


def cached_file(home: Path, what: str) -> Path:
    """A file of the user's cache for a folder of runs."""
    name = hashlib.blake2b(str(home.absolute()).encode("utf-8", "replace"), digest_size=12).hexdigest()
    return cache_folder() / what / f"{name}.json"


def _checked(name: str, stamp: str, row: dict[str, Any], settings: dict[str, Any]) -> Entry:
    """An entry of the file; an error if it is not as we write it."""
    if row["name"] != name or row["state"] not in STATES or not isinstance(row["curve"], list):
        raise ValueError(f"the entry of {name} is not one of ours")
    return Entry(str(stamp), dict(row), dict(settings), settled=True)


def _look(folder: Path) -> tuple[str, float] | None:
    """A run's stamp and the time of its last change, or None if the folder holds no run."""
    place = os.fspath(folder)
    seen = [_stat(place), _stat(f"{place}/experiment.toml")]
    inside = _stat(f"{place}/checkpoints")
    if seen[1] is None or inside is None or not stat.S_ISREG(seen[1].st_mode) or not stat.S_ISDIR(inside.st_mode):
        return None
    words, last = [], 0.0
    finished = _stat(f"{place}/result.json")
    more = [finished] if finished else [_stat(f"{place}/{name}") for name in UNFINISHED]
    for one in (*seen, *more):
        if one is None:
            words.append("-")
            continue
        words.append(f"{one.st_mtime_ns} {one.st_ctime_ns} {one.st_size} {one.st_ino}")
        last = max(last, one.st_mtime, one.st_ctime)
    if finished is None:
        words.append(reader.state_of(folder))
    return hashlib.blake2b("\n".join(words).encode(), digest_size=12).hexdigest(), last


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116  thousands of them: a Path each takes twice the time
    except OSError:
        return None


def _unread(name: str, changed: float) -> Entry:
    """The entry of a run that has not been read yet."""
    return Entry("", {"name": name, "state": "unread", "curve": [], "tags": [], "changed": changed}, {}, settled=False)


def _read(folder: Path, stamp: str, newest: float) -> Entry:
    """A run's entry, from its files."""
    settled = time.time() - newest > SETTLED
    row = run_views.row(folder) | {"tags": tags.of(folder)}
    try:
        settings = json.loads(json.dumps(flat(run_folder.reopen(folder).model_dump(mode="json"))))
    except (InputError, OSError):
        settings = {}
    return Entry(stamp, row, settings, settled)


def _apart(entries: Mapping[str, Entry]) -> dict[str, list[list[Any]]]:
    """For every run whose title others have too, the settings in which they differ: [key, value] each."""
    alike: dict[str, list[str]] = defaultdict(list)
    for name, entry in entries.items():
        if entry.row.get("title"):
            alike[entry.row["title"]].append(name)
    found: dict[str, list[list[Any]]] = {}
    for group in alike.values():
        if len(group) > 1:
            settings = {name: entries[name].settings for name in group}
            keys = _differing(list(settings.values()))
            shown = [key for key in keys if key not in ("seed", "save_seconds")][:2] + ["seed"] * ("seed" in keys)
            found |= {name: [[key, own.get(key)] for key in shown] for name, own in settings.items()}
    return found


def _differing(settings: list[dict[str, Any]]) -> list[str]:
    """The keys whose values are not the same in all."""
    keys = [key for key in dict.fromkeys(key for each in settings for key in each) if key not in ("title", "about")]
    return [key for key in keys if any(each.get(key) != settings[0].get(key) for each in settings)]
