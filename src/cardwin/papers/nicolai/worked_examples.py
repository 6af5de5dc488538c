"""The document's worked examples, computed by our code: self-checks, which are counted apart from claims.

They show that inputs, operator and hall follow the document. A difference would be a mistake of ours, or one in the
document's arithmetic.
"""

from collections.abc import Iterator

import numpy as np

from cardwin.cards.preflop import preflop
from cardwin.cards.win_odds import NO_TABLE
from cardwin.core.arrays import Floats
from cardwin.evolution import Genome
from cardwin.evolution.hall import Hall
from cardwin.evolution.variation import sum_by_weight
from cardwin.games.holdem.table import ACTIVE, SEATS, new_tables
from cardwin.papers import Context
from cardwin.papers.sample import Sample, sample
from cardwin.players.network.decision import Shape
from cardwin.players.network.inputs import (
    CHIPS,
    DECISIONS,
    MEMORY,
    MIDDLE,
    TOTAL,
    aggressiveness,
    record_aggression,
    reset_memory,
)
from cardwin.players.network.networks import NetworkForm, population_networks
from cardwin.players.network.preflop import write_chances

STACKS = (500, 350, 60, 720, 220)  # Bill, Judy, Sam, Jane, Joe
SAM = 2
BIG_BLIND = 10
SAM_DECISIONS, SAM_MEAN = 55, 1.3
HALL, KEPT_PER_GENERATION, GENERATIONS = 1000, 100, 40


def worked_examples(context: Context) -> Iterator[Sample]:  # noqa: ARG001  nothing is drawn, at any scale
    """Compute every example, and the memory of a hall."""
    yield sample("Sam's inputs of chips", exact=", ".join(map(str, chips_inputs().tolist())))
    total, decisions = sams_memory()
    yield sample("Sam's cumulative aggressiveness after a call and a fold", exact=total)
    yield sample("the decisions that it is over", exact=decisions)
    yield sample("Sam's new aggressiveness", exact=total / decisions)
    yield sample("a child's link, of parents with 1 and -1 weighted .6 and .4", exact=childs_link(0.6))
    yield sample("entries of the table before the flop", exact=float(preflop().equity.size))
    yield sample("the hall's memory in the worst case, in generations", exact=float(worst_memory()))


def chips_inputs() -> Floats:
    """Compute Sam's inputs of chips (10,) at the document's table of five, before scaling."""
    form = NetworkForm(np.zeros(Shape().weights, np.float32))
    networks = population_networks(np.zeros((1, Shape().weights), np.float32), form, SEATS, NO_TABLE)
    tables = new_tables(1)
    tables["seats"], tables["actor"], tables["big_blind"], tables["live"] = len(STACKS), SAM, BIG_BLIND, len(STACKS)
    tables["status"][0, : len(STACKS)] = ACTIVE
    tables["stack"][0, : len(STACKS)] = tables["start"][0, : len(STACKS)] = STACKS
    write_chances(networks, np.arange(SEATS), tables, np.array([[51, 50]]), np.empty((1, 3)))
    scaled = networks.inputs[CHIPS : CHIPS + SEATS].astype(np.float64)
    chips: Floats = np.rint(scaled / (1 - scaled) * MIDDLE * BIG_BLIND).astype(np.int64)
    return chips


def sams_memory() -> tuple[float, float]:
    """Compute Sam's total aggressiveness and number of decisions: 1.3 over 55, then a call and a fold."""
    memory = np.zeros((1, MEMORY))
    reset_memory(memory, 0)
    memory[0, TOTAL], memory[0, DECISIONS] = SAM_MEAN * SAM_DECISIONS, SAM_DECISIONS
    for action in (1, 0):
        record_aggression(memory, 0, aggressiveness(action, BIG_BLIND, BIG_BLIND, BIG_BLIND))
    return float(memory[0, TOTAL]), float(memory[0, DECISIONS])


def childs_link(weight: float) -> float:
    """Interpolate the link of a child whose first parent has this weight, from children of all weights.

    The first gene, 1 and 0, shows the weight that was drawn; the second, 1 and -1, is the example's.
    """
    parents, genome, count = np.array([[1.0, 1.0], [0.0, -1.0]]), Genome.unbounded(2), 4_000
    children = np.zeros((count, 2))
    settings = np.zeros(2), np.arange(2), np.array([0.5, 1.0]), 1, 4.0, genome.alleles, genome.limits
    outputs = children, np.zeros((count, 2), np.int64), np.zeros(count, np.bool_)
    sum_by_weight(parents, *settings, 1, 0, count, *outputs)
    order = np.argsort(children[:, 0])
    return float(np.interp(weight, children[order, 0], children[order, 1]))


def worst_memory() -> int:
    """Count the generations in a hall whose oldest members are always replaced by those that a generation keeps."""
    hall = Hall(1, HALL, "futility")
    for generation in range(GENERATIONS):
        hall.set_fitness(hall.members[:, 0].astype(np.float64))
        born = np.full((KEPT_PER_GENERATION, 1), float(generation))
        hall.add(born, born[:, 0])
    return len(np.unique(hall.members[:, 0]))
