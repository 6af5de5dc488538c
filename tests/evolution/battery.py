"""The cases that every registered searcher, operator, start and rule goes through: adding one adds its cases."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.evolution import (
    CROSSOVERS,
    MUTATIONS,
    SEARCHERS,
    SELECTIONS,
    Genome,
    Searcher,
    SearchSettings,
    first_population,
)
from cardwin.evolution.searcher import Chunks, serial

Floats = npt.NDArray[Any]
GENES = 8
TARGET = np.array([0.0, 1.0, 0.25, 1.0, 0.0, 0.7, 0.0, 1.0])
GENOMES = {
    "probabilities": Genome.real(GENES),
    "between bounds": Genome.real(GENES, -3.0, 5.0, dtype=np.float32),
    "weights": Genome.unbounded(GENES, dtype=np.float32),
    "positive": Genome.real(GENES, 0.0, np.inf),
}


@dataclass(frozen=True)
class Case:
    """A searcher with settings: the usual ones but for what is tested."""

    searcher: str = "genetic"
    changes: dict[str, Any] = field(default_factory=dict)
    size: int = 100
    spread: float = 0.3  # of sigma, in widths of the first generation

    def start(self, genome: Genome, key: int, chunks: Chunks = serial) -> Searcher:
        first = first_population(genome, self.size, key)
        width = float((genome.limits[3] - genome.limits[2]).max())
        steps = {"rate": 0.1 * width, "rate_end": 0.003 * width, "horizon": 60}  # of an evolution strategy
        settings = SearchSettings(**{**steps, "shift": 8 * width, "sigma": self.spread * width, **self.changes})
        return SEARCHERS[self.searcher](genome, first, settings, key, chunks)


CASES = {
    **{name: Case(name, size=20 if "cma" in name else 100) for name in SEARCHERS},
    "evolution-strategy": Case("evolution-strategy", spread=0.02),  # its members stay a sigma apart to the end
    **{f"selection {name}": Case(changes={"selection": name, "parents": 0.5}) for name in SELECTIONS},
    **{f"crossover {name}": Case(changes={"crossover": name}) for name in CROSSOVERS},
    **{f"mutation {name}": Case(changes={"mutation": name}) for name in MUTATIONS},
    "of genomes": Case(changes={"mutation": "redraw", "mutation_of": "genome", "duplicates": True}),
    "drawn swaps": Case(changes={"selection": "blend", "swap_probability": "drawn"}),
    "kept players": Case(
        changes={"selection": "truncation", "crossover": "weighted-sum", "parents": 0.1, "elites": 10, "sigma": 0.5}
    ),
}


def score_on(genome: Genome) -> Callable[[Floats], Floats]:
    """0 at a target within the first generation's range, below elsewhere."""
    first, last = genome.limits[2:]
    target = first + (last - first) * TARGET
    return lambda population: np.asarray(-np.abs(population.astype(np.float64) - target).sum(axis=1))


def search(searcher: Searcher, generations: int, score: Callable[[Floats], Floats]) -> float:
    """The best score that so many generations find."""
    best = -np.inf
    for _ in range(generations):
        fitness = score(searcher.ask())
        best = max(best, float(fitness.max()))
        searcher.tell(fitness)
    return best
