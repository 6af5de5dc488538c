"""The nodes of a cluster, with what each has done: for the answer, the progress line and the page."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Node:
    """One node: its name, its cores, and its jobs so far. `warm` are the kinds of work that it has done before."""

    id: str
    name: str
    cores: int
    alive: bool = True
    ready: bool = False
    stamp: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    jobs: int = 0
    seconds: float = 0.0
    items: int = 0
    hands: int = 0
    warm: set[str] = field(default_factory=set)

    @property
    def pace(self) -> float:
        """Seconds that an item took here, on average."""
        return self.seconds / self.items if self.items else float("inf")

    def answer(self) -> dict[str, Any]:
        """The node as JSON."""
        return {"name": self.name, "cores": self.cores, "alive": self.alive, "ready": self.ready,
                "version": self.stamp.get("Cardwin", ""), "problem": self.problem, "jobs": self.jobs,
                "seconds": round(self.seconds, 2)}  # fmt: skip


class Nodes:
    """All nodes ever seen, those that have left included."""

    def __init__(self) -> None:
        self.by_id: dict[str, Node] = {}
        self.busy = 0.0  # seconds in which jobs were pending
        self.since: float | None = None

    def see(self, found: Iterable[Node]) -> None:
        """Note the nodes that are there now; the others have left."""
        present = {node.id: node for node in found}
        for node in self.by_id.values():
            node.alive = node.id in present
        for name, node in present.items():
            self.by_id.setdefault(name, node)

    @property
    def alive(self) -> list[Node]:
        """The nodes that are there."""
        return [node for node in self.by_id.values() if node.alive]

    @property
    def cores(self) -> int:
        """The cores of the nodes that are there."""
        return sum(node.cores for node in self.alive)

    def begin(self) -> None:
        """Jobs are pending from now on."""
        self.since = time.monotonic()

    def end(self) -> None:
        """No job is pending any more."""
        if self.since is not None:
            self.busy += time.monotonic() - self.since
        self.since = None

    @property
    def hands_per_second(self) -> float:
        """Hands of all nodes in a second in which jobs were pending."""
        busy = self.busy + (time.monotonic() - self.since if self.since is not None else 0.0)
        return sum(node.hands for node in self.by_id.values()) / busy if busy else 0.0

    def answer(self) -> dict[str, Any]:
        """Nodes, cores and speed as JSON."""
        nodes = [node.answer() for node in sorted(self.by_id.values(), key=lambda node: (not node.alive, node.name))]
        return {"cores": self.cores, "hands_per_second": round(self.hands_per_second), "nodes": nodes}

    def text(self) -> str:
        """Nodes, cores and speed in a few words."""
        count, cores, speed = len(self.alive), self.cores, self.hands_per_second
        words = f"{count} node{'s' * (count != 1)}, {cores} core{'s' * (cores != 1)}"
        return f"{words}, {speed:,.0f} hands/s" if speed else words
