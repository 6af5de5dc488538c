"""Leduc hold'em (Southey et al. 2005).

Six cards, two each of J, Q and K. Ante 1, one card each, a round of betting with bets of 2, one common card, a round
with bets of 4, at most two bets or raises per round. A pair with the common card wins, then the higher card; equal
ranks split.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from cardwin.games.base import CALL, CHANCE, CHECK, FOLD, NOBODY, Action, SmallView, small_view, validate_move, winnings
from cardwin.games.specs import Parameters, reject_unknown_parameters

CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
BETS = (2, 4)
BETS_PER_ROUND = 2
STRENGTH = {"J": 0, "Q": 1, "K": 2}


@dataclass(frozen=True)
class Leduc:
    """The game, which has no parameters."""

    name: str = "leduc"
    title = "Leduc hold'em: six cards, one common card, bets of 2 and 4"
    betting_is_public = True
    gene_order = ()  # each seat has its own genes
    lowest_cards = CARDS[:2]  # a bet with one of them is a bluff
    highest_cards = CARDS[-2:]  # a check with one of them is a slow play

    def start(self) -> "LeducState":
        """Return the position before the deal."""
        return LeducState()


@dataclass(frozen=True)
class LeducState:
    """Cards in the order seat 1, seat 2, common; the actions of both rounds."""

    dealt: tuple[str, ...] = ()
    rounds: tuple[tuple[Action, ...], tuple[Action, ...]] = ((), ())

    @property
    def _round(self) -> int:
        return int(_ended(self.rounds[0]))

    @cached_property
    def actor(self) -> int:
        """The seat to act, CHANCE, or NOBODY at the end."""
        if any(map(_folded, self.rounds)) or _ended(self.rounds[1]):
            return NOBODY
        if len(self.dealt) < 2 + self._round:
            return CHANCE
        return len(self.rounds[self._round]) % 2

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the legal actions, from the most cautious to the most aggressive. A fold needs a bet to call."""
        moves, size = self.rounds[self._round], BETS[self._round]
        bets = sum(move.name in ("bet", "raise") for move in moves)
        cautious = (FOLD, CALL) if bets else (CHECK,)
        bold = Action("raise" if bets else "bet", size * (bets + 1))
        return (*cautious, bold) if bets < BETS_PER_ROUND else cautious

    def chance_outcomes(self) -> Sequence[tuple[str, Fraction]]:
        """Return the cards still in the deck, equally likely."""
        left = [card for card in CARDS if card not in self.dealt]
        chance = Fraction(1, len(left))
        return [(card, chance) for card in left]

    def apply(self, move: Action | str) -> "LeducState":
        """Return the next position."""
        move = validate_move("leduc", self, move)
        if isinstance(move, str):
            return LeducState((*self.dealt, move), self.rounds)
        first, second = self.rounds
        return LeducState(self.dealt, (first, (*second, move)) if self._round else ((*first, move), second))

    def view(self, seat: int) -> SmallView:
        """Return what a seat may know."""
        return small_view(self, seat)

    def information_state(self, seat: int) -> str:
        """Return the seat's card, the common card and the actions so far."""
        card = self.dealt[seat] if len(self.dealt) > seat else "no card"
        first, second = (", ".join(map(str, moves)) for moves in self.rounds)
        text = f"{card} after {first}" if first else card
        if len(self.dealt) == 3:
            text += f", then {self.dealt[2]}"
        return f"{text}, {second}" if second else text

    def gene_names(self) -> tuple[str, ...]:
        """Return no names: no publication names genes for this game."""
        return ()

    def stakes(self) -> tuple[int, int]:
        """Return the ante, plus bets and calls."""
        staked = [1, 1]
        for moves, size in zip(self.rounds, BETS, strict=True):
            before, bets = max(staked), 0
            for turn, move in enumerate(moves):
                bets += move.name in ("bet", "raise")
                if move.name != "fold":
                    staked[turn % 2] = before + size * bets
        return staked[0], staked[1]

    def strengths(self) -> tuple[int, ...]:
        """Return the ranks of the cards. A pair with the common card beats all others."""
        ranks = [card[0] for card in self.dealt]
        return tuple(STRENGTH[rank] + 3 * (rank in ranks[2:]) for rank in ranks[:2])

    def returns(self) -> tuple[int, ...]:
        """Return the chips won by each seat."""
        folded = {(len(moves) - 1) % 2 for moves in self.rounds if _folded(moves)}
        return winnings(self.stakes(), self.strengths(), folded)

    def redeal(self, outcomes: tuple[str, ...]) -> "LeducState":
        """Return the same actions with other cards."""
        return LeducState(outcomes, self.rounds)

    def __str__(self) -> str:
        moves = " | ".join(", ".join(map(str, moves)) for moves in self.rounds if moves) or "no action yet"
        return f"{' '.join(self.dealt) or 'before the deal'}: {moves}"


def _ended(moves: tuple[Action, ...]) -> bool:
    """Return whether a round's betting ended without a fold."""
    return len(moves) > 1 and moves[-1].name in ("check", "call")


def _folded(moves: tuple[Action, ...]) -> bool:
    """Return whether a round ended with a fold."""
    return len(moves) > 1 and moves[-1].name == "fold"


def leduc(name: str, parameters: Parameters, spec: str) -> Leduc:  # noqa: ARG001  the builders share one shape
    """Build the game, which has no parameters."""
    reject_unknown_parameters(name, parameters, ())
    return Leduc()
