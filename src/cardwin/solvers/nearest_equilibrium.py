"""The equilibrium strategy of a seat that is nearest to a given strategy.

A game may have a family of equilibria (Kuhn poker's first seat has one for every bluffing rate up to 1/3). A seat's
equilibrium strategies are the plans that guarantee the game's value: a polytope, defined by the linear program.
Its point nearest to a plan, by Euclidean distance over sequences, is unique:

1. HiGHS finds the vertex of the polytope that is furthest in a direction.
2. Wolfe's method (Finding the nearest point in a polytope, 1976) stores a few vertices whose weighted mean is the
   nearest point of their convex hull, and adds the vertex furthest towards the plan, until none is nearer.

Every intermediate point is a mean of equilibrium strategies, and so is one itself.
"""

from dataclasses import dataclass

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.solvers.linear_program import chips_of, flow_of
from cardwin.solvers.plans import behaviour_of, plans
from cardwin.solvers.tree import Tree

TOLERANCE = 1e-10  # the smallest that HiGHS accepts
CLOSE = 1e-13  # smaller improvements of the distance are rounding errors
NOTHING = 1e-12  # smaller probabilities count as 0
MOST_VERTICES = 1000


@dataclass(frozen=True)
class Nearest:
    """An equilibrium strategy of one seat, and its distance from the given one.

    plan, behaviour: (sequences,); at information sets that the plan does not reach, the behaviour is the given one's.
    """

    plan: Floats
    behaviour: Floats
    distance: float


def nearest(tree: Tree, seat: int, behaviour: Floats, value: float) -> Nearest:
    """The equilibrium strategy of a seat nearest to a behaviour (sequences,); `value` is the game's value to it."""
    seqs = tree.sequences[seat]
    plan: Floats = plans(seqs, behaviour[None])[0]
    family = _Family(tree, seat, value)
    corral = family.furthest(plan)[None]
    weights = np.ones(1)
    for _ in range(MOST_VERTICES):
        point = weights @ corral
        towards = plan - point
        distance = float(np.linalg.norm(towards))
        if distance < NOTHING:
            break
        vertex = family.furthest(towards / distance)
        if (vertex - point) @ towards <= CLOSE * distance:
            break
        corral, weights = _shrunk(np.vstack([corral, vertex]), np.append(weights, 0.0), plan)
    reached = np.ones(seqs.count, dtype=bool)
    for parent, first, count in seqs.layout.tolist():
        reached[first : first + count] = point[parent] > NOTHING
    chosen = np.where(reached, behaviour_of(seqs, point), behaviour)
    return Nearest(plans(seqs, chosen[None])[0], chosen, distance)


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
