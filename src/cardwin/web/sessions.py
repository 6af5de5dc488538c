"""Finished hands: those of a table as its person saw them, with winnings and files; and those of a PHH text."""

import csv
import io
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from cardwin.core.errors import InputError
from cardwin.web.responses import JsonResponse, NotFoundError
from cardwin.web.tables import Table, room_of, table_of

router = APIRouter(prefix="/api/tables", tags=["tables"])
hands_router = APIRouter(prefix="/api/hands", tags=["hands"])
MAX_HANDS = 200  # last hands of an answer
MAX_POINTS = 300
PAGE = 50  # recorded hands of an answer


@router.get("/{table_id}/session")
def session(table_id: str, request: Request, token: str = "") -> JsonResponse:
    """Return the last 200 hands with cards, board, result and EV loss, and the winnings by hand with their interval.

    The interval is the 95% interval of the mean, valid at any stop, times the number of hands.
    """
    table, seat = table_of(room_of(request), table_id, token)
    hands = table.interactive.hands
    table.score(seat)
    return JsonResponse(
        {
            "total": len(hands),
            "hands": [_row(table, index, seat) for index in range(max(0, len(hands) - MAX_HANDS), len(hands))],
            "winnings": _winnings(table, seat),
        }
    )


def _row(table: Table, index: int, seat: int) -> dict[str, Any]:
    from cardwin.arena.interactive_table import known_cards

    hand = table.interactive.hands[index]
    losses = [chips for event, chips in hand.ev_loss.items() if hand.events[event]["seat"] == seat]
    return {
        "number": hand.number,
        "won": hand.won[seat],
        "cards": known_cards(table.interactive, hand, seat).get(str(seat), []),
        "board": [card for event in hand.events if event["what"] == "board" for card in event["cards"]],
        "ev_loss": sum(losses) if losses else None,
        "phh": hand.phh is not None,
    }


def _winnings(table: Table, seat: int) -> dict[str, list[float]]:
    """Return the chips after each hand, and the bounds of the interval if it was computed; long series are thinned."""
    total, chips = 0, []
    for hand in table.interactive.hands:
        total += hand.won[seat]
        chips.append(total)
    step = max(1, -(-len(chips) // MAX_POINTS))
    shown = [index for index in range(len(chips)) if index % step == 0 or index == len(chips) - 1]
    bounds = [point for point in table.intervals.get(seat, []) if point[0] - 1 in set(shown)]
    return {
        "hand": [index + 1 for index in shown],
        "chips": [chips[index] for index in shown],
        "at": [count for count, _, _ in bounds],
        "low": [count * low for count, low, _ in bounds],
        "high": [count * high for count, _, high in bounds],
    }


@router.get("/{table_id}/hands/{number}.phh", response_class=PlainTextResponse)
def save_hand(table_id: str, number: int, request: Request, token: str = "") -> PlainTextResponse:
    """Return a finished hand in PHH, as this person saw it (hidden cards as ????)."""
    table, seat = table_of(room_of(request), table_id, token)
    return _file(_phh(table, number, seat), f"hand-{number}.phh")


@router.get("/{table_id}/hands/{number}.json")
def show_hand(table_id: str, number: int, request: Request, token: str = "") -> JsonResponse:
    """Return a finished hand to step through: its events, and the cards that this person may know."""
    from cardwin.arena.interactive_table import known_cards

    table, seat = table_of(room_of(request), table_id, token)
    hand = _hand(table, number)
    return JsonResponse(
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
    """Return all finished hands of hold'em in PHHS, as this person saw them."""
    table, seat = table_of(room_of(request), table_id, token)
    numbers = [hand.number for hand in table.interactive.hands]
    return _file("\n".join(f"[{number}]\n{_phh(table, number, seat)}" for number in numbers), "session.phhs")


@router.get("/{table_id}/session.csv", response_class=PlainTextResponse)
def save_results(table_id: str, request: Request, token: str = "") -> PlainTextResponse:
    """Return the results of all finished hands as CSV."""
    table, seat = table_of(room_of(request), table_id, token)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["hand", "cards", "board", "won", "ev_loss"])
    for index in range(len(table.interactive.hands)):
        row = _row(table, index, seat)
        cost = "" if row["ev_loss"] is None else f"{row['ev_loss']:.6g}"
        rows.writerow([row["number"], " ".join(row["cards"]), " ".join(row["board"]), row["won"], cost])
    return _file(text.getvalue(), "session.csv")


def _hand(table: Table, number: int) -> Any:
    hand = next((hand for hand in table.interactive.hands if hand.number == number), None)
    if hand is None:
        raise NotFoundError(f"no finished hand {number}")
    return hand


def _phh(table: Table, number: int, seat: int) -> str:
    hand = _hand(table, number)
    if hand.phh is None:
        raise InputError(f"expected hold'em for PHH, got {table.game}: its hands are in the table's JSON and CSV")
    return str(hand.phh(seat))


def _file(text: str, name: str) -> PlainTextResponse:
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


class RecordedHands(BaseModel):
    """The text of a PHH or PHHS file, and the number of its hands to skip."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(max_length=8_000_000)]
    first: Annotated[int, Field(ge=0, le=10_000_000)] = 0


@hands_router.post("")
def read_hands(recorded: RecordedHands) -> JsonResponse:
    """Return up to 50 hands of a PHH or PHHS text with their events, cards, and odds after each event.

    A hand that breaks a rule is listed with its line and the reason. `total` counts all hands of the text.
    """
    from cardwin.analysis.hand_review import hand_json
    from cardwin.games.formats.phh import hands_of
    from cardwin.games.formats.phh_toml import count_headings

    hands: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    for replayed, history in hands_of(recorded.text, recorded.first, PAGE):
        if history is None:
            failed.append({"hand": replayed.hand, "line": replayed.line, "reason": replayed.reason})
        else:
            hands.append({"name": replayed.hand, **hand_json(history)})
    page = {"first": recorded.first, "page": PAGE, "total": count_headings(recorded.text)}
    return JsonResponse({"hands": hands, "failed": failed, **page})
