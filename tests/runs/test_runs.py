"""A run is a folder: the same seed gives the same digest, whoever works on it and however often it is interrupted."""

import errno
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardwin.core.errors import InputError
from cardwin.core.executor import Serial
from cardwin.core.experiment import Experiment
from cardwin.core.files import write_atomic
from cardwin.core.trainer import Generation, PrimaryMetric
from cardwin.games import game
from cardwin.players.small_games.policies import load as load_policy
from cardwin.reports import report
from cardwin.runs import checkpoint, experiment, reader, run, run_folder, store
from cardwin.runs.kinds import kind_of
from cardwin.runs.launch import Interrupts, Launch, evolve, ignore_progress, resume
from cardwin.runs.problems.small_game import seats
from cardwin.runs.reader import ancestry
from cardwin.runs.store import Reader
from cardwin.runs.trainers.evolution import Evolution
from cardwin.solvers import plans
from cardwin.solvers.equilibria import exploitability
from cardwin.solvers.tree import tree_of

SMALL = ["generations=40", "population.size=30", "save_seconds=0"]


@pytest.fixture(autouse=True)
def no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures take longer than these runs; test_report draws them."""
    monkeypatch.setattr(report, "write", lambda folder: folder)


def small(
    folder: Path, *changes: str, seed: int = 1, workers: int = 1, preset: str = "kuhn-coevolution"
) -> dict[str, Any]:
    return evolve(preset, [*SMALL, *changes], seed, Launch(folder, workers=workers))


def test_same_seed_same_digest_and_another_seed_another(tmp_path: Path) -> None:
    digests = [small(tmp_path / str(n), seed=seed)["digest"] for n, seed in enumerate((1, 1, 2))]
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize(
    "changes",
    [
        (),
        ("fitness.play=sampled", "first.against=['population']", "second.against=['population','rational']"),
        ("search.crossover=selective", "search.selection=blend", "hall.capacity=5", "hall.replaces=random"),
    ],
)
def test_one_and_two_workers_give_the_same_digest(tmp_path: Path, changes: tuple[str, ...]) -> None:
    size = 300 if changes and "sampled" in changes[0] else 5000
    both = [
        small(tmp_path / str(workers), "generations=3", f"population.size={size}", *changes, workers=workers)
        for workers in (1, 2)
    ]
    assert both[0]["digest"] == both[1]["digest"]


def opened(folder: Path, chosen: Experiment) -> run.Run:
    return run.Run(folder, chosen, lambda: kind_of(chosen.kind).trainer(chosen, Serial(), folder))


def stopped_and_resumed(folder: Path, preset: str, at: int, *changes: str) -> str:
    name, chosen = experiment.load(preset, [*SMALL, *changes], 1)
    run_folder.prepare(name, chosen, folder)
    with opened(folder, chosen) as one:
        assert not one.go(ignore_progress, lambda: one.generation == at)
    return str(resume(folder)["digest"])


@pytest.mark.parametrize(
    ("preset", "change"),
    [
        ("kuhn-coevolution", "hall.every=3"),
        ("kuhn-coevolution", "hall.capacity=7"),
        ("kuhn-coevolution", "hall={capacity=5, replaces='futility'}"),
        ("kuhn-coevolution", "record_every=7"),
        ("kuhn-coevolution", "search.crossover=selective"),
        ("kuhn-cma-es", "population.size=12"),
        ("morsomme", "population.size=30"),
        ("lopez-sampled", "population={size=30,start='random'}"),
        ("lopez-kuhn-depth-rational-2", "population.start=random"),
    ],
)
def test_stopped_and_resumed_is_uninterrupted(tmp_path: Path, preset: str, change: str) -> None:
    whole = small(tmp_path / "whole", change, preset=preset)["digest"]
    for at in (0, 1, 20, 39):
        assert stopped_and_resumed(tmp_path / str(at), preset, at, change) == whole


def test_every_generation_draws_from_a_key_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    step, keys = Evolution.step, []

    def noted(trainer: Evolution, key: int) -> Generation:
        keys.append(key)
        return step(trainer, key)

    monkeypatch.setattr(Evolution, "step", noted)
    small(tmp_path / "run", "generations=5")
    small(tmp_path / "other", "generations=5", seed=2)
    assert len(set(keys)) == len(keys) == 10


COMMAND = [sys.executable, "-m", "cardwin", "--quiet", "evolve"]


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(what: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.005)


def test_one_interrupt_ends_the_generation_and_saves(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start("kuhn-coevolution", "--set", "generations=1000000", "--seed", "3", "--out", str(folder))
    wait_for(lambda: checkpoint.all_in(folder / "checkpoints"))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    saved = checkpoint.newest(folder / "checkpoints")
    assert saved is not None
    assert reader.read(folder).generations == int(saved.notes["generation"])


def test_an_interrupt_says_what_it_does() -> None:
    said: list[str] = []
    with Interrupts(said.append) as interrupts:
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupts.asked
    assert len(said) == 1
    assert "saved" in said[0]


def test_a_second_interrupt_stops_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = small(tmp_path / "whole")["digest"]
    step = run.Run.step

    def interrupted(one: run.Run) -> Generation:
        found = step(one)
        if one.generation == 25:
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(run.Run, "step", interrupted)
        with pytest.raises(KeyboardInterrupt):
            small(tmp_path / "run")
    assert reader.read(tmp_path / "run").generations < 25
    assert resume(tmp_path / "run")["digest"] == whole


def test_a_finished_run_prints_its_answer_again(tmp_path: Path) -> None:
    answer = small(tmp_path / "run")
    assert resume(tmp_path / "run") == answer
    (tmp_path / "run" / "result.json").unlink()
    assert resume(tmp_path / "run")["digest"] == answer["digest"]


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("mine")
    with pytest.raises(InputError, match=str(tmp_path)):
        small(tmp_path)
    assert (tmp_path / "thesis.doc").read_text() == "mine"


def unfinished(folder: Path) -> Path:
    name, chosen = experiment.load("kuhn-coevolution", SMALL, 1)
    run_folder.prepare(name, chosen, folder)
    with opened(folder, chosen) as one:
        one.go(ignore_progress, lambda: one.generation == 20)
    return folder


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def edited(content: bytes) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1])


def emptied(_: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [cut, edited, emptied])
def test_a_damaged_checkpoint_is_refused_and_the_one_before_offered(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    whole = small(tmp_path / "whole")["digest"]
    folder = unfinished(tmp_path / "run")
    earlier, last = checkpoint.all_in(folder / "checkpoints")
    last.write_bytes(damage(last.read_bytes()))
    with pytest.raises(InputError, match=f"{last.name}.*{earlier.name}"):
        resume(folder)
    last.unlink()
    assert resume(folder)["digest"] == whole


def test_resumed_from_an_older_checkpoint_every_generation_is_recorded_once(tmp_path: Path) -> None:
    folder = unfinished(tmp_path / "run")
    last = checkpoint.all_in(folder / "checkpoints")[-1]
    last.unlink()  # run.db has generations that no checkpoint covers
    resume(folder)
    for series in reader.read(folder).populations.values():
        assert series.generation.tolist() == list(range(40))


def test_a_full_disk_leaves_the_last_checkpoint_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = small(tmp_path / "whole")["digest"]
    folder = unfinished(tmp_path / "run")
    kept = checkpoint.all_in(folder / "checkpoints")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(InputError, match=r"No space left on device.*--resume"):
            resume(folder)
    assert checkpoint.all_in(folder / "checkpoints") == kept
    assert not list(folder.glob("checkpoints/*.part"))
    assert resume(folder)["digest"] == whole


def test_a_database_that_lost_rows_is_noticed(tmp_path: Path) -> None:
    folder = unfinished(tmp_path / "run")
    with sqlite3.connect(folder / "run.db") as db:
        db.execute("DELETE FROM headlines WHERE generation = 4")
    db.close()
    with pytest.raises(InputError, match=r"run\.db.*\b19\b"):
        resume(folder)


def test_a_database_that_is_none_is_named(tmp_path: Path) -> None:
    folder = unfinished(tmp_path / "run")
    for path in folder.glob("run.db*"):
        path.write_bytes(b"this is no database, " * 500)
    with pytest.raises(InputError, match=r"run\.db"):
        resume(folder)


def test_two_processes_do_not_share_a_run(tmp_path: Path) -> None:
    folder = unfinished(tmp_path / "run")
    with run_folder.lock(folder), pytest.raises(InputError, match="another process"):
        resume(folder)


def test_what_is_recorded_is_what_happened(tmp_path: Path) -> None:
    answer = small(tmp_path / "run", "record_members=true")
    data = reader.read(tmp_path / "run")
    assert data.state == "finished"
    assert list(data.populations) == ["first", "second"]
    tree = tree_of(game("kuhn"))
    for seat, series in seats(data).items():
        assert series.generation.tolist() == list(range(40))
        fitness, genomes = series.arrays["fitness"][-1], series.arrays["genomes"][-1]
        place = int(series.metrics["place"][-1])
        assert series.metrics["best"][-1] == fitness.max()
        assert np.isclose(series.metrics["mean"][-1], fitness.mean())
        assert np.allclose(series.arrays["gene_mean"][-1], genomes.mean(axis=0))
        assert np.allclose(series.arrays["gene_spread"][-1], genomes.std(axis=0))
        champion = genomes[place]
        assert (series.arrays["champion"][-1] == champion).all()
        seqs = tree.sequences[seat]
        plan = plans.plans(seqs, plans.behaviours(seqs, champion[None]))[0]
        fair = -1 / 18 if seat == 0 else 1 / 18
        gap = fair + plans.best_response_value(tree, 1 - seat, plan)
        assert np.isclose(series.metrics["best_exploitability"][-1], gap)
        assert (series.arrays["parents"][-1][place] == series.arrays["champion_parents"][-1]).all()
    both = [series.metrics["hall_exploitability"][-1] for series in data.populations.values()]
    assert np.isclose(np.mean(both), answer["exploitability"])
    assert data.store.primary == PrimaryMetric("exploitability", answer["exploitability"])


def test_the_handed_over_policy_is_as_exploitable_as_the_answer_says(tmp_path: Path) -> None:
    answer = small(tmp_path / "run", "generations=300")
    policy = load_policy(Path(answer["champions"][0]))
    assert np.isclose(exploitability(policy).exploitability, answer["exploitability"])
    one = small(tmp_path / "one", "population.start=random", preset="lopez-kuhn-rational-2")
    champion = load_policy(Path(one["champions"][0]))
    assert champion.seats == (1,)
    assert np.isclose(exploitability(champion, 1).exploitability, one["exploitability"])


def test_given_strategies_take_the_first_places(tmp_path: Path) -> None:
    small(tmp_path / "run", "population.seeded=['rational', 'genes:0,0,1,0,1/4,1']", "record_members=true")
    (genomes,) = Reader(tmp_path / "run" / "run.db").arrays("second", "genomes", 0)
    assert genomes[:2].tolist() == [[0, 0.5, 1, 0, 0.5, 1], [0, 0, 1, 0, 0.25, 1]]


def test_ancestors_can_be_followed(tmp_path: Path) -> None:
    small(tmp_path / "run")
    series = reader.read(tmp_path / "run").populations["first"]
    line = ancestry(series, depth=10, from_birth=False)
    assert len(line.places) == 11
    assert line.places[0] == [series.metrics["place"][-1]]
    assert all(line.places)


def test_a_store_is_made_whole_or_not_at_all(tmp_path: Path) -> None:
    """Killed at any statement while the tables are made, the next process makes them."""
    for moment in range(1, store.TABLES.count(";")):
        path = tmp_path / f"{moment}.db"
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(";".join(store.TABLES.split(";")[:moment]) + ";")
        store.Store(path).close()
        assert Reader(path).generations == 0


def test_an_edited_experiment_is_refused_by_its_key(tmp_path: Path) -> None:
    whole = small(tmp_path / "whole")["digest"]
    file = unfinished(tmp_path / "run") / "experiment.toml"
    text = file.read_text()
    file.write_text(re.sub(r"mutation_rate = .*", "mutation_rate = 0.6", text))
    with pytest.raises(InputError, match=r"search\.mutation_rate.* 0\.\d+ .*0\.6"):
        resume(tmp_path / "run")
    file.write_text(text.replace("generations = 40", "generations = 50"))
    with pytest.raises(InputError, match=r"generations.* 40 .*50"):
        resume(tmp_path / "run")
    file.write_text(text.replace("save_seconds = 0.0", "save_seconds = 5.0"))
    assert resume(tmp_path / "run")["digest"] == whole


def test_a_finished_run_keeps_no_log_beside_its_database(tmp_path: Path) -> None:
    small(tmp_path / "run")
    reader.read(tmp_path / "run")
    reader.summary(tmp_path / "run")
    assert [path.name for path in tmp_path.glob("run/run.db*")] == ["run.db"]


def test_a_run_of_an_older_version_is_refused_in_a_sentence(tmp_path: Path) -> None:
    folder = unfinished(tmp_path / "run")
    for path in folder.glob("run.db*"):
        path.unlink()
    with closing(sqlite3.connect(folder / "run.db")) as db:
        db.execute("CREATE TABLE generations (generation INTEGER)")
    with pytest.raises(InputError, match="older version"):
        resume(folder)


def test_one_bad_folder_does_not_end_the_list(tmp_path: Path) -> None:
    small(tmp_path / "good")
    for name, text in (("torn", "generations = ["), ("strange", 'kind = "knitting"'), ("typo", "generatons = 3")):
        for part in ("checkpoints", "champions"):
            (tmp_path / name / part).mkdir(parents=True)
        (tmp_path / name / "experiment.toml").write_text(text)
    unfinished(tmp_path / "unwell")
    for path in (tmp_path / "unwell").glob("run.db*"):
        path.write_bytes(b"this is no database, " * 500)
    rows = {Path(row["run"]).name: row for row in reader.listed(tmp_path)}
    assert rows["good"]["finished"]
    clues = {"torn": "not valid TOML", "strange": "unknown kind", "typo": "generatons", "unwell": "run.db"}
    for name, clue in clues.items():
        assert clue in rows[name]["wrong"]


def test_a_folder_is_synced_only_where_it_can_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, which opens no folders."""
    really = os.open

    def refuses_folders(path: str, flags: int, *rest: int) -> int:
        if Path(path).is_dir():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return really(path, flags, *rest)

    monkeypatch.setattr(os, "open", refuses_folders)
    monkeypatch.delattr(os, "O_DIRECTORY")
    write_atomic(tmp_path / "file", b"all of it")
    assert (tmp_path / "file").read_bytes() == b"all of it"


def test_a_run_is_locked_without_fcntl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: its own module locks a byte, which a second handle cannot have."""
    taken: set[tuple[int, int]] = set()

    def locking(handle: int, mode: int, size: int) -> None:
        assert (mode, size) == (2, 1)
        about = os.fstat(handle)
        if (about.st_dev, about.st_ino) in taken:
            raise PermissionError(errno.EACCES, "locked")
        taken.add((about.st_dev, about.st_ino))

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    with run_folder.lock(tmp_path), pytest.raises(InputError, match="another process"):
        run_folder.lock(tmp_path)


def test_runs_are_listed_compared_and_removed(tmp_path: Path) -> None:
    for seed in (1, 2):
        small(tmp_path / str(seed), seed=seed)
    assert reader.all_under(tmp_path) == [tmp_path / "1", tmp_path / "2"]
    assert reader.differences([tmp_path / "1", tmp_path / "2"]) == {"seed": [1, 2]}
    assert reader.summary(tmp_path / "1")["finished"]
    reader.remove(tmp_path / "1")
    assert reader.all_under(tmp_path) == [tmp_path / "2"]
    with pytest.raises(InputError, match="run folder"):
        reader.remove(tmp_path)
    assert tmp_path.is_dir()
