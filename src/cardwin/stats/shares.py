"""A proportion of independent trials with a conservative interval (Clopper and Pearson 1934)."""

from dataclasses import dataclass

from scipy.special import betaincinv


@dataclass(frozen=True)
class Share:
    """A count of n trials, and the ends of the 95% interval of the probability."""

    count: int
    n: int
    low: float
    high: float

    @property
    def mean(self) -> float:
        """The observed share."""
        return self.count / self.n

    @property
    def ci95(self) -> tuple[float, float]:
        """Both ends."""
        return self.low, self.high


def within(ends: tuple[float, float]) -> tuple[float, float]:
    """The ends of a probability's or share's interval, clipped to 0 and 1.

    For intervals without bounds, such as Student's over runs that each have a share: the true value lies between 0 and
    1, so clipping does not change the coverage.
    """
    return max(ends[0], 0.0), min(ends[1], 1.0)


def share_of(count: int, n: int) -> Share:
    """The share of n trials in which something happened."""
    if not 0 <= count <= n or n < 1:
        raise ValueError(f"{count} of {n} is not a share")
    low = 0.0 if count == 0 else float(betaincinv(count, n - count + 1, 0.025))
    high = 1.0 if count == n else float(betaincinv(count + 1, n - count, 0.975))
    return Share(count, n, low, high)
