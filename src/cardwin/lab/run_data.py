"""Runs on disk: read one, list them, compare some, remove one."""

import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardwin.errors import InputError
from cardwin.lab import run_folder as folders
from cardwin.lab import store
from cardwin.lab.experiment import Experiment
from cardwin.lab.store import Series


@dataclass(frozen=True)
class Reading:
    """Everything recorded of a run: its experiment, each evolving seat's series, its events and, at the end, answer."""

    folder: Path
    plan: Experiment
    seats: dict[int, Series]
    events: list[tuple[str, int, str]]
    answer: dict[str, Any] | None

    @property
    def generations(self) -> int:
        """How many are recorded."""
        return min((len(series.generation) for series in self.seats.values()), default=0)

    @property
    def state(self) -> str:
        """finished, or how far it is."""
        return "finished" if self.answer else f"at {self.generations} of {self.plan.generations}"


def read(folder: Path) -> Reading:
    """All recorded series of a run, finished or not. Seats count from 0."""
    plan = folders.reopen(folder)
    with closing(store.open_to_read(folder / "run.db")) as db:
        seats = {seat: store.series(db, seat) for seat in plan.evolving}
        events = db.execute("SELECT at, generation, what FROM events ORDER BY rowid").fetchall()
    return Reading(folder, plan, seats, events, folders.answer_of(folder))


def pedigree(folder: Path, seat: int, depth: int = 30) -> list[list[int]]:
    """The last champion's ancestors by generation, nearest first: places in each generation before, while kept.

    Item k holds the places of its ancestors k generations earlier; item 0 is the champion's own.
    """
    with closing(store.open_to_read(folder / "run.db")) as db:
        last = db.execute(
            "SELECT generation, place FROM generations WHERE seat = ? ORDER BY generation DESC LIMIT 1", (seat,)
        ).fetchone()
        if last is None:
            return []
        generation, place = last
        line = [[place]]
        while len(line) <= depth and generation > 0:
            kept = store.members(db, generation, seat)
            if kept is None:
                break
            couples = kept.parents[line[-1]]
            line.append(sorted({int(parent) for parent in couples.ravel() if parent >= 0}))
            generation -= 1
    return line


def is_run(folder: Path) -> bool:
    """Whether a folder holds a run."""
    return (folder / "experiment.toml").is_file() and (folder / "checkpoints").is_dir()


def all_under(home: Path) -> list[Path]:
    """The run folders in a folder, by name."""
    return sorted(path for path in home.iterdir() if is_run(path)) if home.is_dir() else []


def summary(folder: Path) -> dict[str, Any]:
    """One run in a few numbers."""
    plan, answer = folders.reopen(folder), folders.answer_of(folder)
    generations = answer["generations"] if answer else 0
    if not answer and (folder / "run.db").is_file():
        with closing(store.open_to_read(folder / "run.db")) as db:
            generations = db.execute("SELECT count(DISTINCT generation) FROM generations").fetchone()[0]
    return {
        "run": str(folder),
        "title": plan.title,
        "game": plan.game,
        "seed": plan.seed,
        "generations": generations,
        "of": plan.generations,
        "finished": answer is not None,
        "exploitability": answer["exploitability"] if answer else None,
        "seconds": answer["seconds"] if answer else None,
        "digest": answer["digest"] if answer else None,
    }


def differences(compared: list[Path]) -> dict[str, list[Any]]:
    """The settings in which runs differ, by key, one value a run."""
    settings = [_flat(folders.reopen(each).model_dump()) for each in compared]
    keys = [key for key in settings[0] if key not in ("title", "about")]
    return {key: [each[key] for each in settings] for key in keys if len({repr(each[key]) for each in settings}) > 1}


def _flat(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        flat |= _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return flat


def remove(folder: Path) -> None:
    """Delete a run folder, and nothing that is not one."""
    if not is_run(folder):
        raise InputError(f"{folder} is not a run folder: nothing was removed")
    with folders.lock(folder):
        shutil.rmtree(folder)


def draw(runs: list[Path], path: Path) -> None:
    """One picture of how exploitable each run's hand-over was, generation by generation."""
    from cardwin.lab.html import figure

    picture = figure()
    axes = picture.subplots()
    for reading in map(read, runs):
        column = "hall_exploitability" if len(reading.seats) == 2 else "best_exploitability"
        curves = [series.numbers[column] for series in reading.seats.values()]
        generation = next(iter(reading.seats.values())).generation + 1
        axes.plot(generation, sum(curves) / len(curves), label=reading.folder.name, linewidth=1.2)
    axes.set(xlabel="generation", ylabel="exploitability, chips a game", xscale="log", yscale="log")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(frameon=False)
    picture.savefig(path)
