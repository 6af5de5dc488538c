"""The dissertation's co-evolution compared with DEAP's operators and the same exact fitness in plain Python.

Our fitness costs the sum of both populations, because the payoff is linear in each seat's realisation plan and the mean
opponent represents all. The fair comparison gives DEAP the same shortcut; all pairs, the usual way to write such a
fitness, is measured too.
"""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from cardwin.core.executor import Serial
from cardwin.runs import experiment
from cardwin.runs.kinds import kind_of
from cardwin.runs.launch import ignore_progress
from cardwin.runs.run import Run
from cardwin.runs.run_folder import prepare
from speed import Result

DEALS = [(mine, theirs) for mine in range(3) for theirs in range(3) if mine != theirs]


def _seconds(generations: int, size: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the seconds for that many generations of two populations, recorded and saved as usual."""
    changes = [f"generations={generations}", f"population.size={size}"]
    with TemporaryDirectory() as home:
        name, chosen = experiment.load("lopez-coevolution", changes, seed=1)
        folder, chosen = prepare(name, chosen, Path(home) / "run")
        with Run(folder, chosen, lambda: kind_of(chosen.kind).trainer(chosen, Serial(), folder)) as run:
            start = clock()
            run.go(ignore_progress, lambda: False)
            return clock() - start


def coevolution(peers: bool) -> Iterator[Result]:
    """Measure two populations of 1,010 in Kuhn poker, exact fitness, everything recorded."""
    _seconds(20, 1010)
    whole = _seconds(1000, 1010)
    yield Result("kuhn co-evolution, 2 x 1,010, 1,000 generations, all recorded", whole, "s")
    name = "kuhn co-evolution, a generation of 2 x 1,010"
    if not peers:
        yield Result(name, whole, "ms")
        return
    linear = sorted(_deap_generation(1010, _against_the_mean) for _ in range(5))[2]
    yield Result(name, whole, "ms", "DEAP, the same linear fitness in Python", 1e3 * linear)
    yield Result(name, whole, "ms", "DEAP, all pairs in Python", 1e3 * _deap_generation(1010, _all_pairs))


def growth(peers: bool) -> Iterator[Result]:  # noqa: ARG001  nothing to compare with
    """Measure the cost of ten times the population (10 is linear) in processor time, which other jobs disturb less."""
    _seconds(5, 10_100)
    small, large = _seconds(100, 10_100, time.process_time) / 100, _seconds(40, 101_000, time.process_time) / 40
    yield Result("kuhn co-evolution, a generation of 2 x 101,000", 1e3 * large, "ms")
    yield Result("kuhn co-evolution, 101,000 members cost 10,100 times", large / small, "times")


def _chips(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the first seat's exact expectation in Kuhn poker from two realisation plans, linear in each.

    The first seat's plan is how often it bets each card, and how often it checks and then calls; the second's, how
    often it bets after a check and how often it calls.
    """
    total = 0.0
    for mine, theirs in DEALS:
        sign = 1 if mine > theirs else -1
        bet, check_call = first[mine], first[3 + mine]
        bet_back, call = second[theirs], second[3 + theirs]
        after_check = bet_back * (check_call * 2 * sign - (1 - bet - check_call)) + (1 - bet_back) * sign * (1 - bet)
        total += bet * (call * 2 * sign + (1 - call)) + after_check
    return total / 6


def _plans(strategies: Sequence[Sequence[float]], seat: int) -> list[list[float]]:
    if seat == 1:
        return [list(genes) for genes in strategies]
    return [[*genes[:3], *((1 - genes[card]) * genes[3 + card] for card in range(3))] for genes in strategies]


Fitness = Callable[[list[list[float]], list[list[float]]], tuple[list[float], list[float]]]


def _all_pairs(firsts: list[list[float]], seconds: list[list[float]]) -> tuple[list[float], list[float]]:
    earned = [0.0] * len(firsts), [0.0] * len(seconds)
    for i, first in enumerate(firsts):
        for j, second in enumerate(seconds):
            won = _chips(first, second)
            earned[0][i] += won / len(seconds)
            earned[1][j] -= won / len(firsts)
    return earned


def _against_the_mean(firsts: list[list[float]], seconds: list[list[float]]) -> tuple[list[float], list[float]]:
    mean = [[sum(column) / len(plans) for column in zip(*plans, strict=True)] for plans in (firsts, seconds)]
    return [_chips(first, mean[1]) for first in firsts], [-_chips(mean[0], second) for second in seconds]


def _deap_generation(size: int, fitness: Fitness) -> float:
    """Return the seconds for one generation of two populations by DEAP's operators."""
    from deap import base, creator, tools

    if not hasattr(creator, "Strategy"):
        creator.create("Earned", base.Fitness, weights=(1.0,))
        creator.create("Strategy", list, fitness=creator.Earned)
    rng = random.Random(1)
    populations = [[creator.Strategy(rng.random() for _ in range(6)) for _ in range(size)] for _ in range(2)]
    start = time.perf_counter()
    earned = fitness(_plans(populations[0], 0), _plans(populations[1], 1))
    for population, sums in zip(populations, earned, strict=True):
        for strategy, total in zip(population, sums, strict=True):
            strategy.fitness.values = (total,)
        children = [creator.Strategy(parent) for parent in tools.selTournament(population, size, tournsize=2)]
        for mother, father in zip(children[::2], children[1::2], strict=True):
            if rng.random() < 0.7:
                tools.cxUniform(mother, father, 0.5)
        for strategy in children:
            if rng.random() < 0.01:
                strategy[rng.randrange(6)] = rng.random()
    return time.perf_counter() - start


RESULTS: dict[str, Callable[[bool], Iterable[Result]]] = {"coevolution": coevolution, "growth": growth}
