"""Blueprint runs without the table of win odds: buckets at random. `python cfr_run.py WORDS` is the command itself."""

import numpy as np

from blueprints import FEW_BUCKETS
from cardwin.cards.win_odds import NO_TABLE
from cardwin.core.arrays import Ints
from cardwin.core.rng import Stream, generator_of
from cardwin.players.cfr import training
from cardwin.players.cfr.buckets import Buckets


def random_deals(buckets: Buckets, odds: object, stream: Stream, found: Ints, results: Ints) -> None:  # noqa: ARG001
    """In place of `deal_block`."""
    rng = generator_of(int(stream[0]))
    for street, count in enumerate(buckets.counts()):
        found[:, :, street] = rng.integers(0, count, found.shape[:2])
    results[:] = rng.integers(0, 3, len(results))


REPLACED = {
    "deal_block": random_deals,
    "make_buckets": lambda odds, shapes: FEW_BUCKETS,  # noqa: ARG005
}


class NoTable:
    """In place of the store of win odds."""

    @staticmethod
    def load_or_build() -> np.ndarray:
        """Nothing."""
        return NO_TABLE


if __name__ == "__main__":
    from cardwin.cli import main

    setattr(training, "win_odds_store", NoTable)  # noqa: B010  not one of its exports
    for name, function in REPLACED.items():
        setattr(training, name, function)
    main()
