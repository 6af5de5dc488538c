"""Random numbers are fair enough, and never depend on order."""

import numpy as np

from cardwin.core import rng


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
    assert {rng.draw_index(stream, [0.0, 0.5, 0.0, 0.5, 0.0]) for _ in range(200)} == {1, 3}
