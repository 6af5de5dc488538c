"""How long a generation of LargeHOF at the paper's size takes on 1 to 1,000 nodes: a model and a simulation.

python studies/scale_model.py [FILE.png]

A generation is `TOURNAMENTS` tournaments of 2,000 networks, in blocks of two. All numbers are at the top of the file,
each with the place that it comes from. The formula adds the parts of a generation that follow each other:

    serial + put + spread(nodes) + compute / (nodes x cores) + slowest job + answers through one driver + deaths

The simulation draws the seconds of every task, stragglers and deaths, and gives each task to the core that is free
first, as Ray does. It is repeated with several seeds and has no number that the formula has not.
"""

import heapq
import math
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from cardwin.core.cluster import MAX_PENDING, task_size

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
    """Return the seconds until every node has the population: each that has it passes it on."""
    rounds = math.ceil(math.log(max(nodes, 1)) / math.log(1 + of.fanout))
    return rounds * of.fanout * of.population / of.bandwidth


def formula(nodes: int, of: Numbers) -> float:
    """Return the seconds of a generation."""
    blocks, compute = of.tournaments // of.block, of.tournaments * of.seconds
    workers, size = min(nodes, blocks), task_size(blocks, nodes)
    task = size * of.block * of.seconds
    driver = blocks / size * of.task + blocks * (of.unpack + of.answer / of.bandwidth)
    mean = 1 + of.slow_share * (of.slow_times - 1)
    slow = (of.slow_times - 1) * (1 - math.pow(1 - of.slow_share, workers)) / 2
    tail = task / 2 + task * slow if workers > 1 else 0.0
    wall = of.serial + spread(nodes, of) + of.latency + max(compute * mean / workers + tail, driver)
    return wall + compute * of.deaths * of.detect


def simulated(nodes: int, of: Numbers, seed: int = 1) -> float:
    """Return the seconds of one generation."""
    rng, blocks, now = np.random.default_rng(seed), of.tournaments // of.block, 0.0
    size = task_size(blocks, nodes)
    waiting = [min(size, blocks - first) for first in range(0, blocks, size)]  # blocks per task
    free, pending = [0.0] * nodes, list[tuple[float, int]]()  # when a core is free; a task's end and blocks
    while waiting or pending:
        while waiting and len(pending) < MAX_PENDING * nodes:
            now += of.task
            took = waiting[-1] * of.block * of.seconds * (of.slow_times if rng.random() < of.slow_share else 1.0)
            died = of.detect if rng.random() < of.deaths * took else 0.0
            end = max(heapq.heappop(free), now + of.latency) + took + died
            heapq.heappush(free, end)
            heapq.heappush(pending, (end, waiting.pop()))
        end, count = heapq.heappop(pending)
        now = max(now, end) + count * (of.unpack + of.answer / of.bandwidth)
    return of.serial + spread(nodes, of) + now


def checked(nodes: int) -> float:
    """Return the seconds of a generation on this machine, from measured seconds inside jobs, without failures."""
    _, inside = MEASURED[nodes]
    of = Numbers()
    return simulated(nodes, replace(of, seconds=inside / of.tournaments, serial=0.0, slow_share=0.0, deaths=0.0,
                                    bandwidth=1e10))  # fmt: skip


def row(nodes: int, seeds: int = 10) -> tuple[float, float, float, float]:
    """Return the formula's seconds, and the simulation's mean, minimum and maximum over `seeds` seeds."""
    of = Numbers()
    found = [simulated(nodes, of, seed) for seed in range(seeds)]
    return formula(nodes, of), float(np.mean(found)), min(found), max(found)


def draw(path: Path) -> None:
    """Draw seconds and efficiency over nodes."""
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
