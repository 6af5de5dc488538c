"""The finished hands of a table as their person saw them: a list, the course of the winnings, and files to keep."""

import csv
import io
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from cardwin.core.errors import InputError
from cardwin.web.answers import Answer, NotHereError
from cardwin.web.tables import Table, room_of, table_of

router = APIRouter(prefix="/api/tables", tags=["tables"])
MOST_HANDS = 200  # of one answer, the last ones
MOST_POINTS = 300


@router.get("/{table_id}/session")
def session(table_id: str, request: Request, token: str = "") -> Answer:
    """The last 200 hands with cards, board, result and EV loss, and the winnings by hand with their interval: the
    95% interval of the mean, valid at any stop, times the number of hands.
    """
    table, seat = table_of(room_of(request), table_id, token)
    hands = table.interactive.hands
    table.score(seat)
    return Answer(
        {
            "total": len(hands),
            "hands": [_row(table, place, seat) for place in range(max(0, len(hands) - MOST_HANDS), len(hands))],
            "winnings": _winnings(table, seat),
        }
    )


def _row(table: Table, place: int, seat: int) -> dict[str, Any]:
    from cardwin.arena.interactive.table import known_cards

    hand = table.interactive.hands[place]
    own = [chips for at, chips in hand.ev_loss.items() if hand.events[at]["seat"] == seat]
    return {
        "number": hand.number,
        "won": hand.won[seat],
        "cards": known_cards(table.interactive, hand, seat).get(str(seat), []),
        "board": [card for event in hand.events if event["what"] == "board" for card in event["cards"]],
        "ev_loss": sum(own) if own else None,
        "phh": hand.phh is not None,
    }


def _winnings(table: Table, seat: int) -> dict[str, list[float]]:
    """Chips after each hand, and the bounds of the interval where it was computed; thinned where they are many."""
    total, chips = 0, []
    for hand in table.interactive.hands:
        total += hand.won[seat]
        chips.append(total)
    step = max(1, -(-len(chips) // MOST_POINTS))
    shown = [place for place in range(len(chips)) if place % step == 0 or place == len(chips) - 1]
    bounds = [point for point in table.intervals.get(seat, []) if point[0] - 1 in set(shown)]
    return {
        "hand": [place + 1 for place in shown],
        "chips": [chips[place] for place in shown],
        "at": [count for count, _, _ in bounds],
        "low": [count * low for count, low, _ in bounds],
        "high": [count * high for count, _, high in bounds],
    }


@router.get("/{table_id}/hands/{number}.phh", response_class=PlainTextResponse)
def save_hand(table_id: str, number: int, request: Request, token: str = "") -> PlainTextResponse:
    """A finished hand in PHH, as this person saw it (hidden cards as ????)."""
    table, seat = table_of(room_of(request), table_id, token)
    return _file(_phh(table, number, seat), f"hand-{number}.phh")


@router.get("/{table_id}/hands/{number}.json")
def show_hand(table_id: str, number: int, request: Request, token: str = "") -> Answer:
    """A finished hand to step through: its events, and the cards that this person may know."""
    from cardwin.arena.interactive.table import known_cards

    table, seat = table_of(room_of(request), table_id, token)
    hand = _hand(table, number)
    return Answer(
        {
            "name": str(number),
            "game": table.game,
            "players": table.interactive.names,
            "you": seat,
            "events": hand.events,
            "cards": known_cards(table.interactive, hand, seat),
        }
    )


@router.get("/{table_id}/session.phhs", response_class=PlainTextResponse)
def save_session(table_id: str, request: Request, token: str = "") -> PlainTextResponse:
    """All finished hands of hold'em in PHHS, as this person saw them."""
    table, seat = table_of(room_of(request), table_id, token)
    numbers = [hand.number for hand in table.interactive.hands]
    return _file("\n".join(f"[{number}]\n{_phh(table, number, seat)}" for number in numbers), "session.phhs")


@router.get("/{table_id}/session.csv", response_class=PlainTextResponse)
def save_results(table_id: str, request: Request, token: str = "") -> PlainTextResponse:
    """The results of all finished hands as CSV."""
    table, seat = table_of(room_of(request), table_id, token)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["hand", "cards", "board", "won", "ev_loss"])
    for place in range(len(table.interactive.hands)):
        row = _row(table, place, seat)
        cost = "" if row["ev_loss"] is None else f"{row['ev_loss']:.6g}"
        rows.writerow([row["number"], " ".join(row["cards"]), " ".join(row["board"]), row["won"], cost])
    return _file(text.getvalue(), "session.csv")


def _hand(table: Table, number: int) -> Any:
    hand = next((one for one in table.interactive.hands if one.number == number), None)
    if hand is None:
        raise NotHereError(f"hand {number} is not finished, or does not exist")
    return hand


def _phh(table: Table, number: int, seat: int) -> str:
    hand = _hand(table, number)
    if hand.phh is None:
        raise InputError(f"PHH is for hold'em only: hands of {table.game} are in the table's JSON and CSV")
    return str(hand.phh(seat))


def _file(text: str, name: str) -> PlainTextResponse:
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})
