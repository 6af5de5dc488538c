"""What a player's process does, once `host` has forked it.

It raises the walls (`box`), reports them, builds the player that the next message names, and answers: it passes on
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
from cardwin.games.holdem.view import HoldemView
from cardwin.players.adapters.adapter import ProgramError
from cardwin.players.registry import player
from cardwin.players.sandbox import layout
from cardwin.players.sandbox.box import Needs, Walls, raise_walls
from cardwin.players.sandbox.messages import MOST_QUESTION, QUESTION, Line, read_event, read_questions

PART = 0.001  # seconds of answers that are sent together
MOST_IN_PART = 64  # answers


def serve(line: Line, walls: Walls, base: str, number: int) -> NoReturn:
    """Raise the walls and run one player, until the match closes the line; see `raise_walls`."""
    about = json.loads(_next(line))
    walls.without = frozenset(about["without"])
    win_odds_store.load()  # inside the walls its folder is not found
    try:
        needs = Needs(about["program"], about["loopback"])
        folder = raise_walls(walls, about["files"], about["memory"], base, number, needs)
    except OSError as error:
        _send(line, {"refused": f"the sandbox cannot be built: {error.strerror}"})
        os._exit(0)
    about.clear()
    _send(line, {"walls": walls.by_name()})
    sys.path[:] = layout.search_path(folder)
    sys.path_importer_cache.clear()
    importlib.invalidate_caches()
    try:
        one = _built(**json.loads(_next(line)))
    except (Exception, SystemExit) as error:
        _send(line, {"refused": str(error)})
        os._exit(0)
    able = [name for name in ("watch", "explain") if callable(getattr(one, name, None))]
    marks = [name for name in ("stateless", "sees_cards", "whole_hands") if getattr(one, name, False) is True]
    _send(line, {"able": able + marks})
    while True:
        content = _next(line)
        if content.startswith(QUESTION):
            _answer(line, one, content)
        elif "lines" in (asked := json.loads(content)):
            _send(line, [_acted(partial(_in_small_game, one, asked["lines"]), *asked["stream"])])
        else:
            _send(line, _explained(one))


def _built(spec: str, game: str) -> Any:
    """The player of a specification; of a small game, if one is named."""
    if not game:
        one = player(spec)
        prepare = getattr(one, "prepare", None)
        if prepare is not None:  # now, because a decision has a shorter time limit
            prepare()
        return one
    from cardwin.players.adapters.small import small_adapter

    return small_adapter(spec, game, player)


def _next(line: Line) -> bytes:
    try:
        return line.receive(MOST_QUESTION)
    except Exception:
        os._exit(0)  # the match has ended


def _send(line: Line, content: object) -> None:
    line.send(json.dumps(content).encode())


def _answer(line: Line, one: Any, content: bytes) -> None:
    """Answer questions in order. Answers that took long are sent at once, so that their time can be measured."""
    happened, asked = read_questions(content)
    part, sent = [], time.monotonic()
    for row, (key, counter) in asked:
        part.append(_acted(partial(_at_table, one, happened, row), key, counter))
        happened = []
        if len(part) == MOST_IN_PART or time.monotonic() - sent > PART:
            _send(line, part)
            part, sent = [], time.monotonic()
    if part:
        _send(line, part)


def _at_table(one: Any, happened: list[Any], row: tuple[int, ...], stream: Stream) -> Any:
    for event in happened:
        one.watch(read_event(event))
    return one.act(HoldemView(row), stream)


def _in_small_game(one: Any, lines: list[str], stream: Stream) -> Any:
    for line in lines:
        one.show(line)
    return one.act(lines[-1], stream)


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


def _explained(one: Any) -> dict[str, Any]:
    try:
        return {"explanation": _plain(one.explain())}
    except (Exception, SystemExit) as error:
        return {"failed": f"raised {type(error).__name__}: {str(error)[:80]}"}


def _plain(explanation: object) -> dict[str, Any] | str:
    """An explanation as JSON can hold it: single numbers and texts by name, or one text."""
    if not isinstance(explanation, Mapping):
        return str(explanation)[:500]
    simple = {str(name): one for name, one in explanation.items() if isinstance(one, int | float | str)}
    return {name: one[:500] if isinstance(one, str) else one for name, one in list(simple.items())[:50]}
