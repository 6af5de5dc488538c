"""CMA-ES (Hansen and Ostermeier 2001) behind the same two words, by the cmaes package (Nomura and Shibata 2024).

The cloud of points is free; what is asked is its mirror image in [0, 1], folded at the edges, so that there is no flat
country beyond them to drift off to and corners can be reached. Its luck is set anew from the key at every generation,
so that a resumed search draws what an uninterrupted one would.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.errors import InputError
from cardwin.evolution.genome import Genome, Population
from cardwin.evolution.searcher import Fitness, State
from cardwin.rng import child, generator_of

MEMORY = ("_mean", "_C", "_sigma", "_p_sigma", "_pc", "_g", "_B", "_D")


class CMA:
    """A cloud of real genomes that moves, stretches and turns."""

    def __init__(self, genome: Genome, size: int, key: int, step: float = 0.3) -> None:
        import cmaes

        if (genome.alleles > 0).any() or not np.isnan(genome.held).all():
            raise InputError("search.method cma-es needs real, free genes: choose method genetic for choices")
        if size < 4:
            raise InputError(f"search.method cma-es needs a population of 4 or more, not {size}")
        start = generator_of(child(key, -1)).random(genome.genes)
        self.search: Any = cmaes.CMA(start, step, population_size=size)
        self.key = key
        self.parents: npt.NDArray[np.int64] = np.full((size, 2), -1, dtype=np.int64)
        self.points = self._draw(size)

    def _draw(self, size: int) -> Population:
        # The package takes NumPy's older kind of generator.
        self.search._rng = np.random.RandomState(child(self.key, self.search.generation) & 0xFFFF_FFFF)
        return np.array([self.search.ask() for _ in range(size)])

    def ask(self) -> Population:
        """The cloud, mirrored into [0, 1], (members, genes)."""
        return 1.0 - np.abs(self.points % 2.0 - 1.0)

    def tell(self, fitness: Fitness) -> None:
        """Move the cloud. The package makes costs small, so fitness changes its sign."""
        self.search.tell([(point, -value) for point, value in zip(self.points, fitness.tolist(), strict=True)])
        self.points = self._draw(len(self.points))

    def state(self) -> State:
        """All that is needed to go on."""
        return {name.strip("_"): np.atleast_1d(np.asarray(getattr(self.search, name), float)) for name in MEMORY}

    def load(self, state: State) -> None:
        """Go on from a saved state."""
        for name in MEMORY:
            saved, mine = state[name.strip("_")], getattr(self.search, name)
            setattr(self.search, name, saved.copy() if isinstance(mine, np.ndarray) else type(mine)(saved[0]))
        self.points = self._draw(len(self.points))
