"""What is stored of past and present populations: halls of fame, moments of genes, and sketches.

**Halls of fame** are archives of past members as opponents, which do not breed (Rosin 1997; Nicolai and Hilderman, part
4.5.1). A hall stores members, vectors of one width and dtype; their meaning is up to the problem. It starts empty, new
members enter until it is full, and then a rule decides which members they replace:

- oldest, random, weakest: every new member enters.
- futility (the paper's REPLACE, Figure 6): sort the hall best first and go through its last n members from
  the best of them to the worst, where n is the number of candidates; each that is less fit than the best remaining
  candidate is replaced by it. So a candidate enters only if it beats a member, and the hall's best stay.

`RunningAverage` stores no members: it is one weighted mean of all that ever entered. It is exact if the
payoff is linear, so that playing all members equals playing their mean.

**A sketch** is a few members in few dimensions, recorded so that a run can be watched as a moving map. Genomes of at
most `DIMENSIONS` genes are stored as they are. Longer ones are multiplied by a fixed random matrix, which changes
distances between members little (Johnson and Lindenstrauss 1984). Sketches affect neither a search nor its digest.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats, Ints, Singles
from cardwin.core.kernel import kernel
from cardwin.core.rng import child, generator_of, key_of, shuffle_first, stream_of
from cardwin.evolution.breeding import unknown_names
from cardwin.evolution.genome import Population
from cardwin.evolution.searcher import State

Members = npt.NDArray[Any]


class Archive(Protocol):
    """The interface of both kinds of halls."""

    @property
    def count(self) -> int:
        """The number of members that have entered so far."""

    @property
    def members(self) -> Members:
        """The stored members, (size, width)."""

    @property
    def average(self) -> Floats:
        """The mean (width,) of the stored members, or of all; entry n has weight n to the power `growth`."""

    def set_fitness(self, fitness: Floats) -> None:
        """Set the members' fitness in this generation, for rules that compare candidates with them.

        Args:
            fitness: Fitness (size,) of the stored members.

        """

    def add(self, members: Members, fitness: Floats) -> None:
        """Offer candidates to the hall.

        Args:
            members: Candidates (n, width).
            fitness: Their fitness (n,); higher is better.

        """

    def state(self) -> State:
        """Return the complete state.

        Returns:
            Arrays by name.

        """

    def load(self, state: State) -> None:
        """Restore a saved state.

        Args:
            state: What `state` of an equal hall returned.

        """


class Hall:
    """An archive of members; `members` are (size, width), `fitness` and the entry `numbers`, from 1, are (size,).

    Args:
        width: Number of values of a member.
        capacity: Maximum number of members; with 0 the hall stays empty.
        replacement: A name in `REPLACEMENTS`.
        dtype: The dtype of members.
        growth: The exponent of the weights of `average`.
        key: The key of its random numbers.

    Raises:
        ValueError: If the replacement is unknown.

    """

    def __init__(
        self,
        width: int,
        capacity: int,
        replacement: str = "oldest",
        dtype: npt.DTypeLike = np.float64,
        growth: float = 0.0,
        key: int = 0,
    ) -> None:
        if errors := unknown_names("replacement", replacement, REPLACEMENTS):
            raise ValueError(errors[0])
        self.capacity, self.replacement, self.growth, self.key = capacity, replacement, growth, key
        self.count = 0
        self.members: Members = np.zeros((0, width), dtype)
        self.fitness: Floats = np.zeros(0)
        self.numbers: Ints = np.zeros(0, dtype=np.int64)
        self.mean: Floats | None = None  # computed on demand

    def set_fitness(self, fitness: Floats) -> None:
        """Set the members' fitness in this generation.

        Args:
            fitness: Fitness (size,) of the stored members.

        """
        self.fitness = np.array(fitness, dtype=np.float64)

    def add(self, members: Members, fitness: Floats) -> None:
        """Offer candidates to the hall, the fittest first; ties go to the earlier.

        Args:
            members: Candidates (n, width).
            fitness: Their fitness (n,); higher is better.

        """
        order = np.argsort(-fitness, kind="stable")
        room = self.capacity - len(self.members)
        if room > 0:
            rows = len(self.members) + np.arange(min(room, len(order)))
            self._make_room(len(rows))
        elif self.capacity:
            rows = REPLACEMENTS[self.replacement](self, fitness[order][: self.capacity])
        else:
            return
        entering = order[: len(rows)]
        self.members[rows], self.fitness[rows] = members[entering], fitness[entering]
        self.numbers[rows] = self.count + 1 + np.arange(len(rows))
        self.count += len(rows)
        self.mean = None

    def _make_room(self, rows: int) -> None:
        for name in ("members", "fitness", "numbers"):
            array = getattr(self, name)
            setattr(self, name, np.concatenate([array, np.zeros((rows, *array.shape[1:]), array.dtype)]))

    @property
    def average(self) -> Floats:
        """The members' weighted mean (width,); entry n has weight n to the power `growth`."""
        if self.mean is None:
            weights = self.numbers.astype(np.float64) ** self.growth
            self.mean = (weights[:, None] * self.members).sum(axis=0) / weights.sum()
        return self.mean

    def state(self) -> State:
        """Return the complete state.

        Returns:
            Arrays by name.

        """
        arrays = {"members": self.members, "fitness": self.fitness, "numbers": self.numbers}
        return {"count": np.array([self.count]), **arrays}

    def load(self, state: State) -> None:
        """Restore a saved state.

        Args:
            state: What `state` of an equal hall returned.

        """
        self.count, self.mean = int(state["count"][0]), None
        self.members = state["members"].astype(self.members.dtype)
        self.fitness, self.numbers = state["fitness"].astype(np.float64), state["numbers"].astype(np.int64)


# From a full hall and the candidates' fitness (n,), best first, n at most its capacity, to the rows (m,) that the
# first m of them take.
Replacement = Callable[[Hall, Floats], Ints]


def oldest(hall: Hall, fitness: Floats) -> Ints:
    """Replace the members that entered first."""
    return np.argsort(hall.numbers, kind="stable")[: len(fitness)]


def random_members(hall: Hall, fitness: Floats) -> Ints:
    """Replace random members, each at most once."""
    rows = np.arange(hall.capacity)
    shuffle_first(stream_of(child(hall.key, hall.count + 1)), rows, len(fitness))
    return rows[: len(fitness)]


def weakest(hall: Hall, fitness: Floats) -> Ints:
    """Replace the least fit members, whether or not the candidates are fitter."""
    return np.argsort(hall.fitness, kind="stable")[: len(fitness)]


def futility(hall: Hall, fitness: Floats) -> Ints:
    """Replace, of the last n members, those that are less fit than the best remaining candidate (the paper's REPLACE).

    In the paper a larger rank means a smaller fitness; equals do not replace each other.
    """
    worst = np.argsort(-hall.fitness, kind="stable")[len(hall.fitness) - len(fitness) :]
    taken: list[int] = []
    for row in worst:
        if hall.fitness[row] < fitness[len(taken)]:
            taken.append(int(row))
    return np.array(taken, dtype=np.int64)


REPLACEMENTS: dict[str, Replacement] = {
    "oldest": oldest,
    "random": random_members,
    "weakest": weakest,
    "futility": futility,
}


class RunningAverage:
    """The weighted mean (width,) of all members that ever entered.

    Args:
        width: the number of values of a member.
        growth: the n-th member has weight n to this power: 0 gives equal weights, 1 reduces the weight of the weak
            first members.

    """

    def __init__(self, width: int, growth: float = 0.0) -> None:
        self.growth = growth
        self.count = 0
        self.total = 0.0
        self.average: Floats = np.zeros(width)
        self.members: Members = np.zeros((0, width))  # no members are stored

    def set_fitness(self, fitness: Floats) -> None:
        """Do nothing: fitness is not used."""

    def add(self, members: Members, fitness: Floats) -> None:  # noqa: ARG002  all members count
        """Add members (n, width) to the mean."""
        for member in members:
            self.count += 1
            weight = float(self.count) ** self.growth
            self.total += weight
            self.average = self.average + (member - self.average) * (weight / self.total)

    def state(self) -> State:
        """Return the complete state."""
        return {"numbers": np.array([self.count, self.total]), "average": self.average}

    def load(self, state: State) -> None:
        """Restore a saved state."""
        self.count, self.total = int(state["numbers"][0]), float(state["numbers"][1])
        self.average = state["average"].astype(np.float64)


SKETCHED_MEMBERS = 60  # of a population
SKETCHED_HALL = 12  # members of a hall
DIMENSIONS = 16
FRAMES = 200  # recorded generations of a run that have a sketch
LABELS = ("sketch", "sketch_fitness", "sketch_hall")


def has_sketch(number: int, count: int) -> bool:
    """Return whether the number-th of `count` recorded generations has a sketch: about `FRAMES` do, and the last."""
    return number % -(-count // FRAMES) == 0 or number == count - 1


def evenly_spaced(size: int, max_count: int) -> Ints:
    """Return at most `max_count` of the indices 0..size-1, evenly spaced, including both ends."""
    count = min(size, max_count)
    return np.unique(np.linspace(0, size - 1, count).astype(np.int64)) if size else np.zeros(0, np.int64)


@cache
def _matrix(genes: int) -> Singles:
    """Return the matrix (genes, DIMENSIONS) for genomes of this length."""
    drawn = generator_of(key_of(0, "sketch", genes)).standard_normal((genes, DIMENSIONS))
    matrix: Singles = (drawn / np.sqrt(DIMENSIONS)).astype(np.float32)
    return matrix


def project(genomes: Population) -> Singles:
    """Return genomes (n, genes) in at most `DIMENSIONS` dimensions."""
    is_short = genomes.shape[1] <= DIMENSIONS
    points: Singles = np.asarray(genomes if is_short else genomes @ _matrix(genomes.shape[1]), np.float32)
    return points


def sketch(population: Population, fitness: Floats, champion: int, hall: Population) -> dict[str, Singles]:
    """Return the arrays of a sketch by name.

    Args:
        population: (members, genes).
        fitness: (members,).
        champion: the index of the member that comes first; evenly spaced members follow.
        hall: the members of the hall (size, genes), perhaps none.

    """
    rows = np.concatenate([[champion], evenly_spaced(len(population), SKETCHED_MEMBERS - 1)])
    arrays = {"sketch": project(population[rows]), "sketch_fitness": fitness[rows].astype(np.float32)}
    return arrays | ({"sketch_hall": project(hall[evenly_spaced(len(hall), SKETCHED_HALL)])} if len(hall) else {})


@kernel
def _moments(population: Population, mean: Floats, spread: Floats) -> None:
    for row in range(len(population)):
        for gene in range(len(mean)):
            mean[gene] += population[row, gene]
    mean /= len(population)
    for row in range(len(population)):
        for gene in range(len(mean)):
            spread[gene] += (population[row, gene] - mean[gene]) ** 2
    for gene in range(len(mean)):
        spread[gene] = np.sqrt(spread[gene] / len(population))


def describe(population: Population) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of every gene, (genes,) each."""
    mean, spread = np.zeros(population.shape[1]), np.zeros(population.shape[1])
    _moments(population, mean, spread)
    return mean, spread


def gene_spread(genomes: Population) -> float:
    """Return the mean standard deviation of a gene over the members: it falls as a population becomes uniform."""
    return float(genomes.std(axis=0).mean())


def reliability(first: Floats, second: Floats) -> float:
    """Return the reliability of a fitness from two independent halves of it, (members,) each (Spearman, Brown).

    It is 0 if fitness is chance and 1 if it is all skill. By chance it can be below 0.
    """
    if first.std() == 0 or second.std() == 0:
        return 0.0
    half = float(np.corrcoef(first, second)[0, 1])
    return 2 * half / (1 + half) if half > -0.5 else -1.0
