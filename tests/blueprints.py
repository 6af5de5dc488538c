"""Blueprints for tests: few buckets, random probabilities."""

import numpy as np

from cardwin.core.rng import generator_of, key_of
from cardwin.games.holdem import holdem_game
from cardwin.games.specs import split_spec
from cardwin.players.cfr.buckets import Buckets
from cardwin.players.cfr.files import Blueprint, shares_of
from cardwin.players.cfr.tree import betting_of, row_starts, tree_of

INF = np.inf
FEW_BUCKETS = Buckets(
    np.array([[0.3, 0.6, INF], [0.4, INF, INF], [0.3, 0.6, INF]]),
    np.array([[[0.2, INF]] * 3, [[0.15, INF]] * 2 + [[INF, INF]], [[INF, INF]] * 3]),
    np.array([[3, 2], [2, 2], [3, 1]]),
)


def random_blueprint(game: str, seed: int) -> Blueprint:
    """A blueprint with random probabilities."""
    tree = tree_of(betting_of(holdem_game(*split_spec(game))))
    counts = FEW_BUCKETS.counts()
    sizes = row_starts(tree, counts)[:, -1]
    rng = generator_of(key_of(seed))
    sums = [(rng.random(int(size)) ** 3).astype(np.float32) for size in sizes]
    shares = tuple(shares_of(tree, counts, seat, sums[seat]) for seat in (0, 1))
    return Blueprint(game, tree, FEW_BUCKETS, shares, {"iterations": 0, "seed": seed})
