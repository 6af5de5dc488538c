"""Solving a betting game until its exploitability is below a bound."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cardwin.core.display import BriefRepr
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor, open_executor
from cardwin.core.kernel import clock
from cardwin.games.betting.game import BettingGame
from cardwin.games.betting.tree import DECISION, betting_tree
from cardwin.solvers.public_tree.solver import Bounds, PublicTreeSolver

MAX_ITERATIONS = 100_000
MANY_ACTIONS = 10_000_000  # games with more have float32 tables
FIRST_CHECK = 16  # iterations before the first best responses
GROWTH = 1.25  # of the iterations between two checks, as a factor


@dataclass(frozen=True, eq=False, repr=False)
class BettingSolution(BriefRepr):
    """An approximate equilibrium of a betting game. All amounts are thousandths of a big blind per game.

    `ci` are the certain bounds of the game's value for seat 1, from exact best responses; `value` is their mean.
    """

    game: str
    value: float
    ci: tuple[float, float]
    exploitability: float
    unit: str
    method: str
    iterations: int
    seconds: float
    information_sets: int
    solver: PublicTreeSolver


Report = Callable[[int, float, tuple[float, float]], None]  # iterations, seconds, bounds of the value in mbb/g


def solve(
    game: BettingGame,
    method: str = "dcfr",
    *,
    iterations: int | None = None,
    until: float | None = None,
    workers: int = 1,
    report: Report | None = None,
) -> BettingSolution:
    """Solve a betting game until its exploitability is low enough, or for a number of iterations.

    Args:
        game: the game.
        method: a variant of regret minimisation (`variants`).
        iterations: the maximum number of iterations.
        until: the exploitability to reach in mbb per game; 1 if neither bound is given.
        workers: the number of threads.
        report: called at every check with iterations, seconds and the bounds of the value.

    Raises:
        InputError: a bound or the method is invalid, or the game is too large.

    """
    goal, start, unit = target_exploitability(until, iterations), clock(), 1000 / game.big_blind
    with open_executor(workers) as executor:
        solver = new_solver(game, method, executor)
        for check in check_points(iterations):
            solver.step(check - solver.iterations)
            bounds = solver.bounds()
            if report is not None:
                report(solver.iterations, clock() - start, (bounds.low * unit, bounds.high * unit))
            if bounds.exploitability * unit <= goal:
                break
        return _solution(solver, bounds, unit, clock() - start)


def target_exploitability(until: float | None, iterations: int | None) -> float:
    """Return the exploitability in mbb per game to stop at: 1 by default, 0 for a number of iterations."""
    if until is not None and not until > 0:
        raise InputError(f"invalid until={until:g}: expected a positive exploitability in mbb per game")
    if iterations is not None and not 1 <= iterations <= MAX_ITERATIONS:
        raise InputError(f"invalid number of iterations: expected 1 to {MAX_ITERATIONS}, got {iterations}")
    return 0.0 if until is None and iterations is not None else (1.0 if until is None else until)


def check_points(iterations: int | None) -> list[int]:
    """Return the numbers of iterations after which best responses are computed."""
    maximum = MAX_ITERATIONS if iterations is None else iterations
    counts = [min(FIRST_CHECK, maximum)]
    while counts[-1] < maximum:
        counts.append(min(max(int(counts[-1] * GROWTH), counts[-1] + 1), maximum))
    return counts


def new_solver(game: BettingGame, method: str, executor: Executor) -> PublicTreeSolver:
    """Return a solver without iterations; large games have tables in single precision."""
    return PublicTreeSolver(game, method, dtype=np.float32 if is_large(game) else np.float64, executor=executor)


def _solution(solver: PublicTreeSolver, bounds: Bounds, unit: float, seconds: float) -> BettingSolution:
    low, high = bounds.low * unit, bounds.high * unit
    return BettingSolution(
        solver.game.name,
        (low + high) / 2,
        (low, high),
        bounds.exploitability * unit,
        "mbb/g",
        solver.variant.name,
        solver.iterations,
        seconds,
        solver.information_sets,
        solver,
    )


def is_large(game: BettingGame) -> bool:
    """Return whether a game is too large for double precision, by its actions over all boards and holdings."""
    boards, total = 1.0, 0.0
    holdings = game.deck * (game.deck - 1) / 2
    for street, tree in enumerate(betting_tree(game)):
        boards *= game.runouts(street) if street else 1
        total += boards * holdings * float(tree.children[tree.kind == DECISION].sum())
    return total > MANY_ACTIONS
