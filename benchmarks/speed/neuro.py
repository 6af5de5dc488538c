"""Networks: the forward pass, decisions in full ten-seat play, whole tournaments, and the paper's largest run.

Figures of one core are processor time, the best of several: on a shared machine wall-clock time is unreliable. A busy
loop that only counts shows how fast the core was in the same run. Paper scale is measured on a
slice and extrapolated.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from cardwin.arena import multi_table
from cardwin.arena.tournament import Structure, Tournaments
from cardwin.core.arrays import Singles
from cardwin.core.executor import open_executor
from cardwin.core.files import cache_folder
from cardwin.core.kernel import kernel
from cardwin.core.rng import generator_of, key_of
from cardwin.games.base import NOBODY
from cardwin.games.holdem.game import holdem_game
from cardwin.players.champions import FOLDER, names
from cardwin.players.network.decision import Shape, forward
from cardwin.players.network.files import SUFFIX, load_network
from cardwin.players.network.inputs import DECISIONS
from cardwin.players.network.networks import NetworkForm
from cardwin.runs.problems.tournament.problem import NetworkReading
from speed import Result

GAME = holdem_game("holdem-nl", {})
PASSES = 200_000
PAPER_TOURNAMENTS = 500 * 500
SLICE = 4
ROUNDS = 100_000_000
NOISE = 0.1  # the deviation of evolved networks from a shipped one


def core_seconds(job: Callable[[], object], repeats: int = 9) -> float:
    """Return the minimum processor time of a job, after one run to warm up."""
    job()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return min(times)


def random_networks(count: int) -> Singles:
    """Return networks of a first generation, (count, weights)."""
    weights = generator_of(key_of(1, "bench", count)).uniform(-1, 1, (count, Shape().weights))
    return weights.astype(np.float32)


@kernel
def many_passes(weights: Singles, networks: int, length: int, inputs: Singles, hidden: Singles, out: Singles) -> float:
    """Run PASSES forward passes over the networks in turn; `length` is the number of weights of one."""
    total = 0.0
    for number in range(PASSES):
        forward(weights, (number % networks) * length, 0, inputs, hidden, out)
        total += out[0]
    return total


@kernel
def busy(rounds: int) -> int:
    """Run a counting loop, which only the machine's load can slow down."""
    state = 1
    for _ in range(rounds):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0x7FFFFFFFFFFFFFFF
    return state


def control(peers: bool) -> Iterator[Result]:  # noqa: ARG001  the machine alone
    """Measure how fast this core runs the counting loop."""
    yield Result("busy loop", ROUNDS / core_seconds(lambda: busy(ROUNDS)) / 1e6, "million rounds/s")


def passes(peers: bool) -> Iterator[Result]:
    """Measure forward passes per second, of one network and of a thousand; compared with NumPy one at a time."""
    shape = Shape()
    inputs, hidden, out = np.ones(36, np.float32), np.zeros(20, np.float32), np.zeros(3, np.float32)
    for count in (1, 1000):
        weights = random_networks(count)
        ours = PASSES / core_seconds(
            lambda weights=weights, count=count: many_passes(  # type: ignore[misc]
                weights.reshape(-1), count, shape.weights, inputs, hidden, out
            )
        )
        peer = _numpy_passes(weights[0], inputs) if peers else None
        yield Result(f"35-20-3 forward, {count:,} networks", ours, "passes/s", "numpy" if peers else None, peer)


def _numpy_passes(row: Singles, inputs: Singles) -> float:
    first, second = row[:720].reshape(36, 20), row[720:].reshape(21, 3)

    def many() -> None:
        for _ in range(2000):
            hidden = np.tanh(inputs @ first)
            sums = hidden @ second[:-1] + second[-1]
            np.exp(sums - sums.max())

    return 2000 / core_seconds(many)


def _series(weights: Singles) -> Tournaments:
    reading = NetworkReading(NetworkForm(np.zeros(Shape().weights, np.float32)))
    return Tournaments(GAME, reading.players(weights), key_of(1, "bench"), Structure())


def evolved_networks(count: int) -> Singles:
    """Return networks near the shipped champions (count, weights): they fold more, so tournaments last longer."""
    shipped = np.stack([load_network(FOLDER / f"{name}{SUFFIX}").form.weights for name in names(SUFFIX)])
    noise = generator_of(key_of(2, "bench", count)).normal(0, NOISE, (count, Shape().weights))
    return (shipped[np.arange(count) % len(shipped)] + noise).astype(np.float32)


def tournaments(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer does this
    """Measure tournaments of 1,000 networks with all inputs: time, decisions per second, and two threads over one."""
    for name, weights in (("first generation", random_networks(1000)), ("evolved", evolved_networks(1000))):
        series = _series(weights)
        took = core_seconds(lambda series=series: series.play(0, SLICE)) / SLICE  # type: ignore[misc]
        yield Result(f"tournament of 1,000 networks, {name}", 1e3 * took, "ms")
        made, alone, hands = _decisions(series)
        yield Result(f"network decisions in full play, {name}, one core", made / alone, "decisions/s")
        yield Result(f"decisions a player and hand, {name}", made / hands, "decisions")
    two, loops = _two_threads(lambda n: series.play(n * SLICE, SLICE)), _two_threads(lambda _: busy(2 * ROUNDS))
    yield Result("two threads of tournaments over one", two, "times", "two busy loops over one", loops)


def _decisions(series: Tournaments) -> tuple[float, float, int]:
    """Return the number of decisions in one tournament, its time, and the hands dealt to players."""
    field, keys, counts = series.field.copy(), np.array([[1, 2]]), multi_table.new_counts(1, series.players)

    def play() -> None:
        counts.hands[:] = 0
        multi_table.play_tournaments(
            series.empty_tables, series.order(0)[None], series.levels, field.arrays, keys, counts, NOBODY
        )

    took = core_seconds(play, 25)
    made = float(field.slots[0].state.memory[:, DECISIONS].sum())
    return made, took, int(counts.hands.sum())


def _two_threads(job: Callable[[int], object]) -> float:
    """Return the work of two threads relative to one, by wall-clock time."""
    job(0)
    start = time.perf_counter()
    job(0)
    job(1)
    one = time.perf_counter() - start
    with open_executor(2) as executor:
        list(executor.map(job, [0]))
        start = time.perf_counter()
        list(executor.map(job, [0, 1]))
        return one / (time.perf_counter() - start)


def paper_scale(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer does this
    """Extrapolate the paper's LargeHOF (1,000 members, hall of 1,000, 500 x 500 tournaments) from one core."""
    for name, weights in (("first generation", random_networks(2000)), ("evolved", evolved_networks(2000))):
        series = _series(weights)
        each = core_seconds(lambda series=series: series.play(0, SLICE), 5) / SLICE  # type: ignore[misc]
        yield Result(f"tournament of 2,000 networks, {name}", 1e3 * each, "ms")
        yield Result(f"LargeHOF at paper scale, one core, {name}, extrapolated", PAPER_TOURNAMENTS * each / 3600, "h")
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Result("memory at its highest, odds table included", used, "MB")


RUN = """
import resource
from cardwin.runs import launch
launch.evolve("neuro-hof", ["generations=2", "tournaments=1", "population.size=20", "hall.capacity=20"], 1, FOLDER)
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime)
"""


def compilation(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer compiles
    """Measure processor time of a small run with hall and report on a machine with the odds table, and of the next."""
    with tempfile.TemporaryDirectory() as folder:
        for odds in cache_folder().glob("odds-*"):
            (Path(folder) / odds.name).symlink_to(odds)
        for number, name in enumerate(("all that a network run needs, compiled", "a network run from the cache")):
            code = f"from pathlib import Path\nFOLDER = Path({str(Path(folder) / str(number))!r})\n{RUN}"
            environment = {**os.environ, "CARDWIN_CACHE": folder}
            done = subprocess.run(  # noqa: S603  our own command
                [sys.executable, "-c", code], env=environment, capture_output=True, check=True, text=True
            )
            yield Result(name, float(done.stdout), "s")


RESULTS: dict[str, Callable[[bool], Iterable[Result]]] = {
    "control": control,
    "passes": passes,
    "tournaments": tournaments,
    "paper": paper_scale,
    "neuro-compilation": compilation,
}
