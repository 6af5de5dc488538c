"""How many seeds the settled experiment needs, from trainings on other seeds.

The number of a training is what it wins, the mean over its judges. With the standard deviation s of the pilot's
trainings, n trainings have a 95% interval of half-width t(n - 1) s / sqrt(n). The number of seeds is the least n from
`LEAST` on at which the half-width expected is at most `HALF_WIDTH` for every learner that can reach it within `most`
seeds, which is what the machine's time allows; the result of any other learner is reported as wide as it is.
"""

import math

HALF_WIDTH, LEAST = 0.05, 8


def half_width(deviation: float, seeds: int) -> float:
    """The expected half-width of a 95% interval over so many trainings."""
    from scipy.stats import t

    return float(t.ppf(0.975, seeds - 1)) * deviation / math.sqrt(seeds)


def seeds_needed(deviation: float, most: int) -> int:
    """The least number of seeds, LEAST to `most`, at which the half-width is at most HALF_WIDTH; `most` if none is."""
    enough = (number for number in range(LEAST, most) if half_width(deviation, number) <= HALF_WIDTH)
    return next(enough, most)
