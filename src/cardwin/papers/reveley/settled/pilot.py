"""How many seeds the settled experiment needs, from trainings on other seeds.

The number of a training is what it wins, the mean over its judges. With the standard deviation s of the pilot's
trainings, n trainings have a 95% interval of half-width t(n - 1) s / sqrt(n). The number of seeds is the least n from
`LEAST` on at which the half-width expected for every learner is at most `HALF_WIDTH`, or `most` if that takes more than
the machine's time allows; a wider result is then reported as it is.
"""

from collections.abc import Mapping, Sequence

import numpy as np

HALF_WIDTH, LEAST = 0.05, 8


def half_width(deviation: float, seeds: int) -> float:
    """The expected half-width of a 95% interval over so many trainings."""
    from scipy.stats import t

    return float(t.ppf(0.975, seeds - 1)) * deviation / seeds**0.5


def seeds_needed(deviation: float, most: int) -> int:
    """The least number of seeds, LEAST to `most`, at which the half-width is at most HALF_WIDTH; `most` if none is."""
    enough = (number for number in range(LEAST, most) if half_width(deviation, number) <= HALF_WIDTH)
    return next(enough, most)


def planned_seeds(numbers: Mapping[str, Sequence[float]], most: int) -> dict[str, int]:
    """For each learner the seeds that it needs, from its numbers in the pilot."""
    return {name: seeds_needed(float(np.std(won, ddof=1)), most) for name, won in numbers.items()}
