"""Clients of the Annual Computer Poker Competition (protocol 2.0.0): our side is the dealer's.

1. The client connects and sends `VERSION:2.0.0`.
2. The dealer sends the client's view of the match after every action: `MATCHSTATE:position:hand:betting:cards`.
3. Where the client acts, it answers with the same text, a colon and its action: f, c, r, or rAMOUNT in no-limit, where
   the amount is all that the seat puts in during the hand.

Position 0 is the first left of the button. A command is started with host and port as its last words, or where it has
`{host}`, `{port}` and `{game}`; the last is the file that the option `game=` names.
"""

import re
import socket
import time
from contextlib import suppress
from pathlib import Path

from cardwin.cards.card import cards_text
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem.events import Acted, BoardDealt, Event
from cardwin.games.holdem.view import LIMIT, HoldemView
from cardwin.players.adapters.adapter import Adapter, Hand, ProgramError, illegal
from cardwin.players.adapters.programs import LOOPBACK, Lines, connected, listening, writable_copy
from cardwin.players.specs import PROGRAM, ProgramSpec, command_words

VERSION = re.compile(r"VERSION:2\.\d+\.\d+")
END = "\r\n"
WAIT = 60  # seconds for a client to connect to a port
MOST_STALE = 1000  # lines that answer no question
_ACTION = re.compile(r"f|c|r(\d{0,12})")


def betting_text(hand: Hand, limit: bool) -> str:
    """The betting of a hand by street, a slash before each that was dealt."""
    text, street = "", 0
    spent = {one.seat: 0 for one in hand.posted}
    for posted in hand.posted:
        spent[posted.seat] += posted.chips
    for move in hand.moves:
        text += "/" * (move.street - street)
        street = move.street
        spent[move.seat] = spent.get(move.seat, 0) + move.chips
        if move.action.name in ("bet", "raise"):
            text += "r" if limit else f"r{spent[move.seat]}"
        else:
            text += "f" if move.action.name == "fold" else "c"
    return text + "/" * (hand.street - street)


def cards_field(hand: Hand) -> str:
    """The cards that the seat knows: all hands by position, then the board by street."""
    known = {**hand.shown, hand.seat: hand.hole}
    order = sorted(range(hand.seats), key=hand.position)
    board = [hand.board[:3], hand.board[3:4], hand.board[4:5]][: hand.street]
    return "/".join(["|".join(cards_text(known.get(seat, ())) for seat in order), *map(cards_text, board)])


def match_state(hand: Hand, number: int, limit: bool) -> str:
    """The seat's view as a line without its end."""
    return f"MATCHSTATE:{hand.position(hand.seat)}:{number}:{betting_text(hand, limit)}:{cards_field(hand)}"


class AcpcClient(Adapter):
    """A connected client. `until` is the time at which its answer is late, where it has no sandbox to end it."""

    def __init__(self, line: Lines, limit: bool | None = None) -> None:
        super().__init__()
        self.until: float | None = None
        self._line = line
        self._sent, self._pending = "", False
        self._limit = limit  # None: known with the first decision; no state with a raise is sent before
        self._greeted = False

    def close(self) -> None:
        """Close the connection, and end the client if we started it."""
        self._line.close()

    def plays(self, limit: bool) -> None:
        """Say which game is played, so that every state can be sent from the first on."""
        self._limit = limit

    def greet(self) -> None:
        """Receive the client's version."""
        if not VERSION.fullmatch(answer := self._receive()):
            raise ProgramError(f"began with {answer[:40]!r} instead of VERSION:2.0.0")
        self._greeted = True

    def _receive(self) -> str:
        if self.until is not None:
            left = self.until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._line.socket.settimeout(left)
        return self._line.receive()

    def begin_hand(self, hand: Hand) -> None:
        """Send the state before the first action."""
        if hand.ante:
            raise ProgramError("the competition's games have no antes, and this table has")
        self._pending = True

    def happened(self, hand: Hand, event: Event) -> None:
        """Send the state after each action; a street that follows belongs to the same message."""
        if isinstance(event, Acted):
            before = hand.moves.pop()
            self._send(hand)
            hand.moves.append(before)
            self._pending = True
        elif isinstance(event, BoardDealt):
            self._pending = True

    def _send(self, hand: Hand) -> None:
        """Send the state if it is new."""
        raised = any(move.action.name in ("bet", "raise") for move in hand.moves)
        if not self._pending or (raised and self._limit is None):
            return
        self._pending = False
        if not self._greeted:
            self.greet()
        self._sent = match_state(hand, self.hands - 1, self._limit is True)
        self.show(self._sent)

    def end_hand(self, hand: Hand) -> None:
        """Send the last state, with the cards that were shown."""
        self._pending = True
        self._send(hand)

    def ask(self, hand: Hand, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002  its randomness is its own
        """The client's action; lines that answer another state are ignored, as a dealer does."""
        self._limit = bool(view.row[LIMIT])
        self._send(hand)
        return self._action(hand, view, self.answer_to(self._sent))

    def show(self, text: str) -> None:
        """Send a state."""
        self._line.send(text + END)

    def answer_to(self, sent: str) -> str:
        """The client's action for a state, or what it sent instead; answers to other states are ignored."""
        for _ in range(MOST_STALE):
            answer = self._receive()
            if answer.startswith(f"{sent}:"):
                return answer.removeprefix(f"{sent}:")
            if not answer.startswith(("MATCHSTATE:", "#", ";")):
                return answer
        raise ProgramError(f"sent {MOST_STALE} lines that answer no question")

    def _action(self, hand: Hand, view: HoldemView, text: str) -> Action:
        self.answered(text)
        found = _ACTION.fullmatch(text)
        if not found:
            return illegal(text)
        if text == "f":
            return FOLD
        if text == "c":
            return CALL if view.to_call else CHECK
        name = "raise" if view.current_bet else "bet"
        if view.row[LIMIT]:
            return Action(name, view.min_raise_to) if not found[1] and view.min_raise_to else illegal(text)
        before = hand.paid(hand.seat) - hand.paid(hand.seat, view.street)
        return Action(name, int(found[1]) - before) if found[1] else illegal(text)


def client(spec: ProgramSpec) -> AcpcClient:
    """A client started by its command, in a writable copy of its folder."""
    folder = writable_copy(Path(PROGRAM))
    words = command_words(spec)
    game = spec.option("game")
    if any("{game}" in word for word in words):
        if not game or not (folder / game).is_file():
            raise InputError("the command has {game}: game=FILE.game should name a file in the program's folder")
        words = [word.replace("{game}", game) for word in words]
    first = folder / words[0]
    if first.is_file():
        words[0] = str(first)
    return AcpcClient(connected(words, folder, ("{host}", "{port}")))


_PORTS: dict[int, socket.socket] = {}


def listen_for(spec: ProgramSpec) -> socket.socket:
    """The socket of the port that a specification names, open from here on, so that clients may come in any order."""
    port = int(spec.target) if len(spec.target) < 6 else 0
    if not 1 <= port <= 65535:
        raise InputError(f"acpc:{spec.target}: a port is a number from 1 to 65535")
    if port not in _PORTS:
        _PORTS[port] = listening(LOOPBACK, port)
    return _PORTS[port]


def client_at_port(spec: ProgramSpec) -> AcpcClient:
    """The next client that connects to a port of this machine."""
    server, wait = listen_for(spec), spec.int_option("wait", WAIT, 86_400)
    server.settimeout(wait)
    try:
        connection, _ = server.accept()
    except TimeoutError:
        raise InputError(f"{spec.text}: no client connected within {wait} s (wait= changes that)") from None
    with suppress(OSError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    found = AcpcClient(Lines(connection))
    found.until = time.monotonic() + wait
    try:
        found.greet()
    except (ProgramError, TimeoutError) as error:
        connection.close()
        raise InputError(f"{spec.text}: the client {str(error) or 'sent nothing in time'}") from None
    return found
