"""A run's folder: created for a new run, reopened, locked by one process at a time."""

import json
import os
import time
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from cardwin.core.errors import InputError
from cardwin.core.experiment import Experiment
from cardwin.core.files import write_whole
from cardwin.core.rng import random_seed
from cardwin.runs import checkpoint
from cardwin.runs import experiment as experiments
from cardwin.runs.kinds import kind_of

PARTS = ("checkpoints", "champions")
ALWAYS = ("run", "primary_metric", "digest", "seed", "seconds")  # keys of every answer
FAILURE = "failure.txt"  # why the run's last process failed
STARTING = ".starting"  # id of the process that was started last for the run
LONGEST_START = 120.0  # seconds until a process has locked its run
TRIES = 20  # to lock a folder


def lock(folder: Path) -> IO[bytes]:
    """Lock the run for this process and write down its id; the system releases the lock when the process ends."""
    held = (folder / ".lock").open("ab+")
    for tries_left in range(TRIES - 1, -1, -1):
        try:
            _lock(held)
            break
        except OSError:
            if not tries_left:
                held.close()
                raise InputError(f"{folder} is being run by another process: wait for it or stop it") from None
            time.sleep(0.01)  # another process may only be testing the lock
    held.truncate(0)
    held.write(str(os.getpid()).encode())
    held.flush()
    return held


def holder(folder: Path) -> int | None:
    """The id of the process that has locked the run, or None."""
    path = folder / ".lock"
    if not path.is_file():
        return None
    with path.open("rb") as file:
        try:
            _lock(file)
        except OSError:
            number = file.read()
            return int(number) if number.isdigit() else 0
    return None


def _lock(held: IO[bytes]) -> None:
    """Lock an open file or raise OSError at once; Windows and POSIX differ."""
    try:
        import fcntl
    except ImportError:
        windows: Any = __import__("msvcrt")
        windows.locking(held.fileno(), windows.LK_NBLCK, 1)
    else:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)


def starting(folder: Path) -> int | None:
    """The id of a process that was started for the run and has not locked it yet, or None."""
    path = folder / STARTING
    try:
        number, age = int(path.read_text()), time.time() - path.stat().st_mtime
        os.kill(number, 0)
    except (OSError, ValueError):
        return None
    return number if age < LONGEST_START else None


def prepare(name: str, experiment: Experiment, out: Path | None) -> tuple[Path, Experiment]:
    """Make a new run's folder and experiment.toml before anything compiles; without a seed, draw a random one."""
    kind_of(experiment.kind).check(experiment)
    settled = experiment if experiment.seed is not None else experiment.model_copy(update={"seed": random_seed()})
    folder = out or Path("runs") / f"{name}-{datetime.now().astimezone():%Y%m%d-%H%M%S}-{settled.seed}"
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder: choose another --out, or --resume {folder}")
    for part in PARTS:
        (folder / part).mkdir(parents=True, exist_ok=True)
    write_whole(folder / "experiment.toml", experiments.as_toml(settled).encode())
    return folder, settled


def lengthen(folder: Path, experiment: Experiment) -> None:
    """Make a run longer: rewrite experiment.toml and delete the answer."""
    write_whole(folder / "experiment.toml", experiments.as_toml(experiment).encode())
    (folder / "result.json").unlink(missing_ok=True)


def reopen(folder: Path) -> Experiment:
    """The experiment of a run folder."""
    path = folder / "experiment.toml"
    if not path.is_file():
        raise InputError(f"{folder} is not a run folder: it has no experiment.toml")
    return experiments.check(experiments.read_toml(path), str(path))


def resume_command(folder: Path, experiment: Experiment | None = None) -> str:
    """The command that resumes a run."""
    return f"cardwin {kind_of((experiment or reopen(folder)).kind).COMMAND} --resume {folder}"


def answer_of(folder: Path) -> dict[str, Any] | None:
    """A finished run's answer, or None. Paths of files are changed to the folder's current place."""
    path = folder / "result.json"
    if not path.exists():
        return None
    try:
        answer = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(answer, dict) and "headline" in answer:  # its name in version 0.1
            answer.setdefault("primary_metric", answer["headline"])
        whole = isinstance(answer, dict) and set(ALWAYS) <= set(answer)
    except (OSError, ValueError, RecursionError):
        whole = False
    if not whole:
        raise InputError(f"{path} is damaged: remove it, and --resume writes it again")
    moved: dict[str, Any] = _moved(answer, f"{answer['run']}{os.sep}", f"{folder}{os.sep}") | {"run": str(folder)}
    return moved


def _moved(value: Any, before: str, now: str) -> Any:
    """A JSON value with the paths in one folder changed to another."""
    if isinstance(value, dict):
        return {key: _moved(one, before, now) for key, one in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [_moved(one, before, now) for one in value]
    return now + value.removeprefix(before) if isinstance(value, str) and value.startswith(before) else value


def checkpoints_in(folder: Path) -> bool:
    """Whether a run has a checkpoint to continue from."""
    return bool(checkpoint.all_in(folder / "checkpoints"))


def champions_gone(answer: dict[str, Any]) -> list[str]:
    """The champion files of a finished run that no longer exist."""
    return [name for name in answer.get("champions", ()) if not Path(name).is_file()]
