"""Evolutionary search: populations, operators, halls of fame and the searchers that `ask` and `tell`.

The package does not depend on the meaning of genomes. A population is an array (members, genes) of its genome's dtype;
fitness is an array (members,), and higher is better. All random numbers are derived from a key and a generation, row by
row, so that results do not depend on chunks, threads or restarts.
"""

from cardwin.evolution.breeding import CROSSOVERS, MUTATIONS, SELECTIONS, Breeding, Crossover, SearchSettings
from cardwin.evolution.genetic import Genetic
from cardwin.evolution.genome import (
    STARTS,
    Genome,
    Population,
    first_population,
    random_population,
    uniform_population,
)
from cardwin.evolution.hall import REPLACEMENTS, Archive, Hall, RunningAverage
from cardwin.evolution.searcher import SEARCHERS, Chunks, Fitness, Searcher, State, serial
from cardwin.evolution.variation import in_pairs

__all__ = [
    "CROSSOVERS",
    "MUTATIONS",
    "REPLACEMENTS",
    "SEARCHERS",
    "SELECTIONS",
    "STARTS",
    "Archive",
    "Breeding",
    "Chunks",
    "Crossover",
    "Fitness",
    "Genetic",
    "Genome",
    "Hall",
    "Population",
    "RunningAverage",
    "SearchSettings",
    "Searcher",
    "State",
    "first_population",
    "in_pairs",
    "random_population",
    "serial",
    "uniform_population",
]
