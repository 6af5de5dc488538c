"""Loki: strength and potential of all holdings at once, hands a second at its tables and in training against it.

There is no peer.

The potential of all holdings is compared with `cards.strength` called for one holding at a time.
"""

import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from typing import cast

import numpy as np

from cardwin.arena.live_table import LiveTable
from cardwin.cards import hand_strength
from cardwin.cards.all_combos import potentials
from cardwin.cards.ehs import ANY_TWO, board_ehs
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.core.rng import generator_of, key_of
from cardwin.games.holdem import holdem_game
from cardwin.players.registry import player
from cardwin.players.xcs.training.experiment import experiment_values
from cardwin.players.xcs.training.holdem import HoldemExperiment, HoldemTrainer
from cardwin.runs.experiment import check
from speed import Result, seconds

LIMIT = holdem_game("holdem-limit", {})
BOARDS = {"flop": (6, 8, 38), "turn": (6, 8, 38, 21)}


def holdings(peers: bool) -> Iterator[Result]:
    """Measure all holdings of a board: strength against a weighted range, and potential one card ahead."""
    weights = generator_of(1).random(HOLDINGS)
    known = board_ehs(BOARDS["flop"])
    yield Result(
        "strength of all holdings, a weighted range", 1e6 * seconds(lambda: known.strengths(weights), 99), "us"
    )
    for street, cards in BOARDS.items():
        board = np.array(cards)
        ours = 1e3 * seconds(partial(potentials, board, False, ANY_TWO, 1), 9)
        if not peers:
            yield Result(f"potential of all holdings, {street}", ours, "ms")
            continue
        theirs = 1e3 * seconds(partial(_one_by_one, cards), 3)
        yield Result(f"potential of all holdings, {street}", ours, "ms", "one at a time", theirs)
    flop = np.array(BOARDS["flop"])
    yield Result(
        "potential of all holdings, two cards ahead",
        1e3 * seconds(lambda: potentials(flop, False, ANY_TWO, 2), 3),
        "ms",
    )


def _one_by_one(cards: tuple[int, ...]) -> None:
    """Compute the potential of every holding on a board, one call each."""
    board, known = np.array(cards), board_ehs(cards)
    for holding in known.order[: known.count].tolist():
        a, b = HOLDING_CARDS[holding]
        hand_strength.hand_potential(a, b, board, ANY_TWO, 1)


def _rate(specs: list[str], hands: int) -> float:
    """Return the hands per second, on boards that are not repeated, after a warm-up."""
    table = LiveTable(LIMIT, [player(spec) for spec in specs])
    numbers = count()

    def play() -> None:
        for _ in range(hands):
            number = next(numbers)
            table.play([LIMIT.stack] * len(specs), number % len(specs), key_of(1, "bench", number))

    return hands / seconds(play, 3)


def tables(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer does this
    """Measure hands per second heads-up and with ten seats, on one core."""
    yield Result("specific Loki against one without a model", _rate(["loki", "loki:model=none"], 600), "hands/s")
    yield Result("ten Lokis", _rate(["loki"] * 10, 120), "hands/s")


def training(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer does this
    """Measure hands per second, in processor time, in which a classifier system with few rules learns against Loki."""
    for against, hands in (("loki:model=none", 50_000), ("loki:model=generic", 10_000), ("loki", 10_000)):
        yield Result(f"training against {against}", _training_rate(against, hands), "hands/s")


def _training_rate(against: str, hands: int) -> float:
    """Return hands per second of a training; an identical one before it compiles and computes the boards."""
    _, keys = experiment_values("xcs:N=200", None, LIMIT.name, (against,), hands, 1)
    for _ in range(2):
        trainer = HoldemTrainer(cast(HoldemExperiment, check(keys, "bench")))
        start = time.process_time()
        trainer.play(hands, key_of(1, "bench"))
        took = time.process_time() - start
    return hands / took


def memory(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer does this
    """Measure memory growth of a table of ten Lokis between its 1,000th and 3,000th hand."""
    table = LiveTable(LIMIT, [player("loki") for _ in range(10)])
    peaks = []
    for number in range(3_000):
        table.play([LIMIT.stack] * 10, number % 10, key_of(1, "bench", number))
        if number in (999, 2_999):
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform == "darwin" else 1024))
    yield Result("ten Lokis, growth in 2,000 hands", peaks[1] - peaks[0], "MB")


RESULTS: dict[str, Callable[[bool], Iterable[Result]]] = {
    "holdings": holdings,
    "tables": tables,
    "training": training,
    "memory": memory,
}
