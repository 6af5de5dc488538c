"""A policy: the behaviour of each seat of a small game, in exact numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.display import html_table
from cardwin.core.errors import InputError
from cardwin.games.base import Action
from cardwin.solvers import plans
from cardwin.solvers.exact import Exact
from cardwin.solvers.tree import Sequences, Tree

MOST_ROWS = 50  # shown of a policy in a notebook
SHORT = 1000  # the largest denominator that is shown


@dataclass(frozen=True, eq=False, repr=False)
class Policy:
    """Behaviours (sequences,) of the two seats, as fractions; None for a seat that it does not play."""

    tree: Tree
    behaviours: tuple[Exact | None, Exact | None]
    name: str = "a policy"

    def exact(self, seat: int) -> Exact:
        """A seat's behaviour in fractions."""
        behaviour = self.behaviours[seat]
        if behaviour is None:
            raise InputError(f"{self.name} plays only seat {2 - seat} of {self.tree.game.name}, not seat {seat + 1}")
        return behaviour

    def behaviour(self, seat: int) -> Floats:
        """A seat's behaviour as floats (sequences,)."""
        return np.array([p.numerator / p.denominator for p in self.exact(seat)])  # faster than `float(p)`

    def plan(self, seat: int) -> Floats:
        """A seat's plan as floats (sequences,)."""
        plan: Floats = plans.plans(self.tree.sequences[seat], self.behaviour(seat)[None])[0]
        return plan

    def genes(self, seat: int) -> list[Fraction]:
        """A seat's genes; 0 if an earlier gene leaves no probability."""
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
        """The actions at every information set, with their probabilities unless 1."""
        rows = [(seat + 1, infoset, _done(choices)) for seat in self.seats for infoset, choices in self.choices(seat)]
        more = [("", f"... {len(rows)} information sets in all", "")] if len(rows) > MOST_ROWS else []
        caption = f"{self.name} in {self.tree.game.name}"
        return html_table(("seat", "knows", "does"), [*rows[:MOST_ROWS], *more], caption)

    def choices(self, seat: int) -> Iterator[tuple[str, list[tuple[Action, Fraction]]]]:
        """Every information set of a seat, with its actions and their probabilities."""
        seqs, behaviour = self.tree.sequences[seat], self.exact(seat)
        for infoset, actions, (_, first, count) in zip(seqs.infosets, seqs.actions, seqs.layout.tolist(), strict=True):
            yield infoset, list(zip(actions, behaviour[first : first + count], strict=True))


def _done(choices: list[tuple[Action, Fraction]]) -> str:
    """Actions with a probability above 0, as short fractions or three digits."""
    taken = [(action, chance) for action, chance in choices if chance]
    if len(taken) == 1:
        return str(taken[0][0])
    return ", ".join(f"{action}: {p if p.denominator <= SHORT else f'{float(p):.3f}'}" for action, p in taken)


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


def from_genes(tree: Tree, first: Sequence[Fraction], second: Sequence[Fraction], name: str) -> Policy:
    """A policy by both seats' genes."""
    return Policy(
        tree, (behaviour_from_genes(tree.sequences[0], first), behaviour_from_genes(tree.sequences[1], second)), name
    )


def from_arrays(tree: Tree, first: Floats, second: Floats, name: str) -> Policy:
    """A policy from behaviours in floats (sequences,), each read exactly; the last action takes the rest."""
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
    """Every legal action with equal probability."""
    sequences = []
    for seqs in tree.sequences:
        shares = [Fraction(1, max(count, 1)) for count in range(int(seqs.layout[:, 2].max(initial=1)) + 1)]
        behaviour = [Fraction(1)] * seqs.count
        for _, first, count in seqs.layout.tolist():
            behaviour[first : first + count] = [shares[count]] * count
        sequences.append(behaviour)
    return Policy(tree, (sequences[0], sequences[1]), "uniform")
