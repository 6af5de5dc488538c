"""A share of independent trials, with the interval that never covers too seldom (Clopper and Pearson 1934)."""

from dataclasses import dataclass

from scipy.special import betaincinv


@dataclass(frozen=True)
class Share:
    """So many of n trials, and the ends of the 95% interval of the chance behind them."""

    count: int
    n: int
    low: float
    high: float

    @property
    def mean(self) -> float:
        """The share itself."""
        return self.count / self.n

    @property
    def ci95(self) -> tuple[float, float]:
        """Both ends."""
        return self.low, self.high


def within(ends: tuple[float, float]) -> tuple[float, float]:
    """The ends of a chance's or share's interval, cut at 0 and 1.

    For intervals that know of no bounds, such as Student's over runs that each have a share: nothing beyond 0 and 1 can
    be true, so what is left covers as often as before.
    """
    return max(ends[0], 0.0), min(ends[1], 1.0)


def share_of(count: int, n: int) -> Share:
    """How often something happened in n trials."""
    if not 0 <= count <= n or n < 1:
        raise ValueError(f"{count} of {n} is no share")
    low = 0.0 if count == 0 else float(betaincinv(count, n - count + 1, 0.025))
    high = 1.0 if count == n else float(betaincinv(count + 1, n - count, 0.975))
    return Share(count, n, low, high)
