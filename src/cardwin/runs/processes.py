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

from cardwin.core.errors import InputError, unknown
from cardwin.runs import experiment as experiments
from cardwin.runs import reader, run_folder
from cardwin.runs.kinds import kind_of

LOG = "log.txt"
MOST_RUNNING = 10  # processes at once
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_STARTED: list[subprocess.Popen[bytes]] = []  # waited for in `reap`, so that none becomes a zombie


def find(home: Path, name: str) -> Path:
    """The run with a name in a folder: compared with the existing runs."""
    runs = {path.name: path for path in reader.all_under(home)}
    if name not in runs:
        raise unknown("run", name[:80], runs)
    return runs[name]


def start(home: Path, short: str, values: Mapping[str, Any], workers: int = 1) -> Path:
    """Start a new run in its own folder and process, and return the folder at once."""
    checked = experiments.check(values, short)
    refuse_more()
    path = run_folder.default_folder(home, short)
    if not NAME.fullmatch(path.name):
        raise InputError(f"{path.name[:80]!r} is not a valid name for a run: use letters, digits, dots and dashes")
    folder, _ = run_folder.prepare(short, checked, path)
    go_on(folder, workers)
    return folder


def go_on(folder: Path, workers: int = 1) -> None:
    """Continue a run to its end in a new process."""
    if reader.state_of(folder) == "running":
        raise InputError(f"{folder.name} is running already")
    if run_folder.answer_of(folder) is not None:
        raise InputError(f"{folder.name} is finished")
    refuse_more()
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


def refuse_more() -> None:
    """Raise an error where as many processes run as may."""
    if reap() >= MOST_RUNNING:
        raise InputError(f"{MOST_RUNNING} runs that were started here are running: stop one, or wait for one")


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
