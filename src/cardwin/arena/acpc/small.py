"""Kuhn poker and Leduc hold'em at tables of the ACPC: policies at a dealer, and a dealer for policies and clients.

The dealer's decks have the highest ranks, so its queen, king and ace are our jack, queen and king. There is no
distinction between calling and checking (c), or betting and raising (r). Position 0 acts first in every round.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from cardwin.arena.acpc.dealer import FailedResponseError, _opened
from cardwin.arena.referee import Report
from cardwin.core.errors import InputError
from cardwin.core.rng import child, draw_below, key_of, stream_of
from cardwin.games import game as game_of
from cardwin.games.base import CHANCE, NOBODY, Action, Game, State, small_view
from cardwin.games.formats.acpc_game import _read_lines
from cardwin.games.formats.matchstate import MatchState, read_match_state
from cardwin.players.adapters.acpc import AcpcClient, client_at_port, listen_for
from cardwin.players.adapters.adapter import ProgramError
from cardwin.players.adapters.specs import read_program, waits_for_client
from cardwin.players.small_games.policies import PolicyPlayer, policy

_THEIRS = {"J": "Q", "Q": "K", "K": "A"}
_OURS = {theirs: ours for ours, theirs in _THEIRS.items()}
_COMMON = {"numPlayers": [2], "blind": [1, 1]}
_FILES: dict[str, dict[str, list[int]]] = {
    "kuhn": {"numRounds": [1], "raiseSize": [1], "maxRaises": [1], "numSuits": [1], "numBoardCards": [0]},
    "leduc": {"numRounds": [2], "raiseSize": [2, 4], "maxRaises": [2, 2], "numSuits": [2], "numBoardCards": [0, 1]},
}


def small_game_of(text: str) -> Game | None:
    """The small game that a game file describes, or None."""
    betting, values = _read_lines(text)
    for name, wanted in _FILES.items():
        needed = _COMMON | wanted | {"numRanks": [3], "numHoleCards": [1]}
        if betting == "limit" and all(values.get(key) == value for key, value in needed.items()):
            return game_of(name)
    return None


def card_text(card: str) -> str:
    """Our card as the dealer names it."""
    return _THEIRS[card[0]] + (card[1:] or "s")


def _our_card(text: str, game: Game) -> str:
    if len(text) != 2 or text[0] not in _OURS or text[1] not in "hs":
        raise InputError(f"{text[:10]!r} is no card of {game.name}")
    return _OURS[text[0]] + (text[1] if game.name == "leduc" else "")


def betting_of(state: Any) -> str:
    """The betting by round, a slash before the second."""
    rounds = state.rounds[: len(state.dealt) - 1] if hasattr(state, "rounds") else (state.moves,)
    letters = {"fold": "f", "check": "c", "call": "c", "bet": "r", "raise": "r"}
    return "/".join("".join(letters[move.name] for move in moves) for moves in rounds)


def state_text(state: Any, number: int, position: int) -> str:
    """A seat's view as a line without its end; at a showdown it sees the other card."""
    betting = betting_of(state)
    shown = state.actor == NOBODY and not betting.endswith("f")
    hole = "|".join(card_text(card) if place == position or shown else "" for place, card in enumerate(state.dealt[:2]))
    board = "".join(f"/{card_text(card)}" for card in state.dealt[2:])
    return f"MATCHSTATE:{position}:{number}:{betting}:{hole}{board}"


def taken(state: State, letter: str) -> State:
    """The position after f, c or r."""
    names = {"f": ("fold",), "c": ("check", "call"), "r": ("bet", "raise")}.get(letter, ())
    for action in state.legal_actions() if state.actor >= 0 else ():
        if action.name in names:
            return state.apply(action)
    raise InputError(f"{letter[:10]!r} is no action here")


def small_position(game: Game, given: MatchState) -> State:
    """The position that a match state describes; a card that the seat does not know is any other."""
    holes, _, board = given.cards.partition("/")
    hole = [_our_card(text, game) if text else "" for text in holes.split("|")]
    if len(hole) != 2 or given.position not in (0, 1) or not hole[given.position]:
        raise InputError("two hands are needed, of which a seat is shown its own")
    public = [_our_card(board, game)] if board else []
    state = game.start()
    deck = [card for card, _ in state.chance_outcomes() if card not in (*hole, *public)]
    for card in hole:
        state = state.apply(card or deck.pop())
    for letter in given.betting:
        if letter != "/":
            state = taken(state, letter)
        elif state.actor == CHANCE and public:
            state = state.apply(public.pop())
        else:
            raise InputError(f"{given.betting[:20]!r} has a round that is not dealt here")
    return state


class SmallSeat:
    """A policy at a dealer's table."""

    def __init__(self, game: Game, spec: str, seed: int) -> None:
        self.game, self._player = game, PolicyPlayer(policy(game, spec))
        self._key, self.won = key_of(seed, "connect"), dict[int, int]()

    @property
    def report(self) -> Report:
        """A policy makes no faults."""
        return Report((0,), (False,))

    def respond(self, text: str) -> tuple[str | None, bool]:
        """The answer to a line of the dealer, if it is the policy's turn, and whether the hand is over."""
        given = read_match_state(text)
        state = small_position(self.game, given)
        if state.actor == NOBODY:
            self.won[given.hand] = state.returns()[given.position]
        if state.actor != given.position:
            return None, state.actor == NOBODY
        rng = stream_of(child(child(self._key, given.hand), len(given.betting)))
        return _letter(self._player.act(small_view(state, given.position), rng)), False


def _letter(action: Action) -> str:
    return "f" if action.name == "fold" else "c" if action.name in ("check", "call") else "r"


@dataclass
class SmallDealt:
    """What each player won in each hand, and what ended the match early, if anything did."""

    won: list[list[int]] = field(default_factory=list)
    ended: str = ""


def deal_small(game: Game, specs: Sequence[str], hands: int, seed: int, *, duplicate: bool = False,
               limit: float | None = None, log: Path | None = None, about: str = "") -> SmallDealt:  # fmt: skip
    """Deal hands between policies and clients (acpc:PORT); positions change with every hand."""
    if len(specs) != 2:
        raise InputError(f"{len(specs)} players: {game.name} is played by two")
    for spec in filter(waits_for_client, specs):
        listen_for(read_program(spec))
    # A client that played both seatings of a deal would know the other's cards in the second.
    tables = [[_seated(game, spec) for spec in specs] for _ in range(2 if duplicate else 1)]
    dealt, key = SmallDealt(), key_of(seed, "deal")
    try:
        with _opened(log) as out:
            _line(out, f"# name/game/hands/seed {about} {hands} {seed}")
            for number in range(-(-hands // 2) * 2 if duplicate else hands):
                order = [number % 2, 1 - number % 2]
                seats = tables[number % len(tables)]
                state = _played(game, [seats[who] for who in order], number, key, duplicate, limit)
                returns = state.returns()
                dealt.won.append([returns[order.index(who)] for who in (0, 1)])
                cards = state_text(state, number, 0).rpartition(":")[2].partition("/")[2]
                hole = "|".join(map(card_text, state.dealt[:2]))  # type: ignore[attr-defined]  # of both games
                names = "|".join(f"p{who + 1}" for who in order)
                shown = f"{hole}/{cards}" if cards else hole
                _line(out, f"STATE:{number}:{betting_of(state)}:{shown}:{returns[0]}|{returns[1]}:{names}")
            _line(out, "SCORE:{}|{}:p1|p2".format(*(sum(one[who] for one in dealt.won) for who in (0, 1))))
    except FailedResponseError as error:
        dealt.ended = str(error)
    finally:
        for seat in (one for seats in tables for one in seats):
            if isinstance(seat, AcpcClient):
                seat.close()
    return dealt


def _line(out: IO[bytes] | None, text: str) -> None:
    if out is not None:
        out.write(f"{text}\n".encode())


def _seated(game: Game, spec: str) -> AcpcClient | PolicyPlayer:
    return client_at_port(read_program(spec)) if waits_for_client(spec) else PolicyPlayer(policy(game, spec))


def _played(
    game: Game, seats: Sequence[AcpcClient | PolicyPlayer], number: int, key: int, duplicate: bool, limit: float | None
) -> State:
    """One hand; the cards of a duplicate deal are those of the hand before."""
    state = game.start()
    cards = stream_of(child(child(key, 0), number // 2 if duplicate else number))
    choices = stream_of(child(child(key, 1), number))
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            outcomes = state.chance_outcomes()
            state = state.apply(outcomes[draw_below(cards, len(outcomes))][0])
            if state.actor == CHANCE:
                continue
        seat, texts = seats[state.actor], [state_text(state, number, position) for position in (0, 1)]
        letter = ""
        try:
            for position, one in enumerate(seats):
                if isinstance(one, AcpcClient):
                    one.until = None if limit is None else time.monotonic() + limit
                    one.show(texts[position])
            if isinstance(seat, AcpcClient):
                letter = seat.answer_to(texts[state.actor])
            else:
                letter = _letter(seat.act(small_view(state, state.actor), choices))
            state = taken(state, letter)
        except TimeoutError:
            raise FailedResponseError(f"hand {number}, position {state.actor}: took more than {limit:g} s") from None
        except (ProgramError, InputError) as error:
            raise FailedResponseError(f"hand {number}, position {state.actor}: {error}") from None
    for position, one in enumerate(seats):
        if isinstance(one, AcpcClient):
            one.show(state_text(state, number, position))
    return state
