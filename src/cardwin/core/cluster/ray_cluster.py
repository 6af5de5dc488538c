"""A Ray cluster as an executor. The one file that imports Ray.

- The job itself, with the population in it, is put into Ray's object store once for each `map`. Every node fetches it
  once. Every worker makes a copy of its own, because kernels are compiled for arrays that can be written to.
- `window` decides which items go into a task and when; Ray decides where it runs, except that the first task of a kind
  of work goes to a node by name, which compiles or loads kernels and tables there.
- Ray retries tasks whose worker or node dies. Tasks that it gives up are sent again by `window`.
- Every task compares the stamp of its node with the driver's, so that a node that joins late is checked as well.
"""

import copy
import logging
import os
import platform
import secrets
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self, TypeVar

import ray
from ray import cloudpickle, exceptions
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from cardwin.core.cluster import LOCAL
from cardwin.core.cluster.connect import have_token, own_signals, refuse_silent
from cardwin.core.cluster.nodes import Node, Nodes
from cardwin.core.cluster.stamp import difference, stamp
from cardwin.core.cluster.window import AHEAD, Cost, Job, Reply, Window
from cardwin.core.errors import InputError

Item = TypeVar("Item")
Done = TypeVar("Done")

PROBE = 30.0  # seconds until a node counts as one that does not answer
REFRESH = 1.0  # seconds between two looks at the nodes
TELL = 5.0  # seconds between two notices that nodes compile
STORE = 256 * 2**20  # bytes of a local cluster's object store
RETRIES = 3  # of a task, by Ray
SMALL = 16_384  # bytes of an answer that is not compressed
LOST = (
    exceptions.WorkerCrashedError, exceptions.NodeDiedError, exceptions.ObjectLostError, exceptions.OutOfMemoryError,
    exceptions.TaskUnschedulableError, exceptions.TaskCancelledError, exceptions.LocalRayletDiedError,
)  # fmt: skip
FULL = (exceptions.ObjectStoreFullError, exceptions.OutOfDiskError)

log = logging.getLogger("cardwin")


def _work(expected: Mapping[str, str], number: str, job: Callable[[Any], Any], items: Sequence[Any]) -> Any:
    """A task: the results of some items, as bytes, with the seconds and hands that they took."""
    if wrong := difference(expected, stamp()):
        raise InputError(f"node {_own_name()} has {wrong}: its results would differ in their last bits")
    job, start = _own_copy(number, job), time.perf_counter()
    try:
        results = [job(item) for item in items]
    except OSError as error:
        what = f"{error.filename or 'the system'}: {error.strerror or error}"
        raise InputError(f"a job failed on node {_own_name()}: {what}") from None
    seconds = time.perf_counter() - start
    hands = sum(getattr(result, "hands_dealt", 0) for result in results)
    data = cloudpickle.dumps(results)
    packed = zlib.compress(data, 1) if len(data) > SMALL else b""
    node = ray.get_runtime_context().get_node_id()
    return node, seconds, hands, packed or data, bool(packed)


_COPIES: dict[str, Callable[[Any], Any]] = {}  # in a worker: the job of the last `map`, by its number


def _own_copy(number: str, job: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A job whose arrays belong to this process."""
    if number not in _COPIES:
        _COPIES.clear()
        _COPIES[number] = copy.deepcopy(job)
    return _COPIES[number]


def _own_name() -> str:
    return f"{platform.node()} ({ray.get_runtime_context().get_node_id()[:6]})"


def _probe_function() -> Callable[[], dict[str, str]]:
    """What a node answers with its stamp. It is sent by value: the node may have no Cardwin, or an old one."""

    def probe() -> dict[str, str]:
        try:
            from cardwin.core.cluster.stamp import stamp
        except ImportError:
            import platform
            from importlib import metadata

            try:
                found = metadata.version("cardwin")
            except metadata.PackageNotFoundError:
                found = "none"
            return {"Cardwin": found, "Python": platform.python_version()}
        return dict(stamp())

    return probe


class RayCluster:
    """The workers of a Ray cluster; see `Executor`. A local one ends with the `with` block."""

    shares_memory = False

    def __init__(self, where: str, workers: int = 1, check: bool = True) -> None:
        self.where, self.nodes, self.costs = where, Nodes(), dict[str, Cost]()
        self._looked = 0.0
        self._work = ray.remote(max_retries=RETRIES, num_cpus=1)(_work)
        _silence()
        self._ours = not ray.is_initialized()
        if self._ours:
            _connect(where, workers)
        try:
            self._ask_nodes()
            if check:
                self._refuse_others()
        except BaseException:
            self._close()
            raise
        log.info("cluster %s: %s", where, self.nodes.text())

    @property
    def workers(self) -> int:
        """The cores of all nodes."""
        return max(1, self.nodes.cores)

    def look(self) -> Nodes:
        """The nodes as they are now."""
        if time.monotonic() - self._looked > REFRESH:
            self._looked = time.monotonic()
            self.nodes.see(_node(row) for row in ray.nodes() if row["Alive"] and row["Resources"].get("CPU", 0) >= 1)
        return self.nodes

    def _ask_nodes(self) -> None:
        """Ask every node for its stamp, and compare it with this machine's."""
        probe = ray.remote(max_retries=0, num_cpus=0)(_probe_function())
        asked = {probe.options(scheduling_strategy=_on(node.id)).remote(): node for node in self.look().alive}
        done, _ = ray.wait(list(asked), num_returns=len(asked), timeout=PROBE) if asked else ([], [])
        for handle in done:
            node = asked[handle]
            try:
                node.stamp = ray.get(handle)
            except exceptions.RayError:
                continue
            node.problem = difference(stamp(), node.stamp)
            node.ready = not node.problem

    def _refuse_others(self) -> None:
        """Raise an error if a node would compute other bits, or if none answers."""
        for node in self.nodes.alive:
            if node.problem:
                raise InputError(
                    f"node {node.name} has {node.problem}: results would differ in their last bits, so install the "
                    "same on every node"
                )
        if not any(node.ready for node in self.nodes.alive):
            raise InputError(f"cluster {self.where}: no node with a core answered within {PROBE:.0f} s")

    def map(self, job: Callable[[Item], Done], items: Iterable[Item]) -> Iterator[Done]:
        """See `Executor`."""
        waiting = list(items)
        if not waiting:
            return
        name = name_of(job)
        with _plain_errors():
            tasks = _Tasks(self, name, ray.put(job))
            self.nodes.begin()
            try:
                yield from Window(tasks, waiting, self.costs.setdefault(name, Cost())).results()
            finally:
                self.nodes.end()

    def answer(self) -> dict[str, Any]:
        """The cluster as JSON: where, cores, hands a second, and nodes with their jobs."""
        return {"where": self.where, **self.nodes.answer()}

    def text(self) -> str:
        """Nodes, cores and hands a second, in a few words."""
        return self.nodes.text()

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        """In a job on a node, the cluster is one worker: what a job does itself is serial."""
        return int, (1,)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def _close(self) -> None:
        if self._ours:
            with own_signals():
                ray.shutdown()


class _Tasks:
    """The tasks of one `map`; see `window.Backend`."""

    def __init__(self, cluster: RayCluster, name: str, job: Any) -> None:
        self.cluster, self.name, self.job = cluster, name, job
        self.number = secrets.token_hex(8)
        self.first: set[str] = set()  # nodes that have been sent their first job of this kind
        self.began = self.noticed = time.monotonic()

    def _cold(self) -> list[Node]:
        return [node for node in self.cluster.look().alive if self.name not in node.warm]

    def cores(self) -> int:
        """The cores of all nodes."""
        return self.cluster.look().cores

    def room(self) -> int:
        """Some jobs a core; one on a node that has not done such work yet."""
        cold = self._cold()
        return AHEAD * (self.cores() - sum(node.cores for node in cold)) + len(cold)

    def send(self, job: Job[Any], again: bool) -> Any:
        """Submit a task: to a node that has not done such work yet, to the fastest one, or wherever Ray wants."""
        options: dict[str, Any] = {"scheduling_strategy": "SPREAD"}
        if again:
            fastest = min(self.cluster.nodes.alive, key=lambda node: node.pace, default=None)
            if fastest is not None and fastest.items:
                options = {"scheduling_strategy": _on(fastest.id, soft=True)}
        elif new := [node for node in self._cold() if node.id not in self.first]:
            self.first.add(new[0].id)
            options = {"scheduling_strategy": _on(new[0].id), "max_retries": 0}
        task = self.cluster._work.options(**options)
        return task.remote(stamp(), self.number, self.job, job.items)

    def wait(self, handles: Sequence[Any], seconds: float) -> Sequence[Any]:
        """The tasks that have finished, or been lost."""
        if not handles:
            time.sleep(min(seconds, 0.1))
            return []
        done, _ = ray.wait(list(handles), num_returns=1, timeout=seconds, fetch_local=False)
        self._tell_cold()
        return list(done)

    def _tell_cold(self) -> None:
        """Say every few seconds that nodes are still at their first job."""
        now = time.monotonic()
        if now - self.noticed > TELL and (cold := self._cold()):
            self.noticed = now
            log.info(
                "%d of %d nodes are at their first job, %.0f s: each compiles its kernels once",
                len(cold), len(self.cluster.nodes.alive), now - self.began,
            )  # fmt: skip

    def fetch(self, handle: Any) -> Reply | None:
        """The answer of a task; None if it was lost."""
        try:
            node_id, seconds, hands, data, packed = ray.get(handle)
        except exceptions.RayTaskError as error:
            raise _cause_of(error) from None
        except LOST:
            return None
        results = cloudpickle.loads(zlib.decompress(data) if packed else data)
        node = self.cluster.look().by_id.get(node_id)
        if node is not None:
            node.jobs += 1
            node.items += len(results)
            node.seconds += seconds
            node.hands += hands
            node.warm.add(self.name)
        return Reply(results, seconds, len(data), node_id, hands)

    def drop(self, handles: Sequence[Any]) -> None:
        """Cancel tasks; those that run end by themselves."""
        for handle in handles:
            try:
                ray.cancel(handle, force=False)
            except (exceptions.RayError, ValueError):
                continue


def _on(node_id: str, soft: bool = False) -> NodeAffinitySchedulingStrategy:
    return NodeAffinitySchedulingStrategy(node_id, soft=soft, _spill_on_unavailable=soft)


def _node(row: Mapping[str, Any]) -> Node:
    """A node from Ray's table."""
    name = f"{row['NodeManagerHostname']} ({row['NodeID'][:6]})"
    return Node(row["NodeID"], name, int(row["Resources"]["CPU"]))


def name_of(job: Callable[..., Any]) -> str:
    """The function behind a job."""
    while hasattr(job, "func"):
        job = job.func
    return f"{getattr(job, '__module__', '')}.{getattr(job, '__qualname__', type(job).__name__)}"


def _cause_of(error: exceptions.RayTaskError) -> BaseException:
    """The error of a job, as if it had run here."""
    cause = getattr(error, "cause", None)
    return cause if isinstance(cause, BaseException) else error


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Errors of Ray that its user can do something about, in one sentence."""
    try:
        yield
    except FULL as error:
        what = "object store" if isinstance(error, exceptions.ObjectStoreFullError) else "disk"
        raise InputError(
            f"the {what} of a node is full: free some space there (ray start --object-store-memory sets the store's "
            "size), then resume the run"
        ) from None
    except exceptions.RaySystemError as error:
        raise InputError(f"the cluster failed: {str(error).splitlines()[0]}; resume the run") from None


def _silence() -> None:
    """Keep Ray's messages out of the terminal: it prints some to standard output, where our JSON is."""
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    worker = sys.modules.get("ray._private.worker")
    if hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *_, **__: None  # type: ignore[union-attr]  # there is no option for it


def _connect(where: str, workers: int) -> None:
    """Start a local cluster, or join one as a driver."""
    quiet = {"log_to_driver": False, "configure_logging": False, "logging_level": logging.CRITICAL}
    if where != LOCAL:
        refuse_silent(where)
    with own_signals():
        try:
            if where == LOCAL:
                have_token()
                cores = workers if workers > 1 else os.cpu_count() or 1
                ray.init(address="local", num_cpus=cores, include_dashboard=False, object_store_memory=STORE, **quiet)
            else:
                ray.init(address=where, **quiet)
        except (ConnectionError, RuntimeError, ValueError, OSError, exceptions.RayError) as error:
            said = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
            raise InputError(
                f"cluster {where}: {said.strip()[:200]}; the command must run on a machine of the cluster"
            ) from None
