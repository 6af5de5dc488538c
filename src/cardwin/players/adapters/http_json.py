"""Any program that answers HTTP: one POST request with JSON for each decision, one JSON object as its answer.

The request has everything that the seat may know (`request_of`); docs/how-to/other-programs.md documents each field.
The answer is `{"action": "raise", "amount": 300}`, or `{"action": "raise 300"}`; the amount is a total of the street.
The answer must arrive whole within the time limit, with status 200 and at most MOST_ANSWER bytes. Redirects are not
followed.
"""

import json
import socket
import ssl
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from cardwin.core.errors import InputError, shorten
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.events import STREET_NAMES, Acted, BoardDealt, Event, Posted, card_names, events_json
from cardwin.games.holdem.view import LIMIT, HoldemView, legal_choices
from cardwin.players.adapters.adapter import Adapter, Hand, ProgramError, illegal
from cardwin.players.specs import ProgramSpec

SCHEMA = 1
MOST_ANSWER = 2**16  # bytes
PIECE = 2**14
REACH = 10.0  # seconds to accept a first connection


class JsonServer(Adapter):
    """A server at an address; `until` is the time at which the present answer is late."""

    def __init__(self, spec: ProgramSpec, limit: float | None = None) -> None:
        super().__init__()
        self.until = time.monotonic() + REACH
        self._url, self._limit = urlsplit(spec.target), limit
        try:
            port = self._url.port
        except ValueError:
            port = -1
        if not self._url.hostname or port == -1 or self._url.username:
            raise InputError(f"{shorten(spec.target)} is no address: http://HOST:PORT/PATH is needed")
        self._port = port or (443 if self._url.scheme == "https" else 80)
        self._events: list[Event] = []

    def begin_hand(self, hand: Hand) -> None:  # noqa: ARG002  the record has all of it
        """Forget the events of the last hand."""
        self._events = []

    def happened(self, hand: Hand, event: Event) -> None:  # noqa: ARG002
        """Keep the events of the hand for the request."""
        if isinstance(event, Posted | Acted | BoardDealt):
            self._events.append(event)

    def ask(self, hand: Hand, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002  its randomness is its own
        """The action that the server answers with."""
        question = self.timed(request_of(hand, view, self._events))
        answer = self.post(json.dumps(question).encode())
        self.answered(answer.decode("utf-8", "replace"))
        return action_in(answer)

    def timed(self, question: dict[str, Any]) -> dict[str, Any]:
        """A question with the schema and the seconds left for the answer."""
        left = max(self.until - time.monotonic(), 0.0)
        return {"schema": SCHEMA, **question, "seconds": round(left, 3) if self._limit else None}

    def reach(self) -> None:
        """Connect once, to see whether anything listens."""
        self._connected().close()

    def post(self, content: bytes) -> bytes:
        """The body of the answer to a request."""
        path = (self._url.path or "/") + (f"?{self._url.query}" if self._url.query else "")
        head = (
            f"POST {path} HTTP/1.0\r\nHost: {self._url.netloc}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n"
        )
        connection = self._connected()
        try:
            connection.sendall(head.encode("latin-1", "replace") + content)
            return _body(self._received(connection))
        except (ConnectionError, ssl.SSLError) as error:
            raise ProgramError(f"the server closed its connection: {type(error).__name__}") from None
        finally:
            connection.close()

    def _connected(self) -> socket.socket:
        host = str(self._url.hostname)
        try:
            connection = socket.create_connection((host, self._port), self._left())
            if self._url.scheme == "https":
                connection.settimeout(self._left())
                connection = ssl.create_default_context().wrap_socket(connection, server_hostname=host)
            return connection
        except TimeoutError:
            raise
        except OSError as error:
            raise ProgramError(f"no connection to {host}:{self._port}: {error.strerror or error}") from None

    def _left(self) -> float:
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def _received(self, connection: socket.socket) -> bytes:
        pieces, size = list[bytes](), 0
        while True:
            connection.settimeout(self._left())
            piece = connection.recv(PIECE)
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
            size += len(piece)
            if size > MOST_ANSWER:
                raise ProgramError(f"the server answered with more than {MOST_ANSWER} bytes")


def _body(answer: bytes) -> bytes:
    head, gap, body = answer.partition(b"\r\n\r\n")
    words = head.split(b"\r\n")[0].split()
    if not gap or len(words) < 2 or not words[0].startswith(b"HTTP/"):
        raise ProgramError("the server's answer is not HTTP")
    if words[1] != b"200":
        raise ProgramError(f"the server answered with status {words[1][:3].decode('ascii', 'replace')}")
    return body


def action_in(answer: bytes) -> Action:
    """The action in a server's answer, or what it answered instead."""
    try:
        return _action(json.loads(answer))
    except (ValueError, RecursionError):
        return illegal(answer.decode("utf-8", "replace"))


def _action(answer: Any) -> Action:
    """The action of an answer; the rules check whether it is legal."""
    if not isinstance(answer, Mapping) or not isinstance(answer.get("action"), str):
        raise ValueError
    name, _, text = answer["action"].strip().lower().partition(" ")
    amount = answer.get("amount", 0) if not text else int(text.removeprefix("to "))
    if isinstance(amount, float) and amount.is_integer():
        amount = int(amount)
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise ValueError
    return Action(name[:40], amount if name in ("bet", "raise") else 0)


def request_of(hand: Hand, view: HoldemView, events: list[Event]) -> dict[str, Any]:
    """What the server is asked: the view, the hand so far, and the legal actions."""
    return {
        "game": "holdem-limit" if view.row[LIMIT] else "holdem-nl",
        "hand": hand.number,
        "seat": view.seat,
        "seats": view.seats,
        "button": view.button,
        "street": STREET_NAMES[view.street],
        "hole": card_names(view.hole),
        "board": card_names(view.board),
        "pot": view.pot,
        "to_call": view.to_call,
        "big_blind": view.big_blind,
        "stacks": list(view.stacks),
        "bets": list(view.bets),
        "contributed": list(view.contributed),
        "starting_stacks": list(view.starting_stacks),
        "active": list(view.active),
        "players": list(hand.players),
        "history": events_json(events),
        "legal_actions": legal_choices(view),
    }
