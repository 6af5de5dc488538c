"""Whatever is asked, the page answers with a reason and never with a failure of its own."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings

from cardwin.web.server import make_app
from cardwin.web.settings import ServerSettings
from web.served import Person, client_of

# Its folder does not exist: nothing that is asked here starts a run that lasts, as no preset's name is guessed.
schema = schemathesis.openapi.from_asgi(
    "/api/openapi.json", make_app(ServerSettings(Path("/nonexistent"), port=80)), headers={"Host": "127.0.0.1"}
)


# News of a run never end while it runs, and are asked elsewhere.
FOUND: list[Any] = list(schema.get_all_operations())
OPERATIONS = [one.ok() for one in FOUND if not one.ok().path.endswith("/events")]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.label)
def test_requests_made_from_the_schema_never_fail_the_server(operation: Any) -> None:
    @settings(max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def asked(case: Any) -> None:
        answer = case.call(headers={"Host": "127.0.0.1"})
        assert answer.status_code not in (421, 401), "the guard let nothing through"
        assert answer.status_code < 500, answer.text

    asked()


@pytest.mark.parametrize("seed", range(3))
def test_random_frames_get_a_reason_and_the_game_goes_on(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    person = Person(client_of(tmp_path), "holdem-nl", ["person", "call"])
    values: list[Any] = [None, -1, 0, 2**70, 1.5, "", "call", "raise -5", "bet " + "9" * 40, [], {}, True, "\ud800"]
    with person.sits() as sat:
        before = sat.say(do="deal")
        for _ in range(300):
            frame = {
                "do": rng.choice(["act", "why", "deal", "x"]),
                **{key: rng.choice(values) for key in ("turn", "move", "hand", "event")},
            }
            sat.socket.send_text(json.dumps(frame))
            said = sat.read()
            assert said["type"] in ("refused", "look")
        assert sat.say(do="look")["hand"] == before["hand"]


def test_bodies_that_are_no_json_are_refused(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    for path in ("/api/tables", "/api/runs", "/api/hands"):
        for body in (b"", b"{", b"[" * 5000, b"\xff\xfe", b'{"a": 1e999}', b"null", b'"\\ud800"'):
            answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
            assert 400 <= answer.status_code < 500, (path, body)
            assert answer.json()["error"]
