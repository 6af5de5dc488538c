"""Runs as processes of their own: started, stopped and resumed from outside, and none the worse when that dies.

A run is made as a folder first and then driven by `cardwin COMMAND --resume FOLDER` in a session of its own. Stopping
is one interrupt: the run ends its step, saves and leaves.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError, unknown
from cardwin.core.rng import random_seed
from cardwin.runs import experiment as experiments
from cardwin.runs import reader, run_folder
from cardwin.runs.kinds import kind_of

LOG = "log.txt"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_STARTED: list[subprocess.Popen[bytes]] = []  # to be waited for, so that none becomes a zombie


def find(home: Path, name: str) -> Path:
    """The run of a name in a folder: looked up among those that are there."""
    runs = {path.name: path for path in reader.all_under(home)}
    if name not in runs:
        raise unknown("run", name[:80], runs)
    return runs[name]


def start(home: Path, short: str, values: Mapping[str, Any], workers: int = 1) -> Path:
    """Begin a new run of an experiment in a folder of its own, and return that at once."""
    checked = experiments.check(values, short)
    seed = random_seed() if checked.seed is None else checked.seed
    settled = checked.model_copy(update={"seed": seed})
    name = f"{short}-{datetime.now().astimezone():%Y%m%d-%H%M%S}-{seed}"
    if not NAME.fullmatch(name):
        raise InputError(f"{name[:80]!r} is no name for a run: letters, digits, dots and dashes")
    folder, _ = run_folder.prepare(short, settled, home / name)
    go_on(folder, workers)
    return folder


def go_on(folder: Path, workers: int = 1) -> None:
    """Let a process of its own take a run to its end."""
    if reader.state_of(folder) == "running":
        raise InputError(f"{folder.name} is running already")
    if run_folder.answer_of(folder) is not None:
        raise InputError(f"{folder.name} is finished")
    command = kind_of(run_folder.reopen(folder).kind).COMMAND
    words = [sys.executable, "-m", "cardwin", command, "--resume", str(folder), "--workers", str(workers), "--quiet"]
    (folder / run_folder.FAILURE).unlink(missing_ok=True)
    reap()
    with (folder / LOG).open("ab") as log:
        made = subprocess.Popen(  # noqa: S603  our own command, and a folder that we looked up
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True
        )
    _STARTED.append(made)
    (folder / run_folder.STARTING).write_text(str(made.pid))


def stop(folder: Path) -> None:
    """Ask the process that drives a run to save and leave."""
    number = run_folder.holder(folder) or run_folder.starting(folder)
    if not number:
        raise InputError(f"{folder.name} is not running")
    try:
        os.kill(number, signal.SIGINT)
    except ProcessLookupError:
        raise InputError(f"{folder.name} is not running") from None
    except PermissionError:
        raise InputError(f"{folder.name} is run by somebody else: only they can stop it") from None


def reap() -> int:
    """Take note of processes that have ended; how many have not."""
    _STARTED[:] = [one for one in _STARTED if one.poll() is None]
    return len(_STARTED)


def last_words(folder: Path, most: int = 4000) -> str:
    """Why a run gave up, and the end of what its process said."""
    described = []
    for name in (run_folder.FAILURE, LOG):
        path = folder / name
        if path.is_file():
            described.append(path.read_text(encoding="utf-8", errors="replace")[-most:])
    return "\n".join(described)
