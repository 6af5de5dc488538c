"""A policy: the behaviour of each seat of a small game, in exact numbers, and the exact cost of each of its mistakes.

A policy's loss against a best response splits over its information sets: at each, the probability that its own play
reaches the set, times the EV loss of its choices there with best play afterwards. They add up to the best
response's value minus the policy's own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.display import html_table
from cardwin.core.errors import InputError
from cardwin.games.base import Action, Game
from cardwin.solvers import exact, plans
from cardwin.solvers.exact import Exact
from cardwin.solvers.tree import Sequences, Tree

MAX_ROWS = 50  # shown of a policy in a notebook
MAX_DENOMINATOR = 1000  # the largest denominator that is shown


@dataclass(frozen=True, eq=False, repr=False)
class Policy:
    """Behaviours (sequences,) of the two seats, as fractions; None for a seat that it does not play.

    Attributes:
        tree: The game as arrays.
        behaviours: The probability of each sequence's last action, by seat.
        name: A name for texts.

    """

    tree: Tree
    behaviours: tuple[Exact | None, Exact | None]
    name: str = "a policy"

    def exact(self, seat: int) -> Exact:
        """Return a seat's behaviour in fractions.

        Args:
            seat: The seat, 0 or 1.

        Returns:
            The probability of each sequence's last action (sequences,).

        Raises:
            InputError: If the policy does not play the seat.

        """
        behaviour = self.behaviours[seat]
        if behaviour is None:
            game = self.tree.game.name
            raise InputError(f"expected a policy for seat {seat + 1} of {game}, got {self.name} for seat {2 - seat}")
        return behaviour

    def behaviour(self, seat: int) -> Floats:
        """Return a seat's behaviour as floats.

        Args:
            seat: The seat, 0 or 1.

        Returns:
            The probability of each sequence's last action (sequences,).

        """
        return np.array([p.numerator / p.denominator for p in self.exact(seat)])  # faster than `float(p)`

    def plan(self, seat: int) -> Floats:
        """Return a seat's realisation plan as floats.

        Args:
            seat: The seat, 0 or 1.

        Returns:
            The product of the seat's probabilities along each sequence (sequences,).

        """
        plan: Floats = plans.plans(self.tree.sequences[seat], self.behaviour(seat)[None])[0]
        return plan

    def genes(self, seat: int) -> list[Fraction]:
        """Return a seat's genes.

        Args:
            seat: The seat, 0 or 1.

        Returns:
            Gene i is the probability of an action beyond i if none before i is chosen; 0 if that cannot happen.

        """
        seqs, behaviour = self.tree.sequences[seat], self.exact(seat)
        genes = [Fraction(0)] * seqs.genes
        for _, first, count in seqs.layout.tolist():
            left = Fraction(1)
            for sequence in range(first, first + count - 1):
                beyond = left - behaviour[sequence]
                genes[seqs.gene[sequence]] = beyond / left if left else Fraction(0)
                left = beyond
        return genes

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The seats that it plays."""
        return tuple(seat for seat in (0, 1) if self.behaviours[seat] is not None)

    def __repr__(self) -> str:
        seats = " and ".join(f"seat {seat + 1}" for seat in self.seats)
        return f"<policy {self.name} of {self.tree.game.name}, {seats}>"

    def _repr_html_(self) -> str:
        """Return the actions at every information set, with their probabilities unless 1."""
        rows = [(seat + 1, infoset, _done(choices)) for seat in self.seats for infoset, choices in self.choices(seat)]
        more = [("", f"... {len(rows)} information sets in all", "")] if len(rows) > MAX_ROWS else []
        caption = f"{self.name} in {self.tree.game.name}"
        return html_table(("seat", "knows", "does"), [*rows[:MAX_ROWS], *more], caption)

    def choices(self, seat: int) -> Iterator[tuple[str, list[tuple[Action, Fraction]]]]:
        """Yield every information set of a seat, with its actions and their probabilities.

        Args:
            seat: The seat, 0 or 1.

        Yields:
            The information set's text, and pairs of an action and its probability.

        """
        seqs, behaviour = self.tree.sequences[seat], self.exact(seat)
        for infoset, actions, (_, first, count) in zip(seqs.infosets, seqs.actions, seqs.layout.tolist(), strict=True):
            yield infoset, list(zip(actions, behaviour[first : first + count], strict=True))


def _done(choices: list[tuple[Action, Fraction]]) -> str:
    """Return actions with a probability above 0, as short fractions or three digits."""
    taken = [(action, chance) for action, chance in choices if chance]
    if len(taken) == 1:
        return str(taken[0][0])
    return ", ".join(f"{action}: {p if p.denominator <= MAX_DENOMINATOR else f'{float(p):.3f}'}" for action, p in taken)


def behaviour_from_genes(seqs: Sequences, genes: Sequence[Fraction]) -> Exact:
    """Compute action probabilities by stick breaking at every information set."""
    behaviour = [Fraction(1)] * seqs.count
    for _, first, count in seqs.layout.tolist():
        left = Fraction(1)
        for sequence in range(first, first + count - 1):
            beyond = genes[seqs.gene[sequence]]
            behaviour[sequence] = left * (1 - beyond)
            left *= beyond
        behaviour[first + count - 1] = left
    return behaviour


def from_arrays(tree: Tree, first: Floats, second: Floats, name: str) -> Policy:
    """Return a policy from behaviours in floats (sequences,), read exactly; the last action takes the remainder."""
    return Policy(tree, (_exactly(tree.sequences[0], first), _exactly(tree.sequences[1], second)), name)


def _exactly(seqs: Sequences, behaviour: Floats) -> Exact:
    exact = [Fraction(float(p)) for p in behaviour]
    for _, first, count in seqs.layout.tolist():
        last = first + count - 1
        # Sums of floats may exceed 1 slightly: scale, so that the rest for the last action is not negative.
        total = sum(exact[first:last], Fraction(0))
        if total > 1:
            exact[first:last] = [p / total for p in exact[first:last]]
        exact[last] = 1 - sum(exact[first:last], Fraction(0))
    return exact


def uniform(tree: Tree) -> Policy:
    """Return the policy that plays every legal action with equal probability."""
    sequences = []
    for seqs in tree.sequences:
        shares = [Fraction(1, max(count, 1)) for count in range(int(seqs.layout[:, 2].max(initial=1)) + 1)]
        behaviour = [Fraction(1)] * seqs.count
        for _, first, count in seqs.layout.tolist():
            behaviour[first : first + count] = [shares[count]] * count
        sequences.append(behaviour)
    return Policy(tree, (sequences[0], sequences[1]), "uniform")


Row = TypeVar("Row", bound=tuple[Any, ...])


@dataclass(frozen=True)
class Choice:
    """An action: its probability, and the chips that it costs each time; None if the set is never reached."""

    action: str
    probability: Fraction
    cost: Fraction | None


@dataclass(frozen=True)
class InfosetReport:
    """An information set: its text, the probability of reaching it, the choices, and the chips lost there per game.

    `forced` is the action that every best response takes there, if there is only one.
    """

    knows: str
    reach: Fraction
    choices: tuple[Choice, ...]
    loss: Fraction
    forced: str | None


def inspect_policy(policy: Policy, seat: int, against: Policy) -> list[InfosetReport]:
    """Return a report of every information set of a seat, in the tree's order.

    Args:
        policy: the policy that is examined.
        seat: its seat, 0 or 1.
        against: the policy of the other seat.

    """
    seqs = policy.tree.sequences[seat]
    response = exact.respond(policy.tree, seat, against.exact(1 - seat))
    behaviour = policy.exact(seat)
    plan = exact.plan_of(seqs, behaviour)
    reports = []
    for index, (parent, first, count) in enumerate(seqs.layout.tolist()):
        value, reached = response.action_values[first : first + count], response.reached[index]
        costs = [max(value) - chips for chips in value]
        chances = behaviour[first : first + count]
        choices = tuple(
            Choice(str(action), chance, cost / reached if reached else None)
            for action, chance, cost in zip(seqs.actions[index], chances, costs, strict=True)
        )
        best = [choice.action for choice in choices if choice.cost == 0]
        lost = sum((chance * cost for chance, cost in zip(chances, costs, strict=True)), Fraction(0))
        reach, forced = plan[parent], best[0] if len(best) == 1 else None
        reports.append(InfosetReport(seqs.infosets[index], reach * reached, choices, reach * lost, forced))
    return reports


def sort_by_card(game: Game, rows: Sequence[Row], max_rows: int) -> list[Row]:
    """Return rows that begin with an information set's text, grouped by card in the game's order.

    The tree's order follows the other seat's cards. It is kept if there are more than `max_rows` rows, because only the
    first are shown and the tree's order begins with the first decision of every card.
    """
    cards = [card for card, _ in game.start().chance_outcomes()]
    held = [str(row[0]).partition(" ")[0] for row in rows]
    if len(rows) > max_rows or not set(held) <= set(cards):
        return list(rows)
    return [row for _, row in sorted(zip(held, rows, strict=True), key=lambda pair: cards.index(pair[0]))]
