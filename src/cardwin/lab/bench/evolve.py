"""The dissertation's co-evolution beside DEAP's operators with the same exact fitness, all against all, in Python."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from cardwin.executor import Serial
from cardwin.lab import experiment
from cardwin.lab.bench import Result
from cardwin.lab.kinds import kind_of
from cardwin.lab.launch import nobody
from cardwin.lab.run import Run
from cardwin.lab.run_folder import prepare

DEALS = [(mine, theirs) for mine in range(3) for theirs in range(3) if mine != theirs]


def _seconds(generations: int, size: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds for that many generations of two populations, recorded and saved as always."""
    changes = [f"generations={generations}", f"population.size={size}"]
    with TemporaryDirectory() as home:
        name, chosen = experiment.load("lopez-coevolution", changes, seed=1)
        folder, chosen = prepare(name, chosen, Path(home) / "run")
        with Run(folder, chosen, lambda: kind_of(chosen.kind).trainer(chosen, Serial(), folder)) as run:
            start = clock()
            run.go(nobody, lambda: False)
            return clock() - start


def coevolution(peers: bool) -> Iterator[Result]:
    """Two populations of 1,010 in Kuhn poker, exact fitness, everything recorded."""
    _seconds(20, 1010)
    whole = _seconds(1000, 1010)
    yield Result("kuhn co-evolution, 2 x 1,010, 1,000 generations, all recorded", whole, "s")
    peer = ("DEAP, plain Python, all against all", 1e3 * _deap_generation(1010)) if peers else (None, None)
    yield Result("kuhn co-evolution, a generation of 2 x 1,010", whole, "ms", *peer)


def growth(peers: bool) -> Iterator[Result]:  # noqa: ARG001  nothing to compare with
    """What ten times the population costs: ten is linear. In processor time, which other jobs disturb less."""
    _seconds(5, 10_100)
    small, large = _seconds(100, 10_100, time.process_time) / 100, _seconds(40, 101_000, time.process_time) / 40
    yield Result("kuhn co-evolution, a generation of 2 x 101,000", 1e3 * large, "ms")
    yield Result("kuhn co-evolution, 101,000 members cost 10,100 times", large / small, "times")


def _chips(first: Sequence[float], second: Sequence[float]) -> float:
    """The first seat's exact expectation in Kuhn poker, the plain way."""
    total = 0.0
    for mine, theirs in DEALS:
        sign = 1 if mine > theirs else -1
        bet, call = first[mine], second[3 + theirs]
        after_bet = call * 2 * sign + (1 - call)
        bet_back, call_back = second[theirs], first[3 + mine]
        after_check = bet_back * (call_back * 2 * sign - (1 - call_back)) + (1 - bet_back) * sign
        total += bet * after_bet + (1 - bet) * after_check
    return total / 6


def _deap_generation(size: int) -> float:
    """Seconds for one generation of two populations by DEAP's operators."""
    from deap import base, creator, tools

    if not hasattr(creator, "Strategy"):
        creator.create("Earned", base.Fitness, weights=(1.0,))
        creator.create("Strategy", list, fitness=creator.Earned)
    rng = random.Random(1)
    populations = [[creator.Strategy(rng.random() for _ in range(6)) for _ in range(size)] for _ in range(2)]
    start = time.perf_counter()
    earned = [[0.0] * size, [0.0] * size]
    for i, first in enumerate(populations[0]):
        for j, second in enumerate(populations[1]):
            won = _chips(first, second)
            earned[0][i] += won
            earned[1][j] -= won
    for population, sums in zip(populations, earned, strict=True):
        for strategy, total in zip(population, sums, strict=True):
            strategy.fitness.values = (total / size,)
        children = [creator.Strategy(parent) for parent in tools.selTournament(population, size, tournsize=2)]
        for mother, father in zip(children[::2], children[1::2], strict=True):
            if rng.random() < 0.7:
                tools.cxUniform(mother, father, 0.5)
        for strategy in children:
            if rng.random() < 0.01:
                strategy[rng.randrange(6)] = rng.random()
    return time.perf_counter() - start


RESULTS: dict[str, Callable[[bool], Iterable[Result]]] = {"coevolution": coevolution, "growth": growth}
