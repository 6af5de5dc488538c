"""Saved hands: JSON from which a position is replayed, and the neutral history.

The file has the inputs (game, stacks, button, cards, forced bets) and the actions. Loading replays them by the
rules, so an edited file is either another legal hand or rejected.
"""

import json
from collections.abc import Sequence
from typing import Any

from cardwin.cards.card import cards_text, parse_cards
from cardwin.core.errors import InputError, shorten
from cardwin.games.base import NOBODY
from cardwin.games.holdem import events as notes
from cardwin.games.holdem.events import Acted, BoardDealt, Event, Shown
from cardwin.games.holdem.game import holdem_game
from cardwin.games.holdem.history import CALL, DEAL, FOLD, RAISE, SHOW, History, Step
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import UNKNOWN
from cardwin.games.parameters import split_spec

SCHEMA = 2
HIDDEN = "??"  # a card that is unknown
_WHAT = {"fold": FOLD, "check": CALL, "call": CALL, "bet": RAISE, "raise": RAISE}
_KINDS: dict[str, type] = {
    "schema": int,
    "game": str,
    "button": int,
    "stacks": list,
    "antes": list,
    "blinds": list,
    "dead_antes": bool,
    "hole": list,
    "board": str,
    "actions": list,
}


def forced_of(state: HoldemState, what: int) -> list[int]:
    """What each seat had to post, as notes.ANTE or notes.BLIND, whether or not its chips sufficed."""
    due = [0] * state.seats
    for kind, seat, _, amount, _ in state.log[1 : 1 + state.log[0, 0]].tolist():
        if kind == what:
            due[seat] = amount
    return due


def save(state: HoldemState) -> str:
    """A position as JSON, hidden cards included; a position replayed by a history's own rules is rejected."""
    text = _text(state)
    try:
        same = load(text) == state
    except InputError:
        same = False
    if not same:
        raise InputError("this hand was replayed by other rules than ours: save its history instead")
    return text


def _text(state: HoldemState) -> str:
    table, seats = state.table, range(state.seats)
    content = {
        "schema": SCHEMA,
        "game": state.game.name,
        "button": int(table.button),
        "stacks": table.start[: state.seats].tolist(),
        "antes": forced_of(state, notes.ANTE),
        "blinds": forced_of(state, notes.BLIND),
        "dead_antes": bool(table.dead_antes),
        "hole": [_names(state.hole(seat)) for seat in seats],
        "board": cards_text(table.board.tolist()),
        "actions": [str(event.action) for event in state.events if isinstance(event, Acted)],
    }
    return json.dumps(content)


def load(text: str) -> HoldemState:
    """The position that was saved."""
    try:
        content = _read(text)
        state = holdem_game(*split_spec(content["game"])).start(
            [_cards(text) for text in content["hole"]],
            parse_cards(content["board"]),
            stacks=content["stacks"],
            button=content["button"],
            antes=content["antes"],
            blinds=content["blinds"],
            dead_antes=content["dead_antes"],
        )
        for action in content["actions"]:
            state = state.apply(action)
    except InputError as error:
        raise InputError(f"this is no saved hold'em state: {error}") from None
    return state


def _names(cards: Sequence[int]) -> str:
    return "".join(HIDDEN if card < 0 else cards_text([card]) for card in cards)


def _cards(text: str) -> list[int]:
    names = [text[place : place + 2] for place in range(0, len(text), 2)]
    return [card for name in names for card in ((UNKNOWN,) if name == HIDDEN else parse_cards(name))]


def _read(text: str) -> dict[str, Any]:
    """The parts of a saved state, with their types checked."""
    try:
        content = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"no JSON, {error}") from None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        found = content.get("schema") if isinstance(content, dict) else None
        raise InputError(f"its schema is {shorten(found)}, this version reads {SCHEMA}")
    if set(content) != set(_KINDS):
        raise InputError(f"it has {shorten(', '.join(sorted(content)), 200)} where {', '.join(_KINDS)} are needed")
    for name, kind in _KINDS.items():
        if type(content[name]) is not kind:
            raise InputError(f"{name} is no {kind.__name__}")
    if not all(isinstance(word, str) for word in [*content["hole"], *content["actions"]]):
        raise InputError("hole and actions are lists of texts")
    return content


def history_of(state: HoldemState, names: Sequence[str] = ()) -> History:
    """The history of a hand that is over; empty seats are left out, and seat 0 is the first left of the button."""
    if state.actor != NOBODY:
        raise InputError(f"the hand is not over: seat {state.actor} has the turn")
    if names and len(names) != state.seats:
        raise InputError(f"{len(names)} names for {state.seats} seats: one for each is needed")
    table = state.table
    order = [seat for seat in seats_from(int(table.button), state.seats) if table.start[seat] > 0]
    antes, blinds = forced_of(state, notes.ANTE), forced_of(state, notes.BLIND)
    return History(
        game=state.game,
        stacks=tuple(int(table.start[seat]) for seat in order),
        antes=tuple(antes[seat] for seat in order),
        blinds=tuple(blinds[seat] for seat in order),
        dead_antes=bool(table.dead_antes),
        hole=tuple(state.hole(seat) for seat in order),
        steps=tuple(step for event in state.events for step in steps_of(event, order)),
        names=tuple(names[seat] for seat in order) if names else (),
    )


def seats_from(button: int, seats: int) -> list[int]:
    """The seats in the order of a history: from the first left of the button on."""
    return [(button + step) % seats for step in range(1, seats + 1)]


def steps_of(event: Event, order: Sequence[int]) -> list[Step]:
    """What an event adds to a history whose seats are in this order."""
    match event:
        case Acted():
            return [Step(_WHAT[event.action.name], order.index(event.seat), event.action.amount)]
        case BoardDealt():
            return [Step(DEAL, cards=event.cards)]
        case Shown() if UNKNOWN in event.cards:
            return [Step(SHOW, order.index(event.seat))]
        case Shown():
            return [Step(SHOW, order.index(event.seat), cards=event.cards)]
    return []
