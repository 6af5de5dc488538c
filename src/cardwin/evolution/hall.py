"""Halls of fame: archives of sterile members that the living must beat (Rosin 1997; Nicolai and Hilderman, 4.5.1).

A hall keeps members, vectors of one width and dtype; whoever keeps the hall decides what they mean. It starts empty,
newcomers enter while there is room, and then a rule says whose places they take:

- oldest, random, weakest: every newcomer enters.
- futility (the document's REPLACE, Figure 6): of a hall sorted best first, its last n members are gone through from
  the best of them to the worst, where n is the number of newcomers; each that the best newcomer still waiting is
  fitter than gives that one its place. So a newcomer enters only where it beats a member, and the hall's best stay.

`RunningAverage` is the other extreme: everybody who ever entered is met, as one weighted mean, and nobody is kept. It
serves where meeting many is meeting their mean.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from cardwin.core.rng import child, shuffle_first, stream_of
from cardwin.evolution.breeding import Floats, Ints, unknown_names
from cardwin.evolution.searcher import State

Members = npt.NDArray[Any]


class Archive(Protocol):
    """What both kinds have."""

    @property
    def count(self) -> int:
        """How many have entered so far."""

    @property
    def members(self) -> Members:
        """Those who are kept, (size, width)."""

    @property
    def average(self) -> Floats:
        """The mean (width,) of those who are kept, or of all; entry n weighs n to the power `growth`."""

    def judge(self, fitness: Floats) -> None:
        """Note the members' fitness (size,) of this generation, for rules that compare newcomers with them."""

    def add(self, members: Members, fitness: Floats) -> None:
        """Offer places to members (n, width) with their fitness (n,)."""

    def state(self) -> State:
        """All that is needed to go on."""

    def load(self, state: State) -> None:
        """Go on from a saved state."""


class Hall:
    """An archive of at most `capacity` members; with capacity 0 nobody ever enters.

    members (size, width) of the hall's dtype, their fitness when it was last known (size,), and the numbers under which
    they entered, from 1 (size,). `count` have entered so far.
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
        if wrong := unknown_names("replacement", replacement, REPLACEMENTS):
            raise ValueError(wrong[0])
        self.capacity, self.replacement, self.growth, self.key = capacity, replacement, growth, key
        self.count = 0
        self.members: Members = np.zeros((0, width), dtype)
        self.fitness: Floats = np.zeros(0)
        self.numbers: Ints = np.zeros(0, dtype=np.int64)
        self.mean: Floats | None = None  # until somebody asks

    def judge(self, fitness: Floats) -> None:
        """Note the members' fitness (size,) of this generation."""
        self.fitness = np.array(fitness, dtype=np.float64)

    def add(self, members: Members, fitness: Floats) -> None:
        """Offer places to members (n, width) with their fitness (n,), the fittest first; of equals the earlier."""
        order = np.argsort(-fitness, kind="stable")
        room = self.capacity - len(self.members)
        if room > 0:
            places = len(self.members) + np.arange(min(room, len(order)))
            self._make_room(len(places))
        elif self.capacity:
            places = REPLACEMENTS[self.replacement](self, fitness[order][: self.capacity])
        else:
            return
        entering = order[: len(places)]
        self.members[places], self.fitness[places] = members[entering], fitness[entering]
        self.numbers[places] = self.count + 1 + np.arange(len(places))
        self.count += len(places)
        self.mean = None

    def _make_room(self, places: int) -> None:
        self.members = np.concatenate([self.members, np.zeros((places, self.members.shape[1]), self.members.dtype)])
        self.fitness = np.concatenate([self.fitness, np.zeros(places)])
        self.numbers = np.concatenate([self.numbers, np.zeros(places, dtype=np.int64)])

    @property
    def average(self) -> Floats:
        """The members' weighted mean (width,); entry n weighs n to the power `growth`."""
        if self.mean is None:
            weights = self.numbers.astype(np.float64) ** self.growth
            self.mean = (weights[:, None] * self.members).sum(axis=0) / weights.sum()
        return self.mean

    def state(self) -> State:
        """All that is needed to go on."""
        kept = {"members": self.members, "fitness": self.fitness, "numbers": self.numbers}
        return {"count": np.array([self.count]), **kept}

    def load(self, state: State) -> None:
        """Go on from a saved state."""
        self.count, self.mean = int(state["count"][0]), None
        self.members = state["members"].astype(self.members.dtype)
        self.fitness, self.numbers = state["fitness"].astype(np.float64), state["numbers"].astype(np.int64)


# A full hall and the newcomers' fitness (n,), best first, n at most its capacity, to the places (m,) that the first m
# of them take.
Replacement = Callable[[Hall, Floats], Ints]


def oldest(hall: Hall, fitness: Floats) -> Ints:
    """Those who entered first leave."""
    return np.argsort(hall.numbers, kind="stable")[: len(fitness)]


def anybody(hall: Hall, fitness: Floats) -> Ints:
    """Different ones, drawn anew for each entry."""
    places = np.arange(hall.capacity)
    shuffle_first(stream_of(child(hall.key, hall.count + 1)), places, len(fitness))
    return places[: len(fitness)]


def weakest(hall: Hall, fitness: Floats) -> Ints:
    """The least fit leave, whether or not the newcomers are fitter."""
    return np.argsort(hall.fitness, kind="stable")[: len(fitness)]


def futile(hall: Hall, fitness: Floats) -> Ints:
    """The document's REPLACE: from the last n members those leave whom the best newcomer still waiting is fitter than.

    Ranks count down from the best, fitness up: a larger rank is a smaller fitness; equals do not replace each other.
    """
    worst = np.argsort(-hall.fitness, kind="stable")[len(hall.fitness) - len(fitness) :]
    taken: list[int] = []
    for place in worst:
        if hall.fitness[place] < fitness[len(taken)]:
            taken.append(int(place))
    return np.array(taken, dtype=np.int64)


REPLACEMENTS: dict[str, Replacement] = {
    "oldest": oldest,
    "random": anybody,
    "weakest": weakest,
    "futility": futile,
}


class RunningAverage:
    """The weighted mean (width,) of everybody who ever entered; the n-th weighs n to the power `growth`.

    growth 0 weighs all alike; 1 lets the clumsy first members be forgotten.
    """

    def __init__(self, width: int, growth: float = 0.0) -> None:
        self.growth = growth
        self.count = 0
        self.total = 0.0
        self.average: Floats = np.zeros(width)
        self.members: Members = np.zeros((0, width))  # nobody is kept

    def judge(self, fitness: Floats) -> None:
        """Nobody's fitness matters any more."""

    def add(self, members: Members, fitness: Floats) -> None:  # noqa: ARG002  all count, fit or not
        """Let members (n, width) in."""
        for member in members:
            self.count += 1
            weight = float(self.count) ** self.growth
            self.total += weight
            self.average = self.average + (member - self.average) * (weight / self.total)

    def state(self) -> State:
        """All that is needed to go on."""
        return {"numbers": np.array([self.count, self.total]), "average": self.average}

    def load(self, state: State) -> None:
        """Go on from a saved state."""
        self.count, self.total = int(state["numbers"][0]), float(state["numbers"][1])
        self.average = state["average"].astype(np.float64)
