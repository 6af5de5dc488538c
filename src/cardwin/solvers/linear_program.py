"""Equilibrium as a linear program over sequences (Koller, Megiddo and von Stengel 1996), solved by HiGHS.

The first seat chooses a plan x; the value of the second seat's best response is bounded by one variable for each
of the second seat's information sets. The dual of those bounds is the second seat's plan.

SciPy is imported where it is called: that takes half a second, and most commands solve nothing.

The equilibrium strategy of a seat that is nearest to a given strategy.

A game may have a family of equilibria (Kuhn poker's first seat has one for every bluffing rate up to 1/3). A seat's
equilibrium strategies are the plans that guarantee the game's value: a polytope, defined by the linear program.
Its point nearest to a plan, by Euclidean distance over sequences, is unique:

1. HiGHS finds the vertex of the polytope that is furthest in a direction.
2. Wolfe's method (Finding the nearest point in a polytope, 1976) stores a few vertices whose weighted mean is the
   nearest point of their convex hull, and adds the vertex furthest towards the plan, until none is nearer.

Every intermediate point is a mean of equilibrium strategies, and so is one itself.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.solvers import exact
from cardwin.solvers.exact import Exact
from cardwin.solvers.plans import behaviour_of, plans
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


TOLERANCE = 1e-10  # the smallest that HiGHS accepts
CLOSE = 1e-13  # smaller improvements of the distance are rounding errors
EPSILON = 1e-12  # smaller probabilities count as 0
MAX_VERTICES = 1000


@dataclass(frozen=True)
class NearestEquilibrium:
    """An equilibrium strategy of one seat, and its distance from the given one.

    plan, behaviour: (sequences,); at information sets that the plan does not reach, the behaviour is the given one's.
    """

    plan: Floats
    behaviour: Floats
    distance: float


def find_nearest(tree: Tree, seat: int, behaviour: Floats, value: float) -> NearestEquilibrium:
    """The equilibrium strategy of a seat nearest to a behaviour (sequences,); `value` is the game's value to it."""
    seqs = tree.sequences[seat]
    plan: Floats = plans(seqs, behaviour[None])[0]
    family = _Family(tree, seat, value)
    corral = family.furthest(plan)[None]
    weights = np.ones(1)
    for _ in range(MAX_VERTICES):
        point = weights @ corral
        towards = plan - point
        distance = float(np.linalg.norm(towards))
        if distance < EPSILON:
            break
        vertex = family.furthest(towards / distance)
        if (vertex - point) @ towards <= CLOSE * distance:
            break
        corral, weights = _shrunk(np.vstack([corral, vertex]), np.append(weights, 0.0), plan)
    reached = np.ones(seqs.count, dtype=bool)
    for parent, first, count in seqs.layout.tolist():
        reached[first : first + count] = point[parent] > EPSILON
    chosen = np.where(reached, behaviour_of(seqs, point), behaviour)
    return NearestEquilibrium(plans(seqs, chosen[None])[0], chosen, distance)


class _Family:
    """All plans that guarantee the game's value, as constraints of a program."""

    def __init__(self, tree: Tree, seat: int, value: float) -> None:
        from scipy import sparse

        own, other = tree.sequences[seat], tree.sequences[1 - seat]
        flow, bound = flow_of(own), flow_of(other)
        self.count, self.sets = own.count, bound.shape[0]
        self.upper = sparse.hstack([-chips_of(tree, seat).T, bound.T], format="csr")
        self.equal = sparse.hstack([flow, sparse.csr_array((flow.shape[0], self.sets))], format="csr")
        self.start = np.zeros(flow.shape[0])
        self.start[0] = 1.0
        self.bounds = [(0.0, None)] * own.count + [(value, None)] + [(None, None)] * (self.sets - 1)

    def furthest(self, direction: Floats) -> Floats:
        """The vertex (sequences,) that is furthest in a direction (sequences,)."""
        from scipy.optimize import linprog

        solution = linprog(
            np.concatenate([-direction, np.zeros(self.sets)]), A_ub=self.upper, b_ub=np.zeros(self.upper.shape[0]),
            A_eq=self.equal, b_eq=self.start, bounds=self.bounds, method="highs-ds",
            options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
        )  # fmt: skip
        if solution.x is None:
            raise RuntimeError(f"no equilibrium was found in this direction: {solution.message}")
        vertex: Floats = np.maximum(solution.x[: self.count], 0)
        return vertex


def _shrunk(corral: Floats, weights: Floats, plan: Floats) -> tuple[Floats, Floats]:
    """Wolfe's minor cycle: move to the nearest point of the vertices' convex hull, and drop vertices of weight 0.

    corral: (vertices, sequences), weights: (vertices,), the last vertex is the new one.
    """
    while True:
        best = _affine(corral - plan)
        if (best > 0).all():
            return corral, best
        down = best < weights
        step = min(1.0, float((weights[down] / (weights - best)[down]).min()))
        weights = np.maximum(weights + step * (best - weights), 0)
        kept = weights > 1e-14
        kept[weights.argmin()] = False
        corral, weights = corral[kept], weights[kept] / weights[kept].sum()


def _affine(points: Floats) -> Floats:
    """Weights (points,), of sum 1 and any sign, of the point in the affine hull that is nearest to the origin."""
    count = len(points)
    system = np.ones((count + 1, count + 1))
    system[0, 0], system[1:, 1:] = 0.0, points @ points.T
    right = np.zeros(count + 1)
    right[0] = 1.0
    return np.asarray(np.linalg.lstsq(system, right, rcond=None)[0][1:], dtype=np.float64)
