"""Who may ask: our own page and programs, nobody else's page, and off loopback only with the token."""

from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from web.served import SOCKETS, URL, Person, client_of

TABLE = {"game": "kuhn", "players": ["person", "uniform"]}


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "http://127.0.0.1:8765.evil.example"},
        {"Origin": "file://"},
        {"Host": "evil.example:8765"},
        {"Host": "127.0.0.1:1"},
        {"Host": ""},
        {"Host": "[broken"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
    ],
)
def test_other_pages_cannot_drive_this_one(headers: dict[str, str], tmp_path: Path) -> None:
    client = client_of(tmp_path)
    for method, path, body in (("POST", "/api/tables", TABLE), ("GET", "/api/runs", None), ("GET", "/", None)):
        answer = client.request(method, path, json=body, headers=headers)
        assert 400 <= answer.status_code < 500, path
        assert answer.json()["error"]
    person = Person(client, **TABLE)  # type: ignore[arg-type]
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(person.address(), headers=headers):
        pass


@pytest.mark.parametrize("headers", [{}, {"Origin": URL}, {"Origin": URL, "Sec-Fetch-Site": "same-origin"}])
def test_our_own_page_and_programs_can(headers: dict[str, str], tmp_path: Path) -> None:
    client = client_of(tmp_path)
    assert client.post("/api/tables", json=TABLE, headers=headers).status_code == 201
    person = Person(client, **TABLE)  # type: ignore[arg-type]
    with client.websocket_connect(person.address(), headers=headers) as socket:
        assert socket.receive_json()["type"] == "look"


def test_a_page_of_the_same_host_over_https_is_not_ours(tmp_path: Path) -> None:
    """This server speaks HTTP: whatever answers over HTTPS at the same address is another one."""
    client = client_of(tmp_path)
    for origin in (URL.replace("http:", "https:"), URL.replace("http:", "HTTPS:"), "null", "http://"):
        assert client.get("/api/runs", headers={"Origin": origin}).status_code == 403


def test_a_link_to_the_page_works_but_not_to_its_data(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    linked = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/", headers=linked).status_code == 200
    assert client.get("/api/runs", headers=linked).status_code == 403


def test_off_loopback_the_token_is_needed_everywhere(tmp_path: Path) -> None:
    def client() -> Any:
        return client_of(tmp_path, host="0.0.0.0", token="secret")  # noqa: S104, S106  a test's

    for path in ("/", "/api/runs", "/static/js/main.js"):
        assert client().get(path).status_code == 401
        assert client().get(f"{path}?token=wrong").status_code == 401
        assert client().get(path, headers={"Authorization": "Bearer secret"}).status_code == 200
    page = client()
    first = page.get("/?token=secret")
    assert first.status_code == 200
    assert "HttpOnly" in first.headers["set-cookie"]
    assert page.get("/api/runs").status_code == 200  # by its cookie
    with pytest.raises(WebSocketDisconnect), client().websocket_connect(f"{SOCKETS}/api/tables/x/socket?token=y"):
        pass


def test_every_answer_has_the_headers_of_safety(tmp_path: Path) -> None:
    for path in ("/", "/api/health", "/nowhere"):
        headers = client_of(tmp_path).get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/../../etc/passwd",
     "/api/runs/..%2f..%2fetc", "/api/runs/.tables", "/api/runs/%00", "/nowhere", "/api/nowhere"],
)  # fmt: skip
def test_paths_never_reach_the_file_system_unchecked(path: str, tmp_path: Path) -> None:
    answer = client_of(tmp_path).get(path)
    assert answer.status_code == 404
    assert "error" in answer.json()


def test_too_large_a_body_is_not_read(tmp_path: Path) -> None:
    answer = client_of(tmp_path).post("/api/tables", content=b" " * 10_100_000)
    assert answer.status_code == 413
