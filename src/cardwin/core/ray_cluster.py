"""A Ray cluster as an executor: an ordered `map` over Ray tasks. The one file that imports Ray.

1. A task is a fixed number of consecutive items. Results return one by one, so the size of a task changes no result.
2. The job, with the population in it, is put into Ray's object store once per `map`, and every node fetches it once.
   Every worker makes its own copy, because kernels are compiled for arrays that can be written to.
3. At most `MAX_PENDING` tasks per core are pending. Ray chooses the node, and runs a task again if its worker or node
   dies. A slow node delays results and never changes them. If the caller stops early, pending tasks end by
   themselves: `ray.cancel` may abort the driver (Ray 2.60, a race between the cancellation and the task's reply).
4. Every task compares the stamp of its node with the driver's, so that a node that joins late is checked as well.
"""

import copy
import logging
import os
import platform
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import ray
from ray import cloudpickle, exceptions
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from cardwin.core.cluster import AUTO, LOCAL, MAX_PENDING, Node, Nodes, stamp, stamp_difference, task_size
from cardwin.core.errors import InputError

Item = TypeVar("Item")
Done = TypeVar("Done")

RETRIES = 3  # of a task, by Ray
CONNECT = 40.0  # seconds until an address counts as one that does not answer
HEAD = 8.0  # seconds until a head that has answered before counts as dead
LEAVE = 4.0  # seconds to end in order after that
HEAD_LOST = (
    f"the head of the cluster did not answer for {HEAD:.0f} s: continue with --resume on another cluster, or with "
    "--cluster none"
)
PROBE = 30.0  # seconds until a node counts as one that does not answer
PATIENCE = 60.0  # seconds without any node
POLL = 0.5  # seconds of a wait for tasks
REFRESH = 1.0  # seconds between two reads of the list of nodes
NOTICE = 5.0  # seconds between two messages that nodes compile
STORE = 256 * 2**20  # bytes of a local cluster's object store
LOST = exceptions.WorkerCrashedError, exceptions.NodeDiedError, exceptions.ObjectLostError, exceptions.OutOfMemoryError
TOKEN = secrets.token_hex(32)  # of local clusters, one per process, because Ray reads it once
FULL = (exceptions.ObjectStoreFullError, exceptions.OutOfDiskError)

log = logging.getLogger("cardwin")


class RayCluster:
    """The workers of a Ray cluster; see `Executor`. A local one ends with the `with` block."""

    shares_memory = False

    def __init__(self, address: str, workers: int = 1, check: bool = True) -> None:
        self.address, self.nodes = address, Nodes()
        self._refreshed = self._last_notice = 0.0
        self._work = ray.remote(max_retries=RETRIES, num_cpus=1, scheduling_strategy="SPREAD")(_work)
        _silence_ray()
        self._owns_cluster = not ray.is_initialized()
        if self._owns_cluster:
            _connect(address, workers)
        self._watch = HeadWatch()
        try:
            self._ask_nodes()
            if check:
                self._refuse_others()
        except BaseException:
            self._close()
            raise
        log.info("cluster %s: %s", address, self.nodes.text())

    @property
    def workers(self) -> int:
        """The cores of all nodes."""
        return max(1, self.nodes.cores)

    def _refresh(self) -> Nodes:
        """Return the nodes as they are now."""
        if time.monotonic() - self._refreshed > REFRESH:
            _await_head()
            self.nodes.update(_node(row) for row in ray.nodes() if row["Alive"] and row["Resources"].get("CPU", 0) >= 1)
            self._refreshed = time.monotonic()
        return self.nodes

    def _ask_nodes(self) -> None:
        """Ask every node for its stamp."""
        probe = ray.remote(max_retries=0, num_cpus=0)(_probe_function())
        asked = {
            probe.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False)).remote(): node
            for node in self._refresh().alive
        }
        done, _ = ray.wait(list(asked), num_returns=len(asked), timeout=PROBE) if asked else ([], [])
        for task in done:
            with suppress(exceptions.RayError):
                asked[task].compare(ray.get(task))

    def _refuse_others(self) -> None:
        """Raise an error if a node would compute other bits, or if no node answers."""
        for node in self.nodes.alive:
            if node.problem:
                raise InputError(
                    f"node {node.name} has {node.problem}: results would differ in their last bits, so install the "
                    "same on every node"
                )
        if not any(node.ready for node in self.nodes.alive):
            raise InputError(f"cluster {self.address}: no node with a core answered within {PROBE:.0f} s")

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """See `Executor`."""
        waiting = list(items)
        size = task_size(len(waiting), self.workers)
        blocks = [waiting[first : first + size] for first in range(0, len(waiting), size)]
        with _plain_errors():
            for results in self._run(job, blocks):
                yield from results

    def _run(self, job: Callable[[Item], Done], blocks: Sequence[Sequence[Item]]) -> Iterator[Sequence[Done]]:
        """Yield the results of each block, in order, as soon as all earlier ones are there."""
        _await_head()
        send = partial(self._work.remote, stamp(), secrets.token_hex(8), ray.put(job))
        pending, done, sent = dict[Any, int](), dict[int, Sequence[Done]](), 0
        clock = alive = self._last_notice = time.monotonic()
        for number in range(len(blocks)):
            while number not in done:
                cores = self._refresh().cores
                for block in blocks[sent : sent + max(0, MAX_PENDING * cores - len(pending))]:
                    pending[send(block)] = sent
                    sent += 1
                for task in _finished(list(pending)):
                    done[pending.pop(task)] = self._fetch(task)
                now = time.monotonic()
                self.nodes.busy, clock, alive = self.nodes.busy + now - clock, now, now if cores else alive
                self._report_wait(now, now - alive)
            yield done.pop(number)

    def _fetch(self, task: Any) -> Sequence[Any]:
        """Return the results of a finished task, and record its node's work."""
        try:
            node_id, seconds, hands, data = ray.get(task)
        except exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, BaseException) else error) from None
        if node := self._refresh().by_id.get(node_id):
            node.ready, node.version = True, stamp()["Cardwin"]
            node.jobs, node.seconds, node.hands = node.jobs + 1, node.seconds + seconds, node.hands + hands
        results: Sequence[Any] = cloudpickle.loads(zlib.decompress(data))
        return results

    def _report_wait(self, now: float, seconds_without_nodes: float) -> None:
        """Log every few seconds that nodes compile; raise an error if the cluster has had no node for long."""
        if seconds_without_nodes > PATIENCE:
            raise InputError(f"the cluster has had no live node for {PATIENCE:.0f} s: add one and resume the run")
        if now - self._last_notice > NOTICE and (cold := sum(not node.jobs for node in self.nodes.alive)):
            self._last_notice = now
            log.info(
                "%d of %d nodes are at their first job: each compiles its kernels once", cold, len(self.nodes.alive)
            )

    def answer(self) -> dict[str, Any]:
        """Return the cluster as JSON: its address, cores, hands per second, and nodes with their jobs."""
        return {"where": self.address, **self.nodes.answer()}

    def text(self) -> str:
        """Return nodes, cores and hands per second in a few words."""
        return self.nodes.text()

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        """Pickle as one worker: what a job does itself on a node is serial."""
        return int, (1,)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def _close(self) -> None:
        if self._owns_cluster:
            with _own_signals():
                ray.shutdown()
        self._watch.stop()


# --- on a node --------------------------------------------------------------------------------------------------------


def _work(expected: Mapping[str, str], number: str, job: Callable[[Any], Any], items: Sequence[Any]) -> Any:
    """Run a job for some items: return the node's id, their seconds and hands, and their results as compressed bytes.

    `expected` is the driver's stamp; `number` names the `map`.
    """
    name = f"{platform.node()} ({ray.get_runtime_context().get_node_id()[:6]})"
    if wrong := stamp_difference(expected, stamp()):
        raise InputError(f"node {name} has {wrong}: its results would differ in their last bits")
    job, start = _writable(number, job), time.perf_counter()
    try:
        results = [job(item) for item in items]
    except OSError as error:
        reason = f"{error.filename or 'the system'}: {error.strerror or error}"
        raise InputError(f"a job failed on node {name}: {reason}") from None
    seconds = time.perf_counter() - start
    hands = sum(getattr(result, "hands_dealt", 0) for result in results)
    return ray.get_runtime_context().get_node_id(), seconds, hands, zlib.compress(cloudpickle.dumps(results), 1)


_COPIES: dict[str, Callable[[Any], Any]] = {}  # in a worker: the job of the last `map`, by its name


def _writable(number: str, job: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a copy of the job whose arrays belong to this process."""
    if number not in _COPIES:
        _COPIES.clear()
        _COPIES[number] = copy.deepcopy(job)
    return _COPIES[number]


def _probe_function() -> Callable[[], Mapping[str, str]]:
    """Return a function that returns a node's stamp. It is sent by value, because the node may have no Cardwin."""

    def probe() -> Mapping[str, str]:
        try:
            from cardwin.core.cluster import stamp
        except ImportError:
            return {"Cardwin": "none, or an old one"}
        return stamp()

    return probe


# --- on the driver ----------------------------------------------------------------------------------------------------


def _finished(pending: Sequence[Any]) -> Sequence[Any]:
    """Return pending tasks that have finished or been lost, after `POLL` seconds at the latest."""
    if not pending:
        time.sleep(POLL)  # for a node
        return []
    finished, _ = ray.wait(pending, timeout=POLL, fetch_local=False)
    return list(finished)


def _await_head() -> None:
    """Wait until the cluster's head accepts connections; raise an error if it does not for some seconds.

    Without a head, Ray's own calls block for a minute and then end this process.
    """
    address, end = ray.get_runtime_context().gcs_address, time.monotonic() + HEAD
    while not _answers(address):
        if time.monotonic() > end:
            raise InputError(HEAD_LOST)
        time.sleep(POLL)


def _answers(address: str) -> bool:
    """Return whether a head accepts connections."""
    host, _, port = address.rpartition(":")
    with suppress(OSError):
        socket.create_connection((host.strip("[]"), int(port)), timeout=HEAD / 2).close()
        return True
    return False


class HeadWatch:
    """A thread that ends this process with one sentence if the head is dead and a call of Ray does not return.

    Without a head some calls of Ray block for a minute, and then Ray ends the process with messages of its own.
    """

    def __init__(self) -> None:
        self._address = ray.get_runtime_context().gcs_address
        self._stopped = threading.Event()
        threading.Thread(target=self._run, daemon=True, name="cardwin-head").start()

    def _run(self) -> None:
        alive = time.monotonic()
        while not self._stopped.wait(2 * POLL):
            if _answers(self._address):
                alive = time.monotonic()
            elif time.monotonic() - alive > HEAD + LEAVE and not self._stopped.is_set():
                os.write(2, f"cardwin: {HEAD_LOST}\n".encode())
                os._exit(2)

    def stop(self) -> None:
        """End the watch."""
        self._stopped.set()


def _node(row: Mapping[str, Any]) -> Node:
    """Return a node of Ray's table."""
    name = f"{row['NodeManagerHostname']} ({row['NodeID'][:6]})"
    return Node(row["NodeID"], name, int(row["Resources"]["CPU"]))


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Raise Ray's errors that a user can do something about as one sentence."""
    try:
        yield
    except LOST:
        raise InputError(
            f"a job was lost {RETRIES + 1} times with its worker: it may need more memory than a node has, or crash; "
            "--workers 1 instead of --cluster shows the error"
        ) from None
    except FULL as error:
        storage = "object store" if isinstance(error, exceptions.ObjectStoreFullError) else "disk"
        raise InputError(
            f"the {storage} of a node is full: free some space there (ray start --object-store-memory sets the store's "
            "size), then resume the run"
        ) from None
    except (exceptions.RaySystemError, exceptions.LocalRayletDiedError) as error:
        raise InputError(f"the cluster failed: {str(error).splitlines()[0]}; resume the run") from None


def _silence_ray() -> None:
    """Keep Ray's messages out of the terminal: it prints some to standard output, which commands use for JSON."""
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    worker = sys.modules.get("ray._private.worker")
    if hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *_, **__: None  # type: ignore[union-attr]  # there is no option for it


def _connect(address: str, workers: int) -> None:
    """Start a local cluster, or join one as a driver."""
    quiet = {"log_to_driver": False, "configure_logging": False, "logging_level": logging.CRITICAL}
    if address != LOCAL:
        check_connection(address)
    with _own_signals():
        try:
            if address == LOCAL:
                _set_token()
                cores = workers if workers > 1 else os.cpu_count() or 1
                ray.init(address="local", num_cpus=cores, include_dashboard=False, object_store_memory=STORE, **quiet)
            else:
                ray.init(address=address, **quiet)
        except (ConnectionError, RuntimeError, ValueError, OSError, exceptions.RayError) as error:
            message = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
            raise InputError(
                f"cluster {address}: {message.strip()[:200]}; the command must run on a machine of the cluster"
            ) from None


@contextmanager
def _own_signals() -> Iterator[None]:
    """Keep this process's handling of signals, which Ray replaces."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _set_token() -> None:
    """Set a token for a local cluster, unless the user has one; it is in no file."""
    if os.environ.get("RAY_AUTH_MODE") != "token":
        return
    file = Path(os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray" / "auth_token")
    if not os.environ.get("RAY_AUTH_TOKEN") and not file.is_file():
        os.environ["RAY_AUTH_TOKEN"] = TOKEN


def check_connection(address: str) -> None:
    """Raise an error if a cluster does not answer, or not to our token.

    Ray's own command asks, in a process of its own, because a connection that fails ends the process that tries it.
    """
    words = [
        sys.executable,
        "-m",
        "ray.scripts.scripts",
        "status",
        *(() if address == AUTO else ("--address", address)),
    ]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=CONNECT, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise InputError(
            f"cluster {address} did not answer within {CONNECT:.0f} s: is it running, and is the address right?"
        ) from None
    if done.returncode == 0:
        return
    message = done.stdout + done.stderr
    reasons = {
        "InvalidAuthToken": "has another token: set RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH to its token",
        "couldn't find an authentication token": "needs a token: copy its token to ~/.ray/auth_token or set "
        "RAY_AUTH_TOKEN; RAY_AUTH_MODE=disabled is for a cluster without one",
        "Version mismatch": "has another version of Ray or Python: install the same on every node",
        "any running Ray instance": "does not run on this machine: start it with ray start --head, or use local",
    }
    reason = next((reason for sign, reason in reasons.items() if sign in message), "")
    raise InputError(f"cluster {address} {reason or 'does not answer: is it running, and is the address right?'}")
