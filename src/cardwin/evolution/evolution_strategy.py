"""An evolution strategy with antithetic pairs as a searcher (Rechenberg 1973; Salimans and others 2017).

1. Members are pairs on either side of a mean, mean + sigma e and mean - sigma e with normal e, and last a moving
   average of the means, which is the search's best estimate: noise that favours one member is averaged out.
2. The fitness of the pairs is replaced by centred ranks; their differences give the direction in which fitness rises.
3. Adam moves the mean in this direction (Kingma and Ba 2015). Over `horizon` generations the step falls from `rate` to
   `rate_end`, and the distance of the members from the mean, over which fitness is smoothed, from `sigma` to
   `sigma_end`.
"""

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.rng import child, generator_of
from cardwin.evolution.breeding import SearchSettings
from cardwin.evolution.cma import reflect_at_bounds
from cardwin.evolution.genome import Genome, Population
from cardwin.evolution.searcher import Chunks, Fitness, State, serial

FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.99, 1e-8  # of Adam
AVERAGE = 0.9  # the share of the moving average that a generation keeps
MEMORY = ("mean", "average", "first", "second", "generation")


class EvolutionStrategy:
    """An evolution strategy of antithetic pairs around a mean; the last member is the moving average of the means.

    The arguments are those of every searcher.

    Raises:
        InputError: genes are choices or held, or the population is too small.

    """

    def __init__(
        self,
        genome: Genome,
        first: Population,
        settings: SearchSettings,
        key: int,
        chunks: Chunks = serial,  # noqa: ARG002  one thread is enough
    ) -> None:
        if (genome.alleles > 0).any() or genome.holds:
            raise InputError("searcher evolution-strategy needs real, free genes; searcher genetic can search choices")
        if len(first) < 3:
            raise InputError(f"searcher evolution-strategy needs a population of 3 or more, got {len(first)}")
        self.genome, self.settings, self.key = genome, settings, key
        self.parents: Ints = np.full((len(first), 2), -1, dtype=np.int64)
        self.champion = len(first) - 1  # the member that stands for the search, whatever its fitness
        self.mean: Floats = first[0].astype(np.float64)
        self.average = self.mean.copy()
        self.first, self.second = np.zeros_like(self.mean), np.zeros_like(self.mean)
        self.generation: Ints = np.zeros(1, np.int64)
        self._draw()

    @property
    def noise(self) -> Floats:
        """The directions of the pairs, (pairs, genes), and one more without a pair if the population is even."""
        key = child(self.key, int(self.generation[0]))
        return generator_of(key).standard_normal((len(self.parents) // 2, len(self.mean)))

    def _draw(self) -> None:
        steps, pairs = self.sigma * self.noise, (len(self.parents) - 1) // 2
        sides = self.mean + steps[:pairs], self.mean - steps[:pairs], self.mean + steps[pairs:]
        points = np.concatenate([*sides, self.average[None]])
        self.population = np.ascontiguousarray(reflect_at_bounds(points, self.genome).astype(self.genome.dtype))

    def ask(self) -> Population:
        """Return one side of all pairs, the other, a single member if the population is even, then the moving average.

        Genes with bounds are reflected at them.
        """
        return self.population

    def tell(self, fitness: Fitness) -> None:
        """Move the mean towards the fitter sides."""
        pairs, generation = (len(self.parents) - 1) // 2, int(self.generation[0])
        noise = self.noise[:pairs]
        ranks = centred_ranks(fitness[: 2 * pairs])
        slope = (ranks[:pairs] - ranks[pairs:]) @ noise / (pairs * self.sigma)
        self.first = FIRST_MOMENT * self.first + (1 - FIRST_MOMENT) * slope
        self.second = SECOND_MOMENT * self.second + (1 - SECOND_MOMENT) * slope**2
        unbiased = self.first / (1 - FIRST_MOMENT ** (generation + 1))
        scale = np.sqrt(self.second / (1 - SECOND_MOMENT ** (generation + 1))) + TINY
        self.mean = self.mean + self.rate * unbiased / scale
        self.average = AVERAGE * self.average + (1 - AVERAGE) * self.mean
        self.generation = self.generation + 1
        self._draw()

    @property
    def rate(self) -> float:
        """The length of this generation's step."""
        return self._falling(self.settings.rate, self.settings.rate_end)

    @property
    def sigma(self) -> float:
        """The distance of this generation's members from the mean, in each gene."""
        return self._falling(self.settings.sigma, self.settings.sigma_end or self.settings.sigma)

    def _falling(self, first: float, last: float) -> float:
        """Return a number that falls geometrically over the horizon and is constant afterwards."""
        passed = min(int(self.generation[0]) / max(1, self.settings.horizon - 1), 1.0)
        return float(first * (last / first) ** passed)

    def state(self) -> State:
        """Return the complete state."""
        return {name: getattr(self, name).copy() for name in MEMORY}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        for name in MEMORY:
            setattr(self, name, state[name].copy())
        self._draw()


def centred_ranks(fitness: Fitness) -> Floats:
    """Return ranks (members,) from -1/2 to 1/2; ties are in their order."""
    ranks = np.empty(len(fitness))
    ranks[np.argsort(fitness, kind="stable")] = np.arange(len(fitness))
    return ranks / max(1, len(fitness) - 1) - 0.5
