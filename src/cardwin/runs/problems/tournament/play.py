"""A generation's tournaments: all members of the populations and the halls play together, many times.

A job plays a fixed chunk of tournaments from their numbers alone, so the result does not depend on workers or restarts.
Populations are the arrays that kernels read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from cardwin.arena.tournament import Results, Structure, Tournaments
from cardwin.core.arrays import Floats, Ints
from cardwin.core.executor import Executor
from cardwin.evolution import Population
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.compiled import CompiledPlayers, population
from cardwin.players.network.genes import WEIGHTS, weights_of
from cardwin.players.network.networks import NetworkForm, network_population
from cardwin.players.robots.compiled import robots_in
from cardwin.players.robots.robot import MATRIX


@dataclass(frozen=True)
class NetworkReading:
    """Makes players from rows of genes (players, genes); `like` has the network's shape, odds and bet sizes.

    What the genes are is said by `genes` (players/network/genes.py).
    """

    like: NetworkForm
    genes: str = WEIGHTS

    def players(self, genomes: Population) -> CompiledPlayers:
        """A population as the kernels' arrays, without a copy if genes are weights."""
        return network_population(weights_of(genomes, self.like.shape, self.genes), self.like)


@dataclass(frozen=True)
class MatrixReading:
    """Makes matrix players from rows of cells (players, cells)."""

    rollouts: int

    def players(self, genomes: Population) -> CompiledPlayers:
        """A population as the kernels' arrays: named parameters, then the cells."""
        texts = {"rollouts": str(self.rollouts)}
        named = np.tile(MATRIX.values(texts), (len(genomes), 1))
        parameters = np.concatenate([named, genomes], axis=1)
        return population(MATRIX.compiled, robots_in(parameters), len(genomes))


Reading = NetworkReading | MatrixReading


@dataclass(frozen=True)
class Sums:
    """Sums over tournaments, (players,) each: places, wins, hands dealt, mbb won, and hands won (those that ended with
    more chips than they began).
    """

    tournaments: int
    places: Floats
    wins: Ints
    hands: Ints
    won: Floats
    taken: Ints

    @property
    def hands_dealt(self) -> int:
        """The number of hands dealt, counted once for each player in them."""
        return int(self.hands.sum())

    @property
    def hands_won(self) -> Floats:
        """Mean hands won in a tournament."""
        return self.taken / self.tournaments

    @property
    def mean_place(self) -> Floats:
        """Mean place, from 1."""
        return self.places / self.tournaments

    @property
    def mbb_per_hand(self) -> Floats:
        """Thousandths of a big blind (mbb) per hand."""
        return self.won / np.maximum(self.hands, 1)

    @property
    def win_share(self) -> Floats:
        """Share of tournaments won."""
        return self.wins / self.tournaments


def sums_of(results: Results) -> Sums:
    """The sums of some tournaments."""
    return Sums(
        len(results.place),
        results.place.sum(axis=0),
        (results.place == 1).sum(axis=0),
        results.hands.sum(axis=0),
        results.won.sum(axis=0),
        results.taken.sum(axis=0),
    )


def added(parts: Sequence[Sums]) -> Sums:
    """The sum of several chunks, added in order."""
    total = parts[0]
    for part in parts[1:]:
        total = Sums(
            total.tournaments + part.tournaments, total.places + part.places, total.wins + part.wins,
            total.hands + part.hands, total.won + part.won, total.taken + part.taken,
        )  # fmt: skip
    return total


def play_chunk(
    game: HoldemGame, structure: Structure, reading: Reading, genomes: Population, key: int, chunk: range
) -> Sums:
    """Play the tournaments with these numbers."""
    series = Tournaments(game, reading.players(genomes), key, structure)
    return sums_of(series.play(chunk.start, len(chunk)))


CHUNK_PLAYERS = 4096  # players in a chunk, over all its tournaments, approximately


def play_generation(
    game: HoldemGame, structure: Structure, reading: Reading, genomes: Population, key: int, tournaments: int,
    executor: Executor,
) -> tuple[Sums, tuple[Sums, Sums] | None]:  # fmt: skip
    """Play all tournaments of a generation of genomes (players, genes); all of them, and every other chunk apart."""
    size = max(1, CHUNK_PLAYERS // len(genomes))
    chunks = [range(first, min(first + size, tournaments)) for first in range(0, tournaments, size)]
    job = partial(play_chunk, game, structure, reading, genomes, key)
    parts = list(executor.map(job, chunks))
    return added(parts), (added(parts[::2]), added(parts[1::2])) if len(parts) > 1 else None
