"""CMA-ES (Hansen and Ostermeier 2001) behind the same two words, by the cmaes package (Nomura and Shibata 2024).

The cloud of points is free and in float64; what is asked is written as the genome writes it, and where genes have
bounds it is the cloud's mirror image, folded at the edges, so that there is no flat country beyond them to drift off to
and corners can be reached. The cloud begins around the first of the first generation. Its luck is set anew from the key
at every generation, so that a resumed search draws what an uninterrupted one would.

The full one learns how genes go together, which costs the square of their number for each point and its cube for each
generation; the separable one (Ros and Hansen 2008) learns each gene's own width only and takes networks.
"""

from typing import Any

import numpy as np

from cardwin.core.errors import InputError
from cardwin.core.rng import child
from cardwin.evolution.breeding import Floats, Ints, SearchSettings
from cardwin.evolution.chunks import Chunks, serial
from cardwin.evolution.genome import HIGH, LOW, Genome, Population
from cardwin.evolution.searcher import SEARCHERS, Fitness, State

MEMORY = ("_mean", "_C", "_sigma", "_p_sigma", "_pc", "_g", "_B", "_D")


class CMA:
    """A cloud of real genomes that moves, stretches and turns."""

    package_class = "CMA"

    def __init__(
        self,
        genome: Genome,
        first: Population,
        settings: SearchSettings,
        key: int,
        chunks: Chunks = serial,  # noqa: ARG002  the package moves its cloud in one thread
    ) -> None:
        import cmaes

        if (genome.alleles > 0).any() or genome.holds:
            raise InputError("searcher cma-es needs real, free genes: choose searcher genetic for choices")
        if len(first) < 4 or genome.genes < 2:
            raise InputError("searcher cma-es needs a population of 4 or more and genomes of 2 genes or more")
        start = first[0].astype(np.float64)
        self.search: Any = getattr(cmaes, self.package_class)(start, settings.sigma, population_size=len(first))
        # The full one keeps its axes and widths with the matrix, the separable one widths only.
        self.memory = [name for name in MEMORY if hasattr(self.search, name)]
        self.genome, self.key = genome, key
        self.parents: Ints = np.full((len(first), 2), -1, dtype=np.int64)
        self._draw()

    def _draw(self) -> None:
        # The package takes NumPy's older kind of generator.
        self.search._rng = np.random.RandomState(child(self.key, self.search.generation) & 0xFFFF_FFFF)
        self.points: Floats = np.array([self.search.ask() for _ in self.parents])
        self.population = folded(self.points, self.genome).astype(self.genome.dtype)

    def ask(self) -> Population:
        """The cloud within the genome's bounds, (members, genes)."""
        return self.population

    def tell(self, fitness: Fitness) -> None:
        """Move the cloud. The package makes costs small, so fitness changes its sign."""
        self.search.tell([(point, -value) for point, value in zip(self.points, fitness.tolist(), strict=True)])
        self._draw()

    def state(self) -> State:
        """All that is needed to go on. Copies, since the package changes some of its arrays in place."""
        return {name.strip("_"): np.atleast_1d(np.array(getattr(self.search, name), float)) for name in self.memory}

    def load(self, state: State) -> None:
        """Go on from a saved state."""
        for name in self.memory:
            saved, mine = state[name.strip("_")].astype(np.float64), getattr(self.search, name)
            setattr(self.search, name, saved if isinstance(mine, np.ndarray) else type(mine)(saved[0]))
        self._draw()


class SeparableCMA(CMA):
    """A cloud that stretches along single genes only."""

    package_class = "SepCMA"


def folded(points: Floats, genome: Genome) -> Floats:
    """Points (members, genes) as if every bound there is were a mirror."""
    low, high = genome.limits[LOW], genome.limits[HIGH]
    with np.errstate(invalid="ignore", divide="ignore"):  # of bounds that are infinite, and not looked at then
        width = high - low
        between = low + width * (1.0 - np.abs((points - low) / width % 2.0 - 1.0))
        above = np.where(np.isfinite(low), low + np.abs(points - low), points)
        mirrored = np.where(np.isfinite(high), high - np.abs(high - points), above)
    return np.clip(np.where(np.isfinite(width) & (width > 0), between, mirrored), low, high)


SEARCHERS["cma-es"] = CMA
SEARCHERS["sep-cma-es"] = SeparableCMA
