"""Positions of Kuhn poker and Leduc hold'em as one seat knows them, in the ACPC protocol: `MATCHSTATE:0:3:cr:Ks|`.

The dealer's decks have the highest ranks, so its queen, king and ace are our jack, queen and king. There is no
distinction between calling and checking (c), or betting and raising (r). Position 0 acts first in every round.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cardwin.core.errors import InputError
from cardwin.games import game as game_of
from cardwin.games.base import CHANCE, NOBODY, Action, Game, SmallView, State, small_view
from cardwin.games.formats.acpc import MatchState, read_match_state
from cardwin.games.formats.acpc_game import read_lines

_THEIRS = {"J": "Q", "Q": "K", "K": "A"}
_OURS = {theirs: ours for ours, theirs in _THEIRS.items()}


def card_text(card: str) -> str:
    """Return our card as the dealer names it."""
    return _THEIRS[card[0]] + (card[1:] or "s")


def _our_card(text: str, game: Game) -> str:
    if len(text) != 2 or text[0] not in _OURS or text[1] not in "hs":
        raise InputError(f"expected a card of {game.name}, got {text[:10]!r}")
    return _OURS[text[0]] + (text[1] if game.name == "leduc" else "")


def betting_of(state: Any) -> str:
    """Return the betting by round, with a slash before the second."""
    rounds = state.rounds[: len(state.dealt) - 1] if hasattr(state, "rounds") else (state.moves,)
    return "/".join("".join(map(letter_of, moves)) for moves in rounds)


def state_text(state: Any, number: int, position: int) -> str:
    """Return a seat's view as a line without its end; at a showdown it contains the other card."""
    betting = betting_of(state)
    shown = state.actor == NOBODY and not betting.endswith("f")
    hole = "|".join(card_text(card) if seat == position or shown else "" for seat, card in enumerate(state.dealt[:2]))
    board = "".join(f"/{card_text(card)}" for card in state.dealt[2:])
    return f"MATCHSTATE:{position}:{number}:{betting}:{hole}{board}"


def action_of(state: State, letter: str) -> Action | None:
    """Return the legal action of f, c or r, or None."""
    names = {"f": ("fold",), "c": ("check", "call"), "r": ("bet", "raise")}.get(letter, ())
    legal = state.legal_actions() if state.actor >= 0 else ()
    return next((action for action in legal if action.name in names), None)


def apply_letter(state: State, letter: str) -> State:
    """Return the position after f, c or r."""
    action = action_of(state, letter)
    if action is None:
        raise InputError(f"{letter[:10]!r} is not a legal action here")
    return state.apply(action)


def small_position(game: Game, view: MatchState) -> State:
    """Return the position that a match state describes; an unknown card is any other of the deck."""
    holes, _, board = view.cards.partition("/")
    hole = [_our_card(text, game) if text else "" for text in holes.split("|")]
    if len(hole) != 2 or view.position not in (0, 1) or not hole[view.position]:
        raise InputError("expected two hands, of which a seat is shown its own")
    public = [_our_card(board, game)] if board else []
    state = game.start()
    deck = [card for card, _ in state.chance_outcomes() if card not in (*hole, *public)]
    for card in hole:
        state = state.apply(card or deck.pop())
    for letter in view.betting:
        if letter != "/":
            state = apply_letter(state, letter)
        elif state.actor == CHANCE and public:
            state = state.apply(public.pop())
        else:
            raise InputError(f"{view.betting[:20]!r} has a round that is not dealt here")
    return state


def letter_of(action: Action) -> str:
    """Return an action as the dealer reads it."""
    return "f" if action.name == "fold" else "c" if action.name in ("check", "call") else "r"


@dataclass(frozen=True)
class SmallPosition:
    """A seat's knowledge after a change of the table: an event and a view for programs of other people.

    A card that the seat does not know is another one of the deck in `state`, never the true one.

    Attributes:
        game: The name of the game.
        line: The seat's view as a line of the dealer (see `state_text`).
        begins: Whether it is the seat's first view of a hand.

    """

    game: str
    line: str
    begins: bool = False

    @cached_property
    def match_state(self) -> MatchState:
        """The fields of the line."""
        return read_match_state(self.line)

    @cached_property
    def state(self) -> Any:
        """A position that agrees with what the seat knows."""
        return small_position(game_of(self.game), self.match_state)

    @property
    def seat(self) -> int:
        """The seat that knows this."""
        return self.match_state.position

    @property
    def view(self) -> SmallView:
        """The same for players that read information states."""
        return small_view(self.state, self.seat)

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The legal actions; empty if it is not the seat's turn."""
        return self.view.legal_actions


_COMMON_FIELDS = {"numPlayers": [2], "blind": [1, 1], "numRanks": [3], "numHoleCards": [1]}
_FIELDS: dict[str, dict[str, list[int]]] = {
    "kuhn": {"numRounds": [1], "raiseSize": [1], "maxRaises": [1], "numSuits": [1], "numBoardCards": [0]},
    "leduc": {"numRounds": [2], "raiseSize": [2, 4], "maxRaises": [2, 2], "numSuits": [2], "numBoardCards": [0, 1]},
}


def small_game_of(text: str) -> Game | None:
    """Return the small game that a game file describes, or None."""
    betting, values = read_lines(text)
    for name, fields in _FIELDS.items():
        if betting == "limit" and all(values.get(key) == value for key, value in (_COMMON_FIELDS | fields).items()):
            return game_of(name)
    return None
