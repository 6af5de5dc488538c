"""The small games, compared with OpenSpiel's C++ solvers."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from cardwin.bench import Result, seconds
from cardwin.core.rng import generator_of
from cardwin.games import game
from cardwin.solvers import plans
from cardwin.solvers.cfr import Cfr
from cardwin.solvers.policy import uniform
from cardwin.solvers.tree import Floats, tree_of


def _steps(step: Callable[[], object], lasting: float = 2.0) -> float:
    """Steps a second, measured for some seconds after one step to warm up."""
    step()
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < lasting:
        step()
        count += 1
    return count / (time.perf_counter() - start)


def cfr(peers: bool) -> Iterator[Result]:
    """CFR+ on Leduc: iterations a second, and the time to an exploitability of a thousandth."""
    tree = tree_of(game("leduc"))
    solver = Cfr(tree)
    rate = 100 * _steps(lambda: solver.step(100))
    peer: tuple[str, float] | tuple[None, None] = (None, None)
    if peers:
        import pyspiel

        theirs = pyspiel.CFRPlusSolver(pyspiel.load_game("leduc_poker"))
        peer = "OpenSpiel C++", _steps(theirs.evaluate_and_update_policy)
    yield Result("leduc CFR+", rate, "iterations/s", *peer)

    def reach() -> None:
        fresh = Cfr(tree)
        while not fresh.iterations or fresh.exploitability() > 1e-3:
            fresh.step(25)

    yield Result("leduc CFR+ to 0.001", 1e3 * seconds(reach), "ms")


def exploitability(peers: bool) -> Iterator[Result]:
    """Exploitability of uniform play in Leduc."""
    tree = tree_of(game("leduc"))
    first, second = uniform(tree).plan(0), uniform(tree).plan(1)
    ours = 1e6 * seconds(lambda: [plans.exploitability(tree, first, second) for _ in range(200)]) / 200
    if not peers:
        yield Result("leduc exploitability", ours, "us")
        return
    import pyspiel

    leduc = pyspiel.load_game("leduc_poker")
    policy = pyspiel.UniformRandomPolicy(leduc)
    theirs = 1e6 * seconds(lambda: pyspiel.exploitability(leduc, policy), repeats=3)
    yield Result("leduc exploitability", ours, "us", "OpenSpiel C++", theirs)


def _random_plans(count: int, seat: int) -> Floats:
    seqs = tree_of(game("kuhn")).sequences[seat]
    genes = generator_of(seat).random((count, seqs.genes))
    return plans.plans(seqs, plans.behaviours(seqs, genes))


def populations(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer does this
    """Exact expected chips of many Kuhn strategies against many."""
    tree = tree_of(game("kuhn"))
    first, second = _random_plans(1010, 0), _random_plans(1010, 1)
    yield Result("kuhn 1,010 x 1,010 pairs", 1e3 * seconds(lambda: plans.values(tree, first, second), 20), "ms")
    for size in (10_100, 101_000):
        many = _random_plans(size, 1)
        job = 1e3 * seconds(lambda many=many: first @ plans.gradient(tree, 0, np.mean(many, axis=0)), 20)  # type: ignore[misc]
        yield Result(f"kuhn 1,010 against the mean of {size:,}", job, "ms")


def start(peers: bool) -> Iterator[Result]:  # noqa: ARG001  nothing to compare with
    """The start-up time of the command line."""
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
