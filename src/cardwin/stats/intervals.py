"""Means with their uncertainty."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the half-width of its 95% interval."""

    mean: float
    ci95: float


def mean_interval(sample: npt.NDArray[np.int64] | npt.NDArray[np.float64], per_unit: float = 1.0) -> Estimate:
    """The mean of independent numbers (n,), in units of `per_unit`, with its normal 95% interval."""
    n = len(sample)
    spread = float(sample.std(ddof=1)) if n > 1 else math.inf
    half = Z95 * spread / math.sqrt(n)
    return Estimate(float(sample.mean()) / per_unit, half / per_unit)
