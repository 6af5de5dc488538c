"""The same jobs on a Ray cluster: a third executor beside threads and processes.

`--cluster local` starts Ray on this machine for one command, `auto` uses the cluster that this machine belongs to, and
HOST:PORT names one. Ray is an extra of the package. Only `ray_cluster` imports it, and only a command with a cluster
imports that. `nodes` compares the nodes and counts their work without Ray.
"""

import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from cardwin.core.errors import InputError, short
from cardwin.core.executor import Executor, Workers

if TYPE_CHECKING:
    from cardwin.core.cluster.ray_cluster import RayCluster

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
        """Return nodes, cores, hands per second and jobs per node as JSON."""

    def text(self) -> str:
        """Return nodes, cores and hands per second in a few words."""


def checked_cluster(where: str) -> str:
    """Validate the name of a cluster.

    Args:
        where: `local`, `auto`, HOST:PORT or `none`.

    Returns:
        The name itself.

    Raises:
        InputError: If it is anything else.

    """
    if where in (LOCAL, AUTO, NONE) or ADDRESS.fullmatch(where):
        return where
    raise InputError(f"invalid cluster: expected local, auto or an address such as 10.0.0.1:6379, got {short(where)!r}")


def open_cluster(where: str, workers: int = 1, *, check: bool = True) -> "RayCluster":
    """Connect to a cluster.

    Args:
        where: `local`, `auto` or HOST:PORT.
        workers: Cores of a local cluster; 1 means all cores of this machine.
        check: Whether a node that would compute other bits is an error.

    Returns:
        The cluster, to be used in a `with` block.

    Raises:
        InputError: If Ray is not installed, the cluster does not answer, or a node is refused.

    """
    checked_cluster(where)
    if importlib.util.find_spec("ray") is None:
        raise InputError(f"a cluster needs Ray, which is not installed: {INSTALL}")
    if "ray" not in sys.modules:  # it reads its settings when it is imported
        for name, value in ENVIRONMENT.items():
            os.environ.setdefault(name, value)
    from cardwin.core.cluster.ray_cluster import RayCluster

    return RayCluster(where, workers, check)


@contextmanager
def opened(workers: int, where: str | None) -> Iterator[Workers]:
    """Open a command's cluster while the command runs; without one, pass the number of workers on.

    Args:
        workers: The number of workers.
        where: The cluster, or None, an empty text or `none` for no cluster.

    Yields:
        The open cluster, or the number of workers.

    """
    if where in (None, "", NONE):
        yield workers
        return
    with open_cluster(where, workers) as cluster:
        yield cluster
