"""Genomes in, genomes out: populations, operators, halls of fame and the searchers that `ask` and `tell`.

Nothing here knows what a genome is for. A population is an array (members, genes) of floats; fitness is an array
(members,), and more is better. All luck is derived from a key and a generation, row by row, so that neither blocks
nor threads nor restarts change a bit.
"""

from cardwin.evolution.blocks import Blocks, serial
from cardwin.evolution.cma import CMA
from cardwin.evolution.genetic import Genetic, Settings
from cardwin.evolution.genome import Genome, random_population, uniform_population
from cardwin.evolution.hall import Hall
from cardwin.evolution.searcher import Fitness, Population, Searcher, State

__all__ = [
    "CMA",
    "Blocks",
    "Fitness",
    "Genetic",
    "Genome",
    "Hall",
    "Population",
    "Searcher",
    "Settings",
    "State",
    "random_population",
    "serial",
    "uniform_population",
]
