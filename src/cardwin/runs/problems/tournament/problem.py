"""Evolution of hold'em players by tournaments (Nicolai and Hilderman, sections 4.4 and 4.5).

1. All members of the populations and the halls play a number of tournaments together. A job plays a fixed chunk of them
   from their numbers alone, so the result does not depend on workers or restarts.
2. Fitness is minus the mean place, or optionally hands won, mbb per hand, or tournaments won.
   Each population is ranked separately.
3. The best `keep` of a population survive, breed and, if there are halls, are candidates for its hall: the futility
   rule compares them with members evaluated in the same tournaments.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.arena.tournament import Results, Structure, Tournaments
from cardwin.core.arrays import Floats, Ints
from cardwin.core.executor import Executor
from cardwin.core.files import write_atomic
from cardwin.core.rng import child, generator_of, key_of
from cardwin.core.trainer import PrimaryMetric
from cardwin.evolution import Archive, Genome, Hall, Population, SearchSettings
from cardwin.evolution.genetic import fittest
from cardwin.evolution.hall import gene_spread, reliability
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.compiled import CompiledPlayers, population
from cardwin.players.network.decision import WEIGHTS, count_genes, weights_of
from cardwin.players.network.files import SUFFIX, file_of
from cardwin.players.network.networks import NetworkForm, network_population
from cardwin.players.network.preflop import preflop_style
from cardwin.players.robots import kernels
from cardwin.players.robots.compiled import robots_in
from cardwin.players.robots.robot import MATRIX, Matrix, expert_matrix, matrix_text
from cardwin.runs.experiment import as_toml
from cardwin.runs.problem import Champion, Evaluation, Figures
from cardwin.runs.problems.tournament import TournamentEvolutionExperiment, form_like
from cardwin.runs.problems.tournament.mixed_field import Field as MixedField
from cardwin.runs.problems.tournament.mixed_field import (
    MixedEvaluation,
    MixedResults,
    fixed_networks,
    play_field,
    play_member,
)
from cardwin.stats.intervals import student_interval

CHUNK_PLAYERS = 4096  # players in a chunk, over all its tournaments, approximately
FINALISTS = 4  # who play all tournaments of a final
MIN_SHARE = 16  # a round of a final has at least this part of them
PARTS = 10  # of the tournaments that give the champion's stated fitness, for its interval
MIN_WEIGHT = 0.001  # of a matrix cell, so that its weights can be normalised
Halls = Mapping[str, Archive]  # by population
CELLS = (kernels.STRENGTHS, kernels.COSTS, 3)


@dataclass(frozen=True)
class NetworkReading:
    """Makes players from rows of genes (players, genes).

    Attributes:
        like: A network with the shape, odds and bet sizes of all.
        genes: The meaning of the genes (players/network/decision.py).

    """

    like: NetworkForm
    genes: str = WEIGHTS

    def players(self, genomes: Population) -> CompiledPlayers:
        """Return a population as the kernels' arrays, without a copy if genes are weights."""
        return network_population(weights_of(genomes, self.like.shape, self.genes), self.like)


@dataclass(frozen=True)
class MatrixReading:
    """Makes matrix players from rows of cells (players, cells)."""

    rollouts: int

    def players(self, genomes: Population) -> CompiledPlayers:
        """Return a population as the kernels' arrays: named parameters, then the cells."""
        named = np.tile(MATRIX.values({"rollouts": str(self.rollouts)}), (len(genomes), 1))
        parameters = np.concatenate([named, genomes], axis=1)
        return population(MATRIX.compiled, robots_in(parameters), len(genomes))


Reading = NetworkReading | MatrixReading


@dataclass(frozen=True)
class Sums:
    """Sums over tournaments, (players,) each.

    Attributes:
        tournaments: The number of tournaments.
        places: Places, from 1.
        wins: Tournaments won.
        hands: Hands dealt.
        won: Winnings in mbb.
        taken: Hands that ended with more chips than they began.

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

    def outlived(self, mean_place: Floats | float) -> float:
        """Return the share of the other players that a player of this mean place outlasted: 1 is always first."""
        return float(1 - (mean_place - 1) / (len(self.places) - 1))


def sums_of(results: Results) -> Sums:
    """Return the sums of some tournaments."""
    wins = (results.ranks == 1).sum(axis=0)
    places, hands, won, taken = (
        rows.sum(axis=0) for rows in (results.ranks, results.hands, results.won, results.taken)
    )
    return Sums(len(results.ranks), places, wins, hands, won, taken)


def added(parts: Sequence[Sums]) -> Sums:
    """Return the sum of several chunks, added in order."""
    total = vars(parts[0])
    for part in parts[1:]:
        total = {name: value + getattr(part, name) for name, value in total.items()}
    return Sums(**total)


@dataclass(frozen=True)
class Series:
    """Where genomes play: the game, the structure of tournaments, and how genomes become players."""

    game: HoldemGame
    structure: Structure
    reading: Reading

    def play_chunk(self, genomes: Population, key: int, chunk: range) -> Sums:
        """Play the tournaments with these numbers."""
        series = Tournaments(self.game, self.reading.players(genomes), key, self.structure)
        return sums_of(series.play(chunk.start, len(chunk)))

    def play(
        self, genomes: Population, key: int, tournaments: int, executor: Executor
    ) -> tuple[Sums, tuple[Sums, Sums] | None]:
        """Play all tournaments of a generation of genomes (players, genes).

        Returns:
            The sums of all, and those of every other chunk if there are several.

        """
        size = max(1, CHUNK_PLAYERS // len(genomes))
        chunks = [range(first, min(first + size, tournaments)) for first in range(0, tournaments, size)]
        parts = list(executor.map(partial(self.play_chunk, genomes, key), chunks))
        return added(parts), (added(parts[::2]), added(parts[1::2])) if len(parts) > 1 else None


def matrix_of(genes: Population) -> Matrix:
    """Return a member's matrix: in every cell three weights that sum to 1."""
    cells: Matrix = np.asarray(genes, np.float64).reshape(CELLS)
    matrix: Matrix = cells / cells.sum(axis=-1, keepdims=True)
    return matrix


class TournamentProblem:
    """Populations of networks, or of matrix players."""

    def __init__(self, experiment: TournamentEvolutionExperiment) -> None:
        self.experiment, self.like = experiment, form_like(experiment)
        self.game, self.structure = experiment.rules, experiment.structure.structure
        self.networks, self.gene_kind = experiment.player == "network", experiment.network.genes
        self.genes = count_genes(self.like.shape, self.gene_kind) if self.networks else int(np.prod(CELLS))
        reading: Reading = (
            NetworkReading(self.like, self.gene_kind) if self.networks else MatrixReading(experiment.matrix.rollouts)
        )
        self.series = Series(self.game, self.structure, reading)
        self.survivors = experiment.survivors
        self._fixed = np.zeros((0, self.like.shape.weights), np.float32)
        if experiment.fitness == "mixed":
            self._fixed = fixed_networks(experiment.field.networks, self.like)

    @property
    def populations(self) -> tuple[str, ...]:
        """The names in the experiment."""
        return self.experiment.populations

    def form_of(self, genes: Population) -> NetworkForm:
        """Return a member's network."""
        return replace(self.like, weights=weights_of(genes, self.like.shape, self.gene_kind))

    def style_of(self, genes: Population) -> Mapping[str, float]:
        """Return a network's style before the flop; nothing for a matrix player."""
        return preflop_style(self.form_of(genes)) if self.networks else {}

    def genome(self, name: str) -> Genome:  # noqa: ARG002  all populations are alike
        """Return unbounded weights, initially between -1 and 1; or the weights of a matrix, between 0 and 1.

        Weights of normalised inputs begin between -1/2 and 1/2: sums of hidden nodes then have a deviation of about 1.
        """
        if self.networks:
            return Genome.unbounded(self.genes, spread=1.0 if self.gene_kind == WEIGHTS else 0.5, dtype=np.float32)
        return Genome.real(self.genes, MIN_WEIGHT, 1.0)

    def initial_members(self, name: str) -> Population:
        """Return a whole population of matrices near the expert's, with a head start."""
        genome, matrix = self.genome(name), self.experiment.matrix
        if self.networks or not matrix.head_start:
            return np.zeros((0, self.genes), genome.dtype)
        rng = generator_of(key_of(self.experiment.seed or 0, "head start", name))
        noise = matrix.spread * rng.standard_normal((self.experiment.population.size, self.genes))
        noise[0] = 0.0
        return np.clip(expert_matrix().reshape(1, -1) + noise, MIN_WEIGHT, 1.0)

    def settings(self, name: str) -> SearchSettings:  # noqa: ARG002  all populations are alike
        """Return the search: survivors stay, and are the only parents unless the experiment names another selection."""
        search, survivors, size = self.experiment.search, self.survivors, self.experiment.population.size
        if search.selection != SearchSettings().selection:
            return replace(search, elites=survivors)
        return replace(search, selection="truncation", parents=survivors / size, elites=survivors)

    def hall(self, name: str, key: int) -> Archive:
        """Return a hall of genomes; with capacity 0 it stays empty."""
        settings, dtype = self.experiment.hall, self.genome(name).dtype
        return Hall(self.genes, settings.capacity, settings.replaces, dtype=dtype, growth=settings.growth, key=key)

    def has_fixed_opponents(self, name: str) -> bool:  # noqa: ARG002
        """Return False: opponents change with every generation."""
        return False

    def evaluate(
        self, populations: Mapping[str, Population], halls: Halls, key: int, executor: Executor
    ) -> "TournamentEvaluation | MixedEvaluation":
        """Play one series of tournaments of all members; or each member's tables and matches in a mixed field."""
        if self.experiment.fitness == "mixed":
            (name,) = self.populations
            members, hall = populations[name], halls[name].members
            results = self._in_field(members, hall, self.experiment.tournaments, key, executor)
            return MixedEvaluation(name, members, results, len(hall), self.style_of)
        living = [populations[name] for name in self.populations]
        parts = [*living, *(halls[name].members for name in self.populations)]
        genomes = np.ascontiguousarray(np.concatenate(parts))
        sums, halves = self.series.play(genomes, key, self.experiment.tournaments, executor)
        ends = np.cumsum([len(part) for part in parts])
        slices = [slice(end - len(part), end) for end, part in zip(ends, parts, strict=True)]
        alive = dict(zip(self.populations, slices[: len(living)], strict=True))
        hall_members = dict(zip(self.populations, slices[len(living) :], strict=True))
        return TournamentEvaluation(self, populations, sums, alive, hall_members, halves)

    def _in_field(
        self, members: Population, hall: Population, tournaments: int, key: int, executor: Executor
    ) -> MixedResults:
        """Play members in the mixed field: tournaments, and heads-up deals and ring tables in proportion."""
        settings, full = self.experiment.field, self.experiment.tournaments
        deals, rings = max(2, settings.deals * tournaments // full), settings.rings * tournaments // full
        drawn = settings.model_dump(exclude={"networks"})
        field = MixedField(**drawn | {"tournaments": tournaments, "deals": deals, "rings": rings})
        opponents = np.concatenate([weights_of(hall, self.like.shape, self.gene_kind), self._fixed])
        play = partial(play_member, self.game, self.structure, field, self.like, opponents, key)
        return play_field(play, weights_of(members, self.like.shape, self.gene_kind), executor)

    def final(self, name: str, living: Population, halls: Halls, key: int, executor: Executor) -> Champion | None:
        """Choose the champion among the living and the hall by fresh tournaments, halving the field until one is left.

        Every round has twice as many tournaments as the one before, and the last `final`. The stated fitness is from
        `final` further tournaments, after the choice, in parts that give its interval.

        Returns:
            The champion, or None if the experiment has no final.

        """
        if not self.experiment.final:
            return None
        left = np.unique(np.concatenate([living, hall]), axis=0) if len(hall := halls[name].members) else living
        fresh = partial(self.fresh_fitness, name, living, halls, executor)
        number = 0
        while len(left) > FINALISTS:
            rounds_left = math.ceil(math.log2(len(left) / FINALISTS))
            tournaments = max(1, self.experiment.final // min(2**rounds_left, MIN_SHARE))
            fitness = fresh(left, tournaments, child(key, number))
            left = left[np.sort(fittest(fitness, max(FINALISTS, len(left) // 2)))]
            number += 1
        fitness = fresh(left, self.experiment.final, child(key, number))
        best = left[int(np.argmax(fitness))]
        # The best of several was chosen by those results, so they flatter it: it plays once more.
        part = max(1, self.experiment.final // PARTS)
        keys = [child(key, number + 1 + further) for further in range(PARTS)]
        stated = student_interval(np.concatenate([fresh(best[None], part, part_key) for part_key in keys]))
        return Champion(best.copy(), stated.mean, stated.mean, stated.ci95)

    def fresh_fitness(
        self,
        name: str,
        living: Population,
        halls: Halls,
        executor: Executor,
        members: Population,
        tournaments: int,
        key: int,
    ) -> Floats:
        """Return the fitness of some members by fresh tournaments, among the living and the halls."""
        if self.experiment.fitness == "mixed":
            return self._in_field(members, halls[name].members, tournaments, key, executor).fitness
        others = [living, *(halls[population].members for population in self.populations)]
        genomes = np.ascontiguousarray(np.concatenate([members, *others]))
        sums, _ = self.series.play(genomes, key, tournaments, executor)
        return self.value(sums)[: len(members)]

    def value(self, sums: Sums) -> Floats:
        """Return the fitness of all players (players,)."""
        value: dict[str, Floats] = {
            "place": -sums.mean_place,
            "hands": sums.taken / sums.tournaments,
            "chips": sums.mbb_per_hand,
            "wins": sums.win_share,
        }
        return value[self.experiment.fitness]

    def primary_metric(
        self,
        evaluation: Evaluation,
        champions: Mapping[str, Champion],
        halls: Halls,  # noqa: ARG002
    ) -> PrimaryMetric:
        """Return the mean share of the field that the best member of all populations outlasted: 1 is always first."""
        if isinstance(evaluation, MixedEvaluation):
            return PrimaryMetric("fitness", champions[evaluation.name].fitness)
        if not isinstance(evaluation, TournamentEvaluation):
            raise TypeError("the evaluation belongs to another problem")
        sums = evaluation.sums
        best = min(float(sums.mean_place[evaluation.best_index(name)]) for name in self.populations)
        return PrimaryMetric("outlived", sums.outlived(best))

    def write_champions(self, folder: Path, champions: Mapping[str, Champion], halls: Halls) -> list[Path]:
        """Write a file for each population: safetensors for networks, JSON for matrices, each with its lineage."""
        written = []
        for name in self.populations:
            champion, lineage = champions[name], self._lineage(name, champions[name], halls[name])
            if self.networks:
                path, content = folder / f"{name}{SUFFIX}", file_of(self.form_of(champion.genes), lineage)
            else:
                path = folder / f"{name}.json"
                content = matrix_text(matrix_of(champion.genes), lineage).encode()
            write_atomic(path, content)
            written.append(path)
        return written

    def _lineage(self, name: str, champion: Champion, hall: Archive) -> dict[str, str]:
        interval = {} if champion.ci95 is None else {"fitness_ci95": repr(champion.ci95)}
        return {
            "population": name,
            "generation": str(self.experiment.generations),
            "fitness": repr(champion.fitness),
            "entered_the_hall": str(hall.count),
            "experiment": as_toml(self.experiment.without_cluster),
            **interval,
        }

    def answer(self, champions: Mapping[str, Champion]) -> dict[str, Any]:
        """Return the game, and each population's champion."""
        best: list[dict[str, Any]] = []
        for name in self.populations:
            fitness, ci95 = champions[name].fitness, champions[name].ci95
            interval = {} if ci95 is None else {"low": fitness - ci95, "high": fitness + ci95}
            best.append({"population": name, "fitness": fitness, **interval})
        return {"game": self.experiment.game, "best": best}


@dataclass(frozen=True)
class TournamentEvaluation:
    """One evaluated generation: the tournaments' sums, and the slices of each population and hall in them."""

    problem: TournamentProblem
    populations: Mapping[str, Population]
    sums: Sums
    alive: Mapping[str, slice]
    hall_members: Mapping[str, slice]
    halves: tuple[Sums, Sums] | None = None

    @cached_property
    def value(self) -> Floats:
        """The fitness of all members, halls included."""
        return self.problem.value(self.sums)

    @cached_property
    def fitness(self) -> Mapping[str, Floats]:
        """The fitness that selection uses."""
        return {name: self.value[rows] for name, rows in self.alive.items()}

    @property
    def values(self) -> Mapping[str, Floats]:
        """The fitness itself: noise-free fitness is unknown."""
        return self.fitness

    def best_index(self, name: str) -> int:
        """Return the index of a population's fittest member among all players."""
        return int(self.alive[name].start + np.argmax(self.fitness[name]))

    def admit(self, name: str, hall: Archive) -> None:
        """Offer the survivors to the hall, whose members played the same tournaments."""
        survivors = fittest(self.fitness[name], self.problem.survivors)
        hall.set_fitness(self.value[self.hall_members[name]])
        hall.add(self.populations[name][survivors], self.fitness[name][survivors])

    def figures(self, name: str) -> Figures:
        """Return results of the best member and of the hall, and the best member's style before the flop."""
        sums, best, alive, hall = self.sums, self.best_index(name), self.alive[name], self.hall_members[name]
        hall_places = sums.mean_place[hall]
        metrics = {
            "best_place": float(sums.mean_place[best]),
            "best_outlived": sums.outlived(sums.mean_place[best]),
            "mean_outlived": sums.outlived(sums.mean_place[alive].mean()),
            "best_mbb": float(sums.mbb_per_hand[best]),
            "best_wins": float(sums.win_share[best]),
            "hands": float(sums.hands.sum() / sums.tournaments),
            "hall": float(len(hall_places)),
            "spread": gene_spread(self.populations[name]),
        }
        if self.halves is not None:
            first, second = (self.problem.value(half)[alive] for half in self.halves)
            metrics["reliability"] = reliability(first, second)
        if len(hall_places):
            metrics["hall_outlived"] = sums.outlived(hall_places.mean())
        return Figures({**metrics, **self.problem.style_of(self.populations[name][best - alive.start])}, {})
