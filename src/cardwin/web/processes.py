"""Runs as separate processes: started, stopped and resumed by another process, and not affected if that one ends.

The folder is made first; then `cardwin COMMAND --resume FOLDER` runs in a new session (setsid). Stopping
sends one interrupt: the run finishes its step, saves and exits.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError, unknown_name
from cardwin.runs import experiment as experiments
from cardwin.runs import reader, run_folder
from cardwin.runs.kinds import kind_of

LOG = "log.txt"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_STARTED: list[subprocess.Popen[bytes]] = []  # waited for in `reap`, so that none becomes a zombie


def find(home: Path, name: str) -> Path:
    """The run with a name in a folder; a name that is a path is none."""
    plain = 0 < len(name) < 200 and name not in (".", "..") and not set(name) & set("/\\\0")
    if not plain or not reader.is_run(home / name):
        raise unknown_name("run", name[:80], [path.name for path in reader.all_under(home)])
    return home / name


def start(home: Path, short: str, values: Mapping[str, Any], workers: int = 1) -> Path:
    """Start a new run in its own folder and process, and return the folder at once."""
    folder = prepare(home, short, values)
    go_on(folder, workers)
    return folder


def prepare(home: Path, short: str, values: Mapping[str, Any]) -> Path:
    """Make the folder of a new run, and return it."""
    checked = experiments.check(values, short)
    path = run_folder.default_folder(home, short)
    if not NAME.fullmatch(path.name):
        raise InputError(f"{path.name[:80]!r} is not a valid name for a run: use letters, digits, dots and dashes")
    return run_folder.prepare(short, checked, path)[0]


def go_on(folder: Path, workers: int = 1) -> None:
    """Continue a run to its end in a new process."""
    if reader.state_of(folder) == "running":
        raise InputError(f"{folder.name} is running already")
    if run_folder.answer_of(folder) is not None:
        raise InputError(f"{folder.name} is finished")
    command = kind_of(run_folder.reopen(folder).kind).COMMAND
    words = [
        sys.executable,
        "-m",
        "cardwin",
        command,
        "--resume",
        str(folder.resolve()),
        "--workers",
        str(workers),
        "--quiet",
    ]
    (folder / run_folder.FAILURE).unlink(missing_ok=True)
    with (folder / LOG).open("ab") as log:
        made = subprocess.Popen(  # noqa: S603  fixed command, and an existing folder
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True
        )
    _STARTED.append(made)
    (folder / run_folder.STARTING).write_text(str(made.pid))


def running(home: Path) -> int:
    """How many runs of a folder are running, whoever started them."""
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
    """Collect processes that have ended; returns how many are still running."""
    _STARTED[:] = [one for one in _STARTED if one.poll() is None]
    return len(_STARTED)


def last_words(folder: Path, most: int = 4000) -> str:
    """The reason why a run failed, and the end of its process's output."""
    described = []
    for name in (run_folder.FAILURE, LOG):
        path = folder / name
        if path.is_file():
            described.append(path.read_text(encoding="utf-8", errors="replace")[-most:])
    return "\n".join(described)
