"""What a cluster needs without Ray: stamps, counted work, sizes of tasks, and the import of Ray by one file."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cardwin
from cardwin.core import cluster
from cardwin.core.cluster import Node, Nodes, stamp, stamp_difference, task_size
from cardwin.core.errors import InputError


def test_tasks_are_few_for_many_items_and_one_item_each_for_few() -> None:
    assert [task_size(items, 1) for items in (0, 1, 63, 64, 500, 100_000)] == [1, 1, 1, 2, 15, 16]
    assert task_size(500, 100) == 1  # every core has work


def test_nodes_of_other_versions_are_named_by_what_differs() -> None:
    here = stamp()
    assert set(here) == {"Cardwin", "Python", "NumPy", "Numba", "processor"}
    assert stamp_difference(here, dict(here)) == ""
    assert stamp_difference(here, {**here, "Numba": "0.1"}) == f"Numba 0.1 (this machine: {here['Numba']})"
    assert "Cardwin none" in stamp_difference(here, {"Cardwin": "none"})
    node = Node("a", "first", 4)
    node.compare({**here, "Python": "2.7"})
    assert (node.ready, node.version) == (False, here["Cardwin"])
    assert node.problem.startswith("Python 2.7 (")
    node.compare(here)
    assert node.ready


def test_nodes_that_left_keep_their_jobs() -> None:
    nodes = Nodes()
    nodes.update([Node("a", "first", 4, hands=1000), Node("b", "second", 2)])
    nodes.by_id["b"].jobs = 7
    nodes.busy = 2.0
    nodes.update([Node("a", "first", 4), Node("c", "third", 1)])
    assert nodes.cores == 5
    assert nodes.text() == "2 nodes, 5 cores, 500 hands/s"
    gone: dict[str, Any] = nodes.answer()["nodes"][-1]
    assert (gone["name"], gone["alive"], gone["jobs"]) == ("second", False, 7)
    nodes.update([Node("b", "second", 2)])
    assert nodes.by_id["b"].alive
    assert nodes.by_id["b"].jobs == 7


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
        assert cluster.validate_cluster(where) == where
    for wrong in ("", "6379", "host", "http://host:1", "host:port"):
        with pytest.raises(InputError, match=f"expected local, auto or an address .*, got '{wrong}'"):
            cluster.validate_cluster(wrong)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install 'cardwin\[cluster\]'"):
        cluster.open_cluster("local")
