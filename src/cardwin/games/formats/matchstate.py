"""The match state of the ACPC protocol, one seat's view of a hand: `MATCHSTATE:0:30:cc/r250:9s8h|/8c8d5c`.

Fields: the seat's position (0 is left of the button), the hand's number, the betting by street, the known cards of all
seats and the board by street. The position is found by replaying the betting with the dealer's rules.
"""

import re
from dataclasses import dataclass

from cardwin.cards.card import parse_cards
from cardwin.core.errors import InputError
from cardwin.games.formats.acpc import _history
from cardwin.games.formats.acpc_game import GameFile
from cardwin.games.holdem.history import DEAL, History, Step, last_position
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import UNKNOWN

_NUMBER = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class MatchState:
    """A seat's view of a hand: cards that it does not know are UNKNOWN."""

    position: int
    hand: int
    betting: tuple[str, ...]
    hole: tuple[tuple[int, ...], ...]
    board: tuple[tuple[int, ...], ...]


def read_match_state(line: str, seats: int) -> MatchState:
    """The view in a line of the dealer."""
    parts = line.strip().split(":")
    if len(parts) != 5 or parts[0] != "MATCHSTATE" or not all(map(_NUMBER.fullmatch, parts[1:3])):
        raise InputError("a line MATCHSTATE:position:hand:betting:cards is needed")
    position, hand, betting, cards = int(parts[1]), int(parts[2]), parts[3], parts[4]
    holes, *streets = cards.split("/")
    hole = tuple(parse_cards(text) or (UNKNOWN, UNKNOWN) for text in holes.split("|"))
    if len(hole) != seats or any(len(pair) != 2 for pair in hole):
        raise InputError(f"{holes[:60]!r} should be the cards of {seats} seats")
    if not 0 <= position < seats or UNKNOWN in hole[position]:
        raise InputError(f"position {position} has no cards: one of {seats} seats is told its own")
    return MatchState(position, hand, tuple(betting.split("/")), hole, tuple(parse_cards(text) for text in streets))


def position_after(file: GameFile, state: MatchState) -> HoldemState:
    """The position that a match state describes."""
    history = _history(file, state.hole, list(state.betting), list(state.board))
    return last_position(history)


def is_dealt(step: Step) -> bool:
    """Whether a step deals board cards."""
    return step.what == DEAL


__all__ = ["History", "MatchState", "position_after", "read_match_state"]
