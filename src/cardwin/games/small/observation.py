"""What a seat of Kuhn poker or Leduc hold'em knows, as arrays for learning programs.

An observation is float32 of shape (4, width), all entries from 0 to 1. Its planes are

- `hole`: the seat's card, by its place in the deck;
- `board`: the common card of Leduc hold'em, by its place in the deck; empty in Kuhn poker;
- `bets`: two columns for each action so far, in order: a 1, and the chips that its seat has then put in;
- `stacks`: chips that the observer and the other seat can still put in, whether the observer is the second seat, and
  whether it has the turn.

Chips are divided by the most that a seat can put in. Different information sets have different observations. Action 0
is to fold, 1 to check or call, 2 and above the legal bets and raises, smallest first.
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

PLANES = ("hole", "board", "bets", "stacks")
_PASSIVE = {"fold": 0, "check": 1, "call": 1}


@dataclass(frozen=True)
class SmallShape:
    """The sizes of a game's observations: its deck, the most actions in a hand, the most chips that a seat puts in."""

    deck: tuple[str, ...]
    moves: int
    most: int
    actions: int

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of an observation."""
        return len(PLANES), max(len(self.deck), 2 * self.moves, 4)


@cache
def shape_of(game: Game) -> SmallShape:
    """The sizes of a game's observations. All deals have the same actions, so one is walked."""
    if not isinstance(game, Kuhn | Leduc):
        raise InputError(f"{game.name} has no observations: kuhn, its variants and leduc have")
    found: list[tuple[State, int]] = [(game.start(), 0)]
    for state, moves in found:
        if state.actor == CHANCE:
            found.append((state.apply(state.chance_outcomes()[0][0]), moves))
        elif state.actor != NOBODY:
            found += [(state.apply(action), moves + 1) for action in state.legal_actions()]
    return SmallShape(
        deck=game.cards if isinstance(game, Kuhn) else CARDS,
        moves=max(moves for _, moves in found),
        most=max(max(state.stakes()) for state, _ in found),
        actions=1 + max(max(_numbers(state)) for state, _ in found if state.actor >= 0),
    )


def _numbers(state: State) -> dict[int, Action]:
    """The legal actions by number."""
    legal = state.legal_actions()
    bold = [action for action in legal if action.name not in _PASSIVE]
    passive = {_PASSIVE[action.name]: action for action in legal if action.name in _PASSIVE}
    return passive | {2 + place: action for place, action in enumerate(bold)}


def small_observation(game: Game, state: State, seat: int) -> Planes:
    """What a seat knows at a position, float32 of `shape_of(game).shape`."""
    sizes = shape_of(game)
    if not isinstance(state, KuhnState | LeducState):
        raise InputError(f"a {type(state).__name__} is no position of {game.name}")
    planes = np.zeros(sizes.shape, np.float32)
    if len(state.dealt) > seat:
        planes[0, sizes.deck.index(state.dealt[seat])] = 1
    if len(state.dealt) > 2:
        planes[1, sizes.deck.index(state.dealt[2])] = 1
    for place, chips in enumerate(_chips_after_moves(state)):
        planes[2, 2 * place : 2 * place + 2] = 1, chips / sizes.most
    stakes = state.stakes()
    left = [(sizes.most - stakes[one]) / sizes.most for one in (seat, 1 - seat)]
    planes[3, :4] = *left, seat, state.actor == seat
    return planes


def _chips_after_moves(state: KuhnState | LeducState) -> Iterator[int]:
    """For each action so far, the chips of the acting seat after it."""
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
    """1 for every legal action of the seat, int8 (actions,); all 0 where it does not have the turn."""
    mask = np.zeros(shape_of(game).actions, np.int8)
    if state.actor == seat:
        mask[list(_numbers(state))] = 1
    return mask


def small_action(game: Game, state: State, number: int) -> Action:
    """The action of a number."""
    actions = _numbers(state)
    if number not in actions:
        choices = ", ".join(f"{place} ({action})" for place, action in sorted(actions.items()))
        raise InvalidActionError(f"{game.name}: {number} is not legal here; {choices} would be")
    return actions[number]


def action_number(state: State, action: Action) -> int:
    """The number of a legal action."""
    return next(number for number, one in _numbers(state).items() if one == action)


@dataclass(frozen=True)
class Arrays:
    """The observation and the mask of an information set."""

    observation: Planes
    mask: Mask


@cache
def arrays_of(game: Game) -> tuple[dict[str, Arrays], dict[str, Arrays]]:
    """By seat, the arrays of every information set in which it decides, by its text."""
    found: tuple[dict[str, Arrays], dict[str, Arrays]] = ({}, {})
    positions = [game.start()]
    for state in positions:
        if state.actor == CHANCE:
            positions += [state.apply(outcome) for outcome, _ in state.chance_outcomes()]
        elif state.actor != NOBODY:
            positions += [state.apply(action) for action in state.legal_actions()]
            text = state.information_state(state.actor)
            if text not in found[state.actor]:
                arrays = Arrays(small_observation(game, state, state.actor), small_mask(game, state, state.actor))
                found[state.actor][text] = arrays
    return found
