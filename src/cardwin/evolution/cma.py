"""CMA-ES (Hansen and Ostermeier 2001) as a searcher, by the cmaes package (Nomura and Shibata 2024).

The package samples unbounded points in float64. `ask` returns them in the genome's dtype; if genes have bounds, the
points are reflected at them, so that no search direction is flat beyond the bounds and corners can be reached. The
initial mean is the first member of the first generation. The random generator is reseeded from the key
in every generation, so that a resumed search samples what an uninterrupted one would.

The full variant learns the covariance matrix, at a cost of genes squared for each point and genes cubed for each
generation; the separable one (Ros and Hansen 2008) learns variances only and is suitable for networks.
"""

from typing import Any

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.rng import child
from cardwin.evolution.breeding import SearchSettings
from cardwin.evolution.genome import HIGH, LOW, Genome, Population
from cardwin.evolution.searcher import Chunks, Fitness, State, serial

MEMORY = ("_mean", "_C", "_sigma", "_p_sigma", "_pc", "_g", "_B", "_D")


class CMA:
    """CMA-ES with a full covariance matrix; the arguments are those of every searcher.

    Raises:
        InputError: genes are choices or held, or the population is too small.

    """

    package_class = "CMA"

    def __init__(
        self,
        genome: Genome,
        first: Population,
        settings: SearchSettings,
        key: int,
        chunks: Chunks = serial,  # noqa: ARG002  the package uses one thread
    ) -> None:
        import cmaes

        if (genome.alleles > 0).any() or genome.holds:
            raise InputError("searcher cma-es needs real, free genes; searcher genetic can search choices")
        if len(first) < 4 or genome.genes < 2:
            raise InputError(
                "searcher cma-es needs a population of 4 or more and genomes of 2 genes or more, "
                f"got {len(first)} members of {genome.genes} genes"
            )
        start = first[0].astype(np.float64)
        self.search: Any = getattr(cmaes, self.package_class)(start, settings.sigma, population_size=len(first))
        # The full variant stores eigenvectors and eigenvalues with the matrix, the separable one only variances.
        self.memory = [name for name in MEMORY if hasattr(self.search, name)]
        self.genome, self.key = genome, key
        self.parents: Ints = np.full((len(first), 2), -1, dtype=np.int64)
        self._draw()

    def _draw(self) -> None:
        # The package needs NumPy's legacy generator.
        self.search._rng = np.random.RandomState(child(self.key, self.search.generation) & 0xFFFF_FFFF)
        self.points: Floats = np.array([self.search.ask() for _ in self.parents])
        self.population = reflect_at_bounds(self.points, self.genome).astype(self.genome.dtype)

    def ask(self) -> Population:
        """Return the sampled points within the genome's bounds, (members, genes)."""
        return self.population

    def tell(self, fitness: Fitness) -> None:
        """Update the distribution. The package minimises, so fitness is negated."""
        self.search.tell([(point, -value) for point, value in zip(self.points, fitness.tolist(), strict=True)])
        self._draw()

    def state(self) -> State:
        """Return the complete state as copies, because the package changes some of its arrays in place."""
        return {name.strip("_"): np.atleast_1d(np.array(getattr(self.search, name), float)) for name in self.memory}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        for name in self.memory:
            saved, current = state[name.strip("_")].astype(np.float64), getattr(self.search, name)
            setattr(self.search, name, saved if isinstance(current, np.ndarray) else type(current)(saved[0]))
        self._draw()


class SeparableCMA(CMA):
    """CMA-ES with a diagonal covariance matrix."""

    package_class = "SepCMA"


def reflect_at_bounds(points: Floats, genome: Genome) -> Floats:
    """Return points (members, genes) reflected at the genome's bounds."""
    low, high = genome.limits[LOW], genome.limits[HIGH]
    with np.errstate(invalid="ignore", divide="ignore"):  # from infinite bounds, whose results are not used
        width = high - low
        between = low + width * (1.0 - np.abs((points - low) / width % 2.0 - 1.0))
        above = np.where(np.isfinite(low), low + np.abs(points - low), points)
        mirrored = np.where(np.isfinite(high), high - np.abs(high - points), above)
    return np.clip(np.where(np.isfinite(width) & (width > 0), between, mirrored), low, high)
