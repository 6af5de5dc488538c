"""Kuhn poker and Leduc hold'em at tables of the ACPC: a player at a dealer, and a dealer for policies and programs.

`games.formats.small_states` has the lines of the protocol.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from cardwin.arena.acpc.dealer import FailedResponseError, StrictReferee, _opened
from cardwin.arena.referee import Referee, Report
from cardwin.arena.small.tables import SmallTables, decision, seated
from cardwin.core.rng import child, key_of, stream_of
from cardwin.games import game as game_of
from cardwin.games.base import NOBODY, Game
from cardwin.games.formats.acpc import read_match_state
from cardwin.games.formats.acpc_game import _read_lines
from cardwin.games.formats.small_states import betting_of, card_text, letter_of, small_position
from cardwin.players.small_games.policies import PolicyPlayer

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


class SmallSeat:
    """A policy or a program at a dealer's table; a program that fails checks or folds."""

    def __init__(self, game: Game, spec: str, seed: int, limit: float | None = None) -> None:
        self.game, self._player = game, seated(game, spec, limit)
        self._key, self.won = key_of(seed, "connect"), dict[int, int]()
        self.referee, self._hand = Referee([spec], limit), -1

    @property
    def report(self) -> Report:
        """The player's faults."""
        return self.referee.report()

    def respond(self, text: str) -> tuple[str | None, bool]:
        """The answer to a line of the dealer, if it is our turn, and whether the hand is over."""
        given = read_match_state(text)
        state = small_position(self.game, given)
        if given.hand != self._hand:
            self._hand = given.hand
            self.referee.begin_hand(len(self.won) + 1)
        if not isinstance(self._player, PolicyPlayer):
            self.referee.watcher(0, self._player.show)(text)
        if state.actor == NOBODY:
            self.won[given.hand] = state.returns()[given.position]
        if state.actor != given.position:
            return None, state.actor == NOBODY
        rng = stream_of(child(child(self._key, given.hand), len(given.betting)))
        return letter_of(decision(self.referee, 0, self._player, state, text, rng, self.game)), False


@dataclass
class SmallDealt:
    """What each player won in each hand, and what ended the match early, if anything did."""

    won: list[list[int]] = field(default_factory=list)
    ended: str = ""


def deal_small(game: Game, specs: Sequence[str], hands: int, seed: int, *, duplicate: bool = False,
               limit: float | None = None, allow_weak: bool = False, log: Path | None = None,
               about: str = "") -> SmallDealt:  # fmt: skip
    """Deal hands between policies, clients (acpc:PORT) and programs; the first fault ends the match."""
    tables = SmallTables(game, specs, StrictReferee(specs, limit), duplicate=duplicate, allow_weak=allow_weak)
    dealt, key, per_deal = SmallDealt(), key_of(seed, "deal"), tables.per_deal
    try:
        with _opened(log) as out:
            _line(out, f"# name/game/hands/seed {about} {hands} {seed}")
            for number in range(-(-hands // per_deal) * per_deal):
                order, state = tables.order(number), tables.play(number, key)
                returns = state.returns()
                dealt.won.append([returns[order.index(who)] for who in (0, 1)])
                _line(out, _hand_line(number, state, order))
            _line(out, "SCORE:{}|{}:p1|p2".format(*(sum(one[who] for one in dealt.won) for who in (0, 1))))
    except FailedResponseError as error:
        dealt.ended = str(error)
    finally:
        tables.close()
    return dealt


def _hand_line(number: int, state: Any, order: Sequence[int]) -> str:
    """A hand that is over, as the dealer's log has it."""
    cards = "/".join(["|".join(map(card_text, state.dealt[:2])), *map(card_text, state.dealt[2:])])
    won, names = "|".join(map(str, state.returns())), "|".join(f"p{who + 1}" for who in order)
    return f"STATE:{number}:{betting_of(state)}:{cards}:{won}:{names}"


def _line(out: IO[bytes] | None, text: str) -> None:
    if out is not None:
        out.write(f"{text}\n".encode())
