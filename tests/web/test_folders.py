"""Folders that come from somebody else or cannot be written, and too much at once: a sentence each, and no harm."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import uvicorn

from cardwin.runs import run_folder
from cardwin.web import server
from cardwin.web.server import TimedProtocol
from support import answer
from web.served import Person, client_of

NEW = {"preset": "kuhn-coevolution", "values": {"generations": 3, "seed": 1}}


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """A run that nothing runs."""
    answer("evolve", "kuhn-coevolution", "--set", "generations=2", "--seed", "1", "--no-report", "--out",
           str(tmp_path / "mine"))  # fmt: skip
    (tmp_path / "mine" / "result.json").unlink()
    return tmp_path / "mine"


@pytest.mark.parametrize("future", [0, 10_000_000])
@pytest.mark.parametrize("number", ["{sleeper}", "-{sleeper}", "0", "-1", "1", "x"])
def test_stop_signals_no_process_but_the_runs_own(stopped: Path, number: str, future: int) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True) as sleeper:
        file = stopped / run_folder.STARTING
        file.write_text(number.format(sleeper=sleeper.pid))
        os.utime(file, (time.time() + future, time.time() + future))
        refused = client_of(stopped.parent).post("/api/runs/mine/stop")
        assert refused.status_code == 400
        assert "not running" in refused.json()["error"]
        assert sleeper.poll() is None
        sleeper.kill()


def test_a_report_that_is_a_link_is_not_sent(stopped: Path) -> None:
    (stopped / "report.html").symlink_to("/etc/passwd")
    assert client_of(stopped.parent).get("/api/runs/mine/report").status_code == 404


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = client_of(tmp_path / "file").post("/api/runs", json=NEW)
    assert told.status_code == 507
    assert "Not a directory" in told.json()["error"]


def test_a_table_goes_on_where_it_cannot_be_stored_and_is_stored_later(tmp_path: Path) -> None:
    blocked = tmp_path / ".tables"
    blocked.write_text("")
    client = client_of(tmp_path)
    person = Person(client, "kuhn", ["person", "equilibrium"])
    with person.sits() as sat:
        for hand in range(1, 4):
            sat.say(do="deal")
            while not sat.seen["over"]:
                sat.act(sat.moves()[0])
            assert sat.seen["hand"] == hand
            assert ("could not be stored" in sat.seen["notice"]) == (hand < 3)
            if hand == 2:
                blocked.unlink()
    kept = (blocked / f"{person.opened['id']}.jsonl").read_text().splitlines()
    assert len(kept) == 1 + 3


def test_a_run_with_too_many_workers_is_refused(tmp_path: Path) -> None:
    assert client_of(tmp_path).post("/api/runs", json={**NEW, "workers": 1_000}).status_code == 422
    assert not list(tmp_path.iterdir())


def test_half_a_request_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first request of a connection, and after one."""
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.3)

    async def app(scope: dict[str, str], receive: object, send: object) -> None:  # noqa: ARG001  as ASGI has it
        assert scope["type"] == "http"
        await send({"type": "http.response.start", "status": 204, "headers": []})  # type: ignore[operator]
        await send({"type": "http.response.body"})  # type: ignore[operator]

    def ask(port: int) -> list[bytes]:
        heard = []
        for whole in (b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
                one.sendall(whole)
                first = one.recv(1000) if whole else b""
                one.sendall(b"GET / HTTP/1.1\r\nHost:")
                heard.append(first[:12] + one.recv(1000))
        return heard

    async def both() -> list[bytes]:
        config = uvicorn.Config(app, log_level="error", lifespan="off", http=TimedProtocol, port=0)
        one = uvicorn.Server(config)
        running = asyncio.create_task(one.serve())
        while not one.started:
            await asyncio.sleep(0.01)
        port = one.servers[0].sockets[0].getsockname()[1]
        heard = await asyncio.to_thread(ask, port)
        one.should_exit = True
        await running
        return heard

    with ThreadPoolExecutor(1) as thread:  # the tests in a browser keep an event loop in this one
        assert thread.submit(lambda: asyncio.run(both())).result() == [b"", b"HTTP/1.1 204"]


def test_a_long_file_of_hands_is_shown_page_by_page(tmp_path: Path) -> None:
    answer("match", "call", "random", "--hands", "120", "--seed", "1", "--phh", str(tmp_path / "hands.phhs"))
    text, client = (tmp_path / "hands.phhs").read_text(), client_of(tmp_path)
    first, last = (client.post("/api/hands", json={"text": text, "first": n}).json() for n in (0, 100))
    assert (len(first["hands"]), len(last["hands"]), first["total"], first["page"]) == (50, 20, 120, 50)
    assert first["hands"][0]["name"] != last["hands"][0]["name"]
    assert first["failed"] == last["failed"] == []
    spam = client.post("/api/hands", json={"text": "[1]\n" * 200_000}).json()
    assert (len(spam["failed"]), spam["total"]) == (50, 200_000)
