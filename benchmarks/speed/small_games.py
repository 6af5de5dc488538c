"""The small games, compared with OpenSpiel's C++ solvers."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of
from cardwin.games import game
from cardwin.solvers import plans
from cardwin.solvers.cfr import Cfr
from cardwin.solvers.policy import uniform
from cardwin.solvers.tree import Tree, tree_of
from speed import Result, seconds


def _steps(step: Callable[[], object], lasting: float = 2.0) -> float:
    """Return steps per second, measured for `lasting` seconds after one step to warm up."""
    step()
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < lasting:
        step()
        count += 1
    return count / (time.perf_counter() - start)


# With equal suits merged OpenSpiel plays the same game with fewer nodes: its fastest setting, and the same values.
OPENSPIEL = "leduc_poker(suit_isomorphism=true)"
GOAL, STEPS = 1e-3, 25  # solve to this exploitability, computed after every so many iterations


def new_tree() -> Tree:
    """Build Leduc's tree again: `tree_of` caches the trees that it has built."""
    return tree_of.__wrapped__(game("leduc"))


def solve(tree: Tree) -> Cfr:
    """Run CFR+ from its first iteration to the goal."""
    solver = Cfr(tree)
    while not solver.iterations or solver.exploitability() > GOAL:
        solver.step(STEPS)
    return solver


def openspiel_exploitability(leduc: object, policy: object) -> float:
    """Return the exploitability by OpenSpiel's fastest way.

    `pyspiel.exploitability` takes longer, and so does `TabularBestResponse`, even with its tree kept.
    """
    import pyspiel

    return float(pyspiel.TabularBestResponseMDP(leduc, policy).exploitability().exploitability)


def openspiel_solve(leduc: object) -> int:
    """Solve like `solve`, with OpenSpiel, and return the number of iterations."""
    import pyspiel

    solver, iterations = pyspiel.CFRPlusSolver(leduc), 0
    while not iterations or openspiel_exploitability(leduc, solver.average_policy()) > GOAL:
        for _ in range(STEPS):
            solver.evaluate_and_update_policy()
        iterations += STEPS
    return iterations


def cfr(peers: bool) -> Iterator[Result]:
    """Measure CFR+ on Leduc: iterations per second, and the time to an exploitability of a thousandth.

    "With set-up" begins with the game's name, on both sides; otherwise both have the game and, where they keep one,
    its tree.
    """
    tree = tree_of(game("leduc"))
    solver = Cfr(tree)
    rate = 100 * _steps(lambda: solver.step(100))
    ours = 1e3 * seconds(lambda: solve(tree)), 1e3 * seconds(lambda: solve(new_tree()), 3)
    names = "leduc CFR+ to 0.001", "leduc CFR+ to 0.001, with set-up"
    if not peers:
        yield Result("leduc CFR+", rate, "iterations/s")
        for name, taken in zip(names, ours, strict=True):
            yield Result(name, taken, "ms")
        return
    import pyspiel

    leduc = pyspiel.load_game(OPENSPIEL)
    theirs = pyspiel.CFRPlusSolver(leduc)
    yield Result("leduc CFR+", rate, "iterations/s", "OpenSpiel C++", _steps(theirs.evaluate_and_update_policy))
    jobs = (lambda: openspiel_solve(leduc)), (lambda: openspiel_solve(pyspiel.load_game(OPENSPIEL)))
    for name, taken, job in zip(names, ours, jobs, strict=True):
        yield Result(name, taken, "ms", "OpenSpiel C++", 1e3 * seconds(job, 3))


def exploitability(peers: bool) -> Iterator[Result]:
    """Measure exploitability of uniform play in Leduc: with game and policy there, and from the game's name on."""
    tree = tree_of(game("leduc"))
    first, second = uniform(tree).plan(0), uniform(tree).plan(1)

    def whole() -> float:
        tree = new_tree()
        policy = uniform(tree)
        return plans.exploitability(tree, policy.plan(0), policy.plan(1))

    kept = 1e6 * seconds(lambda: [plans.exploitability(tree, first, second) for _ in range(200)]) / 200
    names, ours = ("leduc exploitability", "leduc exploitability, with set-up"), (kept, 1e6 * seconds(whole, 3))
    if not peers:
        for name, taken in zip(names, ours, strict=True):
            yield Result(name, taken, "us")
        return
    import pyspiel

    leduc = pyspiel.load_game(OPENSPIEL)
    policy = pyspiel.UniformRandomPolicy(leduc)

    def their_whole() -> float:
        leduc = pyspiel.load_game(OPENSPIEL)
        return openspiel_exploitability(leduc, pyspiel.UniformRandomPolicy(leduc))

    jobs = (lambda: openspiel_exploitability(leduc, policy)), their_whole
    for name, taken, job in zip(names, ours, jobs, strict=True):
        yield Result(name, taken, "us", "OpenSpiel C++", 1e6 * seconds(job, 21))


def _random_plans(count: int, seat: int) -> Floats:
    seqs = tree_of(game("kuhn")).sequences[seat]
    genes = generator_of(seat).random((count, seqs.genes))
    return plans.plans(seqs, plans.behaviours(seqs, genes))


def populations(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer does this
    """Measure exact expected chips of many Kuhn strategies against many."""
    tree = tree_of(game("kuhn"))
    first, second = _random_plans(1010, 0), _random_plans(1010, 1)
    yield Result("kuhn 1,010 x 1,010 pairs", 1e3 * seconds(lambda: plans.values(tree, first, second), 20), "ms")
    for size in (10_100, 101_000):
        many = _random_plans(size, 1)
        job = 1e3 * seconds(lambda many=many: first @ plans.gradient(tree, 0, np.mean(many, axis=0)), 20)  # type: ignore[misc]
        yield Result(f"kuhn 1,010 against the mean of {size:,}", job, "ms")


def start(peers: bool) -> Iterator[Result]:  # noqa: ARG001  nothing to compare with
    """Measure the start-up time of the command line."""
    for words in (["--help"], ["solve", "kuhn"]):
        command = [sys.executable, "-m", "cardwin", *words]
        taken = seconds(lambda command=command: subprocess.run(command, capture_output=True, check=True))  # type: ignore[misc]  # noqa: S603
        yield Result(f"cardwin {' '.join(words)}", taken, "s")


RESULTS: dict[str, Callable[[bool], Iterable[Result]]] = {
    "cfr": cfr,
    "exploitability": exploitability,
    "populations": populations,
    "start": start,
}
