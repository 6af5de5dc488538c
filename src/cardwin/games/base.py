"""The protocols of the rules: Game, State, View and Action."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol, Self, TypeGuard

from cardwin.core.errors import InputError, InvalidActionError, shorten

CHANCE = -1
NOBODY = -2


@dataclass(frozen=True, slots=True, order=True)
class Action:
    """A player's action. The amount is in chips, and 0 if the action has none."""

    name: str
    amount: int = 0

    def __str__(self) -> str:
        return f"{self.name} {self.amount}" if self.amount or self.name == "bet" else self.name


FOLD, CHECK, CALL = Action("fold"), Action("check"), Action("call")


class View(Protocol):
    """What one seat may know and nothing else. Its text is shown to a person at that seat."""

    @property
    def seat(self) -> int:
        """Whose view it is."""

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The legal actions; a bet or raise with its least amount."""


@dataclass(frozen=True, slots=True)
class SmallView:
    """What one seat of a small game may know."""

    seat: int
    information_state: str
    legal_actions: tuple[Action, ...]

    def __str__(self) -> str:
        return self.information_state


class State(Protocol):
    """A position. Frozen: `apply` returns the next one.

    Small games start before the deal and enumerate it; hold'em starts from cards that were shuffled elsewhere.

    Seats count from 0 here and in arrays, and from 1 in commands and `cardwin.*` functions.
    """

    @property
    def actor(self) -> int:
        """The seat to act, CHANCE, or NOBODY at the end."""

    def legal_actions(self) -> tuple[Action, ...]:
        """What the actor may do, from the most cautious to the most aggressive."""

    def chance_outcomes(self) -> Sequence[tuple[str, Fraction]]:
        """The possible deals, with exact probabilities."""

    def apply(self, move: Action | str) -> Self:
        """The position after an action (or its text, `bet 1`), or after a chance outcome by its name."""

    def view(self, seat: int) -> View:
        """What a seat may know."""

    def information_state(self, seat: int) -> str:
        """Everything that a seat knows, as text: positions with equal texts are one information set."""

    def gene_names(self) -> tuple[str, ...]:
        """The names of the actor's genes here, one fewer than the legal actions; empty if the game names none.

        Gene i is the probability of choosing an action beyond i, given that none before i is chosen.
        """

    def stakes(self) -> tuple[int, ...]:
        """Chips that each seat has put in so far."""

    def returns(self) -> tuple[int, ...]:
        """Chips won by each seat, at the end."""

    def __str__(self) -> str:
        """What has happened so far, all cards open."""


class Game(Protocol):
    """Rules under a name, without randomness. Hashable, so that results computed for it can be cached."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """The specification that builds this game."""

    @property
    def title(self) -> str:
        """A one-line description."""

    @property
    def gene_order(self) -> tuple[str, ...]:
        """All gene names in the document's order, or empty where each seat has its own."""

    def start(self) -> State:
        """The position before the deal; a game too large to enumerate raises an error without its cards."""


class PublicBettingState(State, Protocol):
    """A position of a game with public betting."""

    def redeal(self, outcomes: tuple[str, ...]) -> Self:
        """Return the position after the same actions and as many other chance outcomes."""

    def strengths(self) -> tuple[int, ...]:
        """Return the strength of each seat's hand at the end. Only their order matters, and the deal decides it."""


class PublicBettingGame(Game, Protocol):
    """A game whose betting and deal do not depend on each other, which makes its tree much faster to enumerate.

    Every seat sees all actions. Who acts, the legal actions and the stakes depend on the actions and on the number of
    outcomes so far. The outcomes of a deal, and which of them a seat sees, depend on earlier outcomes only. Returns
    depend on the actions and on the order of `strengths`.
    """

    betting_is_public: ClassVar[bool]  # True

    def start(self) -> PublicBettingState:
        """The position before the deal."""


def has_public_betting(game: Game) -> TypeGuard[PublicBettingGame]:
    """Return whether a game says that its betting is public: by default it is not."""
    return getattr(game, "betting_is_public", False)


def winnings(stakes: Sequence[int], strengths: Sequence[int], folded: Collection[int] = ()) -> tuple[int, ...]:
    """Return the chips that each seat wins when the strongest hands that have not folded share the pot.

    Odd chips go one by one to the first of these seats.
    """
    live = [seat for seat in range(len(stakes)) if seat not in folded]
    best = max([strengths[seat] for seat in live])
    winners = [seat for seat in live if strengths[seat] == best]
    share, odd = divmod(sum(stakes), len(winners))
    won = [-staked for staked in stakes]
    for place, seat in enumerate(winners):
        won[seat] += share + (place < odd)
    return tuple(won)


def verified(game: str, state: State, move: Action | str) -> Action | str:
    """The legal action or the chance outcome that a move means; otherwise an error that names the legal ones."""
    if state.actor == NOBODY:
        raise InvalidActionError(f"{game}: {shorten(move)} is not legal here; the hand is over")
    outcomes: list[Action | str]
    if state.actor == CHANCE:
        outcomes = [outcome for outcome, _ in state.chance_outcomes()]
    else:
        outcomes = list(state.legal_actions())
    for outcome in outcomes:
        if move == outcome or (isinstance(move, str) and move == str(outcome)):
            return outcome
    raise InvalidActionError(f"{game}: {shorten(move)} is not legal here; {', '.join(map(str, outcomes))} would be")


def small_view(state: State, seat: int) -> SmallView:
    """What one of the two seats of a small game may know."""
    if seat not in (0, 1):
        raise InputError(f"no seat {seat}: this game's seats are 0 and 1")
    legal = state.legal_actions() if state.actor == seat else ()
    return SmallView(seat, state.information_state(seat), legal)
