"""What everybody at a table saw happen, as plain data: for pages and programs in other languages.

Every event is a mapping with its name as `what`; cards are texts such as Ah, seats count from 0. The same words tell a
hand of hold'em and one of a small game, so that one page can show both.
"""

from collections.abc import Sequence
from typing import Any

from cardwin.cards.card import CARD_NAMES
from cardwin.games.holdem.events import (
    Acted,
    BoardDealt,
    Event,
    HandBegan,
    HandEnded,
    Posted,
    Returned,
    Shown,
    Won,
)
from cardwin.games.holdem.view import HoldemView

EventJson = dict[str, Any]


def card_names(cards: Sequence[int]) -> list[str]:
    """Cards as texts; one that nobody knows is ??."""
    return ["??" if card < 0 else CARD_NAMES[card] for card in cards]


def event_json(event: Event) -> EventJson | None:
    """An event of a hand as plain data, or None for what is no part of a hand."""
    match event:
        case HandBegan():
            return {
                "what": "hand",
                "button": event.button,
                "stacks": list(event.stacks),
                "big_blind": event.big_blind,
            }
        case Posted():
            return {"what": "posted", "seat": event.seat, "kind": event.what, "chips": event.chips}
        case Acted():
            return {
                "what": "acted",
                "seat": event.seat,
                "action": event.action.name,
                "amount": event.action.amount,
                "chips": event.chips,
                "street": event.street,
            }
        case BoardDealt():
            return {"what": "board", "street": event.street, "cards": card_names(event.cards)}
        case Returned():
            return {"what": "returned", "seat": event.seat, "chips": event.chips}
        case Shown():
            return {"what": "shown", "seat": event.seat, "cards": card_names(event.cards)}
        case Won():
            return {"what": "won", "seat": event.seat, "chips": event.chips, "pot": event.pot}
        case HandEnded():
            return {"what": "ended", "won": list(event.won)}
    return None


def events_json(events: Sequence[Event]) -> list[EventJson]:
    """Events as plain data, in order."""
    return [one for one in map(event_json, events) if one is not None]


def choices_of(view: HoldemView) -> list[EventJson]:
    """What the seat may do; a bet or raise with its least and most."""
    return [
        {"name": action.name, "amount": action.amount, "most": view.max_raise_to}
        if action.amount
        else {"name": action.name, "amount": view.to_call if action.name == "call" else 0}
        for action in view.legal_actions
    ]
