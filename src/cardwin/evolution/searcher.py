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
        """Do the work; return when all chunks are done."""


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
        """Return the genomes to evaluate, (members, genes), of the genome's dtype. Asking twice returns the same."""

    def tell(self, fitness: Fitness) -> None:
        """Breed the next generation from the genomes' fitness, (members,); higher is better."""

    def state(self) -> State:
        """Return the complete state, which `load` of an equal searcher restores."""

    def load(self, state: State) -> None:
        """Restore a saved state."""


class MakeSearcher(Protocol):
    """The class of a searcher."""

    def __call__(
        self, genome: Genome, first: Population, settings: SearchSettings, key: int, chunks: Chunks
    ) -> Searcher:
        """Return a searcher.

        Args:
            genome: the kinds and bounds of genes.
            first: the first generation (members, genes).
            settings: how to search.
            key: random numbers depend on it and the generation only.
            chunks: processes the rows of a generation.

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
