"""A hall of fame: an archive of sterile members that the living must beat, and their weighted average.

Members are any vectors of one width; whoever keeps the hall decides what they mean. Without a cap only the running
average is kept (every member stays in it for ever, and it costs nothing to meet them all). With a cap the members
themselves are kept, and a newcomer takes the place of the oldest, of a random one, or of the weakest.
"""

import numpy as np
import numpy.typing as npt

from cardwin.evolution.searcher import State
from cardwin.rng import child, draw_below, stream_of

Floats = npt.NDArray[np.float64]
REPLACEMENTS = ("oldest", "random", "weakest")


class Hall:
    """The archive. cap 0 means no cap; a member's weight is its number (from 1) to the power `growth`.

    growth 0 weighs all alike; 1 lets the hall forget its clumsy first members.
    """

    def __init__(
        self, width: int, cap: int = 0, replacement: str = "oldest", growth: float = 0.0, key: int = 0
    ) -> None:
        self.cap, self.replacement, self.growth, self.key = cap, replacement, growth, key
        self.count = 0
        self.total = 0.0
        self.average: Floats = np.zeros(width)
        self.members: Floats = np.zeros((cap, width))
        self.weights: Floats = np.zeros(cap)
        self.fitness: Floats = np.zeros(cap)

    def add(self, member: Floats, fitness: float = 0.0) -> None:
        """Let a member in."""
        self.count += 1
        weight = float(self.count) ** self.growth
        if self.cap == 0:
            self.total += weight
            self.average = self.average + (member - self.average) * (weight / self.total)
            return
        place = self._place()
        self.members[place], self.weights[place], self.fitness[place] = member, weight, fitness
        self.total = float(self.weights.sum())
        self.average = (self.weights[:, None] * self.members).sum(axis=0) / self.total

    def _place(self) -> int:
        if self.count <= self.cap:
            return self.count - 1
        if self.replacement == "weakest":
            return int(np.argmin(self.fitness))
        if self.replacement == "random":
            return draw_below(stream_of(child(self.key, self.count)), self.cap)
        return (self.count - 1) % self.cap

    def state(self) -> State:
        """All that is needed to go on."""
        numbers = np.array([self.count, self.total])
        archive = {"members": self.members, "weights": self.weights, "fitness": self.fitness} if self.cap else {}
        return {"numbers": numbers, "average": self.average, **archive}

    def load(self, state: State) -> None:
        """Go on from a saved state."""
        self.count, self.total = int(state["numbers"][0]), float(state["numbers"][1])
        self.average = state["average"].astype(np.float64)
        if self.cap:
            self.members = state["members"].astype(np.float64)
            self.weights = state["weights"].astype(np.float64)
            self.fitness = state["fitness"].astype(np.float64)
