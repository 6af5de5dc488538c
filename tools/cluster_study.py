"""What a cluster of small nodes on this machine does: one digest everywhere, its speed, and what kills cost.

python tools/cluster_study.py digests FOLDER   one digest on threads, on nodes, with a node or the driver killed
python tools/cluster_study.py speed            two nodes over one, beside two busy loops; the overhead over threads
python tools/cluster_study.py kills            2,000 jobs of .2 s on three nodes, one of which is killed every 20 s
python tools/cluster_study.py scale            seconds, bytes and answers of a generation, for studies/scale_model.py

Every node has one core. Results are printed as JSON. The machine's load is printed beside them.
"""

import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwin.core.cluster import open_cluster
from cardwin.core.executor import Executor, Serial
from ray_nodes import Machines, machines

if TYPE_CHECKING:
    from cardwin.core.ray_cluster import RayCluster

SMALL = ("generations=8", "population.size=100", "tournaments=200", "save_seconds=0")
WORK = 0.01  # seconds that a busy loop counts in one go


def busy(seconds: float) -> int:
    """Count for so many seconds of this process's own processor time."""
    count, end = 0, time.process_time() + seconds
    while time.process_time() < end:
        count += 1
    return count


def fixed(rounds: int, item: int) -> int:
    """Do an amount of work that does not depend on the clock."""
    total = item
    for number in range(rounds):
        total = (total * 1_103_515_245 + number) % 2_147_483_648
    return item


def rest(seconds: float, item: int) -> int:
    """Only wait, so that the machine's load does not matter; longer on a node that plays a slow one."""
    time.sleep(seconds * float(os.environ.get("CARDWIN_TEST_SLOW", "1")))
    return item


# --- kills ------------------------------------------------------------------------------------------------------------


class Killer:
    """Kills a node every so many seconds, while it works, and starts another one in its place."""

    def __init__(self, nodes: Machines, every: float) -> None:
        self.nodes, self.every, self.kills = nodes, every, 0
        self.alive, self.last = [nodes.add(), nodes.add()], time.monotonic()

    def look(self) -> None:
        """Kill one if it is time."""
        if time.monotonic() - self.last > self.every:
            self.last, self.kills = time.monotonic(), self.kills + 1
            self.nodes.kill(self.alive.pop(0))
            self.alive.append(self.nodes.add())


def kills(jobs: int = 2000, seconds: float = 0.2, every: float = 20.0, least: float = 0.0) -> dict[str, Any]:
    """Run jobs on three nodes while nodes are killed, until `least` seconds have passed."""
    rounds, in_order, start = 0, True, time.monotonic()
    with machines() as nodes, open_cluster(nodes.address) as cluster:
        killer = Killer(nodes, every)
        while not rounds or time.monotonic() - start < least:
            found = []
            for result in cluster.map(partial(rest, seconds), range(jobs)):
                found.append(result)
                killer.look()
            in_order &= found == list(range(jobs))
            rounds += 1
        by_node = [node["jobs"] for node in cluster.answer()["nodes"]]
    took = time.monotonic() - start
    return {"jobs": jobs * rounds, "in_order": in_order, "kills": killer.kills, "seconds": round(took, 1),
            "jobs_by_node": by_node}  # fmt: skip


# --- speed ------------------------------------------------------------------------------------------------------------


def loops(processes: int, seconds: float) -> float:
    """Return the work that busy processes do in some seconds of the clock."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes) as pool:
        pool.map(busy, [WORK] * processes)
        start, done = time.monotonic(), 0.0
        while time.monotonic() - start < seconds:
            pool.map(busy, [10 * WORK] * processes, 1)
            done += 10 * WORK * processes
        return done / (time.monotonic() - start)


def timed(executor: Executor, job: Callable[[int], int], jobs: int) -> float:
    """Return the seconds of all jobs, after one per worker."""
    list(executor.map(job, range(2 * executor.workers)))
    start = time.monotonic()
    list(executor.map(job, range(jobs)))
    return time.monotonic() - start


def speed(jobs: int = 20) -> dict[str, Any]:
    """Measure jobs of about a second on one thread, one node and two nodes; busy loops before and after."""
    rounds, start = 1_000_000, time.process_time()
    fixed(rounds, 0)
    rounds = round(rounds / (time.process_time() - start))
    job, found = partial(fixed, rounds), dict[str, Any]()
    found["one_loop"], found["two_loops"] = loops(1, 5), loops(2, 5)
    found["thread"] = timed(Serial(), job, jobs)
    with machines() as nodes:
        with open_cluster(nodes.address) as cluster:
            found["one_node"] = timed(cluster, job, jobs)
            node = cluster.nodes.alive[0]
            before = node.seconds
            wall = timed(cluster, job, jobs)
            share = jobs / (jobs + 2)  # the first two jobs are not timed
            found["one_node_again"], found["inside_jobs"] = wall, (node.seconds - before) * share
        nodes.add()
        with open_cluster(nodes.address) as cluster:
            found["two_nodes"] = timed(cluster, job, 2 * jobs)
    found["one_loop_after"], found["two_loops_after"] = loops(1, 5), loops(2, 5)
    gain = 2 * (found["one_node"] + found["one_node_again"]) / 2 / found["two_nodes"]
    two = (found["two_loops"] + found["two_loops_after"]) / (found["one_loop"] + found["one_loop_after"])
    found |= {"two_nodes_over_one": gain, "two_loops_over_one": two, "if_loops_got_two": 2 * gain / two}
    found["overhead_outside_jobs"] = found["one_node_again"] / found["inside_jobs"] - 1
    found["one_node_over_thread"] = (found["one_node"] + found["one_node_again"]) / 2 / found["thread"] - 1
    return {name: round(value, 3) for name, value in found.items()}


# --- digests ----------------------------------------------------------------------------------------------------------


def _cardwin(*words: str) -> dict[str, Any]:
    print("$ cardwin", *words, file=sys.stderr, flush=True)
    done = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-m", "cardwin", *words, "--json", "--quiet"], capture_output=True, text=True, check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _driver_killed(words: list[str], folder: Path) -> dict[str, Any]:
    """Kill the driver after its third checkpoint, and resume on a local cluster."""
    driver = subprocess.Popen([sys.executable, "-m", "cardwin", *words, "--quiet"])  # noqa: S603  our own command
    last = folder / "checkpoints"
    while driver.poll() is None and max((path.name for path in last.glob("*")), default="") < "000000003":
        time.sleep(0.02)
    os.kill(driver.pid, signal.SIGKILL)
    driver.wait()
    return _cardwin(words[0], "--resume", str(folder), "--no-report", "--cluster", "local")


def digests(home: Path) -> dict[str, Any]:
    """Return the digest of one evolution and one series of tournaments, wherever they run."""
    changes = [word for change in SMALL for word in ("--set", change)]
    kinds = {
        "evolve": ["evolve", "neuro-hof", *changes, "--seed", "1", "--no-report"],
        "tournament": ["tournament", "random*1000", "--tables", "20", "--seed", "1", "--no-report"],
    }
    found: dict[str, Any] = {}
    for kind, words in kinds.items():

        def at(place: str, *how: str, kind: str = kind, words: list[str] = words) -> None:
            answer = _cardwin(*words, "--out", str(home / f"{kind}-{place}"), *how)
            jobs = [node["jobs"] for node in answer.get("cluster", {}).get("nodes", [])]
            found[f"{kind}, {place}"] = {"digest": answer["digest"], "seconds": answer["seconds"], "jobs": jobs}

        at("one-thread", "--workers", "1")
        at("two-threads", "--workers", "2")
        with machines() as nodes:
            nodes.add()
            at("two-nodes", "--cluster", nodes.address)
            third = nodes.add()
            threading.Timer(9.0, nodes.kill, [third]).start()
            at("three-nodes-one-killed", "--cluster", nodes.address)
            if kind == "evolve":
                folder = home / "evolve-driver-killed"
                answer = _driver_killed([*words, "--out", str(folder), "--cluster", nodes.address], folder)
                found["evolve, driver killed"] = {"digest": answer["digest"], "seconds": answer["seconds"]}
    return found


# --- the numbers of the model -----------------------------------------------------------------------------------------


def scale(everybody: int = 2000, tournaments: int = 500) -> dict[str, Any]:
    """Return the numbers of the model and of a generation of LargeHOF at the paper's size on one to three nodes."""
    from cardwin.runs import experiment as experiments
    from cardwin.runs.problems.tournament.problem import TournamentProblem, added

    _, experiment = experiments.load("neuro-hof", [], 1)
    problem = TournamentProblem(experiment)  # type: ignore[arg-type]
    genomes = np.random.default_rng(1).uniform(-1, 1, (everybody, problem.genes)).astype(np.float32)
    job = partial(problem.series.play_chunk, genomes, 1)
    job(range(1))
    start = time.process_time()
    blocks = [job(range(2 * number, 2 * number + 2)) for number in range(10)]
    found: dict[str, Any] = {"seconds_a_tournament": (time.process_time() - start) / 20}
    packed = zlib.compress(pickle.dumps(blocks), 1)
    start = time.process_time()
    added(pickle.loads(zlib.decompress(packed)))  # noqa: S301  made three lines above
    found |= {"unpack_a_block": (time.process_time() - start) / 10, "answer_bytes": len(packed) // 10,
              "population_bytes": genomes.nbytes}  # fmt: skip
    with machines() as nodes:
        for count in (1, 2, 3):
            if count > 1:
                nodes.add()
            with open_cluster(nodes.address) as cluster:
                if count == 1:
                    found |= _task_seconds(cluster)
                problem.series.play(genomes, 1, tournaments, cluster)
                start, before = time.monotonic(), sum(node.seconds for node in cluster.nodes.alive)
                problem.series.play(genomes, 1, tournaments, cluster)
                wall = time.monotonic() - start
                inside = sum(node.seconds for node in cluster.nodes.alive) - before
            found[f"{count}_nodes"] = {"wall": round(wall, 2), "inside_jobs": round(inside, 2)}
    return found


def _task_seconds(cluster: "RayCluster") -> dict[str, Any]:
    """Return the driver's processor seconds, and wall-clock seconds, per job that does nothing."""
    job = partial(rest, 0.0)
    list(cluster.map(job, range(4)))
    start, clock = time.process_time(), time.monotonic()
    for number in range(100):
        list(cluster.map(job, [number]))
    return {"driver_a_task": (time.process_time() - start) / 100, "round_trip": (time.monotonic() - clock) / 100}


def main() -> None:
    """Run one study."""
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    studies: dict[str, Callable[[], dict[str, Any]]] = {
        "digests": lambda: digests(Path(sys.argv[2])), "speed": speed, "kills": kills, "scale": scale,
    }  # fmt: skip
    if what not in studies:
        raise SystemExit(__doc__)
    before = os.getloadavg()[0]
    found = studies[what]()
    print(json.dumps({"study": what, **found, "load": [round(before, 1), round(os.getloadavg()[0], 1)]}, indent=1))


if __name__ == "__main__":
    main()
