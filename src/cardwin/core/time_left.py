"""The time that is left of a run, from the times of its last steps.

Steps may become longer: players who learn to fold play thirty times as many hands in a tournament. A mean over all
steps would promise an end that never comes nearer. So only the last tenth of the steps counts, at least three, and
where they took longer than as many before them, or where there are not so many, the result is a lower bound.
"""

from collections import deque

KEPT = 2_000  # steps whose times are kept
LEAST = 3
GROWTH = 1.1  # steps grow if the last ones took so many times as long as those before


class TimeLeft:
    """Told the seconds at which each step ended."""

    def __init__(self) -> None:
        self.times: deque[float] = deque(maxlen=KEPT)
        self.before: float | None = None
        self.done = 0

    def note(self, step: int, seconds: float) -> None:
        """A step has ended, so many seconds after the run's start; the first one may include compiling."""
        if self.before is not None:
            self.times.append(seconds - self.before)
        self.before, self.done = seconds, step

    def estimate(self, steps: int) -> tuple[float, bool] | None:
        """The seconds left of so many steps, and whether they are only a lower bound; None before the second step."""
        if not self.times:
            return None
        times = list(self.times)
        count = max(LEAST, len(times) // 10)
        last = times[-count:]
        mean, earlier = sum(last) / len(last), times[-2 * count : -count]
        longer = len(earlier) < count or mean > GROWTH * sum(earlier) / count
        return (steps - self.done) * (max(mean, times[-1]) if longer else mean), longer

    def text(self, steps: int) -> str:
        """The estimate in words; empty if there is none, or nothing is left."""
        found = self.estimate(steps)
        if found is None or self.done >= steps:
            return ""
        seconds, longer = found
        return f"{'at least ' if longer else ''}{duration(seconds)} left"


def duration(seconds: float) -> str:
    """Seconds up to two minutes, then minutes up to two hours, then hours."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
