"""The protocols of the rules: Game, State, View and Action.

Seats count from 0 here and in arrays, and from 1 in commands and in the functions of `cardwin`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol, Self, TypeGuard

from cardwin.core.errors import InputError, InvalidActionError, shorten

# Values of `State.actor` that are not seats: a card is dealt next; the game is over.
CHANCE = -1
NOBODY = -2


@dataclass(frozen=True, slots=True, order=True)
class Action:
    """A player's action. The amount is in chips, and 0 for an action without an amount."""

    name: str
    amount: int = 0

    def __str__(self) -> str:
        return f"{self.name} {self.amount}" if self.amount or self.name == "bet" else self.name


FOLD, CHECK, CALL = Action("fold"), Action("check"), Action("call")


class View(Protocol):
    """What one seat may know and nothing else. Its text is shown to a person at that seat."""

    @property
    def seat(self) -> int:
        """The seat of this view."""

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The legal actions; a bet or raise has its minimum amount."""


@dataclass(frozen=True, slots=True)
class SmallView:
    """What one seat of a small game may know."""

    seat: int
    information_state: str
    legal_actions: tuple[Action, ...]

    def __str__(self) -> str:
        return self.information_state


class State(Protocol):
    """An immutable position of a game.

    Small games start before the deal and enumerate it; hold'em starts from cards that were shuffled elsewhere.
    """

    @property
    def actor(self) -> int:
        """The seat to act, CHANCE if a card is dealt next, or NOBODY at the end."""

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the actor's legal actions.

        Returns:
            The actions, from the most cautious to the most aggressive; a bet or raise has its minimum amount.

        """

    def chance_outcomes(self) -> Sequence[tuple[str, Fraction]]:
        """Return the possible deals with their exact probabilities.

        Returns:
            Pairs of an outcome's name and its probability; the probabilities sum to 1.

        """

    def apply(self, move: Action | str) -> Self:
        """Return the position after a move; this position does not change.

        Args:
            move: A legal action or its text, such as `bet 1`; at a chance node the name of an outcome.

        Returns:
            The next position.

        Raises:
            InvalidActionError: If the move is not legal.

        """

    def view(self, seat: int) -> View:
        """Return what a seat may know.

        Args:
            seat: The seat, from 0.

        Returns:
            The view, which a player of this seat receives.

        """

    def information_state(self, seat: int) -> str:
        """Return all that a seat knows, as text.

        Args:
            seat: The seat, from 0.

        Returns:
            A text; positions with equal texts form one information set of the seat.

        """

    def gene_names(self) -> tuple[str, ...]:
        """Return the names of the actor's genes, one fewer than its legal actions.

        Gene i is the probability of choosing an action beyond i, given that none before i is chosen.

        Returns:
            The names; empty if the game names no genes.

        """

    def stakes(self) -> tuple[int, ...]:
        """Return the chips that each seat has put in so far.

        Returns:
            Chips by seat.

        """

    def returns(self) -> tuple[int, ...]:
        """Return the chips that each seat won, once the game is over.

        Returns:
            Net chips by seat; they sum to 0.

        """

    def __str__(self) -> str:
        """Return all that has happened so far, all cards open."""


class Game(Protocol):
    """Rules under a name, without randomness. Hashable, so that results computed for it can be cached."""

    def __hash__(self) -> int:
        """Return a hash of the rules."""

    @property
    def name(self) -> str:
        """The specification that builds this game."""

    @property
    def title(self) -> str:
        """A one-line description."""

    @property
    def gene_order(self) -> tuple[str, ...]:
        """All gene names in the document's order; empty if each seat has its own genes."""

    def start(self) -> State:
        """Return the position before the deal.

        Returns:
            The first position; `apply` leads to the others.

        Raises:
            InputError: If the game is too large to enumerate and needs its cards, as hold'em does.

        """


class PublicBettingState(State, Protocol):
    """A position of a game with public betting."""

    def redeal(self, outcomes: tuple[str, ...]) -> Self:
        """Return the position after the same actions with other cards.

        Args:
            outcomes: The names of the chance outcomes, as many as have happened so far.

        Returns:
            The position in which these outcomes have happened.

        """

    def strengths(self) -> tuple[int, ...]:
        """Return the strength of each seat's hand at the end.

        Returns:
            One number per seat. Only their order matters, and the deal determines it.

        """


class PublicBettingGame(Game, Protocol):
    """A game whose betting and deal do not depend on each other, which makes its tree much faster to enumerate.

    Every seat sees all actions. The actor, the legal actions and the stakes depend on the actions and on the number of
    outcomes so far. The outcomes of a deal, and which of them a seat sees, depend on earlier outcomes only. Returns
    depend on the actions and on the order of `strengths`.
    """

    betting_is_public: ClassVar[bool]  # True

    def start(self) -> PublicBettingState:
        """Return the position before the deal.

        Returns:
            The first position; `apply` leads to the others.

        """


def has_public_betting(game: Game) -> TypeGuard[PublicBettingGame]:
    """Return whether a game declares that its betting is public. The default is that it is not."""
    return getattr(game, "betting_is_public", False)


def winnings(stakes: Sequence[int], strengths: Sequence[int], folded: Collection[int] = ()) -> tuple[int, ...]:
    """Return the chips that each seat wins when the strongest hands that have not folded share the pot.

    Odd chips go one by one to the first of these seats.

    Args:
        stakes: Chips put in by each seat.
        strengths: Strength of each seat's hand; larger is better.
        folded: The seats that have folded.

    Returns:
        Net chips by seat; they sum to 0.

    """
    live = [seat for seat in range(len(stakes)) if seat not in folded]
    best = max([strengths[seat] for seat in live])
    winners = [seat for seat in live if strengths[seat] == best]
    share, odd = divmod(sum(stakes), len(winners))
    won = [-staked for staked in stakes]
    for index, seat in enumerate(winners):
        won[seat] += share + (index < odd)
    return tuple(won)


def validate_move(game: str, state: State, move: Action | str) -> Action | str:
    """Return the legal action or the chance outcome that a move names.

    Args:
        game: The game's name, for the error message.
        state: The position.
        move: An action, its text, or the name of a chance outcome.

    Returns:
        The matching element of the legal actions or of the chance outcomes.

    Raises:
        InvalidActionError: If the move is not legal.

    """
    if state.actor == NOBODY:
        raise InvalidActionError(f"{game}: invalid move {shorten(move)}: the hand is over")
    outcomes: list[Action | str]
    if state.actor == CHANCE:
        outcomes = [outcome for outcome, _ in state.chance_outcomes()]
    else:
        outcomes = list(state.legal_actions())
    for outcome in outcomes:
        if move == outcome or (isinstance(move, str) and move == str(outcome)):
            return outcome
    raise InvalidActionError(f"{game}: invalid move {shorten(move)}: expected one of {', '.join(map(str, outcomes))}")


def small_view(state: State, seat: int) -> SmallView:
    """Return what one of the two seats of a small game may know.

    Raises:
        InputError: If the seat is neither 0 nor 1.

    """
    if seat not in (0, 1):
        raise InputError(f"invalid seat {seat}: expected 0 or 1")
    legal = state.legal_actions() if state.actor == seat else ()
    return SmallView(seat, state.information_state(seat), legal)
