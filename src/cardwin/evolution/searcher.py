"""The Searcher protocol, and the registry of searchers."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from cardwin.core.executor import row_chunks as chunks_of
from cardwin.core.registry import Registry
from cardwin.evolution.breeding import SearchSettings
from cardwin.evolution.genome import Genome, Population

Fitness = npt.NDArray[np.float64]
State = dict[str, npt.NDArray[Any]]


class Chunks(Protocol):
    """Caller of `work(start, stop)` for every chunk of `rows` rows, in any order and by any number of threads."""

    def __call__(self, work: Callable[[int, int], object], rows: int) -> None:
        """Do the work; return when all chunks are done.

        Args:
            work: Called as `work(start, stop)` with the first row of a chunk and the one after its last.
            rows: Number of rows over all chunks.

        """


def serial(work: Callable[[int, int], object], rows: int) -> None:
    """Do the work of one chunk after the other, in this thread."""
    for start, stop in chunks_of(rows):
        work(start, stop)


class Searcher(Protocol):
    """A search that proposes genomes and learns from their fitness. Its state is arrays."""

    @property
    def parents(self) -> npt.NDArray[np.int64]:
        """The indices (members, 2) of each member's parents in the previous generation, -1 for none.

        Of more than two parents these are the two that gave the most genes, the larger share first.
        """

    def ask(self) -> Population:
        """Return the genomes to evaluate. Asking twice returns the same.

        Returns:
            Genomes (members, genes), in the genome's dtype.

        """

    def tell(self, fitness: Fitness) -> None:
        """Breed the next generation from the fitness of the current one.

        Args:
            fitness: Fitness (members,) of the genomes of the last `ask`; higher is better.

        """

    def state(self) -> State:
        """Return the complete state.

        Returns:
            Arrays by name, from which `load` of an equal searcher resumes.

        """

    def load(self, state: State) -> None:
        """Restore a saved state.

        Args:
            state: What `state` of an equal searcher returned.

        """


class MakeSearcher(Protocol):
    """The class of a searcher."""

    def __call__(
        self, genome: Genome, first: Population, settings: SearchSettings, key: int, chunks: Chunks
    ) -> Searcher:
        """Return a searcher.

        Args:
            genome: Kinds and bounds of the genes.
            first: The first generation (members, genes).
            settings: Search settings: operators, rates, elites.
            key: Random numbers depend on it and the generation only.
            chunks: Processes the rows of a generation.

        Returns:
            A searcher whose `ask` returns the first generation.

        """


# One line adds a searcher; installed packages add theirs by entry points.
SEARCHERS: Registry[MakeSearcher] = Registry(
    "cardwin.searchers",
    {
        "genetic": "cardwin.evolution.genetic:Genetic",
        "cma-es": "cardwin.evolution.cma:CMA",
        "sep-cma-es": "cardwin.evolution.cma:SeparableCMA",
        "evolution-strategy": "cardwin.evolution.evolution_strategy:EvolutionStrategy",
    },
)
