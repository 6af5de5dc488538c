"""Information sets of Kuhn poker and Leduc hold'em as arrays for learning programs, and OpenSpiel's action numbers.

An observation is float32 of shape (4, width), all entries from 0 to 1. Its planes are

- `hole`: the seat's card, by its index in the deck;
- `board`: the common card of Leduc hold'em, by its index in the deck; empty in Kuhn poker;
- `bets`: two columns per action so far, in order: a 1, and the chips that its seat has put in by then;
- `stacks`: chips that the observer and the other seat can still put in, whether the observer is the second seat, and
  whether it has the turn.

Chips are divided by the maximum that a seat can put in. Different information sets have different observations. Action
0 is to fold, 1 to check or call, 2 and above the legal bets and raises, smallest first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from cardwin.core.errors import InputError, InvalidActionError
from cardwin.games.base import CHANCE, NOBODY, Action, Game, State
from cardwin.games.small.kuhn import Kuhn, KuhnState
from cardwin.games.small.leduc import CARDS, Leduc, LeducState

Planes = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]

# OpenSpiel's action numbers in the games that both sides have, by our names of the actions.
OPENSPIEL_NAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}
OPENSPIEL_NUMBERS = {
    "kuhn_poker": {"check": 0, "fold": 0, "bet": 1, "call": 1},
    "leduc_poker": {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2},
}

PLANES = ("hole", "board", "bets", "stacks")
_PASSIVE = {"fold": 0, "check": 1, "call": 1}


@dataclass(frozen=True)
class SmallShape:
    """The sizes of a game's observations: its deck, and the maximum numbers of moves in a hand, chips and actions."""

    deck: tuple[str, ...]
    moves: int
    max_chips: int
    actions: int

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of an observation."""
        return len(PLANES), max(len(self.deck), 2 * self.moves, 4)


@cache
def shape_of(game: Game) -> SmallShape:
    """Return the sizes of a game's observations. All deals have the same actions, so only one is enumerated."""
    if not isinstance(game, Kuhn | Leduc):
        raise InputError(f"{game.name} has no observations: expected kuhn, one of its variants, or leduc")
    positions: list[tuple[State, int]] = [(game.start(), 0)]
    for state, moves in positions:
        if state.actor == CHANCE:
            positions.append((state.apply(state.chance_outcomes()[0][0]), moves))
        elif state.actor != NOBODY:
            positions += [(state.apply(action), moves + 1) for action in state.legal_actions()]
    return SmallShape(
        deck=game.cards if isinstance(game, Kuhn) else CARDS,
        moves=max(moves for _, moves in positions),
        max_chips=max(max(state.stakes()) for state, _ in positions),
        actions=1 + max(max(_numbers(state)) for state, _ in positions if state.actor >= 0),
    )


def _numbers(state: State) -> dict[int, Action]:
    """Return the legal actions by number."""
    legal = state.legal_actions()
    bold = [action for action in legal if action.name not in _PASSIVE]
    passive = {_PASSIVE[action.name]: action for action in legal if action.name in _PASSIVE}
    return passive | dict(enumerate(bold, 2))


def small_observation(game: Game, state: State, seat: int) -> Planes:
    """Return the observation of a seat at a position, float32 of `shape_of(game).shape`."""
    sizes = shape_of(game)
    if not isinstance(state, KuhnState | LeducState):
        raise InputError(f"expected a position of {game.name}, got a {type(state).__name__}")
    planes = np.zeros(sizes.shape, np.float32)
    if len(state.dealt) > seat:
        planes[0, sizes.deck.index(state.dealt[seat])] = 1
    if len(state.dealt) > 2:
        planes[1, sizes.deck.index(state.dealt[2])] = 1
    for move, chips in enumerate(_chips_after_moves(state)):
        planes[2, 2 * move : 2 * move + 2] = 1, chips / sizes.max_chips
    stakes = state.stakes()
    left = [(sizes.max_chips - stakes[other]) / sizes.max_chips for other in (seat, 1 - seat)]
    planes[3, :4] = *left, seat, state.actor == seat
    return planes


def _chips_after_moves(state: KuhnState | LeducState) -> Iterator[int]:
    """Yield, for each action so far, the chips of the acting seat after it."""
    if isinstance(state, KuhnState):
        for count in range(1, len(state.moves) + 1):
            yield KuhnState(state.game, state.dealt, state.moves[:count]).stakes()[(count - 1) % 2]
        return
    first, second = state.rounds
    for count in range(1, len(first) + 1):
        yield LeducState(state.dealt, (first[:count], ())).stakes()[(count - 1) % 2]
    for count in range(1, len(second) + 1):
        yield LeducState(state.dealt, (first, second[:count])).stakes()[(count - 1) % 2]


def small_mask(game: Game, state: State, seat: int) -> Mask:
    """Return 1 for every legal action of the seat, int8 (actions,); all 0 if it does not have the turn."""
    mask = np.zeros(shape_of(game).actions, np.int8)
    if state.actor == seat:
        mask[list(_numbers(state))] = 1
    return mask


def small_action(game: Game, state: State, number: int) -> Action:
    """Return the action of a number.

    Raises:
        InvalidActionError: If no legal action has this number.

    """
    actions = _numbers(state)
    if number not in actions:
        legal = ", ".join(f"{index} ({action})" for index, action in sorted(actions.items()))
        raise InvalidActionError(f"{game.name}: invalid action {number}: expected one of {legal}")
    return actions[number]


def action_number(state: State, action: Action) -> int:
    """Return the number of a legal action."""
    return next(number for number, legal in _numbers(state).items() if legal == action)


@dataclass(frozen=True)
class Arrays:
    """The observation and the mask of an information set."""

    observation: Planes
    mask: Mask


@cache
def arrays_of(game: Game) -> tuple[dict[str, Arrays], dict[str, Arrays]]:
    """Return, for each seat, the arrays of every information set in which it decides, by the set's text."""
    arrays: tuple[dict[str, Arrays], dict[str, Arrays]] = ({}, {})
    positions = [game.start()]
    for state in positions:
        if state.actor == CHANCE:
            positions += [state.apply(outcome) for outcome, _ in state.chance_outcomes()]
        elif state.actor != NOBODY:
            positions += [state.apply(action) for action in state.legal_actions()]
            text = state.information_state(state.actor)
            if text not in arrays[state.actor]:
                observation = small_observation(game, state, state.actor)
                arrays[state.actor][text] = Arrays(observation, small_mask(game, state, state.actor))
    return arrays
