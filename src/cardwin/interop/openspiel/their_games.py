"""A sequential game of OpenSpiel as one of our small games: `openspiel:liars_dice(dice_sides=3)`.

Two players, zero-sum, and small enough to enumerate. Chances and returns that OpenSpiel has as floats become fractions
with short denominators where these are the same number up to rounding.
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
PLAYOUTS, FAR_TOO_MANY = 20, 1000 * MOST_POSITIONS
MOST_DENOMINATOR = 10**6
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
        """The position before the deal."""
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
        texts = [" ".join(self.state.action_to_string(self.state.current_player(), one).split()) for one in numbers]
        twice = len(set(texts)) < len(texts)
        return {
            f"{text} ({number})" if twice or not text else text: number
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
        """In OpenSpiel's order."""
        return tuple(self.numbers.values())

    def chance_outcomes(self) -> Sequence[tuple[str, Fraction]]:
        """The outcomes with exact probabilities."""
        if self.actor != CHANCE:
            return ()
        found = self.state.chance_outcomes()
        chances = [short_fraction(chance) for _, chance in found]
        total = sum(chances)
        return [(self.outcomes[number], chance / total) for (number, _), chance in zip(found, chances, strict=True)]

    def apply(self, move: Action | str) -> "OpenSpielState":
        """The next position."""
        done = validate_move(self.game.name, self, move)
        return OpenSpielState(self.game, self.state.child(self._moves[done if isinstance(done, str) else done.name]))

    def view(self, seat: int) -> SmallView:
        """What a seat may know."""
        return small_view(self, seat)

    def information_state(self, seat: int) -> str:
        """OpenSpiel's text of what the seat knows."""
        return str(self.state.information_state_string(seat))

    def gene_names(self) -> tuple[str, ...]:
        """Empty: no publication names genes for this game."""
        return ()

    def stakes(self) -> tuple[int, int]:
        """OpenSpiel's games have no chips put in."""
        return 0, 0

    def returns(self) -> tuple[int, int]:
        """What each seat won: whole numbers, or fractions in games that have them."""
        first = short_fraction(self.state.returns()[0])
        won: Any = first.numerator if first.denominator == 1 else first
        return won, -won

    def __str__(self) -> str:
        return str(self.state)


def short_fraction(number: float) -> Fraction:
    """The fraction with a short denominator that a float means, or the float exactly."""
    near = Fraction(number).limit_denominator(MOST_DENOMINATOR)
    return near if abs(float(near) - number) < ROUNDING else Fraction(number)


@cache
def _loaded(name: str) -> Any:
    text = name.removeprefix(PREFIX)
    if (short_name := text.partition("(")[0]) not in pyspiel.registered_names():
        raise unknown_name("game of OpenSpiel", short_name, pyspiel.registered_names())
    try:
        with _quiet():
            return pyspiel.load_game(text)
    except Exception as error:  # its own kind of error, for every mistake
        reason = " ".join(str(error).split())[:160]
        raise InputError(f"{name}: OpenSpiel does not load it: {reason}") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what OpenSpiel's C++ part writes to standard error, beside raising it, from being printed."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def openspiel_game(name: str) -> OpenSpielGame:
    """The game of a specification such as `openspiel:kuhn_poker`, if it can be enumerated."""
    game = OpenSpielGame(name)
    kind, kinds = game.loaded.get_type(), pyspiel.GameType
    if kind.dynamics != kinds.Dynamics.SEQUENTIAL or game.loaded.num_players() != 2:
        raise InputError(f"{name}: a game for two players who move in turns is needed")
    if kind.utility != kinds.Utility.ZERO_SUM or kind.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC:
        raise InputError(f"{name}: a zero-sum game whose chances can be listed is needed")
    if not kind.provides_information_state_string:
        raise InputError(f"{name} does not say what a player knows: a game with information state strings is needed")
    if not _fits(game.loaded):
        raise InputError(f"{name} has more than {MOST_POSITIONS:,} positions, too many to enumerate")
    return game


def _fits(game: Any) -> bool:
    """Whether a game has few enough positions: an estimate by playouts (Knuth 1975) first, then they are counted."""
    rng = stream_of(1)
    if sum(_playout(game.new_initial_state(), rng) for _ in range(PLAYOUTS)) / PLAYOUTS > FAR_TOO_MANY:
        return False
    stack, count = [game.new_initial_state()], 0
    while stack and count + len(stack) <= MOST_POSITIONS:
        state, count = stack.pop(), count + 1
        stack += [] if state.is_terminal() else [state.child(number) for number in state.legal_actions()]
    return not stack


def _playout(state: Any, rng: Stream) -> int:
    """The product of the choices along a random playout, as far as it matters."""
    product = 1
    while not state.is_terminal() and product < PLAYOUTS * FAR_TOO_MANY * 10:
        choices = state.legal_actions()
        product *= len(choices)
        state.apply_action(choices[draw_below(rng, len(choices))])
    return product
