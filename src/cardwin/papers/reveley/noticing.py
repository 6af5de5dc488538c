"""A small game of several hands in which a player without memory loses to an opponent who notices bluffs.

1. A match has `hands` hands. In each the first seat puts in 6 chips and gets a high or a low card, the second puts in 1
   and has a middle card. The first seat checks, and the cards are shown; or bets 2, and the second folds or calls.
   Cards are shown after every hand.
2. The second seat calls if the last hand was a bluff, a bet with the low card, and folds otherwise.
3. So a bluff wins once, and the next hand is called: a high card should bet then, a low one check. Whoever sees
   only the card cannot tell. The best response with memory is computed by the solvers; without memory the
   policy is two probabilities of betting, and its value is computed for all of them on a grid.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.rng import child, key_of, stream_of
from cardwin.games.base import CALL, CHANCE, CHECK, FOLD, NOBODY, Action, SmallView, small_view, validate_move
from cardwin.players.xcs.learning.parameters import Parameters
from cardwin.players.xcs.learning.small_games import game_trials
from cardwin.players.xcs.learning.system import new_system
from cardwin.players.xcs.training.game import greedy_behaviour, world_of
from cardwin.solvers import plans
from cardwin.solvers.tree import Tree, tree_of

OURS, THEIRS, SIZE = 6, 1, 2
BET = Action("bet", SIZE)
HIGH, LOW = "high", "low"
GRID = 51  # points of each probability of a policy without memory


@dataclass(frozen=True)
class Noticing:
    """The rules, for a number of hands."""

    hands: int = 4
    title: str = "several hands against an opponent who notices bluffs"
    gene_order: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name."""
        return f"noticing-{self.hands}"

    def start(self) -> "Match":
        """Before the first card."""
        return Match(self)


@dataclass(frozen=True)
class Match:
    """A position: for each hand so far its card and the actions in it."""

    game: Noticing
    played: tuple[tuple[str, ...], ...] = ()

    @property
    def over(self) -> bool:
        """Whether the last hand that was dealt is finished."""
        return not self.played or len(self.played[-1]) == 3 or self.played[-1][1:] == ("check",)

    @property
    def actor(self) -> int:
        """The seat to act, CHANCE before a card, NOBODY at the end."""
        if self.over:
            return NOBODY if len(self.played) == self.game.hands else CHANCE
        return len(self.played[-1]) - 1

    def legal_actions(self) -> tuple[Action, ...]:
        """Check or bet, then fold or call."""
        return {0: (CHECK, BET), 1: (FOLD, CALL)}.get(self.actor, ())

    def chance_outcomes(self) -> tuple[tuple[str, Fraction], ...]:
        """A high or a low card."""
        return ((HIGH, Fraction(1, 2)), (LOW, Fraction(1, 2))) if self.actor == CHANCE else ()

    def apply(self, move: Action | str) -> "Match":
        """The next position."""
        legal = validate_move(self.game.name, self, move)
        if isinstance(legal, str):
            return Match(self.game, (*self.played, (legal,)))
        return Match(self.game, (*self.played[:-1], (*self.played[-1], legal.name)))

    def view(self, seat: int) -> SmallView:
        """What a seat may know."""
        return small_view(self, seat)

    def information_state(self, seat: int) -> str:
        """All hands so far; of the present one the second seat sees the bet only."""
        hands = [" ".join(one) for one in self.played]
        if seat == 1 and not self.over:
            hands[-1] = " ".join(self.played[-1][1:])
        return "; ".join(hands)

    def gene_names(self) -> tuple[str, ...]:
        """None."""
        return ()

    def stakes(self) -> tuple[int, ...]:
        """Chips in the present hand."""
        return (OURS, THEIRS)

    @property
    def so_far(self) -> int:
        """Chips of the first seat in all finished hands."""
        return sum(_won(one) for one in (self.played if self.over else self.played[:-1]))

    def returns(self) -> tuple[int, ...]:
        """Chips won in the match."""
        return (self.so_far, -self.so_far)

    def __str__(self) -> str:
        return "; ".join(" ".join(one) for one in self.played)


def _won(hand: tuple[str, ...]) -> int:
    """The first seat's chips in a finished hand."""
    card, *actions = hand
    if actions == ["bet", "fold"]:
        return THEIRS
    bet = SIZE if len(actions) == 2 else 0
    return THEIRS + bet if card == HIGH else -OURS - bet


def noticed(hand: str) -> bool:
    """Whether a finished hand, as text, was a bluff."""
    return hand.startswith(f"{LOW} bet")


def card_only(text: str) -> dict[str, str]:
    """What a player without memory sees."""
    return {"the card": text.split("; ")[-1].split()[0]}


def card_and_counter(text: str) -> dict[str, str]:
    """What a player with a bluff counter sees: also the hands since its last bluff."""
    hands = text.split("; ")[:-1]
    since = next((str(ago) for ago, hand in enumerate(reversed(hands)) if noticed(hand)), "never")
    return {**card_only(text), "hands since a bluff": since}


@dataclass(frozen=True)
class Opponent:
    """The game's tree, and the plan of the opponent who notices."""

    game: Noticing

    @cached_property
    def tree(self) -> Tree:
        """All positions."""
        return tree_of(self.game)

    def behaviours(self, seat: int, second: Callable[[str], Floats]) -> Floats:
        """Return behaviours (n, sequences) of a seat: `second` has the probabilities (n,) of the second action."""
        seqs = self.tree.sequences[seat]
        found = np.ones((len(second(seqs.infosets[0])), seqs.count))
        for text, (_, first, _) in zip(seqs.infosets, seqs.layout.tolist(), strict=True):
            found[:, first], found[:, first + 1] = 1 - second(text), second(text)
        return found

    @cached_property
    def behaviour(self) -> Floats:
        """Call after a bluff in the last hand, fold otherwise: (sequences,) of the second seat."""
        calls = self.behaviours(1, lambda text: np.array([float(any(map(noticed, text.split("; ")[-2:-1])))]))
        return np.asarray(calls[0])

    @cached_property
    def plan(self) -> Floats:
        """The same as a plan over sequences."""
        found: Floats = plans.plans(self.tree.sequences[1], self.behaviour[None])[0]
        return found

    @cached_property
    def with_memory(self) -> float:
        """Chips a hand of a best response, exact."""
        return plans.best_response_value(self.tree, 0, self.plan) / self.game.hands

    def values(self, behaviours: Floats) -> Floats:
        """Chips a hand of behaviours (n, sequences) of the first seat, exact."""
        own = plans.plans(self.tree.sequences[0], behaviours)
        found: Floats = own @ plans.gradient(self.tree, 0, self.plan) / self.game.hands
        return found

    @cached_property
    def best_without_memory(self) -> float:
        """The best of all policies without memory, mixed ones too, on a grid that contains the pure ones."""
        high, low = (side.ravel() for side in np.meshgrid(np.linspace(0, 1, GRID), np.linspace(0, 1, GRID)))
        bets = {HIGH: high, LOW: low}
        return float(self.values(self.behaviours(0, lambda text: bets[card_only(text)["the card"]])).max())

    @cached_property
    def chips(self) -> Floats:
        """Chips of the first seat so far, at every node (nodes,)."""
        queue = [self.game.start()]
        for state in queue:
            moves = [name for name, _ in state.chance_outcomes()] or state.legal_actions()
            queue += [state.apply(move) for move in moves]
        return np.array([float(state.so_far) for state in queue])


# Specific rules that are bred rarely, small steps, half of the exploration near the best action, and optimistic first
# predictions, after those of the maze with a register (`xcs.learning.problems`); fixed before the first run.
SETTINGS = Parameters(
    N=1000, epsilon_0=0.1, p_I=4.0, gamma=1.0, mu=0.02, P_hash=0.05, tau=0.4, beta=0.01, theta_GA=2000.0, nu=2.0,
    p_random=0.5, cover_internal=1, do_action_set_subsumption=0,
)  # fmt: skip
KINDS = {"no memory": (card_only, 0), "register": (card_only, 1), "bluff counter": (card_and_counter, 0)}


def learned(opponent: Opponent, kind: str, matches: int, seed: int) -> float:
    """Chips a hand of XCS after so many matches, exact: the greedy policy of its rules."""
    observe, register = KINDS[kind]
    small = world_of(opponent.tree, 0, opponent.behaviour, register, observe)
    system = new_system(small.fields, len(small.actions), SETTINGS, child(key_of(seed, "noticing"), 0))
    rng = stream_of(child(key_of(seed, "noticing"), 1))
    world = small.world._replace(chips=opponent.chips)
    game_trials(system, world, rng, np.zeros(matches, np.int64), np.zeros(matches))
    return float(opponent.values(greedy_behaviour(small, system)[None])[0])
