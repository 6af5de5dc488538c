"""Messages between a match and a player's process: the length of each first, then its content.

A question is numbers as bytes: the letter Q, the number of questions and the size of the events, then the rows of the
views (questions, VIEW_SIZE) and the random streams (questions, 2) as int64, then the events as JSON. Everything else is
JSON, which is read as data and never as code. The answers to questions are lists, in one or more messages, of
[counter, name, amount]: the new counter of the stream and the action; or [counter, "", text] where the player failed,
and [counter, null, text] where it returned something that is no action.
"""

import dataclasses
import json
import socket
import struct
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.rng import Stream
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem import events
from cardwin.games.holdem.view import VIEW_SIZE
from cardwin.players.base import EndedError

MOST_ANSWER = 2**16
MOST_QUESTION = 2**26
NO_LIMIT = 10.0**9
PIECE = 2**16
_LENGTH = struct.Struct("<I")
_HEAD = struct.Struct("<cII")
QUESTION = b"Q"
_ROW = struct.Struct(f"<{VIEW_SIZE}q")
_STREAM = struct.Struct("<2q")
_PLAIN = {action.name: action for action in (FOLD, CHECK, CALL)}


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

    def receive(self, most: int, seconds: float = NO_LIMIT) -> bytes:
        """The next message, complete, within this number of seconds."""
        until = time.monotonic() + seconds
        self._limit(seconds)
        content = self._rest or self.socket.recv(PIECE)  # most messages come in one piece
        if not content:
            raise EndedError("its process ended")
        content = self._at_least(content, _LENGTH.size, until)
        (size,) = _LENGTH.unpack_from(content)
        if size > most:
            raise EndedError(f"its process sent {size} bytes, which is no answer")
        end = _LENGTH.size + size
        content = self._at_least(content, end, until)
        self._rest = content[end:]
        return content[_LENGTH.size : end]

    def _at_least(self, content: bytes, size: int, until: float) -> bytes:
        if len(content) >= size:
            return content
        pieces, have = [content], len(content)
        while have < size:
            self._limit(max(until - time.monotonic(), 1e-6))
            piece = self.socket.recv(max(PIECE, size - have))
            if not piece:
                raise EndedError("its process ended")
            pieces.append(piece)
            have += len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """Close the socket."""
        self.socket.close()


def question(row: Sequence[int], rng: Stream, seen: Sequence[events.Event]) -> bytes:
    """One question: the row of a view (VIEW_SIZE,), a stream (2,) and the events since the last question."""
    encoded = json.dumps([written(event) for event in seen]).encode() if seen else b""
    return _HEAD.pack(QUESTION, 1, len(encoded)) + _ROW.pack(*row) + rng.tobytes() + encoded


def questions(rows: npt.NDArray[np.int64], streams: npt.NDArray[np.int64]) -> bytes:
    """Many questions: rows (questions, VIEW_SIZE) and streams (questions, 2), without events."""
    return _HEAD.pack(QUESTION, len(rows), 0) + rows.tobytes() + streams.tobytes()


def read_questions(content: bytes) -> tuple[list[Any], Iterator[tuple[tuple[int, ...], tuple[int, int]]]]:
    """The events as JSON, and a row and a stream, as a key and a counter, for each question."""
    _, count, size = _HEAD.unpack_from(content)
    view = memoryview(content)[_HEAD.size :]
    rows, streams = view[: count * _ROW.size], view[count * _ROW.size : count * (_ROW.size + _STREAM.size)]
    happened = json.loads(content[len(content) - size :]) if size else []
    return happened, zip(_ROW.iter_unpack(rows), _STREAM.iter_unpack(streams), strict=True)


def written(event: events.Event) -> list[Any]:
    """An event as JSON: its name and its fields, an action as a name and an amount."""
    fields = (getattr(event, field.name) for field in dataclasses.fields(event))
    return [type(event).__name__, *([one.name, one.amount] if isinstance(one, Action) else one for one in fields)]


def read_event(event: list[Any]) -> events.Event:
    """The event that `written` wrote."""
    name, *fields = event
    kind = getattr(events, name)
    if name == "Acted":
        fields[1] = Action(*fields[1])
    made: events.Event = kind(*(tuple(one) if isinstance(one, list) else one for one in fields))
    return made


class Shown:
    """A value that a player returned, of which only the text was transmitted."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def read_answer(answer: Any, rng: Stream) -> Any:
    """The action of an answer, and its counter into the stream (2,).

    An exception stands for a failure, and a `Shown` for what is no action, which the referee handles.
    """
    try:
        counter, name, amount = answer
    except (TypeError, ValueError):
        raise EndedError("its process sent what is no answer") from None
    if isinstance(counter, int) and 0 <= counter < 2**62:
        rng[1] = counter
    if amount == 0 and type(amount) is int and isinstance(name, str) and name in _PLAIN:
        return _PLAIN[name]
    if name == "":
        return EndedError(str(amount)[:200])
    return Action(name, amount) if isinstance(name, str) else Shown(str(amount)[:200])
