"""A sequential game of OpenSpiel as one of our small games: `openspiel:liars_dice(dice_sides=3)`.

Two players, and small enough to enumerate; what is not zero-sum is played, not solved. OpenSpiel's probabilities and
returns are floats; they become fractions with short denominators if these are equal up to rounding.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import pyspiel

from cardwin.core.errors import InputError, unknown_name
from cardwin.core.rng import Stream, draw_below, stream_of
from cardwin.games.base import CHANCE, NOBODY, Action, SmallView, small_view, validate_move

PREFIX = "openspiel:"
MOST_POSITIONS = 300_000
PLAYOUTS, CLEARLY_TOO_MANY = 20, 1000 * MOST_POSITIONS
MAX_DENOMINATOR = 10**6
ROUNDING = 1e-12


@dataclass(frozen=True)
class OpenSpielGame:
    """A game of OpenSpiel; its name is `openspiel:` and the text that OpenSpiel loads it by."""

    name: str

    @property
    def loaded(self) -> Any:
        """The game itself."""
        return _loaded(self.name)

    @property
    def title(self) -> str:
        """A one-line description."""
        return f"{self.loaded.get_type().long_name} (OpenSpiel)"

    @property
    def gene_order(self) -> tuple[str, ...]:
        """Empty: each seat has its own genes."""
        return ()

    def start(self) -> "OpenSpielState":
        """Return the position before the deal."""
        return OpenSpielState(self, self.loaded.new_initial_state())


@dataclass(frozen=True, eq=False)
class OpenSpielState:
    """A position: OpenSpiel's state, which is never changed."""

    game: OpenSpielGame
    state: Any

    @cached_property
    def actor(self) -> int:
        """The seat to act, CHANCE, or NOBODY at the end."""
        if self.state.is_terminal():
            return NOBODY
        return CHANCE if self.state.is_chance_node() else int(self.state.current_player())

    @cached_property
    def _moves(self) -> dict[str, int]:
        """The texts of the actions or outcomes here, with OpenSpiel's numbers."""
        numbers = [] if self.state.is_terminal() else self.state.legal_actions()
        texts = [
            " ".join(self.state.action_to_string(self.state.current_player(), number).split()) for number in numbers
        ]
        has_equal_texts = len(set(texts)) < len(texts)
        return {
            f"{text} ({number})" if has_equal_texts or not text else text: number
            for text, number in zip(texts, numbers, strict=True)
        }

    @property
    def numbers(self) -> dict[int, Action]:
        """The legal actions by OpenSpiel's numbers."""
        return {number: Action(text) for text, number in self._moves.items()}

    @property
    def outcomes(self) -> dict[int, str]:
        """The chance outcomes by OpenSpiel's numbers."""
        return {number: text for text, number in self._moves.items()}

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the legal actions in OpenSpiel's order."""
        return tuple(self.numbers.values())

    def chance_outcomes(self) -> Sequence[tuple[str, Fraction]]:
        """Return the outcomes with exact probabilities."""
        if self.actor != CHANCE:
            return ()
        outcomes = self.state.chance_outcomes()
        chances = [short_fraction(chance) for _, chance in outcomes]
        total = sum(chances, Fraction(0))
        if abs(total - 1) > ROUNDING * len(chances):
            total = Fraction(1)  # not rounding: the game is refused
        return [(self.outcomes[number], chance / total) for (number, _), chance in zip(outcomes, chances, strict=True)]

    def apply(self, move: Action | str) -> "OpenSpielState":
        """Return the next position."""
        legal = validate_move(self.game.name, self, move)
        return OpenSpielState(self.game, self.state.child(self._moves[legal if isinstance(legal, str) else legal.name]))

    def view(self, seat: int) -> SmallView:
        """Return what a seat may know."""
        return small_view(self, seat)

    def information_state(self, seat: int) -> str:
        """Return OpenSpiel's text of what the seat knows."""
        return str(self.state.information_state_string(seat))

    def gene_names(self) -> tuple[str, ...]:
        """Return no names: no publication names genes for this game."""
        return ()

    def stakes(self) -> tuple[int, int]:
        """Return no chips: OpenSpiel's games have no stakes."""
        return 0, 0

    def returns(self) -> tuple[int, int]:
        """Return what each seat won: whole numbers, or fractions in games that have them."""
        first, second = (_whole(short_fraction(chips)) for chips in self.state.returns())
        return first, second

    def __str__(self) -> str:
        return str(self.state)


def short_fraction(number: float) -> Fraction:
    """Return the fraction with a short denominator that equals a float up to rounding, or the float exactly."""
    near = Fraction(number).limit_denominator(MAX_DENOMINATOR)
    return near if abs(float(near) - number) < ROUNDING else Fraction(number)


def _whole(number: Fraction) -> Any:
    """Return a fraction as a whole number if it is one."""
    return number.numerator if number.denominator == 1 else number


@cache
def _loaded(name: str) -> Any:
    text = name.removeprefix(PREFIX)
    if (short_name := text.partition("(")[0]) not in pyspiel.registered_names():
        raise unknown_name("game of OpenSpiel", short_name, pyspiel.registered_names())
    try:
        with _quiet():
            return pyspiel.load_game(text)
    except Exception as error:  # its own kind of error, for every invalid name
        reason = " ".join(str(error).split())[:160]
        raise InputError(f"{name}: OpenSpiel does not load it: {reason}") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress standard error, to which OpenSpiel's C++ part writes the errors that it also raises."""
    sys.stderr.flush()
    original, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(original, 2)
        os.close(original)
        os.close(null)


def openspiel_game(name: str) -> OpenSpielGame:
    """Return the game of a specification such as `openspiel:kuhn_poker`.

    Raises:
        InputError: OpenSpiel has no such game, or it cannot be enumerated.

    """
    game = OpenSpielGame(name)
    kind, kinds = game.loaded.get_type(), pyspiel.GameType
    if kind.dynamics != kinds.Dynamics.SEQUENTIAL or game.loaded.num_players() != 2:
        raise InputError(f"{name}: expected a game for two players who move in turns")
    if kind.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC:
        raise InputError(f"{name}: expected a game whose chance outcomes can be listed")
    if not kind.provides_information_state_string:
        raise InputError(f"{name}: expected a game with information state strings")
    if not _fits(game.loaded):
        raise InputError(f"{name} has more than {MOST_POSITIONS:,} positions, too many to enumerate")
    return game


def _fits(game: Any) -> bool:
    """Return whether a game is small enough: positions are estimated by playouts (Knuth 1975), then counted."""
    rng = stream_of(1)
    if sum(_playout(game.new_initial_state(), rng) for _ in range(PLAYOUTS)) / PLAYOUTS > CLEARLY_TOO_MANY:
        return False
    stack, count = [game.new_initial_state()], 0
    while stack and count + len(stack) <= MOST_POSITIONS:
        state, count = stack.pop(), count + 1
        stack += [] if state.is_terminal() else [state.child(number) for number in state.legal_actions()]
    return not stack


def _playout(state: Any, rng: Stream) -> int:
    """Return the product of the numbers of choices along a random playout, up to a bound."""
    product = 1
    while not state.is_terminal() and product < PLAYOUTS * CLEARLY_TOO_MANY * 10:
        choices = state.legal_actions()
        product *= len(choices)
        state.apply_action(choices[draw_below(rng, len(choices))])
    return product
