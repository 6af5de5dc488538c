"""Servers and clients on loopback, for tests of programs that connect."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cardwin.arena.acpc_seat import Score, play_at
from cardwin.core.errors import InputError
from cardwin.players.adapters import acpc

PATIENCE = 60.0  # seconds


class JsonHandler(BaseHTTPRequestHandler):
    """Reads a question as JSON, which a subclass answers."""

    def do_POST(self) -> None:
        """Read the question."""
        self.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, question: dict[str, Any]) -> None:
        """Send headers and content."""
        raise NotImplementedError

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """An HTTP server while the block runs: its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)


def free_ports(count: int) -> list[int]:
    """Ports on which nobody listens."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@contextmanager
def clients(seats: Sequence[Callable[[], Any]]) -> Iterator[tuple[list[int], dict[int, Score]]]:
    """Our players as clients of a dealer: their ports, and by place the scores that they have at the end.

    They try until the dealer listens. After the block they have left, and the ports are free.
    """
    ports, scores = free_ports(len(seats)), dict[int, Score]()

    def play(place: int) -> None:
        while place not in scores:
            try:
                scores[place] = play_at("127.0.0.1", ports[place], seats[place](), PATIENCE)
            except InputError as error:
                if "Connection refused" not in str(error):
                    raise

    threads = [threading.Thread(target=play, args=(place,), daemon=True) for place in range(len(seats))]
    for thread in threads:
        thread.start()
    yield ports, scores
    for port in ports:
        acpc._PORTS.pop(port).close()
    for thread in threads:
        thread.join(PATIENCE)
