"""Speed as a ratio to a peer in the same run, on the same machine, with compilation outside the measured time.

A module here lists its measurements in `RESULTS`: a name, and a function that takes whether to measure peers and
yields results. `cardwin bench NAME` runs those whose name begins with NAME.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Result:
    """One measurement, with a peer's if there is one; more is better unless the unit is a time."""

    name: str
    ours: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times better ours is than the peer's."""
        if not self.peer_value:
            return None
        return self.peer_value / self.ours if self.unit in ("s", "ms", "us") else self.ours / self.peer_value


def seconds(job: Callable[[], object], repeats: int = 5) -> float:
    """Return the median time of a job in seconds, after one run to warm up."""
    job()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return median(times)
