"""Compile everything now instead of at the first command that needs it: each part runs its smallest example.

Compiled kernels are cached on disk for this version, so that warming twice takes seconds.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cardwin
from cardwin.core.executor import open_executor
from cardwin.runs.launch import Launch, begin, evolve


@dataclass(frozen=True)
class Warmed:
    """A part, and its seconds."""

    part: str
    seconds: float


def _evolved(folder: Path) -> None:
    changes = ("generations=2", "population.size=10")
    evolve("kuhn-coevolution", changes, 1, Launch(folder / "evolution", report=False))


def _tournaments(folder: Path) -> None:
    begin("tournament", {"players": ["random*12"]}, 1, Launch(folder / "tournament", report=False))


def _learners(folder: Path) -> None:
    values = {"learner": "v2", "against": ["call"], "games": 1, "rounds": 5}
    begin("training", values, 1, Launch(folder / "training", report=False))
    begin("xcs-problem", {"problem": "multiplexer-6", "trials": 200}, 1, Launch(folder / "xcs", report=False))


def _match(*players: str, game: str = "holdem-nl", duplicate: bool = False) -> Callable[[Path], None]:
    def play(_: Path) -> None:
        cardwin.match(players, game, 4, 1, duplicate=duplicate)

    return play


# The engine first, the others in the order in which they are usually needed.
PARTS: dict[str, Callable[[Path], object]] = {
    "hold'em tables": _match("call", "random"),
    "small games": lambda _: cardwin.solve("kuhn", "cfr+"),
    "evolution": _evolved,
    "cards": lambda _: cardwin.equity("AhKh", opponents=2),
    "duplicate tables": _match("call", "random", duplicate=True),
    "robots": _match("standard", "v1", "matrix", game="holdem-simple"),
    "networks": _match("net:large-hof", "call"),
    "Loki": _match("loki", "call", game="holdem-limit"),
    "classifier systems": _match("xcs:caller-beater", "call", game="holdem-limit"),
    "tournaments": _tournaments,
    "learners": _learners,
}


def warm(begin: Callable[[str], object] = str, workers: int = 1) -> Iterator[Warmed]:
    """Compile part after part; the first has the engine, which the others need, and these run in worker processes.

    Args:
        begin: Called with the name of the next part.
        workers: The number of processes.

    Yields:
        Each part and its seconds.

    """
    first, *others = PARTS
    begin(first)
    yield run_part(first)
    with open_executor(workers, in_python=True) as executor:
        results = executor.map(run_part, others)
        for part in others:
            begin(part)
            yield next(results)


def run_part(part: str) -> Warmed:
    """Run the example of a part in a temporary folder."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        PARTS[part](Path(folder))
    return Warmed(part, time.perf_counter() - start)
