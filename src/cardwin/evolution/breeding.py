"""Shared by the operators: the settings, the breeding of one generation, and the registries of operators.

An operator works on rows start..stop of a whole generation's children. Random numbers of each row come from `child(key,
row)`, so that a row's result does not depend on other rows. To add one, register it under a new name:
`CROSSOVERS["mine"] = Crossover(breed)`; the settings then accept that name.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats, Ints
from cardwin.core.registry import Registry
from cardwin.evolution.genome import Genome, Population

Flags = npt.NDArray[np.bool_]
Memory = dict[str, npt.NDArray[Any]]  # arrays that crossover stores for each member, (members, ...) each


@dataclass(frozen=True)
class SearchSettings:
    """How to breed. The defaults find exact best responses; the papers' settings are in their presets.

    Attributes:
        selection: How parents are selected: tournament, roulette, rank, blend (roulette and rank), exponential
            or truncation.
        tournament: Tournament selection: members drawn for each parent.
        shift: Roulette: added to every fitness, beyond the game's largest loss.
        parents: The best share that may become parents.
        crossover: How parents are combined: uniform, one-point, selective, many-parent or weighted-sum.
        crossover_rate: Share of pairs that are combined; many-parent and weighted-sum always are.
        swap_probability: Uniform crossover: chance that a gene is exchanged, or drawn anew for each pair.
        parent_count: Weighted sum: mean number of parents.
        mutation: How genes are changed: gaussian, redraw, flip or corner (0 or 1).
        mutation_rate: Chance that a gene is changed.
        mutation_of: Whether the rate applies to each gene, or to one gene of a genome.
        mutation_when: Whether children of a crossover mutate too.
        sigma: Standard deviation of Gaussian mutation, and of CMA-ES at the start.
        elites: Number of best members that are copied unchanged.
        duplicates: Whether a generation may contain the same genome twice.
        rate: Evolution strategy: length of the first step.
        rate_end: Evolution strategy: length of the last step.
        sigma_end: Evolution strategy: sigma in the last generation; 0 for no decrease.
        horizon: Evolution strategy: generations over which the step and sigma decrease.

    """

    selection: str = "tournament"
    tournament: int = 4
    shift: float = 0.0
    parents: float = 1.0
    crossover: str = "uniform"
    crossover_rate: float = 0.7
    swap_probability: float | Literal["drawn"] = 0.5
    parent_count: float = 2.0
    mutation: str = "gaussian"
    mutation_rate: float = 0.1
    mutation_of: Literal["genome", "gene"] = "gene"
    mutation_when: Literal["either", "with-crossover", "without-crossover"] = "either"
    sigma: float = 0.3
    elites: int = 10
    duplicates: bool = False
    rate: float = 0.15  # of an evolution strategy, as the next three
    rate_end: float = 0.015
    sigma_end: float = 0.0  # 0: sigma does not fall
    horizon: int = 200

    def __post_init__(self) -> None:
        shares = {"parents": self.parents, "crossover_rate": self.crossover_rate, "mutation_rate": self.mutation_rate}
        shares |= {} if isinstance(self.swap_probability, str) else {"swap_probability": self.swap_probability}
        above = {"sigma": self.sigma, "parent_count": self.parent_count, "rate": self.rate, "rate_end": self.rate_end}
        minima: dict[str, tuple[float, int]] = {"tournament": (self.tournament, 1), "elites": (self.elites, 0)}
        minima |= {"horizon": (self.horizon, 1), "sigma_end": (self.sigma_end, 0)}
        errors = [
            *unknown_names("selection", self.selection, SELECTIONS),
            *unknown_names("crossover", self.crossover, CROSSOVERS),
            *unknown_names("mutation", self.mutation, MUTATIONS),
            *(f"{name} must be from 0 to 1, got {share:g}" for name, share in shares.items() if not 0 <= share <= 1),
            *(f"{name} must be above 0, got {value:g}" for name, value in above.items() if not value > 0),
            *(
                f"{name} must be {low} or more, got {value}"
                for name, (value, low) in minima.items()
                if not value >= low
            ),
        ]
        if errors:
            raise ValueError("; ".join(errors))


def unknown_names(kind: str, name: str, known: Iterable[str]) -> list[str]:
    """Return an empty list if a name is known, otherwise a list of one error message.

    Args:
        kind: what the name is of, such as `selection`.
        name: the name.
        known: the names that exist.

    """
    return [] if name in known else [f"{kind} must be one of {', '.join(sorted(known))}, got {name!r}"]


@dataclass(frozen=True)
class Pool:
    """The possible parents, and how one of them is drawn.

    Attributes:
        fitness: (members,).
        eligible: (eligible,), the indices of the members that may be drawn.
        wheel: (eligible,), cumulative shares; if it is empty, tournaments are held instead.
        tournament: the number of members of a tournament.

    """

    fitness: Floats
    eligible: Ints
    wheel: Floats
    tournament: int


@dataclass
class Offspring:
    """Children.

    Attributes:
        genomes: (rows, genes).
        parents: (rows, 2), the two main parents of each, -1 for none.
        memory: the arrays of the crossover by name, (rows, ...) each.

    """

    genomes: Population
    parents: Ints
    memory: Memory = field(default_factory=dict)


@dataclass(frozen=True)
class Breeding:
    """One round of breeding.

    Attributes:
        genome: the kinds and bounds of genes.
        settings: how to breed.
        population: (members, genes), the parents.
        memory: the parents' arrays of the crossover.
        pool: how parents are drawn.
        offspring: the children.
        crossed: (rows,), marks children of more than one parent, for mutation that depends on it.

    """

    genome: Genome
    settings: SearchSettings
    population: Population
    memory: Memory
    pool: Pool
    offspring: Offspring
    crossed: Flags


# From fitness (eligible,) and settings to the weights (eligible,) for drawing parents; no weights for tournaments.
Selection = Callable[[Floats, SearchSettings], Floats]

# Works on the children's rows start..stop with random numbers from a key: (breeding, key, start, stop).
Rows = Callable[[Breeding, int, int, int], None]


def _no_memory(shape: tuple[int, ...], key: int) -> Memory:  # noqa: ARG001  most crossovers have no memory
    return {}


@dataclass(frozen=True)
class Crossover:
    """A crossover operator, which may store arrays for each member.

    Attributes:
        breed: draws parents and fills genomes, parents, crossed and memory.
        first_memory: returns the arrays by name for a population of shape (members, genes), from a key.
        learn: updates the arrays from fitness (members,) before breeding.

    """

    breed: Rows
    first_memory: Callable[[tuple[int, ...], int], Memory] = _no_memory
    learn: Callable[[Memory, Floats], None] | None = None


# Installed packages add to these by entry points of the groups named.
SELECTIONS: Registry[Selection] = Registry("cardwin.selections")
CROSSOVERS: Registry[Crossover] = Registry("cardwin.crossovers")
MUTATIONS: Registry[Rows] = Registry("cardwin.mutations")  # they change the rows of `offspring.genomes` in place
