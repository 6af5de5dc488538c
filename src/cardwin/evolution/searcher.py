"""The noun that all searches share, and the registry of them."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from cardwin.evolution.breeding import SearchSettings
from cardwin.evolution.chunks import Chunks
from cardwin.evolution.genome import Genome, Population

Fitness = npt.NDArray[np.float64]
State = dict[str, npt.NDArray[Any]]


class Searcher(Protocol):
    """Proposes genomes and learns from their fitness. All its memory is arrays."""

    @property
    def parents(self) -> npt.NDArray[np.int64]:
        """(members, 2): where in the generation before each asked member's parents stood, -1 where it has none.

        Of more than two, the two that gave most, the one that gave more first.
        """

    def ask(self) -> Population:
        """The genomes to be judged, (members, genes), of the genome's dtype. Asking twice gives the same."""

    def tell(self, fitness: Fitness) -> None:
        """The asked genomes' fitness, (members,); the next generation is bred from it."""

    def state(self) -> State:
        """All that is needed to go on from here: `load` of an equal searcher takes it."""

    def load(self, state: State) -> None:
        """Go on from a saved state."""


class MakeSearcher(Protocol):
    """A searcher's class: a first generation (members, genes) in, a searcher at its beginning out."""

    def __call__(
        self, genome: Genome, first: Population, settings: SearchSettings, key: int, chunks: Chunks
    ) -> Searcher:
        """Luck comes from the key and the generation alone; rows are worked on by `chunks`."""


SEARCHERS: dict[str, MakeSearcher] = {}
