"""The nouns of the rules: Game, State, Action, and who may act."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, Self

from cardwin.errors import InputError

CHANCE = -1
NOBODY = -2


@dataclass(frozen=True, slots=True, order=True)
class Action:
    """What a player does. The amount is in chips and is 0 where the name says it all."""

    name: str
    amount: int = 0

    def __str__(self) -> str:
        return f"{self.name} {self.amount}" if self.amount or self.name == "bet" else self.name


FOLD, CHECK, CALL = Action("fold"), Action("check"), Action("call")


class View(Protocol):
    """What one seat may know and nothing else. Its text is what a person at that seat is shown."""

    @property
    def seat(self) -> int:
        """Whose view it is."""

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """What may be done; an action with a range stands there with its least amount."""


@dataclass(frozen=True, slots=True)
class SmallView:
    """What one seat of a small game may know."""

    seat: int
    information_state: str
    legal_actions: tuple[Action, ...]

    def __str__(self) -> str:
        return self.information_state


class State(Protocol):
    """A position of a game that starts before the deal and enumerates it. Frozen: `apply` returns the next one.

    Seats count from 0 here and in arrays; people, who count from 1, meet them in commands and `cardwin.*` functions.
    """

    @property
    def actor(self) -> int:
        """The seat to act, CHANCE, or NOBODY at the end."""

    def legal_actions(self) -> tuple[Action, ...]:
        """What the actor may do, from the most cautious to the boldest."""

    def chance_outcomes(self) -> Sequence[tuple[str, Fraction]]:
        """What may be dealt, with exact probabilities."""

    def apply(self, move: Action | str) -> Self:
        """The position after an action, or after a chance outcome by its name."""

    def information_state(self, seat: int) -> str:
        """All that a seat knows, as text: positions with equal texts are one information set."""

    def gene_names(self) -> tuple[str, ...]:
        """The names of the actor's genes here, one fewer than the legal actions; empty where the game names none.

        Gene i is the probability of going beyond action i, having come so far.
        """

    def returns(self) -> tuple[int, int]:
        """Chips won by each seat, at the end."""

    def __str__(self) -> str:
        """What has happened so far, all cards open."""


class Game(Protocol):
    """Rules under a name. Knows no luck. Hashable, so that what was computed for it can be remembered."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """The specification that builds this game."""

    @property
    def title(self) -> str:
        """One line for people."""

    @property
    def gene_order(self) -> tuple[str, ...]:
        """All gene names in the document's order, or empty where each seat has its own."""

    def start(self) -> State:
        """The position before the deal."""


def verify(game: str, state: State, move: Action | str) -> None:
    """Refuse a move that the position does not allow, naming what it does."""
    if state.actor == NOBODY:
        raise InputError(f"{game}: {move} is not legal here; the hand is over")
    if state.actor == CHANCE:
        legal = [outcome for outcome, _ in state.chance_outcomes()]
    else:
        legal = list(map(str, state.legal_actions()))
        move = str(move) if isinstance(move, Action) else f"card {move}"
    if move not in legal:
        raise InputError(f"{game}: {move} is not legal here; {', '.join(legal)} would be")
