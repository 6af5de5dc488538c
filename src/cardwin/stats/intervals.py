"""Means with their uncertainty: Student's interval, and a bootstrap where the sample is too lopsided for it.

The bootstrap is the bias-corrected and accelerated one (Efron 1987); for a mean its acceleration is the skewness over
six times the root of n. It steps in where that same quantity says that Student's interval would miss by about one
percent on either side.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtrit

from cardwin.rng import generator_of, key_of

Sample = npt.NDArray[np.int64] | npt.NDArray[np.float64]
Floats = npt.NDArray[np.float64]

LOPSIDED = 0.1  # skewness over the root of n beyond which the bootstrap is used
RESAMPLES = 2_000
MOST_RESAMPLED = 20_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95% interval: its half-width, its ends, from so many numbers, and how it was found."""

    mean: float
    ci95: float
    low: float
    high: float
    n: int
    method: str


def blocked(values: Sample, block: int) -> Floats:
    """The means (n / block, players) of blocks of rows in a row, from values (n, players): one row a deal."""
    means: Floats = values.reshape(-1, block, values.shape[1]).mean(axis=1)
    return means


def quantile(chance: float, freedom: int) -> float:
    """Student's quantile."""
    return float(stdtrit(freedom, chance))


def mean_interval(sample: Sample, per_unit: float = 1.0) -> Estimate:
    """The mean of independent numbers (n,), in units of `per_unit`, with its 95% interval."""
    n = len(sample)
    mean = float(sample.mean()) / per_unit
    if n < 2:
        return Estimate(mean, math.inf, -math.inf, math.inf, n, "none")
    spread = float(sample.std(ddof=1)) / per_unit
    if spread == 0:
        return Estimate(mean, 0.0, mean, mean, n, "exact")
    skew = float((((sample / per_unit - mean) / spread) ** 3).mean())
    if n > 10 and abs(skew) / math.sqrt(n) > LOPSIDED:
        low, high = bootstrap_interval(sample / per_unit, skew)
        return Estimate(mean, (high - low) / 2, low, high, n, "bootstrap")
    half = quantile(0.975, n - 1) * spread / math.sqrt(n)
    return Estimate(mean, half, mean - half, mean + half, n, "t")


def bootstrap_interval(sample: Floats, skew: float) -> tuple[float, float]:
    """The ends of the 95% interval of a mean, from resampled means; beyond a size, from the means of runs of rows."""
    if len(sample) > MOST_RESAMPLED:
        runs = np.array_split(sample, MOST_RESAMPLED // 4)
        sample = np.array([run.mean() for run in runs])
        skew = float((((sample - sample.mean()) / sample.std()) ** 3).mean())
    n = len(sample)
    draw = generator_of(key_of(0, "bootstrap", n))
    means = np.array([sample[draw.integers(0, n, n)].mean() for _ in range(RESAMPLES)])
    below = float(np.clip((means < sample.mean()).mean(), 1 / RESAMPLES, 1 - 1 / RESAMPLES))
    bias, acceleration = float(ndtri(below)), skew / (6 * math.sqrt(n))
    shifted = (bias + float(ndtri(0.025)), bias + float(ndtri(0.975)))
    ends = [float(ndtr(bias + z / (1 - acceleration * z))) for z in shifted]
    low, high = np.quantile(means, ends)
    return float(low), float(high)
