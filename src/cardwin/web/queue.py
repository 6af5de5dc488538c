"""The queue of runs that wait for a place: at most `at_once` runs of a folder run at the same time.

The queue is a file in the user's cache folder, never in the folder of runs: runs that somebody else sends must not
start by themselves. It survives a restart of the server. A waiting run is a folder without results, so that nothing is
lost with the queue: the run is then listed as stopped and can be resumed.
"""

import hashlib
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock

from cardwin.core.errors import InputError, unknown_name
from cardwin.core.files import cache_folder, write_atomic
from cardwin.runs import reader, run_folder
from cardwin.web import processes

MOST_WAITING = 100
LARGEST = 1_000_000  # bytes
log = logging.getLogger("cardwin")


@dataclass(frozen=True)
class Waiting:
    """A run in the queue: the name of its folder, and its number of workers."""

    name: str
    workers: int = 1


class Queue:
    """The runs of a folder that wait for a place, in order."""

    def __init__(self, home: Path, at_once: int) -> None:
        self.home, self.at_once = home, at_once
        name = hashlib.blake2b(str(home.absolute()).encode("utf-8", "replace"), digest_size=12).hexdigest()
        self.path = cache_folder() / "queue" / f"{name}.json"
        self.note = ""  # what went wrong

    @property
    def places(self) -> dict[str, int]:
        """The place in the queue of every waiting run, from 1."""
        return {one.name: place for place, one in enumerate(self._read(), 1)}

    def admit(self, folder: Path, workers: int = 1) -> bool:
        """Start a run if a place is free and no other waits, otherwise queue it; returns whether it was started."""
        with self._held() as waiting:
            if any(one.name == folder.name for one in waiting):
                raise InputError(f"{folder.name} waits already")
            if reader.state_of(folder) == "running":
                raise InputError(f"{folder.name} is running already")
            if not waiting and processes.running(self.home) < self.at_once:
                processes.go_on(folder, workers)
                return True
            if len(waiting) >= MOST_WAITING:
                raise InputError(f"{MOST_WAITING} runs wait already: cancel one, or wait for one to start")
            if run_folder.answer_of(folder) is not None:
                raise InputError(f"{folder.name} is finished")
            self._write([*waiting, Waiting(folder.name, workers)])
            return False

    def cancel(self, name: str) -> None:
        """Take a run out of the queue; its folder stays."""
        with self._held() as waiting:
            if all(one.name != name for one in waiting):
                raise unknown_name("waiting run", name[:80], [one.name for one in waiting])
            self._write([one for one in waiting if one.name != name])

    def advance(self) -> list[str]:
        """Start waiting runs as long as places are free; returns the names of those that were started."""
        if not self.path.exists():
            return []
        started = []
        with self._held() as waiting:
            while waiting and processes.running(self.home) < self.at_once:
                first = waiting[0]
                try:
                    processes.go_on(processes.find(self.home, first.name), first.workers)
                    started.append(first.name)
                except InputError as error:  # removed, finished or running meanwhile
                    log.info("%s was taken out of the queue: %s", first.name, error)
                except OSError as error:  # a full disk: it keeps its place
                    self.note = f"{first.name} could not be started: {error.strerror or error}"
                    break
                waiting = waiting[1:]
                self._write(waiting)
        return started

    @contextmanager
    def _held(self) -> Iterator[list[Waiting]]:
        """The waiting runs, for one process and thread at a time."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self.path.parent / ".lock"):
            yield self._read()

    def _read(self) -> list[Waiting]:
        """The waiting runs; a damaged file is moved aside, and the note says so."""
        try:
            if self.path.stat().st_size > LARGEST:
                raise ValueError("too large")
            return [Waiting(str(one["name"]), int(one["workers"])) for one in json.loads(self.path.read_bytes())]
        except FileNotFoundError:
            return []
        except (ValueError, KeyError, TypeError, RecursionError):
            self.note = "the queue was damaged: runs that waited are listed as stopped and can be resumed"
            self.path.replace(self.path.with_suffix(".damaged"))
            return []

    def _write(self, waiting: list[Waiting]) -> None:
        if waiting:
            write_atomic(self.path, json.dumps([asdict(one) for one in waiting]).encode())
        else:
            self.path.unlink(missing_ok=True)
        self.note = ""
