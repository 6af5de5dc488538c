"""Whatever a run is about: killed at random moments and resumed, with one worker or two, it ends with one digest.

Only what is killed has a process of its own. Runs that nobody interrupts, and the last resumption of those that were
killed, happen in the tests' process, without reports.
"""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cardwin.papers import morsomme
from cardwin.reports import report
from cardwin.runs import checkpoint, reader
from support import answer

# Each takes about a second once it runs: long enough to be killed in, as short as that allows.
JOBS = {
    "evolve": ("kuhn-coevolution", "--set", "generations=1500", "--set", "save_seconds=0.02"),
    "tournament": ("random", "call", "raise", "fold", "all-in", "--tables", "25000"),
    "train": ("v2:down=.04,up=.01", "--against", "standard*2", "--games", "1500", "--rounds", "200"),
    "leaderboard": ("random", "call", "raise", "fold", "--hands", "60000"),
    "reproduce": ("morsomme", "--scale", "seconds"),
}
QUICK = ("hand", "confrontation", "replay", "bluffing")  # experiments of the paper
PROGRAM = """
from cardwin.cli import main
from cardwin.papers import morsomme
for name in set(morsomme.EXPERIMENTS) - set({quick}):
    del morsomme.EXPERIMENTS[name]
main()
"""


@pytest.fixture(autouse=True)
def without_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "write", lambda folder: folder)


@pytest.fixture
def only_quick_experiments() -> Iterator[None]:
    every = dict(morsomme.EXPERIMENTS)
    for name in set(every) - set(QUICK):
        del morsomme.EXPERIMENTS[name]
    yield
    morsomme.EXPERIMENTS.clear()  # digests depend on their order
    morsomme.EXPERIMENTS.update(every)


def start(*words: str) -> subprocess.Popen[str]:
    program = PROGRAM.format(quick=tuple(morsomme.EXPERIMENTS))
    command = [sys.executable, "-c", program, "--quiet", *words, "--json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def whole(name: str, folder: Path, *words: str) -> str:
    """The digest of a run that nobody interrupts."""
    return str(answer("--quiet", name, *(words or JOBS[name]), "--seed", "3", "--out", str(folder))["digest"])


def resumed(name: str, folder: Path, workers: int) -> str:
    return str(answer("--quiet", name, "--resume", str(folder), "--workers", str(workers))["digest"])


def wait_for(what: Callable[[], object], process: subprocess.Popen[str], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not what() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)


def wait_for_checkpoint(folder: Path, process: subprocess.Popen[str]) -> None:
    before = checkpoint.all_in(folder / "checkpoints")
    wait_for(lambda: checkpoint.all_in(folder / "checkpoints") != before, process)


def kill(process: subprocess.Popen[str]) -> bool:
    """Kill it; whether it was alive."""
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return alive


def killed(name: str, folder: Path, moments: Iterator[bool]) -> int:
    """Start a run and kill it at each of these moments: after its next checkpoint or at any time; the hits."""
    rng, hits = random.Random(name), 0
    words = (name, *JOBS[name], "--seed", "3", "--out", str(folder))
    for number, saved in enumerate(moments):
        process = start(*words)
        wait_for(lambda: (folder / "experiment.toml").is_file(), process)
        if saved:
            wait_for_checkpoint(folder, process)
        time.sleep(rng.random() * 0.1)
        hits += kill(process)
        words = (name, "--resume", str(folder), "--workers", str(1 + number % 2))
    return hits


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in ("train", "reproduce") else []) for name in JOBS]
)
@pytest.mark.usefixtures("only_quick_experiments")
def test_killed_and_resumed_is_uninterrupted(tmp_path: Path, name: str) -> None:
    digest = whole(name, tmp_path / "whole")
    assert killed(name, tmp_path / "killed", iter([True]))
    row = reader.listed(tmp_path)[0]
    assert not row["finished"]
    assert resumed(name, tmp_path / "killed", 2) == digest
    row, other = reader.listed(tmp_path)
    assert row["finished"]
    assert (row["kind"], row["generations"], row["digest"]) == (other["kind"], other["generations"], digest)
    ours, theirs = (reader.read(tmp_path / each).store.primaries for each in ("killed", "whole"))
    assert [each.tobytes() for each in ours] == [each.tobytes() for each in theirs]


def test_killed_before_anything_is_saved(tmp_path: Path) -> None:
    digest = whole("evolve", tmp_path / "whole")
    assert killed("evolve", tmp_path / "killed", iter([False, True]))
    assert resumed("evolve", tmp_path / "killed", 1) == digest


def test_killed_while_newcomers_join_and_resumed_is_uninterrupted(tmp_path: Path) -> None:
    digest, folder = whole("leaderboard", tmp_path / "whole"), tmp_path / "killed"
    whole("leaderboard", folder, "random", "call", "--hands", "60000")
    process = start("leaderboard", "--resume", str(folder), "--add", "raise", "--add", "fold")
    wait_for_checkpoint(folder, process)
    assert kill(process)
    assert resumed("leaderboard", folder, 2) == digest


@pytest.mark.slow
@pytest.mark.parametrize("name", JOBS)
def test_killed_ten_times_with_one_worker_or_two(tmp_path: Path, name: str) -> None:
    digests = {whole(name, tmp_path / workers, *JOBS[name], "--workers", workers) for workers in ("1", "2")}
    hits = killed(name, tmp_path / "killed", (number % 3 > 0 for number in range(10)))
    assert digests == {resumed(name, tmp_path / "killed", 1)}
    assert hits > 1
