"""One-card bet-or-fold poker (Morsomme 2019).

Both seats post the ante and draw a card from their own pile of 1..n, so ties happen. The first bets an amount from a
list, seeing only its card. The second sees its own card and the bet, and folds (the first gains the ante) or calls
(the higher card gains ante and bet, a tie gains nothing).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from cardwin.games.base import CALL, CHANCE, FOLD, NOBODY, Action, SmallView, small_view, validate_move, winnings
from cardwin.games.specs import Parameters, int_parameter, reject_unknown_parameters, rising_int_parameter

PRESETS: dict[str, Parameters] = {
    "onecard": {"cards": "4", "bets": "0/2/4/6/8/10", "ante": "2"},
    "onecard-10": {"cards": "10", "bets": "0/2/4/6/8/10/12/14/16/18/20", "ante": "5"},
}


@dataclass(frozen=True)
class OneCard:
    """The number of cards, the bets allowed and the ante."""

    name: str
    cards: int
    bets: tuple[int, ...]
    ante: int
    betting_is_public = True
    gene_order = ()  # each seat has its own genes
    lowest_cards = ("1",)  # a bet with one of them is a bluff

    @property
    def title(self) -> str:
        """A one-line description."""
        return f"One-card bet-or-fold: cards 1 to {self.cards}, bets {'/'.join(map(str, self.bets))}, ante {self.ante}"

    @property
    def highest_cards(self) -> tuple[str, ...]:
        """The highest cards, with which a check is a slow play."""
        return (str(self.cards),)

    def start(self) -> "OneCardState":
        """Return the position before the deal."""
        return OneCardState(self)


@dataclass(frozen=True)
class OneCardState:
    """The cards dealt so far and the actions taken."""

    game: OneCard
    dealt: tuple[int, ...] = ()
    moves: tuple[Action, ...] = ()

    @property
    def actor(self) -> int:
        """The seat to act, CHANCE, or NOBODY at the end."""
        if len(self.dealt) < 2:
            return CHANCE
        return len(self.moves) if len(self.moves) < 2 else NOBODY

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the legal actions, from the most cautious to the most aggressive."""
        return (FOLD, CALL) if self.moves else tuple(Action("bet", bet) for bet in self.game.bets)

    def chance_outcomes(self) -> Sequence[tuple[str, Fraction]]:
        """Return all cards, independent of the other seat's card."""
        chance = Fraction(1, self.game.cards)
        return [(str(card), chance) for card in range(1, self.game.cards + 1)]

    def apply(self, move: Action | str) -> "OneCardState":
        """Return the next position."""
        move = validate_move(self.game.name, self, move)
        if isinstance(move, str):
            return OneCardState(self.game, (*self.dealt, int(move)))
        return OneCardState(self.game, self.dealt, (*self.moves, move))

    def view(self, seat: int) -> SmallView:
        """Return what a seat may know."""
        return small_view(self, seat)

    def information_state(self, seat: int) -> str:
        """Return the seat's card, and for the second seat the bet."""
        card = str(self.dealt[seat]) if len(self.dealt) > seat else "no card"
        return f"{card} after {', '.join(map(str, self.moves))}" if self.moves else card

    def gene_names(self) -> tuple[str, ...]:
        """Return no names: the paper's strategies are not probabilities."""
        return ()

    def stakes(self) -> tuple[int, int]:
        """Return the ante, plus the bet if the seat bet or called."""
        bet = self.moves[0].amount if self.moves else 0
        return self.game.ante + bet, self.game.ante + bet * (self.moves[1:] == (CALL,))

    def strengths(self) -> tuple[int, ...]:
        """Return the cards."""
        return self.dealt

    def returns(self) -> tuple[int, ...]:
        """Return the chips won by each seat."""
        return winnings(self.stakes(), self.strengths(), {1} if self.moves[1] == FOLD else ())

    def redeal(self, outcomes: tuple[str, ...]) -> "OneCardState":
        """Return the same actions with other cards."""
        return OneCardState(self.game, tuple(map(int, outcomes)), self.moves)

    def __str__(self) -> str:
        moves = ", ".join(map(str, self.moves)) or "no action yet"
        return f"{' '.join(map(str, self.dealt)) or 'before the deal'}: {moves}"


def onecard(name: str, parameters: Parameters, spec: str) -> OneCard:
    """Build the game by its preset's name and additional parameters."""
    reject_unknown_parameters(name, parameters, tuple(PRESETS[name]))
    values = PRESETS[name] | parameters
    return OneCard(
        name=spec,
        cards=int_parameter(name, "cards", values["cards"], 1, 10_000),
        bets=rising_int_parameter(name, "bets", values["bets"], 0, 1_000_000),
        ante=int_parameter(name, "ante", values["ante"], 1, 1_000_000),
    )
