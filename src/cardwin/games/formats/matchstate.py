"""The match state of the ACPC protocol, one seat's view of a hand: `MATCHSTATE:0:30:cc/r250:9s8h|/8c8d5c`.

Fields: the seat's position (0 is left of the button), the hand's number, the betting by street, the known cards of all
seats and the board by street. The position is found by replaying the betting with the dealer's rules.
"""

import re
from dataclasses import dataclass

from cardwin.core.errors import InputError
from cardwin.games.formats.acpc import partial_hand
from cardwin.games.formats.acpc_game import GameFile
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import UNKNOWN

_NUMBER = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class MatchState:
    """A seat's view of a hand: betting and cards as texts, as the dealer wrote them."""

    position: int
    hand: int
    betting: str
    cards: str


def read_match_state(line: str) -> MatchState:
    """The view in a line of the dealer."""
    parts = line.strip().split(":")
    if len(parts) != 5 or parts[0] != "MATCHSTATE" or not all(map(_NUMBER.fullmatch, parts[1:3])):
        raise InputError("a line MATCHSTATE:position:hand:betting:cards is needed")
    return MatchState(int(parts[1]), int(parts[2]), parts[3], parts[4])


def position_after(file: GameFile, state: MatchState) -> HoldemState:
    """The position that a match state describes."""
    seats = len(file.stacks)
    if not 0 <= state.position < seats:
        raise InputError(f"position {state.position}: the game has {seats} seats, counted from 0")
    found = partial_hand(state.betting, state.cards, file)
    if UNKNOWN in found.hole(state.position):
        raise InputError(f"position {state.position} has no cards: a seat is shown its own")
    return found
