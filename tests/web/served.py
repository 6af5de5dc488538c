"""What the tests of the page share: the application in a temporary folder, asked as its own page would ask it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from cardwin.web.server import make_app
from cardwin.web.settings import ServerSettings

URL = "http://127.0.0.1:8765"
SOCKETS = "ws://127.0.0.1:8765"


def client_of(home: Path, **settings: Any) -> TestClient:
    """A client of the page whose runs are in a folder."""
    return TestClient(make_app(ServerSettings(home, port=8765, **settings)), base_url=URL)


class Person:
    """Somebody at a table: what they open, the frames that they get, and what they send."""

    def __init__(self, client: TestClient, game: str, players: list[str], seed: int = 1, **more: Any) -> None:
        body = {"game": game, "players": players, "seed": seed, **more}
        answer = client.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        self.client, self.opened = client, answer.json()
        self.frames: list[str] = []
        app: Any = client.app
        self.table = app.state.room.tables[self.opened["id"]]

    def address(self, token: str | None = None) -> str:
        return f"{SOCKETS}/api/tables/{self.opened['id']}/socket?token={token or self.opened['token']}"

    @contextmanager
    def sits(self) -> Iterator["Sat"]:
        with self.client.websocket_connect(self.address()) as socket:
            yield Sat(self, socket)


class Sat:
    """A person's open socket."""

    def __init__(self, person: Person, socket: Any) -> None:
        self.person, self.socket = person, socket
        self.seen = self.read()

    def read(self) -> dict[str, Any]:
        text = self.socket.receive_text()
        self.person.frames.append(text)
        found: dict[str, Any] = json.loads(text)
        if found["type"] == "look":
            self.seen = found
        return found

    def say(self, **message: Any) -> dict[str, Any]:
        self.socket.send_json(message)
        return self.read()

    def act(self, move: str) -> dict[str, Any]:
        return self.say(do="act", turn=self.seen["turn_number"], move=move)

    def moves(self) -> list[str]:
        """Legal moves as texts, a bet with its least and its most."""
        found = []
        for one in self.seen["actions"]:
            if "most" in one:
                found += [f"{one['name']} {one['amount']}", f"{one['name']} {one['most']}"]
            else:
                found.append(one.get("text", one["name"]))
        return found
