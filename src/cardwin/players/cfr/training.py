"""Training a blueprint: external-sampling linear CFR (Brown and Sandholm 2019) as a kind of run.

A step is a block of deals, each walked once for either seat (`traversal`). The n-th block has weight n in regrets and
averages. Within a block each traverser plays against the other's strategy at the block's beginning: the two walks are
independent jobs, and one worker or two give the same bits.
"""

from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from cardwin.cards.tables import win_odds_store
from cardwin.core.executor import Executor, Serial
from cardwin.core.experiment import Experiment
from cardwin.core.rng import child, stream_of
from cardwin.core.trainer import Generation, PrimaryMetric, Record, State, digest_of
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.specs import split_spec
from cardwin.players.cfr.buckets import Buckets, make_buckets
from cardwin.players.cfr.files import SUFFIX, Blueprint, shares_of, write
from cardwin.players.cfr.traversal import Tables, deal_block, traverse_deals
from cardwin.players.cfr.tree import Reals, betting_of, row_starts, tree_of

COMMAND = "train"
SEATS = "seats"  # the population of the record
BLOCK = 20_000  # deals: copying the regrets takes a twentieth of a block's time
MAX_ITERATIONS = 10**12
MAX_HOURS = 10_000.0
NO_LIMIT_BUCKETS = {"flop": (40, 10), "turn": (40, 10), "river": 400}
SAMPLED = 997  # a step's digest contains every 997th number of the tables
TIMED_BLOCKS = 4  # before a run that is given in hours
UNIT = 1000.0  # thousandths of a big blind
Count = Annotated[int, Field(ge=1, le=10_000)]


class CfrExperiment(Experiment):
    """Train a blueprint: the game, the number of deals, and the buckets.

    Attributes:
        game: The game: holdem-limit or holdem-nl, with parameters.
        iterations: Deals, each walked for both seats.
        block: Deals between two steps of the run.
        flop: Buckets on the flop: rows of strength times columns of potential.
        turn: Buckets on the turn: rows of strength times columns of potential.
        river: Buckets of strength on the river.

    """

    LENGTH: ClassVar[str] = "iterations"

    kind: Literal["cfr"] = "cfr"
    game: str = "holdem-limit"
    iterations: Annotated[int, Field(ge=1, le=MAX_ITERATIONS)] = 100_000_000
    block: Annotated[int, Field(ge=1, le=10_000_000)] = BLOCK
    flop: tuple[Count, Count] = (50, 20)
    turn: tuple[Count, Count] = (50, 20)
    river: Count = 1000

    @property
    def rules(self) -> HoldemGame:
        """The game."""
        return holdem_game(*split_spec(self.game))

    @property
    def steps(self) -> int:
        """The number of blocks."""
        return -(-self.iterations // self.block)

    @property
    def short_name(self) -> str:
        """The default name of a run's folder."""
        return f"cfr-{self.rules.kind}"


EXPERIMENT = CfrExperiment


def default_keys(game: str) -> dict[str, Any]:
    """Return the keys of an experiment for a game: no-limit betting has fewer buckets."""
    return {"game": game, **(NO_LIMIT_BUCKETS if game.startswith("holdem-nl") else {})}


def check(experiment: CfrExperiment) -> None:
    """Raise an InputError if a blueprint cannot be computed for the game."""
    betting_of(experiment.rules)


class CfrTrainer:
    """Regrets and strategy sums of both seats, (slots,) each."""

    def __init__(self, experiment: CfrExperiment, executor: Executor | None = None) -> None:
        self.experiment = experiment
        self.executor: Executor = Serial() if executor is None else executor
        self.odds = win_odds_store.load_or_build()
        self.buckets: Buckets = make_buckets(self.odds, (experiment.flop, experiment.turn, (experiment.river, 1)))
        self.tree = tree_of(betting_of(experiment.rules))
        self.starts = row_starts(self.tree, self.buckets.counts())
        sizes = [int(size) for size in self.starts[:, -1]]
        self.regrets: list[Reals] = [np.zeros(size, np.float32) for size in sizes]
        self.sums: list[Reals] = [np.zeros(size, np.float32) for size in sizes]
        self.fixed: list[Reals] = [np.zeros(size, np.float32) for size in sizes]
        self.blocks, self.nodes, self.value = 0, 0, 0.0
        self.file: Path | None = None

    def step(self, key: int) -> Generation:
        """Walk one block of deals for both seats."""
        for seat in (0, 1):
            self.fixed[seat][:] = self.regrets[seat]
        self.blocks += 1
        walks = list(self.executor.map(partial(walk, self, key), (0, 1)))
        nodes = sum(visited for visited, _ in walks)
        value = (walks[0][1] - walks[1][1]) / 2 * UNIT
        self.nodes += nodes
        # Later blocks count more, as in the averages.
        self.value += (value - self.value) * 2 / (self.blocks + 1)
        return Generation(
            PrimaryMetric("button value", self.value),
            {SEATS: {"nodes": float(self.nodes), "value of this block": value}},
            digest=digest_of(value, nodes, *(table[::SAMPLED] for table in (*self.regrets, *self.sums))),
        )

    def state(self) -> State:
        """Return all tables."""
        tables = {f"regrets_{seat}": self.regrets[seat] for seat in (0, 1)}
        sums = {f"sums_{seat}": self.sums[seat] for seat in (0, 1)}
        return {**tables, **sums, "blocks": np.array([self.blocks, self.nodes]), "value": np.array([self.value])}

    def load(self, state: State) -> None:
        """Continue from a saved state."""
        for seat in (0, 1):
            self.regrets[seat][:] = state[f"regrets_{seat}"]
            self.sums[seat][:] = state[f"sums_{seat}"]
        self.blocks, self.nodes = (int(count) for count in state["blocks"])
        self.value = float(state["value"][0])

    def blueprint(self) -> Blueprint:
        """Return the average strategy so far."""
        experiment = self.experiment
        shares = tuple(shares_of(self.tree, self.buckets.counts(), seat, self.sums[seat]) for seat in (0, 1))
        about = {
            "iterations": self.blocks * experiment.block,
            "nodes": self.nodes,
            "seed": experiment.seed,
            "button_value": self.value,
        }
        return Blueprint(experiment.rules.name, self.tree, self.buckets, shares, about)

    def write_champions(self, folder: Path) -> list[Path]:
        """Write the blueprint, quantised."""
        self.file = folder / f"blueprint{SUFFIX}"
        write(self.file, self.blueprint())
        return [self.file]

    def answer(self, record: Record) -> dict[str, Any]:  # noqa: ARG002  everything is in the state
        """Return the number of iterations and the button's value."""
        slots = int(self.starts[:, -1].sum())
        sets = int(sum(self.buckets.counts()[street] for street in self.tree.street))
        return {
            "game": self.experiment.rules.name,
            "iterations": self.blocks * self.experiment.block,
            "nodes": self.nodes,
            "information_sets": sets,
            "actions": slots,
            "button_value": self.value,
            "unit": "mbb/g",
            "bytes": self.file.stat().st_size if self.file else 0,
            "file": str(self.file),
        }


def walk(trainer: CfrTrainer, key: int, seat: int) -> tuple[int, float]:
    """Walk a block for one traverser; return the nodes visited and its mean value in big blinds."""
    deals = trainer.experiment.block
    buckets, results, values = np.zeros((deals, 2, 4), np.int64), np.zeros(deals, np.int64), np.zeros(deals)
    deal_block(trainer.buckets, trainer.odds, stream_of(child(key, 2 * seat)), buckets, results)
    fixed, sums = trainer.fixed[1 - seat], trainer.sums[1 - seat]
    tables = Tables(trainer.regrets[seat], fixed, sums, trainer.starts, float(trainer.blocks))
    visited = traverse_deals(trainer.tree, tables, buckets, results, seat, child(key, 2 * seat + 1), values)
    return int(visited), float(values.sum() / len(values))


def trainer(experiment: CfrExperiment, executor: Executor, folder: Path) -> CfrTrainer:  # noqa: ARG001
    """Return the trainer of an experiment."""
    return CfrTrainer(experiment, executor)


def iterations_in(experiment: CfrExperiment, hours: float, executor: Executor) -> int:
    """Return the number of deals that take some hours, from the time of a few blocks; whole blocks, at least one."""
    timed = CfrTrainer(experiment, executor)
    timed.step(0)  # compiles
    start = perf_counter()
    for number in range(TIMED_BLOCKS):
        timed.step(1 + number)
    seconds = (perf_counter() - start) / TIMED_BLOCKS
    return max(round(hours * 3600 / seconds), 1) * experiment.block
