"""A player of ours at a dealer of the Annual Computer Poker Competition.

1. Connect, and send the version.
2. The dealer sends our view of the match after every action. Each line is replayed by the dealer's rules (the betting,
   our cards, the board), which gives the position; the player receives the new events.
3. If it is our turn, the player acts on its view, and the line is returned with its action. A player that fails checks
   or folds.

`HoldemSeat` is a player's seat at a table of hold'em, `SmallSeat` that of a policy or a program in Kuhn poker or Leduc
hold'em.
"""

import socket
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from cardwin.arena.referee import Referee, Report
from cardwin.arena.small_match import seated_player
from cardwin.arena.state_table import legal_answer
from cardwin.core.errors import InputError, shorten
from cardwin.core.rng import child, key_of, stream_of
from cardwin.games.base import CALL, CHECK, FOLD, NOBODY, Action, Game, small_view
from cardwin.games.formats.acpc import MatchState, position_after, read_match_state
from cardwin.games.formats.acpc_game import GameFile
from cardwin.games.formats.small_states import SmallPosition, letter_of
from cardwin.games.holdem.events import Dealt, HandBegan, MatchBegan
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.view import HoldemView, legal_text, read_move
from cardwin.players.adapters.adapter import ProgramError
from cardwin.players.adapters.programs import Lines
from cardwin.players.registry import PlayerBuilder
from cardwin.players.specs import Untrusted, is_untrusted

VERSION = "VERSION:2.0.0\r\n"
MOST_COMMENTS = 10_000  # lines in a row other than states


@dataclass
class Score:
    """A player's chips at a dealer, hand by hand, its faults, and a note on the end of the match."""

    won: list[int] = field(default_factory=list)
    report: Report = field(default_factory=Report)
    note: str = ""


class Seat:
    """A player's seat at a dealer's table: it answers the dealer's lines, and stores what it won by hand."""

    def __init__(self, player: Any, spec: str, seed: int, limit: float | None) -> None:
        self.player, self._key = player, key_of(seed, "connect")
        self.referee = Referee([spec], limit)
        watch = getattr(player, "watch", None)
        self.watch = None if watch is None else self.referee.watcher(0, watch)
        self.won: dict[int, int] = {}
        self._hand = -1

    @property
    def report(self) -> Report:
        """The player's faults."""
        return self.referee.report()

    def begins_hand(self, state: MatchState) -> bool:
        """Return whether a state is the first of a hand, to which faults then belong."""
        if state.hand == self._hand:
            return False
        self._hand = state.hand
        self.referee.begin_hand(len(self.won) + 1)
        return True

    def respond(self, text: str) -> tuple[str | None, bool]:
        """Return the answer to a line of the dealer, if it is our turn, and whether the hand is over."""
        raise NotImplementedError


class SmallSeat(Seat):
    """The seat of a policy or a program in a small game."""

    def __init__(self, game: Game, spec: str, seed: int, limit: float | None = None) -> None:
        super().__init__(seated_player(game, spec, limit), spec, seed, limit)
        self.game = game

    def respond(self, text: str) -> tuple[str | None, bool]:
        """Return the answer to a line of the dealer, if it is our turn, and whether the hand is over."""
        shown = read_match_state(text)
        position = SmallPosition(self.game.name, text, self.begins_hand(shown))
        state = position.state
        if self.watch is not None:
            self.watch(position)
        if state.actor == NOBODY:
            self.won[shown.hand] = state.returns()[shown.position]
        if state.actor != shown.position:
            return None, state.actor == NOBODY
        stream = stream_of(child(child(self._key, shown.hand), len(shown.betting)))
        view = position if self.watch is not None else small_view(state, state.actor)
        return letter_of(legal_answer(self.referee, 0, self.player, view, state, stream, self.game.name)), False


class HoldemSeat(Seat):
    """The seat of a player of ours at a table of hold'em, ready to answer at once."""

    def __init__(self, file: GameFile, spec: str, seed: int, limit: float | None = None) -> None:
        super().__init__(PlayerBuilder(spec, Untrusted(limit))(), spec, seed, limit)
        self.file, self._seen, self._rng = file, 0, stream_of(0)
        if self.watch is not None:
            self.watch(MatchBegan(len(file.stacks)))
        _warm_up(file, spec)

    def respond(self, text: str) -> tuple[str | None, bool]:
        """Return the answer to a line of the dealer, if it is our turn, and whether the hand is over."""
        state = read_match_state(text)
        position = position_after(self.file, state)
        self._follow(state, position)
        if position.actor == NOBODY:
            self.won[state.hand] = position.returns()[state.position]
        if position.actor != state.position:
            return None, position.actor == NOBODY
        return self._decide(position.view(state.position)), False

    def _follow(self, state: MatchState, position: HoldemState) -> None:
        """Notify the player of the new events."""
        if self.begins_hand(state):
            self._seen, self._rng = 0, stream_of(child(self._key, state.hand))
            if self.watch is not None:
                seats = len(self.file.stacks)
                self.watch(HandBegan(seats - 1, self.file.stacks, self.file.game.min_bet, state.position))
                if getattr(self.player, "sees_cards", False):
                    self.watch(Dealt(position.hole(state.position)))
        if self.watch is not None:
            for event in position.events[self._seen :]:
                self.watch(event)
        self._seen = len(position.events)

    def _decide(self, view: HoldemView) -> str:
        """Return the player's action as the dealer reads it."""
        passive = FOLD if view.to_call else CHECK
        answer = self.referee.ask(0, self.player.act, view, self._rng)
        try:
            action = _legal(view, passive if answer is None else answer)
        except InputError as error:
            self.referee.record_fault(0, str(error))
            action = passive
        else:
            self.referee.accept(0)
        if action == FOLD:
            return "f"
        if action in (CALL, CHECK):
            return "c"
        before = view.contributed[view.seat] - view.bets[view.seat]
        return "r" if self.file.game.kind == "limit" else f"r{action.amount + before}"


def _legal(view: HoldemView, move: Action) -> Action:
    """Return the action of a move; raises an error if it is illegal."""
    action = read_move(view, move)
    if action == FOLD and not view.to_call:
        raise InputError("no fold if checking is free")
    if action.name in ("bet", "raise") and not view.min_raise_to <= action.amount <= view.max_raise_to:
        raise InputError(f"no {action}: {legal_text(view)}")
    return action


def play_at(host: str, port: int, seat: Seat, wait: float = 600.0) -> Score:
    """Play at a dealer until it closes the connection.

    Args:
        host: The dealer's machine.
        port: The dealer's port for this player.
        seat: The player's seat.
        wait: The longest silence of the dealer in seconds.

    Raises:
        InputError: there is no dealer, or it breaks the protocol.

    """
    try:
        connection = socket.create_connection((host, port), min(wait, 10.0))
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error or "no answer"
        raise InputError(f"no dealer at {host}:{port}: {reason}") from None
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


def _play(line: Lines, seat: Seat) -> str:
    """Answer the dealer's lines until it closes the connection; return a note if that was in the middle of a hand."""
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
                raise InputError(f"the dealer sent {MOST_COMMENTS} lines that are not states")
            continue
        comments = 0
        over = _answer(line, seat, text)


def _answer(line: Lines, seat: Seat, text: str) -> bool:
    """Answer one line if it is our turn; return whether the hand is over."""
    try:
        answer, over = seat.respond(text)
    except InputError as error:
        raise InputError(f"the dealer sent {shorten(text, 60)!r}: {error}") from None
    if answer is not None:
        with suppress(ProgramError):  # a closed line is noticed at the next receipt
            line.send(f"{text}:{answer}\r\n")
    return over
