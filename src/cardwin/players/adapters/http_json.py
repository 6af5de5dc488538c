"""Any program that answers HTTP: one POST request with JSON for each decision, one JSON object as its answer.

The request has everything that the seat may know (`request_of`, `small_request_of`); docs/how-to/other-programs.md
documents each field. The answer is `{"action": "raise", "amount": 300}`, or `{"action": "raise 300"}`; the amount is a
total of the street. The complete answer must arrive within the time limit, with status 200 and at most MOST_ANSWER
bytes. Redirects are not followed.
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
from cardwin.games.formats.small_states import SmallPosition
from cardwin.games.holdem.events import STREET_NAMES, Acted, BoardDealt, Event, Posted, card_names, events_json
from cardwin.games.holdem.view import LIMIT, HoldemView, legal_choices
from cardwin.players.adapters.adapter import Adapter, Hand, ProgramError, illegal
from cardwin.players.specs import ProgramSpec

SCHEMA = 1
MOST_ANSWER = 2**16  # bytes
CHUNK = 2**14
CONNECT_TIME = 10.0  # seconds to accept a first connection


class JsonServer(Adapter):
    """A server at an address. `until` is the time at which the present answer is late."""

    def __init__(self, spec: ProgramSpec, limit: float | None = None) -> None:
        super().__init__()
        self.until = time.monotonic() + CONNECT_TIME
        self._url, self._limit = urlsplit(spec.target), limit
        try:
            port = self._url.port
        except ValueError:
            port = -1
        if not self._url.hostname or port == -1 or self._url.username:
            raise InputError(f"invalid address {shorten(spec.target)}: expected http://HOST:PORT/PATH")
        self._port = port or (443 if self._url.scheme == "https" else 80)
        self._events: list[Event] = []

    def begin_hand(self, hand: Hand) -> None:  # noqa: ARG002  the record has all of it
        """Clear the events of the last hand."""
        self._events = []

    def happened(self, hand: Hand, event: Event) -> None:  # noqa: ARG002
        """Store an event of the hand for the request."""
        if isinstance(event, Posted | Acted | BoardDealt):
            self._events.append(event)

    def ask(self, hand: Hand, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002  the server has its own
        """Return the server's action."""
        return self._answer_to(request_of(hand, view, self._events))

    def ask_small(self, position: SmallPosition, rng: Stream) -> Action:  # noqa: ARG002  the server has its own
        """Return the server's action in a small game; the amount of a bet may be omitted."""
        action = self._answer_to(small_request_of(position))
        bets = [legal for legal in position.state.legal_actions() if legal.name == action.name]
        return bets[0] if len(bets) == 1 and action.amount in (0, bets[0].amount) else action

    def _answer_to(self, question: dict[str, Any]) -> Action:
        """Post a question, with the schema and the seconds left for the answer."""
        left = max(self.until - time.monotonic(), 0.0)
        question = {"schema": SCHEMA, **question, "seconds": round(left, 3) if self._limit else None}
        answer = self.post(json.dumps(question).encode())
        self.answered(answer.decode("utf-8", "replace"))
        return action_in(answer)

    def check_connection(self) -> None:
        """Connect once; raises an error if no server listens."""
        self._connected().close()

    def post(self, content: bytes) -> bytes:
        """Return the body of the answer to a request."""
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
        answer = b""
        while True:
            connection.settimeout(self._left())
            chunk = connection.recv(CHUNK)
            if not chunk:
                return answer
            answer += chunk
            if len(answer) > MOST_ANSWER:
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
    """Return the action in a server's answer; an illegal action if there is none."""
    try:
        return _action(json.loads(answer))
    except (ValueError, RecursionError):
        return illegal(answer.decode("utf-8", "replace"))


def _action(answer: Any) -> Action:
    """Return the action of an answer; the rules check whether it is legal."""
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
    """Return the question of a decision: the view, the hand so far, and the legal actions."""
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


def small_request_of(position: SmallPosition) -> dict[str, Any]:
    """Return the question of a decision in a small game."""
    state, seat = position.state, position.seat
    stakes, rounds = state.stakes(), getattr(state, "rounds", None) or (state.moves,)
    history = [
        {"what": "acted", "street": street, "seat": index % 2, "action": move.name, "amount": move.amount}
        for street, moves in enumerate(rounds)
        for index, move in enumerate(moves)
    ]
    return {
        "game": position.game,
        "hand": position.match_state.hand + 1,
        "seat": seat,
        "seats": 2,
        "hole": [state.dealt[seat]],
        "board": list(state.dealt[2:]),
        "pot": sum(stakes),
        "to_call": stakes[1 - seat] - stakes[seat],
        "contributed": list(stakes),
        "history": history,
        "legal_actions": [{"name": action.name, "amount": action.amount} for action in state.legal_actions()],
    }
