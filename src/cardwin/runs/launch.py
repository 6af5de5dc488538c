"""Start or resume a run of any kind, run it to the end, and write its champions and report."""

import json
import shlex
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

from cardwin.core.cluster import NONE, Cluster, open_workers, validate_cluster
from cardwin.core.display import escape_unprintable, seed_text
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor, Workers, open_executor, worker_count
from cardwin.core.experiment import Experiment
from cardwin.core.files import write_atomic
from cardwin.games.specs import PREFIX, build_plugin
from cardwin.runs import checksums, run_folder
from cardwin.runs import experiment as experiments
from cardwin.runs.experiment import fingerprint, joined, lengthened, refuse_edited
from cardwin.runs.kinds import kind_of, write_report
from cardwin.runs.run import Progress, Run
from cardwin.runs.run_folder import resume_command
from cardwin.runs.store import Reader

TEXT_KEYS = ("title", "about", "skipped")  # settings that name nothing
Watch = Callable[[Progress], object]
Announce = Callable[[str], object]


def ignore_progress(progress: Progress) -> None:
    """Ignore progress."""


class Stopped(Exception):  # noqa: N818  an interrupted run is not an error
    """A run that was asked to stop and has saved."""

    def __init__(self, run: Run) -> None:
        again = resume_command(run.folder, run.experiment)
        super().__init__(f"stopped after step {run.generation} of {run.experiment.steps}; continue with: {again}")


class Interrupts:
    """Signal handlers: a first interrupt ends the generation and saves; a second stops at once."""

    def __init__(self, announce: Announce = str) -> None:
        self.announce = announce
        self.asked = False
        self.earlier: dict[int, Any] = {}

    def _on_signal(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  required signature
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        with suppress(RuntimeError):  # the signal may arrive while another line is printed
            self.announce("\nstopping after this step is saved; a second interrupt stops now and loses the step")

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            signals = (signal.SIGINT, signal.SIGTERM)
            self.earlier = {number: signal.signal(number, self._on_signal) for number in signals}
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for number, handler in self.earlier.items():
            signal.signal(number, handler)


@dataclass(frozen=True)
class Launch:
    """How a run is carried out; its result does not depend on it.

    Attributes:
        out: The folder of a new run; without it a new one in `runs`.
        workers: The number of threads, or an executor.
        cluster: A cluster in place of the experiment's own.
        report: Whether the report is written at the end.
        watch: Called after every step.
        announce: Receives sentences for the user.

    """

    out: Path | None = None
    workers: Workers = 1
    cluster: str | None = None
    report: bool = True
    watch: Watch = ignore_progress
    announce: Announce = str


DEFAULTS = Launch()


def evolve(
    name: str, changes: Iterable[str] = (), seed: int | None = None, launch: Launch = DEFAULTS
) -> dict[str, Any]:
    """Run a preset or an experiment file in a new folder.

    Args:
        name: The preset, or the path of a TOML file.
        changes: Changes such as `population.size=200`.
        seed: The seed; without one it is drawn.
        launch: How the run is carried out.

    Returns:
        The answer, as in result.json.

    Raises:
        InputError: If the experiment is invalid, or the folder is not empty.

    """
    short, experiment = experiments.load(name, changes, seed)
    if (command := kind_of(experiment.kind).COMMAND) != "evolve":
        raise InputError(f"{name} is an experiment of kind {experiment.kind}: start it with cardwin {command}")
    return start(short, experiment, launch)


def begin(kind: str, values: Mapping[str, Any], seed: int | None = None, launch: Launch = DEFAULTS) -> dict[str, Any]:
    """Run an experiment of a kind in a new folder and return its answer; `values` are as in an experiment file."""
    experiment = experiments.check({"kind": kind, "seed": seed, **values}, kind)
    return start(experiment.short_name, experiment, launch)


def start(name: str, experiment: Experiment, launch: Launch = DEFAULTS) -> dict[str, Any]:
    """Run an experiment in a new folder and return its answer."""
    worker_count(launch.workers)  # a wrong number is refused before a folder is made
    experiment = _on_cluster(experiment, launch.cluster)
    folder, settled = run_folder.prepare(name, experiment, launch.out)
    launch.announce(f"{escape_unprintable(settled.title or name)}: {seed_text(settled.seed)}, in {folder}")
    return _run(folder, settled, launch)


def resume(
    folder: Path,
    launch: Launch = DEFAULTS,
    *,
    command: str | None = None,
    trusted: Iterable[str] = (),
    lengths: Mapping[str, int | None] | None = None,
    newcomers: Sequence[str] = (),
) -> dict[str, Any]:
    """Continue a run from its last checkpoint and return its answer; a finished run's answer is only read.

    Args:
        folder: The run.
        launch: How it is carried out; its `out` is not used.
        command: The command that resumes it; if it belongs to another kind of run, the error names the right one.
        trusted: Plug-ins (`python:…`) named in the file; only those run.
        lengths: Such as {"generations": 500}: makes a run longer, even a finished one.
        newcomers: Players who join a leaderboard: they play every other player, and earlier results stay.

    """
    announce = launch.announce
    experiment, answer = run_folder.reopen(folder), run_folder.answer_of(folder)
    if command not in (None, kind_of(experiment.kind).COMMAND):
        raise InputError(f"{folder} is of kind {experiment.kind}: {resume_command(folder, experiment)}")
    longer = False
    for key, length in (lengths or {}).items():
        if length is not None:
            longer, experiment = True, _longer(folder, experiment, key, length, announce)
    if newcomers:
        longer, experiment = True, _joined(folder, experiment, newcomers, trusted, announce)
        trusted = {*trusted, *newcomers}
    if answer is not None and not longer and (missing := run_folder.missing_champions(answer)):
        _announce_missing(folder, experiment, missing, announce)
        answer = None
    if answer is None or (longer and _fingerprint_in(folder) != fingerprint(experiment)):
        refuse_untrusted(folder, experiment, set(trusted))
        return _run(folder, _on_cluster(experiment, launch.cluster), launch, longer)
    if (before := _fingerprint_in(folder)) is not None:
        refuse_edited(folder, experiment, before)
    if launch.report and not (folder / "report.html").is_file():
        _write_report(folder, announce)
        checksums.update(folder, checksums.REPORT)
    return answer


def _announce_missing(folder: Path, experiment: Experiment, missing: list[str], announce: Announce) -> None:
    """Announce that missing champions of a finished run are written again.

    Raises:
        InputError: If there is no checkpoint.

    """
    if not run_folder.checkpoints_in(folder):
        raise InputError(
            f"{missing[0]} and the checkpoints are missing: a new run with seed {experiment.seed} makes it again"
        )
    announce(f"{missing[0]} is missing: it is written again from the last checkpoint")


def _fingerprint_in(folder: Path) -> str | None:
    """Return the fingerprint of the experiment at the start of the run, if it has begun."""
    reader = Reader(folder / "run.db")
    return reader.fingerprint if reader.begun else None


def _longer(folder: Path, experiment: Experiment, key: str, length: int, announce: Announce) -> Experiment:
    longer = lengthened(folder, experiment, key, length)
    if longer != experiment and (why := experiment.differs_when_longer()):
        announce(f"the digest will differ from that of a run of {length:,} {key} from the start: {why}")
    return longer


def _joined(
    folder: Path, experiment: Experiment, newcomers: Sequence[str], trusted: Iterable[str], announce: Announce
) -> Experiment:
    """Return the leaderboard with newcomers; all players are checked before anything is written."""
    larger = joined(folder, experiment, newcomers, _fingerprint_in(folder))
    refuse_untrusted(folder, larger, {*trusted, *newcomers})
    kind_of(larger.kind).check(larger)
    if why := experiment.differs_when_longer():
        announce(f"the digest will differ from that of a board with all players from the start: {why}")
    return larger


def refuse_untrusted(folder: Path, experiment: Experiment, trusted: set[str]) -> None:
    """Build the plug-in games that are trusted.

    Raises:
        InputError: If the experiment names programs that are not trusted, or does not name a trusted one.

    """
    named: list[str] = []
    for key, value in experiments.flat(experiment.model_dump()).items():
        if key not in TEXT_KEYS:
            named += [text for text in (value if isinstance(value, list | tuple) else [value]) if isinstance(text, str)]
    for spec in trusted & {str(getattr(experiment, "game", ""))}:
        if spec.startswith(PREFIX):
            build_plugin(spec)
    from cardwin.players.specs import is_untrusted

    untrusted = [text for text in named if is_untrusted(text)]
    if missing := [text for text in untrusted if text not in trusted]:
        again = " ".join(f"--trust {shlex.quote(text)}" for text in missing)
        raise InputError(f"{folder} runs programs from outside the package: to resume it, add {again}")
    if trusted - set(named):
        expected, received = " ".join(untrusted) or "no player", " ".join(sorted(trusted))
        raise InputError(f"{folder}: expected --trust of {expected}, got {received}")


def _on_cluster(experiment: Experiment, cluster: str | None) -> Experiment:
    """Return the experiment with its cluster.

    Raises:
        InputError: If it cannot run on a cluster.

    """
    if cluster is not None:
        experiment = experiment.model_copy(update={"cluster": validate_cluster(cluster)})
    if experiment.cluster not in (None, NONE):
        if getattr(experiment, "untrusted", False):
            raise InputError("untrusted players run only in this machine's sandbox: omit --cluster")
        if kind_of(experiment.kind).COMMAND == "train":
            raise InputError(f"{experiment.kind} is one learner, which cannot run on a cluster: omit --cluster")
    return experiment


@contextmanager
def _executor(workers: Workers, experiment: Experiment) -> Iterator[Executor]:
    """Yield the experiment's cluster, an executor that is already open, or threads."""
    with (
        open_workers(workers, experiment.cluster) if isinstance(workers, int) else nullcontext(workers) as opened,
        open_executor(opened) if isinstance(opened, int) else nullcontext(opened) as executor,
    ):
        yield executor


CLUSTER_SECONDS = 1.0  # seconds between two states of the cluster in the folder


def _watch_nodes(watch: Watch, executor: Executor, folder: Path) -> Watch:
    """Return a watcher that adds the state of the cluster and writes it into the folder; without one, the same."""
    if not isinstance(executor, Cluster):
        return watch
    wrote = 0.0

    def report(progress: Progress) -> None:
        nonlocal wrote
        if time.monotonic() - wrote > CLUSTER_SECONDS or progress.generation == progress.generations:
            wrote = time.monotonic()
            write_atomic(folder / run_folder.CLUSTER, (json.dumps(executor.answer()) + "\n").encode())
        watch(replace(progress, where=executor.text()))

    return report


def _run(folder: Path, experiment: Experiment, launch: Launch, longer: bool = False) -> dict[str, Any]:
    kind = kind_of(experiment.kind)
    with (
        Interrupts(launch.announce) as interrupts,
        _executor(launch.workers, experiment) as executor,
        Run(folder, experiment, lambda: kind.trainer(experiment, executor, folder), longer) as run,
        _failures_written(folder),
    ):
        run.load()
        try:
            ended = run.go(_watch_nodes(launch.watch, executor, folder), lambda: interrupts.asked)
        except Stopped:  # a run inside this one's step: that has saved, and is resumed with this one
            run.save()
            ended = False
        if not ended:
            raise Stopped(run)
        answer = run.finish({"cluster": executor.answer()} if isinstance(executor, Cluster) else None)
    if launch.report:
        _write_report(folder, launch.announce)
    else:
        (folder / "report.html").unlink(missing_ok=True)  # the report of the shorter run
    checksums.write(folder)
    return answer


def _write_report(folder: Path, announce: Announce) -> None:
    announce("writing the report, which may take some seconds")
    write_report(folder)


@contextmanager
def _failures_written(folder: Path) -> Iterator[None]:
    """Write the reason into the folder if the run fails, so that it can be shown later."""
    for name in (run_folder.FAILURE, run_folder.STARTING):
        (folder / name).unlink(missing_ok=True)
    try:
        yield
    except Stopped:
        raise
    except Exception as error:
        (folder / run_folder.FAILURE).write_text(f"{type(error).__name__}: {error}\n", encoding="utf-8")
        raise
