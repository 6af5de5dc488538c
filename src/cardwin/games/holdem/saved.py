"""Positions as JSON, and the histories of finished hands.

A saved position contains the inputs (game, stacks, button, cards, forced bets) and the actions. Loading replays them by
the rules, so an edited file is either another legal hand or rejected.
"""

import json
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cardwin.cards.card import cards_text, parse_cards
from cardwin.core.errors import InputError
from cardwin.core.field_errors import field_error
from cardwin.games.base import NOBODY
from cardwin.games.holdem import events
from cardwin.games.holdem.events import Acted, BoardDealt, Event, Shown, card_names
from cardwin.games.holdem.game import holdem_game
from cardwin.games.holdem.history import CALL, DEAL, FOLD, RAISE, SHOW, History, Step
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import UNKNOWN
from cardwin.games.specs import split_spec

HIDDEN = "??"  # a card that is unknown
_STEPS = {"fold": FOLD, "check": CALL, "call": CALL, "bet": RAISE, "raise": RAISE}


class SavedPosition(BaseModel):
    """A position's inputs and actions. Chips are by seat; cards are texts such as `AhKh`, with ?? for hidden ones."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    schema_version: Literal[2] = Field(default=2, alias="schema")
    game: str
    button: int
    stacks: list[int]
    antes: list[int]
    blinds: list[int]
    dead_antes: bool
    hole: list[str]
    board: str
    actions: list[str]


def forced_bets_of(state: HoldemState, kind: int) -> list[int]:
    """Return what each seat had to post, events.ANTE or events.BLIND, whether or not its chips sufficed."""
    due = [0] * state.seats
    for logged, seat, _, amount, _ in state.log[1 : 1 + state.log[0, 0]].tolist():
        if logged == kind:
            due[seat] = amount
    return due


def save(state: HoldemState) -> str:
    """Return a position as JSON, hidden cards included.

    Raises:
        InputError: If our rules do not lead to the position, as after a replay by another dealer's customs.

    """
    table = state.table
    content = SavedPosition(
        game=state.game.name,
        button=int(table.button),
        stacks=table.start[: state.seats].tolist(),
        antes=forced_bets_of(state, events.ANTE),
        blinds=forced_bets_of(state, events.BLIND),
        dead_antes=bool(table.dead_antes),
        hole=["".join(card_names(state.hole(seat))) for seat in range(state.seats)],
        board=cards_text(table.board.tolist()),
        actions=[str(event.action) for event in state.events if isinstance(event, Acted)],
    )
    text = json.dumps(content.model_dump(by_alias=True))
    try:
        equal = load(text) == state
    except InputError:
        equal = False
    if not equal:
        raise InputError("this hand was replayed by other rules than ours: save its history instead")
    return text


def load(text: str) -> HoldemState:
    """Return the position that was saved.

    Raises:
        InputError: If the text is not a saved position, or a rule forbids one of its actions.

    """
    try:
        content = SavedPosition.model_validate_json(text)
        state = holdem_game(*split_spec(content.game)).start(
            [_cards(hole) for hole in content.hole],
            parse_cards(content.board),
            stacks=content.stacks,
            button=content.button,
            antes=content.antes,
            blinds=content.blinds,
            dead_antes=content.dead_antes,
        )
        for action in content.actions:
            state = state.apply(action)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"])) or "file"
        raise InputError(f"invalid saved hold'em state: {where}: {field_error(problem)}") from None
    except InputError as error:
        raise InputError(f"invalid saved hold'em state: {error}") from None
    return state


def _cards(text: str) -> list[int]:
    names = [text[index : index + 2] for index in range(0, len(text), 2)]
    return [card for name in names for card in ((UNKNOWN,) if name == HIDDEN else parse_cards(name))]


def history_of(state: HoldemState, names: Sequence[str] = ()) -> History:
    """Return the history of a finished hand. Empty seats are omitted; seat 0 is the first left of the button.

    Args:
        state: The last position.
        names: The players' names by seat; none by default.

    Raises:
        InputError: If the hand is not over, or the number of names is wrong.

    """
    if state.actor != NOBODY:
        raise InputError(f"the hand is not over: seat {state.actor} has the turn")
    if names and len(names) != state.seats:
        raise InputError(f"expected {state.seats} names, one per seat, got {len(names)}")
    table = state.table
    order = [seat for seat in seats_from(int(table.button), state.seats) if table.start[seat] > 0]
    antes, blinds = forced_bets_of(state, events.ANTE), forced_bets_of(state, events.BLIND)
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
    """Return the seats in the order of a history, which begins left of the button."""
    return [(button + step) % seats for step in range(1, seats + 1)]


def steps_of(event: Event, order: Sequence[int]) -> list[Step]:
    """Return the steps of an event in a history whose seats are in this order."""
    match event:
        case Acted():
            return [Step(_STEPS[event.action.name], order.index(event.seat), event.action.amount)]
        case BoardDealt():
            return [Step(DEAL, cards=event.cards)]
        case Shown() if UNKNOWN in event.cards:
            return [Step(SHOW, order.index(event.seat))]
        case Shown():
            return [Step(SHOW, order.index(event.seat), cards=event.cards)]
    return []
