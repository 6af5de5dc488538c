"""Deception where it can pay: memory against opponents who notice.

The document's register and bluff counter are for deceiving an opponent who would otherwise see through it (1.4 d).
Caller and Random notice nothing, so they cannot test that. Two opponents do:

1. A small game in which the gain from memory is known exactly. A match is one episode, so the register lasts from hand
   to hand; in hold'em it is cleared after every hand and only counters last.
2. Loki with the specific model, which counts what this opponent does, with and without its doubts. With them it checks
   in the hands that are shown whether bets meant anything. studies/reveley_read_out.py measures what the register held.

The rules of the small game:

1. A match has `hands` hands. In each the first seat puts in 6 chips and gets a high or a low card. The second puts in 1
   and has a middle card. The first seat checks, and the cards are shown; or bets 2, and the second folds or calls.
   Cards are shown after every hand.
2. The second seat calls if the last hand was a bluff, a bet with the low card, and folds otherwise.
3. So a bluff wins once, and the next hand is called: then a high card should bet and a low one check. A player who sees
   only the card cannot tell. The solvers compute the best response with memory. Without memory the policy is two
   probabilities of betting, and its value is computed for all of them on a grid.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.rng import child, key_of, stream_of
from cardwin.games.base import CALL, CHANCE, CHECK, FOLD, NOBODY, Action, SmallView, small_view, validate_move
from cardwin.papers import Context
from cardwin.papers.reveley.baselines import baseline_rows, baselines_of, header_of, mean_cells, result_cells
from cardwin.papers.reveley.claims import family, leads, numbers
from cardwin.papers.reveley.trainings import (
    DOUBTING,
    TRUSTING,
    WITH_BLUFF,
    WITH_COUNTERS,
    Training,
    in_parallel,
    seeds_of,
    sizes,
    train_each,
)
from cardwin.papers.sample import Sample, sample
from cardwin.players.xcs.learning.parameters import Parameters
from cardwin.players.xcs.learning.small_games import game_trials
from cardwin.players.xcs.learning.system import new_system
from cardwin.players.xcs.training.game import greedy_behaviour, world_of
from cardwin.solvers import plans
from cardwin.solvers.tree import Tree, tree_of

# --- the rules of the small game

FIRST_STAKE, SECOND_STAKE, BET_SIZE = 6, 1, 2
BET = Action("bet", BET_SIZE)
HIGH, LOW = "high", "low"


@dataclass(frozen=True)
class BluffGame:
    """The rules, for a number of hands."""

    hands: int = 4
    title: str = "several hands against an opponent who notices bluffs"
    gene_order: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The game's name."""
        return f"noticing-{self.hands}"

    def start(self) -> "BluffState":
        """Return the state before the first card."""
        return BluffState(self)


@dataclass(frozen=True)
class BluffState:
    """A state: for each hand so far its card and the actions in it."""

    game: BluffGame
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
        """Return check and bet for the first seat, fold and call for the second."""
        return {0: (CHECK, BET), 1: (FOLD, CALL)}.get(self.actor, ())

    def chance_outcomes(self) -> tuple[tuple[str, Fraction], ...]:
        """Return a high and a low card with their probabilities."""
        return ((HIGH, Fraction(1, 2)), (LOW, Fraction(1, 2))) if self.actor == CHANCE else ()

    def apply(self, move: Action | str) -> "BluffState":
        """Return the next state."""
        legal = validate_move(self.game.name, self, move)
        if isinstance(legal, str):
            return BluffState(self.game, (*self.played, (legal,)))
        return BluffState(self.game, (*self.played[:-1], (*self.played[-1], legal.name)))

    def view(self, seat: int) -> SmallView:
        """Return what a seat may know."""
        return small_view(self, seat)

    def information_state(self, seat: int) -> str:
        """Return all hands so far; of an unfinished one the second seat sees the bet only."""
        hands = [" ".join(hand) for hand in self.played]
        if seat == 1 and not self.over:
            hands[-1] = " ".join(self.played[-1][1:])
        return "; ".join(hands)

    def gene_names(self) -> tuple[str, ...]:
        """Return no names."""
        return ()

    def stakes(self) -> tuple[int, ...]:
        """Return the chips that each seat puts into a hand."""
        return (FIRST_STAKE, SECOND_STAKE)

    @property
    def chips(self) -> int:
        """Chips that the first seat won in all finished hands."""
        return sum(_chips_won(hand) for hand in (self.played if self.over else self.played[:-1]))

    def returns(self) -> tuple[int, ...]:
        """Return the chips won in the match."""
        return (self.chips, -self.chips)

    def __str__(self) -> str:
        return "; ".join(" ".join(hand) for hand in self.played)


def _chips_won(hand: tuple[str, ...]) -> int:
    """Return the first seat's chips in a finished hand."""
    card, *actions = hand
    if actions == ["bet", "fold"]:
        return SECOND_STAKE
    bet = BET_SIZE if len(actions) == 2 else 0
    return SECOND_STAKE + bet if card == HIGH else -FIRST_STAKE - bet


# --- its opponent, and players with and without memory

GRID = 51  # points of each probability of a policy without memory


def _is_bluff(hand: str) -> bool:
    """Return whether a finished hand, as text, was a bluff."""
    return hand.startswith(f"{LOW} bet")


def _card_only(text: str) -> dict[str, str]:
    """Return the inputs of a player without memory."""
    return {"the card": text.split("; ")[-1].split()[0]}


def _card_and_counter(text: str) -> dict[str, str]:
    """Return the inputs of a player with a bluff counter: also the hands since its last bluff."""
    hands = text.split("; ")[:-1]
    since = next((str(ago) for ago, hand in enumerate(reversed(hands)) if _is_bluff(hand)), "never")
    return {**_card_only(text), "hands since a bluff": since}


@dataclass(frozen=True)
class NoticingOpponent:
    """The game's tree, and the plan of the opponent who notices bluffs."""

    game: BluffGame

    @cached_property
    def tree(self) -> Tree:
        """The game tree."""
        return tree_of(self.game)

    def behaviours(self, seat: int, second: Callable[[str], Floats]) -> Floats:
        """Return behaviours of a seat.

        Args:
            seat: The seat.
            second: The probabilities (n,) of the second action at an information set.

        Returns:
            A probability per behaviour and sequence (n, sequences).

        """
        seqs = self.tree.sequences[seat]
        behaviours = np.ones((len(second(seqs.infosets[0])), seqs.count))
        for text, (_, first, _) in zip(seqs.infosets, seqs.layout.tolist(), strict=True):
            behaviours[:, first], behaviours[:, first + 1] = 1 - second(text), second(text)
        return behaviours

    @cached_property
    def behaviour(self) -> Floats:
        """The second seat's behaviour (sequences,): calls if the last hand was a bluff, folds otherwise."""
        calls = self.behaviours(1, lambda text: np.array([float(any(map(_is_bluff, text.split("; ")[-2:-1])))]))
        return np.asarray(calls[0])

    @cached_property
    def plan(self) -> Floats:
        """The same behaviour as a plan over sequences (sequences,)."""
        plan: Floats = plans.plans(self.tree.sequences[1], self.behaviour[None])[0]
        return plan

    @cached_property
    def with_memory(self) -> float:
        """Chips per hand of a best response, exact."""
        return plans.best_response_value(self.tree, 0, self.plan) / self.game.hands

    def values(self, behaviours: Floats) -> Floats:
        """Return the exact chips per hand (n,) of behaviours (n, sequences) of the first seat."""
        responses = plans.plans(self.tree.sequences[0], behaviours)
        values: Floats = responses @ plans.gradient(self.tree, 0, self.plan) / self.game.hands
        return values

    @cached_property
    def best_without_memory(self) -> float:
        """Chips per hand of the best policy without memory, on a grid of mixed policies that contains the pure ones."""
        high, low = (side.ravel() for side in np.meshgrid(np.linspace(0, 1, GRID), np.linspace(0, 1, GRID)))
        bets = {HIGH: high, LOW: low}
        return float(self.values(self.behaviours(0, lambda text: bets[_card_only(text)["the card"]])).max())

    @cached_property
    def chips(self) -> Floats:
        """Chips of the first seat so far, at every node (nodes,)."""
        queue = [self.game.start()]
        for state in queue:
            moves = [name for name, _ in state.chance_outcomes()] or state.legal_actions()
            queue += [state.apply(move) for move in moves]
        return np.array([float(state.chips) for state in queue])


# Specific rules that are bred rarely, small steps, half of the exploration near the best action, and optimistic first
# predictions, after those of the maze with a register (`xcs.learning.problems`); fixed before the first run.
SETTINGS = Parameters(
    N=1000,
    epsilon_0=0.1,
    p_I=4.0,
    gamma=1.0,
    mu=0.02,
    P_hash=0.05,
    tau=0.4,
    beta=0.01,
    theta_GA=2000.0,
    nu=2.0,
    p_random=0.5,
    cover_internal=1,
    do_action_set_subsumption=0,
)
# For each kind of memory its inputs, and the bits of its register.
MEMORY_KINDS = {"no memory": (_card_only, 0), "register": (_card_only, 1), "bluff counter": (_card_and_counter, 0)}


def learned_value(opponent: NoticingOpponent, kind: str, matches: int, seed: int) -> float:
    """Train XCS against the opponent; return the exact chips per hand of its greedy policy.

    Args:
        opponent: The opponent.
        kind: The kind of memory, a key of `MEMORY_KINDS`.
        matches: The number of matches.
        seed: The seed.

    """
    observe, register = MEMORY_KINDS[kind]
    small = world_of(opponent.tree, 0, opponent.behaviour, register, observe)
    system = new_system(small.fields, len(small.actions), SETTINGS, child(key_of(seed, "noticing"), 0))
    rng = stream_of(child(key_of(seed, "noticing"), 1))
    world = small.world._replace(chips=opponent.chips)
    game_trials(system, world, rng, np.zeros(matches, np.int64), np.zeros(matches))
    return float(opponent.values(greedy_behaviour(small, system)[None])[0])


# --- the experiments

GAME = BluffGame(4)
MEMORIES = {
    "no memory": "xcs",
    "register": "xcs:register_bits=1",
    "bluff counter": f"xcs:see={WITH_BLUFF}",
    "register and its counter": f"xcs:register_bits=1,see={WITH_COUNTERS}",
}
TABLES = (DOUBTING, TRUSTING)


def small_game(context: Context) -> Iterator[Sample]:
    """Compute the known gain, and train XCS to find it."""
    size, opponent = sizes(context, "noticing"), NoticingOpponent(GAME)
    seeds = seeds_of(context, size["seeds"])
    best, without = opponent.with_memory, opponent.best_without_memory
    name = "an opponent who notices: the best response with memory minus the best player without"
    yield sample(name, exact=round(best - without, 4), judged=best - without, best=best, without=without)
    jobs = [Training(kind, (GAME.name,), size["matches"], seed) for kind in MEMORY_KINDS for seed in seeds]
    values = iter(zip(jobs, in_parallel(_learned_value, jobs, context.workers, in_python=False), strict=True))
    results = {kind: [next(values) for _ in seeds] for kind in MEMORY_KINDS}
    rows = [[f"XCS, {kind}", *mean_cells([value for _, value in by_seed])] for kind, by_seed in results.items()]
    rows.append(["best response, with memory", f"{best:+.3f}", "exact"])
    rows.append(["best player without memory", f"{without:+.3f}", "exact"])
    title = (
        f"Four hands against an opponent who notices: chips a hand, {size['matches']:,} matches, {size['seeds']} "
        "seeds, ± over seeds"
    )
    context.table(title, ["player", "won", "±"], rows)
    no_memory, *memories = results.items()
    yield from family(
        {
            f"an opponent who notices: XCS with a {kind} minus without memory": numbers(
                ((a, b), value - other) for (a, value), (b, other) in zip(by_seed, no_memory[1], strict=True)
            )
            for kind, by_seed in memories
        }
    )


def _learned_value(training: Training) -> float:
    return learned_value(NoticingOpponent(GAME), training.spec, training.hands, training.seed)


def holdem(context: Context) -> Iterator[Sample]:
    """Train against the specific Loki, with its doubts and without."""
    size = sizes(context, "deception")
    seeds = seeds_of(context, size["seeds"])
    results = train_each(context, MEMORIES, TABLES, size, seeds)
    baselines = baselines_of(TABLES, seeds, size["deals"], context.workers)
    rows = [
        [memory, *(text for trained in by_table.values() for text in result_cells(trained))]
        for memory, by_table in results.items()
    ]
    title = (
        f"Trained and judged by Loki, specific model: {size['hands']:,} hands, {size['seeds']} seeds, {size['deals']} "
        "deals, ± over seeds"
    )
    header = header_of(TABLES, "small bets a hand against")
    context.table(title, header, [*rows, *baseline_rows(baselines, TABLES)])
    yield from family(
        {
            f"deception: {memory} minus no memory, {opponent}": lead
            for memory in list(MEMORIES)[1:]
            for opponent, lead in leads(results, memory, "no memory").items()
        }
    )
