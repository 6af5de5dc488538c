"""The main job: start or resume a run, live it to its end, hand over what it found."""

import signal
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

from cardwin.lab import experiment, report, run
from cardwin.lab import run_folder as folders
from cardwin.lab.compute import Workers
from cardwin.lab.experiment import Experiment
from cardwin.lab.run import Glimpse


def nobody(glimpse: Glimpse) -> None:
    """Watch nothing."""


class Stopped(Exception):  # noqa: N818  an interrupted run is no error
    """The run was asked to stop, and has saved."""

    def __init__(self, folder: Path, generation: int) -> None:
        super().__init__(f"stopped after generation {generation}; go on with: cardwin evolve --resume {folder}")


class Interrupts:
    """One interrupt asks the run to end its generation and save; a second one stops it now."""

    def __init__(self) -> None:
        self.asked = False
        self.earlier: dict[int, Any] = {}

    def _hear(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  the signature is the system's
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self.earlier = {number: signal.signal(number, self._hear) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for number, handler in self.earlier.items():
            signal.signal(number, handler)


def evolve(
    name: str,
    changes: Iterable[str] = (),
    seed: int | None = None,
    out: Path | None = None,
    workers: int = 1,
    watch: Callable[[Glimpse], object] = nobody,
    announce: Callable[[str], object] = str,
) -> dict[str, Any]:
    """Run a preset or an experiment file in a new folder, and return its answer."""
    short, plan = experiment.load(name, changes, seed)
    folder, settled = folders.prepare(short, plan, out)
    announce(f"{settled.title or short}: seed {settled.seed}, in {folder}")
    return _live(folder, settled, workers, watch)


def resume(folder: Path, workers: int = 1, watch: Callable[[Glimpse], object] = nobody) -> dict[str, Any]:
    """Go on with a run from its last checkpoint, and return its answer; a finished run's is only read."""
    plan, answer = folders.reopen(folder), folders.answer_of(folder)
    if answer is None:
        return _live(folder, plan, workers, watch)
    if not (folder / "report.html").is_file():
        report.write(folder)
    return answer


def _live(folder: Path, plan: Experiment, workers: int, watch: Callable[[Glimpse], object]) -> dict[str, Any]:
    with Interrupts() as interrupts, Workers(workers) as hands, run.Run(folder, plan, hands) as life:
        life.load()
        if not life.go(watch, lambda: interrupts.asked):
            raise Stopped(folder, life.generation)
        answer = life.finish()
    report.write(folder)
    return answer
