"""Interactive tables: opened by a request, played through one WebSocket per person.

A client sends `{"do": "deal"}`, `{"do": "act", "turn": N, "move": "raise 300"}`, `{"do": "hint", "player": "loki"}`,
`{"do": "why", "hand": N, "event": K}` or `{"do": "look"}`. The server sends `look` after every change, `hint`, `why`,
or `refused` with a reason; a refused message changes nothing. `turn` counts decisions, so that duplicate and late
messages are recognised. `{"do": "analyse", "hand": N, "event": K}` takes a finished hand back to a decision: until
`{"do": "leave"}` the person sees and plays this analysis, which changes nothing else.
"""

import asyncio
import json
import secrets
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field

from cardwin.core.errors import InputError
from cardwin.games import names_holdem
from cardwin.web.responses import JsonResponse, NotFoundError, json_text, storage_error
from cardwin.web.settings import ServerSettings

if TYPE_CHECKING:
    from cardwin.arena.interactive_table import InteractiveTable

router = APIRouter(prefix="/api/tables", tags=["tables"])
LONGEST_MESSAGE = 2_000
MOST_SOCKETS = 8  # of one table
DOES = ("deal", "act", "why", "hint", "look", "analyse", "leave")
IDLE = 3_600.0  # seconds after which an unused table may be closed to make space


class NewTable(BaseModel):
    """The settings of a new table.

    One of the players is `person`; with `open_cards` all cards are shown after each hand, with every player's
    explanation.
    """

    model_config = ConfigDict(extra="forbid")
    game: Annotated[str, Field(max_length=200)]
    players: Annotated[list[Annotated[str, Field(max_length=2000)]], Field(min_length=2, max_length=10)]
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    open_cards: bool = False


@dataclass(frozen=True)
class Analysis:
    """A finished hand that a person continues from one of its decisions; `played` are the chips really won."""

    table: "InteractiveTable"
    hand: int
    event: int
    played: int


@dataclass
class Table:
    """An open table: its players, the token of each person, and the connected sockets."""

    id: str
    game: str
    players: list[str]
    interactive: "InteractiveTable"
    tokens: dict[str, int]
    opened: float
    turn: int = 0
    used: float = 0.0
    saved_hands: int = 0
    notice: str = ""
    after: threading.Event | None = None
    scores: dict[int, dict[str, Any]] = field(default_factory=dict)
    intervals: dict[int, list[tuple[int, float, float]]] = field(default_factory=dict)
    hints: Counter[int] = field(default_factory=Counter)
    analyses: dict[int, Analysis] = field(default_factory=dict)
    sockets: dict[WebSocket, int] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def shown(self, seat: int) -> "InteractiveTable":
        """Return the table that a person plays now: this one, or an analysis of one of its hands."""
        return self.analyses[seat].table if seat in self.analyses else self.interactive

    def score(self, seat: int) -> dict[str, Any]:
        """Return the person's result, computed once per hand."""
        if self.scores.get(seat, {}).get("hands") != len(self.interactive.hands):
            score = self.scores[seat] = self.interactive.score(seat)
            if played := score.get("played"):
                chips = score["chips_per_unit"]
                point = score["hands"], chips * played["low"], chips * played["high"]
                self.intervals.setdefault(seat, []).append(point)
        return self.scores[seat]

    def seen(self, seat: int) -> dict[str, Any]:
        """Return the message for a person's page."""
        return {
            "type": "look",
            "table": self.id,
            "game": self.game,
            "players": self.interactive.names,
            "specs": self.players,
            "hints": self.hints[seat],
            "seat": seat,
            "open_cards": self.interactive.open_cards,
            "turn_number": self.turn,
            "score": self.score(seat),
            "notice": self.notice,
            "analysis": self._analysis(seat),
            **self.shown(seat).look(seat),
        }

    def _analysis(self, seat: int) -> dict[str, int] | None:
        analysis = self.analyses.get(seat)
        if analysis is None:
            return None
        return {name: getattr(analysis, name) for name in ("hand", "event", "played")}


class Room:
    """All open tables."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.tables: dict[str, Table] = {}
        self.small_ready = threading.Event()  # hands of hold'em wait for it (`server.compile_kernels`)
        self.small_ready.set()

    def make_space(self) -> None:
        """If there are too many tables, close the one that has been unused for longest."""
        if len(self.tables) < self.settings.most_tables:
            return
        unused = [table for table in self.tables.values() if not table.sockets]
        unused = [table for table in unused if time.monotonic() - table.used > IDLE] or unused
        if not unused:
            raise InputError(f"{len(self.tables)} tables are in use: wait until one is free")
        del self.tables[min(unused, key=lambda table: table.used).id]


def room_of(request: Request | WebSocket) -> Room:
    """Return the application's tables."""
    room: Room = request.app.state.room
    return room


@router.post("", status_code=201)
async def open_table(new: NewTable, request: Request) -> JsonResponse:
    """Open a table; the answer has its id, the address of its socket, and the token of each person."""
    room = room_of(request)
    room.make_space()
    table = await asyncio.to_thread(_opened, new, room.settings)
    table.after = room.small_ready if names_holdem(table.game) else None
    room.tables[table.id] = table
    seats = {seat: token for token, seat in table.tokens.items()}
    host = request.headers["host"]
    return JsonResponse(
        {
            "id": table.id,
            "game": table.game,
            "players": table.interactive.names,
            "socket": f"ws://{host}/api/tables/{table.id}/socket",
            "token": seats[min(seats)],
            "tokens": {str(seat): token for seat, token in seats.items()},
        },
        201,
    )


def _opened(new: NewTable, settings: ServerSettings) -> Table:
    from cardwin.analysis.ev_loss import closing_calls
    from cardwin.arena.interactive_table import people_in
    from cardwin.arena.interactive_tables import open_table as open_interactive
    from cardwin.core.rng import random_seed
    from cardwin.web.players import resolve_players

    game, specs = resolve_players(settings.home, new.game, new.players, settings.seats)
    seed = random_seed() if new.seed is None else new.seed
    interactive = open_interactive(game, specs, seed, new.open_cards, new.players, closing_calls)
    tokens = {secrets.token_urlsafe(18): seat for seat in people_in(specs)}
    now = time.time()
    return Table(secrets.token_urlsafe(9), game, list(new.players), interactive, tokens, now, used=time.monotonic())


@router.get("")
async def list_tables(request: Request) -> JsonResponse:
    """Open tables and stored finished tables, without their cards."""
    from cardwin.web.saved_tables import saved_tables

    room = room_of(request)
    now = [
        {
            "id": table.id,
            "game": table.game,
            "players": table.interactive.names,
            "hands": len(table.interactive.hands),
            "open": True,
            "opened": table.opened,
        }
        for table in room.tables.values()
    ]
    known = set(room.tables)
    saved = await asyncio.to_thread(saved_tables, room.settings.tables_home)
    old = [table for table in saved if table["id"] not in known]
    return JsonResponse({"tables": [*now, *old]})


def seat_of(table: Table, token: str) -> int:
    """Return the seat of the person with a token."""
    for known, seat in table.tokens.items():
        if secrets.compare_digest(known.encode(), token.encode()):
            return seat
    raise NotFoundError("no such table, or a wrong token")


def table_of(room: Room, table_id: str, token: str) -> tuple[Table, int]:
    """Return the open table with an id, and the seat of the person with a token."""
    table = room.tables.get(table_id)
    if table is None:
        raise NotFoundError("no such table, or a wrong token")
    return table, seat_of(table, token)


@router.get("/{table_id}")
async def show_table(table_id: str, request: Request, token: str = "") -> JsonResponse:
    """Return the view of the person with this token; for a finished table, its stored hands."""
    from cardwin.web.saved_tables import saved_table

    room = room_of(request)
    if table_id in room.tables:
        table, seat = table_of(room, table_id, token)
        return JsonResponse(table.seen(seat))
    saved = await asyncio.to_thread(saved_table, room.settings.tables_home, table_id, token)
    if saved is None:
        raise NotFoundError("no such table, or a wrong token")
    return JsonResponse(saved)


@router.websocket("/{table_id}/socket")
async def play(socket: WebSocket, table_id: str, token: str = "") -> None:
    """Serve the socket of a person at a table."""
    room = room_of(socket)
    try:
        table, seat = table_of(room, table_id, token)
    except InputError as error:
        await socket.close(4404, str(error))
        return
    if len(table.sockets) >= MOST_SOCKETS:
        await socket.close(4429, f"{MOST_SOCKETS} windows already show this table")
        return
    await socket.accept()
    table.sockets[socket] = seat
    try:
        answer: dict[str, Any] | None = table.seen(seat)
        # A closed tab ends the loop; the table stays open. Any other error is a bug and is raised.
        while answer is None or await _sent(socket, json_text(answer)):
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                break
            answer = await _answer(table, seat, message.get("text"), room.settings)
    finally:
        table.sockets.pop(socket, None)
        table.used = time.monotonic()


async def _sent(socket: WebSocket, text: str) -> bool:
    """Send a frame; return False if the tab was closed."""
    try:
        await socket.send_text(text)
    except (WebSocketDisconnect, RuntimeError):
        return False
    return True


async def _answer(table: Table, seat: int, text: str | None, settings: ServerSettings) -> dict[str, Any] | None:
    """Handle a message; return the answer to its sender, or None if all sockets are notified."""
    try:
        asked = _read(text)
        async with table.lock:
            table.used = time.monotonic()
            return await _do(table, seat, asked, settings)
    except InputError as error:
        return {"type": "refused", "reason": str(error), "turn_number": table.turn}


def _read(text: str | None) -> dict[str, Any]:
    if text is None or len(text) > LONGEST_MESSAGE:
        raise InputError(f"a message is a JSON object of at most {LONGEST_MESSAGE} characters")
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError('this is not JSON; an example is {"do": "look"}') from None
    if not isinstance(asked, dict) or asked.get("do") not in DOES:
        raise InputError(f'"do" is one of {", ".join(DOES)}')
    return asked


async def _do(table: Table, seat: int, asked: dict[str, Any], settings: ServerSettings) -> dict[str, Any] | None:
    if asked["do"] == "look":
        return table.seen(seat)
    if asked["do"] == "why":
        from cardwin.arena.interactive_tables import explain_action

        return {"type": "why", **explain_action(table.shown(seat), seat, _whole(asked, "hand"), _whole(asked, "event"))}
    if asked["do"] == "hint":
        advice = await asyncio.to_thread(_hint, table, seat, asked.get("player"), settings)
        table.hints[seat] += seat not in table.analyses
        return {"type": "hint", "turn_number": table.turn, "hints": table.hints[seat], **advice}
    if asked["do"] == "act":
        if _whole(asked, "turn") != table.turn:
            raise InputError(
                f"this message is for turn {asked['turn']}, but the table is at turn {table.turn}: nothing was done"
            )
        move = asked.get("move")
        if not isinstance(move, str):
            raise InputError('"move" is a text such as call or raise 300')
        await asyncio.to_thread(table.shown(seat).take, seat, move)
    elif asked["do"] == "analyse":
        await asyncio.to_thread(_analyse, table, seat, _whole(asked, "hand"), _whole(asked, "event"))
    elif asked["do"] == "leave":
        table.analyses.pop(seat, None)
    else:
        if seat in table.analyses:
            raise InputError("an analysis is open: leave it before the next hand")
        if table.after is not None and not table.after.is_set():
            await asyncio.to_thread(table.after.wait)
        await asyncio.to_thread(table.interactive.deal)
    table.turn += 1
    if len(table.interactive.hands) > table.saved_hands:
        await asyncio.to_thread(_save, table, settings)
    await _notify_all(table)
    return None


def _analyse(table: Table, seat: int, number: int, event: int) -> None:
    """Take a finished hand back to a decision of a person."""
    from cardwin.arena.interactive_tables import replay_from

    replayed = replay_from(table.interactive, seat, number, event)
    played = next(hand.won[seat] for hand in table.interactive.hands if hand.number == number)
    table.analyses[seat] = Analysis(replayed, number, event, played)


def _hint(table: Table, seat: int, spec: object, settings: ServerSettings) -> dict[str, Any]:
    """Return advice for a person: exact in a small game, otherwise that of the named player."""
    from cardwin.players.registry import named_game
    from cardwin.web.players import resolve_player

    rules = named_game(table.game)
    if not names_holdem(table.game):
        return table.shown(seat).hint(seat, "", "")
    if not isinstance(spec, str):
        raise InputError('"player" names whose advice is wanted, such as loki')
    return table.shown(seat).hint(seat, resolve_player(settings.home, rules, spec), spec)


def _save(table: Table, settings: ServerSettings) -> None:
    from cardwin.web.saved_tables import save_hands

    try:
        save_hands(
            settings.tables_home, table.id, table.game, table.opened, table.interactive, table.tokens, table.saved_hands
        )
        table.saved_hands, table.notice = len(table.interactive.hands), ""
    except OSError as error:  # the table goes on, and the next hand's end tries again
        table.notice = f"This table could not be stored: {storage_error(error)}."


def _whole(asked: dict[str, Any], name: str) -> int:
    value = asked.get(name)
    if type(value) is not int or abs(value) > 2**53:
        raise InputError(f'"{name}" is a whole number')
    return value


async def _notify_all(table: Table) -> None:
    seen = {seat: json_text(table.seen(seat)) for seat in set(table.sockets.values())}
    for socket, seat in list(table.sockets.items()):
        await _sent(socket, seen[seat])
