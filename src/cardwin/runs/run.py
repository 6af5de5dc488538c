"""A run: a folder, an experiment, a seed, a trainer. `step()` is one generation. A run knows no game.

experiment.toml   the experiment as resolved, seed and all
run.db            the recorded generations (store.py)
checkpoints/      the last two states to resume from (checkpoint.py)
champions/        the champions, as the trainer writes them
result.json       the answer of a finished run
report.html       the same as a page
checksums.json    a checksum per file, once the run is finished (checksums.py)

Rows are committed, then the checkpoint is renamed into place. So a run that is killed at any moment resumes from the
last checkpoint and ends with the same digest, a hash chained from generation to generation. The checkpoint and run.db
hold the experiment's fingerprint too: a run whose experiment.toml was edited is refused.
"""

import hashlib
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from cardwin.core.errors import InputError
from cardwin.core.experiment import Experiment
from cardwin.core.files import write_atomic
from cardwin.core.kernel import clock
from cardwin.core.rng import child, key_of
from cardwin.core.trainer import Generation, Metrics, PrimaryMetric, Trainer, digest_of_generation
from cardwin.runs import checkpoint, checksums
from cardwin.runs.experiment import fingerprint, refuse_edited
from cardwin.runs.run_folder import PARTS, lengthen, lock, resume_command
from cardwin.runs.store import Reader, Store

SCHEMA = 1
log = logging.getLogger("cardwin")


@dataclass(frozen=True)
class Progress:
    """What a watcher receives after each generation."""

    generation: int
    generations: int
    primary: PrimaryMetric
    metrics: Metrics
    seconds: float
    where: str = ""  # nodes, cores and speed of the cluster, if there is one


class Run:
    """An experiment running in its folder, which this process has locked."""

    def __init__(
        self, folder: Path, experiment: Experiment, make_trainer: Callable[[], Trainer], longer: bool = False
    ) -> None:
        """Lock the folder and open the run.

        Args:
            folder: The run's folder, with its experiment.toml.
            experiment: The experiment.
            make_trainer: Builds the trainer, once the folder is locked.
            longer: Whether the experiment's length may differ from that at the start of the run.

        Raises:
            InputError: If another process holds the folder, or if the experiment was edited.

        """
        self.folder, self.experiment, self.key = folder, experiment, run_key(experiment)
        self.shorter: Any = None  # the length until now, if the run is made longer
        self.free_key = experiment.LENGTH if longer else ""  # the one key that may have changed since the run began
        self.generation = self.recorded = 0
        self.unsaved: list[tuple[int, Generation]] = []  # recorded generations since the last commit
        self.chain = b""
        self.seconds = 0.0
        self.primary: PrimaryMetric | None = None
        self.lock = lock(folder)
        try:
            for part in PARTS:  # copies of a folder may have lost empty ones
                (folder / part).mkdir(exist_ok=True)
            self.store = Store(folder / "run.db")
        except (InputError, OSError):
            self.lock.release()
            raise
        try:
            if (before := self.store.fingerprint) is not None:
                refuse_edited(folder, experiment, before, self.free_key)
            if longer:
                self.shorter = None if before is None else json.loads(before).get(experiment.LENGTH)
                lengthen(folder, experiment)
            (folder / checksums.FILE).unlink(missing_ok=True)
            self.store.begin_with(fingerprint(experiment))
            self.trainer = make_trainer()
        except BaseException:
            self.close()
            raise

    @property
    def finished(self) -> bool:
        """Whether all steps have been taken."""
        return self.generation >= self.experiment.steps

    def step(self) -> Generation:
        """Step the trainer once, and extend the digest by the result."""
        generation = self.trainer.step(child(self.key, self.generation))
        self.chain = extend_chain(self.chain, self.generation, generation)
        if generation.recorded:
            self.unsaved.append((self.generation, generation))
            self.recorded += 1
        self.primary = generation.primary
        self.generation += 1
        return generation

    def save(self) -> None:
        """Commit the rows, then put the checkpoint in place."""
        notes = {
            "generation": str(self.generation),
            "recorded": str(self.recorded),
            "chain": self.chain.hex(),
            "seconds": f"{self.seconds:.3f}",
            "experiment": fingerprint(self.experiment),
        }
        if self.primary is not None:
            notes |= {"primary_metric": self.primary.name, "value": self.primary.value.hex()}
        folder = self.folder / "checkpoints"
        try:
            self.store.commit(self.unsaved)
            self.unsaved.clear()
            checkpoint.write(folder / checkpoint.name_of(self.generation), self.trainer.state(), notes)
            checkpoint.drop_old(folder)
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"cannot save to {self.folder}: {getattr(error, 'strerror', None) or error}; the last checkpoint is "
                f"complete, and {resume_command(self.folder, self.experiment)} continues from it"
            ) from None

    def load(self) -> None:
        """Continue from the last checkpoint, if there is one."""
        saved = checkpoint.newest(self.folder / "checkpoints")
        if saved is None:
            if recorded := self.store.count:
                log.info("%s has %s recorded generations but no checkpoint: it starts again", self.folder, recorded)
            self.store.rewind(0, 0)
            return
        notes = saved.notes
        # run.db's fingerprint has been compared already; the checkpoint may be older than a change of length.
        refuse_edited(self.folder, self.experiment, notes["experiment"], self.experiment.LENGTH)
        self.trainer.load(saved.arrays)
        self.generation, self.recorded = int(notes["generation"]), int(notes["recorded"])
        self.chain, self.seconds = bytes.fromhex(notes["chain"]), float(notes["seconds"])
        if "primary_metric" in notes:
            self.primary = PrimaryMetric(notes["primary_metric"], float.fromhex(notes["value"]))
        self.store.rewind(self.generation, self.recorded)
        self.store.event(self.generation, "resumed")
        if self.shorter is not None:
            self.store.made_longer(self.generation, self.shorter)

    def go(self, watch: Callable[[Progress], object], asked_to_stop: Callable[[], bool]) -> bool:
        """Take all remaining steps, saving from time to time.

        Args:
            watch: Called after every step.
            asked_to_stop: Whether to stop before the next step.

        Returns:
            Whether the run is finished; False if it was asked to stop before the end.

        """
        start, saved = clock(), time.monotonic()
        pause = self.experiment.save_seconds
        earlier = self.seconds
        while not self.finished and not asked_to_stop():
            generation = self.step()
            now = time.monotonic()
            self.seconds = earlier + clock() - start
            watch(
                Progress(self.generation, self.experiment.steps, generation.primary, generation.metrics, self.seconds)
            )
            if now - saved >= pause:
                self.save()
                saved = time.monotonic()
                # Saving a large run takes time: it may use a twentieth of the total.
                pause = max(self.experiment.save_seconds, 20 * (saved - now))
        self.save()
        return self.finished

    def finish(self, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Write the champions and the answer.

        Args:
            more: Further entries of the answer.

        Returns:
            The answer, as in result.json.

        """
        if self.primary is None:
            raise ValueError("a run without any step has no answer")
        champions = self.trainer.write_champions(self.folder / "champions")
        answer = {
            "schema": SCHEMA,
            "run": str(self.folder),
            **result_of(self.primary, champions, self.chain, self.experiment),
            "seconds": round(self.seconds, 3),
            **self.trainer.answer(Reader(self.folder / "run.db")),
            **(more or {}),
        }
        self.store.event(self.generation, "finished")
        self.store.commit()
        self.store.merge_log()
        write_atomic(self.folder / "result.json", (json.dumps(answer, indent=1) + "\n").encode())
        return answer

    def __enter__(self) -> Self:
        """Return the run."""
        return self

    def __exit__(self, *_: object) -> None:
        """Release the folder."""
        self.close()

    def close(self) -> None:
        """Release the folder."""
        self.store.close()
        self.lock.release()


def extend_chain(chain: bytes, number: int, generation: Generation) -> bytes:
    """Return the digest of a run after one more generation."""
    chained = chain + number.to_bytes(8) + (generation.digest or digest_of_generation(generation))
    return hashlib.blake2b(chained, digest_size=16).digest()


def result_of(
    primary: PrimaryMetric, champions: Sequence[Path], chain: bytes, experiment: Experiment
) -> dict[str, Any]:
    """Return the part of an answer that every kind of run has and that a repetition gives again."""
    return {
        "primary_metric": primary.name,
        primary.name.replace(" ", "_"): primary.value,
        **({"champions": [str(path) for path in champions]} if champions else {}),
        "digest": chain.hex(),
        "seed": experiment.seed,
    }


def run_key(experiment: Experiment) -> int:
    """Return the key from which the keys of steps are derived."""
    if experiment.seed is None and not experiment.SECRET:
        raise ValueError("a run needs a seed")
    return key_of(experiment.seed or 0, "run")
