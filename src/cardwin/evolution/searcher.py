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
    """Calls `work(start, stop)` for every chunk of `rows` rows, in any order and by any number of threads."""

    def __call__(self, work: Callable[[int, int], object], rows: int) -> None:
        """Return when all chunks are done."""


def serial(work: Callable[[int, int], object], rows: int) -> None:
    """One chunk after the other, in this thread."""
    for start, stop in chunks_of(rows):
        work(start, stop)


class Searcher(Protocol):
    """Proposes genomes and learns from their fitness. Its state is arrays."""

    @property
    def parents(self) -> npt.NDArray[np.int64]:
        """(members, 2): the indices of each member's parents in the previous generation, -1 for none.

        Of more than two, the two that gave the most genes, the larger first.
        """

    def ask(self) -> Population:
        """The genomes to evaluate, (members, genes), of the genome's dtype. Asking twice gives the same."""

    def tell(self, fitness: Fitness) -> None:
        """Take the genomes' fitness, (members,), and breed the next generation from it."""

    def state(self) -> State:
        """The complete state, which `load` of an equal searcher restores."""

    def load(self, state: State) -> None:
        """Restore a saved state."""


class MakeSearcher(Protocol):
    """A searcher's class: makes a searcher from a first generation (members, genes)."""

    def __call__(
        self, genome: Genome, first: Population, settings: SearchSettings, key: int, chunks: Chunks
    ) -> Searcher:
        """Random numbers depend on the key and the generation alone; rows are processed by `chunks`."""


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
