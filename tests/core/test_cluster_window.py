"""Jobs of a cluster without a cluster: sizes, window, order, late and lost jobs, with a clock that is only counted."""

import itertools
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import cardwin
from cardwin.core import cluster
from cardwin.core.cluster.nodes import Node, Nodes
from cardwin.core.cluster.stamp import difference, stamp
from cardwin.core.cluster.window import AHEAD, ANSWER, PATIENCE, TARGET, TRIES, Cost, Job, Reply, Window
from cardwin.core.errors import InputError


@dataclass
class Simulated:
    """Cores of given speeds, one job each at a time; `fails` says which submissions are lost."""

    speeds: list[float]
    seconds: Callable[[int], float] = lambda _: 1.0
    fails: Callable[[int], bool] = lambda _: False
    size: int = 100
    now: float = 0.0
    sent: list[Job[int]] = field(default_factory=list)
    most: int = 0
    pending: dict[int, tuple[Job[int], float, float]] = field(default_factory=dict)  # by handle: end, seconds
    free_at: list[float] = field(default_factory=list)

    def cores(self) -> int:
        return len(self.speeds)

    def room(self) -> int:
        return AHEAD * self.cores()

    def send(self, job: Job[int], again: bool) -> int:  # noqa: ARG002
        self.free_at = self.free_at or [0.0] * self.cores()
        core = self.free_at.index(min(self.free_at))  # whichever is free first
        took = sum(map(self.seconds, job.items)) * self.speeds[core]
        self.free_at[core] = max(self.now, self.free_at[core]) + took
        handle = len(self.sent)
        self.pending[handle] = job, self.free_at[core], took
        self.sent.append(job)
        self.most = max(self.most, len(self.pending))
        return handle

    def wait(self, handles: Sequence[int], seconds: float) -> Sequence[int]:
        ends = {handle: self.pending[handle][1] for handle in handles}
        first = min(ends, key=lambda handle: ends[handle], default=None)
        if first is None or ends[first] > self.now + seconds:
            self.now += seconds
            return []
        self.now = max(self.now, ends[first])
        return [first]

    def fetch(self, handle: int) -> Reply | None:
        job, _, took = self.pending.pop(handle)
        if self.fails(handle):
            return None
        return Reply([item * item for item in job.items], took, self.size * len(job.items), f"node {handle % 3}")

    def drop(self, handles: Sequence[int]) -> None:
        for handle in handles:
            self.pending.pop(handle, None)

    def run(self, items: int, cost: Cost | None = None) -> list[int]:
        return list(Window(self, range(items), cost or Cost(), lambda: self.now).results())


@pytest.mark.parametrize("cores", [1, 2, 7])
def test_every_result_comes_once_and_in_order(cores: int) -> None:
    seconds = itertools.cycle([0.1, 2.0, 0.01]).__next__
    nodes = Simulated([1.0] * cores, lambda _: seconds())
    assert nodes.run(100) == [number**2 for number in range(100)]
    assert nodes.most <= AHEAD * cores
    assert {item for job in nodes.sent for item in job.items} == set(range(100))


def test_jobs_are_sized_by_the_measured_cost_of_the_last_map() -> None:
    nodes, cost = Simulated([1.0] * 2, lambda _: 0.1), Cost()
    nodes.run(400, cost)
    assert len(nodes.sent[0].items) == 1  # nothing is known yet
    nodes.sent.clear()
    nodes.run(400, cost)
    assert len(nodes.sent[0].items) == round(TARGET / 0.1)
    assert len(nodes.sent[-1].items) < 10  # so that both cores end together
    assert Cost(0.2, ANSWER / 6).items(1000, 2) == 6  # so that the answer returns with the reply
    assert Cost(0.05, ANSWER / 2).items(1000, 2) == 10  # but no shorter than half a second


def test_a_late_job_is_sent_once_more_and_the_first_answer_counts() -> None:
    nodes = Simulated([1.0, 1.0, 50.0], lambda _: 1.0)
    assert nodes.run(30, Cost(1.0, 100)) == [number**2 for number in range(30)]
    assert nodes.now < 60  # the slow node's jobs take 50 s and more each
    often = [sum(job is other for other in nodes.sent) for job in nodes.sent]
    assert max(often) == 2
    assert not Window(nodes, [], Cost()).pending


def test_lost_jobs_are_sent_again_and_a_job_that_always_fails_is_named() -> None:
    nodes = Simulated([1.0] * 3, fails=lambda handle: handle % 5 == 0)
    assert nodes.run(50) == [number**2 for number in range(50)]
    with pytest.raises(InputError, match=f"lost {TRIES} times"):
        Simulated([1.0], fails=lambda _: True).run(3)


def test_an_empty_cluster_ends_in_a_sentence_after_a_while() -> None:
    nodes = Simulated([])
    with pytest.raises(InputError, match="no node"):
        nodes.run(3)
    assert nodes.now >= PATIENCE


def test_pending_jobs_are_dropped_when_the_caller_stops() -> None:
    nodes = Simulated([1.0] * 2)
    results = Window(nodes, range(100), Cost(), lambda: nodes.now).results()
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    assert not nodes.pending


def test_nodes_of_other_versions_are_named_by_what_differs() -> None:
    here = stamp()
    assert set(here) == {"Cardwin", "Python", "NumPy", "Numba", "processor"}
    assert difference(here, dict(here)) == ""
    assert difference(here, {**here, "Numba": "0.1"}) == f"Numba 0.1 where this machine has {here['Numba']}"
    assert "Cardwin none" in difference(here, {"Cardwin": "none"})


def test_nodes_that_left_keep_their_jobs() -> None:
    nodes = Nodes()
    nodes.see([Node("a", "first", 4, hands=1000), Node("b", "second", 2)])
    nodes.by_id["b"].jobs = 7
    nodes.begin()
    nodes.see([Node("a", "first", 4), Node("c", "third", 1)])
    assert nodes.cores == 5
    assert "2 nodes, 5 cores, " in nodes.text()
    gone: dict[str, Any] = nodes.answer()["nodes"][-1]
    assert (gone["name"], gone["alive"], gone["jobs"]) == ("second", False, 7)


def test_one_file_imports_ray_and_only_a_cluster_imports_that() -> None:
    package = Path(cardwin.__file__).parent
    users = [path.name for path in package.rglob("*.py") if "import ray" in path.read_text(encoding="utf-8")]
    assert users == ["ray_cluster.py"]
    words = ["-X", "importtime", "-m", "cardwin", "tournament", "--help"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "ray" not in loaded
    assert "cardwin" in loaded


def test_places_are_checked_and_a_missing_ray_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for where in ("local", "auto", "10.0.0.1:6379", "head.example.org:6379", "[::1]:6379"):
        assert cluster.checked_cluster(where) == where
    for wrong in ("", "6379", "host", "http://host:1", "host:port"):
        with pytest.raises(InputError, match="local, auto or an address"):
            cluster.checked_cluster(wrong)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install 'cardwin\[cluster\]'"):
        cluster.open_cluster("local")
