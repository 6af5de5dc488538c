"""Messages between a match and a player's process: the length of each first, then its content.

A question is numbers as bytes: the letter Q, the number of questions and the size of the events, then the rows of the
views (questions, VIEW_SIZE) and the random streams (questions, 2) as int64, then the events as JSON. In small games the
rows are empty, and the last event is the position to decide at. Everything else is JSON, which is read as data and
never as code. The answers to questions are lists, in one or more messages, of [counter, name, amount]: the new counter
of the stream and the action; or [counter, "", text] if the player failed, and [counter, null, text] if it returned
something other than an action.
"""

import dataclasses
import json
import socket
import struct
import time
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cardwin.core.rng import Stream
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.formats.small_states import SmallPosition
from cardwin.games.holdem import events
from cardwin.games.holdem.events import Dealt
from cardwin.games.holdem.view import VIEW_SIZE
from cardwin.players.base import EndedError

MOST_ANSWER = 2**16
MOST_QUESTION = 2**26
NO_LIMIT = 10.0**9
CHUNK = 2**16
NO_ROW = (0,) * VIEW_SIZE  # in place of a view's row
_LENGTH = struct.Struct("<I")
_HEAD = struct.Struct("<cII")
QUESTION = b"Q"
_ROW = struct.Struct(f"<{VIEW_SIZE}q")
_STREAM = struct.Struct("<2q")
_PLAIN = {action.name: action for action in (FOLD, CHECK, CALL)}
_OTHER_EVENTS: dict[str, Any] = {kind.__name__: kind for kind in (Dealt, SmallPosition)}

Seen: TypeAlias = events.Event | Dealt | SmallPosition


class Line:
    """A socket for messages."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self._rest = b""  # bytes of the next message that came with the last one
        self._seconds: float | None = None

    def _limit(self, seconds: float) -> None:
        """Set the time limit of the next operation, which is a system call only if it differs from the last one."""
        if seconds != self._seconds:
            self.socket.settimeout(None if seconds >= NO_LIMIT else seconds)
            self._seconds = seconds

    def send(self, content: bytes, seconds: float = NO_LIMIT) -> None:
        """Send a message."""
        self._limit(seconds)
        self.socket.sendall(_LENGTH.pack(len(content)) + content)

    def receive(self, max_size: int, seconds: float = NO_LIMIT) -> bytes:
        """Return the next message, complete, within this number of seconds."""
        until = time.monotonic() + seconds
        self._limit(seconds)
        content = self._rest or self.socket.recv(CHUNK)  # most messages come in one chunk
        if not content:
            raise EndedError("its process ended")
        self._rest = b""
        content = self._receive_rest(content, _LENGTH.size, until)
        (size,) = _LENGTH.unpack_from(content)
        if size > max_size:
            raise EndedError(f"its process sent an invalid answer of {size} bytes")
        end = _LENGTH.size + size
        content = self._receive_rest(content, end, until)
        self._rest = content[end:]
        return content[_LENGTH.size : end]

    def _receive_rest(self, content: bytes, size: int, until: float) -> bytes:
        """Return the content with what follows it, up to this size or more."""
        if len(content) >= size:
            return content
        chunks, received = [content], len(content)
        while received < size:
            self._limit(max(until - time.monotonic(), 1e-6))
            try:
                chunk = self.socket.recv(max(CHUNK, size - received))
            except TimeoutError:
                self._rest = b"".join(chunks)  # for the next attempt
                raise
            if not chunk:
                raise EndedError("its process ended")
            chunks.append(chunk)
            received += len(chunk)
        return b"".join(chunks)

    def close(self) -> None:
        """Close the socket."""
        self.socket.close()


def question(row: Sequence[int], rng: Stream, seen: Sequence[Seen]) -> bytes:
    """Return one question: the row of a view (VIEW_SIZE,), a stream (2,) and the events since the last question."""
    encoded = json.dumps([event_json(event) for event in seen]).encode() if seen else b""
    return _HEAD.pack(QUESTION, 1, len(encoded)) + _ROW.pack(*row) + rng.tobytes() + encoded


def questions(rows: npt.NDArray[np.int64], streams: npt.NDArray[np.int64]) -> bytes:
    """Return many questions: rows (questions, VIEW_SIZE) and streams (questions, 2), without events."""
    return _HEAD.pack(QUESTION, len(rows), 0) + rows.tobytes() + streams.tobytes()


def read_questions(content: bytes) -> tuple[list[Any], Iterator[tuple[tuple[int, ...], tuple[int, int]]]]:
    """Return the events as JSON, and a row and a stream, as a key and a counter, for each question."""
    _, count, size = _HEAD.unpack_from(content)
    view = memoryview(content)[_HEAD.size :]
    rows, streams = view[: count * _ROW.size], view[count * _ROW.size : count * (_ROW.size + _STREAM.size)]
    happened = json.loads(content[len(content) - size :]) if size else []
    return happened, zip(_ROW.iter_unpack(rows), _STREAM.iter_unpack(streams), strict=True)


def event_json(event: Seen) -> list[Any]:
    """Return an event as JSON: its name and its fields, an action as a name and an amount."""
    fields = (getattr(event, field.name) for field in dataclasses.fields(event))
    return [
        type(event).__name__,
        *([value.name, value.amount] if isinstance(value, Action) else value for value in fields),
    ]


def read_event(content: list[Any]) -> Seen:
    """Return the event that `event_json` encoded."""
    name, *fields = content
    kind = _OTHER_EVENTS.get(name) or getattr(events, name)
    if name == "Acted":
        fields[1] = Action(*fields[1])
    event: Seen = kind(*(tuple(value) if isinstance(value, list) else value for value in fields))
    return event


class TextOf:
    """A value that a player returned, of which only the text was transmitted."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def read_answer(answer: Any, rng: Stream) -> Any:
    """Return the action of an answer, and write its counter into the stream (2,).

    An exception stands for a failure, and a `TextOf` for another value than an action, which the referee handles.
    """
    try:
        counter, name, amount = answer
    except (TypeError, ValueError):
        raise EndedError("its process sent an invalid answer") from None
    if isinstance(counter, int) and 0 <= counter < 2**62:
        rng[1] = counter
    if amount == 0 and type(amount) is int and isinstance(name, str) and name in _PLAIN:
        return _PLAIN[name]
    if name == "":
        return EndedError(str(amount)[:200])
    return Action(name, amount) if isinstance(name, str) else TextOf(str(amount)[:200])
