"""A run's folder: created for a new run, reopened, locked by one process at a time."""

import json
import os
import subprocess
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from cardwin.core.errors import CorruptFileError, InputError
from cardwin.core.experiment import Experiment
from cardwin.core.files import write_atomic
from cardwin.core.rng import random_seed
from cardwin.runs import checkpoint
from cardwin.runs import experiment as experiments
from cardwin.runs.kinds import kind_of

PARTS = ("checkpoints", "champions")
ANSWER_KEYS = ("run", "primary_metric", "digest", "seed", "seconds")  # in every answer
CLUSTER = "cluster.json"  # what the nodes of a cluster have done so far
FAILURE = "failure.txt"  # why the run's last process gave up
STARTING = ".starting"  # the process that was started last for the run
START_SECONDS = 120.0  # seconds until a process holds its run
HOLDER = ".holder"  # the process that holds the run
LOCK_SECONDS = 0.2  # seconds of waiting for a folder that is held


def lock(folder: Path) -> FileLock:
    """Hold the run for this process, whose id is written down; the system releases it however the process ends."""
    held = FileLock(folder / ".lock", thread_local=False)
    try:
        held.acquire(timeout=LOCK_SECONDS, poll_interval=0.01)  # another process may only have checked the holder
    except Timeout:
        raise InputError(f"{folder} is in use by another process: wait for it or stop it") from None
    (folder / HOLDER).write_text(str(os.getpid()))
    return held


def holder(folder: Path) -> int | None:
    """Return the id of the process that holds the run, or None if no process does; 0 if it is unknown."""
    if not (folder / ".lock").is_file():
        return None
    try:
        with FileLock(folder / ".lock", timeout=0):
            return None
    except Timeout:
        number = (folder / HOLDER).read_text() if (folder / HOLDER).is_file() else ""
        return int(number) if number.isdigit() and int(number) > 1 else 0


def starting(folder: Path) -> int | None:
    """Return the id of a process that was started for the run and has not locked it yet, or None."""
    path = folder / STARTING
    try:
        number, age = int(path.read_text()), time.time() - path.stat().st_mtime
    except (OSError, ValueError):
        return None
    # The file may come from somebody else: only a process whose command names this folder is the run's.
    return number if abs(age) < START_SECONDS and number > 1 and str(folder.resolve()) in command_of(number) else None


def command_of(number: int) -> list[str]:
    """Return the words of a process's command; none if there is no such process."""
    path = Path("/proc") / str(number) / "cmdline"
    if path.parent.parent.joinpath("self").exists():
        return path.read_bytes().decode("utf-8", "replace").split("\0") if path.exists() else []
    shown = subprocess.run(["ps", "-o", "args=", "-p", str(number)], capture_output=True, text=True, check=False)  # noqa: S603, S607
    return shown.stdout.split()


def default_folder(home: Path, name: str) -> Path:
    """Return the default folder of a run: by its name and the time, never by its seed, which a player could read."""
    folder = home / f"{name}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    number = 1
    while folder.exists():
        number += 1
        folder = folder.with_name(f"{folder.name.removesuffix(f'-{number - 1}')}-{number}")
    return folder


def prepare(name: str, experiment: Experiment, out: Path | None) -> tuple[Path, Experiment]:
    """Make a new run's folder and experiment.toml, before anything compiles.

    Args:
        name: The run's short name.
        experiment: The experiment. Without a seed, a random one is drawn, unless its cards come from secrets.
        out: The folder; without it a new one in `runs`.

    Returns:
        The folder, and the experiment with its seed.

    Raises:
        InputError: If the experiment is invalid, or the folder is not empty.

    """
    kind_of(experiment.kind).check(experiment)
    seedless = experiment.seed is None and not experiment.SECRET
    resolved = experiment.model_copy(update={"seed": random_seed()}) if seedless else experiment
    folder = out or default_folder(Path("runs"), name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder: choose another --out, or --resume {folder}")
    for part in PARTS:
        (folder / part).mkdir(parents=True, exist_ok=True)
    write_atomic(folder / "experiment.toml", experiments.as_toml(resolved).encode())
    return folder, resolved


def lengthen(folder: Path, experiment: Experiment) -> None:
    """Make a run longer: rewrite experiment.toml and delete the answer."""
    write_atomic(folder / "experiment.toml", experiments.as_toml(experiment).encode())
    (folder / "result.json").unlink(missing_ok=True)


def reopen(folder: Path) -> Experiment:
    """Return the experiment of a run folder."""
    path = folder / "experiment.toml"
    if not path.is_file():
        raise InputError(f"{folder} is not a run folder: experiment.toml is missing")
    return experiments.check(experiments.read_toml(path), str(path))


def resume_command(folder: Path, experiment: Experiment | None = None) -> str:
    """Return the command that resumes a run."""
    return f"cardwin {kind_of((experiment or reopen(folder)).kind).COMMAND} --resume {folder}"


def cluster_of(folder: Path) -> dict[str, Any] | None:
    """Return the nodes of a run's cluster and what they have done so far, or None without a cluster."""
    try:
        nodes = json.loads((folder / CLUSTER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return nodes if isinstance(nodes, dict) else None


def answer_of(folder: Path) -> dict[str, Any] | None:
    """Return a finished run's answer, or None. Paths of files are changed to the folder's current path."""
    path = folder / "result.json"
    if not path.exists():
        return None
    try:
        answer = json.loads(path.read_text(encoding="utf-8"))
        complete = isinstance(answer, dict) and set(ANSWER_KEYS) <= set(answer)
    except (OSError, ValueError, RecursionError):
        complete = False
    if not complete:
        raise CorruptFileError(f"{path} is damaged: remove it, and --resume writes it again")
    moved: dict[str, Any] = moved_paths(answer, f"{answer['run']}{os.sep}", f"{folder}{os.sep}") | {"run": str(folder)}
    return moved


def moved_paths(value: Any, before: str, now: str) -> Any:
    """Return a JSON value with the paths in one folder changed to another."""
    if isinstance(value, dict):
        return {key: moved_paths(item, before, now) for key, item in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [moved_paths(item, before, now) for item in value]
    return now + value.removeprefix(before) if isinstance(value, str) and value.startswith(before) else value


def checkpoints_in(folder: Path) -> bool:
    """Return whether a run has a checkpoint to continue from."""
    return bool(checkpoint.all_in(folder / "checkpoints"))


def missing_champions(answer: dict[str, Any]) -> list[str]:
    """Return the champion files of a finished run that no longer exist."""
    return [name for name in answer.get("champions", ()) if not Path(name).is_file()]
