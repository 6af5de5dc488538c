"""A hand to play step by step: cards by a seed, the same as in a match with that seed."""

from collections.abc import Sequence

import numpy as np

from cardwin.arena.engine import CARDS
from cardwin.arena.state_table import sample_card
from cardwin.core.errors import InputError
from cardwin.core.rng import child, key_of, prf, shuffle_first, stream_of
from cardwin.games.base import CHANCE, Game, State
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import BOARD, SEATS


def deal_holdem(
    game: HoldemGame,
    players: int,
    seed: int,
    hand: int = 1,
    stacks: Sequence[int] | None = None,
    button: int | None = None,
) -> HoldemState:
    """Return the first position of a hand of a match with this seed; the button moves one seat per hand.

    Cards are by seat; with three or more players a match draws the seating.

    Args:
        game: The game.
        players: The number of seats.
        seed: The seed of the match.
        hand: The number of the hand, from 1.
        stacks: Chips by seat, by default the game's stack.
        button: The seat of the button.

    Raises:
        InputError: the number of players, the hand, the stacks or the button is invalid.

    """
    if not isinstance(players, int) or not 2 <= players <= SEATS:
        raise InputError(f"expected 2 to {SEATS} players, got {players}")
    deck = np.arange(52)
    stream = stream_of(prf(child(key_of(seed, "match"), _number(hand)), CARDS))
    shuffle_first(stream, deck, BOARD + 2 * players)
    cards: list[int] = deck.tolist()
    hole = [cards[first : first + 2] for first in range(BOARD, BOARD + 2 * players, 2)]
    button = (hand - 1) % players if button is None else button
    return game.start(hole, cards[:BOARD], stacks=stacks, button=button)


def deal_small(game: Game, seed: int, hand: int = 1) -> State:
    """Return the first position of a small game in which a seat has the turn."""
    stream, state = stream_of(prf(child(key_of(seed, "match"), _number(hand)), CARDS)), game.start()
    while state.actor == CHANCE:
        state = state.apply(sample_card(stream, state))
    return state


def _number(hand: int) -> int:
    if not isinstance(hand, int) or hand < 1:
        raise InputError(f"expected a hand from 1, got {hand}")
    return hand - 1
