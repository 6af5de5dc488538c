"""The noun that all searches share."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from cardwin.evolution.genome import Population

Fitness = npt.NDArray[np.float64]
State = dict[str, npt.NDArray[np.float64] | npt.NDArray[np.int64]]

__all__ = ["Fitness", "Population", "Searcher", "State"]


class Searcher(Protocol):
    """Proposes genomes and learns from their fitness. All its memory is arrays."""

    @property
    def parents(self) -> npt.NDArray[np.int64]:
        """(members, 2): where in the generation before each asked member's parents stood, -1 where it has none."""

    def ask(self) -> Population:
        """The genomes to be judged, (members, genes). Asking twice gives the same."""

    def tell(self, fitness: Fitness) -> None:
        """The asked genomes' fitness, (members,); the next generation is bred from it."""

    def state(self) -> State:
        """All that is needed to go on from here: `load` of an equal searcher takes it."""

    def load(self, state: State) -> None:
        """Go on from a saved state."""
