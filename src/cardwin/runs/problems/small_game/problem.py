"""A small game as a problem: a population for each evolving seat, evaluated exactly or by sampled games.

The payoff is linear in each seat's realisation plan. So the mean value against several opponents is the value against
their average plan: one gradient, then one product per member. Populations of n and m cost n + m, not n times m. Members
are evaluated as plans; the halls store plans too, because plans can be averaged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.executor import Executor, run_rows
from cardwin.core.rng import child
from cardwin.core.trainer import PrimaryMetric
from cardwin.evolution import Archive, Genome, Hall, Population, RunningAverage, SearchSettings
from cardwin.games import game
from cardwin.players.small_games.policies import policy
from cardwin.runs.problem import Champion, Evaluation, Figures
from cardwin.runs.problems.small_game import HALL, POPULATION, SEATS, SmallGameExperiment, strategies
from cardwin.solvers import plans
from cardwin.solvers.equilibria import game_value
from cardwin.solvers.tree import Sequences, Tree, tree_of

if TYPE_CHECKING:
    from cardwin.arena.sampled_games import Outcomes


@dataclass(frozen=True)
class Plans:
    """One seat's population as realisation plans: a row per member (n, sequences), and their average (sequences,)."""

    rows: Floats
    average: Floats


class Opponents:
    """The opponents of one seat: the other seat's population, its hall, and policies; all parts have equal weight."""

    def __init__(self, tree: Tree, seat: int, names: Sequence[str]) -> None:
        self.names = names
        self.policies: dict[str, Floats] = {
            name: policy(tree.game, name).plan(1 - seat) for name in names if name not in (POPULATION, HALL)
        }

    def plan(self, living: Plans | None, hall: Archive | None) -> Floats:
        """Return the average of all parts as one plan (sequences,); the population replaces an empty hall."""
        parts = []
        for name in self.names:
            if name in self.policies:
                parts.append(self.policies[name])
            elif name == HALL and hall is not None and hall.count:
                parts.append(hall.average)
            elif living is not None:
                parts.append(living.average)
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total / len(parts)


class SmallGame:
    """The evolving seats of a game."""

    def __init__(self, experiment: SmallGameExperiment) -> None:
        self.experiment = experiment
        self.tree: Tree = tree_of(game(experiment.game))
        self.game_value = float(game_value(self.tree.game))
        self.seats = {SEATS[seat]: seat for seat in experiment.evolving}
        self.opponents = {
            name: Opponents(self.tree, seat, experiment.opponents[seat].against) for name, seat in self.seats.items()
        }

    @property
    def populations(self) -> tuple[str, ...]:
        """The evolving seats' names."""
        return tuple(self.seats)

    @property
    def coevolves(self) -> bool:
        """Whether both seats evolve; then the halls' averages are champions."""
        return len(self.seats) == 2

    def genome(self, name: str) -> Genome:
        """Return real genes for probabilities, or a choice for each information set."""
        experiment = self.experiment
        return strategies.genome_of(self.tree, self.seats[name], experiment.choices, experiment.population.clean)

    def initial_members(self, name: str) -> Population:
        """Return the experiment's `seeded` policies, as genes."""
        seat, genome = self.seats[name], self.genome(name)
        rows = [policy(self.tree.game, spec).genes(seat) for spec in self.experiment.population.seeded]
        return genome.hold(np.array([[float(gene) for gene in row] for row in rows]).reshape(-1, genome.genes))

    def settings(self, name: str) -> SearchSettings:
        """Return the experiment's settings with the seat's mutation rate, shifted by the game's largest loss."""
        seat, common = self.seats[name], self.experiment.search
        rate = self.experiment.opponents[seat].mutation_rate
        return replace(
            common,
            shift=common.shift + strategies.largest_loss(self.tree, seat),
            mutation_rate=common.mutation_rate if rate is None else rate,
        )

    def hall(self, name: str, key: int) -> Archive:
        """Return a hall of plans; if all members stay, only their average is stored."""
        settings, width = self.experiment.hall, self.tree.sequences[self.seats[name]].count
        if settings.capacity == 0:
            return RunningAverage(width, settings.growth)
        return Hall(width, settings.capacity, settings.replaces, growth=settings.growth, key=key)

    def has_fixed_opponents(self, name: str) -> bool:
        """Return whether a seat's opponents are policies only."""
        return not {POPULATION, HALL} & set(self.opponents[name].names)

    # --- evaluation ------------------------------------------------------------------------------------------------

    def evaluate(
        self, populations: Mapping[str, Population], halls: Mapping[str, Archive], key: int, executor: Executor
    ) -> "SmallGameEvaluation":
        """Compute every seat's plans and their values against the seat's opponents."""
        settings = self.experiment.fitness
        members = {name: self._plans(seat, populations[name], executor) for name, seat in self.seats.items()}
        exact, action_values = {}, {}
        for name, seat in self.seats.items():
            rival = SEATS[1 - seat]
            opponent_plan = self.opponents[name].plan(members.get(rival), halls.get(rival))
            action_values[name] = plans.gradient(self.tree, seat, opponent_plan)
            exact[name] = _expected_values(members[name].rows, action_values[name], executor)
        if settings.play in ("drawn", "pooled"):
            fitness = self._drawn(populations, halls, key)
        elif settings.play == "sampled":
            fitness = {name: self._sampled(name, populations, halls, key, executor) for name in self.seats}
        elif settings.tremble > 0:
            fitness = {
                name: self._trembling(seat, populations[name], action_values[name], executor)
                for name, seat in self.seats.items()
            }
        else:
            fitness = exact
        return SmallGameEvaluation(self, members, fitness, exact, action_values, halls)

    def _plans(self, seat: int, genomes: Floats, executor: Executor) -> Plans:
        """Return genomes (n, genes) as plans; sums run over chunks in order, so that workers do not matter."""
        seqs, choices = self.tree.sequences[seat], self.experiment.choices
        rows = np.empty((len(genomes), seqs.count))
        sums: dict[int, Floats] = {}

        def work(start: int, stop: int) -> None:
            rows[start:stop] = plans.plans(seqs, _behaviours_of(seqs, genomes[start:stop], choices))
            sums[start] = rows[start:stop].sum(axis=0)

        run_rows(executor, work, len(genomes))
        total = np.zeros(seqs.count)
        for start in sorted(sums):
            total += sums[start]
        return Plans(rows, total / len(genomes))

    def _trembling(self, seat: int, genomes: Floats, action_values: Floats, executor: Executor) -> Floats:
        """Return the expected chips (n,) of genomes (n, genes) that tremble."""
        seqs, out = self.tree.sequences[seat], np.empty(len(genomes))

        def work(start: int, stop: int) -> None:
            shaken = self._behaviours(seat, genomes[start:stop])
            plans.expected_values(plans.plans(seqs, shaken), action_values, 0, stop - start, out[start:stop])

        run_rows(executor, work, len(genomes))
        return out

    def _behaviours(self, seat: int, genomes: Population) -> Floats:
        """Return the behaviours (n, sequences) as played, with trembling if set."""
        seqs, chance = self.tree.sequences[seat], self.experiment.fitness.tremble
        behaviours = _behaviours_of(seqs, genomes, self.experiment.choices)
        return plans.trembling(seqs, behaviours, chance) if chance > 0 else behaviours

    def _sampled(
        self,
        name: str,
        populations: Mapping[str, Population],
        halls: Mapping[str, Archive],
        key: int,
        executor: Executor,
    ) -> Floats:
        """Return a seat's mean chips (members,) in games played move by move, against each part of its opponents.

        One game against each member of the other population, or `games` games against a policy or a hall's average.
        """
        seat, opponents, settings = self.seats[name], self.opponents[name], self.experiment.fitness
        rival = SEATS[1 - seat]
        members, hall = self._behaviours(seat, populations[name]), halls.get(rival)
        rivals = self._behaviours(1 - seat, populations[rival]) if rival in populations else None
        total = np.zeros(len(members))
        for number, part in enumerate(opponents.names):
            alive = part not in opponents.policies and (part == POPULATION or hall is None or not hall.count)
            if alive and rivals is not None:
                # Two populations play the same games, seen from either seat, so both seats derive the same key.
                total += self._play_games(seat, members, rivals, child(key, -1), executor)
            else:
                plan = opponents.policies[part] if hall is None or part in opponents.policies else hall.average
                opponent = plans.behaviour_of(self.tree.sequences[1 - seat], plan)[None]
                part_key = child(key, 2 * number + seat)
                total += self._play_games(seat, members, opponent, part_key, executor, settings.games)
        return total / len(opponents.names)

    def _play_games(
        self, seat: int, members: Floats, opponents: Floats, key: int, executor: Executor, games: int = 0
    ) -> Floats:
        """Return mean chips (n,) of behaviours against opponents' behaviours: `games`, or one with each of them."""
        from cardwin.arena.sampled_games import games_of, mean_chips

        out, nodes = np.empty(len(members)), self.tree.nodes
        played = games_of(nodes, seat, games or len(opponents), key, self.experiment.fitness.fair, shared=games == 0)

        def work(start: int, stop: int) -> None:
            mean_chips(nodes, played, members, opponents, start, stop, out)

        run_rows(executor, work, len(out))
        return out

    @cached_property
    def outcomes(self) -> "Outcomes":
        """The possible outcomes of a game."""
        from cardwin.arena.sampled_games import outcomes_of

        return outcomes_of(self.tree)

    def _drawn(
        self, populations: Mapping[str, Population], halls: Mapping[str, Archive], key: int
    ) -> dict[str, Floats]:
        """Return all seats' mean chips (members,) in games whose terminals are sampled directly.

        `pooled` games are against the other population's average: a member drawn at random in each game is the same.
        """
        from cardwin.arena.sampled_games import mean_of_draws, one_game_each

        settings, fitness = self.experiment.fitness, {}
        members = {
            seat: plans.plans(self.tree.sequences[seat], self._behaviours(seat, populations[name]))
            for name, seat in self.seats.items()
        }
        # Two populations play the same games, seen from either seat.
        pairs = self.coevolves and settings.play == "drawn"
        shared = one_game_each(self.outcomes, members[0], members[1], child(key, -1)) if pairs else None
        for name, seat in self.seats.items():
            opponents, hall = self.opponents[name], halls.get(SEATS[1 - seat])
            total = np.zeros(len(members[seat]))
            for number, part in enumerate(opponents.names):
                if part in opponents.policies:
                    plan = opponents.policies[part]
                elif part == HALL and hall is not None and hall.count:
                    plan = hall.average
                elif shared is not None:
                    total += shared[seat]
                    continue
                else:
                    plan = members[1 - seat].mean(axis=0)
                part_key = child(key, 2 * number + seat)
                total += mean_of_draws(self.outcomes, seat, members[seat], plan, settings.games, part_key)
            fitness[name] = total / len(opponents.names)
        return fitness

    # --- results ---------------------------------------------------------------------------------------------------

    def exploitability(self, seat: int, plan: Floats) -> float:
        """Return the exploitability of a seat's plan: the game's value for the seat, minus the plan's guarantee."""
        value = self.game_value if seat == 0 else -self.game_value
        return value + plans.best_response_value(self.tree, 1 - seat, plan)

    def _champion_behaviours(self, champions: Mapping[str, Champion]) -> dict[int, Floats]:
        """Return the champions' behaviours (sequences,) by seat."""
        return {
            seat: _behaviours_of(self.tree.sequences[seat], champions[name].genes[None], self.experiment.choices)[0]
            for name, seat in self.seats.items()
        }

    def primary_metric(
        self,
        evaluation: Evaluation,  # noqa: ARG002  exploitability needs no opponents
        champions: Mapping[str, Champion],
        halls: Mapping[str, Archive],
    ) -> PrimaryMetric:
        """Return the exploitability of the halls' averages (NashConv / 2), or of one seat's champion."""
        if self.coevolves:
            value = plans.exploitability(self.tree, *(halls[name].average for name in SEATS))
        else:
            ((seat, behaviour),) = self._champion_behaviours(champions).items()
            value = self.exploitability(seat, plans.plans(self.tree.sequences[seat], behaviour[None])[0])
        return PrimaryMetric("exploitability", value)

    def write_champions(
        self, folder: Path, champions: Mapping[str, Champion], halls: Mapping[str, Archive]
    ) -> list[Path]:
        """Write the halls' averages if both seats evolved, and the champions."""
        genes = {seat: champions[name].genes for name, seat in self.seats.items()}
        averages = {seat: halls[name].average for name, seat in self.seats.items()} if self.coevolves else {}
        return strategies.write_policies(folder, self.tree, genes, self._champion_behaviours(champions), averages)

    def answer(self, champions: Mapping[str, Champion]) -> dict[str, Any]:
        """Return the game, and each seat's champion."""
        best = [
            {"seat": seat + 1, "fitness": champion.fitness, "value": champion.value, "genes": champion.genes.tolist()}
            for name, seat in self.seats.items()
            for champion in [champions[name]]
        ]
        return {"game": self.experiment.game, "best": best}


def _behaviours_of(seqs: Sequences, genomes: Floats, choices: bool) -> Floats:
    """Return genomes (n, genes) as behaviours (n, sequences)."""
    return plans.behaviours_of_choices(seqs, genomes) if choices else plans.behaviours(seqs, genomes)


def _expected_values(rows: Floats, action_values: Floats, executor: Executor) -> Floats:
    """Return the expected chips (n,) of plans (n, sequences), from each sequence's value (sequences,)."""
    out = np.empty(len(rows))
    run_rows(executor, lambda start, stop: plans.expected_values(rows, action_values, start, stop, out), len(rows))
    return out


@dataclass(frozen=True)
class SmallGameEvaluation:
    """One evaluated generation: each seat's plans, its fitness for selection and exact, and its action values.

    Action values (sequences,) are the value of each of a seat's sequences against the seat's opponents.
    """

    problem: SmallGame
    plans: Mapping[str, Plans]
    fitness: Mapping[str, Floats]
    values: Mapping[str, Floats]
    action_values: Mapping[str, Floats]
    halls: Mapping[str, Archive]

    @cached_property
    def best(self) -> dict[str, int]:
        """The index of each seat's fittest member."""
        return {name: int(np.argmax(fitness)) for name, fitness in self.fitness.items()}

    def admit(self, name: str, hall: Archive) -> None:
        """Admit the best member, or the average of all."""
        best = self.best[name]
        enters_best = self.problem.experiment.hall.enters == "best"
        member = self.plans[name].rows[best] if enters_best else self.plans[name].average
        hall.set_fitness((hall.members * self.action_values[name]).sum(axis=1))  # against this generation's opponents
        hall.add(member[None], self.fitness[name][best : best + 1])

    def figures(self, name: str) -> Figures:
        """Return exact values, and exploitability of the champion, of the population's average and of the hall.

        `hall_value` is against the other seat's hall, or against the seat's opponents.
        """
        problem, seat, best, members = self.problem, self.problem.seats[name], self.best[name], self.plans[name]
        hall, rival = self.halls[name].average, self.halls.get(SEATS[1 - seat])
        against = self.action_values[name] if rival is None else plans.gradient(problem.tree, seat, rival.average)
        metrics = {
            "best_value": float(self.values[name][best]),
            "best_exploitability": problem.exploitability(seat, members.rows[best]),
            "average_value": float(self.values[name].mean()),
            "average_exploitability": problem.exploitability(seat, members.average),
            "hall_value": float((hall * against).sum()),
            "hall_exploitability": problem.exploitability(seat, hall),
        }
        return Figures(metrics, {"average": members.average})
