"""How long a generation of LargeHOF at the paper's size takes on 1 to 1,000 nodes: a model and a simulation.

python tools/scale_model.py [FILE.png]

A generation is `TOURNAMENTS` tournaments of 2,000 networks, in blocks of two. All numbers are at the top of the file,
each with the place that it comes from. The formula adds the parts of a generation that follow each other:

    serial + put + spread(nodes) + compute / (nodes x cores) + slowest job + answers through one driver + deaths

The simulation draws the seconds of every job, stragglers and deaths, hands jobs out through the window of
`core.cluster.window` itself, and is repeated with several seeds. It has no number that the formula has not.
"""

import heapq
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from cardwin.core.cluster.window import AHEAD, Cost, Job, Reply, Window

NODES = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
# A generation on real nodes of this machine: its seconds, and the seconds inside jobs (tools/cluster_study.py scale).
MEASURED = {1: (15.12, 14.64), 2: (10.82, 20.31), 3: (11.52, 32.10)}


@dataclass(frozen=True)
class Numbers:
    """The numbers of the model. The first seven were measured on a busy machine.

    `seconds` and `serial` are from the eighth generation of a run with 1,000 networks, a hall of 1,000 and two
    tournaments (a tournament of the first, random generation takes .021 s); the others from tools/cluster_study.py.
    """

    seconds: float = 0.1  # processor seconds of a tournament of 2,000 networks
    population: int = 6_264_000  # bytes of 2,000 networks
    answer: int = 15_656  # bytes of a block's answer, compressed (80,000 before)
    serial: float = 0.02  # seconds in which the driver breeds, admits to the hall and writes the record
    task: float = 0.0027  # seconds of the driver for one task: submit, wait, fetch
    unpack: float = 0.0002  # seconds of the driver for one block's answer: decompress and add
    latency: float = 0.005  # seconds from a task's submission to its answer, beyond the driver's and the job's
    block: int = 2  # tournaments in a block: 4,096 players over 2,000
    tournaments: int = 500  # of a generation, at the paper's size
    bandwidth: float = 1.25e8  # bytes a second into and out of a node: assumed, a network of one gigabit
    fanout: int = 2  # nodes that a node sends the population to at the same time: assumed
    slow_share: float = 0.02  # jobs that a busy neighbour makes slower: assumed
    slow_times: float = 4.0  # how much slower: assumed
    deaths: float = 1 / (6 * 3600)  # of a node in a second: assumed, a spot machine lasts six hours
    detect: float = 30.0  # seconds until a vanished machine is noticed: Ray's usual health checks, about


def spread(nodes: int, of: Numbers) -> float:
    """Seconds until every node has the population: each that has it passes it on."""
    rounds = math.ceil(math.log(max(nodes, 1)) / math.log(1 + of.fanout))
    return rounds * of.fanout * of.population / of.bandwidth


def formula(nodes: int, of: Numbers) -> float:
    """Seconds of a generation."""
    blocks, compute = of.tournaments / of.block, of.tournaments * of.seconds
    workers = min(nodes, blocks)
    job = max(of.block * of.seconds, min(2.0, compute / (2 * workers)))
    jobs = min(blocks, compute / job)
    driver = jobs * of.task + blocks * (of.unpack + of.answer / of.bandwidth)
    mean = 1 + of.slow_share * (of.slow_times - 1)
    late = (of.slow_times - 1) * (1 - math.pow(1 - of.slow_share, workers)) / 2
    tail = min(job, 0.5) / 2 + min(job, 0.5) * late
    wall = of.serial + spread(nodes, of) + of.latency + max(compute * mean / workers + tail, driver)
    return wall + nodes * of.deaths * wall * min(of.detect, 3 * job)


@dataclass
class Imagined:
    """Nodes of one core as a backend of the window, with a clock of their own."""

    nodes: int
    seed: int
    of: Numbers
    now: float = 0.0
    sent: int = 0
    free: list[float] = field(default_factory=list)
    pending: dict[int, tuple[Job[int], float]] = field(default_factory=dict)
    ends: list[tuple[float, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.free = [0.0] * self.nodes

    def cores(self) -> int:
        """As many as there are nodes."""
        return self.nodes

    def room(self) -> int:
        """As in `core.cluster.ray_cluster`."""
        return AHEAD * self.nodes

    def send(self, job: Job[int], again: bool) -> int:  # noqa: ARG002  no node is known to be slow
        """Put a job on the core that is free first."""
        self.now += self.of.task
        begin = max(heapq.heappop(self.free), self.now + self.of.latency)
        slow = self.rng.random() < self.of.slow_share
        took = len(job.items) * self.of.block * self.of.seconds * (self.of.slow_times if slow else 1.0)
        end = begin + took + (self.of.detect if self.rng.random() < self.of.deaths * took else 0.0)
        heapq.heappush(self.free, end)
        self.sent += 1
        self.pending[self.sent] = job, took
        heapq.heappush(self.ends, (end, self.sent))
        return self.sent

    def wait(self, handles: Sequence[int], seconds: float) -> Sequence[int]:
        """The next job that ends, of those that are still wanted."""
        wanted = set(handles)
        while self.ends and self.ends[0][1] not in wanted:
            heapq.heappop(self.ends)
        if not self.ends or self.ends[0][0] > self.now + seconds:
            self.now += seconds
            return []
        self.now = max(self.now, self.ends[0][0])
        return [heapq.heappop(self.ends)[1]]

    def fetch(self, handle: int) -> Reply:
        """Take an answer, which costs the driver time."""
        job, took = self.pending.pop(handle)
        self.now += len(job.items) * (self.of.unpack + self.of.answer / self.of.bandwidth)
        return Reply(list(job.items), took, self.of.answer * len(job.items), "")

    def drop(self, handles: Sequence[int]) -> None:
        """Forget jobs."""
        for handle in handles:
            self.pending.pop(handle, None)


def simulated(nodes: int, of: Numbers, seed: int = 1) -> float:
    """Seconds of one generation, whose costs are known from the one before."""
    backend = Imagined(nodes, seed, of)
    cost, items = Cost(of.block * of.seconds, of.answer), range(of.tournaments // of.block)
    for _ in Window(backend, items, cost, lambda: backend.now).results():
        pass
    return of.serial + spread(nodes, of) + backend.now


def checked(nodes: int) -> float:
    """Seconds of a generation on this machine, from the measured seconds inside jobs: nobody is late, nobody dies."""
    _, inside = MEASURED[nodes]
    of = Numbers()
    return simulated(nodes, replace(of, seconds=inside / of.tournaments, serial=0.0, slow_share=0.0, deaths=0.0,
                                    bandwidth=1e10))  # fmt: skip


def row(nodes: int, seeds: int = 10) -> tuple[float, float, float, float]:
    """The formula's seconds, and the simulation's: mean, lowest and highest of several seeds."""
    of = Numbers()
    found = [simulated(nodes, of, seed) for seed in range(seeds)]
    return formula(nodes, of), float(np.mean(found)), min(found), max(found)


def draw(path: Path) -> None:
    """Seconds and efficiency over nodes."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    rows = {nodes: row(nodes) for nodes in NODES}
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), constrained_layout=True)
    ideal = rows[1][1]
    axes[0].plot(NODES, [ideal / nodes for nodes in NODES], ":", color="0.6", label="ideal")
    axes[0].plot(NODES, [rows[nodes][0] for nodes in NODES], color="C0", label="formula")
    axes[0].errorbar(NODES, [rows[n][1] for n in NODES],
                     [[rows[n][1] - rows[n][2] for n in NODES], [rows[n][3] - rows[n][1] for n in NODES]],
                     fmt="o", ms=4, color="C1", label="simulated (10 seeds)")  # fmt: skip
    axes[0].set(xscale="log", yscale="log", xlabel="nodes of one core", ylabel="seconds a generation")
    axes[0].legend(frameon=False)
    for tournaments, style in ((500, "o-"), (5_000, "s-"), (50_000, "^-")):
        of = replace(Numbers(), tournaments=tournaments)
        one = simulated(1, of)
        share = [one / simulated(nodes, of) / nodes for nodes in NODES]
        axes[1].plot(NODES, share, style, ms=4, label=f"{tournaments:,} tournaments")
    axes[1].set(xscale="log", ylim=(0, 1.05), xlabel="nodes of one core", ylabel="efficiency")
    axes[1].legend(frameon=False)
    figure.savefig(path, dpi=110)


def main() -> None:
    """Print the table, and draw it if a file is named."""
    print("| nodes | formula, s | simulated, s (lowest to highest) | speed-up | efficiency |")
    print("|---:|---:|---:|---:|---:|")
    one = row(1)[1]
    for nodes in NODES:
        expected, mean, low, high = row(nodes)
        print(f"| {nodes:,} | {expected:.2f} | {mean:.2f} ({low:.2f} to {high:.2f}) | {one / mean:.1f} | "
              f"{one / mean / nodes:.0%} |")  # fmt: skip
    print(
        "\n| real nodes on two cores | measured, s | simulated from the seconds inside its jobs, s |\n|---:|---:|---:|"
    )
    for nodes, (wall, _) in MEASURED.items():
        print(f"| {nodes} | {wall:.2f} | {checked(nodes):.2f} |")
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
