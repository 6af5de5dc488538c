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
from cardwin.runs import experiment as experiments
from cardwin.runs import run_folder
from cardwin.runs.experiment import fingerprint, joined, lengthened, refuse_edited
from cardwin.runs.kinds import kind_of, write_report
from cardwin.runs.run import Progress, Run
from cardwin.runs.run_folder import resume_command
from cardwin.runs.store import Reader

_TEXTS = ("title", "about", "skipped")  # settings that name nothing
Watch = Callable[[Progress], object]
Announce = Callable[[str], object]


def nobody(progress: Progress) -> None:
    """Ignore progress."""


class Stopped(Exception):  # noqa: N818  an interrupted run is not an error
    """The run was asked to stop and has saved."""

    def __init__(self, run: Run) -> None:
        again = resume_command(run.folder, run.experiment)
        super().__init__(f"stopped after step {run.generation} of {run.experiment.steps}; go on with: {again}")


class Interrupts:
    """A first interrupt ends the generation and saves; a second stops at once."""

    def __init__(self, announce: Announce = str) -> None:
        self.announce = announce
        self.asked = False
        self.earlier: dict[int, Any] = {}

    def _hear(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  required signature
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        with suppress(RuntimeError):  # the signal may arrive while another line is printed
            self.announce("\nending this step and saving, then stopping; once more stops now and loses the step")

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self.earlier = {number: signal.signal(number, self._hear) for number in (signal.SIGINT, signal.SIGTERM)}
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
    watch: Watch = nobody
    announce: Announce = str


HERE = Launch()


def evolve(name: str, changes: Iterable[str] = (), seed: int | None = None, launch: Launch = HERE) -> dict[str, Any]:
    """Run a preset or an experiment file in a new folder, and return its answer."""
    short, experiment = experiments.load(name, changes, seed)
    if (command := kind_of(experiment.kind).COMMAND) != "evolve":
        raise InputError(f"{name} is an experiment of kind {experiment.kind}: start it with cardwin {command}")
    return start(short, experiment, launch)


def begin(kind: str, values: Mapping[str, Any], seed: int | None = None, launch: Launch = HERE) -> dict[str, Any]:
    """Run an experiment of a kind, given as values, in a new folder, and return its answer."""
    experiment = experiments.check({"kind": kind, "seed": seed, **values}, kind)
    return start(experiment.short_name, experiment, launch)


def start(name: str, experiment: Experiment, launch: Launch = HERE) -> dict[str, Any]:
    """Run an experiment in a new folder and return its answer."""
    worker_count(launch.workers)  # a wrong number is refused before there is a folder
    experiment = _placed(experiment, launch.cluster)
    folder, settled = run_folder.prepare(name, experiment, launch.out)
    launch.announce(f"{escape_unprintable(settled.title or name)}: {seed_text(settled.seed)}, in {folder}")
    return _drive(folder, settled, launch)


def resume(
    folder: Path,
    launch: Launch = HERE,
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
    if answer is not None and not longer and (gone := run_folder.champions_gone(answer)):
        _say_gone(folder, experiment, gone, announce)
        answer = None
    if answer is None or (longer and _fingerprint_in(folder) != fingerprint(experiment)):
        _refuse_untrusted(folder, experiment, set(trusted))
        return _drive(folder, _placed(experiment, launch.cluster), launch, longer)
    if (before := _fingerprint_in(folder)) is not None:
        refuse_edited(folder, experiment, before)
    if launch.report and not (folder / "report.html").is_file():
        _tell(folder, announce)
    return answer


def _say_gone(folder: Path, experiment: Experiment, gone: list[str], announce: Announce) -> None:
    """Announce that missing champions of a finished run are written again; an error if there is no checkpoint."""
    if not run_folder.checkpoints_in(folder):
        raise InputError(
            f"{gone[0]} is gone, and so are the checkpoints: a new run with seed {experiment.seed} makes it again"
        )
    announce(f"{gone[0]} is gone: it is written again from the last checkpoint")


def _fingerprint_in(folder: Path) -> str | None:
    """The fingerprint of the experiment at the start of the run, if it has begun."""
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
    """The leaderboard with newcomers; all players are checked before anything is written."""
    larger = joined(folder, experiment, newcomers, _fingerprint_in(folder))
    _refuse_untrusted(folder, larger, {*trusted, *newcomers})
    kind_of(larger.kind).check(larger)
    if why := experiment.differs_when_longer():
        announce(f"the digest will differ from that of a board that all were on from the start: {why}")
    return larger


def _refuse_untrusted(folder: Path, experiment: Experiment, trusted: set[str]) -> None:
    named: list[str] = []
    for key, value in experiments.flat(experiment.model_dump()).items():
        if key not in _TEXTS:
            named += [text for text in (value if isinstance(value, list | tuple) else [value]) if isinstance(text, str)]
    for spec in trusted & {str(getattr(experiment, "game", ""))}:
        if spec.startswith(PREFIX):
            build_plugin(spec)
    from cardwin.players.specs import is_untrusted

    own = [text for text in named if is_untrusted(text)]
    if missing := [text for text in own if text not in trusted]:
        again = " ".join(f"--trust {shlex.quote(text)}" for text in missing)
        raise InputError(f"{folder} runs programs from outside the package: name them again to resume it, {again}")
    if trusted - set(named):
        raise InputError(f"{folder} has other players, {' '.join(own) or 'no plug-ins'}: give those, or none")


def _placed(experiment: Experiment, cluster: str | None) -> Experiment:
    """The experiment on a cluster, if one is given; an error if it cannot run on its cluster."""
    if cluster is not None:
        experiment = experiment.model_copy(update={"cluster": validate_cluster(cluster)})
    if experiment.cluster not in (None, NONE):
        if getattr(experiment, "untrusted", False):
            raise InputError("untrusted players run on this machine only, in its sandbox: leave out --cluster")
        if kind_of(experiment.kind).COMMAND == "train":
            raise InputError(f"{experiment.kind} has no parallel work, because it is one learner: leave out --cluster")
    return experiment


@contextmanager
def _executor(workers: Workers, experiment: Experiment) -> Iterator[Executor]:
    """The experiment's cluster, the executor that is open already, or threads."""
    with (
        open_workers(workers, experiment.cluster) if isinstance(workers, int) else nullcontext(workers) as found,
        open_executor(found) if isinstance(found, int) else nullcontext(found) as executor,
    ):
        yield executor


PAUSE = 1.0  # seconds between two states of the cluster in the folder


def _watch_nodes(watch: Watch, executor: Executor, folder: Path) -> Watch:
    """Progress with the state of the cluster, which is also written into the folder; without a cluster as it was."""
    if not isinstance(executor, Cluster):
        return watch
    wrote = 0.0

    def tell(progress: Progress) -> None:
        nonlocal wrote
        if time.monotonic() - wrote > PAUSE or progress.generation == progress.generations:
            wrote = time.monotonic()
            write_atomic(folder / run_folder.CLUSTER, (json.dumps(executor.answer()) + "\n").encode())
        watch(replace(progress, where=executor.text()))

    return tell


def _drive(folder: Path, experiment: Experiment, launch: Launch, longer: bool = False) -> dict[str, Any]:
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
        _tell(folder, launch.announce)
    else:
        (folder / "report.html").unlink(missing_ok=True)  # the report of the shorter run
    return answer


def _tell(folder: Path, announce: Announce) -> None:
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
