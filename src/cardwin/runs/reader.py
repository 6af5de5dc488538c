"""Runs on disk: read, list, compare, rename, discard, restore and remove them."""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.display import escape_unprintable
from cardwin.core.errors import InputError, unknown_name
from cardwin.core.experiment import Experiment
from cardwin.core.files import write_atomic
from cardwin.core.trainer import Array, Generation
from cardwin.runs import checksums, run_folder
from cardwin.runs.experiment import as_toml, flat, refuse_edited
from cardwin.runs.store import Reader, StoredArrays

BIN = ".bin"  # the folder, among the runs, of discarded runs
MAX_TITLE = 120


@dataclass(frozen=True)
class Series:
    """One population's recorded generations (k,), its metrics (k,) by name, and its arrays (k, ...) by name."""

    generation: Ints
    metrics: Mapping[str, Floats]
    arrays: Mapping[str, Array]


@dataclass(frozen=True)
class RunData:
    """Everything recorded of a run: its experiment, each population's series, and the answer of a finished run."""

    folder: Path
    experiment: Experiment
    populations: Mapping[str, Series]
    generations: int
    answer: dict[str, Any] | None

    @property
    def store(self) -> Reader:
        """A reader of run.db for further queries."""
        return Reader(self.folder / "run.db")

    @property
    def state(self) -> str:
        """finished, or the step it has reached."""
        return "finished" if self.answer else f"at {self.generations} of {self.experiment.steps}"


def read(folder: Path) -> RunData:
    """Read all recorded series of a run, finished or not.

    Args:
        folder: The run.

    Raises:
        InputError: If the folder is not a run.

    """
    experiment, answer = run_folder.reopen(folder), run_folder.answer_of(folder)
    reader = Reader(folder / "run.db")
    populations = {name: Series(*reader.metrics(name), StoredArrays(reader, name)) for name in reader.populations}
    return RunData(folder, experiment, populations, reader.generations, answer)


def gathered(experiment: Experiment, steps: Iterable[Generation]) -> RunData:
    """Return the same data, from generations in memory."""
    recorded = [(number, step) for number, step in enumerate(steps) if step.recorded]
    populations = {}
    for name in recorded[0][1].metrics:
        rows = [(number, step.metrics[name], step.arrays[name]) for number, step in recorded]
        populations[name] = Series(
            np.array([number for number, _, _ in rows]),
            {label: np.array([metrics[label] for _, metrics, _ in rows]) for label in rows[0][1]},
            {
                label: np.stack([arrays[label] for _, _, arrays in rows])
                for label in rows[0][2]
                if all(label in arrays and arrays[label].shape == rows[0][2][label].shape for _, _, arrays in rows)
            },
        )
    return RunData(Path(), experiment, populations, len(recorded), None)


def is_run(folder: Path) -> bool:
    """Return whether a folder holds a run."""
    return (folder / "experiment.toml").is_file() and (folder / "checkpoints").is_dir()


def all_under(home: Path) -> list[Path]:
    """Return the run folders in a folder, by name."""
    return sorted(path for path in home.iterdir() if is_run(path)) if home.is_dir() else []


def summary(folder: Path) -> dict[str, Any]:
    """Return a run's row of a list: settings, state and results.

    Raises:
        InputError: If the run cannot be read, or its experiment was edited.

    """
    experiment, answer = run_folder.reopen(folder), run_folder.answer_of(folder)
    reader = Reader(folder / "run.db")
    if reader.begun and (before := reader.fingerprint) is not None:
        refuse_edited(folder, experiment, before)
    steps = experiment.steps
    row: dict[str, Any] = {
        "run": str(folder),
        "kind": experiment.kind,
        "title": experiment.title,
        "game": getattr(experiment, "game", None),
        "seed": experiment.seed,
        "generations": steps if answer else 0,
        "of": steps,
        "finished": answer is not None,
        "state": state_of(folder),
        "primary_metric": None,
        "value": None,
        "seconds": answer["seconds"] if answer else None,
        "digest": answer["digest"] if answer else None,
    }
    if reader.begun:
        row["generations"] = steps if answer else reader.reached
        if (last := reader.primary) is not None:
            row |= {"primary_metric": last.name, "value": last.value}
    return row


def state_of(folder: Path) -> str:
    """Return the state of a run: running, finished, failed (failure.txt has the reason) or stopped."""
    if run_folder.answer_of(folder) is not None:
        return "finished"
    if (folder / run_folder.FAILURE).is_file():
        return "failed"
    held = run_folder.holder(folder) is not None or run_folder.starting(folder) is not None
    return "running" if held else "stopped"


def listed(home: Path) -> list[dict[str, Any]]:
    """Return all runs in a folder; a run that cannot be read has the reason in its row."""
    rows = []
    for folder in all_under(home):
        try:
            rows.append(summary(folder))
        except (InputError, OSError) as error:
            rows.append({"run": str(folder), "finished": False, "state": "failed", "wrong": str(error)})
    return rows


def differences(folders: list[Path]) -> dict[str, list[Any]]:
    """Return the settings in which runs differ, by key, one value per run."""
    settings = [flat(run_folder.reopen(each).model_dump()) for each in folders]
    keys = [key for key in dict.fromkeys(key for each in settings for key in each) if key not in ("title", "about")]
    compared = {key: [each.get(key) for each in settings] for key in keys}
    return {key: values for key, values in compared.items() if len({repr(value) for value in values}) > 1}


def remove(folder: Path) -> None:
    """Delete a run folder.

    Raises:
        InputError: If the folder is not a run, or is in use.

    """
    if not is_run(folder):
        raise InputError(f"{folder} is not a run folder: nothing was deleted")
    # Released at once: some systems do not delete a locked file.
    run_folder.lock(folder).release()
    shutil.rmtree(folder)


def rename(folder: Path, title: str) -> None:
    """Give a run another title; the folder keeps its name, which specifications of champions contain."""
    shown = escape_unprintable(" ".join(title.split()))
    if not 0 < len(shown) <= MAX_TITLE:
        raise InputError(f"invalid title: expected 1 to {MAX_TITLE} characters, got {len(shown)}")
    experiment = run_folder.reopen(folder).model_copy(update={"title": shown})
    write_atomic(folder / "experiment.toml", as_toml(experiment).encode())
    checksums.update(folder, ["experiment.toml"])


def discard(folder: Path) -> Path:
    """Move a run that is not running into the bin beside it, and return its new path."""
    if state_of(folder) == "running":
        raise InputError(f"{folder.name} is running: stop it first")
    run_folder.lock(folder).release()
    home = folder.parent / BIN
    home.mkdir(exist_ok=True)
    return folder.rename(_free(home, folder.name))


def restore(home: Path, name: str) -> Path:
    """Move a run from the bin back among the runs, and return its new path."""
    discarded = {path.name: path for path in all_under(home / BIN)}
    if name not in discarded:
        raise unknown_name("run in the bin", name[:80], discarded)
    return discarded[name].rename(_free(home, name))


def _free(home: Path, name: str) -> Path:
    """Return a path with this name that does not exist yet."""
    names = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(path for each in names if not (path := home / each).exists())


def answers_of(folders: Iterable[Path]) -> list[dict[str, Any]]:
    """Return every finished run's answer, with the run's name instead of its folder; unreadable runs are skipped."""
    answers = []
    for folder in folders:
        try:
            if (answer := run_folder.answer_of(folder)) is not None:
                answers.append({**answer, "run": folder.name, "report": None})
        except (InputError, OSError):
            continue
    return answers


# --- lineage: the ancestors of a champion, as far as the parents of all members were recorded

DEPTH = 30


@dataclass(frozen=True)
class Ancestry:
    """The last champion's ancestors: members by generations back (nearest first), and links from child to parent."""

    generation: int
    places: list[list[int]]
    links: list[tuple[int, int, int]]  # generations back, child's index, parent's index

    @property
    def counts(self) -> list[int]:
        """The number of ancestors by generations back."""
        return [len(row) for row in self.places]


def _parents(series: Series) -> dict[int, Array]:
    """Return the parents of all members (members, 2) by generation, if recorded; -1 means none."""
    rows = series.arrays.get("parents", ())
    return dict(zip(series.generation.tolist(), rows, strict=False))


def ancestry(series: Series, depth: int = DEPTH, from_birth: bool = True) -> Ancestry:
    """Return the last champion's ancestors.

    Args:
        series: The population's record.
        depth: The number of generations to go back.
        from_birth: Whether to start at the generation in which it was bred, or at the last generation.

    """
    parents = _parents(series)
    generation, index = int(series.generation[-1]), int(series.metrics["place"][-1])
    if from_birth:
        generation, index = _birth(parents, generation, index)
    places: list[list[int]] = [[index]]
    links: list[tuple[int, int, int]] = []
    for before in range(min(depth, generation)):
        if generation - before not in parents:
            break
        known = parents[generation - before]
        pairs = [(child, parent) for child in places[-1] for parent in set(known[child].tolist()) if parent >= 0]
        if not pairs:
            break
        links += [(before, child, parent) for child, parent in pairs]
        places.append(sorted({parent for _, parent in pairs}))
    return Ancestry(generation, places, links)


def _birth(parents: dict[int, Array], generation: int, index: int) -> tuple[int, int]:
    """Return the generation and index at which a member was bred from two parents, not copied unchanged from one."""
    while generation > 0 and generation in parents:
        known = [int(parent) for parent in parents[generation][index] if parent >= 0]
        if len(known) != 1:
            break
        generation, index = generation - 1, known[0]
    return generation, index
