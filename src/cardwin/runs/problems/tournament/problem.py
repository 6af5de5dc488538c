"""Evolution of hold'em players by tournaments (Nicolai and Hilderman, sections 4.4 and 4.5).

1. All members of the populations and the halls play a number of tournaments together.
2. Fitness is minus the mean place, or optionally hands won, mbb per hand, or tournaments won.
   Each population is ranked separately.
3. The best `keep` of a population survive, breed and, if there are halls, are candidates for its hall: the futility
   rule compares them with members evaluated in the same tournaments.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.executor import Executor
from cardwin.core.files import write_atomic
from cardwin.core.rng import child, generator_of, key_of
from cardwin.core.trainer import PrimaryMetric
from cardwin.evolution import Archive, Genome, Hall, Population, SearchSettings
from cardwin.evolution.genetic import fittest
from cardwin.players.network.files import SUFFIX, file_of
from cardwin.players.network.forward import Shape
from cardwin.players.network.genes import WEIGHTS, count_genes, weights_of
from cardwin.players.network.preflop import preflop_style
from cardwin.players.robots import kernels
from cardwin.players.robots.robot import Matrix, expert_matrix, matrix_text
from cardwin.runs.experiment import as_toml
from cardwin.runs.problem import Champion, Evaluation, Figures
from cardwin.runs.problems.tournament.mixed_field import (
    RING_SCALE,
    MixedResults,
    fixed_networks,
    play_field,
    play_member,
)
from cardwin.runs.problems.tournament.mixed_field import Field as MixedField
from cardwin.runs.problems.tournament.play import MatrixReading, NetworkReading, Reading, Sums, play_generation
from cardwin.runs.problems.tournament.settings import TournamentEvolutionExperiment, form_like
from cardwin.runs.problems.tournament.settings import form_of as form_of
from cardwin.stats.intervals import student_interval

FINALISTS = 4  # who play all tournaments of a final
LEAST_SHARE = 16  # a round of a final has this part of them at least
PARTS = 10  # of the tournaments that give the champion's stated fitness, for its interval
LEAST_WEIGHT = 0.001  # minimum of a matrix cell's weights, so that they can be normalised
CELLS = (kernels.STRENGTHS, kernels.COSTS, 3)


def matrix_of(genes: Population) -> Matrix:
    """A member's matrix: in every cell three weights that sum to 1."""
    cells: Matrix = np.asarray(genes, np.float64).reshape(CELLS)
    whole: Matrix = cells / cells.sum(axis=-1, keepdims=True)
    return whole


class TournamentProblem:
    """Populations of networks, or of matrix players."""

    def __init__(self, experiment: TournamentEvolutionExperiment) -> None:
        self.experiment = experiment
        self.game, self.structure = experiment.rules, experiment.structure.structure
        shape = Shape(hidden=experiment.network.hidden, activation=experiment.network.activation)
        kind = experiment.network.genes
        self.genes = count_genes(shape, kind) if experiment.player == "network" else int(np.prod(CELLS))
        self.reading: Reading = (
            NetworkReading(form_like(experiment), kind)
            if experiment.player == "network"
            else MatrixReading(experiment.matrix.rollouts)
        )
        self._fixed = np.zeros((0, shape.weights), np.float32)
        if experiment.fitness == "mixed":
            self._fixed = fixed_networks(experiment.field.networks, form_like(experiment))

    @property
    def populations(self) -> tuple[str, ...]:
        """The names in the experiment."""
        return self.experiment.populations

    def genome(self, name: str) -> Genome:  # noqa: ARG002  all populations are alike
        """Unbounded weights, initially between -1 and 1; or the weights of a matrix, between 0 and 1.

        Of normalised inputs they begin between -1/2 and 1/2: sums of hidden nodes then have a deviation of about 1.
        """
        if self.experiment.player == "network":
            spread = 1.0 if self.experiment.network.genes == WEIGHTS else 0.5
            return Genome.unbounded(self.genes, spread=spread, dtype=np.float32)
        return Genome.real(self.genes, LEAST_WEIGHT, 1.0)

    def given(self, name: str) -> Population:
        """With a head start, a whole population of matrices near the expert's."""
        genome, how = self.genome(name), self.experiment.matrix
        if self.experiment.player != "matrix" or not how.head_start:
            return np.zeros((0, self.genes), genome.dtype)
        rng = generator_of(key_of(self.experiment.seed or 0, "head start", name))
        noise = how.spread * rng.standard_normal((self.experiment.population.size, self.genes))
        noise[0] = 0.0
        return np.clip(expert_matrix().reshape(1, -1) + noise, LEAST_WEIGHT, 1.0)

    def settings(self, name: str) -> SearchSettings:  # noqa: ARG002  all populations are alike
        """The kept stay. They are also the only parents, unless the experiment names an unusual selection."""
        search, kept, size = self.experiment.search, self.experiment.kept, self.experiment.population.size
        if search.selection != SearchSettings().selection:
            return replace(search, elites=kept)
        return replace(search, selection="truncation", parents=kept / size, elites=kept)

    def hall(self, name: str, key: int) -> Archive:
        """A hall of genomes; with capacity 0 it stays empty."""
        how, genome = self.experiment.hall, self.genome(name)
        return Hall(self.genes, how.capacity, how.replaces, dtype=genome.dtype, growth=how.growth, key=key)

    def fixed(self, name: str) -> bool:  # noqa: ARG002  opponents always change
        """Opponents change with every generation."""
        return False

    def evaluate(
        self, asked: Mapping[str, Population], halls: Mapping[str, Archive], key: int, executor: Executor
    ) -> "TournamentEvaluation | MixedEvaluation":
        """One series of tournaments of all members; or each member's tables and heads-up matches in a mixed field."""
        if self.experiment.fitness == "mixed":
            (name,) = self.populations
            results = self._in_field(asked[name], halls[name].members, self.experiment.tournaments, key, executor)
            return MixedEvaluation(self, name, asked[name], results, len(halls[name].members))
        living = [asked[name] for name in self.populations]
        members = [halls[name].members for name in self.populations]
        everybody = np.ascontiguousarray(np.concatenate([*living, *members]))
        sums, halves = play_generation(
            self.game, self.structure, self.reading, everybody, key, self.experiment.tournaments, executor
        )
        ends = np.cumsum([len(part) for part in (*living, *members)])
        places = [slice(end - len(part), end) for end, part in zip(ends, (*living, *members), strict=True)]
        alive = dict(zip(self.populations, places[: len(living)], strict=True))
        hall_members = dict(zip(self.populations, places[len(living) :], strict=True))
        return TournamentEvaluation(self, asked, sums, alive, hall_members, halves)

    def _in_field(
        self, members: Population, hall: Population, tournaments: int, key: int, executor: Executor
    ) -> MixedResults:
        """Members in the mixed field with this number of tournaments, and as many deals heads-up in proportion."""
        how = self.experiment.field
        deals = max(2, how.deals * tournaments // self.experiment.tournaments)
        rings = how.rings * tournaments // self.experiment.tournaments
        drawn = how.model_dump(exclude={"networks"}) | {"tournaments": tournaments, "deals": deals, "rings": rings}
        field = MixedField(**drawn)
        like, kind = form_like(self.experiment), self.experiment.network.genes
        opponents = np.concatenate([weights_of(hall, like.shape, kind), self._fixed])
        play = partial(play_member, self.game, self.structure, field, like, opponents, key)
        return play_field(play, weights_of(members, like.shape, kind), executor)

    def final(
        self, name: str, living: Population, halls: Mapping[str, Archive], key: int, executor: Executor
    ) -> Champion | None:
        """The champion among the living and the hall by fresh tournaments, halving the field until one is left.

        Every round has twice as many tournaments as the one before, and the last `final`. The stated fitness is from
        `final` further tournaments, after the choice, in parts that give its interval.
        """
        if not self.experiment.final:
            return None
        hall = halls[name].members
        left = np.unique(np.concatenate([living, hall]), axis=0) if len(hall) else living
        fresh = partial(self.fresh_fitness, name, living, halls, executor)
        number = 0
        while len(left) > FINALISTS:
            rounds_left = math.ceil(math.log2(len(left) / FINALISTS))
            tournaments = max(1, self.experiment.final // min(2**rounds_left, LEAST_SHARE))
            fitness = fresh(left, tournaments, child(key, number))
            left = left[np.sort(fittest(fitness, max(FINALISTS, len(left) // 2)))]
            number += 1
        fitness = fresh(left, self.experiment.final, child(key, number))
        best = left[int(np.argmax(fitness))]
        # The best of several was chosen by those results, so they flatter it: it plays once more.
        part = max(1, self.experiment.final // PARTS)
        keys = [child(key, number + 1 + further) for further in range(PARTS)]
        stated = student_interval(np.concatenate([fresh(best[None], part, one) for one in keys]))
        return Champion(best.copy(), stated.mean, stated.mean, stated.ci95)

    def fresh_fitness(
        self, name: str, living: Population, halls: Mapping[str, Archive], executor: Executor, members: Population,
        tournaments: int, key: int,
    ) -> Floats:  # fmt: skip
        """The fitness of some members by fresh tournaments, among the living and the halls."""
        if self.experiment.fitness == "mixed":
            return self._in_field(members, halls[name].members, tournaments, key, executor).fitness
        others = [living, *(halls[one].members for one in self.populations)]
        everybody = np.ascontiguousarray(np.concatenate([members, *others]))
        sums, _ = play_generation(self.game, self.structure, self.reading, everybody, key, tournaments, executor)
        return self.value(sums)[: len(members)]

    def value(self, sums: Sums) -> Floats:
        """The fitness of all members (players,)."""
        value: dict[str, Floats] = {
            "place": -sums.mean_place,
            "hands": sums.hands_won,
            "chips": sums.mbb_per_hand,
            "wins": sums.win_share,
        }
        return value[self.experiment.fitness]

    def primary(
        self,
        judged: Evaluation,
        champions: Mapping[str, Champion],
        halls: Mapping[str, Archive],  # noqa: ARG002
    ) -> PrimaryMetric:
        """The mean share of the field that the best member of all populations outlasted: 1 is always first."""
        if isinstance(judged, MixedEvaluation):
            (name,) = self.populations
            return PrimaryMetric("fitness", champions[name].fitness)
        if not isinstance(judged, TournamentEvaluation):
            raise TypeError("the evaluation belongs to another problem")
        best = min(float(judged.sums.mean_place[judged.best_place(name)]) for name in self.populations)
        return PrimaryMetric("outlived", 1 - (best - 1) / (len(judged.sums.places) - 1))

    def write_champions(
        self, folder: Path, champions: Mapping[str, Champion], halls: Mapping[str, Archive]
    ) -> list[Path]:
        """Write a file for each population: safetensors for networks, JSON for matrices, each with its lineage."""
        written = []
        for name in self.populations:
            lineage = self._lineage(name, champions[name], halls[name])
            if self.experiment.player == "network":
                path = folder / f"{name}{SUFFIX}"
                write_atomic(path, file_of(form_of(self.experiment, champions[name].genes), lineage))
            else:
                path = folder / f"{name}.json"
                write_atomic(path, matrix_text(matrix_of(champions[name].genes), lineage).encode())
            written.append(path)
        return written

    def _lineage(self, name: str, champion: Champion, hall: Archive) -> dict[str, str]:
        about = {
            "population": name,
            "generation": str(self.experiment.generations),
            "fitness": repr(champion.fitness),
            "entered_the_hall": str(hall.count),
            "experiment": as_toml(self.experiment.without_cluster),
        }
        return about if champion.ci95 is None else {**about, "fitness_ci95": repr(champion.ci95)}

    def answer(self, champions: Mapping[str, Champion]) -> dict[str, Any]:
        """The game, and each population's champion."""
        best: list[dict[str, Any]] = []
        for name in self.populations:
            one = champions[name]
            interval = {} if one.ci95 is None else {"low": one.fitness - one.ci95, "high": one.fitness + one.ci95}
            best.append({"population": name, "fitness": one.fitness, **interval})
        return {"game": self.experiment.game, "best": best}


@dataclass(frozen=True)
class TournamentEvaluation:
    """One evaluated generation: the tournaments' sums, and the slices of each population and hall in them."""

    problem: TournamentProblem
    asked: Mapping[str, Population]
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
        return {name: self.value[place] for name, place in self.alive.items()}

    @property
    def values(self) -> Mapping[str, Floats]:
        """The fitness itself: noise-free fitness is unknown."""
        return self.fitness

    def best_place(self, name: str) -> int:
        """The index of a population's fittest member among all players."""
        return int(self.alive[name].start + np.argmax(self.fitness[name]))

    def admit(self, name: str, hall: Archive) -> None:
        """The kept members are candidates; hall members played the same tournaments."""
        kept = fittest(self.fitness[name], self.problem.experiment.kept)
        hall.set_fitness(self.value[self.hall_members[name]])
        hall.add(self.asked[name][kept], self.fitness[name][kept])

    def figures(self, name: str) -> Figures:
        """Results of the best member and of the hall, and the best member's style before the flop."""
        sums, best, hall_members = self.sums, self.best_place(name), self.value[self.hall_members[name]]
        everybody = len(sums.places)
        metrics = {
            "best_place": float(sums.mean_place[best]),
            "best_outlived": float(1 - (sums.mean_place[best] - 1) / (everybody - 1)),
            "mean_outlived": float(1 - (sums.mean_place[self.alive[name]].mean() - 1) / (everybody - 1)),
            "best_mbb": float(sums.mbb_per_hand[best]),
            "best_wins": float(sums.win_share[best]),
            "hands": float(sums.hands.sum() / sums.tournaments),
            "hall": float(len(hall_members)),
        }
        metrics["spread"] = gene_spread(self.asked[name])
        if self.halves is not None:
            one, other = (self.problem.value(half)[self.alive[name]] for half in self.halves)
            metrics["reliability"] = reliability(one, other)
        if len(hall_members):
            metrics["hall_outlived"] = float(
                1 - (sums.mean_place[self.hall_members[name]].mean() - 1) / (everybody - 1)
            )
        if self.problem.experiment.player == "network":
            genes = self.asked[name][best - self.alive[name].start]
            metrics |= preflop_style(form_of(self.problem.experiment, genes))
        return Figures(metrics, {})


@dataclass(frozen=True)
class MixedEvaluation:
    """One generation in a mixed field."""

    problem: TournamentProblem
    name: str
    asked: Population
    results: MixedResults
    hall_size: int

    @property
    def fitness(self) -> Mapping[str, Floats]:
        """The fitness that selection uses."""
        return {self.name: self.results.fitness}

    @property
    def values(self) -> Mapping[str, Floats]:
        """The fitness itself: noise-free fitness is unknown."""
        return self.fitness

    def admit(self, name: str, hall: Archive) -> None:
        """The fittest member enters."""
        best = int(np.argmax(self.fitness[name]))
        hall.add(self.asked[best][None], self.fitness[name][best][None])

    def figures(self, name: str) -> Figures:  # noqa: ARG002  there is one population
        """Places, wins and heads-up results of the last member, which stands for the search if any does."""
        last, results = -1, self.results
        one, other = results.halves
        metrics = {
            "best_outlived": float(1 - results.places[:, last].mean()),
            "mean_outlived": float(1 - results.places.mean()),
            "best_wins": float(results.wins[:, last].mean()),
            "best_rings": float(np.tanh(results.rings[:, last].mean(axis=1) / RING_SCALE).mean())
            if len(results.rings)
            else 0.0,
            "best_heads_up": float(results.shares @ np.tanh(results.heads_up[:, last].mean(axis=1) / results.scales)),
            "hall": float(self.hall_size),
            "spread": gene_spread(self.asked),
            "reliability": reliability(one, other),
        }
        return Figures({**metrics, **preflop_style(form_of(self.problem.experiment, self.asked[last]))}, {})


def gene_spread(genomes: Population) -> float:
    """The mean standard deviation of a gene over the members: it falls as a population becomes uniform."""
    return float(genomes.std(axis=0).mean())


def reliability(one: Floats, other: Floats) -> float:
    """The reliability of fitness from its two halves (members,): their correlation, for the whole (Spearman, Brown).

    0 where fitness is chance, 1 where it is all skill; below 0 by chance.
    """
    if one.std() == 0 or other.std() == 0:
        return 0.0
    half = float(np.corrcoef(one, other)[0, 1])
    return 2 * half / (1 + half) if half > -0.5 else -1.0
