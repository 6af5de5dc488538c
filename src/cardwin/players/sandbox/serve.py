"""What a player's process does, once `host` has forked it.

It raises the walls (`box`), reports them, builds the player of the next message, and answers questions: it passes on
events, acts on views, or returns an explanation (`messages`).
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn

from cardwin.cards.tables import win_odds_store
from cardwin.core.rng import Stream, stream_of
from cardwin.games.base import Action
from cardwin.games.formats.small_states import SmallPosition
from cardwin.games.holdem.view import HoldemView
from cardwin.players.adapters.adapter import ProgramError
from cardwin.players.registry import player as player_of
from cardwin.players.sandbox import layout
from cardwin.players.sandbox.box import Needs, Walls, raise_walls
from cardwin.players.sandbox.messages import MOST_QUESTION, QUESTION, Line, read_event, read_questions
from cardwin.players.specs import is_program

PART = 0.001  # seconds of answers that are sent together
MOST_IN_PART = 64  # answers


def serve(line: Line, walls: Walls, base: str, number: int) -> NoReturn:
    """Raise the walls and run one player, until the match closes the line; see `raise_walls`."""
    request = json.loads(_next(line))
    win_odds_store.load()  # its folder is invisible inside the walls
    try:
        needs = Needs(request["program"], request["loopback"])
        folder = raise_walls(walls, request["files"], request["memory"], base, number, needs)
    except OSError as error:
        _send(line, {"refused": f"the sandbox cannot be built: {error.strerror}"})
        os._exit(0)
    request.clear()
    _send(line, {"walls": walls.by_name()})
    sys.path[:] = layout.search_path(folder)
    sys.path_importer_cache.clear()
    importlib.invalidate_caches()
    try:
        player, small = _build(**json.loads(_next(line)))
    except (Exception, SystemExit) as error:
        _send(line, {"refused": str(error)})
        os._exit(0)
    methods = [name for name in ("watch", "explain") if callable(getattr(player, name, None))]
    marks = [name for name in ("stateless", "sees_cards", "whole_hands") if getattr(player, name, False) is True]
    _send(line, {"able": methods + marks})
    while True:
        content = _next(line)
        if content.startswith(QUESTION):
            _answer(line, player, small, content)
        else:
            _send(line, _explanation(player))


def _build(spec: str, game: str) -> tuple[Any, bool]:
    """Build the player of a specification; return it, and whether it plays a small game."""
    player = player_of(spec)
    if game:
        return SmallGamePlayer(player, is_program(spec)), True
    prepare = getattr(player, "prepare", None)
    if prepare is not None:  # now, because a decision has a shorter time limit
        prepare()
    return player, False


class SmallGamePlayer:
    """A program at a table of a small game, or a `python:` player, which decides by its view alone."""

    def __init__(self, player: Any, program: bool) -> None:
        self._player, self._program = player, program
        self.whole_hands = program
        if program and hasattr(player, "receive_version"):
            player.receive_version()

    def watch(self, position: SmallPosition) -> None:
        """Pass a position on to a program that watches."""
        if self._program and hasattr(self._player, "watch"):
            self._player.watch(position)

    def act(self, position: SmallPosition, rng: Stream) -> Any:
        """Return the player's action."""
        return self._player.act(position if self._program else position.view, rng)


def _next(line: Line) -> bytes:
    try:
        return line.receive(MOST_QUESTION)
    except Exception:
        os._exit(0)  # the match has ended


def _send(line: Line, content: object) -> None:
    line.send(json.dumps(content).encode())


def _answer(line: Line, player: Any, small: bool, content: bytes) -> None:
    """Answer questions in order. Answers that took long are sent at once, so that their time can be measured."""
    seen, asked = read_questions(content)
    part, sent = [], time.monotonic()
    for row, (key, counter) in asked:
        part.append(_acted(partial(_decide, player, small, seen, row), key, counter))
        seen = []
        if len(part) == MOST_IN_PART or time.monotonic() - sent > PART:
            _send(line, part)
            part, sent = [], time.monotonic()
    if part:
        _send(line, part)


def _decide(player: Any, small: bool, seen: list[Any], row: tuple[int, ...], stream: Stream) -> Any:
    """Pass on the events, and return the player's decision."""
    view: Any = None
    for content in seen:
        view = read_event(content)
        player.watch(view)
    return player.act(view if small else HoldemView(row), stream)


def _acted(decide: Callable[[Stream], Any], key: int, counter: int) -> list[Any]:
    stream = stream_of(key)
    stream[1] = counter
    name: str | None
    amount: float | str
    try:
        action = decide(stream)
        name, amount = None, repr(action)[:80]
        if isinstance(action, Action) and isinstance(action.name, str) and isinstance(action.amount, int | float):
            name, amount = action.name or "an action without a name", action.amount
    except ProgramError as error:
        name, amount = "", str(error)[:200]
    except (Exception, SystemExit) as error:
        name, amount = "", f"raised {type(error).__name__}: {str(error)[:80]}"
    return [int(stream[1]), name, amount]


def _explanation(player: Any) -> dict[str, Any]:
    try:
        return {"explanation": _plain(player.explain())}
    except (Exception, SystemExit) as error:
        return {"failed": f"raised {type(error).__name__}: {str(error)[:80]}"}


def _plain(explanation: object) -> dict[str, Any] | str:
    """Return an explanation as JSON: single numbers and texts by name, or one text."""
    if not isinstance(explanation, Mapping):
        return str(explanation)[:500]
    plain = {str(name): value for name, value in explanation.items() if isinstance(value, int | float | str)}
    return {name: value[:500] if isinstance(value, str) else value for name, value in list(plain.items())[:50]}
