"""Equilibrium as a linear program over sequences (Koller, Megiddo and von Stengel 1996), solved by HiGHS.

The first seat chooses a plan x; the value of the second seat's best response is bounded by one variable for each
of the second seat's information sets. The dual of those bounds is the second seat's plan.

SciPy is imported where it is called: that takes half a second, and most commands solve nothing.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.solvers import exact
from cardwin.solvers.exact import Exact
from cardwin.solvers.plans import behaviour_of
from cardwin.solvers.tree import Sequences, Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LARGEST_DENOMINATOR = 100_000


@dataclass(frozen=True)
class Equilibrium:
    """Both seats' plans (sequences,) at a vertex of the program, and the first seat's chips."""

    plans: tuple[Floats, Floats]
    value: float
    pivots: int


def flow_of(seqs: Sequences) -> "csr_array":
    """Rows (infosets + 1, sequences): flow out of an information set equals flow into it; row 0 fixes the start."""
    from scipy.sparse import csr_array

    rows, columns, entries = [0], [0], [1.0]
    for index, (parent, first, count) in enumerate(seqs.layout.tolist()):
        rows += [index + 1] * (count + 1)
        columns += [parent, *range(first, first + count)]
        entries += [-1.0] + [1.0] * count
    return csr_array((entries, (rows, columns)), shape=(len(seqs.infosets) + 1, seqs.count))


def chips_of(tree: Tree, seat: int) -> "csr_array":
    """A seat's chips (own sequences, other's sequences)."""
    from scipy.sparse import csr_array

    own, other = tree.sequences[seat], tree.sequences[1 - seat]
    return csr_array((own.weights, own.columns, own.rows), shape=(own.count, other.count))


def equilibrium(tree: Tree) -> Equilibrium:
    """Solve the program for the first seat and read the second from its dual."""
    from scipy import sparse
    from scipy.optimize import linprog

    first, second = tree.sequences
    flow, bound = flow_of(first), flow_of(second)
    chips = chips_of(tree, 0)
    goal = np.zeros(first.count + bound.shape[0])
    goal[first.count] = -1.0
    start = np.zeros(flow.shape[0])
    start[0] = 1.0
    solution = linprog(
        goal,
        A_ub=sparse.hstack([-chips.T, bound.T], format="csr"),
        b_ub=np.zeros(second.count),
        A_eq=sparse.hstack([flow, sparse.csr_array((flow.shape[0], bound.shape[0]))], format="csr"),
        b_eq=start,
        bounds=[(0, None)] * first.count + [(None, None)] * bound.shape[0],
        method="highs-ds",
    )
    if solution.x is None or solution.fun is None:
        raise RuntimeError(f"the program for {tree.game.name} was not solved: {solution.message}")
    plans = np.maximum(solution.x[: first.count], 0), np.maximum(-solution.ineqlin.marginals, 0)
    return Equilibrium(plans, float(-solution.fun), int(solution.nit))


def rational(seqs: Sequences, plan: Floats) -> Exact:
    """The behaviour of a vertex in small fractions; the last probability is one minus the rest."""
    behaviour = behaviour_of(seqs, np.where(plan < 1e-11, 0, plan))
    fractions = [Fraction(p).limit_denominator(LARGEST_DENOMINATOR) for p in behaviour.tolist()]
    for _, first, count in seqs.layout.tolist():
        fractions[first + count - 1] = 1 - sum(fractions[first : first + count - 1], Fraction(0))
    return fractions


def certify(tree: Tree, behaviours: tuple[Exact, Exact]) -> Fraction | None:
    """The exact value, if both seats' best responses to these behaviours agree on it."""
    if any(p < 0 for behaviour in behaviours for p in behaviour):
        return None
    most = exact.respond(tree, 0, behaviours[1]).value
    return most if most == -exact.respond(tree, 1, behaviours[0]).value else None
