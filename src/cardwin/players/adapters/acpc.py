"""Clients of the Annual Computer Poker Competition (protocol 2.0.0): our side is the dealer's.

1. The client connects and sends `VERSION:2.0.0`.
2. The dealer sends the client's view of the match after every action: `MATCHSTATE:position:hand:betting:cards`.
3. Where the client acts, it answers with the same text, a colon and its action: f, c, r, or rAMOUNT in no-limit, where
   the amount is all that the seat puts in during the hand.

Position 0 is the first left of the button. Host and port replace `{host}` and `{port}` in a command, or are appended;
`{game}` is replaced by the file of the option `game=`. In small games the lines are `SmallPosition`s.
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
from cardwin.games.formats.small_states import SmallPosition, action_of
from cardwin.games.holdem.events import Acted, BoardDealt, Dealt, Event
from cardwin.games.holdem.view import LIMIT, HoldemView
from cardwin.players.adapters.adapter import Adapter, Hand, ProgramError, illegal
from cardwin.players.adapters.programs import LOOPBACK, Lines, connected, listening, writable_copy
from cardwin.players.specs import PROGRAM, ProgramSpec, command_words

VERSION = re.compile(r"VERSION:2\.\d+\.\d+")
END = "\r\n"
WAIT = 60  # seconds for a client to connect to a port
MAX_STALE_LINES = 1000  # lines that answer another state
_ACTION = re.compile(r"f|c|r(\d{0,12})")


def betting_text(hand: Hand, limit: bool) -> str:
    """Return the betting of a hand by street, with a slash before each street that was dealt."""
    text, street = "", 0
    spent = {post.seat: 0 for post in hand.posted}
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
    """Return the cards that the seat knows: all hands by position, then the board by street."""
    known = {**hand.shown, hand.seat: hand.hole}
    holes = "|".join(cards_text(known.get(seat, ())) for seat in hand.order)
    return "/".join([holes, *board_texts(hand)])


def board_texts(hand: Hand) -> list[str]:
    """Return the board by street."""
    return [cards_text(cards) for cards in (hand.board[:3], hand.board[3:4], hand.board[4:5])[: hand.street]]


def match_state(hand: Hand, number: int, limit: bool) -> str:
    """Return the seat's view as a line without its end."""
    return f"MATCHSTATE:{hand.position(hand.seat)}:{number}:{betting_text(hand, limit)}:{cards_field(hand)}"


class AcpcClient(Adapter):
    """A connected client. `until` is the time at which its answer is late, if it runs outside the sandbox."""

    def __init__(self, line: Lines, limit: bool | None = None) -> None:
        super().__init__()
        self.until: float | None = None
        self._line = line
        self._sent, self._pending = "", False
        self._limit = limit  # None: known with the first decision; no state with a raise is sent before
        self._has_version = False

    def close(self) -> None:
        """Close the connection, and end the client if we started it."""
        self._line.close()

    def use_betting(self, limit: bool) -> None:
        """Set whether the game is limit, so that all states can be sent before the first decision too."""
        self._limit = limit

    def receive_version(self) -> None:
        """Receive the client's version."""
        if not VERSION.fullmatch(answer := self._receive()):
            raise ProgramError(f"began with {answer[:40]!r} instead of VERSION:2.0.0")
        self._has_version = True

    def _receive(self) -> str:
        if self.until is not None:
            left = self.until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._line.socket.settimeout(left)
        return self._line.receive()

    def begin_hand(self, hand: Hand) -> None:
        """Prepare the state before the first action."""
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
        if not self._has_version:
            self.receive_version()
        self._sent = match_state(hand, self.hands - 1, self._limit is True)
        self.show(self._sent)

    def end_hand(self, hand: Hand) -> None:
        """Send the last state, with the cards that were shown."""
        self._pending = True
        self._send(hand)

    def watch(self, event: Event | Dealt | SmallPosition) -> None:
        """Send a position of a small game; other events become states."""
        if isinstance(event, SmallPosition):
            self.show(event.line)
        else:
            super().watch(event)

    def ask_small(self, position: SmallPosition, rng: Stream) -> Action:  # noqa: ARG002  the client has its own
        """Return the client's action in a small game."""
        letter = self.answer_to(position.line)
        return action_of(position.state, letter) or illegal(letter)

    def ask(self, hand: Hand, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002  the client has its own
        """Return the client's action; lines that answer another state are ignored, as a dealer does."""
        self._limit = bool(view.row[LIMIT])
        self._send(hand)
        return self._action(hand, view, self.answer_to(self._sent))

    def show(self, text: str) -> None:
        """Send a state."""
        self._line.send(text + END)

    def answer_to(self, sent: str) -> str:
        """Return the client's answer to a state; answers to other states are ignored."""
        for _ in range(MAX_STALE_LINES):
            answer = self._receive()
            if answer.startswith(f"{sent}:"):
                return answer.removeprefix(f"{sent}:")
            if not answer.startswith(("MATCHSTATE:", "#", ";")):
                return answer
        raise ProgramError(f"sent {MAX_STALE_LINES} lines that do not answer the state")

    def _action(self, hand: Hand, view: HoldemView, text: str) -> Action:
        self.answered(text)
        match = _ACTION.fullmatch(text)
        if not match:
            return illegal(text)
        if text == "f":
            return FOLD
        if text == "c":
            return CALL if view.to_call else CHECK
        name = "raise" if view.current_bet else "bet"
        if view.row[LIMIT]:
            return Action(name, view.min_raise_to) if not match[1] and view.min_raise_to else illegal(text)
        return Action(name, int(match[1]) - hand.paid_before(view.street)) if match[1] else illegal(text)


def start_client(spec: ProgramSpec) -> AcpcClient:
    """Start a client by its command, in a writable copy of its folder."""
    folder = writable_copy(Path(PROGRAM))
    words = command_words(spec)
    game = spec.option("game")
    if any("{game}" in word for word in words):
        if not game or not (folder / game).is_file():
            raise InputError("the command has {game}: expected game=FILE.game, a file in the program's folder")
        words = [word.replace("{game}", game) for word in words]
    first = folder / words[0]
    if first.is_file():
        words[0] = str(first)
    return AcpcClient(connected(words, folder, ("{host}", "{port}")))


_PORTS: dict[int, socket.socket] = {}


def listen_for(spec: ProgramSpec) -> socket.socket:
    """Return the socket of a specification's port. It stays open, so that clients may connect in any order."""
    port = int(spec.target) if len(spec.target) < 6 else 0
    if not 1 <= port <= 65535:
        raise InputError(f"acpc:{spec.target}: expected a port from 1 to 65535")
    if port not in _PORTS:
        _PORTS[port] = listening(LOOPBACK, port)
    return _PORTS[port]


def client_at_port(spec: ProgramSpec) -> AcpcClient:
    """Return the next client that connects to a port of this machine."""
    server, wait = listen_for(spec), spec.int_option("wait", WAIT, 86_400)
    server.settimeout(wait)
    try:
        connection, _ = server.accept()
    except TimeoutError:
        raise InputError(f"{spec.text}: no client connected within {wait} s (wait= changes that)") from None
    with suppress(OSError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client = AcpcClient(Lines(connection))
    client.until = time.monotonic() + wait
    try:
        client.receive_version()
    except (ProgramError, TimeoutError) as error:
        connection.close()
        raise InputError(f"{spec.text}: the client {str(error) or 'sent nothing in time'}") from None
    return client
