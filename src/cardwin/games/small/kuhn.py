"""Kuhn poker and its variants, as one family (Kuhn 1950; the variants of López Pozuelo 2015).

Two seats post an ante of 1 and get one card each. The first checks or bets; after a check the second may bet. A bet
is folded to, called, or, if the variant allows, raised once by its own size, and then folded to or called.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from cardwin.games.base import CALL, CHANCE, CHECK, FOLD, NOBODY, Action, SmallView, small_view, validate_move, winnings
from cardwin.games.specs import Parameters, int_parameter, reject_unknown_parameters, rising_int_parameter

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

PRESETS: dict[str, Parameters] = {
    "kuhn": {},
    "kuhn-breadth": {"bets": "1/2/10"},
    "kuhn-depth": {"raise": "1"},
    "kuhn-full": {"bets": "1/2/10", "raise": "1"},
    "kuhn-13": {"cards": "13"},
}
DEFAULTS: Parameters = {"cards": "3", "bets": "1", "raise": "0"}


def card_names(count: int) -> tuple[str, ...]:
    """Return the names of the cards: kings high up to twelve cards, all thirteen ranks, numbers beyond."""
    if count > len(RANKS):
        return tuple(str(number) for number in range(1, count + 1))
    return RANKS if count == len(RANKS) else RANKS[-1 - count : -1]


@dataclass(frozen=True)
class Kuhn:
    """One variant of the family."""

    name: str
    cards: tuple[str, ...]
    bets: tuple[int, ...]
    with_raise: bool
    betting_is_public = True

    @property
    def title(self) -> str:
        """A one-line description."""
        amounts = " or ".join(str(bet) for bet in self.bets)
        reply = "fold, call or raise" if self.with_raise else "fold or call"
        return f"Kuhn poker: {len(self.cards)} cards, bet {amounts}, then {reply}"

    @property
    def lowest_cards(self) -> tuple[str, ...]:
        """The lowest cards, with which a bet is a bluff."""
        return self.cards[:1]

    @property
    def highest_cards(self) -> tuple[str, ...]:
        """The highest cards, with which a check is a slow play."""
        return self.cards[-1:]

    def start(self) -> "KuhnState":
        """Return the position before the deal."""
        return KuhnState(self)

    def bet_genes(self) -> tuple[str, ...]:
        """Return the gene names of bets: B, then one per further bet.

        B>1 is the probability of betting more than 1, given a bet. The last gene has the largest bet's name.
        """
        if len(self.bets) == 1:
            return ("B",)
        beyond = tuple(f"B>{bet}" for bet in self.bets[:-1])
        return ("B", *beyond[:-1], f"B{self.bets[-1]}") if len(self.bets) > 2 else ("B", *beyond)

    def reply_gene(self, kind: str, bet: int) -> str:
        """Return the gene name of a reply to a bet: C1 is calling a bet of 1; with one bet size it is C."""
        return kind if len(self.bets) == 1 else f"{kind}{bet}"

    @cached_property
    def gene_order(self) -> tuple[str, ...]:
        """The gene names in the rows of the dissertation; within a row by card, lowest first."""
        kinds = ("NF", "R", "C") if self.with_raise else ("C",)
        rows = self.bet_genes() + tuple(self.reply_gene(kind, bet) for kind in kinds for bet in self.bets)
        return tuple(f"{row}_{card}" for row in rows for card in self.cards)


@dataclass(frozen=True)
class KuhnState:
    """The cards dealt so far and the actions taken."""

    game: Kuhn
    dealt: tuple[str, ...] = ()
    moves: tuple[Action, ...] = ()

    @cached_property
    def actor(self) -> int:
        """The seat to act, CHANCE, or NOBODY at the end."""
        if len(self.dealt) < 2:
            return CHANCE
        ended = self.moves and (self.moves[-1].name in ("fold", "call") or self.moves == (CHECK, CHECK))
        return NOBODY if ended else len(self.moves) % 2

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the legal actions, from the most cautious to the most aggressive."""
        last = self.moves[-1].name if self.moves else "check"
        if last == "check":
            return (CHECK, *(Action("bet", bet) for bet in self.game.bets))
        if last == "bet" and self.game.with_raise:
            return (FOLD, CALL, Action("raise", 2 * self.moves[-1].amount))
        return (FOLD, CALL)

    def chance_outcomes(self) -> Sequence[tuple[str, Fraction]]:
        """Return the cards still in the deck, equally likely."""
        left = [card for card in self.game.cards if card not in self.dealt]
        return [(card, Fraction(1, len(left))) for card in left]

    def apply(self, move: Action | str) -> "KuhnState":
        """Return the next position."""
        move = validate_move(self.game.name, self, move)
        if isinstance(move, str):
            return KuhnState(self.game, (*self.dealt, move))
        return KuhnState(self.game, self.dealt, (*self.moves, move))

    def view(self, seat: int) -> SmallView:
        """Return what a seat may know."""
        return small_view(self, seat)

    def information_state(self, seat: int) -> str:
        """Return the seat's card and the actions so far."""
        card = self.dealt[seat] if len(self.dealt) > seat else "no card"
        return f"{card} after {', '.join(map(str, self.moves))}" if self.moves else card

    def gene_names(self) -> tuple[str, ...]:
        """Return the genes of the actor's decision.

        Each gene belongs to exactly one information set of each seat, so that the same genes play either seat.
        """
        last = self.moves[-1] if self.moves else CHECK
        if last.name == "check":
            rows: tuple[str, ...] = self.game.bet_genes()
        elif last.name == "bet":
            kinds = ("NF", "R") if self.game.with_raise else ("C",)
            rows = tuple(self.game.reply_gene(kind, last.amount) for kind in kinds)
        else:
            rows = (self.game.reply_gene("C", last.amount // 2),)
        return tuple(f"{row}_{self.dealt[self.actor]}" for row in rows)

    def stakes(self) -> tuple[int, int]:
        """Return the ante plus bets and calls of each seat."""
        staked = [1, 1]
        for turn, move in enumerate(self.moves):
            if move.name in ("bet", "raise"):
                staked[turn % 2] = 1 + move.amount
            elif move.name == "call":
                staked[turn % 2] = staked[1 - turn % 2]
        return staked[0], staked[1]

    def strengths(self) -> tuple[int, ...]:
        """Return the ranks of the cards."""
        return tuple(map(self.game.cards.index, self.dealt))

    def returns(self) -> tuple[int, ...]:
        """Return the chips won: a fold loses the stake; otherwise the higher card wins the other seat's stake."""
        folded = {(len(self.moves) - 1) % 2} if self.moves[-1] == FOLD else ()
        return winnings(self.stakes(), self.strengths(), folded)

    def redeal(self, outcomes: tuple[str, ...]) -> "KuhnState":
        """Return the same actions with other cards."""
        return KuhnState(self.game, outcomes, self.moves)

    def __str__(self) -> str:
        moves = ", ".join(map(str, self.moves)) or "no action yet"
        return f"{' '.join(self.dealt) or 'before the deal'}: {moves}"


def kuhn(name: str, parameters: Parameters, spec: str) -> Kuhn:
    """Build a variant by its preset's name and additional parameters."""
    reject_unknown_parameters(name, parameters, tuple(DEFAULTS))
    values = DEFAULTS | PRESETS[name] | parameters
    return Kuhn(
        name=spec,
        cards=card_names(int_parameter(name, "cards", values["cards"], 2, 10_000)),
        bets=rising_int_parameter(name, "bets", values["bets"], 1, 1_000_000),
        with_raise=bool(int_parameter(name, "raise", values["raise"], 0, 1)),
    )
