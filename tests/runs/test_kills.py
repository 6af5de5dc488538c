"""Whatever a run is about: killed at random moments and resumed, with one worker or two, it ends with one digest."""

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cardwin.runs import checkpoint, reader

# Each takes some seconds: long enough to be killed in, as short as that allows.
JOBS = {
    "evolve": ("kuhn-coevolution", "--set", "generations=1500", "--set", "save_seconds=0.02"),
    "tournament": ("random", "call", "raise", "fold", "all-in", "--tables", "25000"),
    "train": ("v2:down=.04,up=.01", "--against", "standard*2", "--games", "40", "--rounds", "200"),
    "leaderboard": ("random", "call", "raise", "fold", "--hands", "60000"),
    "reproduce": ("morsomme", "--scale", "seconds"),
}


def start(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "cardwin", "--quiet", *words, "--json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def digest_of(process: subprocess.Popen[str]) -> str:
    said, wrong = process.communicate(timeout=600)
    assert process.returncode == 0, wrong
    return str(json.loads(said)["digest"])


def wait_for(what: Callable[[], object], process: subprocess.Popen[str], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not what() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)


def killed(name: str, folder: Path, kills: int) -> tuple[str, int]:
    """The digest of a run that is killed so often, and how often that hit it alive."""
    rng, hits = random.Random(name), 0
    process = start(name, *JOBS[name], "--seed", "3", "--out", str(folder))
    wait_for(lambda: (folder / "experiment.toml").is_file(), process)
    for kill in range(kills):
        before = checkpoint.all_in(folder / "checkpoints")
        if kill % 3:  # every third kill comes at any moment, also before anything is saved
            wait_for(lambda before=before: checkpoint.all_in(folder / "checkpoints") != before, process)  # type: ignore[misc]
        time.sleep(rng.random() * 0.3)
        hits += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
        process = start(name, "--resume", str(folder), "--workers", str(1 + kill % 2))
    return digest_of(process), hits


@pytest.mark.parametrize("name", JOBS)
def test_killed_twice_and_resumed_is_uninterrupted(tmp_path: Path, name: str) -> None:
    whole = digest_of(start(name, *JOBS[name], "--seed", "3", "--out", str(tmp_path / "whole")))
    digest, hits = killed(name, tmp_path / "killed", 2)
    assert digest == whole
    assert hits
    row, other = reader.listed(tmp_path)
    assert row["finished"]
    assert (row["kind"], row["generations"], row["digest"]) == (other["kind"], other["generations"], whole)
    ours, theirs = (reader.read(tmp_path / each).store.primaries for each in ("killed", "whole"))
    assert [each.tobytes() for each in ours] == [each.tobytes() for each in theirs]


def test_killed_while_newcomers_join_and_resumed_is_uninterrupted(tmp_path: Path) -> None:
    words, folder = ("--hands", "60000", "--seed", "3", "--out"), tmp_path / "killed"
    whole = digest_of(start("leaderboard", "random", "call", "raise", "fold", *words, str(tmp_path / "whole")))
    digest_of(start("leaderboard", "random", "call", *words, str(folder)))
    process = start("leaderboard", "--resume", str(folder), "--add", "raise", "--add", "fold")
    hits = 0
    for workers in ("1", "2"):
        before = checkpoint.all_in(folder / "checkpoints")
        wait_for(lambda before=before: checkpoint.all_in(folder / "checkpoints") != before, process)  # type: ignore[misc]
        hits += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
        process = start("leaderboard", "--resume", str(folder), "--workers", workers)
    assert digest_of(process) == whole
    assert hits


@pytest.mark.slow
@pytest.mark.parametrize("name", JOBS)
def test_killed_ten_times_with_one_worker_or_two(tmp_path: Path, name: str) -> None:
    words = (name, *JOBS[name], "--seed", "3")
    digests = {
        digest_of(start(*words, "--workers", workers, "--out", str(tmp_path / workers))) for workers in ("1", "2")
    }
    digest, hits = killed(name, tmp_path / "killed", 10)
    assert digests == {digest}
    assert hits > 1
