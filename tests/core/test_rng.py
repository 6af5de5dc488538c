"""Luck is the same compiled and uncompiled, fair enough, and never depends on order."""

import os
import subprocess
import sys

import numpy as np

from cardwin.core import rng

SAMPLE = """
from cardwin import rng
stream = rng.stream_of(rng.key_of(7, "test", 3))
print([rng.draw_bits(stream), rng.draw_below(stream, 52), rng.draw_uniform(stream), rng.draw_normal(stream)])
print(rng.child(2**62 + 12345, 17), rng.child(0, 0), rng.child(1, -5))
"""


def sample(disable_jit: str) -> str:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": disable_jit}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", SAMPLE], env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_compiled_and_uncompiled_luck_are_equal() -> None:
    assert sample("0") == sample("1")


def test_names_lead_to_different_luck() -> None:
    keys = {
        rng.key_of(1),
        rng.key_of(2),
        rng.key_of(1, "a"),
        rng.key_of(1, 1),
        rng.key_of(1, "1"),
        rng.key_of(11),
    }
    assert len(keys) == 6


def test_draws_are_spread_evenly() -> None:
    stream = rng.stream_of(rng.key_of(1, "spread"))
    counts = np.bincount([rng.draw_below(stream, 10) for _ in range(20_000)], minlength=10)
    assert ((counts - 2000) ** 2 / 2000).sum() < 27.9  # chi square, 9 degrees of freedom, p = .001


def test_shuffle_keeps_every_item() -> None:
    deck = np.arange(52)
    rng.shuffle_first(rng.stream_of(5), deck, 9)
    assert sorted(deck) == list(range(52))
    assert list(deck) != list(range(52))


def test_pick_never_returns_what_has_no_weight() -> None:
    stream = rng.stream_of(9)
    assert {rng.pick(stream, [0.0, 0.5, 0.0, 0.5, 0.0]) for _ in range(200)} == {1, 3}
