"""The nodes of a cluster: their work, and what all must have in common to compute the same bits. Free of Ray.

Kernels are compiled on each node for its own processor. Another version of a library, or another processor, may order
or fuse floating-point operations differently, so that the last bits of a result depend on where a job ran.
"""

import hashlib
import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent.parent.parent
AHEAD = 2  # pending tasks per core


@cache
def stamp() -> Mapping[str, str]:
    """Return everything that must be equal on all nodes: versions, a hash of our sources, and the processor."""
    import cardwin

    return {
        "Cardwin": f"{cardwin.__version__} (sources {_sources()})",
        "Python": platform.python_version(),
        "NumPy": _version("numpy"),
        "Numba": _version("numba"),
        "processor": _processor(),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _sources() -> str:
    """Return a hash of the package's sources, because two copies of one version may differ during development."""
    digest = hashlib.blake2b(digest_size=4)
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _processor() -> str:
    """Return the name and a hash of the features of the processor that kernels are compiled for."""
    from llvmlite import binding

    features = os.environ.get("NUMBA_CPU_FEATURES") or binding.get_host_cpu_features().flatten()
    name = os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name()
    return f"{name} ({hashlib.blake2b(features.encode(), digest_size=3).hexdigest()})"


def difference(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """Return in words how another machine's stamp differs from this one's; empty if they are equal."""
    return "; ".join(
        f"{name} {there.get(name, 'unknown')} where this machine has {value}"
        for name, value in here.items()
        if there.get(name) != value
    )


def task_size(items: int, cores: int) -> int:
    """Return the number of items per task of a `map`: up to 16, and few enough for 32 tasks per core."""
    return max(1, min(16, items // (32 * cores)))


@dataclass
class Node:
    """A node: its name and cores, whether its stamp is ours, and its jobs so far."""

    id: str
    name: str
    cores: int
    alive: bool = True
    ready: bool = False
    version: str = ""
    problem: str = ""
    jobs: int = 0
    seconds: float = 0.0
    hands: int = 0

    def compare(self, found: Mapping[str, str]) -> None:
        """Record the node's stamp: it is ready if that equals ours."""
        self.version, self.problem = found.get("Cardwin", ""), difference(stamp(), found)
        self.ready = not self.problem

    def answer(self) -> dict[str, Any]:
        """Return the node as JSON."""
        return {
            "name": self.name,
            "cores": self.cores,
            "alive": self.alive,
            "ready": self.ready,
            "version": self.version,
            "problem": self.problem,
            "jobs": self.jobs,
            "seconds": round(self.seconds, 2),
        }


class Nodes:
    """All nodes ever seen, including those that have left."""

    def __init__(self) -> None:
        self.by_id: dict[str, Node] = {}
        self.busy = 0.0  # seconds in which jobs were pending

    def update(self, present: Iterable[Node]) -> None:
        """Record which nodes are present now; the others have left."""
        now = {node.id: node for node in present}
        self.by_id = now | self.by_id
        for node in self.by_id.values():
            node.alive = node.id in now

    @property
    def alive(self) -> list[Node]:
        """The nodes that are present."""
        return [node for node in self.by_id.values() if node.alive]

    @property
    def cores(self) -> int:
        """The cores of the nodes that are present."""
        return sum(node.cores for node in self.alive)

    @property
    def hands_per_second(self) -> float:
        """Hands of all nodes per second in which jobs were pending."""
        return sum(node.hands for node in self.by_id.values()) / self.busy if self.busy else 0.0

    def answer(self) -> dict[str, Any]:
        """Return nodes, cores and speed as JSON."""
        nodes = [node.answer() for node in sorted(self.by_id.values(), key=lambda node: (not node.alive, node.name))]
        return {"cores": self.cores, "hands_per_second": round(self.hands_per_second), "nodes": nodes}

    def text(self) -> str:
        """Return nodes, cores and speed in a few words."""
        count, cores, speed = len(self.alive), self.cores, self.hands_per_second
        words = f"{count} node{'s' * (count != 1)}, {cores} core{'s' * (cores != 1)}"
        return f"{words}, {speed:,.0f} hands/s" if speed else words
