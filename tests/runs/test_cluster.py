"""The same run on real nodes: Ray on this machine, one core a node, with nodes that are killed while jobs run."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster_study as study
from cardwin.arena.match import MatchOptions, match
from cardwin.arena.tournament import tournament
from cardwin.core.cluster import open_cluster
from cardwin.core.errors import InputError
from cardwin.games.holdem import holdem_game
from cardwin.runs import launch
from cardwin.runs.run import Progress
from cardwin.web.run_views import row
from ray_nodes import Machines, environment, machines
from support import answer, call, refusal

CHANGES = ["generations=5", "population.size=60", "tournaments=120", "save_seconds=0"]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Machines]:
    with machines() as found:
        yield found


@pytest.fixture(autouse=True)
def settings() -> Iterator[None]:
    with environment():
        yield


def jobs_of(found: dict[str, Any]) -> list[int]:
    return [node["jobs"] for node in found["cluster"]["nodes"]]


def evolved(folder: Path, workers: int = 1, **how: Any) -> dict[str, Any]:
    return launch.evolve("neuro-hof", CHANGES, 1, launch.Launch(folder, workers, report=False, **how))


@pytest.mark.slow
def test_one_digest_on_threads_and_on_nodes_of_which_one_is_killed(nodes: Machines, tmp_path: Path) -> None:
    one, two = evolved(tmp_path / "one"), evolved(tmp_path / "two", 2)
    doomed, lines = nodes.add(), list[str]()

    def watch(progress: Progress) -> None:
        lines.append(progress.where)
        if progress.generation == 2:  # the next generation has just begun when this happens
            threading.Timer(0.3, nodes.kill, [doomed]).start()

    found = evolved(tmp_path / "nodes", watch=watch, cluster=nodes.address)
    assert one["digest"] == two["digest"] == found["digest"]
    assert len(jobs_of(found)) == 2
    assert min(jobs_of(found)) > 0
    assert "2 nodes, 2 cores" in lines[0]
    assert "hands/s" in lines[0]
    assert row(tmp_path / "nodes")["cluster"]["nodes"]  # what the page shows
    champions = [Path(run["champions"][0]).read_bytes() for run in (one, found)]
    assert champions[0] == champions[1]


@pytest.mark.slow
def test_a_node_that_joins_takes_part_in_a_tournament(nodes: Machines, tmp_path: Path) -> None:
    words = "tournament", "random*1000", "--tables", "20", "--seed", "3", "--no-report"
    nodes.add()
    threads = answer(*words, "--out", str(tmp_path / "threads"))
    found = answer(*words, "--out", str(tmp_path / "nodes"), "--cluster", nodes.address)
    assert threads["digest"] == found["digest"]
    alive = [node for node in found["cluster"]["nodes"] if node["alive"]]
    assert len(alive) == 2
    assert all(node["jobs"] for node in alive)


@pytest.mark.slow
def test_matches_of_compiled_and_python_players(nodes: Machines) -> None:
    both = ["match", "call", "random", "raise", "--hands", "600"], ["match", "loki", "call", "--hands", "600"]
    for command in (*both, ["cash-game", "call", "random", "raise", "--games", "4", "--rounds", "20"]):
        words = *command, "--seed", "3"
        assert answer(*words)["digest"] == answer(*words, "--cluster", nodes.address)["digest"]


def test_jobs_errors_matches_tournaments_and_status(nodes: Machines) -> None:
    game = holdem_game("holdem-nl", {})
    with open_cluster(nodes.address) as cluster:
        assert list(cluster.map(str, range(5))) == ["0", "1", "2", "3", "4"]
        assert list(cluster.map(str, [])) == []
        with pytest.raises(ValueError, match="invalid literal"):
            list(cluster.map(int, ["1", "no number"]))
        with pytest.raises(InputError, match=r"a job failed on node .*: No space left on device"):
            list(cluster.map(Path("/dev/full").write_text, ["some text"]))
        for workers in (cluster, 2):
            played = match(game, ["call", "random"], 10_000, 3, workers, options=MatchOptions(duplicate=True))
            assert (
                played.digest == match(game, ["call", "random"], 10_000, 3, options=MatchOptions(duplicate=True)).digest
            )
            rounds = tournament(game, ["random*60"], 150, 3, workers)
            assert rounds.digest == tournament(game, ["random*60"], 150, 3).digest
        found = cluster.answer()["nodes"]
    assert all(node["cores"] == 1 and node["ready"] and node["version"] for node in found if node["alive"])


@pytest.mark.slow
def test_another_processor_is_refused_by_name_before_the_first_job(nodes: Machines, tmp_path: Path) -> None:
    other = nodes.add({"NUMBA_CPU_NAME": "generic"})
    words = "tournament", "random*12", "--tables", "4", "--out", str(tmp_path / "run"), "--cluster", nodes.address
    assert "processor generic" in refusal(*words)
    state = call("cluster", "status", nodes.address).stdout
    assert "not ready: processor generic" in state
    nodes.kill(other)


def test_wrong_input_is_refused_in_one_sentence(
    nodes: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "tournament", "random*12", "--tables", "4", "--out"
    assert "local, auto or an address" in refusal(*words, str(tmp_path / "1"), "--cluster", "here")
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def act(self, view, rng):\n        return view.legal_actions[0]\n"
    )
    mine = "match", "python:mine:Mine", "call", "--hands", "10", "--cluster", "local"
    assert "untrusted players" in refusal(*mine, cwd=tmp_path)
    assert "untrusted players" in refusal(*mine, "--out", str(tmp_path / "2"), cwd=tmp_path)
    assert "cannot run on a cluster" in refusal("train", "v2", "--against", "standard*2", "--cluster", "local")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "f" * 48)
    assert "another token" in refusal("cluster", "status", nodes.address)
    from cardwin.core import ray_cluster

    monkeypatch.setattr(ray_cluster, "CONNECT", 4.0)
    start = time.monotonic()
    with pytest.raises(InputError, match="did not answer"):
        ray_cluster.check_connection("127.0.0.1:9")
    assert time.monotonic() - start < 10


@pytest.mark.slow
def test_a_driver_that_is_killed_goes_on_with_another_cluster(nodes: Machines, tmp_path: Path) -> None:
    one, folder = evolved(tmp_path / "one"), tmp_path / "killed"
    changes = [word for change in CHANGES for word in ("--set", change)]
    words = [
        "evolve",
        "neuro-hof",
        *changes,
        "--seed",
        "1",
        "--no-report",
        "--out",
        str(folder),
        "--cluster",
        nodes.address,
    ]
    driver = subprocess.Popen([sys.executable, "-m", "cardwin", *words], stderr=subprocess.DEVNULL)
    while not any((folder / "checkpoints").glob("*")) and driver.poll() is None:
        time.sleep(0.05)
    os.kill(driver.pid, signal.SIGKILL)
    driver.wait()
    found = answer("evolve", "--resume", str(folder), "--no-report", "--cluster", "none")
    assert json.loads((folder / "result.json").read_text())["digest"] == found["digest"] == one["digest"]


def test_results_keep_their_order_and_few_tasks_are_pending(nodes: Machines, tmp_path: Path) -> None:
    def uneven(item: int) -> int:  # later items are faster
        time.sleep(0.4 / (1 + item))
        return item

    def counted(item: int) -> int:
        (tmp_path / str(item)).touch()
        time.sleep(0.05)
        return item

    def writing(array: Any, item: int) -> float:
        array[0] += item  # kernels are compiled for arrays that can be written to
        return float(array.sum())

    with open_cluster(nodes.address) as cluster:
        assert list(cluster.map(uneven, range(20))) == list(range(20))
        results = cluster.map(counted, range(60))
        assert [next(results), next(results)] == [0, 1]
        results.close()  # type: ignore[attr-defined]
        time.sleep(1.0)
        assert len(list(tmp_path.glob("*"))) < 20
        assert list(cluster.map(partial(writing, np.zeros(100_000)), [2])) == [2]


def deadly(folder: Path, times: int) -> Callable[[int], int]:
    """A job whose third item kills its worker process a number of times."""

    def job(item: int) -> int:
        tries = len(list(folder.glob("*")))
        if item == 3 and tries < times:
            (folder / str(tries)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    return job


def test_a_killed_worker_changes_no_result(nodes: Machines, tmp_path: Path) -> None:
    with open_cluster(nodes.address) as cluster:
        assert list(cluster.map(deadly(tmp_path, 1), range(6))) == list(range(6))
    assert len(list(tmp_path.glob("*"))) == 1


@pytest.mark.slow
def test_a_job_that_always_kills_its_worker_is_refused(nodes: Machines, tmp_path: Path) -> None:
    with open_cluster(nodes.address) as cluster, pytest.raises(InputError, match="lost 4 times with its worker"):
        list(cluster.map(deadly(tmp_path, 99), range(6)))
    assert len(list(tmp_path.glob("*"))) == 4


@pytest.mark.slow
def test_a_slow_node_delays_results_and_changes_none(nodes: Machines) -> None:
    slow = nodes.add({"CARDWIN_TEST_SLOW": "10"})
    with open_cluster(nodes.address) as cluster:
        for _ in range(2):
            assert list(cluster.map(partial(study.rest, 0.1), range(60))) == list(range(60))
        jobs = sorted(node.jobs for node in cluster.nodes.alive)
    assert 0 < jobs[0] < jobs[-1] / 3
    nodes.kill(slow)


@pytest.mark.slow
def test_nodes_that_join_during_a_job_take_part_or_are_refused(nodes: Machines) -> None:
    with open_cluster(nodes.address) as cluster:
        results = cluster.map(partial(study.rest, 0.2), range(150))
        assert next(results) == 0
        late = nodes.add()
        assert list(results) == list(range(1, 150))
        assert [node.jobs > 0 and node.ready for node in cluster.nodes.alive if node.id == late.node_id] == [True]
        results = cluster.map(partial(study.rest, 0.2), range(300))
        assert next(results) == 0
        other = nodes.add({"NUMBA_CPU_NAME": "generic"})
        with pytest.raises(InputError, match=r"has processor generic .* its results would differ in their last bits"):
            list(results)
    nodes.kill(late)
    nodes.kill(other)


@pytest.mark.slow
def test_a_cluster_without_nodes_or_without_its_head_ends_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with machines(cores=0) as nodes:
        worker = nodes.add()
        monkeypatch.setattr("cardwin.core.ray_cluster.PATIENCE", 3.0)
        with open_cluster(nodes.address) as cluster:
            results = cluster.map(partial(study.rest, 0.1), range(10_000))
            assert next(results) == 0
            nodes.kill(worker)
            with pytest.raises(InputError, match="the cluster has had no live node for 3 s"):
                list(results)
        nodes.add()
        run = str(tmp_path / "run")
        words = ["tournament", "random*1000", "--tables", "9000", "--seed", "1", "--out", run, "--quiet"]
        driver = subprocess.Popen(
            [sys.executable, "-m", "cardwin", *words, "--cluster", nodes.address], stderr=subprocess.PIPE, text=True
        )
        while not (tmp_path / "run" / "cluster.json").is_file() and driver.poll() is None:
            time.sleep(0.05)
        nodes.kill_head()
        message = driver.communicate(timeout=100)[1]
    assert driver.returncode == 2
    assert "the head of the cluster did not answer for 8 s: continue with --resume" in message
    assert message.count("\n") == 1


def test_a_call_of_ray_that_does_not_return_without_a_head_is_ended() -> None:
    code = (
        "import time, types, ray; from cardwin.core import ray_cluster as c; c.HEAD = c.LEAVE = 0.5; "
        "ray.get_runtime_context = lambda: types.SimpleNamespace(gcs_address='127.0.0.1:1'); "
        "watch = c.HeadWatch(); time.sleep(60)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "continue with --resume" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_full_disk_ends_in_a_sentence() -> None:
    with (
        environment(RAY_local_fs_capacity_threshold="0.01"),
        machines() as nodes,
        open_cluster(nodes.address) as cluster,
    ):
        large = np.zeros(25_000_000)  # more than the object store holds, so that the disk is needed
        with pytest.raises(InputError, match="the disk of a node is full"):
            list(cluster.map(partial(np.add, large), [1]))


@pytest.mark.slow
def test_every_result_once_and_in_order_while_nodes_are_killed_for_five_minutes() -> None:
    found = study.kills(jobs=2000, seconds=0.2, every=20.0, least=300.0)
    assert found["in_order"]
    assert found["kills"] >= 14
