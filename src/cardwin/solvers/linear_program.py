"""Equilibrium as a linear program over sequences (Koller, Megiddo and von Stengel 1996), solved by HiGHS.

The first seat chooses a plan x; the value of the second seat's best response is bounded by one variable for each
of the second seat's information sets. The dual of those bounds is the second seat's plan.

A game may have a family of equilibria (Kuhn poker's first seat has one for every bluffing rate up to 1/3). A seat's
equilibrium strategies are the plans that guarantee the game's value: a polytope, defined by the linear program.
Its point nearest to a plan, by Euclidean distance over sequences, is unique:

1. HiGHS finds the vertex of the polytope that is furthest in a direction.
2. Wolfe's method (Finding the nearest point in a polytope, 1976) stores a few vertices whose weighted mean is the
   nearest point of their convex hull, and adds the vertex furthest towards the plan, until none is nearer.

Every intermediate point is a mean of equilibrium strategies, and therefore one itself.

SciPy is imported where it is called: that takes half a second, and most commands solve nothing.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

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
    """Return rows (infosets + 1, sequences): flow out of a set equals flow into it; row 0 fixes the start."""
    from scipy.sparse import csr_array

    rows, columns, entries = [0], [0], [1.0]
    for index, (parent, first, count) in enumerate(seqs.layout.tolist()):
        rows += [index + 1] * (count + 1)
        columns += [parent, *range(first, first + count)]
        entries += [-1.0] + [1.0] * count
    return csr_array((entries, (rows, columns)), shape=(len(seqs.infosets) + 1, seqs.count))


def chips_of(tree: Tree, seat: int) -> "csr_array":
    """Return a seat's chips (own sequences, other's sequences)."""
    from scipy.sparse import csr_array

    mine, other = tree.sequences[seat], tree.sequences[1 - seat]
    return csr_array((mine.weights, mine.columns, mine.rows), shape=(mine.count, other.count))


class _Program:
    """The plans of a seat, with the value of the other's best response bounded at each information set.

    A row of variables has the plan (sequences,) and one bound for each information set of the other seat, after the
    bound of the whole game.
    """

    def __init__(self, tree: Tree, seat: int) -> None:
        from scipy import sparse

        flow, bound = flow_of(tree.sequences[seat]), flow_of(tree.sequences[1 - seat])
        self.name, self.count, self.sets = tree.game.name, tree.sequences[seat].count, bound.shape[0]
        self.upper = sparse.hstack([-chips_of(tree, seat).T, bound.T], format="csr")
        self.equal = sparse.hstack([flow, sparse.csr_array((flow.shape[0], self.sets))], format="csr")
        self.start = np.zeros(flow.shape[0])
        self.start[0] = 1.0

    def solve(self, costs: Floats, value: float | None, options: Any = None) -> Any:
        """Minimise costs (variables,), with the game's value if it is known, and return SciPy's result."""
        from scipy.optimize import linprog

        bounds: list[tuple[float | None, None]] = [(0.0, None)] * self.count + [(value, None)]

        solution = linprog(
            costs,
            A_ub=self.upper,
            b_ub=np.zeros(self.upper.shape[0]),
            A_eq=self.equal,
            b_eq=self.start,
            bounds=bounds + [(None, None)] * (self.sets - 1),
            method="highs-ds",
            options=options,
        )
        if solution.x is None or solution.fun is None:
            raise RuntimeError(f"the linear program of {self.name} was not solved: {solution.message}")
        return solution


def equilibrium(tree: Tree) -> Equilibrium:
    """Solve the program for the first seat and read the second from its dual."""
    program = _Program(tree, 0)
    costs = np.zeros(program.count + program.sets)
    costs[program.count] = -1.0
    solution = program.solve(costs, None)
    plans = np.maximum(solution.x[: program.count], 0), np.maximum(-solution.ineqlin.marginals, 0)
    return Equilibrium(plans, float(-solution.fun), int(solution.nit))


def rational(seqs: Sequences, plan: Floats) -> Exact:
    """Return the behaviour of a vertex in small fractions; the last probability is one minus the others."""
    behaviour = behaviour_of(seqs, np.where(plan < 1e-11, 0, plan))
    fractions = [Fraction(p).limit_denominator(LARGEST_DENOMINATOR) for p in behaviour.tolist()]
    for _, first, count in seqs.layout.tolist():
        fractions[first + count - 1] = 1 - sum(fractions[first : first + count - 1], Fraction(0))
    return fractions


def certify(tree: Tree, behaviours: tuple[Exact, Exact]) -> Fraction | None:
    """Return the exact value, if both seats' best responses to these behaviours agree on it."""
    if any(p < 0 for behaviour in behaviours for p in behaviour):
        return None
    best = exact.respond(tree, 0, behaviours[1]).value
    return best if best == -exact.respond(tree, 1, behaviours[0]).value else None


TOLERANCE = 1e-10  # the smallest that HiGHS accepts
CLOSE = 1e-13  # smaller improvements of the distance are rounding errors
EPSILON = 1e-12  # smaller probabilities count as 0
MAX_VERTICES = 1000


@dataclass(frozen=True)
class NearestEquilibrium:
    """An equilibrium strategy of one seat, and its distance from the given one.

    plan, behaviour: (sequences,). At information sets that the plan does not reach, the behaviour is the given one's.
    """

    plan: Floats
    behaviour: Floats
    distance: float


def find_nearest(tree: Tree, seat: int, behaviour: Floats, value: float) -> NearestEquilibrium:
    """Return the equilibrium strategy of a seat nearest to a behaviour (sequences,), given the seat's value."""
    seqs = tree.sequences[seat]
    plan: Floats = plans(seqs, behaviour[None])[0]
    family = _Program(tree, seat)
    corral = _furthest(family, plan, value)[None]
    weights = np.ones(1)
    for _ in range(MAX_VERTICES):
        point = weights @ corral
        towards = plan - point
        distance = float(np.linalg.norm(towards))
        if distance < EPSILON:
            break
        vertex = _furthest(family, towards / distance, value)
        if (vertex - point) @ towards <= CLOSE * distance:
            break
        corral, weights = _shrunk(np.vstack([corral, vertex]), np.append(weights, 0.0), plan)
    reached = np.ones(seqs.count, dtype=bool)
    for parent, first, count in seqs.layout.tolist():
        reached[first : first + count] = point[parent] > EPSILON
    completed = np.where(reached, behaviour_of(seqs, point), behaviour)
    return NearestEquilibrium(plans(seqs, completed[None])[0], completed, distance)


def _furthest(family: _Program, direction: Floats, value: float) -> Floats:
    """Return the vertex (sequences,) that is furthest in a direction, of the plans that guarantee the game's value."""
    costs = np.concatenate([-direction, np.zeros(family.sets)])
    tolerances = {"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE}
    solution = family.solve(costs, value, tolerances)
    vertex: Floats = np.maximum(solution.x[: family.count], 0)
    return vertex


def _shrunk(corral: Floats, weights: Floats, plan: Floats) -> tuple[Floats, Floats]:
    """Move to the nearest point of the vertices' convex hull, and drop vertices of weight 0 (Wolfe's minor cycle).

    corral: (vertices, sequences), weights: (vertices,), the last vertex is the new one.
    """
    while True:
        best = _affine(corral - plan)
        if (best > 0).all():
            return corral, best
        down = best < weights
        step = min(1.0, float((weights[down] / (weights - best)[down]).min()))
        weights = np.maximum(weights + step * (best - weights), 0)
        positive = weights > 1e-14
        positive[weights.argmin()] = False
        corral, weights = corral[positive], weights[positive] / weights[positive].sum()


def _affine(points: Floats) -> Floats:
    """Return weights (points,), of sum 1 and any sign, of the point in the affine hull nearest to the origin."""
    count = len(points)
    system = np.ones((count + 1, count + 1))
    system[0, 0], system[1:, 1:] = 0.0, points @ points.T
    right = np.zeros(count + 1)
    right[0] = 1.0
    return np.asarray(np.linalg.lstsq(system, right, rcond=None)[0][1:], dtype=np.float64)
