"""Runs as separate processes, and the queue of runs that wait for a free slot.

The folder of a run is made first; then `cardwin COMMAND --resume FOLDER` runs in a new session (setsid), which is not
affected if the server ends. Stopping sends one interrupt: the run finishes its step, saves and exits.

At most `at_once` runs of a folder run at the same time. The queue is a file in the user's cache folder, never in the
folder of runs: runs that another person sends must not start by themselves. It survives a restart of the server. A
waiting run is a folder without results, so that nothing is lost with the queue: the run is then listed as stopped and
can be resumed.
"""

import hashlib
import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from cardwin.core.errors import InputError, unknown_name
from cardwin.core.files import cache_folder, write_atomic
from cardwin.runs import experiment as experiments
from cardwin.runs import reader, run_folder
from cardwin.runs.kinds import kind_of

LOG = "log.txt"
MAX_WAITING = 100
MAX_BYTES = 1_000_000  # of the queue's file
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_STARTED: list[subprocess.Popen[bytes]] = []  # waited for in `reap`, so that none becomes a zombie
log = logging.getLogger("cardwin")


def find(home: Path, name: str) -> Path:
    """Return the run with a name in a folder; a path is not a name."""
    plain = 0 < len(name) < 200 and name not in (".", "..") and not set(name) & set("/\\\0")
    if not plain or not reader.is_run(home / name):
        raise unknown_name("run", name[:80], [path.name for path in reader.all_under(home)])
    return home / name


def prepare(home: Path, short: str, values: Mapping[str, Any]) -> Path:
    """Make the folder of a new run, and return it."""
    checked = experiments.check(values, short)
    path = run_folder.default_folder(home, short)
    if not NAME.fullmatch(path.name):
        raise InputError(f"invalid name for a run {path.name[:80]!r}: expected letters, digits, dots and dashes")
    return run_folder.prepare(short, checked, path)[0]


def continue_run(folder: Path, workers: int = 1) -> None:
    """Continue a run to its end in a new process."""
    if reader.state_of(folder) == "running":
        raise InputError(f"{folder.name} is running already")
    if run_folder.answer_of(folder) is not None:
        raise InputError(f"{folder.name} is finished")
    command = kind_of(run_folder.reopen(folder).kind).COMMAND
    words = f"-m cardwin {command} --quiet --workers {workers} --resume".split()
    (folder / run_folder.FAILURE).unlink(missing_ok=True)
    with (folder / LOG).open("ab") as output:
        process = subprocess.Popen(  # noqa: S603  fixed command, and an existing folder
            [sys.executable, *words, str(folder.resolve())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=output,
            start_new_session=True,
        )
    _STARTED.append(process)
    (folder / run_folder.STARTING).write_text(str(process.pid))


def count_running(home: Path) -> int:
    """Return the number of runs of a folder that are running, started by this server or not."""
    unfinished = [folder for folder in reader.all_under(home) if not (folder / "result.json").exists()]
    held = sum(reader.state_of(folder) == "running" for folder in unfinished)
    return max(held, reap())  # a process that was started may not hold its run yet


def stop(folder: Path) -> None:
    """Ask the process of a run to save and exit."""
    number = run_folder.holder(folder) or run_folder.starting(folder)
    if not number:
        raise InputError(f"{folder.name} is not running")
    try:
        os.kill(number, signal.SIGINT)
    except ProcessLookupError:
        raise InputError(f"{folder.name} is not running") from None
    except PermissionError:
        raise InputError(f"{folder.name} belongs to another user: only they can stop it") from None


def reap() -> int:
    """Collect processes that have ended, and return how many are still running."""
    _STARTED[:] = [process for process in _STARTED if process.poll() is None]
    return len(_STARTED)


def failure_text(folder: Path, max_length: int = 4000) -> str:
    """Return the reason why a run failed, and the end of its process's output."""
    texts = []
    for name in (run_folder.FAILURE, LOG):
        path = folder / name
        if path.is_file():
            texts.append(path.read_text(encoding="utf-8", errors="replace")[-max_length:])
    return "\n".join(texts)


@dataclass(frozen=True)
class Waiting:
    """A run in the queue: the name of its folder, and its number of workers."""

    name: str
    workers: int = 1


class Queue:
    """The runs of a folder that wait for a free slot, in order."""

    def __init__(self, home: Path, at_once: int) -> None:
        self.home, self.at_once = home, at_once
        name = hashlib.blake2b(str(home.absolute()).encode("utf-8", "replace"), digest_size=12).hexdigest()
        self.path = cache_folder() / "queue" / f"{name}.json"
        self.note = ""  # about a problem with the queue

    @property
    def positions(self) -> dict[str, int]:
        """The position in the queue of every waiting run, from 1."""
        return {run.name: position for position, run in enumerate(self._read(), 1)}

    def admit(self, folder: Path, workers: int = 1) -> bool:
        """Start a run if a slot is free and no other waits, otherwise queue it; return whether it was started."""
        with self._locked() as waiting:
            if any(run.name == folder.name for run in waiting):
                raise InputError(f"{folder.name} waits already")
            if reader.state_of(folder) == "running":
                raise InputError(f"{folder.name} is running already")
            if not waiting and count_running(self.home) < self.at_once:
                continue_run(folder, workers)
                return True
            if len(waiting) >= MAX_WAITING:
                raise InputError(f"{MAX_WAITING} runs wait already: cancel one, or wait for one to start")
            if run_folder.answer_of(folder) is not None:
                raise InputError(f"{folder.name} is finished")
            self._write([*waiting, Waiting(folder.name, workers)])
            return False

    def cancel(self, name: str) -> None:
        """Take a run out of the queue; its folder stays."""
        with self._locked() as waiting:
            if all(run.name != name for run in waiting):
                raise unknown_name("waiting run", name[:80], [run.name for run in waiting])
            self._write([run for run in waiting if run.name != name])

    def advance(self) -> list[str]:
        """Start waiting runs as long as slots are free, and return the names of those that were started."""
        if not self.path.exists():
            return []
        started = []
        with self._locked() as waiting:
            while waiting and count_running(self.home) < self.at_once:
                first = waiting[0]
                try:
                    continue_run(find(self.home, first.name), first.workers)
                    started.append(first.name)
                except InputError as error:  # removed, finished or running meanwhile
                    log.info("%s was taken out of the queue: %s", first.name, error)
                except OSError as error:  # a full disk: it keeps its position
                    self.note = f"{first.name} could not be started: {error.strerror or error}"
                    break
                waiting = waiting[1:]
                self._write(waiting)
        return started

    @contextmanager
    def _locked(self) -> Iterator[list[Waiting]]:
        """Lock the queue, and return the waiting runs."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self.path.parent / ".lock"):
            yield self._read()

    def _read(self) -> list[Waiting]:
        """Return the waiting runs; a damaged file is renamed, with a note."""
        try:
            if self.path.stat().st_size > MAX_BYTES:
                raise ValueError("too large")
            return [Waiting(str(run["name"]), int(run["workers"])) for run in json.loads(self.path.read_bytes())]
        except FileNotFoundError:
            return []
        except (ValueError, KeyError, TypeError, RecursionError):
            self.note = "the queue was damaged: runs that waited are listed as stopped and can be resumed"
            self.path.replace(self.path.with_suffix(".damaged"))
            return []

    def _write(self, waiting: list[Waiting]) -> None:
        if waiting:
            write_atomic(self.path, json.dumps([asdict(run) for run in waiting]).encode())
        else:
            self.path.unlink(missing_ok=True)
        self.note = ""
