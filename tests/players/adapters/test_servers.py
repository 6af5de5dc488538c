"""Servers elsewhere: one JSON request a decision; whatever they do is one fault, and nothing is left running."""

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardwin.arena.match import MatchOptions, match
from cardwin.core.errors import InputError
from cardwin.games.holdem import holdem_game
from cardwin.players.adapters.http_json import MOST_ANSWER
from cardwin.players.specs import Untrusted
from loopback import JsonHandler, serving
from support import answer, refusal

NL = holdem_game("holdem-nl", {})
ASKED: list[dict[str, Any]] = []


class Handler(JsonHandler):
    """Answers by its path."""

    def answer(self, question: dict[str, Any]) -> None:
        ASKED.append(question)
        names = {one["name"] for one in question["legal_actions"]}
        bodies = {
            "/call": json.dumps({"action": "check" if "check" in names else "call"}),
            "/raise": json.dumps({"action": f"raise {question['legal_actions'][-1]['amount']}"}),
            "/illegal": json.dumps({"action": "raise", "amount": 1}),
            "/nonsense": "no json",
            "/list": "[1, 2]",
            "/fraction": json.dumps({"action": "raise", "amount": 200.5}),
            "/large": " " * (MOST_ANSWER + 1),
        }
        if self.path == "/slow":
            time.sleep(1)
        self.send_response(500 if self.path == "/broken" else 200)
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(bodies.get(self.path, "{}").encode())


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(Handler) as address:
        yield address


def test_a_server_plays_and_is_asked_what_its_seat_may_know(url: str) -> None:
    ASKED.clear()
    found = answer("match", f"http:{url}/call", "random", "--hands", "20", "--seed", "1")
    assert found["players"][0]["faults"] == 0
    assert found["players"][0]["milliseconds"] > 0
    assert found["no_walls"] == [f"http:{url}/call"]
    assert not found["fair"]
    one = next(one for one in ASKED if one["street"] == "flop")
    assert set(one) >= {"schema", "hole", "board", "legal_actions", "history", "seconds", "stacks", "pot", "to_call"}
    assert len(one["board"]) == 3
    assert one["history"][0]["what"] == "posted"
    assert 0 < one["seconds"] <= 2


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("illegal", "the minimum is"),
        ("nonsense", "no json as an answer"),
        ("list", "as an answer"),
        ("fraction", "200.5"),
        ("broken", "status 500"),
        ("large", f"more than {MOST_ANSWER} bytes"),
        ("slow", "took more than 0.2 s"),
    ],
)
def test_what_is_no_answer_is_a_fault(url: str, path: str, reason: str) -> None:
    record = match(
        NL, [f"{url}/{path}", "call"], 2, 1, options=MatchOptions(untrusted=Untrusted(time_limit=0.2, in_process=True))
    )
    assert record.report.faults[0] > 0
    assert reason in record.report.first[0].reason


def test_a_raise_as_text(url: str) -> None:
    record = match(NL, [f"{url}/raise", "fold"], 4, 1)
    assert record.report.faults == (0, 0)


def test_no_server_is_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    assert "no server answers there" in refusal("match", f"http://127.0.0.1:{port}/act", "call", "--hands", "2")
    assert "http:URL is needed" in refusal("match", "http:nonsense", "call", "--hands", "2")
    assert "expected http://HOST:PORT/PATH" in refusal("match", "http://127.0.0.1:x/", "call", "--hands", "2")


def test_explain_asks_a_server_too(url: str, tmp_path: Path) -> None:
    answer("match", "call", "call", "--hands", "1", "--seed", "1", "--phh", str(tmp_path / "a.phhs"))
    spec = f"{url}/call"
    found = answer("explain", str(tmp_path / "a.phhs"), "--hand", "1", "--seat", "1", "--player", spec)
    assert found["decisions"]
    assert "check" in found["decisions"][-1]["answer"] or "call" in found["decisions"][-1]["answer"]
    with pytest.raises(InputError, match="no server answers"):
        match(NL, ["http://127.0.0.1:9/", "call"], 2, 1)
