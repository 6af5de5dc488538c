"""Ranks, win odds and potential, compared with eval7 and phevaluator."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from cardwin.cards import hand_strength, ranks
from cardwin.cards.card import CARD_NAMES, parse_cards
from cardwin.cards.tables import win_odds_store
from cardwin.cards.win_odds import win_odds_of
from cardwin.core.rng import generator_of
from speed import Result, seconds

HANDS = 2_000_000
CALLS = 200_000


def _random_cards(rows: int, columns: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return distinct random cards in every row (rows, columns)."""
    draws = generator_of(1).random((rows, 52), dtype=np.float32)
    return np.argpartition(draws, columns, axis=1)[:, :columns].astype(np.int64)


def batch(peers: bool) -> Iterator[Result]:
    """Measure seven-card ranks of a random array; eval7's loop is its simulation, two ranks a deal."""
    hands = _random_cards(HANDS, 7).astype(np.int8)
    ours = HANDS / seconds(lambda: ranks.rank_hands(hands)) / 1e6
    if not peers:
        yield Result("seven-card ranks", ours, "million/s")
        return
    import eval7

    hero = [eval7.Card("Ah"), eval7.Card("7d")]
    pairs = "22+,A2s+,K2s+,Q2s+,J2s+,T2s+,92s+,82s+,72s+,62s+,52s+,42s+,32s"
    everything = eval7.HandRange(f"{pairs},{pairs[4:].replace('s', 'o')}")
    theirs = seconds(lambda: eval7.py_hand_vs_range_monte_carlo(hero, everything, [], HANDS // 2))
    yield Result("seven-card ranks", ours, "million/s", "eval7's loop", HANDS / theirs / 1e6)


def calls(peers: bool) -> Iterator[Result]:
    """Measure seven-card ranks, one call from Python each."""
    hands = [tuple(map(int, hand)) for hand in _random_cards(CALLS, 7)]

    def rate(rank: Callable[..., int], items: list[tuple[object, ...]]) -> float:
        def run() -> None:
            for item in items:
                rank(*item)

        return len(items) / seconds(run) / 1e6

    ours = rate(ranks.rank_seven, list(hands))
    if not peers:
        yield Result("seven-card rank calls", ours, "million/s")
        return
    import eval7
    import phevaluator

    cards = [eval7.Card(name) for name in CARD_NAMES]
    for_eval7: list[tuple[object, ...]] = [([cards[card] for card in hand],) for hand in hands]
    for_phevaluator: list[tuple[object, ...]] = list(hands)
    yield Result("seven-card rank calls", ours, "million/s", "eval7", rate(eval7.evaluate, for_eval7))
    theirs = rate(phevaluator.evaluate_cards, for_phevaluator)
    yield Result("seven-card rank calls", ours, "million/s", "phevaluator", theirs)


def census(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer offers it
    """Measure all 133,784,560 hands of seven cards."""
    counts = np.zeros(ranks.WORST_RANK + 1, dtype=np.int64)
    yield Result("all seven-card hands", seconds(lambda: ranks.count_sevens(counts), 3), "s")


def look_ups(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer offers it
    """Measure exact odds of random holdings on random boards from the table, which is built if it is missing."""
    win_odds_store.build()
    odds = win_odds_store.load()
    for shown, street in ((3, "flop"), (4, "turn"), (5, "river")):
        cards = _random_cards(HANDS // 2, shown + 2)
        boards, holdings = np.ascontiguousarray(cards[:, 2:]), np.ascontiguousarray(cards[:, :2])
        out = np.empty(len(cards))
        time_taken = seconds(lambda b=boards, h=holdings, o=out: win_odds_of(odds, b, h, o))  # type: ignore[misc]
        yield Result(f"win odds, {street}", len(cards) / time_taken / 1e6, "million/s")


def potential(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer offers it
    """Measure hand potential on the flop, one and two cards ahead."""
    (a, b), board, weights = parse_cards("AdQc"), np.array(parse_cards("3h4cJh")), np.ones(1326)
    for ahead in (1, 2):
        time_taken = seconds(lambda n=ahead: hand_strength.hand_potential(a, b, board, weights, n), 21)  # type: ignore[misc]
        yield Result(f"potential, {ahead} ahead", 1e3 * time_taken, "ms")


def build(peers: bool) -> Iterator[Result]:  # noqa: ARG001  no peer offers it
    """Build all win-odds tables, compilation included, in a new process with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        start = time.perf_counter()
        environment = {**os.environ, "CARDWIN_CACHE": cache}
        command = [sys.executable, "-m", "cardwin", "--quiet", "tables", "build"]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  our own
        yield Result("win-odds tables, cold", time.perf_counter() - start, "s")


RESULTS: dict[str, Callable[[bool], Iterable[Result]]] = {
    "batch": batch,
    "calls": calls,
    "census": census,
    "look-ups": look_ups,
    "potential": potential,
    "tables": build,
}
