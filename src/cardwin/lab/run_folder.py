"""A run's folder: made for a new run, found again, held by one process at a time."""

import json
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from cardwin.errors import InputError
from cardwin.games import game
from cardwin.lab import experiment
from cardwin.lab.checkpoint import write_whole
from cardwin.lab.experiment import FAMOUS, LIVING, Experiment
from cardwin.players.policies import policy
from cardwin.rng import fresh_seed


def lock(folder: Path) -> IO[bytes]:
    """Hold the run for this process; the system lets go of it however the process ends."""
    held = (folder / ".lock").open("wb")
    try:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass  # no such locks on this system
    except BlockingIOError:
        held.close()
        raise InputError(f"{folder} is being run by another process: wait for it or stop it") from None
    return held


def prepare(name: str, plan: Experiment, out: Path | None) -> tuple[Path, Experiment]:
    """A new run's folder with its experiment.toml, made before anything compiles; a seed is drawn if none is given."""
    _check_specs(plan)
    settled = plan if plan.seed is not None else plan.model_copy(update={"seed": fresh_seed()})
    folder = out or Path("runs") / f"{name}-{datetime.now().astimezone():%Y%m%d-%H%M%S}-{settled.seed}"
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder: choose another --out, or --resume {folder}")
    for part in ("checkpoints", "champions"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    write_whole(folder / "experiment.toml", experiment.as_toml(settled).encode())
    return folder, settled


def _check_specs(plan: Experiment) -> None:
    """The game and the policies named must exist and fit, before a folder is made for them."""
    rules = game(plan.game)
    for seat in plan.evolving:
        for spec in plan.seats[seat].against:
            if spec not in (LIVING, FAMOUS):
                policy(rules, spec).exact(1 - seat)
        for spec in plan.population.seeded:
            policy(rules, spec).exact(seat)


def reopen(folder: Path) -> Experiment:
    """The experiment of a run folder."""
    path = folder / "experiment.toml"
    if not path.is_file():
        raise InputError(f"{folder} is not a run folder: it has no experiment.toml")
    return experiment.check(experiment.read_toml(path), str(path))


def answer_of(folder: Path) -> dict[str, Any] | None:
    """A finished run's answer, or None while it is not finished."""
    path = folder / "result.json"
    if not path.is_file():
        return None
    try:
        answer: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise InputError(f"{path} is damaged: remove it, and --resume writes it again") from None
    return answer
