"""Networks: the forward pass, decisions in full ten-seat play, whole tournaments, and the paper's largest run.

Everything runs beside a busy loop that counts the same way before and after, so that a loaded machine shows: `control`
results are what one thread and two threads of plain counting got. Paper scale is measured on a slice and multiplied.
"""

import time
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from cardwin.arena import floor
from cardwin.arena.structure import Structure
from cardwin.arena.tournament import Tournaments
from cardwin.executor import executor_of
from cardwin.games.holdem.game import holdem_game
from cardwin.kernel import kernel
from cardwin.lab.bench import Result, seconds
from cardwin.lab.problems.tournament.play import NetworkReading
from cardwin.players.compiled import own_copy
from cardwin.players.network.forward import Shape, Singles, forward
from cardwin.players.network.inputs import DECISIONS
from cardwin.players.network.networks import NetworkForm
from cardwin.rng import generator_of, key_of

GAME = holdem_game("holdem-nl", {})
PASSES = 200_000
PAPER_TOURNAMENTS = 500 * 500
SLICE = 4


def random_networks(count: int) -> Singles:
    """Networks as a first generation has them, (count, weights)."""
    weights = generator_of(key_of(1, "bench", count)).uniform(-1, 1, (count, Shape().weights))
    return weights.astype(np.float32)


@kernel
def many_passes(weights: Singles, networks: int, length: int, inputs: Singles, hidden: Singles, out: Singles) -> float:
    """So many forward passes, network after network."""
    total = 0.0
    for number in range(PASSES):
        forward(weights, (number % networks) * length, 0, inputs, hidden, out)
        total += out[0]
    return total


@kernel
def busy(rounds: int) -> int:
    """Plain counting, which nothing but the machine's load can slow."""
    state = 1
    for _ in range(rounds):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0x7FFFFFFFFFFFFFFF
    return state


def passes(peers: bool) -> Iterator[Result]:
    """Forward passes a second, of one network and of a thousand; NumPy one at a time stands beside."""
    shape = Shape()
    inputs, hidden, out = np.ones(36, np.float32), np.zeros(20, np.float32), np.zeros(3, np.float32)
    for count in (1, 1000):
        weights = random_networks(count)
        ours = PASSES / seconds(
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

    return 2000 / seconds(many)


def _series(count: int) -> Tournaments:
    reading = NetworkReading(NetworkForm(np.zeros(Shape().weights, np.float32)))
    return Tournaments(GAME, reading.players(random_networks(count)), key_of(1, "bench"), Structure())


def tournaments(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer does this
    """Tournaments of 1,000 networks with all inputs: time, decisions a second, and two threads over one."""
    series = _series(1000)
    took = seconds(lambda: series.play(0, SLICE), 3) / SLICE
    yield Result("tournament of 1,000 networks", 1e3 * took, "ms")
    made, alone = _decisions(series)
    yield Result("network decisions in full play, one core", made / alone, "decisions/s")
    two, loops = _two_threads(lambda n: series.play(n * SLICE, SLICE)), _two_threads(lambda _: busy(200_000_000))
    yield Result("two threads of tournaments over one", two, "times", "two busy loops over one", loops)


def _decisions(series: Tournaments) -> tuple[float, float]:
    """How many decisions one tournament takes, which its memory has counted, and how long."""
    field, structure = own_copy(series.field), series.structure
    whole, won = np.zeros((4, 1, series.players), np.int64), np.zeros((1, series.players))

    def play() -> None:
        floor.play_tournaments(
            series.tables(), series.order(0)[None], GAME.stack, series.schedule, structure.every, structure.rounds,
            structure.last, field, np.array([1]), np.array([2]), whole[0], whole[1], won, whole[2], whole[3],
        )  # fmt: skip

    took = seconds(play)
    return (0.0 if field.networks is None else float(field.networks.memory[:, DECISIONS].sum())), took


def _two_threads(job: Callable[[int], object]) -> float:
    """How many times the work of one thread two get done."""
    job(0)
    start = time.perf_counter()
    job(0)
    job(1)
    one = time.perf_counter() - start
    with executor_of(2) as executor:
        list(executor.map(job, [0]))
        start = time.perf_counter()
        list(executor.map(job, [0, 1]))
        return one / (time.perf_counter() - start)


def paper_scale(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer does this
    """LargeHOF of the document, 1,000 and a hall of 1,000, 500 x 500 tournaments: a slice, multiplied."""
    series = _series(2000)
    with executor_of(2) as executor:
        job = lambda n: series.play(n, 1)  # noqa: E731
        list(executor.map(job, [0]))
        start = time.perf_counter()
        list(executor.map(job, range(2 * SLICE)))
        each = (time.perf_counter() - start) / (2 * SLICE)
    yield Result("LargeHOF at paper scale, two threads, extrapolated", PAPER_TOURNAMENTS * each / 3600, "h")


RESULTS: dict[str, Callable[[bool], Iterable[Result]]] = {
    "passes": passes,
    "tournaments": tournaments,
    "paper": paper_scale,
}
