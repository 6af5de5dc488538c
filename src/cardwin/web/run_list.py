"""The list of the runs in a folder: their rows, each computed again only if its files have changed.

1. Every run has a stamp: a hash of times, sizes and inodes of the files that its row depends on, and its state.
2. A row is reused if the stamp is equal, and if the files were older than `SETTLED` seconds when they were read: the
   times of files do not show two changes within one tick of the clock.
3. A caller who cannot wait gives a budget of seconds: runs are read until it is spent, and the others have their
   earlier rows, or the state `unread`.
4. `select_runs` answers a query: by words, state and tag, sorted, a page at a time.
"""

import hashlib
import json
import math
import os
import stat
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError, unknown_name
from cardwin.runs import reader, run_folder
from cardwin.runs.experiment import flat
from cardwin.web import run_views

SETTLED = 2.0  # seconds
STATES = ("running", "waiting", "finished", "stopped", "failed", "unread")
UNFINISHED = ("run.db", "run.db-wal", run_folder.FAILURE, "checkpoints", run_folder.CLUSTER)


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
        self.entries: dict[str, Entry] = {}
        self.apart: dict[str, list[list[Any]]] = {}
        self.read: dict[str, float] = {}  # when each run was read last
        self.lock = threading.Lock()

    def rows(self, waiting: Mapping[str, int] | None = None, budget: float = math.inf) -> list[dict[str, Any]]:
        """Return all runs, the last changed first; `waiting` are positions of runs in the queue."""
        with self.lock:
            entries = self._refreshed(budget)
            rows = []
            for name, entry in entries.items():
                row = entry.row | ({"apart": self.apart[name]} if name in self.apart else {})
                if waiting and name in waiting and row["state"] == "stopped":
                    row |= {"state": "waiting", "position": waiting[name]}
                rows.append(row)
        return sorted(rows, key=lambda row: -row.get("changed", 0.0))

    def finished(self, kind: str) -> list[Path]:
        """Return the folders of the finished runs of a kind, by name."""
        names = [row["name"] for row in self.rows() if (row.get("kind"), row["state"]) == (kind, "finished")]
        return [self.home / name for name in sorted(names)]

    def _refreshed(self, budget: float) -> dict[str, Entry]:
        """Read changed runs again, and return all entries."""
        before = self.entries
        seen = {path: status for path in self._folders() if (status := _stamp_of(path)) is not None}
        now: dict[str, Entry] = {}
        changed: list[Path] = []
        for folder, (stamp, newest) in seen.items():
            known = before.get(folder.name)
            if known is None or known.stamp != stamp or not known.settled:
                changed.append(folder)
            now[folder.name] = known or _unread(folder.name, newest)
        start = time.monotonic()
        # Runs that were never read come first, with the newest before the others; then those not read for longest.
        for folder in sorted(changed, key=lambda path: (self.read.get(path.name, 0.0), -seen[path][1])):
            now[folder.name] = _read(folder, *seen[folder])
            self.read[folder.name] = time.monotonic()
            if self.read[folder.name] - start > budget:
                break
        titled = {name: (entry.row.get("title"), entry.settings) for name, entry in now.items()}
        if titled != {name: (e.row.get("title"), e.settings) for name, e in before.items()}:
            self.apart = _apart(now)
        self.entries = now
        return now

    def _folders(self) -> list[Path]:
        return sorted(self.home.iterdir()) if self.home.is_dir() else []


def _stamp_of(folder: Path) -> tuple[str, float] | None:
    """Return a run's stamp and the time of its last change, or None if the folder contains no run."""
    path = os.fspath(folder)
    seen = [_stat(path), _stat(f"{path}/experiment.toml")]
    inside = _stat(f"{path}/checkpoints")
    if seen[1] is None or inside is None or not stat.S_ISREG(seen[1].st_mode) or not stat.S_ISDIR(inside.st_mode):
        return None
    words, last = [], 0.0
    finished = _stat(f"{path}/result.json")
    more = [finished] if finished else [_stat(f"{path}/{name}") for name in UNFINISHED]
    for status in (*seen, *more):
        if status is None:
            words.append("-")
            continue
        words.append(f"{status.st_mtime_ns} {status.st_ctime_ns} {status.st_size} {status.st_ino}")
        last = max(last, status.st_mtime, status.st_ctime)
    if finished is None:
        words.append(reader.state_of(folder))
    return hashlib.blake2b("\n".join(words).encode(), digest_size=12).hexdigest(), last


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116  thousands of them: a Path each takes twice the time
    except OSError:
        return None


def _unread(name: str, changed: float) -> Entry:
    """Return the entry of a run that has not been read yet."""
    return Entry("", {"name": name, "state": "unread", "curve": [], "tags": [], "changed": changed}, {}, settled=False)


def _read(folder: Path, stamp: str, newest: float) -> Entry:
    """Return a run's entry, from its files."""
    settled = time.time() - newest > SETTLED
    row = run_views.row(folder) | {"tags": run_views.tags_of(folder)}
    try:
        settings = json.loads(json.dumps(flat(run_folder.reopen(folder).model_dump(mode="json"))))
    except (InputError, OSError):
        settings = {}
    return Entry(stamp, row, settings, settled)


def _apart(entries: Mapping[str, Entry]) -> dict[str, list[list[Any]]]:
    """Return for every run with a title that others have too the settings in which they differ: [key, value] each."""
    alike: dict[str, list[str]] = defaultdict(list)
    for name, entry in entries.items():
        if entry.row.get("title"):
            alike[entry.row["title"]].append(name)
    apart: dict[str, list[list[Any]]] = {}
    for group in alike.values():
        if len(group) > 1:
            settings = {name: entries[name].settings for name in group}
            keys = _differing(list(settings.values()))
            shown = [key for key in keys if key not in ("seed", "save_seconds")][:2] + ["seed"] * ("seed" in keys)
            apart |= {name: [[key, values.get(key)] for key in shown] for name, values in settings.items()}
    return apart


def _differing(settings: list[dict[str, Any]]) -> list[str]:
    """Return the keys whose values differ."""
    keys = [key for key in dict.fromkeys(key for each in settings for key in each) if key not in ("title", "about")]
    return [key for key in keys if any(each.get(key) != settings[0].get(key) for each in settings)]


Row = dict[str, Any]


@dataclass(frozen=True)
class RunQuery:
    """A query: filters, order, and page of a list of runs."""

    words: str = ""
    state: str = ""
    tag: str = ""
    sort: str = "changed"
    down: bool = True
    first: int = 0
    count: int | None = None


def title_of(row: Row) -> str:
    """Return the title, and what distinguishes the run from others with this title."""
    return " · ".join([row.get("title") or row["name"], *(f"{key} {value}" for key, value in row.get("apart", []))])


ORDERS: dict[str, Callable[[Row], Any]] = {
    "run": lambda row: title_of(row).lower(),
    "game": lambda row: row.get("game") or row.get("kind") or "",
    "state": lambda row: STATES.index(row["state"]),
    "progress": lambda row: row["generations"] / row["of"] if row.get("of") else None,
    "figure": lambda row: row.get("value"),
    "changed": lambda row: row.get("changed", 0.0),
}


def select_runs(rows: Iterable[Row], query: RunQuery) -> dict[str, Any]:
    """Return a page of the matching runs, and the numbers of all, of matching ones, and of each state and tag."""
    if query.sort not in ORDERS:
        raise unknown_name("column", query.sort[:40], ORDERS)
    all_rows = list(rows)
    matches = [row for row in all_rows if _matches(row, query)]
    order = ORDERS[query.sort]
    known = sorted((row for row in matches if order(row) is not None), key=order, reverse=query.down)
    matches = known + [row for row in matches if order(row) is None]
    last = None if query.count is None else query.first + query.count
    return {
        "runs": matches[query.first : last],
        "total": len(all_rows),
        "matched": len(matches),
        "states": Counter(row["state"] for row in all_rows),
        "tags": dict(sorted(Counter(tag for row in all_rows for tag in row.get("tags", [])).items())),
    }


def _matches(row: Row, query: RunQuery) -> bool:
    if query.state and row["state"] != query.state:
        return False
    if query.tag and query.tag not in row.get("tags", []):
        return False
    words = query.words.lower().split()
    if not words:
        return True
    text = " ".join([title_of(row), row["name"], row.get("game") or "", row.get("kind") or "", *row.get("tags", [])])
    return all(word in text.lower() for word in words)
