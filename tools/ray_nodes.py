"""A Ray cluster on this machine for tests and studies: nodes of one core each, as separate processes."""

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from cardwin.core.cluster import ENVIRONMENT

TOKEN = "c0ffee" * 8
STORE = 80 * 2**20
# A node that does not answer is given up after about two seconds, not half a minute.
SOON = {
    "RAY_health_check_initial_delay_ms": "500",
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_timeout_ms": "2000",
    "RAY_health_check_failure_threshold": "3",
}


@contextmanager
def environment(**more: str) -> Iterator[None]:
    """Set environment variables for Ray processes that start in the context."""
    before = dict(os.environ)
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, [before.get("PYTHONPATH")])])  # jobs of studies
    ours = {"RAY_AUTH_TOKEN": TOKEN, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": path}
    os.environ.update(ENVIRONMENT | SOON | ours | more)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


class Machines:
    """Nodes that can be added and killed."""

    def __init__(self, cores: int = 1) -> None:
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": cores, "object_store_memory": STORE, "include_dashboard": False},
        )

    @property
    def address(self) -> str:
        """HOST:PORT of the head."""
        return str(self.cluster.address)

    def add(self, settings: Mapping[str, str] | None = None) -> Any:
        """Start a node, in an environment with these settings."""
        with environment(**settings) if settings else nullcontext():
            return self.cluster.add_node(num_cpus=1, object_store_memory=STORE, wait=True)

    def kill(self, node: Any) -> None:
        """Kill the node's daemon with SIGKILL; its workers end with it."""
        os.kill(node.all_processes["raylet"][0].process.pid, signal.SIGKILL)

    def kill_head(self) -> None:
        """Kill the head's server with SIGKILL; the daemon of the machine stays, as on a driver's machine."""
        os.kill(self.cluster.head_node.all_processes["gcs_server"][0].process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Stop all nodes."""
        self.cluster.shutdown()


@contextmanager
def machines(cores: int = 1) -> Iterator[Machines]:
    """Start a cluster whose head has `cores` cores; add nodes to it."""
    with environment():
        found = Machines(cores)
        try:
            yield found
        finally:
            found.close()
            time.sleep(0.1)
