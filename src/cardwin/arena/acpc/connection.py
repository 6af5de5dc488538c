"""A player of ours at a dealer of the Annual Computer Poker Competition.

1. Connect, and send the version.
2. The dealer sends our view of the match after every action. Each line is replayed by the dealer's rules (the betting,
   our cards, the board), which gives the position; the player is notified of what is new.
3. Where it is our turn, the player acts on its view, and the line goes back with its action. A player that fails
   checks or folds.
"""

import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from cardwin.arena.referee import Referee, Report
from cardwin.core.errors import InputError, shorten
from cardwin.core.rng import child, key_of, stream_of
from cardwin.games.base import CALL, CHECK, FOLD, NOBODY, Action
from cardwin.games.formats.acpc import MatchState, position_after, read_match_state
from cardwin.games.formats.acpc_game import GameFile
from cardwin.games.holdem.events import Dealt, HandBegan, MatchBegan
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.view import HoldemView, legal_text, read_move
from cardwin.players.adapters.adapter import ProgramError
from cardwin.players.adapters.programs import Lines
from cardwin.players.registry import PlayerBuilder
from cardwin.players.specs import Untrusted, is_untrusted

VERSION = "VERSION:2.0.0\r\n"
MOST_COMMENTS = 10_000  # lines in a row that are no states


@dataclass
class Score:
    """What a player won at a dealer, hand by hand; `report` has its faults, `note` how the match ended."""

    won: list[int] = field(default_factory=list)
    report: Report = field(default_factory=Report)
    note: str = ""


class Seat:
    """The player's seat at a dealer's table: it follows the hands and decides."""

    def __init__(self, file: GameFile, spec: str, seed: int, limit: float | None) -> None:
        self.file, self._key = file, key_of(seed, "connect")
        self._player: Any = PlayerBuilder(spec, Untrusted(limit))()
        self.referee = Referee([spec], limit)
        self._watch = getattr(self._player, "watch", None)
        if self._watch is not None:
            self._watch = self.referee.watcher(0, self._watch)
            self._watch(MatchBegan(len(file.stacks)))
        self._hand, self._seen, self._rng = -1, 0, stream_of(0)
        self.won: dict[int, int] = {}

    def follow(self, state: MatchState, position: HoldemState) -> None:
        """Notify the player of what is new, and keep the result of a hand that is over."""
        seats = len(self.file.stacks)
        if state.hand != self._hand:
            self._hand, self._seen, self._rng = state.hand, 0, stream_of(child(self._key, state.hand))
            self.referee.begin_hand(len(self.won) + 1)
            if self._watch is not None:
                blind = self.file.game.min_bet
                self._watch(HandBegan(seats - 1, self.file.stacks, blind, state.position))
                if getattr(self._player, "sees_cards", False):
                    self._watch(Dealt(position.hole(state.position)))
        events = position.events
        if self._watch is not None:
            for event in events[self._seen :]:
                self._watch(event)
        self._seen = len(events)
        if position.actor == NOBODY:
            self.won[state.hand] = position.returns()[state.position]

    @property
    def report(self) -> Report:
        """The player's faults."""
        return self.referee.report()

    def respond(self, text: str) -> tuple[str | None, bool]:
        """The answer to a line of the dealer, if it is our turn, and whether the hand is over."""
        state = read_match_state(text)
        position = position_after(self.file, state)
        self.follow(state, position)
        if position.actor != state.position:
            return None, position.actor == NOBODY
        view = position.view(state.position)
        spent = [whole - now for whole, now in zip(view.contributed, view.bets, strict=True)]
        return self.decide(view, spent), False

    def decide(self, view: HoldemView, spent: Sequence[int]) -> str:
        """The player's action as the dealer reads it; `spent` are each seat's chips of earlier streets."""
        passive = FOLD if view.to_call else CHECK
        answer = self.referee.ask(0, self._player.act, view, self._rng)
        action = passive if answer is None else answer
        try:
            action = _legal(view, action)
        except InputError as error:
            self.referee.blame(0, str(error))
            action = passive
        else:
            self.referee.accept(0)
        if action == FOLD:
            return "f"
        if action in (CALL, CHECK):
            return "c"
        return "r" if self.file.game.kind == "limit" else f"r{action.amount + spent[view.seat]}"


def _legal(view: HoldemView, move: Action) -> Action:
    """The action that a move means, checked against the view."""
    action = read_move(view, move)
    if action == FOLD and not view.to_call:
        raise InputError("no fold where checking is free")
    if action.name in ("bet", "raise") and not view.min_raise_to <= action.amount <= view.max_raise_to:
        raise InputError(f"no {action}: {legal_text(view)}")
    return action


class Responder(Protocol):
    """A seat of any game: it answers the dealer's lines, and keeps what it won by hand."""

    won: dict[int, int]

    @property
    def report(self) -> Report:
        """The player's faults."""

    def respond(self, text: str) -> tuple[str | None, bool]:
        """The answer to a line, if it is our turn, and whether the hand is over."""


def holdem_seat(file: GameFile, spec: str, seed: int, limit: float | None = None) -> Seat:
    """A player of ours at a table of hold'em, ready to answer at once."""
    seat = Seat(file, spec, seed, limit)
    _warm_up(file, spec)
    return seat


def play_at(host: str, port: int, seat: Responder, wait: float = 600.0) -> Score:
    """Play at a dealer until it closes the connection; `wait` is the longest silence in seconds."""
    try:
        connection = socket.create_connection((host, port), min(wait, 10.0))
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error or "no answer"
        raise InputError(f"no dealer at {host}:{port}: {why}") from None
    connection.settimeout(wait)
    line, score = Lines(connection), Score()
    try:
        line.send(VERSION)
        score.note = _play(line, seat)
    except TimeoutError:
        raise InputError(f"the dealer at {host}:{port} sent nothing for {wait:g} s") from None
    finally:
        line.close()
    if not seat.won:
        raise InputError(f"the dealer at {host}:{port} closed the connection before the end of a hand")
    score.won, score.report = [seat.won[hand] for hand in sorted(seat.won)], seat.report
    return score


def _warm_up(file: GameFile, spec: str) -> None:
    """Compile what the first decision needs, before the dealer waits for it."""
    cards = "AhKh" + "|" * (len(file.stacks) - 1)
    position = position_after(file, MatchState(0, 0, "", cards))
    if not is_untrusted(spec) and position.actor != NOBODY:
        view = position.view(position.actor)
        with suppress(InputError):
            PlayerBuilder(spec)().act(view, stream_of(0))


def _play(line: Lines, seat: Responder) -> str:
    """Answer the dealer's lines until it closes; returns what was unusual about the end."""
    comments, over = 0, True
    while True:
        try:
            text = line.receive()
        except ProgramError as error:
            if "closed" in str(error):
                return "" if over else "the dealer closed the connection in the middle of a hand"
            raise InputError(f"the dealer {error}") from None
        if not text or text.startswith(("#", ";")):
            comments += 1
            if comments > MOST_COMMENTS:
                raise InputError(f"the dealer sent {MOST_COMMENTS} lines that are no states")
            continue
        comments = 0
        over = _answer(line, seat, text)


def _answer(line: Lines, seat: Responder, text: str) -> bool:
    """Follow one line and answer it if it is our turn; whether the hand is over."""
    try:
        answer, over = seat.respond(text)
    except InputError as error:
        raise InputError(f"the dealer sent {shorten(text, 60)!r}: {error}") from None
    if answer is not None:
        with suppress(ProgramError):  # a closed line is noticed at the next receipt
            line.send(f"{text}:{answer}\r\n")
    return over
