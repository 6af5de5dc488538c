"""The list of runs: read from an index that is always right, sorted and filtered by the server; tags; the queue."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from cardwin.core.errors import InputError
from cardwin.core.files import write_atomic
from cardwin.runs import reader, run_folder
from cardwin.web import processes, run_list, run_views
from cardwin.web.processes import Queue
from cardwin.web.run_list import Index
from web.many_runs import held, many_runs
from web.served import client_of

NEW = {"preset": "kuhn-coevolution", "values": {"generations": 3, "seed": 1}}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A queue of the test's own; compiled kernels stay where they are."""
    monkeypatch.setattr(processes, "cache_folder", lambda: tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("many") / "home"
    many_runs(home, 30, unfinished=3)
    return home


@pytest.fixture
def home(model: Path, tmp_path: Path) -> Path:
    """Thirty runs, three of which have no result; older than the clock's tick."""
    copied = tmp_path / "runs"
    for path in sorted(model.iterdir()):
        for one in path.rglob("*"):
            target = copied / one.relative_to(model)
            if one.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                os.link(one, target) if one.suffix in (".db", ".safetensors") else target.write_bytes(one.read_bytes())
    return copied


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the runs whose rows were read from their folders."""
    names: list[str] = []
    original = run_views.row

    def row(folder: Path) -> dict[str, Any]:
        names.append(folder.name)
        return original(folder)

    monkeypatch.setattr(run_views, "row", row)
    monkeypatch.setattr(run_list, "SETTLED", -1.0)  # everything is old enough
    return names


def test_only_changed_runs_are_read_again(home: Path, reads: list[str]) -> None:
    known = Index(home)
    assert len(known.rows()) == 30
    assert len(reads) == 30
    reads.clear()
    assert {row["title"] for row in known.rows()} == {f"Run {number:04d}" for number in range(30)}
    assert reads == []
    reader.rename(home / "run-0004", "Better")
    run_views.change_tags(home / "run-0005", ["good"])
    (home / "run-0006" / "result.json").unlink()
    (home / "run-0029" / "failure.txt").write_text("MemoryError: none left")
    reader.discard(home / "run-0007")
    rows = {row["name"]: row for row in known.rows()}
    assert sorted(reads) == ["run-0004", "run-0005", "run-0006", "run-0029"]
    assert rows["run-0004"]["title"] == "Better"
    assert rows["run-0005"]["tags"] == ["good"]
    assert (rows["run-0006"]["state"], rows["run-0029"]["state"]) == ("stopped", "failed")
    assert "run-0007" not in rows


def test_a_run_that_begins_or_ends_is_told_at_once(home: Path, reads: list[str]) -> None:
    known = Index(home)

    def states() -> dict[str, str]:
        return {row["name"]: row["state"] for row in known.rows()}

    assert states()["run-0028"] == "stopped"
    reads.clear()
    with held(home, ["run-0028", "run-0027"]):
        found = states()
        assert (found["run-0028"], found["run-0027"], found["run-0029"]) == ("running", "running", "stopped")
    assert states()["run-0028"] == "stopped"
    assert set(reads) == {"run-0027", "run-0028"}


def test_who_cannot_wait_gets_the_newest_run_first_and_the_others_later(home: Path, reads: list[str]) -> None:
    time.sleep(0.05)
    (home / "run-0017" / "note.txt").write_text("the last change")
    known = Index(home)
    rows = known.rows(budget=0.0)
    assert len(rows) == 30
    assert [row["state"] for row in rows].count("unread") == 29
    assert reads == ["run-0017"]
    for asked in range(2, 31):
        known.rows(budget=0.0)
        assert len(set(reads)) == asked
    states = [row["state"] for row in known.rows(budget=0.0)]
    assert (states.count("finished"), states.count("stopped")) == (27, 3)
    assert len(reads) == 30


def test_files_that_may_still_change_within_a_tick_are_read_again(home: Path, reads: list[str],
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setattr(run_list, "SETTLED", 1e9)
    known = Index(home)
    known.rows()
    known.rows()
    assert len(reads) == 60


def test_the_server_sorts_filters_and_sends_a_page(home: Path) -> None:
    client = client_of(home)

    def ask(query: str) -> Any:
        return client.get(f"/api/runs?{query}").json()

    everything = ask("")
    assert (len(everything["runs"]), everything["total"], everything["states"]) == (
        30, 30, {"finished": 27, "stopped": 3},
    )  # fmt: skip
    page = ask("sort=run&order=up&first=10&count=5")
    assert [row["name"] for row in page["runs"]] == [f"run-{number:04d}" for number in range(10, 15)]
    assert (page["matched"], page["total"]) == (30, 30)
    assert [row["name"] for row in ask("words=run 0012&count=5")["runs"]] == ["run-0012"]
    assert {row["name"] for row in ask("state=stopped")["runs"]} == {"run-0027", "run-0028", "run-0029"}
    client.post("/api/runs/run-0003/tags", json={"tags": ["Good ", "good", "second try"]})
    found = ask("tag=good")
    assert [row["tags"] for row in found["runs"]] == [["good", "second try"]]
    assert found["tags"] == {"good": 1, "second try": 1}
    assert client.get("/api/runs?sort=nothing").status_code == 400
    assert client.get("/api/runs?count=0").status_code == 422


@pytest.mark.parametrize("given", [[""], ["x" * 31], ["a,b"], [str(number) for number in range(13)]])
def test_tags_that_are_none_are_refused(home: Path, given: list[str]) -> None:
    refused = client_of(home).post("/api/runs/run-0001/tags", json={"tags": given})
    assert refused.status_code == 400
    assert "tag" in refused.json()["error"]
    assert not (home / "run-0001" / "tags.json").exists()


@pytest.mark.parametrize("text", ["{", "{}", "[1, null]", '["' + "x" * 200 + '"]', "[" * 5_000])
def test_tags_from_elsewhere_do_no_harm(home: Path, text: str, tmp_path: Path) -> None:
    file = home / "run-0001" / "tags.json"
    file.write_text(text)
    assert all(isinstance(tag, str) and len(tag) <= 30 for tag in run_views.tags_of(home / "run-0001"))
    file.unlink()
    (tmp_path / "secret").write_text('["secret"]')
    file.symlink_to(tmp_path / "secret")
    assert run_views.tags_of(home / "run-0001") == []
    with pytest.raises(InputError, match="link"):
        run_views.change_tags(home / "run-0001", ["mine"])
    assert (tmp_path / "secret").read_text() == '["secret"]'


# --- the queue -------------------------------------------------------------------------------------------------------


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs that were started, none of which becomes a process; each runs until its name is removed."""
    names: list[str] = []

    def continue_run(folder: Path, workers: int = 1) -> None:  # noqa: ARG001  as the real one
        if run_folder.answer_of(folder) is not None:
            raise InputError(f"{folder.name} is finished")
        names.append(folder.name)

    monkeypatch.setattr(processes, "continue_run", continue_run)
    monkeypatch.setattr(processes, "count_running", lambda _: len(names))
    return names


def test_a_run_waits_until_a_place_is_free_also_over_a_restart(tmp_path: Path, started: list[str]) -> None:
    client = client_of(tmp_path, at_once=1)
    answers = [client.post("/api/runs", json=NEW).json() for _ in range(4)]
    _, second, third, fourth = (one["name"] for one in answers)
    assert [one["started"] for one in answers] == [True, False, False, False]
    rows = {row["name"]: row for row in client.get("/api/runs").json()["runs"]}
    assert [rows[name]["state"] for name in (second, third, fourth)] == ["waiting"] * 3
    assert [rows[name]["position"] for name in (second, third, fourth)] == [1, 2, 3]
    assert client.get(f"/api/runs/{third}").json()["state"] == "waiting"
    refused = client.post(f"/api/runs/{second}/discard")
    assert "cancel" in refused.json()["error"]
    assert client.post(f"/api/runs/{second}/resume").status_code == 400  # it waits already
    assert client.post(f"/api/runs/{third}/cancel").status_code == 200
    assert client.post(f"/api/runs/{third}/cancel").status_code == 400
    assert client.get(f"/api/runs/{third}").json()["state"] == "stopped"
    path: Path = client.app.state.lists.queue.path  # type: ignore[attr-defined]
    again = Queue(tmp_path, 1)  # another server
    again.path = path
    assert again.positions == {second: 1, fourth: 2}
    assert again.advance() == []
    started.clear()  # the first one has ended
    assert again.advance() == [second]
    assert started == [second]
    started.clear()
    assert again.advance() == [fourth]
    assert again.positions == {}
    assert not path.exists()


def test_a_waiting_run_that_is_gone_is_passed_over(tmp_path: Path, started: list[str]) -> None:
    client = client_of(tmp_path, at_once=1)
    _, second, third = (client.post("/api/runs", json=NEW).json()["name"] for _ in range(3))
    (tmp_path / second).rename(tmp_path / ".away")
    started.clear()
    client.get("/api/runs")
    assert started == [third]


def test_a_full_disk_loses_no_waiting_run(tmp_path: Path, started: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    client = client_of(tmp_path, at_once=1)
    _, second = (client.post("/api/runs", json=NEW).json()["name"] for _ in range(2))
    queue: Queue = client.app.state.lists.queue  # type: ignore[attr-defined]
    started.clear()

    def full(folder: Path, workers: int = 1) -> None:  # noqa: ARG001
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(processes, "continue_run", full)
        told = client.get("/api/runs").json()
    assert "No space left" in told["queue"]["note"]
    assert queue.positions == {second: 1}
    assert queue.advance() == [second]


def test_a_damaged_queue_is_told_and_its_runs_can_be_resumed(tmp_path: Path, started: list[str]) -> None:
    client = client_of(tmp_path, at_once=1)
    _, second = (client.post("/api/runs", json=NEW).json()["name"] for _ in range(2))
    queue: Queue = client.app.state.lists.queue  # type: ignore[attr-defined]
    write_atomic(queue.path, b'[{"name": 1')
    told = client.get("/api/runs").json()
    assert "can be resumed" in told["queue"]["note"]
    assert {row["name"]: row["state"] for row in told["runs"]}[second] == "stopped"
    started.clear()
    assert client.post(f"/api/runs/{second}/resume").json()["started"]
    assert started == [second]


def test_a_folder_of_somebody_else_brings_no_queue(home: Path, started: list[str]) -> None:
    for name in ("queue.json", ".queue", ".waiting"):
        (home / name).write_text('[{"name": "run-0029", "workers": 1}]')
        (home / "run-0029" / name).write_text('[{"name": "run-0029", "workers": 1}]')
    client_of(home).get("/api/runs")
    time.sleep(0.1)
    assert started == []


def test_only_so_many_runs_wait(tmp_path: Path, started: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardwin.web.processes.MAX_WAITING", 2)
    client = client_of(tmp_path, at_once=1)
    answers = [client.post("/api/runs", json=NEW) for _ in range(4)]
    assert [one.status_code for one in answers] == [201, 201, 201, 400]
    assert len(started) == 1
