"""The main functions on a small game: its value, an equilibrium, a best response, exploitability."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from cardwin.core.arrays import Floats
from cardwin.core.display import BriefRepr
from cardwin.core.errors import InputError, unknown_name
from cardwin.core.kernel import clock
from cardwin.games.base import Action, Game
from cardwin.solvers import exact, linear_program, plans
from cardwin.solvers.exact import Response, short_fraction
from cardwin.solvers.linear_program import NearestEquilibrium, find_nearest
from cardwin.solvers.policy import Policy, from_arrays
from cardwin.solvers.tree import Sequences, Tree, zero_sum_tree_of

METHODS = ("lp", "cfr+", "cfr")
CLOSE = 1e-5  # CFR stops when its average policy is exploitable by less than this many chips
MAX_ITERATIONS = 1_000_000


@dataclass(frozen=True, eq=False, repr=False)
class Solution(BriefRepr):
    """An equilibrium, exact if a fraction certifies it."""

    game: str
    value: float
    fraction: str | None
    exploitability: float
    method: str
    iterations: int
    seconds: float
    policy: Policy


def solve(game: Game, method: str = "lp") -> Solution:
    """Compute an equilibrium of a game.

    Args:
        game: a small game.
        method: `lp` (linear program), `cfr+` or `cfr`.

    Returns:
        The equilibrium with its value in chips and its exploitability.

    Raises:
        InputError: the method is unknown, or the game is too large or not zero-sum.

    """
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    tree = zero_sum_tree_of(game)
    start = clock()
    solved = _by_program(tree) if method == "lp" else _by_regret(tree, plus=method == "cfr+")
    policy, fraction, iterations = solved
    value = plans.value(tree, policy.plan(0), policy.plan(1)) if fraction is None else float(fraction)
    gap = 0.0 if fraction is not None else plans.exploitability(tree, policy.plan(0), policy.plan(1))
    shown = None if fraction is None else short_fraction(fraction)
    return Solution(game.name, value, shown, gap, method, iterations, clock() - start, policy)


def _by_program(tree: Tree) -> tuple[Policy, Fraction | None, int]:
    solved = linear_program.equilibrium(tree)
    behaviours = (
        linear_program.rational(tree.sequences[0], solved.plans[0]),
        linear_program.rational(tree.sequences[1], solved.plans[1]),
    )
    fraction = linear_program.certify(tree, behaviours)
    if fraction is not None:
        return Policy(tree, behaviours, "equilibrium"), fraction, solved.pivots
    floats = [plans.behaviour_of(seqs, plan) for seqs, plan in zip(tree.sequences, solved.plans, strict=True)]
    return from_arrays(tree, floats[0], floats[1], "equilibrium"), None, solved.pivots


def _by_regret(tree: Tree, plus: bool) -> tuple[Policy, None, int]:
    from cardwin.solvers.cfr import Cfr

    solver = Cfr(tree, plus)
    while solver.iterations < MAX_ITERATIONS and (not solver.iterations or solver.exploitability() > CLOSE):
        solver.step(max(solver.iterations // 4, 64))
    floats = [
        plans.behaviour_of(seqs, plan) for seqs, plan in zip(tree.sequences, solver.average_policy(), strict=True)
    ]
    return from_arrays(tree, floats[0], floats[1], "equilibrium"), None, solver.iterations


@cache
def equilibrium(game: Game) -> Policy:
    """Return an equilibrium of a game, cached."""
    return solve(game).policy


@cache
def game_value(game: Game) -> Fraction:
    """Return the first seat's chips in equilibrium: exact if certified, the program's float otherwise."""
    solution = solve(game)
    return Fraction(solution.fraction) if solution.fraction else Fraction(solution.value)


def nearest_equilibrium(tree: Tree, seat: int, behaviour: Floats) -> NearestEquilibrium:
    """Return the equilibrium strategy of a seat nearest to a behaviour (sequences,); takes minutes in Leduc hold'em."""
    return find_nearest(tree, seat, behaviour, float(game_value(tree.game)) * (1 if seat == 0 else -1))


def best_response(policy: Policy, seat: int) -> Response:
    """Return the best response of a seat to a policy in the other seat.

    Args:
        policy: plays the other seat.
        seat: the seat that responds, 0 or 1.

    """
    return exact.respond(policy.tree, seat, policy.exact(1 - seat))


def regret(response: Response, seqs: Sequences, information_state: str, action: Action) -> float:
    """Return the EV loss of an action in chips, compared with the best response, each time it is chosen there."""
    index = seqs.infosets.index(information_state)
    _, first, count = seqs.layout[index].tolist()
    if not response.reached[index]:
        return 0.0
    action_values = response.action_values[first : first + count]
    return float((max(action_values) - action_values[seqs.actions[index].index(action)]) / response.reached[index])


@dataclass(frozen=True, repr=False)
class Exploitability(BriefRepr):
    """The distance of a policy from equilibrium.

    Attributes:
        value: the first seat's chips if the policy plays itself, or the seat's guaranteed value if one seat was
            requested.
        exploitability: NashConv / 2, or the game's value minus the seat's guaranteed value.
        nash_conv: the sum of both best responses' values; None for one seat.

    """

    value: float
    exploitability: float
    nash_conv: float | None


def exploitability(policy: Policy, seat: int | None = None) -> Exploitability:
    """Compute the exploitability of a policy in both seats or in one.

    Args:
        policy: the policy.
        seat: 0 or 1, or None for both.

    Raises:
        InputError: the policy plays one seat only and both are requested.

    """
    tree = zero_sum_tree_of(policy.tree.game)
    if seat is not None:
        guarantee = -best_response(policy, 1 - seat).value
        fair = game_value(tree.game) * (1 if seat == 0 else -1)
        return Exploitability(float(guarantee), float(fair - guarantee), None)
    if len(policy.seats) < 2:
        raise InputError(f"{policy.name} plays one seat of {tree.game.name}: choose it with --seat 1 or --seat 2")
    conv = sum(best_response(policy, each).value for each in (0, 1))
    return Exploitability(float(exact.value(tree, policy.exact(0), policy.exact(1))), float(conv / 2), float(conv))
