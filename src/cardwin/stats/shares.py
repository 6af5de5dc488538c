"""A proportion of independent trials with a conservative interval (Clopper and Pearson 1934)."""

from dataclasses import dataclass


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


def share_of(count: int, n: int) -> Share:
    """The share of n trials in which something happened."""
    if not 0 <= count <= n or n < 1:
        raise ValueError(f"{count} of {n} is not a share")
    from scipy.special import betaincinv

    low = 0.0 if count == 0 else float(betaincinv(count, n - count + 1, 0.025))
    high = 1.0 if count == n else float(betaincinv(count + 1, n - count, 0.975))
    return Share(count, n, low, high)
