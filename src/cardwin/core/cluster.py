"""The same jobs on a Ray cluster: a third executor beside threads and processes.

`--cluster local` starts Ray on this machine for one command, `auto` uses the cluster that this machine belongs to, and
HOST:PORT names one. Ray is an extra of the package. Only `ray_cluster` imports it, and only a command with a cluster
imports that. `Nodes` counts the nodes' work, and `stamp` holds everything that must be equal on all of them. Both work
without Ray.

Kernels are compiled on each node for its own processor. Another version of a library, or another processor, may order
or fuse floating-point operations differently, so that the last bits of a result depend on where a job ran.
"""

import hashlib
import importlib.util
import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from cardwin.core.errors import InputError, shorten
from cardwin.core.executor import Executor, Workers

if TYPE_CHECKING:
    from cardwin.core.ray_cluster import RayCluster

LOCAL, AUTO = "local", "auto"
NONE = "none"  # for a resumed run whose experiment names a cluster
ADDRESS = re.compile(r"[A-Za-z0-9._-]+:\d{1,5}|\[[0-9A-Fa-f:]+\]:\d{1,5}")
INSTALL = "pip install 'cardwin[cluster]'"
# Ray's settings, unless the user has set others: no usage reports, a token, no warning about graphics cards, and
# workers with the priority of this process (Ray's are nice by 15).
ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_worker_niceness": str(os.nice(0) if hasattr(os, "nice") else 0),
}


@runtime_checkable
class Cluster(Executor, Protocol):
    """An executor that reports its nodes."""

    def answer(self) -> dict[str, Any]:
        """Return nodes, cores, hands per second and jobs per node.

        Returns:
            JSON by key.

        """

    def text(self) -> str:
        """Return nodes, cores and hands per second in a few words.

        Returns:
            A text for one line.

        """


def validate_cluster(address: str) -> str:
    """Validate the name of a cluster.

    Args:
        address: `local`, `auto`, HOST:PORT or `none`.

    Returns:
        The name itself.

    Raises:
        InputError: If it is anything else.

    """
    if address in (LOCAL, AUTO, NONE) or ADDRESS.fullmatch(address):
        return address
    raise InputError(
        f"invalid cluster: expected local, auto or an address such as 10.0.0.1:6379, got {shorten(address)!r}"
    )


def open_cluster(address: str, workers: int = 1, *, check: bool = True) -> "RayCluster":
    """Connect to a cluster.

    Args:
        address: `local`, `auto` or HOST:PORT.
        workers: Cores of a local cluster; 1 means all cores of this machine.
        check: Whether a node that would compute other bits is an error.

    Returns:
        The cluster, to be used in a `with` block.

    Raises:
        InputError: If Ray is not installed, the cluster does not answer, or a node is refused.

    """
    validate_cluster(address)
    if importlib.util.find_spec("ray") is None:
        raise InputError(f"a cluster needs Ray, which is not installed: {INSTALL}")
    if "ray" not in sys.modules:  # it reads its settings when it is imported
        for name, value in ENVIRONMENT.items():
            os.environ.setdefault(name, value)
    from cardwin.core.ray_cluster import RayCluster

    return RayCluster(address, workers, check)


@contextmanager
def open_workers(workers: int, address: str | None) -> Iterator[Workers]:
    """Open a command's cluster while the command runs; without one, pass the number of workers on.

    Args:
        workers: The number of workers.
        address: The cluster, or None, an empty text or `none` for no cluster.

    Yields:
        The open cluster, or the number of workers.

    """
    if address in (None, "", NONE):
        yield workers
        return
    with open_cluster(address, workers) as cluster:
        yield cluster


PACKAGE = Path(__file__).parent.parent.parent
MAX_PENDING = 2  # pending tasks per core


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


def stamp_difference(expected: Mapping[str, str], received: Mapping[str, str]) -> str:
    """Return in words how another machine's stamp differs from this one's; empty if they are equal."""
    return "; ".join(
        f"{name} {received.get(name, 'unknown')} (this machine: {value})"
        for name, value in expected.items()
        if received.get(name) != value
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

    def compare(self, received: Mapping[str, str]) -> None:
        """Record the node's stamp: it is ready if that equals ours."""
        self.version, self.problem = received.get("Cardwin", ""), stamp_difference(stamp(), received)
        self.ready = not self.problem

    def answer(self) -> dict[str, Any]:
        """Return the node as JSON."""
        fields = {name: value for name, value in asdict(self).items() if name not in ("id", "hands")}
        return fields | {"seconds": round(self.seconds, 2)}


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
